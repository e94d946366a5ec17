"""The terms of the rulebook, the options of a session, and records of events."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.rulesets.fansys.rules.dice import Twist


class Stat(StrEnum):
    STR = "STR"
    DEX = "DEX"
    CON = "CON"
    INT = "INT"
    WIS = "WIS"
    CHA = "CHA"


STR, DEX, CON, INT, WIS, CHA = Stat
BODILY = (STR, DEX, CON)  # their saves and attacks take Nat, the others Sup


class Being(StrEnum):
    PC = "PC"
    NPC = "NPC"


class Size(StrEnum):
    DIMINUTIVE = "diminutive"
    TINY = "tiny"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"
    HUGE = "huge"
    GARGANTUAN = "gargantuan"
    COLOSSAL = "colossal"


class Mode(StrEnum):
    """A way to move."""

    WALK = "walk"
    CLIMB = "climb"
    FLIGHT = "flight"
    SWIM = "swim"
    DIG = "dig"
    COSMIC = "cosmic"
    BLINK = "blink"


class Use(StrEnum):
    """The purpose of a roll."""

    SKILL = "skill"
    ABILITY = "ability"
    SAVE = "save"
    ATTACK = "attack"


class Applies(StrEnum):
    """The rolls that a modifier applies to. `ALL` means the four kinds of roll."""

    ALL = "all"
    SKILL = "skill"
    ABILITY = "ability"
    SAVE = "save"
    ATTACK = "attack"
    DC = "save DC"


class Nature(StrEnum):
    NATURAL = "natural"
    SUPERNATURAL = "supernatural"


class Energy(StrEnum):
    """SP and SP dice, or MP and MP dice."""

    SP = "SP"
    MP = "MP"


ENERGY = {Nature.NATURAL: Energy.SP, Nature.SUPERNATURAL: Energy.MP}


class Gauge(StrEnum):
    """A number that goes up and down in play."""

    HP = "HP"
    SP = "SP"
    SP_DICE = "SP dice"
    MP = "MP"
    MP_DICE = "MP dice"


class Reach(StrEnum):
    MELEE = "melee"
    RANGED = "ranged"


class Scene(StrEnum):
    """The safety of the place.

    `QUIET` is relatively safe and without distraction, `TENSE` is neither safe nor combat.
    """

    SAFE = "safe"
    QUIET = "quiet"
    TENSE = "tense"
    COMBAT = "combat"


class Taking(StrEnum):
    CARE = "13"
    TWENTY = "20"
    BEST = "24"


class Source(StrEnum):
    """The origin of a modifier. An active ability may give none (RULES 6.6)."""

    CONDITION = "condition"
    CIRCUMSTANCE = "circumstance"
    EQUIPMENT = "equipment"
    PASSIVE = "passive ability"
    ACTIVE = "active ability"


class Part(StrEnum):
    """A part of the hit threshold."""

    DODGE = "dodge"
    DEFLECT = "deflect"
    ARMOUR = "armour"
    HIDE = "hide"
    CIRCUMSTANCE = "circumstance"


class Layer(StrEnum):
    """The thing itself, an SP ability that changes it, an MP ability in its place."""

    STATIC = "static"
    SP = "SP ability"
    MP = "MP ability"


class Length(StrEnum):
    REST = "rest"
    LONG = "long rest"


class Unit(StrEnum):
    ROUND = "round"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"


class Status(StrEnum):
    OK = "ok"
    HURT = "hurt"
    DISABLED = "disabled"
    DESTROYED = "destroyed"


class Why(StrEnum):
    """The reason why a check was settled without a roll."""

    BODILESS = "no physical form"
    MINDLESS = "mindless"
    CONDITION = "its condition"
    NO_STAT = "no such stat"
    CANNOT_ACT = "cannot act"
    SURE = "never in doubt"
    WILLING = "willingly"
    UNOPPOSED = "unopposed"
    RULED = "the GM's ruling"


class Rounding(StrEnum):
    UP = "up"
    DOWN = "down"


class BaseOnSkills(StrEnum):
    ALWAYS = "always"
    BACKGROUND = "background"
    NEVER = "never"


class MpStat(StrEnum):
    CON = "CON"
    CHA = "CHA"


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options at opening: ambiguous rules, optional parts of the source, the clock."""

    bonus_rounding: Annotated[
        Rounding, Meta(description="how dice / 6 is rounded for Nat and Sup (RULES 3.5)")
    ] = Rounding.UP
    base_on_skills: Annotated[
        BaseOnSkills, Meta(description="which skill rolls get Base (RULES 5.2)")
    ] = BaseOnSkills.ALWAYS
    mp_stat: Annotated[
        MpStat, Meta(description="the stat of the MP cap and of the rest's MP (RULES 11.5)")
    ] = MpStat.CON
    two_types: Annotated[
        bool, Meta(description="all natural modifiers are of one type (RULES 6.5)")
    ] = False
    round_seconds: Annotated[
        int, Meta(ge=5, le=6, description="seconds in a round (RULES 13.1)")
    ] = 6
    source_skills: Annotated[
        bool, Meta(description="the source's skill points and untrained dice (RULES 14.2)")
    ] = False
    source_conditions: Annotated[
        bool, Meta(description="what the source's conditions do (RULES 14.3)")
    ] = False
    clock: Annotated[
        int,
        Meta(
            ge=0, le=10**11, description="seconds that have passed in earlier sessions (RULES 13.3)"
        ),
    ] = 0


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value stored inside events. Its fields are as permanent as those of an event."""


class Skill(Record, frozen=True):
    name: str
    points: int
    stats: tuple[Stat, ...]
    background: bool


class Attack(Record, frozen=True):
    """An attack.

    Nat or Sup are added with `proficiency`. With 0 dice only the bonus is damage.
    """

    name: str
    stats: tuple[Stat, ...]
    nature: Nature
    reach: Reach
    dice: int
    sides: int
    bonus: int
    proficiency: str
    spiritual: bool


class Modifier(Record, frozen=True):
    """A modifier. `only` limits it to one skill, attack or stat."""

    source: str
    origin: Source
    nature: Nature
    type: str
    applies: Applies
    value: int
    only: str | UnsetType = UNSET


class Defence(Record, frozen=True):
    part: Part
    layer: Layer
    source: str
    bonus: int


class Pools(Record, frozen=True):
    """Current values and maxima. `owned` counts all dice, spent ones too."""

    hp: int
    hp_max: int
    sp: int
    sp_max: int
    sp_dice: int
    sp_owned: int
    mp: int
    mp_max: int
    mp_dice: int
    mp_owned: int


class Term(Record, frozen=True):
    """One summand of a modifier, by its name."""

    name: str
    value: int


class Check(Record, frozen=True):
    """An open check.

    `stats` make the bonus together; for a save they are the valid ones to choose from. `against`
    keeps the status quo. Until a threshold is set, a challenger waits for the keeper. `tries` is
    how many tries time and material allow, each of `seconds`.
    """

    use: Use
    name: str
    stats: tuple[Stat, ...]
    routine: bool
    tries: int
    may_yield: bool
    threshold: int | UnsetType = UNSET
    against: str | UnsetType = UNSET
    seconds: int | UnsetType = UNSET


class Throw(Record, frozen=True):
    """The dice, the two kept, their sum with +2 and -2, and what is added.

    If `capped`, no sum above 12 counts.
    """

    twist: Twist
    dice: tuple[int, ...]
    kept: tuple[int, ...]
    sum: int
    capped: bool
    terms: tuple[Term, ...]
    modifier: int
    total: int


class Hit(Record, frozen=True):
    """An attack that hit. Its damage dice are rolled `times`."""

    target: str
    attack: Attack
    times: int
