"""The evening in every room's folder, that the demo plays: what is accepted never hangs on the dice."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from domain.chance import Chance, DeclaredChance
from domain.codec import decode_command, encode
from domain.decider import By, Refused, Role, fold
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.state import SessionOptions
from tests.golden.play import script_of
from tests.support.scale import scale

every_ruleset = pytest.mark.parametrize(
    "ruleset", RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
LARGEST = 100


class Dice:
    """Dice that fall as `fall` says."""

    def __init__(self, fall: Callable[[int], int]) -> None:
        self.draw = fall


def played(ruleset: AnyRuleset, script: dict[str, Any], dice: Chance) -> list[str | None]:
    """What refuses each command, in order, with those of the forks; the state goes back at a rewind."""
    options = {
        name: held
        for name, held in script["options"].items()
        if name not in SessionOptions.__struct_fields__
    }
    roles = {seat["seat"]: Role(seat["role"]) for seat in script["seats"]}
    return run(
        ruleset,
        script["steps"],
        ruleset.decider.initial(msgspec.convert(options, ruleset.options)),
        roles,
        dice,
    )


def run(
    ruleset: AnyRuleset,
    steps: list[dict[str, Any]],
    state: object,
    roles: dict[str, Role],
    dice: Chance,
) -> list[str | None]:
    marks: dict[str, object] = {}
    refusals: list[str | None] = []
    for step in steps:
        match step:
            case {"mark": mark}:
                marks[mark] = state
            case {"rewind": mark} if "refused" not in step:
                state = marks[mark]
            case {"fork": mark, "steps": further}:
                refusals += run(ruleset, further, marks[mark], roles, dice)
            case {"do": _}:
                state, refused = turn(ruleset, state, step, By(step["by"], roles[step["by"]]), dice)
                refusals.append(refused)
    return refusals


def expected(steps: list[dict[str, Any]]) -> list[str | None]:
    """What is to refuse each command, in order, with those of the forks."""
    return [
        step.get("refused")
        for outer in steps
        for step in (outer.get("steps", []) if "fork" in outer else [outer])
        if "do" in step
    ]


def turn(
    ruleset: AnyRuleset, state: object, step: dict[str, Any], by: By, dice: Chance
) -> tuple[object, str | None]:
    declared = DeclaredChance(step.get("faces", ()))
    command = decode_command(ruleset, encode(step["do"]))
    try:
        events = ruleset.decider.decide(state, command, by, declared if "faces" in step else dice)
    except Refused as refused:
        return state, refused.rule
    assert len(declared.values) == len(step.get("faces", ()))
    return fold(ruleset.decider.evolve, state, events), None


@every_ruleset
def test_however_the_dice_fall_the_same_steps_are_accepted(ruleset: AnyRuleset) -> None:
    script = script_of(ruleset)
    refusals = expected(script["steps"])
    for seed in range(scale(20, 200)):
        dice = random.Random(seed)
        assert played(ruleset, script, Dice(lambda sides: dice.randint(1, sides))) == refusals, seed


@every_ruleset
def test_nor_if_it_is_always_the_same_face(ruleset: AnyRuleset) -> None:
    script = script_of(ruleset)
    refusals = expected(script["steps"])
    for face in (*range(1, 25), LARGEST):
        assert played(ruleset, script, Dice(lambda sides: min(face, sides))) == refusals, face


@every_ruleset
def test_it_is_a_whole_evening_for_all_seats(ruleset: AnyRuleset) -> None:
    script = script_of(ruleset)
    steps = script["steps"]
    accepted = [step for step in steps if "do" in step and "refused" not in step]
    assert len(accepted) >= 120
    assert {step["by"] for step in accepted} == {
        seat["seat"] for seat in script["seats"] if seat["role"] != "spectator"
    }
    assert len([step for step in steps if "refused" in step]) >= 8
    assert any("narrate" in step for step in steps)
    assert steps[-1] == {"by": "gm", "close": {"carry_over": True}}


@every_ruleset
def test_it_has_a_secret_that_is_opened_a_redo_and_a_fork(ruleset: AnyRuleset) -> None:
    steps = script_of(ruleset)["steps"]
    turns = {mark["mark"]: step for step, mark in pairwise(steps) if "mark" in mark}
    opened = [turns[step["open"]] for step in steps if "open" in step]
    assert any(step["by"] == "gm" and step["audience"] == "gm" and "do" in step for step in opened)
    assert any(fork["steps"] for fork in steps if "fork" in fork)
    assert redone(steps)


def redone(steps: list[dict[str, Any]]) -> list[str]:
    """The marks that a rewind goes back to after another rewind has undone them."""
    led, marks, found = [0], dict[str, list[int]](), []
    for nth, step in enumerate(steps, 1):
        if "mark" in step:
            marks[step["mark"]] = led
        if "rewind" in step and "refused" not in step:
            to = marks[step["rewind"]]
            found += [step["rewind"]] * (led[: len(to)] != to)
            led = to
        led = [*led, nth]
    return found
