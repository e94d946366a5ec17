"""The entities of these tests, and short names for events that happened to them."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.decider import By, Role
from domain.ruleset import Message
from domain.rulesets.dhextiny import messages as m
from domain.rulesets.dhextiny.rules import RING, Being, Pool, RollPurpose, Status

GM = By("gm", Role.GM)
P1 = By("p1", Role.PLAYER)
P2 = By("p2", Role.PLAYER)
SPECTATOR = By("s1", Role.SPECTATOR)
AUDITOR = By("a1", Role.AUDITOR)
HOUSE = By("house", Role.HOUSE)

ANA = (m.EntityCreated("ana", "Ana", Being.PC, "p1", 12, 6, -6), m.AbilityNamed("ana", "locks", 3))
BEN = (m.EntityCreated("ben", "Ben", Being.PC, "p2", 12, 6, -6), m.AbilityNamed("ben", "sword", 3))
TOBIN = (
    m.EntityCreated("tobin", "Tobin", Being.NPC, "gm", 12, 6, -6),
    m.AbilityNamed("tobin", "gossip", 3),
)
RAT = (
    m.EntityCreated("rat", "The rat", Being.CREATURE, "gm", 12, 4),
    m.AbilityNamed("rat", "gnawing", 3),
)
TABLE: tuple[Message, ...] = (*ANA, *BEN, *TOBIN, *RAT)


def at(point: int) -> m.TokenMoved:
    return m.TokenMoved(0, point, "as the example begins")


def rolled_abilities(entity: str, number: int) -> m.AbilitiesRolled:
    return m.AbilitiesRolled(entity, number - 2, number)


def pool(entity: str, which: Pool, new: int) -> m.Adjusted:
    return m.Adjusted(entity, which, 12, new, "as the example begins")


def ap(entity: str, new: int) -> m.Adjusted:
    return pool(entity, Pool.AP, new)


def lp(entity: str, new: int) -> m.Adjusted:
    return pool(entity, Pool.LP, new)


def amx(entity: str, ability: str, new: int) -> m.AbilityNamed:
    return m.AbilityNamed(entity, ability, new)


def is_now(entity: str, status: Status) -> m.StatusAdjusted:
    return m.StatusAdjusted(entity, Status.OK, status, "as the example begins")


def dying(entity: str, at_lp: int) -> tuple[Message, ...]:
    return lp(entity, at_lp), is_now(entity, Status.DYING)


def dead(entity: str) -> m.StatusAdjusted:
    return is_now(entity, Status.DEAD)


def aflame(entity: str, rounds: int) -> m.CaughtFire:
    return m.CaughtFire(entity, rounds)


def checked(
    entity: str,
    start: int,
    face: int,
    use: RollPurpose = RollPurpose.CHECK,
    ability: str | UnsetType = UNSET,
    target: str | UnsetType = UNSET,
) -> m.Checked:
    """Return the roll of a check that is open."""
    point = (start + face) % 6
    return m.Checked(entity, use, start, face, point, RING[point], ability, target)


def settled(entity: str, start: int, face: int) -> tuple[Message, ...]:
    """Return a check that is settled as it was rolled."""
    roll = checked(entity, start, face)
    return roll, m.Settled(entity, roll.use, roll.result, roll.point, roll.result)


def stunned(
    entity: str, rounds: int | UnsetType = UNSET, minutes: int | UnsetType = UNSET
) -> m.ConditionSet:
    return m.ConditionSet(entity, "stunned", rounds, minutes)
