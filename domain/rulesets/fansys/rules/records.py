"""What events and the table hold in common: skills, attacks, modifiers, defences, pools, open checks, throws."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.words import (
    Applies,
    Layer,
    Nature,
    Part,
    Reach,
    Source,
    Stat,
    Use,
)


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Stored inside events: a field is as lasting as an event's."""


class Skill(Record, frozen=True):
    name: str
    points: int
    stats: tuple[Stat, ...]
    background: bool


class Attack(Record, frozen=True):
    """`proficiency` is what one must know to add Nat or Sup; with 0 dice it does the flat bonus alone."""

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
    """`only`: one skill, attack or stat that it counts for."""

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
    """What is left and how much there can be; `owned` counts all dice, spent ones too."""

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
    """A check that waits. `stats` make the bonus together; of a save they are the valid ones, to choose from.

    `against` keeps the status quo; without a threshold the check waits for its roll. `tries`: how many the time and
    material at hand allow, each of `seconds`.
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
    """Dice as they fell, the two kept, their sum with +2 and -2, what is added. `capped`: no sum above 12 counts."""

    twist: Twist
    dice: tuple[int, ...]
    kept: tuple[int, ...]
    sum: int
    capped: bool
    terms: tuple[Term, ...]
    modifier: int
    total: int


class Hit(Record, frozen=True):
    """An attack that hit and waits for its damage; the damage dice are rolled `times`."""

    target: str
    attack: Attack
    times: int
