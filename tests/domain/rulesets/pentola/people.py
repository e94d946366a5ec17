"""Who is at the table in these tests, and short words for what has happened to them."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.decider import By, Role
from domain.ruleset import Message
from domain.rulesets.pentola.messages.events.moments import (
    ActionDeclared,
    InitiativeRolled,
    MomentStarted,
    Ordered,
    ReactionDeclared,
    SlotPassed,
    TurnCame,
)
from domain.rulesets.pentola.messages.events.play import (
    BonusAdded,
    CalledForTest,
    CharacterCreated,
    DistanceSet,
    IntentDeclared,
    OpponentNamed,
    RolledTest,
    Ruled,
    ThingCreated,
    UsableAdded,
)
from domain.rulesets.pentola.rules import (
    RULINGS,
    Being,
    Bonus,
    Characteristic,
    Die,
    Difficulty,
    Distance,
    Finding,
    Thing,
    Usable,
    Use,
    goal,
    outcome,
)

GM = By("gm", Role.GM)
P1 = By("p1", Role.PLAYER)
P2 = By("p2", Role.PLAYER)
P3 = By("p3", Role.PLAYER)
SPECTATOR = By("s1", Role.SPECTATOR)
AUDITOR = By("a1", Role.AUDITOR)
HOUSE = By("house", Role.HOUSE)

BOD, INT, POW = Characteristic
EASY, NORMAL, HARD = Difficulty
SKILL, VOCATION, RELATIONSHIP, REPUTATION = Bonus

TOPH = (
    CharacterCreated("toph", "Toph", Being.PC, "p1", 12, 13),
    BonusAdded("toph", "fencing", SKILL, 43),
    BonusAdded("toph", "bravo", VOCATION, 25),
    BonusAdded("toph", "the guild", RELATIONSHIP, 90),
    UsableAdded("toph", "herbs", Usable.ITEM, Die.D8),
    UsableAdded("toph", "second wind", Usable.ABILITY, Die.D4),
)
TARASI = (
    CharacterCreated("tarasi", "Tarasi", Being.PC, "p2", 11, 10),
    BonusAdded("tarasi", "gearslinger", SKILL, 20),
)
GALNER = (
    CharacterCreated("galner", "Galner", Being.NPC, "gm", 9, 10, 7),
    BonusAdded("galner", "needlejutsu", SKILL, 21),
)
GUARD = (CharacterCreated("guard", "The guard", Being.NPC, "gm", 10, 9),)
SPIRE = (ThingCreated("spire", "The spire", "gm"),)
TABLE: tuple[Message, ...] = (*TOPH, *TARASI, *GALNER, *GUARD, *SPIRE)
GOALS = {
    "toph": (82, 43, "fencing"),
    "tarasi": (50, 20, "gearslinger"),
    "galner": (51, 21, "needlejutsu"),
}


def intends(entity: str, approach: str | UnsetType = "with a bucket and a rag") -> IntentDeclared:
    return IntentDeclared(entity, "pass the guard", approach)


def ruled(entity: str, finding: Finding) -> Ruled:
    return Ruled(entity, finding, RULINGS[finding])


def called(
    entity: str, characteristic: Characteristic = BOD, difficulty: Difficulty = NORMAL
) -> tuple[Message, ...]:
    return intends(entity), CalledForTest(entity, characteristic, difficulty)


def opposed(entity: str, opponent: str, difficulty: Difficulty = NORMAL) -> OpponentNamed:
    return OpponentNamed(entity, opponent, BOD, difficulty)


def rolled(entity: str, action: str, percent: int, steps: int, roll: int) -> RolledTest:
    """One side of an opposed test has rolled."""
    difficulty = {1: EASY, 0: NORMAL, -1: HARD}[steps]
    result = outcome(roll, goal(percent, steps))
    return RolledTest(entity, action, Use.OPPOSED, BOD, difficulty, percent, 0, steps, roll, result)


def started(*ids: str) -> MomentStarted:
    return MomentStarted(1, ids)


def initiative(entity: str, roll: int) -> InitiativeRolled:
    percent, added, bonus = GOALS[entity]
    return InitiativeRolled(entity, percent, added, 0, roll, outcome(roll, goal(percent, 0)), bonus)


def ordered(*best_first: str) -> Ordered:
    return Ordered(best_first, best_first[-1])


def slot(entity: str) -> SlotPassed:
    return SlotPassed(entity)


def acts(
    nth: int, entity: str, approach: str = "a kick", things: int = 1, focus: bool = False
) -> ActionDeclared:
    return ActionDeclared(entity, nth, Thing.ACTION, "win", approach, focus, things)


def moves(nth: int, entity: str, target: str, thing: Thing = Thing.MOVE) -> ActionDeclared:
    return ActionDeclared(
        entity, nth, thing, "get close", thing, False, 2 if thing is Thing.SPRINT else 1, target
    )


def reacts(
    nth: int, entity: str, against: str, to: int, things: int = 1, focus: bool = False
) -> ReactionDeclared:
    return ReactionDeclared(entity, nth, "a dodge", against, to, focus, things)


def turn(nth: int, entity: str, approach: str = "a kick", intent: str = "win") -> TurnCame:
    return TurnCame(entity, nth, intent, approach)


def apart(entity: str, other: str, distance: Distance) -> DistanceSet:
    return DistanceSet(entity, other, distance, UNSET)


DUEL = (
    started("toph", "tarasi"),
    initiative("tarasi", 79),
    initiative("toph", 31),
    ordered("toph", "tarasi"),
)
"""Toph above Tarasi, who declares first."""
