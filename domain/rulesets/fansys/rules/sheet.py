"""What follows from level and stats: bonuses, limits, save DC; the table of difficulties; zero stats."""

from __future__ import annotations

from collections.abc import Sequence

from domain.rulesets.fansys.rules.words import (
    CHA,
    CON,
    BaseOnSkills,
    Energy,
    Options,
    Rounding,
    Stat,
)

MOST_LEVEL = 100
MOST_SCORE = 60
MOST_DICE = 3 * MOST_LEVEL + MOST_SCORE
MOST_ENTITIES = 100  # no table outgrows a page
MOST_ON_SHEET = 40  # of skills, attacks, proficiencies, modifiers or defences of one character
MOST_SPEED = 9999
SPRINT = 4  # times the speed: the source

LEVELS_A_BASE = 5
AVERAGE = 11  # the stat that gives no bonus
DICE_A_BONUS = 6
DC = 12
ADVISED_SAVES = 2
SKILL_POINTS = 3  # a level, with the INT bonus: the source
CARE = 13  # what "take care" stands for, and an average roll

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


def up(number: int, by: int) -> int:
    """A quotient rounded up, toward the greater number (RULES 2.1)."""
    return -(-number // by)


def down(number: int, by: int) -> int:
    """A quotient of damage, rounded down."""
    return number // by


def base(level: int) -> int:
    return up(level, LEVELS_A_BASE)


def stat_bonus(*scores: int) -> int:
    """Of one score; of several their mean, rounded once at the end (RULES 3.3)."""
    return up(sum(scores) - AVERAGE * len(scores), 2 * len(scores))


def most_points(level: int) -> int:
    """In one skill."""
    return up(level, 2)


def skill_points(level: int, intelligence: int) -> int:
    """In all skills together: the source."""
    return max(0, SKILL_POINTS + stat_bonus(intelligence)) * level


def dice_bonus(owned: int, options: Options) -> int:
    """Nat of the SP dice owned, Sup of the MP dice."""
    return (
        up(owned, DICE_A_BONUS)
        if options.bonus_rounding is Rounding.UP
        else down(owned, DICE_A_BONUS)
    )


def capacity(energy: Energy, level: int, stats: Sequence[int]) -> int:
    """How many dice there can be."""
    return 3 * level + score(stats, CON if energy is Energy.SP else CHA)


def score(stats: Sequence[int], stat: Stat) -> int:
    return stats[STATS.index(stat)]


def with_score(stats: Sequence[int], stat: Stat, new: int) -> tuple[int, ...]:
    return tuple(new if each is stat else old for each, old in zip(STATS, stats, strict=True))


def has_base(background: bool, options: Options) -> bool:
    """Whether a skill roll gets Base."""
    match options.base_on_skills:
        case BaseOnSkills.ALWAYS:
            return True
        case BaseOnSkills.BACKGROUND:
            return background
        case BaseOnSkills.NEVER:
            return False


def difficulty(threshold: int) -> str:
    """The words of the table for it: those of the last row that it reaches."""
    return next(
        (words for least, words in reversed(DIFFICULTIES) if threshold >= least), DIFFICULTIES[0][1]
    )
