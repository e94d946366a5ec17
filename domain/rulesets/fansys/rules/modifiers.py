"""Condition effects, modifier stacking and the hit threshold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeVar

from domain.rulesets.fansys.rules.dice import (
    ADVANTAGE,
    DISADVANTAGE,
    EXTREME_ADVANTAGE,
    EXTREME_DISADVANTAGE,
    Twist,
)
from domain.rulesets.fansys.rules.vocabulary import (
    CHA,
    CON,
    DEX,
    INT,
    STR,
    WIS,
    Applies,
    Defence,
    Energy,
    Layer,
    Modifier,
    Nature,
    Options,
    Reach,
    RollPurpose,
    Stat,
    Term,
    ThresholdPart,
)


class ConditionName(StrEnum):
    """The game's conditions, grouped by severity class."""

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


C = ConditionName
CLASSES: Mapping[str, tuple[ConditionName, ...]] = {
    "S": (C.DYING, C.HELPLESS, C.PARALYSED, C.UNCONSCIOUS),
    "A": (C.CATATONIC, C.CRIPPLED, C.IMMOBILISED, C.INCAPACITATED, C.STUNNED),
    "B": (C.BLEEDING, C.BLINDED, C.CHARMED, C.RESTRAINED, C.SURPRISED),
    "C": (C.DEAFENED, C.FRIGHTENED, C.INAUDIBLE, C.INVISIBLE, C.PRONE),
    "B/C": (C.APHONIA,),
    "S-C": (C.POISONED, C.DISEASED),
}


class Effect(NamedTuple):
    """The effects of a condition.

    The mappings contain only the attacks and saves that are affected.
    """

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
BOOK: Mapping[ConditionName, Effect] = {
    C.HELPLESS: Effect(no_saves=(STR,)),
    C.IMMOBILISED: Effect(no_saves=(DEX,), no_speed=True),
    C.PARALYSED: Effect(no_checks=(STR, DEX), no_speed=True),
    C.UNCONSCIOUS: Effect(no_acts=True),
}
SOURCE: Mapping[ConditionName, Effect] = {
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
    """Return the effects of the conditions.

    The effects in `SOURCE` are included only if the option `source_conditions` is on.
    """
    tables = (BOOK, SOURCE) if options.source_conditions else (BOOK,)
    return [table[C(each)] for each in conditions for table in tables if C(each) in table]


def attack_twists(
    own: Iterable[Effect], against: Iterable[Effect], reach: Reach, nature: Nature
) -> list[Twist]:
    mine = [
        twist
        for each in own
        for twist in (each.own.get(reach, Twist.PLAIN), _natural(each, nature))
    ]
    return [*mine, *(each.against.get(reach, Twist.PLAIN) for each in against)]


def _natural(effect: Effect, nature: Nature) -> Twist:
    return effect.own_natural if nature is Nature.NATURAL else Twist.PLAIN


def save_twists(own: Iterable[Effect], stat: Stat) -> list[Twist]:
    return [each.saves.get(stat, Twist.PLAIN) for each in own]


def skips_energy(effects: Iterable[Effect], energy: Energy) -> bool:
    """Return True if an effect lets damage bypass `energy` (SP or MP)."""
    return any(energy in each.skips for each in effects)


def condition_class(condition: ConditionName) -> str:
    return next(name for name, members in CLASSES.items() if condition in members)


T = TypeVar("T")

HIT = 10


def applicable(
    modifiers: Iterable[Modifier], applies: Applies, names: Sequence[str]
) -> list[Modifier]:
    wide = (applies,) if applies is Applies.DC else (applies, Applies.ALL)
    return [
        each for each in modifiers if each.applies in wide and (not each.only or each.only in names)
    ]


def stack(modifiers: Iterable[Modifier], options: Options) -> tuple[Term, ...]:
    """Return one term for each type of modifier.

    The value of a term is the largest bonus plus the largest penalty of its type. All supernatural
    modifiers count as one type, and so do all natural modifiers if the option `two_types` is on.
    Terms with a value of 0 are omitted.
    """
    types: dict[tuple[Nature, str], list[int]] = defaultdict(list)
    for each in modifiers:
        types[each.nature, _type(each, options)].append(each.value)
    sums = ((name, sum_extremes(values)) for (_, name), values in sorted(types.items()))
    return tuple(Term(name, value) for name, value in sums if value)


def _type(modifier: Modifier, options: Options) -> str:
    alone = options.two_types or modifier.nature is Nature.SUPERNATURAL
    return modifier.nature.value if alone else modifier.type


def sum_extremes(values: Iterable[int]) -> int:
    found = (*values, 0)
    return max(found) + min(found)


def applies_to(use: RollPurpose) -> Applies:
    return Applies(use.value)


def hit_threshold(defences: Sequence[Defence]) -> int:
    return HIT + sum(part_bonus(defences, each) for each in ThresholdPart)


def part_bonus(defences: Sequence[Defence], which: ThresholdPart) -> int:
    """Return the bonus to one part of the hit threshold.

    An MP ability replaces all other bonuses to that part.
    """
    found = [each for each in defences if each.part is which]
    replacing = [each.bonus for each in found if each.layer is Layer.MP]
    if replacing:
        return max(replacing)
    if which is ThresholdPart.CIRCUMSTANCE:
        return sum(
            sum_extremes(each.bonus for each in found if each.source == source)
            for source in _sources(found)
        )
    return sum(
        sum_extremes(each.bonus for each in found if each.layer is layer)
        for layer in (Layer.STATIC, Layer.SP)
    )


def _sources(defences: Iterable[Defence]) -> set[str]:
    return {each.source for each in defences}


def replace_or_append(held: tuple[T, ...], new: T, same: Callable[[T], bool]) -> tuple[T, ...]:
    """Return `held` with each value that matches `same` replaced by `new`.

    If no value matches, append `new`.
    """
    if not any(map(same, held)):
        return (*held, new)
    return tuple(new if same(each) else each for each in held)


def with_defence(held: tuple[Defence, ...], new: Defence) -> tuple[Defence, ...]:
    """Return `held` with `new` added.

    `new` replaces any defence with the same part, layer and source. If its bonus is 0, that defence
    is removed instead.
    """
    return tuple(
        each
        for each in replace_or_append(held, new, lambda each: same_defence(each, new))
        if each.bonus
    )


def same_defence(one: Defence, other: Defence) -> bool:
    return (one.part, one.layer, one.source) == (other.part, other.layer, other.source)


def with_modifier(held: tuple[Modifier, ...], new: Modifier) -> tuple[Modifier, ...]:
    """Return `held` with `new` added.

    `new` replaces any modifier with the same `source`, `applies` and `only`. If its value is 0,
    that modifier is removed instead.
    """
    return tuple(
        each
        for each in replace_or_append(held, new, lambda each: same_modifier(each, new))
        if each.value
    )


def same_modifier(one: Modifier, other: Modifier) -> bool:
    return (one.source, one.applies, one.only) == (other.source, other.applies, other.only)
