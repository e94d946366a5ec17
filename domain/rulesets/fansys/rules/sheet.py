"""Values derived from a character's level and stats, and units of time.

The derived values include bonuses, limits and pools.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from domain.rulesets.fansys.rules.vocabulary import (
    CHA,
    CON,
    BaseOnSkills,
    Energy,
    Length,
    Options,
    Pools,
    Rounding,
    Stat,
    Status,
    Taking,
    Unit,
)

MAX_LEVEL = 100
MAX_SCORE = 60
MAX_ENTITIES = 100  # limits the size of a page
MAX_ON_SHEET = 40  # for each section: skills, attacks, proficiencies, modifiers, defences
MAX_OWN_CONDITIONS = 20  # for each character
SPRINT = 4  # speed multiplier (RULES 4.6)

LEVELS_PER_BASE = 5
AVERAGE = 11  # the score from which bonuses are calculated
DICE_PER_BONUS = 6
DC = 12
ADVISED_SAVES = 2
SKILL_POINTS = 3  # per level, plus the INT bonus (RULES 14.2)
CARE = 13  # the number for one careful try, which is also the average of 2d12

DIFFICULTIES = (
    (4, "almost impossible to fail"),
    (8, "quite easy"),
    (12, "fairly tough"),
    (16, "quite tough"),
    (24, "very difficult"),
    (30, "hard even for a pro"),
    (36, "hard for a legendary hero"),
    (50, "actually impossible"),
)
STATS = tuple(Stat)


def round_up(number: int, by: int) -> int:
    """Return `number` divided by `by`, rounded up (RULES 2.1)."""
    return -(-number // by)


def round_down(number: int, by: int) -> int:
    """Return `number` divided by `by`, rounded down (RULES 2.2)."""
    return number // by


def base(level: int) -> int:
    return round_up(level, LEVELS_PER_BASE)


def stat_bonus(*scores: int) -> int:
    """Return the bonus for a score, or for the mean of several scores (RULES 3.3)."""
    return round_up(sum(scores) - AVERAGE * len(scores), 2 * len(scores))


def max_skill_points(level: int) -> int:
    return round_up(level, 2)


def skill_points(level: int, intelligence: int) -> int:
    """Return the maximum total number of skill points (RULES 14.2)."""
    return max(0, SKILL_POINTS + stat_bonus(intelligence)) * level


def dice_bonus(owned: int, options: Options) -> int:
    """Return the Nat bonus from `owned` SP dice or the Sup bonus from `owned` MP dice."""
    return (
        round_up(owned, DICE_PER_BONUS)
        if options.bonus_rounding is Rounding.UP
        else round_down(owned, DICE_PER_BONUS)
    )


def capacity(energy: Energy, level: int, stats: Sequence[int]) -> int:
    return 3 * level + score(stats, CON if energy is Energy.SP else CHA)


def score(stats: Sequence[int], stat: Stat) -> int:
    return stats[STATS.index(stat)]


def with_score(stats: Sequence[int], stat: Stat, new: int) -> tuple[int, ...]:
    return tuple(new if each is stat else old for each, old in zip(STATS, stats, strict=True))


def has_base(background: bool, options: Options) -> bool:
    """Return True if a skill roll includes the Base bonus."""
    match options.base_on_skills:
        case BaseOnSkills.ALWAYS:
            return True
        case BaseOnSkills.BACKGROUND:
            return background
        case BaseOnSkills.NEVER:
            return False


def difficulty(threshold: int) -> str:
    """Return the rulebook's description of how difficult the threshold is."""
    return next(
        (words for least, words in reversed(DIFFICULTIES) if threshold >= least), DIFFICULTIES[0][1]
    )


POINTS_PER_DIE = 2  # SP or MP per die owned, spent or restored
LONG_REST, CARED_REST = 1, 2  # HP restored by a long rest, without and with medical care
MIN_HP = -999


def max_hp(level: int, stats: Sequence[int]) -> int:
    return score(stats, CON) + score(stats, CHA) + level


def max_energy(energy: Energy, level: int, stats: Sequence[int], owned: int) -> int:
    return score(stats, CON if energy is Energy.SP else CHA) * level + POINTS_PER_DIE * owned


def full_pools(level: int, stats: Sequence[int], sp_dice: int, mp_dice: int) -> Pools:
    hp = max_hp(level, stats)
    sp = max_energy(Energy.SP, level, stats, sp_dice)
    mp = max_energy(Energy.MP, level, stats, mp_dice)
    return Pools(hp, hp, sp, sp, sp_dice, sp_dice, mp, mp, mp_dice, mp_dice)


def refit_pools(pools: Pools, level: int, stats: Sequence[int]) -> Pools:
    """Return the pools with their maximums recalculated for the given level and stats.

    Current values above a new maximum are reduced to that maximum (RULES 3.11).
    """
    new = full_pools(level, stats, pools.sp_owned, pools.mp_owned)
    return replace(
        new,
        hp=min(pools.hp, new.hp_max),
        sp=min(pools.sp, new.sp_max),
        sp_dice=pools.sp_dice,
        mp=min(pools.mp, new.mp_max),
        mp_dice=pools.mp_dice,
    )


