"""What conditions do: a few lines of the book, and the source's table for groups that want it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from domain.rulesets.fansys.rules.dice import (
    ADVANTAGE,
    DISADVANTAGE,
    EXTREME_ADVANTAGE,
    EXTREME_DISADVANTAGE,
    Twist,
)
from domain.rulesets.fansys.rules.words import (
    CHA,
    CON,
    DEX,
    INT,
    STR,
    WIS,
    Energy,
    Nature,
    Options,
    Reach,
    Stat,
)


class Condition(StrEnum):
    """The source's classes: S is the worst."""

    DYING = "dying"
    HELPLESS = "helpless"
    PARALYSED = "paralysed"
    UNCONSCIOUS = "unconscious"
    CATATONIC = "catatonic"
    CRIPPLED = "crippled"
    IMMOBILISED = "immobilised"
    INCAPACITATED = "incapacitated"
    STUNNED = "stunned"
    BLEEDING = "bleeding"
    BLINDED = "blinded"
    CHARMED = "charmed"
    RESTRAINED = "restrained"
    SURPRISED = "surprised"
    DEAFENED = "deafened"
    FRIGHTENED = "frightened"
    INAUDIBLE = "inaudible"
    INVISIBLE = "invisible"
    PRONE = "prone"
    APHONIA = "aphonia"
    POISONED = "poisoned"
    DISEASED = "diseased"


C = Condition
CLASSES: Mapping[str, tuple[Condition, ...]] = {
    "S": (C.DYING, C.HELPLESS, C.PARALYSED, C.UNCONSCIOUS),
    "A": (C.CATATONIC, C.CRIPPLED, C.IMMOBILISED, C.INCAPACITATED, C.STUNNED),
    "B": (C.BLEEDING, C.BLINDED, C.CHARMED, C.RESTRAINED, C.SURPRISED),
    "C": (C.DEAFENED, C.FRIGHTENED, C.INAUDIBLE, C.INVISIBLE, C.PRONE),
    "B/C": (C.APHONIA,),
    "S-C": (C.POISONED, C.DISEASED),
}


class Effect(NamedTuple):
    """What one condition does. Reaches and saves that are not named are as ever."""

    own: Mapping[Reach, Twist] = {}
    own_natural: Twist = Twist.PLAIN
    against: Mapping[Reach, Twist] = {}
    saves: Mapping[Stat, Twist] = {}
    no_saves: tuple[Stat, ...] = ()
    no_checks: tuple[Stat, ...] = ()
    skips: tuple[Energy, ...] = ()
    no_speed: bool = False
    no_acts: bool = False


MELEE, RANGED = Reach
BOTH = (Energy.SP, Energy.MP)
BOOK: Mapping[Condition, Effect] = {
    C.HELPLESS: Effect(no_saves=(STR,)),
    C.IMMOBILISED: Effect(no_saves=(DEX,), no_speed=True),
    C.PARALYSED: Effect(no_checks=(STR, DEX), no_speed=True),
    C.UNCONSCIOUS: Effect(no_acts=True),
}
SOURCE: Mapping[Condition, Effect] = {
    C.UNCONSCIOUS: Effect(against={MELEE: EXTREME_ADVANTAGE}, skips=BOTH),
    C.HELPLESS: Effect(against={MELEE: EXTREME_ADVANTAGE}, skips=BOTH),
    C.PARALYSED: Effect(no_saves=(STR, DEX), skips=(Energy.SP,)),
    C.IMMOBILISED: Effect(
        no_speed=True, no_saves=(DEX, STR), against={MELEE: ADVANTAGE, RANGED: ADVANTAGE}
    ),
    C.RESTRAINED: Effect(no_speed=True, own_natural=DISADVANTAGE, saves={DEX: DISADVANTAGE}),
    C.PRONE: Effect(
        against={MELEE: ADVANTAGE, RANGED: DISADVANTAGE},
        own={MELEE: DISADVANTAGE},
        saves={STR: DISADVANTAGE, DEX: DISADVANTAGE},
    ),
    C.STUNNED: Effect(no_saves=(STR, DEX, CHA)),
    C.INCAPACITATED: Effect(no_acts=True, against={MELEE: ADVANTAGE, RANGED: ADVANTAGE}),
    C.CATATONIC: Effect(saves=dict.fromkeys((STR, DEX, CON, INT, WIS, CHA), DISADVANTAGE)),
    C.BLINDED: Effect(
        own={MELEE: DISADVANTAGE, RANGED: EXTREME_DISADVANTAGE},
        saves={WIS: DISADVANTAGE, DEX: DISADVANTAGE},
    ),
    C.FRIGHTENED: Effect(own={MELEE: DISADVANTAGE, RANGED: DISADVANTAGE}),
}


def effects(conditions: Iterable[str], options: Options) -> list[Effect]:
    """What the conditions of an entity do: by the book, and by the source where the group plays it."""
    tables = (BOOK, SOURCE) if options.source_conditions else (BOOK,)
    return [table[C(each)] for each in conditions for table in tables if C(each) in table]


def on_attack(
    own: Iterable[Effect], against: Iterable[Effect], reach: Reach, nature: Nature
) -> list[Twist]:
    """What the attacker's effects and the target's do to an attack."""
    mine = [
        twist
        for each in own
        for twist in (each.own.get(reach, Twist.PLAIN), _natural(each, nature))
    ]
    return [*mine, *(each.against.get(reach, Twist.PLAIN) for each in against)]


def _natural(effect: Effect, nature: Nature) -> Twist:
    return effect.own_natural if nature is Nature.NATURAL else Twist.PLAIN


def on_save(own: Iterable[Effect], stat: Stat) -> list[Twist]:
    return [each.saves.get(stat, Twist.PLAIN) for each in own]


def skips(effects: Iterable[Effect], energy: Energy) -> bool:
    """Whether damage goes past SP or MP."""
    return any(energy in each.skips for each in effects)


def class_of(condition: Condition) -> str:
    return next(name for name, members in CLASSES.items() if condition in members)
