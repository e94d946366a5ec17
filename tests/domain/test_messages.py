"""The form of every ruleset's messages: their names, descriptions and defaults."""

from __future__ import annotations

import msgspec
import pytest

from domain.chance import EnumeratedChance
from domain.decider import By, Role
from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS
from domain.session import messages as frame

every_room = pytest.mark.parametrize(
    "room", RULESETS, ids=lambda room: f"{room.name}-{room.edition}"
)
COMMANDS = [command for room in RULESETS for command in room.commands]
EVENTS = [*frame.EVENTS, *(event for room in RULESETS for event in room.events)]


def tag(kind: type[Message]) -> str:
    return str(kind.__struct_config__.tag)


@pytest.mark.parametrize("command", COMMANDS, ids=tag)
def test_every_field_of_a_command_has_a_description(command: type[Message]) -> None:
    schema = msgspec.json.schema(command)["$defs"][command.__name__]
    assert schema["description"]
    for name, field in schema["properties"].items():
        assert name == "kind" or field.get("description") or "$ref" in str(field), name


@pytest.mark.parametrize("event", EVENTS, ids=tag)
def test_no_default_of_an_event_can_change_an_old_log(event: type[Message]) -> None:
    for field in msgspec.structs.fields(event):
        assert field.default in (msgspec.NODEFAULT, msgspec.UNSET)
        assert field.default_factory is msgspec.NODEFAULT


@every_room
def test_every_message_is_named_after_its_class_and_room(room: AnyRuleset) -> None:
    for kind in (*room.commands, *room.events):
        assert tag(kind) == f"{room.name}.{kind.__name__}"
        assert kind.__struct_config__.frozen
        assert kind.__struct_config__.forbid_unknown_fields


@every_room
def test_an_unknown_message_raises(room: AnyRuleset) -> None:
    state, gm = room.decider.initial(room.options()), By("gm", Role.GM)
    for ask in (
        lambda: room.decider.evolve(state, object()),
        lambda: room.decider.decide(state, object(), gm, EnumeratedChance(())),
        lambda: room.tell(object()),
    ):
        with pytest.raises(TypeError):
            ask()


@every_room
def test_unknown_options_are_malformed(room: AnyRuleset) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"no_such_option": True}, room.options)
