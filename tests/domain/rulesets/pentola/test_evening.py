"""The evening that `make demo` plays: it uses every command, and what is accepted never hangs on the dice."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import domain.rulesets.pentola as room
from domain.chance import Chance, Declared
from domain.decider import By, Refused, Role, fold
from domain.rulesets.pentola import ruleset
from domain.rulesets.pentola.messages.commands import Command
from domain.rulesets.pentola.state import State
from tests.scale import scale

EVENING: dict[str, Any] = json.loads((Path(room.__file__).parent / "evening.json").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = EVENING["steps"]
ROLES = {seat["seat"]: Role(seat["role"]) for seat in EVENING["seats"]}
FRAME_OPTIONS = {"declared_dice"}
COMMANDS: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)


class Dice:
    """Dice that fall as `fall` says."""

    def __init__(self, fall: Callable[[int], int]) -> None:
        self.draw = fall


def play(dice: Chance) -> list[str | None]:
    """What refuses each step, by its number; the state goes back at a rewind."""
    options = {name: value for name, value in EVENING["options"].items() if name not in FRAME_OPTIONS}
    state, marks, refusals = ruleset.decider.initial(msgspec.convert(options, ruleset.options)), {}, []
    for step in STEPS:
        refused = None
        if "mark" in step:
            marks[step["mark"]] = state
        if "rewind" in step:
            state = marks[step["rewind"]]
        if "do" in step:
            state, refused = turn(state, step, dice)
        refusals.append(refused)
    return refusals


def turn(state: State, step: dict[str, Any], dice: Chance) -> tuple[State, str | None]:
    declared = Declared(step.get("faces", ()))
    command = COMMANDS.decode(json.dumps(step["do"]))
    by = By(step["by"], ROLES[step["by"]])
    try:
        events = ruleset.decider.decide(state, command, by, declared if "faces" in step else dice)
    except Refused as refused:
        return state, refused.rule
    assert len(declared.values) == len(step.get("faces", ()))
    return fold(ruleset.decider.evolve, state, events), None


SCRIPT = [step.get("refused") for step in STEPS]


@pytest.mark.parametrize("seed", range(scale(200, 1000)))
def test_however_the_dice_fall_the_same_steps_are_accepted(seed: int) -> None:
    dice = random.Random(seed)
    assert play(Dice(lambda sides: dice.randint(1, sides))) == SCRIPT


@pytest.mark.parametrize("face", [1, 2, 4, 50, 99, 100])
def test_nor_if_it_is_always_the_same_face(face: int) -> None:
    assert play(Dice(lambda sides: min(face, sides))) == SCRIPT


def test_it_is_a_whole_evening() -> None:
    accepted = [step for step in STEPS if "do" in step and "refused" not in step]
    assert len(accepted) >= 140
    assert {step["do"]["kind"] for step in accepted} == {kind.__struct_config__.tag for kind in ruleset.commands}
    assert len([slug for slug in SCRIPT if slug]) >= 8
    assert len({slug for slug in SCRIPT if slug}) >= 5
    assert [step["by"] for step in STEPS if "rewind" in step] == ["gm", "gm"]
    assert {step["by"] for step in accepted} == set(ROLES)
    assert any("faces" in step for step in accepted)
    assert any("narrate" in step for step in STEPS)
    assert STEPS[-1] == {"by": "gm", "close": {"carry": True}}
