"""The form of every ruleset's messages: their names, descriptions and defaults."""

from __future__ import annotations

import msgspec
import pytest

from domain.chance import EnumeratedChance
from domain.decider import By, Role
from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS
from domain.session import messages as info
from tests.support.rows import check_rows

every_ruleset = pytest.mark.parametrize(
    "ruleset", RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
COMMANDS = [command for ruleset in RULESETS for command in ruleset.commands]
EVENTS = [*info.EVENTS, *(event for ruleset in RULESETS for event in ruleset.events)]


def tag(kind: type[Message]) -> str:
    return str(kind.__struct_config__.tag)


def test_every_field_of_a_command_has_a_description() -> None:
    check_rows(COMMANDS, has_descriptions)


def has_descriptions(command: type[Message]) -> None:
    schema = msgspec.json.schema(command)["$defs"][command.__name__]
    assert schema["description"]
    for name, field in schema["properties"].items():
        assert name == "kind" or field.get("description") or "$ref" in str(field), name


def test_no_default_of_an_event_can_change_an_old_log() -> None:
    for event in EVENTS:
        for field in msgspec.structs.fields(event):
            assert field.default in (msgspec.NODEFAULT, msgspec.UNSET), event
            assert field.default_factory is msgspec.NODEFAULT, event


@every_ruleset
def test_every_message_is_named_after_its_class_and_room(ruleset: AnyRuleset) -> None:
    for kind in (*ruleset.commands, *ruleset.events):
        assert tag(kind) == f"{ruleset.name}.{kind.__name__}"
        assert kind.__struct_config__.frozen
        assert kind.__struct_config__.forbid_unknown_fields


@every_ruleset
def test_an_unknown_message_raises(ruleset: AnyRuleset) -> None:
    state, gm = ruleset.decider.initial(ruleset.options()), By("gm", Role.GM)
    for ask in (
        lambda: ruleset.decider.evolve(state, object()),
        lambda: ruleset.decider.decide(state, object(), gm, EnumeratedChance(())),
        lambda: ruleset.describe(object()),
    ):
        with pytest.raises(TypeError):
            ask()


@every_ruleset
def test_unknown_options_are_malformed(ruleset: AnyRuleset) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"no_such_option": True}, ruleset.options)
