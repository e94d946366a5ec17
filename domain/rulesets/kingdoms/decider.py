"""The decider for Kingdoms and Rulers. Its functions follow the order of RULES.md."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from domain.chance import Chance
from domain.decider import By, Refused, Role
from domain.rulesets.kingdoms import messages as m, rules
from domain.rulesets.kingdoms.rules import MAX_POOL, Being, PoolTestKind, Refill
from domain.rulesets.kingdoms.state import Entity, State, Test


def decide(state: State, command: m.Command, by: By, chance: Chance) -> tuple[m.Event, ...]:
    """Return the events that result from the command.

    Raises Refused, before any die is rolled, if the rules do not allow the command.
    """
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("not-playing", role=by.role)
    match command:
        case m.CreatePc():
            return _create_pc(state, command, by)
        case m.CreateNpc():
            return _create_npc(state, command, by)
        case m.NameStat():
            return _name_stat(state, command, by)
        case m.DeclareTest():
            return _declare_test(state, command, by)
        case m.GrantDice():
            return _grant_dice(state, command, by)
        case m.AssemblePool():
            return _assemble_pool(state, command, by)
        case m.SetDt():
            return _set_dt(state, command, by)
        case m.DetermineDt():
            return _determine_dt(state, command, by)
        case m.RollTest():
            return _roll_test(state, command, by, chance)
        case m.Interpret():
            return _interpret(state, command, by)
        case m.EndTest():
            return _end_test(state, command, by)
        case m.RollDice():
            return _roll_dice(state, command, by, chance)
        case m.AdjustStat():
            return _adjust_stat(state, command, by)
        case m.AdjustPool():
            return _adjust_pool(state, command, by)
        case m.DropTest():
            return _drop_test(state, command, by)
        case _:
            raise TypeError(command)


# RULES 2: plain rolls


def _roll_dice(state: State, command: m.RollDice, by: By, chance: Chance) -> tuple[m.Event, ...]:
    _find_own_entity(state, command.entity, by)
    if command.sides not in rules.DICE:
        raise Refused(
            "no-such-die", sides=command.sides, dice=tuple(f"d{sides}" for sides in rules.DICE)
        )
    faces = tuple(chance.draw(command.sides) for _ in range(command.dice))
    return (m.DiceRolled(command.entity, command.sides, faces, sum(faces), command.purpose),)


# RULES 3: entities


def _create_pc(state: State, command: m.CreatePc, by: By) -> tuple[m.Event, ...]:
    return _create(state, command, Being.PC, _player_seat(command, by))


def _create_npc(state: State, command: m.CreateNpc, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    return _create(state, command, Being.NPC, by.seat)


def _create(
    state: State, command: m.CreatePc | m.CreateNpc, being: Being, seat: str
) -> tuple[m.Event, ...]:
    if command.entity in state.entities:
        raise Refused("entity-exists", entity=command.entity)
    if len(state.entities) >= rules.MAX_ENTITIES:
        raise Refused("too-many-entities", most=rules.MAX_ENTITIES)
    return (m.EntityCreated(command.entity, command.name, being, seat, command.con, command.cha),)


def _player_seat(command: m.CreatePc, by: By) -> str:
    if by.is_gm and command.seat is UNSET:
        raise Refused("pc-needs-a-seat", entity=command.entity)
    if command.seat is UNSET:
        return by.seat
    if not by.is_gm and command.seat != by.seat:
        raise Refused("not-yours", entity=command.entity, seat=command.seat)
    return command.seat


# RULES 4: stats


def _name_stat(state: State, command: m.NameStat, by: By) -> tuple[m.Event, ...]:
    entity = _find_own_entity(state, command.entity, by)
    if any(held.name == command.stat for held in entity.stats):
        raise Refused("stat-exists", entity=command.entity, stat=command.stat)
    if len(entity.stats) >= rules.MAX_STATS:
        raise Refused("too-many-stats", entity=command.entity, most=rules.MAX_STATS)
    return (m.StatNamed(command.entity, command.stat, command.value),)


# RULES 5: a test, its stats and pool


def _declare_test(state: State, command: m.DeclareTest, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    entity = _find_entity(state, command.entity)
    if command.entity in state.tests:
        raise Refused("test-open", entity=command.entity, test=state.tests[command.entity].kind)
    _require_stats(command.entity, command.stats)
    _find_stats(command.entity, entity, command.stats)
    _require_refill(command)
    return (m.TestDeclared(command.entity, command.test, command.stats, command.refill),)


def _require_refill(command: m.DeclareTest) -> None:
    """Raise Refused if an extended test has no refill stat or a basic test has one."""
    if command.test is PoolTestKind.EXTENDED and command.refill is UNSET:
        raise Refused("refill-missing", entity=command.entity)
    if command.test is PoolTestKind.BASIC and command.refill is not UNSET:
        raise Refused("refill-only-extended", entity=command.entity, refill=command.refill)


def _grant_dice(state: State, command: m.GrantDice, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    test = _find_open_test(state, command.entity)
    _require_no_pool(command.entity, test)
    if command.source in (*test.stats, *(granted.name for granted in test.granted)):
        raise Refused("source-exists", entity=command.entity, source=command.source)
    if len(test.granted) >= rules.MAX_SOURCES:
        raise Refused("too-many-sources", entity=command.entity, most=rules.MAX_SOURCES)
    return (m.DiceGranted(command.entity, command.source, command.dice),)


def _assemble_pool(state: State, command: m.AssemblePool, by: By) -> tuple[m.Event, ...]:
    entity = _find_own_entity(state, command.entity, by)
    test = _find_open_test(state, command.entity)
    _require_no_pool(command.entity, test)
    held = _available_sources(command.entity, entity, test)
    sources = held if command.dice is UNSET else _take_dice(state, held, command.dice)
    pool = max(0, sum(source.dice for source in sources))
    _require_pool_size(command.entity, pool)
    return (m.PoolAssembled(command.entity, sources, pool),)


def _available_sources(entity: str, of: Entity, test: Test) -> tuple[m.DiceSource, ...]:
    """Return the test's dice sources and how many dice each one currently offers."""
    stats = _find_stats(entity, of, test.stats)
    return (*(m.DiceSource(stat.name, stat.value) for stat in stats), *test.granted)


