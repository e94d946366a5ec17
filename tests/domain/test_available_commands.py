"""What a seat can do, in every room: each example is allowed, and a refusal stands only where no example was."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, Raw, inspect

from domain.available_commands import (
    MAX_EXAMPLES,
    AvailableCommand,
    KnownValues,
    allowed_values,
    available_commands,
    examples,
    known_values,
)
from domain.chance import NeedsDrawError, UndrawnChance
from domain.codec import decode_command, encode
from domain.decider import By, Refused, Role
from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS
from domain.session.messages import Close, Declare
from domain.session.state import Session
from domain.session.turns import judge
from tests.support.scale import scale
from tests.support.sessions import MemoryLog, ScriptedSession, play

TURNS = 40
SEATS = (By("gm", Role.GM), By("p1", Role.PLAYER), By("p2", Role.PLAYER))


def tables(ruleset: AnyRuleset) -> Iterator[Session]:
    """Sessions at every few versions of random evenings."""
    for seed in range(scale(1, 10)):
        log = MemoryLog()
        facts = play(seed, TURNS, ruleset=ruleset, log=log)
        yield from (log.at(fact.session, fact.version) for fact in facts[4 :: scale(64, 8)])


def said_to(session: Session, wish: Message, by: By) -> str:
    """The rule that refuses a wish, or "" where it is allowed."""
    try:
        judge(session, Declare(Raw(encode(wish))), by, UndrawnChance())
    except NeedsDrawError:
        return ""
    except Refused as no:
        return no.rule
    return ""


@pytest.mark.parametrize(
    "ruleset", RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
def test_every_command_is_listed_with_an_example_that_holds_or_a_rule_that_was_met(
    ruleset: AnyRuleset,
) -> None:
    for session in tables(ruleset):
        for by in SEATS:
            found = available_commands(session, by)
            assert [choice.kind for choice in found] == [
                str(kind.__struct_config__.tag) for kind in ruleset.commands
            ]
            assert [choice.kind for choice in found if not holds(session, choice, by)] == []


@pytest.mark.parametrize(
    "ruleset", RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
def test_an_example_stays_allowed_with_each_listed_value(ruleset: AnyRuleset) -> None:
    listed = 0
    for session in tables(ruleset):
        for by in SEATS[:2]:
            for choice in available_commands(session, by):
                if choice.example is UNSET:
                    continue
                sent = msgspec.to_builtins(choice.example)
                for field, values in allowed_values(session, by, choice.example).items():
                    assert field not in sent or sent[field] in values or not values
                    for value in values:
                        changed = {**sent, field: value}
                        assert any(
                            said_to(session, each, by) == ""
                            for each in with_another_choice(type(choice.example), field, changed)
                        )
                        listed += 1
    assert listed > 20


def with_another_choice(
    command: type[Message], field: str, sent: dict[str, Any]
) -> Iterator[Message]:
    """The command; if the field is a choice from a list, also with one more of these made otherwise, or left out."""
    yield msgspec.convert(sent, command)
    fields = {each.encode_name: each for each in inspect.type_info(command).fields}  # type: ignore[attr-defined]
    choices = {name: found for name, each in fields.items() if (found := listed_in(each.type))}
    if field not in choices:
        return
    for name in fields.keys() - {field, "kind"}:
        if not fields[name].required:
            yield msgspec.convert({each: sent[each] for each in sent if each != name}, command)
        for value in choices.get(name, ()):
            yield msgspec.convert({**sent, name: value}, command)


def listed_in(type_: inspect.Type) -> list[Any]:
    """The values of a choice from a list."""
    match type_:
        case inspect.Metadata(type=inner):
            return listed_in(inner)
        case inspect.UnionType(types=types):
            return [value for inner in types for value in listed_in(inner)]
        case inspect.EnumType(cls=cls):
            return [member.value for member in cls]
        case inspect.LiteralType(values=values):
            return list(values)
    return []


def holds(session: Session, choice: AvailableCommand, by: By) -> bool:
    if choice.example is not UNSET:
        return (
            choice.allowed and choice.rule is UNSET and said_to(session, choice.example, by) == ""
        )
    command = next(
        kind for kind in session.ruleset.commands if kind.__struct_config__.tag == choice.kind
    )
    wishes = islice(examples(known_values(session, by), command), MAX_EXAMPLES)
    tried = [said_to(session, wish, by) for wish in wishes]
    return (
        not choice.allowed
        and "" not in tried
        and (tried[0] == choice.rule if tried else choice.rule is UNSET)
    )


@pytest.mark.parametrize(
    "ruleset", RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
def test_examples_are_well_formed_even_where_nothing_is_known(ruleset: AnyRuleset) -> None:
    for command in ruleset.commands:
        made = list(islice(examples(KnownValues({}, ()), command), MAX_EXAMPLES))
        assert made, command
        assert all(decode_command(ruleset, encode(wish)) == wish for wish in made)


@pytest.mark.parametrize(
    "ruleset", RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
def test_in_a_closed_session_nothing_can_be_done(ruleset: AnyRuleset) -> None:
    evening = ScriptedSession(ruleset=ruleset)
    evening.do("gm", Close(carry_over=False))
    assert {choice.rule for choice in available_commands(evening.session, SEATS[0])} == {
        "session-closed"
    }


def test_no_entity_acts_in_a_command_that_names_several() -> None:
    pentola = next(ruleset for ruleset in RULESETS if ruleset.name == "pentola")
    session = next(tables(pentola))
    kinds = {each.kind for each in available_commands(session, SEATS[1], "ana")}
    assert "pentola.StartMoment" in kinds
