"""The decider for Kingdoms and Rulers. Its functions follow the order of RULES.md."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, replace

from domain.chance import Chance
from domain.decider import By, Refused, Role
from domain.rulesets.kingdoms import messages as m, rules
from domain.rulesets.kingdoms.rules import MAX_POOL, Being, PoolTestKind, Refill
from domain.rulesets.kingdoms.state import Entity, State, Test, waiting_stats
from domain.text import is_blank


def decide(state: State, command: m.Command, by: By, chance: Chance) -> tuple[m.Event, ...]:
    """Return the events that result from the command.

    Raises Refused, before any die is rolled, if the rules do not allow the command.
    """
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("not-playing", role=by.role)
    _require_visible_text(state, command)
    match command:
        case m.CreatePc():
            return _create_pc(state, command, by)
        case m.CreateNpc():
            return _create_npc(state, command, by)
        case m.Retire():
            return _retire(state, command, by)
        case m.NameStat():
            return _name_stat(state, command, by)
        case m.RenameStat():
            return _rename_stat(state, command, by)
        case m.RemoveStat():
            return _remove_stat(state, command, by)
        case m.ApproveStats():
            return _approve_stats(state, command, by)
        case m.RejectStats():
            return _reject_stats(state, command, by)
        case m.RollDice():
            return _roll_dice(state, command, by, chance)
        case m.AdjustStat():
            return _adjust_stat(state, command, by)
        case m.ChangeStat():
            return _change_stat(state, command, by)
        case m.SetCondition():
            return _set_condition(state, command, by)
        case m.EndCondition():
            return _end_condition(state, command, by)
        case m.EndRound():
            return _end_round(state, by)
        case m.PassMinutes():
            return _pass_minutes(state, command, by)
        case _:
            return _decide_on_test(state, command, by, chance)


def _decide_on_test(
    state: State, command: m.Command, by: By, chance: Chance
) -> tuple[m.Event, ...]:
    """Return the events that result from a command about a test."""
    match command:
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
        case m.ComputeDt():
            return _compute_dt(state, command, by)
        case m.RollTest():
            return _roll_test(state, command, by, chance)
        case m.RunBasicTest():
            return _run_basic_test(state, command, by, chance)
        case m.Interpret():
            return _interpret(state, command, by)
        case m.EndTest():
            return _end_test(state, command, by)
        case m.AdjustPool():
            return _adjust_pool(state, command, by)
        case m.DropTest():
            return _drop_test(state, command, by)
        case _:
            raise TypeError(command)


# RULES 2: plain rolls


def _roll_dice(state: State, command: m.RollDice, by: By, chance: Chance) -> tuple[m.Event, ...]:
    if command.entity is not UNSET:
        _find_own_entity(state, command.entity, by)
    if command.sides not in rules.DICE:
        raise Refused(
            "no-such-die", sides=command.sides, dice=tuple(f"d{sides}" for sides in rules.DICE)
        )
    margin = _find_margin(state, command.margin_of, by)
    faces = tuple(chance.draw(command.sides) for _ in range(command.dice))
    rolled = m.DiceRolled(
        entity=f"@{by.seat}" if command.entity is UNSET else command.entity,
        sides=command.sides,
        faces=faces,
        sum=sum(faces) + (command.add or 0),
        purpose=command.purpose,
        added=command.add,
        margin_of=command.margin_of,
        margin=margin,
        aim=command.aim,
    )
    return (rolled,)


def _find_margin(state: State, entity: str | UnsetType, by: By) -> int | UnsetType:
    """Return the margin of the last roll in the entity's test, or UNSET if `entity` is unset."""
    if entity is UNSET:
        return UNSET
    _find_own_entity(state, entity, by)
    test = _find_open_test(state, entity)
    if not test.rolls:
        raise Refused("no-margin", entity=entity)
    return test.rolls[-1].margin


# RULES 3: entities


def _create_pc(state: State, command: m.CreatePc, by: By) -> tuple[m.Event, ...]:
    created = _create(state, command, Being.PC, _player_seat(command, by))
    if not _needs_approval(state, by):
        return (created,)
    stats = ((Refill.CON.value, command.con), (Refill.CHA.value, command.cha))
    proposed = (m.StatProposed(command.entity, stat, value) for stat, value in stats if value)
    return replace(created, con=0, cha=0), *proposed


