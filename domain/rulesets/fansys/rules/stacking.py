"""How modifiers add up, and the parts of the hit threshold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from domain.rulesets.fansys.rules.records import Defence, Modifier, Term
from domain.rulesets.fansys.rules.words import Applies, Layer, Nature, Options, Part, Use

T = TypeVar("T")

HIT = 10


def applying(
    modifiers: Iterable[Modifier], applies: Applies, names: Sequence[str]
) -> list[Modifier]:
    """Those that count for a roll of that kind with those names: skill or attack, and stats."""
    wide = (applies,) if applies is Applies.DC else (applies, Applies.ALL)
    return [
        each for each in modifiers if each.applies in wide and (not each.only or each.only in names)
    ]


def stacked(modifiers: Iterable[Modifier], options: Options) -> tuple[Term, ...]:
    """One term a type: its largest bonus and its largest penalty. The supernatural are one type more."""
    types: dict[tuple[Nature, str], list[int]] = defaultdict(list)
    for each in modifiers:
        types[each.nature, _type(each, options)].append(each.value)
    sums = ((name, extremes(values)) for (_, name), values in sorted(types.items()))
    return tuple(Term(name, value) for name, value in sums if value)


def _type(modifier: Modifier, options: Options) -> str:
    alone = options.two_types or modifier.nature is Nature.SUPERNATURAL
    return modifier.nature.value if alone else modifier.type


def extremes(values: Iterable[int]) -> int:
    """The largest bonus and the largest penalty together."""
    found = (*values, 0)
    return max(found) + min(found)


def of_use(use: Use) -> Applies:
    return Applies(use.value)


def hit(defences: Sequence[Defence]) -> int:
    """The hit threshold."""
    return HIT + sum(part(defences, each) for each in Part)


def part(defences: Sequence[Defence], which: Part) -> int:
    """What one part comes to: where an MP ability replaces it, that alone."""
    found = [each for each in defences if each.part is which]
    replacing = [each.bonus for each in found if each.layer is Layer.MP]
    if replacing:
        return max(replacing)
    if which is Part.CIRCUMSTANCE:
        return sum(
            extremes(each.bonus for each in found if each.source == source)
            for source in _sources(found)
        )
    return sum(
        extremes(each.bonus for each in found if each.layer is layer)
        for layer in (Layer.STATIC, Layer.SP)
    )


def _sources(defences: Iterable[Defence]) -> set[str]:
    return {each.source for each in defences}


def put(held: tuple[T, ...], new: T, same: Callable[[T], bool]) -> tuple[T, ...]:
    """The new one in the place of the same old one, or at the end."""
    if not any(map(same, held)):
        return (*held, new)
    return tuple(new if same(each) else each for each in held)


def defended(held: tuple[Defence, ...], new: Defence) -> tuple[Defence, ...]:
    """One bonus for each part, layer and source; 0 is none."""
    return tuple(
        each for each in put(held, new, lambda each: same_defence(each, new)) if each.bonus
    )


def same_defence(one: Defence, other: Defence) -> bool:
    return (one.part, one.layer, one.source) == (other.part, other.layer, other.source)


def modified(held: tuple[Modifier, ...], new: Modifier) -> tuple[Modifier, ...]:
    """One value for each source and what it counts for; 0 is none."""
    return tuple(
        each for each in put(held, new, lambda each: same_modifier(each, new)) if each.value
    )


def same_modifier(one: Modifier, other: Modifier) -> bool:
    return (one.source, one.applies, one.only) == (other.source, other.applies, other.only)
