"""Maxima, what absorbs damage, what a rest gives back, and how one is with so many HP."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from domain.rulesets.fansys.rules.records import Pools
from domain.rulesets.fansys.rules.sheet import score, up
from domain.rulesets.fansys.rules.words import CHA, CON, Energy, Options, Stat, Status

A_DIE = 2  # points that a die is worth, in maxima, when it is spent and when it comes back
LONG_REST, CARE = 1, 2  # HP
LEAST_HP = -999


def most_hp(level: int, stats: Sequence[int]) -> int:
    return score(stats, CON) + score(stats, CHA) + level


def most_points(energy: Energy, level: int, stats: Sequence[int], owned: int) -> int:
    """Of SP or MP."""
    return score(stats, CON if energy is Energy.SP else CHA) * level + A_DIE * owned


def full(level: int, stats: Sequence[int], sp_dice: int, mp_dice: int) -> Pools:
    hp = most_hp(level, stats)
    sp = most_points(Energy.SP, level, stats, sp_dice)
    mp = most_points(Energy.MP, level, stats, mp_dice)
    return Pools(hp, hp, sp, sp, sp_dice, sp_dice, mp, mp, mp_dice, mp_dice)


def refitted(pools: Pools, level: int, stats: Sequence[int]) -> Pools:
    """The same with the maxima of that level and those stats; what is left stays, as far as it may (RULES 3.11)."""
    new = full(level, stats, pools.sp_owned, pools.mp_owned)
    return replace(
        new,
        hp=min(pools.hp, new.hp_max),
        sp=min(pools.sp, new.sp_max),
        sp_dice=pools.sp_dice,
        mp=min(pools.mp, new.mp_max),
        mp_dice=pools.mp_dice,
    )


def trained(pools: Pools, energy: Energy, owned: int, level: int, stats: Sequence[int]) -> Pools:
    """With so many dice: new ones come unspent, and without the points that they allow."""
    if energy is Energy.SP:
        dice = min(pools.sp_dice + max(0, owned - pools.sp_owned), owned)
        return refitted(replace(pools, sp_dice=dice, sp_owned=owned), level, stats)
    dice = min(pools.mp_dice + max(0, owned - pools.mp_owned), owned)
    return refitted(replace(pools, mp_dice=dice, mp_owned=owned), level, stats)


def spent(pools: Pools, energy: Energy, dice: int) -> Pools:
    """The dice and two points for each, down to none."""
    if energy is Energy.SP:
        return replace(pools, sp_dice=pools.sp_dice - dice, sp=max(0, pools.sp - A_DIE * dice))
    return replace(pools, mp_dice=pools.mp_dice - dice, mp=max(0, pools.mp - A_DIE * dice))


def cap(pools: Pools, energy: Energy, stats: Sequence[int], options: Options) -> int:
    """The most that SP or MP absorb of one attack; of the dice owned (RULES 3.6)."""
    if energy is Energy.SP:
        return score(stats, CON) + A_DIE * pools.sp_owned
    return score(stats, Stat(options.mp_stat.value)) + A_DIE * pools.mp_owned


def harmed(pools: Pools, energy: Energy, points: int, absorbing: int) -> Pools:
    """After damage of which SP or MP take no more than `absorbing`; the rest hits HP."""
    if energy is Energy.SP:
        taken = min(points, pools.sp, absorbing)
        pools = replace(pools, sp=pools.sp - taken)
    else:
        taken = min(points, pools.mp, absorbing)
        pools = replace(pools, mp=pools.mp - taken)
    return replace(pools, hp=max(LEAST_HP, pools.hp - points + taken))


def rested(pools: Pools, level: int, stats: Sequence[int], options: Options) -> Pools:
    """Half of the dice owned with two points each, and half of stat times level in points."""
    sp_dice = min(pools.sp_dice + up(pools.sp_owned, 2), pools.sp_owned)
    mp_dice = min(pools.mp_dice + up(pools.mp_owned, 2), pools.mp_owned)
    sp = pools.sp + A_DIE * (sp_dice - pools.sp_dice) + up(score(stats, CON) * level, 2)
    mp = (
        pools.mp
        + A_DIE * (mp_dice - pools.mp_dice)
        + up(score(stats, Stat(options.mp_stat.value)) * level, 2)
    )
    return replace(
        pools, sp_dice=sp_dice, mp_dice=mp_dice, sp=min(sp, pools.sp_max), mp=min(mp, pools.mp_max)
    )


def healed(pools: Pools, hp: int) -> Pools:
    return replace(pools, hp=min(pools.hp + hp, pools.hp_max))


def status(pools: Pools) -> Status:
    """Hurt at half HP, disabled at none, destroyed at as many below none as there can be above."""
    if pools.hp <= -pools.hp_max:
        return Status.DESTROYED
    if pools.hp <= 0:
        return Status.DISABLED
    return Status.HURT if 2 * pools.hp <= pools.hp_max else Status.OK