def _create_npc(state: State, command: m.CreateNpc, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    return (_create(state, command, Being.NPC, by.seat),)


def _create(
    state: State, command: m.CreatePc | m.CreateNpc, being: Being, seat: str
) -> m.EntityCreated:
    if command.entity in state.entities:
        raise Refused("entity-exists", entity=command.entity)
    if len(state.entities) >= rules.MAX_ENTITIES:
        raise Refused("too-many-entities", most=rules.MAX_ENTITIES)
    return m.EntityCreated(command.entity, command.name, being, seat, command.con, command.cha)


def _player_seat(command: m.CreatePc, by: By) -> str:
    if by.is_gm and command.seat is UNSET:
        raise Refused("pc-needs-a-seat", entity=command.entity)
    if command.seat is UNSET:
        return by.seat
    if not by.is_gm and command.seat != by.seat:
        raise Refused("not-yours", entity=command.entity, seat=command.seat)
    return command.seat


def _retire(state: State, command: m.Retire, by: By) -> tuple[m.Event, ...]:
    _find_own_entity(state, command.entity, by)
    _require_no_test(state, command.entity)
    return (m.Retired(command.entity, command.reason),)


# RULES 4: stats


def _name_stat(state: State, command: m.NameStat, by: By) -> tuple[m.Event, ...]:
    """Return the event that adds the stat to the sheet, or to the stats that wait for approval.

    Adding a stat that already awaits approval changes its value, but not its spelling.
    """
    entity = _find_own_entity(state, command.entity, by)
    waiting = waiting_stats(state, command.entity)
    held = next((stat for stat in waiting if _is_called(stat, command.stat)), None)
    if held is None:
        _require_new_stat(state, command, (*entity.stats, *waiting))
    name = command.stat if held is None else held.name
    if not _needs_approval(state, by):
        return (m.StatNamed(command.entity, name, command.value),)
    if held is not None:
        _require_change(command.entity, name, held.value, command.value)
    return (m.StatProposed(command.entity, name, command.value),)


def _require_new_stat(state: State, command: m.NameStat, held: Sequence[m.StatValue]) -> None:
    """Raise Refused if one of the entity's stats has this name, or if there are too many."""
    _require_new_name(state, command.entity, command.stat, held)
    if len(held) >= rules.MAX_STATS:
        raise Refused("too-many-stats", entity=command.entity, most=rules.MAX_STATS)


def _require_new_name(state: State, entity: str, name: str, held: Sequence[m.StatValue]) -> None:
    for stat in held:
        if _is_same_name(state, name, stat.name):
            raise Refused("stat-exists", entity=entity, stat=stat.name)


def _rename_stat(state: State, command: m.RenameStat, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    stat = _find_changeable_stat(state, command.entity, command.stat)
    _require_change(command.entity, stat.name, stat.name, command.name)
    stats = (*state.entities[command.entity].stats, *waiting_stats(state, command.entity))
    others = [other for other in stats if other.name != stat.name]
    _require_new_name(state, command.entity, command.name, others)
    return (m.StatRenamed(command.entity, stat.name, command.name, command.reason),)


def _remove_stat(state: State, command: m.RemoveStat, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    stat = _find_changeable_stat(state, command.entity, command.stat)
    return (m.StatRemoved(command.entity, stat.name, stat.value, command.reason),)


def _find_changeable_stat(state: State, entity: str, name: str) -> m.StatValue:
    """Return the stat if it can be renamed or removed. Otherwise, raise Refused.

    CON and CHA must stay on every sheet. No stat can be renamed or removed while the entity has an
    open test, because the test looks up its stats by name.
    """
    _find_entity(state, entity)
    stat = _find_stat(state, entity, name)
    if stat.name in tuple(Refill):
        raise Refused("stat-stays", entity=entity, stat=stat.name)
    _require_no_test(state, entity)
    return stat


def _approve_stats(state: State, command: m.ApproveStats, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    waiting = _find_waiting(state, command.entity, command.stat)
    return tuple(m.StatNamed(command.entity, stat.name, stat.value) for stat in waiting)


def _reject_stats(state: State, command: m.RejectStats, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    waiting = _find_waiting(state, command.entity, command.stat)
    return tuple(
        m.StatRejected(command.entity, stat.name, stat.value, command.reason) for stat in waiting
    )


def _find_waiting(state: State, entity: str, name: str | UnsetType) -> tuple[m.StatValue, ...]:
    """Return the entity's stats that wait for approval, or only the one with the given name."""
    _find_entity(state, entity)
    waiting = waiting_stats(state, entity)
    if name is not UNSET:
        waiting = tuple(stat for stat in waiting if _is_called(stat, name))
    if not waiting:
        raise Refused("nothing-waits", entity=entity)
    return waiting


def _needs_approval(state: State, by: By) -> bool:
    """Return True if stats that the seat adds to a sheet need the GR's approval."""
    return not by.is_gm and state.options.gr_approves_stats is True


def _is_called(stat: m.StatValue, name: str) -> bool:
    """Return True if `name` is the stat's name, ignoring capitalization and spacing."""
    return rules.folded(stat.name) == rules.folded(name)


def _is_same_name(state: State, name: str, held: str) -> bool:
    """Return True if both names mean the same sheet entry. Edition 1 requires an exact match."""
    if state.edition < rules.SIMILAR_NAMES_ARE_SAME_SINCE:
        return name == held
    return rules.folded(name) == rules.folded(held)


# RULES 5: a test, its stats and pool


def _declare_test(state: State, command: m.DeclareTest, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    _find_entity(state, command.entity)
    _require_no_test(state, command.entity)
    _require_stats(command.entity, command.stats)
    stats = find_stats(state, command.entity, command.stats)
    _require_refill(command)
    declared = m.TestDeclared(
        command.entity, command.test, _names(stats), command.refill, command.aim
    )
    return (declared,)


def _names(stats: Sequence[m.StatValue]) -> tuple[str, ...]:
    return tuple(stat.name for stat in stats)


def _require_no_test(state: State, entity: str) -> None:
    if entity in state.tests:
        raise Refused("test-open", entity=entity, test=state.tests[entity].kind)


def _require_refill(command: m.DeclareTest) -> None:
    """Raise Refused if an extended test has no refill stat or a basic test has one."""
    if command.test is PoolTestKind.EXTENDED and command.refill is UNSET:
        raise Refused("refill-missing", entity=command.entity)
    if command.test is PoolTestKind.BASIC and command.refill is not UNSET:
        raise Refused("refill-only-extended", entity=command.entity, refill=command.refill)


def _grant_dice(state: State, command: m.GrantDice, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    test = _find_open_test(state, command.entity)
    if not _takes_dice_between_rolls(state, test):
        _require_no_pool(command.entity, test)
    names = (*test.stats, *(granted.name for granted in test.granted))
    for name in names:
        if _is_same_name(state, command.source, name):
            raise Refused("source-exists", entity=command.entity, source=name)
    if len(test.granted) >= rules.MAX_SOURCES:
        raise Refused("too-many-sources", entity=command.entity, most=rules.MAX_SOURCES)
    if test.pool is UNSET:
        return (m.DiceGranted(command.entity, command.source, command.dice),)
    # Interpreting a roll computes the new pool from that roll, so these dice would be lost.
    _require_interpreted(command.entity, test)
    pool = test.pool + command.dice
    _require_pool_size(command.entity, pool)
    return (m.DiceGranted(command.entity, command.source, command.dice, pool),)


def _takes_dice_between_rolls(state: State, test: Test) -> bool:
    return (
        test.kind is PoolTestKind.EXTENDED
        and state.edition >= rules.DICE_GRANTED_BETWEEN_ROLLS_SINCE
    )


def _assemble_pool(state: State, command: m.AssemblePool, by: By) -> tuple[m.Event, ...]:
    _find_own_entity(state, command.entity, by)
    test = _find_open_test(state, command.entity)
    _require_no_pool(command.entity, test)
    held = _available_sources(state, command.entity, test)
    sources = held if command.dice is UNSET else _take_dice(state, held, command.dice)
    return (_pool_assembled(command.entity, sources),)


def _pool_assembled(entity: str, sources: tuple[m.DiceSource, ...]) -> m.PoolAssembled:
    pool = max(0, sum(source.dice for source in sources))
    _require_pool_size(entity, pool)
    return m.PoolAssembled(entity, sources, pool)


def _available_sources(state: State, entity: str, test: Test) -> tuple[m.DiceSource, ...]:
    """Return the test's dice sources and how many dice each one currently offers."""
    stats = find_stats(state, entity, test.stats)
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
    _require_dt(command.dt)
    return (m.DtSet(command.entity, command.dt, test.dt),)


def _require_dt(dt: int) -> None:
    if not rules.MIN_DT <= dt <= rules.MAX_DT:
        raise Refused("dt-out-of-range", dt=dt, least=rules.MIN_DT, most=rules.MAX_DT)


def _determine_dt(state: State, command: m.DetermineDt, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    test = _find_test_before_roll(state, command.entity)
    _require_opponent(state, command.entity, command.opponent)
    _require_stats(command.opponent, command.stats)
    stats = find_stats(state, command.opponent, command.stats)
    own = () if command.less is UNSET else command.less
    less = find_stats(state, command.entity, own)
    computed = _total(stats) - _total(less)
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


def _compute_dt(state: State, command: m.ComputeDt, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    test = _find_test_before_roll(state, command.entity)
    stats, halved = _find_opponent_stats(state, command)
    own = () if command.less is UNSET else command.less
    less = find_stats(state, command.entity, own)
    _require_stats(command.entity, (*stats, *halved, *less))
    halves = sum(rules.half(stat.value) for stat in halved)
    computed = command.constant + _total(stats) + halves - _total(less)
    set_dt = m.DtComputed(
        entity=command.entity,
        constant=command.constant,
        stats=stats,
        halved=halved,
        less=less,
        computed=computed,
        dt=rules.clamp_dt(computed),
        opponent=command.opponent,
        old=test.dt,
    )
    return (set_dt,)


def _find_opponent_stats(
    state: State, command: m.ComputeDt
) -> tuple[tuple[m.StatValue, ...], tuple[m.StatValue, ...]]:
    """Return the opponent's stats that count in full, and those that count by half."""
    names = () if command.stats is UNSET else command.stats
    halved = () if command.halved is UNSET else command.halved
    if command.opponent is UNSET:
        if names or halved:
            raise Refused("opponent-missing", entity=command.entity)
        return (), ()
    _require_opponent(state, command.entity, command.opponent)
    found = find_stats(state, command.opponent, (*names, *halved))
    return found[: len(names)], found[len(names) :]


def _require_opponent(state: State, entity: str, opponent: str) -> None:
    if opponent == entity:
        raise Refused("not-an-opponent", entity=entity)
    _find_entity(state, opponent)


def _total(stats: Sequence[m.StatValue]) -> int:
    return sum(stat.value for stat in stats)


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
    aim = test.aim if command.aim is UNSET else command.aim
    return (_test_rolled(state, command.entity, replace(test, aim=aim), dt, faces),)


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
        aim=test.aim,
    )


# RULES 8 and 9: a basic test in one step, the end of a test, or its next roll


def _run_basic_test(
    state: State, command: m.RunBasicTest, by: By, chance: Chance
) -> tuple[m.Event, ...]:
    """Return the events of a basic test up to its roll, in the order of its steps."""
    by.require_gm()
    _find_entity(state, command.entity)
    _require_no_test(state, command.entity)
    _require_stats(command.entity, command.stats)
    stats = find_stats(state, command.entity, command.stats)
    test = Test(PoolTestKind.BASIC, _names(stats), aim=command.aim)
    assembled = _pool_assembled(command.entity, _available_sources(state, command.entity, test))
    _require_dt(command.dt)
    faces = tuple(chance.draw(rules.DIE) for _ in range(assembled.pool))
    return (
        m.TestDeclared(command.entity, test.kind, test.stats, aim=test.aim),
        assembled,
        m.DtSet(command.entity, command.dt),
        _test_rolled(state, command.entity, test, command.dt, faces),
    )


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
    value = _find_stat(state, entity, refill).value
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


# RULES 10: the GR's adjustments


def _adjust_stat(state: State, command: m.AdjustStat, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    _find_entity(state, command.entity)
    stat = _find_stat(state, command.entity, command.stat)
    if state.edition >= rules.IDLE_ADJUSTMENTS_REFUSED_SINCE:
        _require_change(command.entity, stat.name, stat.value, command.value)
    return (m.StatAdjusted(command.entity, stat.name, stat.value, command.value, command.reason),)


def _change_stat(state: State, command: m.ChangeStat, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    _find_entity(state, command.entity)
    stat = _find_stat(state, command.entity, command.stat)
    value = stat.value + command.by
    _require_change(command.entity, stat.name, stat.value, value)
    if not rules.MIN_STAT <= value <= rules.MAX_STAT:
        raise Refused(
            "stat-out-of-range",
            entity=command.entity,
            stat=stat.name,
            value=value,
            least=rules.MIN_STAT,
            most=rules.MAX_STAT,
        )
    return (m.StatAdjusted(command.entity, stat.name, stat.value, value, command.reason),)


def _adjust_pool(state: State, command: m.AdjustPool, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    test = _find_open_test(state, command.entity)
    pool = _find_pool(command.entity, test)
    # Interpreting a roll computes the new pool from that roll, so this change would be lost.
    _require_interpreted(command.entity, test)
    _require_pool_size(command.entity, command.dice)
    if state.edition >= rules.IDLE_ADJUSTMENTS_REFUSED_SINCE:
        _require_change(command.entity, "pool", pool, command.dice)
    return (m.PoolAdjusted(command.entity, pool, command.dice, command.reason),)


def _drop_test(state: State, command: m.DropTest, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    test = _find_open_test(state, command.entity)
    pool = 0 if test.pool is UNSET else test.pool
    return (m.TestDropped(command.entity, test.kind, pool, command.reason),)


def _require_change(entity: str, what: str, old: object, new: object) -> None:
    if new == old:
        raise Refused("nothing-changes", entity=entity, what=what)


# RULES 14: conditions


def _set_condition(state: State, command: m.SetCondition, by: By) -> tuple[m.Event, ...]:
    """Return the event that sets or changes the condition.

    If the entity already has the condition, the spelling of its name does not change.
    """
    by.require_gm()
    _find_entity(state, command.entity)
    if command.rounds is not UNSET and command.minutes is not UNSET:
        raise Refused("one-duration", rounds=command.rounds, minutes=command.minutes)
    conditions = state.conditions or {}
    held = conditions.get(rules.condition_key(command.entity, command.name))
    terms = command.rounds, command.minutes, command.note
    if held is not None:
        old = held.rounds, held.minutes, held.note
        _require_change(command.entity, f"condition {held.name}", old, terms)
        return (m.ConditionSet(command.entity, held.name, *terms),)
    if sum(each.entity == command.entity for each in conditions.values()) >= rules.MAX_CONDITIONS:
        raise Refused("too-many-conditions", entity=command.entity, most=rules.MAX_CONDITIONS)
    return (m.ConditionSet(command.entity, command.name, *terms),)


def _end_condition(state: State, command: m.EndCondition, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    _find_entity(state, command.entity)
    held = (state.conditions or {}).get(rules.condition_key(command.entity, command.name))
    if held is None:
        raise Refused("no-such-condition", entity=command.entity, condition=command.name)
    return (m.ConditionEnded(command.entity, held.name, command.reason, held.rounds),)


def _end_round(state: State, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    ticked = tuple(
        m.ConditionTicked(held.entity, held.name, rounds=held.rounds - 1)
        for _, held in sorted((state.conditions or {}).items())
        if held.rounds is not UNSET
    )
    if not ticked:
        raise Refused("nothing-runs", unit="rounds")
    return ticked


def _pass_minutes(state: State, command: m.PassMinutes, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    ticked = tuple(
        m.ConditionTicked(held.entity, held.name, minutes=max(0, held.minutes - command.minutes))
        for _, held in sorted((state.conditions or {}).items())
        if held.minutes is not UNSET
    )
    if not ticked:
        raise Refused("nothing-runs", unit="minutes")
    return ticked


# Preconditions


def _require_visible_text(state: State, command: m.Command) -> None:
    """Raise Refused if a text field of the command is blank.

    Edition 1 checks only the fields that were added together with edition 2.
    """
    for field, value in asdict(command).items():
        if not isinstance(value, str) or not is_blank(value):
            continue
        if state.edition >= rules.BLANK_TEXT_REFUSED_SINCE or _is_new_text(command, field):
            raise Refused("blank-text", field=field)


def _is_new_text(command: m.Command, field: str) -> bool:
    """Return True for the fields added with edition 2: any `aim`, and a condition's `name`."""
    return field == "aim" or (
        field == "name" and isinstance(command, m.SetCondition | m.EndCondition)
    )


def _find_entity(state: State, entity: str) -> Entity:
    if entity not in state.entities:
        raise Refused("no-such-entity", entity=entity)
    if state.entities[entity].retired is True:
        raise Refused("retired", entity=entity)
    return state.entities[entity]


def _find_own_entity(state: State, entity: str, by: By) -> Entity:
    """Return the entity, or raise Refused if the sender may not act for it.

    Players may act only for their own PCs. The GR may act for any entity.
    """
    mine = _find_entity(state, entity)
    if not by.is_gm and (mine.being is not Being.PC or mine.seat != by.seat):
        raise Refused("not-yours", entity=entity, seat=mine.seat)
    return mine


def _find_stat(state: State, entity: str, stat: str) -> m.StatValue:
    for held in state.entities[entity].stats:
        if _is_same_name(state, stat, held.name):
            return held
    raise Refused("no-such-stat", entity=entity, stat=stat)


def find_stats(state: State, entity: str, names: Sequence[str]) -> tuple[m.StatValue, ...]:
    """Return the entity's stats with the given names.

    Raises Refused if the entity lacks one of these stats or if a stat is named twice.
    """
    stats = tuple(_find_stat(state, entity, name) for name in names)
    for nth, stat in enumerate(stats):
        if stat in stats[:nth]:
            raise Refused("stat-twice", entity=entity, stat=stat.name)
    return stats


def _require_stats(entity: str, stats: Sequence[object]) -> None:
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