def _take_dice(
    state: State, held: Sequence[m.DiceSource], dice: Sequence[int]
) -> tuple[m.DiceSource, ...]:
    if len(dice) != len(held):
        raise Refused(
            "dice-per-source", sources=tuple(source.name for source in held), dice=len(dice)
        )
    for source, number in zip(held, dice, strict=True):
        if number > source.dice:
            raise Refused("over-source", source=source.name, dice=number, holds=source.dice)
        least = source.dice if state.options.whole_stats else min(0, source.dice)
        if number < least:
            raise Refused("under-source", source=source.name, dice=number, least=least)
    return tuple(
        m.DiceSource(source.name, number) for source, number in zip(held, dice, strict=True)
    )


# RULES 6: the Difficulty Threshold


def _set_dt(state: State, command: m.SetDt, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    test = _find_test_before_roll(state, command.entity)
    if not rules.MIN_DT <= command.dt <= rules.MAX_DT:
        raise Refused("dt-out-of-range", dt=command.dt, least=rules.MIN_DT, most=rules.MAX_DT)
    return (m.DtSet(command.entity, command.dt, test.dt),)


def _determine_dt(state: State, command: m.DetermineDt, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    test = _find_test_before_roll(state, command.entity)
    if command.opponent == command.entity:
        raise Refused("not-an-opponent", entity=command.entity)
    opponent = _find_entity(state, command.opponent)
    _require_stats(command.opponent, command.stats)
    stats = _find_stats(command.opponent, opponent, command.stats)
    own = () if command.less is UNSET else command.less
    less = _find_stats(command.entity, state.entities[command.entity], own)
    computed = sum(stat.value for stat in stats) - sum(stat.value for stat in less)
    return (
        m.DtDetermined(
            command.entity,
            command.opponent,
            stats,
            less,
            computed,
            rules.clamp_dt(computed),
            test.dt,
        ),
    )


def _find_test_before_roll(state: State, entity: str) -> Test:
    """Return the entity's open test.

    Raises Refused if the pool has not been assembled or the last roll has not been interpreted.
    """
    test = _find_open_test(state, entity)
    _find_pool(entity, test)
    _require_interpreted(entity, test)
    return test


# RULES 7: the roll


def _roll_test(state: State, command: m.RollTest, by: By, chance: Chance) -> tuple[m.Event, ...]:
    _find_own_entity(state, command.entity, by)
    test = _find_open_test(state, command.entity)
    pool = _find_pool(command.entity, test)
    _require_interpreted(command.entity, test)
    dt = _find_dt(command.entity, test)
    if len(test.rolls) >= rules.MAX_ROLLS:
        raise Refused("too-many-rolls", entity=command.entity, most=rules.MAX_ROLLS)
    faces = tuple(chance.draw(rules.DIE) for _ in range(pool))
    return (_test_rolled(state, command.entity, test, dt, faces),)


def _test_rolled(
    state: State, entity: str, test: Test, dt: int, faces: tuple[int, ...]
) -> m.TestRolled:
    twelve_succeeds = state.options.twelve_always_succeeds
    worths = [rules.die_margin(face, dt, twelve_succeeds) for face in faces]
    margin = sum(worths)
    return m.TestRolled(
        entity=entity,
        test=test.kind,
        nth=len(test.rolls) + 1,
        pool=len(faces),
        dt=dt,
        twelve_succeeds=twelve_succeeds,
        faces=faces,
        successes=sum(worth for worth in worths if worth > 0),
        failures=-sum(worth for worth in worths if worth < 0),
        margin=margin,
        failed=sum(worth < 0 for worth in worths),
        total=test.total + margin,
        passed=rules.is_passed(margin) if test.kind is PoolTestKind.BASIC else UNSET,
    )


# RULES 8 and 9: the end of a test, or its next roll


def _interpret(state: State, command: m.Interpret, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    test = _find_open_test(state, command.entity)
    if not test.rolled:
        raise Refused("not-rolled", entity=command.entity)
    interpreted = m.Interpreted(command.entity, len(test.rolls), command.text)
    if test.refill is UNSET:
        return interpreted, _test_ended(command.entity, test)
    return interpreted, _refill(state, command.entity, test, test.refill)


def _refill(state: State, entity: str, test: Test, refill: Refill) -> m.Refilled:
    """Return the event that refills the pool after a roll.

    The failed dice are removed, and then the entity's CON or CHA is added to the number of dice. A
    die that shows 1 counts as two failures, but only one die is removed.
    """
    last = test.rolls[-1]
    kept = last.pool - last.failed
    value = _find_stat(entity, state.entities[entity], refill).value
    pool = rules.refilled_pool(kept, value)
    return m.Refilled(entity, len(test.rolls), last.failed, refill, value, pool - kept, pool)


def _end_test(state: State, command: m.EndTest, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    test = _find_open_test(state, command.entity)
    if test.kind is not PoolTestKind.EXTENDED:
        raise Refused("not-extended", entity=command.entity)
    _require_interpreted(command.entity, test)
    return (_test_ended(command.entity, test),)


def _test_ended(entity: str, test: Test) -> m.TestEnded:
    pool = 0 if test.pool is UNSET else test.pool
    return m.TestEnded(entity, test.kind, len(test.rolls), test.total, pool)


# RULES 10: the GM's adjustments


def _adjust_stat(state: State, command: m.AdjustStat, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    entity = _find_entity(state, command.entity)
    stat = _find_stat(command.entity, entity, command.stat)
    return (
        m.StatAdjusted(command.entity, command.stat, stat.value, command.value, command.reason),
    )


def _adjust_pool(state: State, command: m.AdjustPool, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    test = _find_open_test(state, command.entity)
    pool = _find_pool(command.entity, test)
    # The refill after a roll still has to remove the failed dice from the pool.
    _require_interpreted(command.entity, test)
    _require_pool_size(command.entity, command.dice)
    return (m.PoolAdjusted(command.entity, pool, command.dice, command.reason),)


def _drop_test(state: State, command: m.DropTest, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    test = _find_open_test(state, command.entity)
    pool = 0 if test.pool is UNSET else test.pool
    return (m.TestDropped(command.entity, test.kind, pool, command.reason),)


# Preconditions


def _find_entity(state: State, entity: str) -> Entity:
    if entity not in state.entities:
        raise Refused("no-such-entity", entity=entity)
    return state.entities[entity]


def _find_own_entity(state: State, entity: str, by: By) -> Entity:
    """Return the entity, or raise Refused if the sender may not act for it.

    Players may act only for their own PCs. The GM may act for any entity.
    """
    mine = _find_entity(state, entity)
    if not by.is_gm and (mine.being is not Being.PC or mine.seat != by.seat):
        raise Refused("not-yours", entity=entity, seat=mine.seat)
    return mine


def _find_stat(entity: str, of: Entity, stat: str) -> m.StatValue:
    for held in of.stats:
        if held.name == stat:
            return held
    raise Refused("no-such-stat", entity=entity, stat=stat)


def _find_stats(entity: str, of: Entity, stats: Sequence[str]) -> tuple[m.StatValue, ...]:
    """Return the entity's stats with the given names.

    Raises Refused if the entity lacks one of these stats or if a name is given twice.
    """
    found_stats = tuple(_find_stat(entity, of, stat) for stat in stats)
    for nth, stat in enumerate(stats):
        if stat in stats[:nth]:
            raise Refused("stat-twice", entity=entity, stat=stat)
    return found_stats


def _require_stats(entity: str, stats: Sequence[str]) -> None:
    if not stats:
        raise Refused("no-stats", entity=entity)


def _find_open_test(state: State, entity: str) -> Test:
    _find_entity(state, entity)
    if entity not in state.tests:
        raise Refused("no-test-open", entity=entity)
    return state.tests[entity]


def _require_no_pool(entity: str, test: Test) -> None:
    if test.pool is not UNSET:
        raise Refused("pool-assembled", entity=entity, pool=test.pool)


def _find_pool(entity: str, test: Test) -> int:
    if test.pool is UNSET:
        raise Refused("pool-first", entity=entity)
    return test.pool


def _find_dt(entity: str, test: Test) -> int:
    if test.dt is UNSET:
        raise Refused("dt-first", entity=entity)
    return test.dt


def _require_interpreted(entity: str, test: Test) -> None:
    """Raise Refused if the last roll of the test has not been interpreted yet."""
    if test.rolled:
        raise Refused("interpret-first", entity=entity, roll=len(test.rolls))


def _require_pool_size(entity: str, pool: int) -> None:
    if pool > MAX_POOL:
        raise Refused("too-many-dice", entity=entity, dice=pool, most=MAX_POOL)
