"""Presentation of Kingdoms and Rulers: table, event descriptions and statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import UNSET, UnsetType

from domain import table
from domain.rulesets.kingdoms import messages as m, rules
from domain.rulesets.kingdoms.rules import DIE, DieResult, PoolTestKind, signed
from domain.rulesets.kingdoms.state import Entity, PoolRoll, State, Test
from domain.tally import Counts, Moved, Probability, Rolled, Settled, fair_die

D12 = "d12"
PASSED, NOT_PASSED = "passed", "not passed"
TEST_DIE, PLAIN_DIE = "die of a test", "plain roll"
FACES = fair_die(DIE)
WORST_FIRST = tuple(DieResult)[::-1]


def show(state: State) -> table.Table:
    """Return the table with all entities, their stats and the open tests."""
    return table.Table(
        entities={entity: _entity(state, entity, of) for entity, of in state.entities.items()},
        pools={
            f"{entity}.pool": table.Pool(entity, D12, test.pool)
            for entity, test in state.tests.items()
            if test.pool is not UNSET
        },
        tasks={
            f"{entity}.test": _task(state, entity, test) for entity, test in state.tests.items()
        },
    )


def _entity(state: State, entity: str, of: Entity) -> table.Entity:
    status = f"in {_test_name(state.tests[entity].kind)}" if entity in state.tests else "ok"
    return table.Entity(
        of.name, of.seat, of.being, status, {stat.name: str(stat.value) for stat in of.stats}
    )


def _task(state: State, entity: str, test: Test) -> table.Task:
    seat = state.entities[entity].seat if entity in state.entities else ""
    return table.Task(seat, f"{test.kind} test", _waits_for(test), dict(_test_sheet(entity, test)))


def _waits_for(test: Test) -> str:
    """Return the next step that the test is waiting for."""
    if test.rolled:
        return "the GR interprets"
    if test.pool is UNSET:
        return "the player assembles the pool"
    return "the GR sets the DT" if test.dt is UNSET else "the player rolls"


def _test_sheet(entity: str, test: Test) -> Iterator[tuple[str, str]]:
    yield "entity", entity
    yield "stats", ", ".join(test.stats)
    if test.refill is not UNSET:
        yield "refill", test.refill
    if test.granted or test.sources:
        yield "dice", _join_sources(test.sources or test.granted)
    if test.dt is not UNSET:
        yield "DT", str(test.dt)
    if test.rolls:
        yield "margin", signed(test.rolls[-1].margin)
        yield "sum of margins", signed(test.total)
    for nth, roll in enumerate(test.rolls, 1):
        yield f"roll {nth}", _roll_words(roll)


def _roll_words(roll: PoolRoll) -> str:
    done = f"{_join_faces(roll.faces)} against DT {roll.dt}: margin {signed(roll.margin)}"
    if roll.removed is UNSET or roll.added is UNSET:
        return done
    return f"{done}; removed {roll.removed}, added {roll.added}"


def describe(event: m.Event) -> str:
    """Describe the event in one sentence, with entity ids in braces, such as `{ana}`."""
    match event:
        case m.EntityCreated(entity):
            return f"{_name(entity)} comes to the table ({event.being}) with CON {event.con} and CHA {event.cha}."
        case m.StatNamed(entity, stat, value):
            return f"{_name(entity)} has {stat} {value}."
        case m.TestDeclared(entity, kind, stats, refill):
            by = "" if refill is UNSET else f", refilled by {refill}"
            return f"The GR calls {_name(entity)} to {_test_name(kind)} of {_join(stats)}{by}."
        case m.DiceGranted(entity, source, dice):
            return f"The GR grants {_name(entity)} {_dice(dice)} for {source}."
        case m.PoolAssembled(entity, sources, pool):
            return f"{_name(entity)} assembles a pool of {_dice(pool)}: {_join_sources(sources)}."
        case m.DtSet(entity, dt, old):
            return f"The GR sets the DT for {_name(entity)} to {dt}{_old_dt(old)}."
        case m.DtDetermined(entity, opponent, stats, less, computed, dt, old):
            formula = " - ".join([" + ".join(map(_stat_words, stats)), *map(_stat_words, less)])
            kept = "" if dt == computed else f", which leaves DT {dt}"
            return f"{_name(opponent)} determines the DT for {_name(entity)}: {formula} = {computed}{kept}{_old_dt(old)}."
        case m.TestRolled(entity):
            return f"{_name(entity)} rolls {_join_faces(event.faces)} against DT {event.dt}: {_test_outcome(event)}."
        case m.Interpreted(entity, _, text):
            return f"The GR interprets the roll of {_name(entity)} ({text})."
        case m.Refilled(entity, _, removed, stat, _, added, pool):
            change = f"adds {_dice(added)}" if added >= 0 else f"loses {_dice(-added)}"
            return f"{_name(entity)} removes {_dice(removed)} that failed and {change} by {stat}; the pool is {_dice(pool)}."
        case m.TestEnded(entity, PoolTestKind.BASIC):
            return f"The basic test of {_name(entity)} is over."
        case m.TestEnded(entity, _, rolls, margins):
            times = "1 roll" if rolls == 1 else f"{rolls} rolls"
            return f"The GR ends the extended test of {_name(entity)} after {times}, with margins of {signed(margins)} in all."
        case m.DiceRolled(entity, sides, faces, total, purpose):
            aim = "" if purpose is UNSET else f" for {purpose}"
            sums = f"{' + '.join(map(str, faces))} = {total}" if len(faces) > 1 else str(total)
            return f"{_name(entity)} rolls {len(faces)}d{sides}{aim}: {sums}."
        case m.StatAdjusted(entity, stat, old, new, reason):
            return f"The GR sets {stat} of {_name(entity)} from {old} to {new} ({reason})."
        case m.PoolAdjusted(entity, old, new, reason):
            return f"The GR sets the pool of {_name(entity)} from {_dice(old)} to {_dice(new)} ({reason})."
        case m.TestDropped(entity, kind, _, reason):
            return f"The GR calls off the {kind} test of {_name(entity)} ({reason})."
        case _:
            raise TypeError(event)


def _name(entity: str) -> str:
    return f"{{{entity}}}"


def _dice(number: int) -> str:
    return "1 die" if number == 1 else f"{number} dice"


def _stat_words(stat: m.StatValue) -> str:
    return f"{stat.name} {stat.value}"


def _join(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _old_dt(old: int | UnsetType) -> str:
    return "" if old is UNSET else f" (before: {old})"


def _test_outcome(event: m.TestRolled) -> str:
    successes = "1 success" if event.successes == 1 else f"{event.successes} successes"
    failures = "1 failure" if event.failures == 1 else f"{event.failures} failures"
    end = "" if event.passed is UNSET else f", {_verdict(event.passed)}"
    return f"{successes}, {failures}, margin {signed(event.margin)}{end}"


def tally(event: m.Event) -> Counts:
    """Return the event's statistics: dice with odds, margins and changes to pools."""
    match event:
        case m.TestRolled():
            return tuple(_test_counts(event))
        case m.DiceRolled(entity, sides, faces, total):
            chances = fair_die(sides)
            # There is no scale, because the purpose decides whether high is good (RULES 2.3).
            dice = [Rolled(entity, f"d{sides}", str(face), PLAIN_DIE, chances) for face in faces]
            return *dice, Settled(entity, f"{len(faces)}d{sides}", str(total))
        case m.PoolAssembled(entity, _, pool):
            return _pool_change(entity, pool, "assembled", pool)
        case m.Refilled(entity, _, removed, stat, _, added, pool):
            return *_pool_change(entity, -removed, "failed", pool - added), *_pool_change(
                entity, added, stat, pool
            )
        case m.PoolAdjusted(entity, old, new):
            return _pool_change(entity, new - old, "adjusted", new)
        case m.TestEnded(entity, _, _, _, pool) | m.TestDropped(entity, _, pool):
            return _pool_change(entity, -pool, "put back", 0)
        case _:
            return ()


