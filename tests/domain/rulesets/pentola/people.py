"""Seats and characters of the tests, and short functions for events about them."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.decider import By, Role
from domain.ruleset import Message
from domain.rulesets.pentola import events as e
from domain.rulesets.pentola.rules import (
    RULINGS,
    Being,
    Bonus,
    Characteristic,
    Die,
    Difficulty,
    Distance,
    Finding,
    RollPurpose,
    Thing,
    Usable,
    goal,
    outcome,
)

GM = By("gm", Role.GM)
P1 = By("p1", Role.PLAYER)
P2 = By("p2", Role.PLAYER)
SPECTATOR = By("s1", Role.SPECTATOR)
AUDITOR = By("a1", Role.AUDITOR)
HOUSE = By("house", Role.HOUSE)

BOD, INT, POW = Characteristic
EASY, NORMAL, HARD = Difficulty
SKILL, VOCATION, RELATIONSHIP, REPUTATION = Bonus

TOPH = (
    e.CharacterCreated("toph", "Toph", Being.PC, "p1", 12, 13),
    e.BonusAdded("toph", "fencing", SKILL, 43),
    e.BonusAdded("toph", "bravo", VOCATION, 25),
    e.BonusAdded("toph", "the guild", RELATIONSHIP, 90),
    e.UsableAdded("toph", "herbs", Usable.ITEM, Die.D8),
    e.UsableAdded("toph", "second wind", Usable.ABILITY, Die.D4),
)
TARASI = (
    e.CharacterCreated("tarasi", "Tarasi", Being.PC, "p2", 11, 10),
    e.BonusAdded("tarasi", "gearslinger", SKILL, 20),
)
GALNER = (
    e.CharacterCreated("galner", "Galner", Being.NPC, "gm", 9, 10, 7),
    e.BonusAdded("galner", "needlejutsu", SKILL, 21),
)
GUARD = (e.CharacterCreated("guard", "The guard", Being.NPC, "gm", 10, 9),)
SPIRE = (e.ThingCreated("spire", "The spire", "gm"),)
TABLE: tuple[Message, ...] = (*TOPH, *TARASI, *GALNER, *GUARD, *SPIRE)
GOALS = {
    "toph": (82, 43, "fencing"),
    "tarasi": (50, 20, "gearslinger"),
    "galner": (51, 21, "needlejutsu"),
}


def intends(entity: str, approach: str | UnsetType = "with a bucket and a rag") -> e.IntentDeclared:
    return e.IntentDeclared(entity, "pass the guard", approach)


def ruled(entity: str, finding: Finding) -> e.Ruled:
    return e.Ruled(entity, finding, RULINGS[finding])


def called(
    entity: str, characteristic: Characteristic = BOD, difficulty: Difficulty = NORMAL
) -> tuple[Message, ...]:
    return intends(entity), e.CalledForTest(entity, characteristic, difficulty)


def opposed(entity: str, opponent: str, difficulty: Difficulty = NORMAL) -> e.OpponentNamed:
    return e.OpponentNamed(entity, opponent, BOD, difficulty)


def rolled(entity: str, action: str, percent: int, steps: int, roll: int) -> e.RolledTest:
    """Return the roll of one side of an opposed test."""
    difficulty = {1: EASY, 0: NORMAL, -1: HARD}[steps]
    result = outcome(roll, goal(percent, steps))
    return e.RolledTest(
        entity, action, RollPurpose.OPPOSED, BOD, difficulty, percent, 0, steps, roll, result
    )


def started(*ids: str) -> e.MomentStarted:
    return e.MomentStarted(1, ids)


def initiative(entity: str, roll: int) -> e.InitiativeRolled:
    percent, added, bonus = GOALS[entity]
    return e.InitiativeRolled(
        entity, percent, added, 0, roll, outcome(roll, goal(percent, 0)), bonus
    )


def ordered(*best_first: str) -> e.Ordered:
    return e.Ordered(best_first, best_first[-1])


def slot(entity: str) -> e.SlotPassed:
    return e.SlotPassed(entity)


def acts(
    nth: int,
    entity: str,
    approach: str = "a kick",
    things: int = 1,
    focus: bool = False,
    uses: str | UnsetType = UNSET,
) -> e.ActionDeclared:
    return e.ActionDeclared(entity, nth, Thing.ACTION, "win", approach, focus, things, uses=uses)


def moves(nth: int, entity: str, target: str, thing: Thing = Thing.MOVE) -> e.ActionDeclared:
    return e.ActionDeclared(
        entity, nth, thing, "get close", thing, False, 2 if thing is Thing.SPRINT else 1, target
    )


def reacts(
    nth: int,
    entity: str,
    against: str,
    to: int,
    things: int = 1,
    focus: bool = False,
    uses: str | UnsetType = UNSET,
) -> e.ReactionDeclared:
    return e.ReactionDeclared(entity, nth, "a dodge", against, to, focus, things, uses)


def turn(nth: int, entity: str, approach: str = "a kick", intent: str = "win") -> e.TurnCame:
    return e.TurnCame(entity, nth, intent, approach)


def apart(entity: str, other: str, distance: Distance) -> e.DistanceSet:
    return e.DistanceSet(entity, other, distance, UNSET)


DUEL = (
    started("toph", "tarasi"),
    initiative("tarasi", 79),
    initiative("toph", 31),
    ordered("toph", "tarasi"),
)
"""Toph above Tarasi, who declares first."""
