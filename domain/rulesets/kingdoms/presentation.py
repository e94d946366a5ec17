"""Presentation of Kingdoms and Rulers: table, event descriptions and statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from msgspec import UNSET, UnsetType

from domain import table
from domain.rulesets.kingdoms import messages as m, rules
from domain.rulesets.kingdoms.rules import Being, PoolTestKind, signed
from domain.rulesets.kingdoms.state import Condition, Entity, PoolRoll, State, Test, waiting_stats
from domain.tally import (
    MAX_WAYS,
    Attempted,
    Counts,
    Moved,
    Owned,
    Probability,
    Rolled,
    Settled,
    Ticked,
    reduce,
    sum_chances,
)

D12 = "d12"
HOUR = 60  # minutes
BOX = 4  # letters of a stat that is shown in a box of its own, such as STR
MAX_FORECAST = 12  # dice
PASSED, NOT_PASSED = "passed", "not passed"
TEST_DIE, PLAIN_DIE = "die of a test", "plain roll"


def show(state: State) -> table.Table:
    """Return the table with all entities, their stats, the open tests and the conditions."""
    return table.Table(
        entities={entity: _entity(state, entity, of) for entity, of in state.entities.items()},
        pools={
            f"{entity}.pool": table.Pool(entity, D12, test.pool)
            for entity, test in state.tests.items()
            if test.pool is not UNSET
        },
        conditions={key: _condition(held) for key, held in (state.conditions or {}).items()},
        tasks=dict(_tasks(state)),
        forecasts=dict(_forecasts(state)),
    )


def _forecasts(state: State) -> Iterator[tuple[str, table.Forecast]]:
    """Yield the chances of the tests that wait for a roll, or else of as many dice as stats have."""
    for entity, test in state.tests.items():
        if not test.rolled:
            chosen = "" if test.dt is UNSET else str(test.dt)
            yield from _forecast(state, f"{entity}.test", _pool(state, entity, test), chosen)
    if not state.tests:
        playing = (of for of in state.entities.values() if of.retired is not True)
        values = (stat.value for of in playing for stat in of.stats)
        for pool in range(1, min(max(values, default=0), MAX_FORECAST) + 1):
            yield from _forecast(state, str(pool), pool)


def _pool(state: State, entity: str, test: Test) -> int:
    """Return the number of dice of a test, which are those of its stats before it has a pool."""
    if test.pool is not UNSET:
        return test.pool
    stats = state.entities[entity].stats if entity in state.entities else ()
    held = sum(stat.value for stat in stats if stat.name in test.stats)
    return held + sum(source.dice for source in test.granted)


def _forecast(
    state: State, name: str, pool: int, chosen: str = ""
) -> Iterator[tuple[str, table.Forecast]]:
    """Yield the chances of a pool, unless it is so large that people do not weigh them."""
    if 0 < pool <= MAX_FORECAST:
        percent = _percent(pool, state.options.twelve_always_succeeds)
        yield name, table.Forecast(_dice(pool), "DT", (NOT_PASSED, PASSED), percent, chosen)


@lru_cache
def _percent(pool: int, twelve_succeeds: bool) -> dict[str, tuple[int, ...]]:
    """Return the percentages with which the pool fails and passes, for each DT."""
    found = dict[str, tuple[int, ...]]()
    for dt in range(rules.MIN_DT, rules.MAX_DT):
        ways = rules.margins(pool, dt, twelve_succeeds)
        passed = sum(number for margin, number in ways.items() if rules.is_passed(margin))
        percent = round(100 * passed / sum(ways.values()))
        found[str(dt)] = (100 - percent, percent)
    return found


def _entity(state: State, entity: str, of: Entity) -> table.Entity:
    status = f"in {_test_name(state.tests[entity].kind)}" if entity in state.tests else "ok"
    if of.retired is True:
        status = "retired"
    sheet = {stat.name: str(stat.value) for stat in of.stats}
    boxes = {name: value for name, value in sheet.items() if name.isupper() and len(name) <= BOX}
    others = [f"{name} {value}" for name, value in sheet.items() if name not in boxes]
    return table.Entity(of.name, of.seat, of.being, status, sheet, " · ".join(others), boxes)


def _condition(held: Condition) -> table.Condition:
    return table.Condition(held.entity, held.name, held.rounds, held.minutes, held.note)


def _tasks(state: State) -> Iterator[tuple[str, table.Task]]:
    """Yield the open tests, and the sheets with stats that wait for approval."""
    for entity, test in state.tests.items():
        yield f"{entity}.test", _test_task(state, entity, test)
    for entity in state.waiting or {}:
        seat = state.entities[entity].seat if entity in state.entities else ""
        stats = ", ".join(map(_stat_words, waiting_stats(state, entity)))
        sheet = {"entity": entity, "stats": stats}
        yield f"{entity}.stats", table.Task(seat, "new stats", "the GR approves", sheet)


def _test_task(state: State, entity: str, test: Test) -> table.Task:
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
    if test.aim is not UNSET:
        yield "aim", test.aim
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
        if test.kind is PoolTestKind.EXTENDED:
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
        case m.EntityCreated(entity, con=con, cha=cha):
            being = "an NPC" if event.being is Being.NPC else "a PC"
            return f"{_name(entity)} joins the game as {being}, with CON {con} and CHA {cha}."
        case m.Retired(entity, reason):
            return f"{_name(entity)} leaves the story for good ({reason})."
        case m.StatRenamed(entity, old_name, new_name, reason):
            return f"The GR renames {_possessive(entity)} {old_name} to {new_name} ({reason})."
        case m.StatRemoved(entity, stat, value, reason):
            return f"{_name(entity)} no longer has the stat {stat}, which was {value} ({reason})."
        case m.StatNamed(entity, stat, value):
            return f"{_name(entity)} has {stat} {value}."
        case m.StatProposed(entity, stat, value):
            return f"{_name(entity)} asks the GR to approve {stat} {value}."
        case m.StatRejected(entity, stat, value, reason):
            return f"The GR rejects {_possessive(entity)} {stat} {value} ({reason})."
        case m.StatAdjusted(entity, stat, old, new, reason):
            return f"The GR {_adjust(f'{_possessive(entity)} {stat}', old, new)} ({reason})."
        case m.DiceRolled():
            return _with_aim(event.aim, _rolled_dice(event))
        case m.ConditionSet(entity, name):
            return f'{_name(entity)} now has the condition "{name}" {_condition_terms(event)}.'
        case m.ConditionTicked(entity, name):
            left = _time_left(event)
            if not left:
                return f'{_name(entity)} no longer has the condition "{name}".'
            return f'{_name(entity)} has the condition "{name}" for {left}.'
        case m.ConditionEnded(entity, name, reason):
            return f'{_name(entity)} no longer has the condition "{name}" ({reason}).'
        case _:
            return _describe_test(event)


def _describe_test(event: m.Event) -> str:
    """Describe an event about a test in one sentence."""
    match event:
        case m.TestDeclared(entity, kind, stats, refill):
            refilling = "" if refill is UNSET else f"; {refill} refills the pool"
            faces = f"{_name(entity)} faces {_test_name(kind)} of {_join(stats)}{refilling}."
            return _with_aim(event.aim, faces)
        case m.DiceGranted(entity, source, dice, grown):
            left = "" if grown is UNSET else f"; the pool is now {_dice(grown)}"
            return f"The GR grants {_name(entity)} {_dice(dice)} for {source}{left}."
        case m.PoolAssembled(entity, sources, 0):
            return f"{_name(entity)} has no dice to roll: {_join_sources(sources)}."
        case m.PoolAssembled(entity, sources, pool):
            return f"{_name(entity)} assembles a pool of {_dice(pool)}: {_join_sources(sources)}."
        case m.DtSet(entity, dt, before):
            if before is UNSET:
                return f"The GR sets the DT for {_name(entity)} to {dt}."
            return f"The GR {_adjust(f'the DT for {_name(entity)}', before, dt)}."
        case m.DtDetermined():
            return _determined_dt(event)
        case m.DtComputed():
            return _dt_from_formula(event)
        case m.TestRolled(entity, dt=dt):
            faces = _join([str(face) for face in event.faces])
            rolls = f"rolls {faces}" if faces else "has no dice to roll"
            line = f"{_name(entity)} {rolls} against DT {dt}{_test_outcome(event)}."
            return _with_aim(event.aim, line)
        case m.Interpreted(entity, _, text):
            return f"The GR interprets {_possessive(entity)} roll: {_quote(' '.join(text.split()))}"
        case m.Refilled(entity, _, removed, stat, value, added, pool):
            left = _dice(pool) if pool else "empty"
            change = f"{_removed_dice(entity, removed)}; {_added_dice(stat, added)}"
            limit = ", which is the maximum" if added < value else ""
            return f"{change}, so the pool is now {left}{limit}."
        case m.TestEnded(_, PoolTestKind.BASIC):
            return "That ends the test."
        case m.TestEnded(entity, _, rolls, total):
            return f"The GR ends {_possessive(entity)} extended test {_after_rolls(rolls, total)}."
        case m.PoolAdjusted(entity, old, new, reason):
            change = _adjust(f"{_possessive(entity)} pool", old, new, _dice)
            return f"The GR {change} ({reason})."
        case m.TestDropped(entity, kind, _, reason):
            return f"The GR calls off {_possessive(entity)} {kind} test ({reason})."
        case _:
            raise TypeError(event)


def _name(entity: str) -> str:
    return f"{{{entity}}}"


def _possessive(entity: str) -> str:
    return f"{_name(entity)}'s"


def _with_aim(aim: str | UnsetType, line: str) -> str:
    """Return the line, preceded by the capitalized purpose of the roll if there is one."""
    words = "" if aim is UNSET else aim.strip()
    if not words:
        return line
    after = f"b{line[1:]}" if line.startswith("Because ") else line
    return f"{words[:1].upper()}{words[1:]}: {after}"


def _dice(number: int) -> str:
    return "1 die" if number == 1 else f"{number} dice"


def _count(number: int, one: str, many: str) -> str:
    return f"1 {one}" if number == 1 else f"{number or 'no'} {many}"


def _stat_words(stat: m.StatValue) -> str:
    return f"{stat.name} {stat.value}"


def _join(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _quote(text: str) -> str:
    """Return the text in quotation marks, then a full stop if it has no final punctuation."""
    return f'"{text}"' if text.endswith((".", "!", "?")) else f'"{text}".'


def _adjust(name: str, old: int, new: int, words: Callable[[int], str] = str) -> str:
    if new == old:
        return f"leaves {name} at {words(new)}"
    return f"{'raises' if new > old else 'lowers'} {name} from {old} to {words(new)}"


def _rolled_dice(event: m.DiceRolled) -> str:
    """Describe a plain roll: the dice, their purpose and the sum."""
    number, added = len(event.faces), _addend(event.added)
    is_sum = number > 1 or added != ""
    dice = f"{number}d{event.sides}{added}" if is_sum else f"a d{event.sides}"
    purpose = "" if event.purpose is UNSET else f" for {event.purpose}"
    terms = f"{' + '.join(map(str, event.faces))}{added} = " if is_sum else ""
    rolls = f"{_with_margin(event)}{_name(event.entity)} rolls {dice}{purpose}"
    return f"{rolls}: {terms}{event.sum}."


def _addend(added: int | UnsetType) -> str:
    """Return the number with a plus or minus sign before it, or "" if nothing is added."""
    if not added:
        return ""
    return f" + {added}" if added > 0 else f" - {-added}"


def _with_margin(event: m.DiceRolled) -> str:
    """Return the clause that names the margin of the roll, or "" if the roll has none."""
    if event.margin is UNSET or event.margin_of is UNSET:
        return ""
    whose = "a" if event.margin_of == event.entity else _possessive(event.margin_of)
    return f"Because of {whose} margin of {signed(event.margin)}, "


def _condition_terms(event: m.ConditionSet) -> str:
    """Return how long the condition lasts, with its note in parentheses if it has one."""
    note = "" if event.note is UNSET else f" ({event.note})"
    if event.rounds is not UNSET:
        return f"for {_count(event.rounds, 'round', 'rounds')}{note}"
    if event.minutes is not UNSET:
        return f"for {_minutes(event.minutes)}{note}"
    return f"until the GR ends it{note}"


def _time_left(event: m.ConditionTicked) -> str:
    """Return how much longer the condition lasts, or "" if it has ended."""
    if event.rounds:
        return _count(event.rounds, "more round", "more rounds")
    return _minutes(event.minutes, "more ") if event.minutes else ""


def _minutes(minutes: int, more: str = "") -> str:
    """Return the duration as text.

    Durations of two hours or more are given in hours and minutes.
    """
    if minutes < 2 * HOUR:
        return _count(minutes, f"{more}minute", f"{more}minutes")
    hours, rest = divmod(minutes, HOUR)
    time = f"{hours} hours and {_count(rest, 'minute', 'minutes')}" if rest else f"{hours} hours"
    return f"another {time}" if more else time


def _determined_dt(event: m.DtDetermined) -> str:
    """Describe the new DT and its formula, or only the stat if the formula is a single stat."""
    if len(event.stats) != 1 or event.less:
        return _dt_from_formula(event)
    stat, bound = f"{_possessive(event.opponent)} {event.stats[0].name}", _dt_bound(event, "is")
    value = f"{stat}{bound}" if bound else f"equal to {stat}"
    return f"{_new_dt(event)}: {value}."


def _dt_from_formula(event: m.DtDetermined | m.DtComputed) -> str:
    against = "" if event.opponent is UNSET else f" against {_name(event.opponent)}"
    return f"{_new_dt(event, against)}: {_dt_formula(event)}{_dt_bound(event, 'makes')}."


def _dt_formula(event: m.DtDetermined | m.DtComputed) -> str:
    """Return the formula as text. Only the first of the opponent's stats names the opponent."""
    halved = event.halved if isinstance(event, m.DtComputed) else ()
    parts = [*(("", stat) for stat in event.stats), *(("half of ", stat) for stat in halved)]
    whose = "" if event.opponent is UNSET else f"{_possessive(event.opponent)} "
    terms = [
        f"{part}{'' if nth else whose}{_stat_words(stat)}" for nth, (part, stat) in enumerate(parts)
    ]
    if isinstance(event, m.DtComputed) and (event.constant or not terms):
        terms.insert(0, str(event.constant))
    own = f"{_possessive(event.entity)} {_join([*map(_stat_words, event.less)])}"
    rounded = " (halves rounded down)" if any(stat.value % 2 for stat in halved) else ""
    return " plus ".join(terms) + (f" less {own}" if event.less else "") + rounded


