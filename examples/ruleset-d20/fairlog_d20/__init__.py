"""A small ruleset: a check rolls a d20, adds a bonus and compares the sum with a difficulty."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec import Meta

from domain.chance import Chance
from domain.decider import By, Refused, Role
from domain.ruleset import Decider, Message, Ruleset
from domain.table import Pool, Table
from domain.tally import Attempted, Counts, Moved, Probability, Rolled, reduce

SIDES = 20
FAILED, PASSED = "failed", "passed"
NATURAL_1 = 1
Difficulty = Annotated[int, Meta(ge=1, le=40, description="the difficulty, from 1")]
Bonus = Annotated[int, Meta(ge=-10, le=20, description="the number to add to the face")]


class Options(msgspec.Struct, frozen=True):
    """The options of a session."""

    luck: Annotated[int, Meta(ge=0, le=9, description="the group's luck points at the start")] = 3


class Check(Message, frozen=True, tag="d20.Check"):
    """Roll a d20, add the bonus, and compare the sum with the difficulty."""

    difficulty: Difficulty
    bonus: Bonus = 0


class SpendLuck(Message, frozen=True, tag="d20.SpendLuck"):
    """Spend one of the group's luck points: the next check gets 5 more."""


class Checked(Message, frozen=True, tag="d20.Checked"):
    """A check was made. `total` is the face with the bonus and any luck."""

    seat: str
    face: int
    total: int
    difficulty: int
    passed: bool


class LuckSpent(Message, frozen=True, tag="d20.LuckSpent"):
    """A luck point was spent."""

    left: int


class State(msgspec.Struct, frozen=True):
    """The group's luck points, and what the next check gets from luck."""

    luck: int
    pending: int = 0


def decide(state: State, command: Check | SpendLuck, by: By, chance: Chance) -> tuple[Message, ...]:
    if by.role not in (Role.PLAYER, Role.GM):
        raise Refused("not-playing", role=by.role.value)
    if isinstance(command, SpendLuck):
        if not state.luck:
            raise Refused("no-luck-left")
        if state.pending:
            raise Refused("luck-is-waiting")
        return (LuckSpent(state.luck - 1),)
    face = chance.draw(SIDES)
    added = command.bonus + state.pending
    passed = _passes(face, added, command.difficulty)
    return (Checked(by.seat, face, face + added, command.difficulty, passed),)


def evolve(state: State, event: Checked | LuckSpent) -> State:
    return State(event.left, 5) if isinstance(event, LuckSpent) else State(state.luck)


def _passes(face: int, added: int, difficulty: int) -> bool:
    """Return True if the check passes with this face. A 1 always fails (RULES 2.2)."""
    return face > NATURAL_1 and face + added >= difficulty


def _passing_faces(added: int, difficulty: int) -> int:
    return sum(_passes(face, added, difficulty) for face in range(1, SIDES + 1))


def show(state: State) -> Table:
    return Table(pools={"luck": Pool("the table", "luck", state.luck)})


def describe(event: Checked | LuckSpent) -> str:
    if isinstance(event, LuckSpent):
        return f"The group spends a luck point and has {event.left} left."
    outcome = "passes" if event.passed else "fails"
    return (
        f"{{@{event.seat}}} rolls {event.face}: {event.total} against {event.difficulty} {outcome}."
    )


def tally(event: Checked | LuckSpent) -> Counts:
    if isinstance(event, LuckSpent):
        return (Moved("the table", "luck", -1, "spent", event.left),)
    seat, face = f"@{event.seat}", str(event.face)
    passing = _passing_faces(event.total - event.face, event.difficulty)
    chances: dict[str, Probability] = {FAILED: reduce(SIDES - passing, SIDES)}  # the worst first
    if passing:
        chances[PASSED] = reduce(passing, SIDES)
    attempted = Attempted(
        seat,
        "check",
        face,
        PASSED if event.passed else FAILED,
        chances,
        (PASSED,) if passing else (),
        given={"difficulty": event.difficulty},
    )
    return Rolled(seat, "d20", face, "check"), attempted


def success(state: State, command: Check | SpendLuck) -> Fraction | None:
    if isinstance(command, SpendLuck):
        return None
    return Fraction(_passing_faces(command.bonus + state.pending, command.difficulty), SIDES)


def odds(state: State, command: Check | SpendLuck) -> Mapping[str, Fraction] | None:
    return None  # few faces: the caller tries each


ruleset = Ruleset(
    name="d20",
    edition="1",
    title="d20",
    package=__name__,
    options=Options,
    state=State,
    commands=(Check, SpendLuck),
    events=(Checked, LuckSpent),
    decider=Decider(lambda options: State(options.luck), decide, evolve),
    show=show,
    describe=describe,
    refusals={
        "not-playing": ("Your role is {role}, which does not play.", "Ask the GM for a seat."),
        "no-luck-left": ("The group has no luck points left.", "Roll without luck."),
        "luck-is-waiting": ("A luck point already waits for the next check.", "Make the check."),
    },
    tally=tally,
    odds=odds,
    success=success,
    carry=lambda state: {"luck": state.luck},
    summary="A d20 against a number. The group shares its luck.",
)
