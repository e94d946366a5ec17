"""Every room's example is what it says, so that any room may be the first."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from domain.decider import Refused
from domain.ruleset import Message, Room
from domain.rulesets import RULESETS
from domain.session.messages import Close, Declared, Drawn, Opened
from domain.session.telling import tell
from domain.verify.findings import OVERRIDES
from tests.domain.rulesets.example import Example
from tests.evenings import Evening, alone
from tests.example import example_of, seated

every_room = pytest.mark.parametrize(
    "room", RULESETS, ids=lambda room: f"{room.name}-{room.edition}"
)


def played(evening: Evening, seat: str, command: Message) -> tuple[Message, ...]:
    """What it causes beside its declaration."""
    declared, *caused = (fact.body for fact in evening.do(seat, command))
    assert isinstance(declared, Declared)
    return tuple(caused)


def certain(evening: Evening, *steps: tuple[str, Message]) -> None:
    """None asks for a value."""
    for seat, command in steps:
        assert [event for event in played(evening, seat, command) if isinstance(event, Drawn)] == []


def drawn(evening: Evening, example: Example) -> tuple[int, ...]:
    """The sides; the draw and one event."""
    draw, _ = played(evening, "p1", example.draw)
    assert isinstance(draw, Drawn)
    return tuple(sides for sides, _ in draw.values)


def laid(room: Room, example: Example) -> Evening:
    evening = Evening(room=room)
    played(evening, "p1", example.bring)
    return evening


@every_room
def test_its_steps_are_as_they_are_said_to_be(room: Room) -> None:
    example, evening = example_of(room), Evening(room=room)
    for seat, command in (("p1", example.bring), ("gm", example.guest)):
        [event] = played(evening, seat, command)
        assert not isinstance(event, Drawn)
    certain(evening, *seated(example.ready))
    assert drawn(evening, example) == example.dice
    certain(evening, ("p1", example.plain))
    certain(evening, *(step for step in seated(example.over) if step[1] != example.plain))
    for _ in range(20):
        certain(evening, *seated(example.ready))
        drawn(evening, example)
        certain(evening, *seated(example.over))


@every_room
def test_something_waits_for_her_player(room: Room) -> None:
    example = example_of(room)
    evening, waits = laid(room, example), 0
    for seat, command in (*seated(example.ready), ("p1", example.draw)):
        before = evening.session
        evening.do(seat, command)
        if command == example.waits:
            waits += 1
            then, now = (each.room.show(each.table).tasks for each in (before, evening.session))
            assert seat == "p1"
            assert [
                name for name, task in now.items() if task.seat == "p1" and then.get(name) != task
            ]
    assert waits == 1


@every_room
def test_a_draw_shows_on_the_table(room: Room) -> None:
    example = example_of(room)
    evening = laid(room, example)
    certain(evening, *seated(example.ready))
    before = room.show(evening.session.table)
    drawn(evening, example)
    assert room.show(evening.session.table) != before


@every_room
def test_the_override_is_the_gms(room: Room) -> None:
    example = example_of(room)
    evening = laid(room, example)
    for command in (example.override, example.sized.command):
        with pytest.raises(Refused, match="gm-only"):
            evening.do("p1", command)
    for _ in range(2):
        [event] = played(evening, "gm", example.override)
        assert type(event) in OVERRIDES
        played(evening, "gm", example.sized.command)


@every_room
def test_nobody_else_plays_ana_and_she_comes_once(room: Room) -> None:
    example = example_of(room)
    evening = laid(room, example)
    certain(evening, *seated(example.ready))
    with pytest.raises(Refused, match="not-yours"):
        evening.do("p2", example.draw)
    drawn(evening, example)
    for command, rule in ((example.plain, "not-yours"), (example.bring, "entity-exists")):
        with pytest.raises(Refused, match=rule):
            evening.do("p2", command)


@every_room
def test_its_option_and_what_is_carried_over(room: Room) -> None:
    example = example_of(room)
    opened = Evening(room=room).facts[0].body
    assert isinstance(opened, Opened)
    assert opened.options[example.option.name] == example.option.default
    with pytest.raises(msgspec.ValidationError):
        Evening(room=room, options={example.option.name: example.option.wrong})
    [closed] = Evening(room=room).do("gm", Close(carry=True))
    assert msgspec.to_builtins(closed.body)["carry"] == example.carried
    assert tell(room, closed, alone) == example.closing


@every_room
def test_what_is_sized_has_the_bounds_that_the_schema_says(room: Room) -> None:
    command, field, least, most = example_of(room).sized
    said: Any = msgspec.json.schema_components([type(command)])[1][type(command).__name__][
        "properties"
    ][field]
    bounds = next((one for one in said.get("anyOf", [said]) if "minimum" in one), said)
    assert (bounds["minimum"], bounds["maximum"]) == (least, most)


@every_room
def test_what_is_bent_is_a_field_with_another_value(room: Room) -> None:
    example = example_of(room)
    evening = laid(room, example)
    events = [evening.facts[-1].body]
    certain(evening, *seated(example.ready))
    events += [evening.do("p1", example.draw)[-1].body, evening.do("p1", example.plain)[1].body]
    for event, fields in zip(events, example.bent, strict=True):
        for field, value in fields.items():
            assert getattr(event, field, UNSET) not in (value, UNSET)