def _dt_bound(event: m.DtDetermined | m.DtComputed, equals: str) -> str:
    """Return why the DT differs from the result of the formula, or "" if it does not."""
    if event.dt == event.computed:
        return ""
    side = "highest" if event.computed > event.dt else "lowest"
    return f" {equals} {event.computed}, but the {side} DT is {event.dt}"


def _new_dt(event: m.DtDetermined | m.DtComputed, against: str = "") -> str:
    """Return the beginning of a sentence about a DT that was computed."""
    whose = f"The DT for {_name(event.entity)}{against}"
    if event.old is UNSET:
        return f"{whose} is {event.dt}"
    if event.old == event.dt:
        return f"{whose} is still {event.dt}"
    return f"{whose} is now {event.dt} instead of {event.old}"


def _test_outcome(event: m.TestRolled) -> str:
    """Return the verdict (in a basic test only), the successes and failures, and the margin."""
    verb = "passes" if event.passed else "does not pass"
    verdict = "" if event.passed is UNSET else f" and {verb}"
    margin = f"margin {signed(event.margin)}"
    if not event.faces:
        return f"{verdict}: {margin}"
    successes = _count(event.successes, "success", "successes")
    failures = _count(event.failures, "failure", "failures")
    return f"{verdict}: {successes}, {failures}, {margin}"


