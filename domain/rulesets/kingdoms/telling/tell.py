"""What the log says, one sentence an event."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from domain.rulesets.kingdoms.messages.events import (
    Adjustment,
    DiceGranted,
    DiceRolled,
    DtDetermined,
    DtSet,
    EntityCreated,
    Event,
    Interpreted,
    PoolAdjusted,
    PoolAssembled,
    Preparation,
    Refilled,
    Rolling,
    Stat,
    StatAdjusted,
    StatNamed,
    TestDeclared,
    TestDropped,
    TestEnded,
    TestRolled,
)
from domain.rulesets.kingdoms.rules import Kind, signed
from domain.rulesets.kingdoms.telling.words import a_test, listed, shown_faces, verdict


def tell(event: Event) -> str:
    """One sentence in the words of the rulebook; `{ana}` stands for an entity's name."""
    match event:
        case EntityCreated(who):
            return f"{_id(who)} comes to the table ({event.being}) with CON {event.con} and CHA {event.cha}."
        case StatNamed(who, stat, value):
            return f"{_id(who)} has {stat} {value}."
        case TestDeclared() | DiceGranted() | PoolAssembled() | DtSet() | DtDetermined():
            return _tell_preparation(event)
        case TestRolled() | Interpreted() | Refilled() | TestEnded() | DiceRolled():
            return _tell_rolling(event)
        case StatAdjusted() | PoolAdjusted() | TestDropped():
            return _tell_adjustment(event)
        case _:
            raise TypeError(event)


def _tell_preparation(event: Preparation) -> str:
    match event:
        case TestDeclared(who, kind, stats, refill):
            by = "" if refill is UNSET else f", refilled by {refill}"
            return f"The GR calls {_id(who)} to {a_test(kind)} of {_and(stats)}{by}."
        case DiceGranted(who, source, dice):
            return f"The GR grants {_id(who)} {_dice(dice)} for {source}."
        case PoolAssembled(who, sources, pool):
            return f"{_id(who)} assembles a pool of {_dice(pool)}: {listed(sources)}."
        case DtSet(who, dt, old):
            return f"The GR sets the DT for {_id(who)} to {dt}{_was(old)}."
        case DtDetermined(who, opponent, stats, less, computed, dt, old):
            formula = " - ".join([" + ".join(map(_stat, stats)), *map(_stat, less)])
            kept = "" if dt == computed else f", which leaves DT {dt}"
            return f"{_id(opponent)} determines the DT for {_id(who)}: {formula} = {computed}{kept}{_was(old)}."


def _tell_rolling(event: Rolling) -> str:
    match event:
        case TestRolled(who):
            return f"{_id(who)} rolls {shown_faces(event.faces)} against DT {event.dt}: {_outcome(event)}."
        case Interpreted(who, _, text):
            return f"The GR interprets the roll of {_id(who)} ({text})."
        case Refilled(who, _, removed, stat, _, added, pool):
            change = f"adds {_dice(added)}" if added >= 0 else f"loses {_dice(-added)}"
            return f"{_id(who)} removes {_dice(removed)} that failed and {change} by {stat}; the pool is {_dice(pool)}."
        case TestEnded(who, Kind.BASIC):
            return f"The basic test of {_id(who)} is over."
        case TestEnded(who, _, rolls, margins):
            times = "1 roll" if rolls == 1 else f"{rolls} rolls"
            return f"The GR ends the extended test of {_id(who)} after {times}, with margins of {signed(margins)} in all."
        case DiceRolled(who, sides, faces, total, purpose):
            aim = "" if purpose is UNSET else f" for {purpose}"
            sums = f"{' + '.join(map(str, faces))} = {total}" if len(faces) > 1 else str(total)
            return f"{_id(who)} rolls {len(faces)}d{sides}{aim}: {sums}."


def _tell_adjustment(event: Adjustment) -> str:
    match event:
        case StatAdjusted(who, stat, old, new, reason):
            return f"The GR sets {stat} of {_id(who)} from {old} to {new} ({reason})."
        case PoolAdjusted(who, old, new, reason):
            return (
                f"The GR sets the pool of {_id(who)} from {_dice(old)} to {_dice(new)} ({reason})."
            )
        case TestDropped(who, kind, _, reason):
            return f"The GR calls off the {kind} test of {_id(who)} ({reason})."


def _id(entity: str) -> str:
    return f"{{{entity}}}"


def _dice(number: int) -> str:
    return "1 die" if number == 1 else f"{number} dice"


def _stat(stat: Stat) -> str:
    return f"{stat.name} {stat.value}"


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _was(old: int | UnsetType) -> str:
    return "" if old is UNSET else f" (before: {old})"


def _outcome(event: TestRolled) -> str:
    successes = "1 success" if event.successes == 1 else f"{event.successes} successes"
    failures = "1 failure" if event.failures == 1 else f"{event.failures} failures"
    end = "" if event.passed is UNSET else f", {verdict(event.passed)}"
    return f"{successes}, {failures}, margin {signed(event.margin)}{end}"
