"""The rulebook's terms, the session options and the values stored in events."""

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
BODILY = (STR, DEX, CON)  # saves with these stats add Nat; saves with the other stats add Sup


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
    """A mode of movement."""

    WALK = "walk"
    CLIMB = "climb"
    FLIGHT = "flight"
    SWIM = "swim"
    DIG = "dig"
    COSMIC = "cosmic"
    BLINK = "blink"


class RollPurpose(StrEnum):
    """The purpose of a roll."""

    SKILL = "skill"
    ABILITY = "ability"
    SAVE = "save"
    ATTACK = "attack"


class Applies(StrEnum):
    """What a modifier applies to: one kind of roll, all rolls, the save DC or damage.

    `ALL` does not include the save DC or damage.
    """

    ALL = "all"
    SKILL = "skill"
    ABILITY = "ability"
    SAVE = "save"
    ATTACK = "attack"
    DC = "save DC"
    DAMAGE = "damage"


class Nature(StrEnum):
    NATURAL = "natural"
    SUPERNATURAL = "supernatural"


class Energy(StrEnum):
    """A kind of energy, SP or MP. Each kind has its own dice."""

    SP = "SP"
    MP = "MP"


ENERGY = {Nature.NATURAL: Energy.SP, Nature.SUPERNATURAL: Energy.MP}


class Gauge(StrEnum):
    """A number on a character's sheet that changes during play."""

    HP = "HP"
    SP = "SP"
    SP_DICE = "SP dice"
    MP = "MP"
    MP_DICE = "MP dice"


class Reach(StrEnum):
    MELEE = "melee"
    RANGED = "ranged"


class Scene(StrEnum):
    """The safety level of a scene.

    `QUIET` means relatively safe and free of distractions. `TENSE` means neither safe nor in
    combat.
    """

    SAFE = "safe"
    QUIET = "quiet"
    TENSE = "tense"
    COMBAT = "combat"


class Taking(StrEnum):
    CARE = "13"
    TWENTY = "20"
    BEST = "24"


class ModifierOrigin(StrEnum):
    """The origin of a modifier.

    `ACTIVE` is refused, because active abilities may not give modifiers (RULES 6.6).
    """

    CONDITION = "condition"
    CIRCUMSTANCE = "circumstance"
    EQUIPMENT = "equipment"
    PASSIVE = "passive ability"
    ACTIVE = "active ability"


class ThresholdPart(StrEnum):
    """A part of the hit threshold."""

    DODGE = "dodge"
    DEFLECT = "deflect"
    ARMOUR = "armour"
    HIDE = "hide"
    CIRCUMSTANCE = "circumstance"