def _removed_dice(entity: str, removed: int) -> str:
    match removed:
        case 0:
            return f"None of {_possessive(entity)} dice failed"
        case 1:
            return f"{_name(entity)} loses the die that failed"
    return f"{_name(entity)} loses the {removed} dice that failed"


def _added_dice(stat: str, added: int) -> str:
    if added < 0:
        return f"{stat} is negative and takes away {-added} more"
    return f"{stat} adds {added or 'nothing'}"


def _after_rolls(rolls: int, total: int) -> str:
    match rolls:
        case 0:
            return "before the first roll"
        case 1:
            return f"after 1 roll, with a margin of {signed(total)}"
    return f"after {rolls} rolls, with a total margin of {signed(total)}"


def tally(event: m.Event) -> Counts:
    """Return the event's statistics: dice, results with their odds, pools and rounds."""
    match event:
        case m.EntityCreated(entity, seat=seat):
            return (Owned(entity, seat),)
        case m.TestRolled():
            return _test_counts(event)
        case m.DiceRolled():
            return _plain_counts(event)
        case m.PoolAssembled(entity, _, pool):
            return _pool_change(entity, pool, "assembled", pool)
        case m.DiceGranted(entity, _, granted, grown) if grown is not UNSET:
            return _pool_change(entity, granted, "granted", grown)
        case m.Refilled(entity, _, removed, stat, _, added, pool):
            return *_pool_change(entity, -removed, "failed", pool - added), *_pool_change(
                entity, added, stat, pool
            )
        case m.PoolAdjusted(entity, old, new):
            return _pool_change(entity, new - old, "adjusted", new)
        case m.TestEnded(entity, _, _, _, pool) | m.TestDropped(entity, _, pool):
            return _pool_change(entity, -pool, "put back", 0)
        case m.ConditionSet() | m.ConditionTicked() | m.ConditionEnded():
            return _count_rounds(event)
        case _:
            return ()


