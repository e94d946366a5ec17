"""The entities of these tests, and short names for events that happened to them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from domain.decider import By, Role
from domain.ruleset import Message
from domain.rulesets.kingdoms import messages as m, rules
from domain.rulesets.kingdoms.rules import Being, PoolTestKind, Refill

GM = By("gm", Role.GM)
P1 = By("p1", Role.PLAYER)
P2 = By("p2", Role.PLAYER)
SPECTATOR = By("s1", Role.SPECTATOR)
AUDITOR = By("a1", Role.AUDITOR)
HOUSE = By("house", Role.HOUSE)

BASIC, EXTENDED = PoolTestKind
CON, CHA = Refill

ANA = (
    m.EntityCreated("ana", "Ana", Being.PC, "p1", 2, 3),
    m.StatNamed("ana", "STR", 4),
    m.StatNamed("ana", "fear", -2),
)
BEN = (m.EntityCreated("ben", "Ben", Being.PC, "p2", 1, 1),)
ORK = (m.EntityCreated("ork", "The ork", Being.NPC, "gm", 4, -1), m.StatNamed("ork", "AC", 8))
TABLE: tuple[Message, ...] = (*ANA, *BEN, *ORK)


def declared(entity: str, *stats: str) -> m.TestDeclared:
    return m.TestDeclared(entity, BASIC, stats or ("STR",))


def extended(entity: str, refill: Refill = CON, *stats: str) -> m.TestDeclared:
    return m.TestDeclared(entity, EXTENDED, stats or ("STR",), refill)


def pooled(entity: str, pool: int) -> m.PoolAssembled:
    return m.PoolAssembled(entity, (m.DiceSource("STR", pool),), pool)


def dt(entity: str, number: int) -> m.DtSet:
    return m.DtSet(entity, number)


def ready(
    entity: str, pool: int, number: int, refill: Refill | UnsetType = UNSET
) -> tuple[Message, ...]:
    """Return the events before a roll: a basic test, or an extended one if a stat refills it."""
    begun = declared(entity) if refill is UNSET else extended(entity, refill)
    return begun, pooled(entity, pool), dt(entity, number)


def rolled(
    entity: str,
    number: int,
    faces: Sequence[int],
    counts: tuple[int, int, int, int],
    kind: PoolTestKind = BASIC,
    nth: int = 1,
    total: int | UnsetType = UNSET,
    twelve_succeeds: bool = True,
) -> m.TestRolled:
    """Return a roll; `counts` are successes, failures, margin and dice that failed."""
    successes, failures, margin, failed = counts
    return m.TestRolled(
        entity=entity,
        test=kind,
        nth=nth,
        pool=len(faces),
        dt=number,
        twelve_succeeds=twelve_succeeds,
        faces=tuple(faces),
        successes=successes,
        failures=failures,
        margin=margin,
        failed=failed,
        total=margin if total is UNSET else total,
        passed=margin > 0 if kind is BASIC else UNSET,
    )


def adjusted(entity: str, stat: str, new: int) -> m.StatAdjusted:
    return m.StatAdjusted(entity, stat, 0, new, "as the example begins")


def stat(entity: str, name: str, value: int) -> m.StatNamed:
    return m.StatNamed(entity, name, value)


MANY_ROLLS = [
    rolled("ana", 6, [7], (1, 0, 1, 0), EXTENDED, nth) for nth in range(1, rules.MAX_ROLLS + 1)
]  # fmt: skip