def train_dice(pools: Pools, energy: Energy, owned: int, level: int, stats: Sequence[int]) -> Pools:
    """Return the pools after setting the number of SP or MP dice owned to `owned`.

    New dice can be spent at once, but the current SP and MP do not increase.
    """
    if energy is Energy.SP:
        dice = min(pools.sp_dice + max(0, owned - pools.sp_owned), owned)
        return refit_pools(replace(pools, sp_dice=dice, sp_owned=owned), level, stats)
    dice = min(pools.mp_dice + max(0, owned - pools.mp_owned), owned)
    return refit_pools(replace(pools, mp_dice=dice, mp_owned=owned), level, stats)


def spend_dice(pools: Pools, energy: Energy, dice: int) -> Pools:
    """Return the pools after spending SP or MP dice.

    Each die also costs 2 SP or 2 MP, but neither value falls below 0.
    """
    if energy is Energy.SP:
        return replace(
            pools, sp_dice=pools.sp_dice - dice, sp=max(0, pools.sp - POINTS_PER_DIE * dice)
        )
    return replace(pools, mp_dice=pools.mp_dice - dice, mp=max(0, pools.mp - POINTS_PER_DIE * dice))


def absorption_cap(pools: Pools, energy: Energy, stats: Sequence[int], options: Options) -> int:
    """Return the maximum damage that SP or MP can absorb from one attack (RULES 11.2)."""
    if energy is Energy.SP:
        return score(stats, CON) + POINTS_PER_DIE * pools.sp_owned
    return score(stats, Stat(options.mp_stat.value)) + POINTS_PER_DIE * pools.mp_owned


def apply_damage(pools: Pools, energy: Energy, points: int, absorbing: int) -> Pools:
    """Return the pools after taking damage.

    SP or MP absorbs up to `absorbing` points, and the rest is subtracted from HP.
    """
    if energy is Energy.SP:
        taken = min(points, pools.sp, absorbing)
        pools = replace(pools, sp=pools.sp - taken)
    else:
        taken = min(points, pools.mp, absorbing)
        pools = replace(pools, mp=pools.mp - taken)
    return replace(pools, hp=max(MIN_HP, pools.hp - points + taken))


def apply_rest(pools: Pools, level: int, stats: Sequence[int], options: Options) -> Pools:
    """Return the pools after a rest.

    A rest restores half of the owned dice, plus 2 SP or 2 MP for each restored die. It also
    restores SP equal to half of CON times level, and MP equal to half of `options.mp_stat` times
    level. Halves are rounded up, and no value exceeds its maximum.
    """
    sp_dice = min(pools.sp_dice + round_up(pools.sp_owned, 2), pools.sp_owned)
    mp_dice = min(pools.mp_dice + round_up(pools.mp_owned, 2), pools.mp_owned)
    sp = (
        pools.sp
        + POINTS_PER_DIE * (sp_dice - pools.sp_dice)
        + round_up(score(stats, CON) * level, 2)
    )
    mp = (
        pools.mp
        + POINTS_PER_DIE * (mp_dice - pools.mp_dice)
        + round_up(score(stats, Stat(options.mp_stat.value)) * level, 2)
    )
    return replace(
        pools, sp_dice=sp_dice, mp_dice=mp_dice, sp=min(sp, pools.sp_max), mp=min(mp, pools.mp_max)
    )


def heal(pools: Pools, hp: int) -> Pools:
    return replace(pools, hp=min(pools.hp + hp, pools.hp_max))


def status(pools: Pools) -> Status:
    """Return the status that follows from the current and maximum HP.

    A character is hurt at half of its maximum HP or less, disabled at 0 HP or less, and destroyed
    at minus its maximum HP or less.
    """
    if pools.hp <= -pools.hp_max:
        return Status.DESTROYED
    if pools.hp <= 0:
        return Status.DISABLED
    return Status.HURT if 2 * pools.hp <= pools.hp_max else Status.OK


SECONDS = {Unit.MINUTE: 60, Unit.HOUR: 60 * 60, Unit.DAY: 24 * 60 * 60}
MAX_CLOCK = 10**12
TRIES_TAKEN = {Taking.BEST: 100, Taking.TWENTY: 20, Taking.CARE: 1}
REST_SECONDS = {Length.REST: 60 * 60, Length.LONG: 24 * 60 * 60}  # RULES 12.4


def unit_seconds(unit: Unit, options: Options) -> int:
    return SECONDS.get(unit, options.round_seconds)


def begun_rounds(seconds: int, options: Options) -> int:
    """Return the number of rounds in `seconds`.

    A partial round counts as a full round.
    """
    return round_up(seconds, options.round_seconds)


def minutes_left(until: int, clock: int) -> int:
    """Return the number of minutes from `clock` to `until`, both in seconds.

    A partial minute counts as a full minute.
    """
    return max(0, round_up(until - clock, SECONDS[Unit.MINUTE]))
