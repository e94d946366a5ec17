"""Conditions and aims, which all rulesets have in common, in every edition."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.available_commands import (
    AvailableCommand,
    KnownValues,
    available_commands,
    examples,
)
from domain.chance import UndrawnChance
from domain.decider import By, Refused, Role, fold
from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS_BY_EDITION, fansys
from domain.rulesets.deckahedron.messages import Attempt
from tests.domain.rulesets.example import Example
from tests.support.sessions import ScriptedSession

GM, P1 = By("gm", Role.GM), By("p1", Role.PLAYER)
every_edition = pytest.mark.parametrize(
    "ruleset",
    list(RULESETS_BY_EDITION.values()),
    ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}",
)


def example_of(ruleset: AnyRuleset) -> Example:
    example: Example = import_module(f"tests.domain.rulesets.{ruleset.name}.example").EXAMPLE
    return example


def command(ruleset: AnyRuleset, kind: str, **fields: object) -> Message:
    """Return a command about ana, with a reason if it needs one."""
    type_: Any = next(each for each in ruleset.commands if each.__name__ == kind)
    if "reason" in type_.__struct_fields__:
        fields["reason"] = "a cure"
    made: Message = type_(entity="ana", **fields)
    return made


def after(ruleset: AnyRuleset, *commands: Message) -> Any:
    """Return the state after ana came to the table and the GM sent the commands."""
    state = ruleset.decider.initial(ruleset.options())
    for by, each in ((P1, example_of(ruleset).bring), *((GM, each) for each in commands)):
        events = ruleset.decider.decide(state, each, by, UndrawnChance())
        state = fold(ruleset.decider.evolve, state, events)
    return state


def refusal(ruleset: AnyRuleset, state: Any, when: Message) -> tuple[str, dict[str, object]]:
    """Return the rule that refuses the GM's command, and its facts."""
    with pytest.raises(Refused) as refused:
        ruleset.decider.decide(state, when, GM, UndrawnChance())
    return refused.value.rule, dict(refused.value.facts)


def offered_end(ruleset: AnyRuleset, name: str) -> AvailableCommand:
    """Return what the GM is offered for the end of a condition that ana has."""
    evening = ScriptedSession(ruleset=ruleset)
    evening.do("p1", example_of(ruleset).bring)
    evening.do("gm", command(ruleset, "SetCondition", name=name))
    offered = available_commands(evening.session, GM)
    return next(each for each in offered if each.kind == f"{ruleset.name}.EndCondition")


@every_edition
def test_the_example_of_its_end_names_the_condition(ruleset: AnyRuleset) -> None:
    found: Any = offered_end(ruleset, "hexed")
    assert found.allowed
    assert (found.example.entity, found.example.name) == ("ana", "hexed")


def test_the_example_names_a_condition_of_the_game_as_the_table_shows_it() -> None:
    for ruleset in (fansys.ruleset, fansys.edition_1):
        found: Any = offered_end(ruleset, "prone")
        assert (found.example.entity, found.example.name) == ("ana", "prone (C)")


@every_edition
def test_set_again_a_condition_has_the_new_duration_and_no_old_note(ruleset: AnyRuleset) -> None:
    noted = command(ruleset, "SetCondition", name="hexed", rounds=3, note="slow")
    again = command(ruleset, "SetCondition", name="Hexed", minutes=5)
    [held] = ruleset.show(after(ruleset, noted, again)).conditions.values()
    assert (held.rounds, held.minutes, held.note) == (UNSET, 5, UNSET)


@every_edition
def test_a_condition_does_not_last_for_both_rounds_and_minutes(ruleset: AnyRuleset) -> None:
    both = command(ruleset, "SetCondition", name="hexed", rounds=3, minutes=5)
    assert refusal(ruleset, after(ruleset), both) == ("one-duration", {"rounds": 3, "minutes": 5})


@every_edition
def test_a_condition_that_is_not_there_cannot_be_ended(ruleset: AnyRuleset) -> None:
    end = command(ruleset, "EndCondition", name="hexed")
    facts = {"entity": "ana", "condition": "hexed"}
    assert refusal(ruleset, after(ruleset), end) == ("no-such-condition", facts)


@every_edition
@pytest.mark.parametrize("kind", ["SetCondition", "EndCondition"])
def test_the_name_of_a_condition_is_not_blank(ruleset: AnyRuleset, kind: str) -> None:
    blank = command(ruleset, kind, name="\N{NO-BREAK SPACE} ")
    assert refusal(ruleset, after(ruleset), blank) == ("blank-text", {"field": "name"})


@every_edition
def test_an_aim_is_not_blank(ruleset: AnyRuleset) -> None:
    """In edition 1 of Deckahedron, that of an attempt can be: its earlier logs can have it."""
    kinds = [kind for kind in ruleset.commands if "aim" in kind.__struct_fields__]
    assert kinds
    state = ruleset.decider.initial(ruleset.options())
    for kind in kinds:
        if (kind, ruleset.edition) != (Attempt, "1"):
            blank = replace(next(examples(KnownValues({}, ()), kind)), aim=" ")
            assert refusal(ruleset, state, blank) == ("blank-text", {"field": "aim"}), kind