def _test_counts(event: m.TestRolled) -> Counts:
    """Return each die, what the roll decides with its odds, and the results.

    The roll decides a basic test. In an extended test, it decides the margin of this roll.
    """
    entity, faces = event.entity, [str(face) for face in event.faces]
    rolls = [Rolled(entity, D12, face, TEST_DIE) for face in faces]
    settled = [Settled(entity, f"{event.test} margin", signed(event.margin))]
    is_basic = event.passed is not UNSET
    if event.passed is not UNSET:
        settled.insert(0, Settled(entity, f"{event.test} test", _verdict(event.passed)))
    chances = _test_chances(len(faces), event.dt, event.twelve_succeeds, is_basic)
    if not chances:
        return *rolls, *settled
    attempted = Attempted(
        entity,
        settled[0].use,
        " + ".join(faces),
        settled[0].outcome,
        chances,
        (PASSED,) if PASSED in chances else (),
        given={"DT": event.dt, "pool": event.pool},
    )
    return *rolls, attempted, *settled


@lru_cache(maxsize=1024)
def _test_chances(
    dice: int, dt: int, twelve_succeeds: bool, is_basic: bool
) -> dict[str, Probability]:
    """Return the probability of each outcome of a roll, from the worst to the best.

    Return {} if there are no dice, or so many that a probability would be too small to store.
    """
    if not 0 < dice <= rules.MAX_POOL:  # only a forged log has more
        return {}
    whole, margins = rules.DIE**dice, rules.margins(dice, dt, twelve_succeeds)
    ways = {signed(margin): number for margin, number in margins.items()}
    if is_basic:
        passed = sum(number for margin, number in margins.items() if rules.is_passed(margin))
        ways = {NOT_PASSED: whole - passed, PASSED: passed}
    chances = {outcome: reduce(number, whole) for outcome, number in ways.items() if number}
    is_storable = all(denominator <= MAX_WAYS for _, denominator in chances.values())
    return chances if is_storable else {}


