"""The longest runs of draws above and below the middle of chance, and how often chance alone has as long a one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby
from math import exp, log

from projections.statistics_model import Streak
from workers.statistics.luck import ByWhom, Worth
from workers.statistics.mids import mids
from workers.statistics.verdicts import significant

NEVER = -1_000.0
"""In the place of the logarithm of 0: no float is as small as its exponential."""
WAYS = {"lucky": 1, "unlucky": -1}


def streaks(every: ByWhom) -> dict[str, dict[str, dict[str, Streak]]]:
    """Seats or entities -> id -> lucky or unlucky; the first of the longest, and none of no draw."""
    return {
        group: {name: _streaks(draws) for name, draws in ids.items()}
        for group, ids in every.items()
    }


def chance_of_run(length: int, chances: Sequence[float]) -> float:
    """The chance of at least so many in a row, somewhere among draws that each come with their own chance.

    Exact, draw by draw: the first such run ends here where none ended before the draw that it follows, that draw came
    otherwise, and all of the run came. So many chances multiplied are the sum of their logarithms.
    """
    logs = [0.0, *accumulate(log(chance) if chance else NEVER for chance in chances)]
    reached = [0.0] * min(length, len(logs))
    for end in range(length, len(logs)):
        first = end - length
        before = (1 - reached[first - 1]) * (1 - chances[first - 1]) if first else 1.0
        reached.append(reached[-1] + before * exp(logs[end] - logs[first]))
    return reached[-1]


def _streaks(draws: Sequence[Worth]) -> dict[str, Streak]:
    parts = [mids(draw.chances) for draw in draws]
    sides = [_side(mid.luck[draw.value]) for mid, draw in zip(parts, draws, strict=True)]
    found: dict[str, Streak] = {}
    for way, side in WAYS.items():
        first, last = _longest(sides, side)
        if length := last - first:
            chances = [mid.above if side > 0 else mid.below for mid in parts]
            p = significant(chance_of_run(length, chances))
            found[way] = Streak(length, draws[first].version, draws[last - 1].version, p)
    return found


def _side(luck: float) -> int:
    return (luck > 0.5) - (luck < 0.5)


def _longest(sides: Sequence[int], side: int) -> tuple[int, int]:
    """Its first place, and the one behind its last; both alike where there is none."""
    best, place = (0, 0), 0
    for each, run in groupby(sides):
        length = len(list(run))
        if each == side and length > best[1] - best[0]:
            best = place, place + length
        place += length
    return best