def _test_counts(event: m.TestRolled) -> Iterator[Rolled | Settled]:
    """Yield statistics for each die, the result of a basic test and the margin."""
    worths = {
        face: rules.die_result(face, event.dt, event.twelve_succeeds) for face in range(1, DIE + 1)
    }
    outcomes: dict[str, Probability] = {
        die: (number, DIE) for die, number in Counter(worths.values()).items()
    }
    scale = tuple(die for die in WORST_FIRST if die in outcomes)
    given: dict[str, int | str] = {"DT": event.dt, "pool": event.pool}
    for face in event.faces:
        yield Rolled(
            event.entity, D12, str(face), TEST_DIE, FACES, worths[face], outcomes, scale, given
        )
    if event.passed is not UNSET:
        yield Settled(event.entity, f"{event.test} test", _verdict(event.passed))
    yield Settled(event.entity, f"{event.test} margin", signed(event.margin))


def _pool_change(entity: str, by: int, why: str, now: int) -> Counts:
    return (Moved(entity, D12, by, why, now),) if by else ()


def _test_name(kind: PoolTestKind) -> str:
    return "an extended test" if kind is PoolTestKind.EXTENDED else "a basic test"


def _join_faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces)) or "no dice"


def _join_sources(sources: Sequence[m.DiceSource]) -> str:
    return ", ".join(f"{source.name} {source.dice}" for source in sources)


def _verdict(passed: bool) -> str:
    return PASSED if passed else NOT_PASSED
