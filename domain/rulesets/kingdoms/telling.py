"""What a screen shows, what the log says and what statistics count. `tell` and `tally` need the event alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import UNSET, UnsetType

from domain.rulesets.kingdoms import rules
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
    Source,
    Stat,
    StatAdjusted,
    StatNamed,
    TestDeclared,
    TestDropped,
    TestEnded,
    TestRolled,
)
from domain.rulesets.kingdoms.rules import DIE, Kind, signed
from domain.rulesets.kingdoms.state import Entity, Roll, State, Test
from domain.table import Entity as Shown
from domain.table import Pool, Table, Task
from domain.tally import Chance, Counts, Moved, Rolled, Settled

D12 = "d12"
TEST_DIE, PLAIN_DIE = "die of a test", "plain roll"
PASSED, NOT_PASSED = "passed", "not passed"
FACES: dict[str, Chance] = {str(face): (1, DIE) for face in range(1, DIE + 1)}


def show(state: State) -> Table:
    """The entities with their stats; the open tests with their pools, their DT and every roll so far."""
    return Table(
        entities={entity: _entity(state, entity, of) for entity, of in state.entities.items()},
        pools={
            f"{entity}.pool": Pool(entity, D12, test.pool)
            for entity, test in state.tests.items()
            if test.pool is not UNSET
        },
        tasks={f"{entity}.test": _task(state, entity, test) for entity, test in state.tests.items()},
    )


def _entity(state: State, entity: str, of: Entity) -> Shown:
    status = f"in {_a_test(state.tests[entity].kind)}" if entity in state.tests else "ok"
    return Shown(of.name, of.seat, of.being, status, {stat.name: str(stat.value) for stat in of.stats})


def _task(state: State, entity: str, test: Test) -> Task:
    seat = state.entities[entity].seat if entity in state.entities else ""
    return Task(seat, f"{test.kind} test", _waits(test), dict(_sheet(entity, test)))


def _waits(test: Test) -> str:
    """The next step of the book's list."""
    if test.rolled:
        return "the GR interprets"
    if test.pool is UNSET:
        return "the player assembles the pool"
    return "the GR sets the DT" if test.dt is UNSET else "the player rolls"


def _sheet(entity: str, test: Test) -> Iterator[tuple[str, str]]:
    yield "entity", entity
    yield "stats", ", ".join(test.stats)
    if test.refill is not UNSET:
        yield "refill", test.refill
    if test.granted or test.sources:
        yield "dice", _listed(test.sources or test.granted)
    if test.dt is not UNSET:
        yield "DT", str(test.dt)
    if test.rolls:
        yield "margin", signed(test.rolls[-1].margin)
        yield "sum of margins", signed(test.total)
    for nth, roll in enumerate(test.rolls, 1):
        yield f"roll {nth}", _written(roll)


def _written(roll: Roll) -> str:
    done = f"{_faces(roll.faces)} against DT {roll.dt}: margin {signed(roll.margin)}"
    if roll.removed is UNSET or roll.added is UNSET:
        return done
    return f"{done}; removed {roll.removed}, added {roll.added}"


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
            return f"The GR calls {_id(who)} to {_a_test(kind)} of {_and(stats)}{by}."
        case DiceGranted(who, source, dice):
            return f"The GR grants {_id(who)} {_dice(dice)} for {source}."
        case PoolAssembled(who, sources, pool):
            return f"{_id(who)} assembles a pool of {_dice(pool)}: {_listed(sources)}."
        case DtSet(who, dt, old):
            return f"The GR sets the DT for {_id(who)} to {dt}{_was(old)}."
        case DtDetermined(who, opponent, stats, less, computed, dt, old):
            formula = " - ".join([" + ".join(map(_stat, stats)), *map(_stat, less)])
            kept = "" if dt == computed else f", which leaves DT {dt}"
            return f"{_id(opponent)} determines the DT for {_id(who)}: {formula} = {computed}{kept}{_was(old)}."


