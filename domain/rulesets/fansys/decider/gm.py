"""Decider functions for pools, rest, grants and scenes (RULES 7.5, 9.4, 11, 12 and 15)."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from domain.decider import By, Refused
from domain.rulesets.fansys import commands as c, events as e
from domain.rulesets.fansys.decider import conditions, guards
from domain.rulesets.fansys.rules import dice, editions, equipment, grants, sheet
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.vocabulary import (
    BODILY,
    Energy,
    Gauge,
    Length,
    Pools,
    RollPurpose,
    TiedGrant,
    Unit,
)
from domain.rulesets.fansys.state import Entity, State, joins_rest

STAT_ROLLS = (RollPurpose.ABILITY, RollPurpose.SAVE)  # rolls that can be limited to a stat


def spend_dice(state: State, command: c.SpendDice, by: By) -> tuple[e.Event, ...]:
    character = guards.find_own_choice(state, command.entity, by)
    guards.require_able(state, command.entity, character)
    guards.require_no_sprint(state, command.entity)
    guards.require_names(state, ability=command.ability)
    left = character.pools.sp_dice if command.energy is Energy.SP else character.pools.mp_dice
    if command.dice > left:
        raise Refused(
            "over-dice",
            entity=command.entity,
            energy=command.energy.value,
            dice=command.dice,
            left=left,
        )
    after = sheet.spend_dice(character.pools, command.energy, command.dice)
    return (
        e.DiceSpent(
            command.entity, command.energy, command.dice, command.ability, character.pools, after
        ),
    )


def rest(state: State, command: c.Rest, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_entity(state, command.entity)
    guards.require_intact(command.entity, character)
    care = command.care is True
    if care and command.length is Length.REST:
        raise Refused("care-takes-long", entity=command.entity)
    after = sheet.apply_rest(character.pools, character.level, character.stats, state.options)
    if command.length is Length.LONG:
        after = sheet.heal(after, sheet.CARED_REST if care else sheet.LONG_REST)
    rested = e.Rested(
        command.entity, command.length, care, character.pools, after, sheet.status(after)
    )
    seconds = _rest_seconds(state, command)
    if not seconds:
        return (rested,)
    if joins_rest(state, command.entity, command.length, seconds):
        return (replace(rested, seconds=seconds, until=state.clock),)
    timed = replace(rested, seconds=seconds, until=state.clock + seconds)
    return timed, *conditions.advance_clock(state, seconds)


def _rest_seconds(state: State, command: c.Rest) -> int:
    """Return how long the rest takes, in seconds.

    In the first edition, a rest takes no time unless the command sets `hours`.
    """
    if command.hours is not UNSET:
        return command.hours * sheet.SECONDS[Unit.HOUR]
    if state.edition < editions.RESTS_TAKE_TIME_SINCE:
        return 0
    return sheet.REST_SECONDS[command.length]


def grant(state: State, command: c.Grant, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_entity(state, command.entity)
    if guards.refuses_nonsense(state):
        guards.require_intact(command.entity, character)
    _require_one_roll(state, command.entity, character, command)
    tied = state.grants.get(command.entity, ())
    if command.roll is not UNSET:
        return _tie_grant(state, command, command.roll, tied)
    if command.twist is not Twist.PLAIN:
        granted = tuple(each for each in Twist if each in (*character.granted, command.twist))
        return (e.Granted(command.entity, granted, dice.combine(granted), command.reason),)
    guards.require_change(state, command.entity, changes=bool(character.granted or tied))
    cleared = e.Granted(command.entity, (), Twist.PLAIN, command.reason)
    return (replace(cleared, tied=()) if tied else cleared,)


def _require_one_roll(state: State, entity: str, character: Entity, command: c.Grant) -> None:
    """Raise Refused if it is not clear which roll the grant is for (RULES 7.9)."""
    if command.target is not UNSET:
        guards.find_entity(state, command.target)
    if command.target is not UNSET and command.roll is not RollPurpose.ATTACK:
        raise Refused("name-the-roll", entity=entity)
    if command.only is UNSET:
        return
    guards.require_names(state, only=command.only)
    if command.roll is UNSET or (command.roll in STAT_ROLLS and command.only not in sheet.STATS):
        raise Refused("name-the-roll", entity=entity)
    if command.roll is RollPurpose.SKILL:
        skills = (held.name for held in character.skills)
        guards.require_spelling(state, entity, command.only, skills)
    if command.roll is RollPurpose.ATTACK and command.only != equipment.Item.STRIKE:
        guards.find_attack(entity, character, command.only)


def _tie_grant(
    state: State, command: c.Grant, roll: RollPurpose, held: tuple[TiedGrant, ...]
) -> tuple[e.Event, ...]:
    """Return the event for a grant on the next roll of one kind."""
    new = TiedGrant(command.twist, roll, command.only, command.target)
    tied = grants.with_grant(held, new)
    guards.require_change(state, command.entity, changes=tied != held)
    if len(tied) > len(held):
        guards.require_space(command.entity, held)
    twist = dice.combine(each.twist for each in tied if grants.has_same_roll(each, new))
    granted = state.entities[command.entity].granted
    return (
        e.Granted(
            command.entity,
            granted,
            twist,
            command.reason,
            roll,
            command.only,
            command.target,
            tied,
        ),
    )


def adjust_pool(state: State, command: c.AdjustPool, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    old = guards.find_entity(state, command.entity).pools
    after, most = _set_gauge(old, command.gauge, command.now)
    if command.now < 0 and command.gauge is not Gauge.HP:
        raise Refused(
            "below-zero", entity=command.entity, gauge=command.gauge.value, now=command.now
        )
    if command.now > most:
        raise Refused(
            "over-the-most",
            entity=command.entity,
            gauge=command.gauge.value,
            now=command.now,
            most=most,
        )
    guards.require_change(state, command.entity, changes=after != old)
    return (
        e.PoolAdjusted(
            command.entity, command.gauge, command.reason, old, after, sheet.status(after)
        ),
    )


def _set_gauge(old: Pools, gauge: Gauge, now: int) -> tuple[Pools, int]:
    """Return the pools after setting `gauge` to `now`, and the maximum for that gauge."""
    match gauge:
        case Gauge.HP:
            return replace(old, hp=now), old.hp_max
        case Gauge.SP:
            return replace(old, sp=now), old.sp_max
        case Gauge.SP_DICE:
            return replace(old, sp_dice=now), old.sp_owned
        case Gauge.MP:
            return replace(old, mp=now), old.mp_max
        case Gauge.MP_DICE:
            return replace(old, mp_dice=now), old.mp_owned


def adjust_stat(state: State, command: c.AdjustStat, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_entity(state, command.entity)
    if character.bodiless and command.stat in BODILY and command.score:
        raise Refused("no-body-no-stat", entity=command.entity, stats=(command.stat.value,))
    before = guards.score(character, command.stat)
    guards.require_change(state, command.entity, changes=command.score != before)
    stats = sheet.with_score(character.stats, command.stat, command.score)
    after = sheet.refit_pools(character.pools, character.level, stats)
    return (
        e.StatAdjusted(
            command.entity,
            command.stat,
            before,
            command.score,
            command.reason,
            character.pools,
            after,
            sheet.status(after),
        ),
    )


def set_scene(state: State, command: c.SetScene, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    return (e.SceneSet(state.scene, command.scene, command.reason),)
