"""The luck of one draw: its mid-probability, exact, and how far chance spreads it."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from msgspec import UNSET

from domain.tally import Rolled
from workers.statistics.alike import Chances

HALF = Fraction(1, 2)


class Mids(NamedTuple):
    """Of draws with the same chances, which stand from the worst value to the best.

    `luck` is P(worse) + P(same)/2 of each value, 0 to 1; `exact` is the same less one half. `variance` and `third` are
    their second and third moments; `above` and `below` the chances of a luck over and under one half.
    """

    luck: dict[str, float]
    exact: dict[str, Fraction]
    variance: float
    third: float
    above: float
    below: float


@lru_cache(maxsize=4096)
def mids(chances: Chances) -> Mids:
    exact: dict[str, Fraction] = {}
    worse = Fraction()
    for value, chance in chances:
        share = Fraction(*chance)
        exact[value] = worse + share / 2 - HALF
        worse += share
    shares = {value: Fraction(*chance) for value, chance in chances}
    return Mids(
        {value: float(mid + HALF) for value, mid in exact.items()},
        exact,
        float(1 - sum(share**3 for share in shares.values())) / 12,
        float(sum(shares[value] * mid**3 for value, mid in exact.items())),
        float(sum(share for value, share in shares.items() if exact[value] > 0)),
        float(sum(share for value, share in shares.items() if exact[value] < 0)),
    )


def worth(roll: Rolled) -> tuple[Chances, str] | None:
    """What came and its chances from the worst to the best; None where nothing is better, or nothing else could come.

    Where the roll has an outcome, that is what came.
    """
    chances, value = (
        (roll.chances, roll.value) if roll.outcome is UNSET else (roll.outcomes, roll.outcome)
    )
    ordered = tuple(
        (each, chances[each]) for each in roll.scale if each in chances and chances[each][0]
    )
    return (ordered, value) if len(ordered) > 1 and value in dict(ordered) else None


def luck(roll: Rolled) -> float | None:
    """The mid-probability of a roll, 0 to 1; None where it has none."""
    found = worth(roll)
    return None if found is None else mids(found[0]).luck[found[1]]
