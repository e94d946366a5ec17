"""Advantage and disadvantage granted for one kind of roll (RULES 7.9)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET, UnsetType

from domain.rulesets.fansys.rules.dice import PLAIN, Twist
from domain.rulesets.fansys.rules.vocabulary import RollPurpose, TiedGrant


def is_for(grant: TiedGrant, use: RollPurpose, name: str, target: str | UnsetType = UNSET) -> bool:
    """Return True if the grant counts for this roll.

    `name` is the skill, the attack or the stat that is rolled. An ability check with two stats has
    a name such as "STR and DEX", and a grant for either stat counts for it.
    """
    names = name.split(" and ") if use is RollPurpose.ABILITY else [name]
    return (
        grant.roll is use
        and (grant.only is UNSET or grant.only in names)
        and (grant.target is UNSET or grant.target == target)
    )


def twists(
    held: Iterable[TiedGrant], use: RollPurpose, name: str, target: str | UnsetType = UNSET
) -> list[Twist]:
    return [each.twist for each in held if is_for(each, use, name, target)]


def without_used(
    held: Iterable[TiedGrant], use: RollPurpose, name: str, target: str | UnsetType = UNSET
) -> tuple[TiedGrant, ...]:
    """Return the grants that remain after this roll."""
    return tuple(each for each in held if not is_for(each, use, name, target))


def with_grant(held: tuple[TiedGrant, ...], new: TiedGrant) -> tuple[TiedGrant, ...]:
    """Return `held` with `new` added, unless `held` already contains it.

    If the twist of `new` is plain, all grants for the same roll are removed instead.
    """
    if new.twist is PLAIN:
        return tuple(each for each in held if not has_same_roll(each, new))
    return held if new in held else (*held, new)


def has_same_roll(one: TiedGrant, other: TiedGrant) -> bool:
    return (one.roll, one.only, one.target) == (other.roll, other.only, other.target)