def _tell_rolling(event: Rolling) -> str:
    match event:
        case TestRolled(who):
            return f"{_id(who)} rolls {_faces(event.faces)} against DT {event.dt}: {_outcome(event)}."
        case Interpreted(who, _, text):
            return f"The GR interprets the roll of {_id(who)} ({text})."
        case Refilled(who, _, removed, stat, _, added, pool):
            change = f"adds {_dice(added)}" if added >= 0 else f"loses {_dice(-added)}"
            return f"{_id(who)} removes {_dice(removed)} that failed and {change} by {stat}; the pool is {_dice(pool)}."
        case TestEnded(who, Kind.BASIC):
            return f"The basic test of {_id(who)} is over."
        case TestEnded(who, _, rolls, margins):
            times = "1 roll" if rolls == 1 else f"{rolls} rolls"
            return (
                f"The GR ends the extended test of {_id(who)} after {times}, with margins of {signed(margins)} in all."
            )
        case DiceRolled(who, sides, faces, total, purpose):
            aim = "" if purpose is UNSET else f" for {purpose}"
            sums = f"{' + '.join(map(str, faces))} = {total}" if len(faces) > 1 else str(total)
            return f"{_id(who)} rolls {len(faces)}d{sides}{aim}: {sums}."


def _tell_adjustment(event: Adjustment) -> str:
    match event:
        case StatAdjusted(who, stat, old, new, reason):
            return f"The GR sets {stat} of {_id(who)} from {old} to {new} ({reason})."
        case PoolAdjusted(who, old, new, reason):
            return f"The GR sets the pool of {_id(who)} from {_dice(old)} to {_dice(new)} ({reason})."
        case TestDropped(who, kind, _, reason):
            return f"The GR calls off the {kind} test of {_id(who)} ({reason})."


def _id(entity: str) -> str:
    return f"{{{entity}}}"


def _a_test(kind: Kind) -> str:
    return "an extended test" if kind is Kind.EXTENDED else "a basic test"


def _dice(number: int) -> str:
    return "1 die" if number == 1 else f"{number} dice"


def _faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces)) or "no dice"


def _stat(stat: Stat) -> str:
    return f"{stat.name} {stat.value}"


def _listed(sources: Sequence[Source]) -> str:
    return ", ".join(f"{source.name} {source.dice}" for source in sources)


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _was(old: int | UnsetType) -> str:
    return "" if old is UNSET else f" (before: {old})"


def _outcome(event: TestRolled) -> str:
    successes = "1 success" if event.successes == 1 else f"{event.successes} successes"
    failures = "1 failure" if event.failures == 1 else f"{event.failures} failures"
    end = "" if event.passed is UNSET else f", {_passed(event.passed)}"
    return f"{successes}, {failures}, margin {signed(event.margin)}{end}"


def _passed(passed: bool) -> str:
    return PASSED if passed else NOT_PASSED


def tally(event: Event) -> Counts:
    """What the event counts for: dice with their exact chances, margins, dice that came into a pool and went."""
    match event:
        case TestRolled():
            return tuple(_test(event))
        case DiceRolled(who, sides, faces, total):
            chances: dict[str, Chance] = {str(face): (1, sides) for face in range(1, sides + 1)}
            dice = [Rolled(who, f"d{sides}", str(face), PLAIN_DIE, chances) for face in faces]
            return *dice, Settled(who, f"{len(faces)}d{sides}", str(total))
        case PoolAssembled(who, _, pool):
            return _moved(who, pool, "assembled")
        case Refilled(who, _, removed, stat, _, added):
            return *_moved(who, -removed, "failed"), *_moved(who, added, stat)
        case PoolAdjusted(who, old, new):
            return _moved(who, new - old, "adjusted")
        case TestEnded(who, _, _, _, pool) | TestDropped(who, _, pool):
            return _moved(who, -pool, "put back")
        case EntityCreated() | StatNamed() | TestDeclared() | DiceGranted() | DtSet() | DtDetermined():
            return ()
        case Interpreted() | StatAdjusted():
            return ()
        case _:
            raise TypeError(event)


def _test(event: TestRolled) -> Iterator[Rolled | Settled]:
    """Every die by itself, for its chances are exact however many there are; then the whole roll, its margin last."""
    worths = {face: rules.fallen(face, event.dt, event.twelve_succeeds) for face in range(1, DIE + 1)}
    outcomes: dict[str, Chance] = {die: (number, DIE) for die, number in Counter(worths.values()).items()}
    for face in event.faces:
        yield Rolled(event.entity, D12, str(face), TEST_DIE, FACES, worths[face], outcomes)
    if event.passed is not UNSET:
        yield Settled(event.entity, f"{event.test} test", _passed(event.passed))
    yield Settled(event.entity, f"{event.test} margin", signed(event.margin))


def _moved(who: str, by: int, why: str) -> Counts:
    return (Moved(who, D12, by, why),) if by else ()