def _plain_counts(event: m.DiceRolled) -> Counts:
    """Return each die, the total with its odds, and the result.

    The totals are not ranked, because the GR decides what a total does (RULES 2.9).
    """
    entity, faces, total = event.entity, [str(face) for face in event.faces], str(event.sum)
    use = f"{len(faces)}d{event.sides}{_addend(event.added)}"
    rolls = [Rolled(entity, f"d{event.sides}", face, PLAIN_DIE) for face in faces]
    settled = Settled(entity, use, total)
    chances = _total_chances(len(faces), event.sides, event.added or 0)
    if not chances:
        return *rolls, settled
    value = " + ".join(faces)
    return *rolls, Attempted(entity, use, value, total, chances, is_ranked=False), settled


@lru_cache(maxsize=256)
def _total_chances(dice: int, sides: int, added: int) -> dict[str, Probability]:
    chances = sum_chances(dice, sides, high_is_good=True)
    return {str(int(total) + added): chance for total, chance in chances.items()}


def _pool_change(entity: str, by: int, why: str, now: int) -> Counts:
    return (Moved(entity, D12, by, why, now),) if by else ()


def _count_rounds(event: m.ConditionSet | m.ConditionTicked | m.ConditionEnded) -> Counts:
    """Return a count of the rounds left, or () if the condition is not measured in rounds."""
    if event.rounds is UNSET:
        return ()
    if isinstance(event, m.ConditionEnded):
        return (Ticked(event.entity, event.name, 0, is_set=True),)
    is_set = isinstance(event, m.ConditionSet)
    return (Ticked(event.entity, event.name, event.rounds, is_set),)


def _test_name(kind: PoolTestKind) -> str:
    return "an extended test" if kind is PoolTestKind.EXTENDED else "a basic test"


def _join_faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces)) or "no dice"


def _join_sources(sources: Sequence[m.DiceSource]) -> str:
    return ", ".join(f"{source.name} {source.dice}" for source in sources)


def _verdict(passed: bool) -> str:
    return PASSED if passed else NOT_PASSED
