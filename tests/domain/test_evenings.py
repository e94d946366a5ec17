"""The evening in every room's folder, that the demo plays: what is accepted never hangs on the dice."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.chance import Chance, Declared
from domain.codec import decode_command, encode
from domain.decider import By, Refused, Role, fold
from domain.ruleset import Room
from domain.rulesets import RULESETS
from domain.session.state import FrameOptions
from tests.golden.play import script_of
from tests.scale import scale

every_room = pytest.mark.parametrize("room", RULESETS, ids=lambda room: f"{room.name}-{room.edition}")
LARGEST = 100


class Dice:
    """Dice that fall as `fall` says."""

    def __init__(self, fall: Callable[[int], int]) -> None:
        self.draw = fall


def played(room: Room, script: dict[str, Any], dice: Chance) -> list[str | None]:
    """What refuses each step, by its number; the state goes back at a rewind."""
    options = {name: held for name, held in script["options"].items() if name not in FrameOptions.__struct_fields__}
    state, marks, refusals = room.decider.initial(msgspec.convert(options, room.options)), {}, []
    roles = {seat["seat"]: Role(seat["role"]) for seat in script["seats"]}
    for step in script["steps"]:
        refused = None
        if "mark" in step:
            marks[step["mark"]] = state
        if "rewind" in step:
            state = marks[step["rewind"]]
        if "do" in step:
            state, refused = turn(room, state, step, By(step["by"], roles[step["by"]]), dice)
        refusals.append(refused)
    return refusals


def turn(room: Room, state: object, step: dict[str, Any], by: By, dice: Chance) -> tuple[object, str | None]:
    declared = Declared(step.get("faces", ()))
    command = decode_command(room, encode(step["do"]))
    try:
        events = room.decider.decide(state, command, by, declared if "faces" in step else dice)
    except Refused as refused:
        return state, refused.rule
    assert len(declared.values) == len(step.get("faces", ()))
    return fold(room.decider.evolve, state, events), None


@every_room
def test_however_the_dice_fall_the_same_steps_are_accepted(room: Room) -> None:
    script = script_of(room)
    expected = [step.get("refused") for step in script["steps"]]
    for seed in range(scale(100, 1000)):
        dice = random.Random(seed)
        assert played(room, script, Dice(lambda sides: dice.randint(1, sides))) == expected, seed  # noqa: B023


@every_room
def test_nor_if_it_is_always_the_same_face(room: Room) -> None:
    script = script_of(room)
    expected = [step.get("refused") for step in script["steps"]]
    for face in (*range(1, 25), LARGEST):
        assert played(room, script, Dice(lambda sides: min(face, sides))) == expected, face  # noqa: B023


@every_room
def test_it_is_a_whole_evening_for_all_seats(room: Room) -> None:
    script = script_of(room)
    steps = script["steps"]
    accepted = [step for step in steps if "do" in step and "refused" not in step]
    assert len(accepted) >= 120
    assert {step["by"] for step in accepted} == {seat["seat"] for seat in script["seats"]}
    assert len([step for step in steps if "refused" in step]) >= 8
    assert any("narrate" in step for step in steps)
    assert steps[-1] == {"by": "gm", "close": {"carry": True}}
