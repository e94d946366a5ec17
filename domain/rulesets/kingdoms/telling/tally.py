"""What an event counts for: every die with its exact chances, margins, dice that came into a pool and went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import UNSET

from domain.rulesets.kingdoms import rules
from domain.rulesets.kingdoms.messages.events import (
    DiceGranted,
    DiceRolled,
    DtDetermined,
    DtSet,
    EntityCreated,
    Event,
    Interpreted,
    PoolAdjusted,
    PoolAssembled,
    Refilled,
    StatAdjusted,
    StatNamed,
    TestDeclared,
    TestDropped,
    TestEnded,
    TestRolled,
)
from domain.rulesets.kingdoms.rules import DIE, Die, signed
from domain.rulesets.kingdoms.telling.words import D12, verdict
from domain.tally import Chance, Counts, Moved, Rolled, Settled, fair_die

TEST_DIE, PLAIN_DIE = "die of a test", "plain roll"
FACES = fair_die(DIE)
WORST_FIRST = tuple(Die)[::-1]


def tally(event: Event) -> Counts:
    """What the event counts for: dice with their exact chances, margins, dice that came into a pool and went."""
    match event:
        case TestRolled():
            return tuple(_test(event))
        case DiceRolled(who, sides, faces, total):
            chances = fair_die(sides)
            # No scale: what is good in a plain roll stands in its purpose, which is anybody's words (RULES 2.3).
            dice = [Rolled(who, f"d{sides}", str(face), PLAIN_DIE, chances) for face in faces]
            return *dice, Settled(who, f"{len(faces)}d{sides}", str(total))
        case PoolAssembled(who, _, pool):
            return _moved(who, pool, "assembled", pool)
        case Refilled(who, _, removed, stat, _, added, pool):
            return *_moved(who, -removed, "failed", pool - added), *_moved(who, added, stat, pool)
        case PoolAdjusted(who, old, new):
            return _moved(who, new - old, "adjusted", new)
        case TestEnded(who, _, _, _, pool) | TestDropped(who, _, pool):
            return _moved(who, -pool, "put back", 0)
        case (
            EntityCreated()
            | StatNamed()
            | TestDeclared()
            | DiceGranted()
            | DtSet()
            | DtDetermined()
        ):
            return ()
        case Interpreted() | StatAdjusted():
            return ()
        case _:
            raise TypeError(event)


def _test(event: TestRolled) -> Iterator[Rolled | Settled]:
    """Every die by itself, for its chances are exact however many there are; then the whole roll, its margin last."""
    worths = {
        face: rules.fallen(face, event.dt, event.twelve_succeeds) for face in range(1, DIE + 1)
    }
    outcomes: dict[str, Chance] = {
        die: (number, DIE) for die, number in Counter(worths.values()).items()
    }
    scale = tuple(die for die in WORST_FIRST if die in outcomes)
    given: dict[str, int | str] = {"DT": event.dt, "pool": event.pool}
    for face in event.faces:
        yield Rolled(
            event.entity, D12, str(face), TEST_DIE, FACES, worths[face], outcomes, scale, given
        )
    if event.passed is not UNSET:
        yield Settled(event.entity, f"{event.test} test", verdict(event.passed))
    yield Settled(event.entity, f"{event.test} margin", signed(event.margin))


def _moved(who: str, by: int, why: str, now: int) -> Counts:
    return (Moved(who, D12, by, why, now),) if by else ()