class Layer(StrEnum):
    """The kind of bonus that a defence gives to a part of the hit threshold.

    Static bonuses and SP abilities are added together, but an MP ability replaces them.
    """

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
    """Rule variants and the starting clock, chosen when a session is opened."""

    bonus_rounding: Annotated[
        Rounding,
        Meta(description="how Nat and Sup (owned dice divided by 6) are rounded (RULES 3.5)"),
    ] = Rounding.UP
    base_on_skills: Annotated[
        BaseOnSkills, Meta(description="which skill rolls include the Base bonus (RULES 5.2)")
    ] = BaseOnSkills.ALWAYS
    mp_stat: Annotated[
        MpStat,
        Meta(
            description="the stat used for MP absorption and for MP recovery at rest (RULES 11.5)"
        ),
    ] = MpStat.CON
    two_types: Annotated[
        bool, Meta(description="whether all natural modifiers count as one type (RULES 6.5)")
    ] = False
    round_seconds: Annotated[
        int, Meta(ge=5, le=6, description="the number of seconds in a round (RULES 13.1)")
    ] = 6
    source_skills: Annotated[
        bool, Meta(description="whether skill points and untrained rolls are limited (RULES 14.2)")
    ] = False
    source_conditions: Annotated[
        bool, Meta(description="whether conditions also have the effects listed in RULES 14.3")
    ] = False
    clock: Annotated[
        int,
        Meta(
            ge=0,
            le=10**11,
            description="the in-game time that passed in earlier sessions, in seconds (RULES 13.3)",
        ),
    ] = 0
    # Options added later are unset by default, so that the bytes of older logs do not change.
    stat_in_damage: (
        Annotated[
            bool, Meta(description="whether the stat's bonus is added to damage (RULES 10.10)")
        ]
        | UnsetType
    ) = UNSET
    announce_attacks: (
        Annotated[
            bool, Meta(description="whether players' attacks wait for the GM's terms (RULES 10.9)")
        ]
        | UnsetType
    ) = UNSET


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base class for values that are stored in events.

    The fields of these values must stay as stable as the fields of the events themselves.
    """


class Skill(Record, frozen=True):
    name: str
    points: int
    stats: tuple[Stat, ...]
    background: bool


class AttackProfile(Record, frozen=True):
    """An attack listed on a character's sheet.

    Nat or Sup is added to the attack roll if the character has `proficiency`. If `dice` is 0, the
    damage is `bonus`.
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
    """A bonus or penalty to a character's rolls or save DC.

    If `only` is set, the modifier applies only to that skill, attack or stat.
    """

    source: str
    origin: ModifierOrigin
    nature: Nature
    type: str
    applies: Applies
    value: int
    only: str | UnsetType = UNSET


class Defence(Record, frozen=True):
    part: ThresholdPart
    layer: Layer
    source: str
    bonus: int


class Pools(Record, frozen=True):
    """A character's current and maximum HP, SP, MP and energy dice.

    `sp_owned` and `mp_owned` include spent dice.
    """

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
    """A named part of a roll's modifier."""

    name: str
    value: int


class UnsettledCheck(Record, frozen=True):
    """An open check.

    A roll adds the bonus for all `stats`, except that a save uses only one of them. The stat for a
    save is chosen when the save is rolled.

    In an opposed check, the challenger's `against` names the defender of the status quo. The
    challenger cannot roll until the defender's result has set `threshold`.

    `tries` is the number of tries that time and materials allow, and each try takes `seconds`.
    `aim` says what the check is for.
    """

    use: RollPurpose
    name: str
    stats: tuple[Stat, ...]
    routine: bool
    tries: int
    may_yield: bool
    threshold: int | UnsetType = UNSET
    against: str | UnsetType = UNSET
    seconds: int | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class Throw(Record, frozen=True):
    """The dice thrown for a check or an attack, and the resulting total.

    `kept` contains the two dice that count. `sum` is their adjusted sum, which is at most 12 if
    `capped` is True. `modifier` is the sum of all `terms`.
    """

    twist: Twist
    dice: tuple[int, ...]
    kept: tuple[int, ...]
    sum: int
    capped: bool
    terms: tuple[Term, ...]
    modifier: int
    total: int


class UnresolvedHit(Record, frozen=True):
    """An attack that hit its target but whose damage has not been rolled yet.

    `times` is how many times the damage dice will be rolled.
    """

    target: str
    attack: AttackProfile
    times: int


class AnnouncedAttack(Record, frozen=True):
    """An attack that has been announced but not rolled yet.

    `ready` is True if the GM has set the terms of the attack. `bonus` is added to the attack roll,
    and `cover` to the target's hit threshold. `aim` says what the attack is for.
    """

    target: str
    attack: AttackProfile
    ready: bool = False
    twist: Twist | UnsetType = UNSET
    bonus: int | UnsetType = UNSET
    cover: int | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class TiedGrant(Record, frozen=True):
    """Advantage or disadvantage on the next roll of one kind.

    If `only` is set, the grant counts only for that skill, attack or stat. If `target` is set, it
    counts only for an attack on that target.
    """

    twist: Twist
    roll: RollPurpose
    only: str | UnsetType = UNSET
    target: str | UnsetType = UNSET
