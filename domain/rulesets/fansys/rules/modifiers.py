"""Condition effects, modifier stacking and the hit threshold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeVar

from domain.rulesets.fansys.rules import editions, sheet
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
    AttackProfile,
    Defence,
    Energy,
    Layer,
    Modifier,
    ModifierOrigin,
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

    The mappings contain only the attacks and saves that are affected. With `no_acts`, the entity
    cannot act and fails its checks. With `no_actions`, it cannot attack, move, force saves or spend
    dice.
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
    no_actions: bool = False


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
NO_ACTION = Effect(no_actions=True, no_checks=(STR, DEX))
NO_ACTIONS: Mapping[ConditionName, Effect] = {
    C.DYING: NO_ACTION,
    C.HELPLESS: NO_ACTION,
    C.PARALYSED: Effect(no_actions=True, no_saves=(STR, DEX)),
    C.CATATONIC: NO_ACTION,
    C.INCAPACITATED: NO_ACTION,
    C.STUNNED: NO_ACTION,
}


def effects(conditions: Iterable[str], options: Options, edition: int) -> list[Effect]:
    """Return the effects of the conditions.

    The effects in `SOURCE` are included only if the option `source_conditions` is on, and those in
    `NO_ACTIONS` only from the edition `NO_ACTIONS_SINCE` on.
    """
    tables = [BOOK]
    if options.source_conditions:
        tables.append(SOURCE)
    if edition >= editions.NO_ACTIONS_SINCE:
        tables.append(NO_ACTIONS)
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


def condition_label(condition: ConditionName) -> str:
    """Return the name of the condition and its class, as the table shows them."""
    return f"{condition.value} ({condition_class(condition)})"


def fold_name(name: str) -> str:
    """Return the name in lower case, with single spaces only.

    Names with the same result count as the same name.
    """
    return " ".join(name.split()).casefold()


PRESETS: Mapping[str, ConditionName] = {
    fold_name(text): each for each in C for text in (each.value, condition_label(each))
}
"""The game's conditions, by folded name and by the folded label that the table shows."""


def find_preset(name: str) -> ConditionName | None:
    """Return the game's condition with this name or label, or None if there is none."""
    return PRESETS.get(fold_name(name))


def condition_key(entity: str, name: str) -> str:
    """Return the key of an entity's custom condition in the state.

    Keys are ASCII, because a fork records the state as canonical JSON.
    """
    return f"{entity}.{fold_name(name)}".encode("ascii", "backslashreplace").decode()


T = TypeVar("T")

HIT = 10


def applicable(
    modifiers: Iterable[Modifier], applies: Applies, names: Sequence[str]
) -> list[Modifier]:
    wide = (applies,) if applies in (Applies.DC, Applies.DAMAGE) else (applies, Applies.ALL)
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


def damage_terms(
    attack: AttackProfile, scores: Sequence[int], held: Iterable[Modifier], options: Options
) -> tuple[Term, ...]:
    """Return what is added to the attack's damage in addition to its own bonus.

    The bonus of the attack's stats is added only if the option `stat_in_damage` is on.
    """
    own: tuple[Term, ...] = ()
    if options.stat_in_damage is True:
        bonus = sheet.stat_bonus(*(sheet.score(scores, each) for each in attack.stats))
        own = (Term(" and ".join(attack.stats), bonus),)
    names = (attack.name, *(each.value for each in attack.stats))
    others = stack(applicable(held, Applies.DAMAGE, names), options)
    return tuple(term for term in (*own, *others) if term.value)


def of_condition(held: Iterable[Modifier], condition: str) -> list[Modifier]:
    """Return the modifiers that come from the condition and end with it (RULES 14.9)."""
    return [
        each
        for each in held
        if each.origin is ModifierOrigin.CONDITION
        and fold_name(each.source) == fold_name(condition)
    ]


def hit_threshold(defences: Sequence[Defence]) -> int:
    return HIT + sum(part_bonus(defences, part) for part in {each.part for each in defences})


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
