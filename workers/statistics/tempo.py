"""The pace of play: the minutes between turns, whose they were, and whom the table waited for."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from projections.statistics_model import Pace, Tempo
from projections.tallies import PLAYED, Turn

MINUTE = 60_000


def tempo(turns: Sequence[Turn]) -> Tempo:
    """Of the room's turns, the undone ones with them, for they took their time too."""
    played = [turn for turn in turns if turn.kind == PLAYED]
    gaps = [(after, (after.at - before.at) / MINUTE) for before, after in pairwise(played)]
    minutes = [gap for _, gap in gaps]
    waited: dict[str, float] = defaultdict(float)
    for turn, gap in gaps:
        waited[turn.seat] += gap
    seats = {
        seat: Pace(number, round(number / len(played), 4), round(waited[seat], 3))
        for seat, number in Counter(turn.seat for turn in played).items()
    }
    return Tempo(
        len(played),
        round(sum(minutes), 3),
        round(median(minutes), 3) if minutes else 0.0,
        seats,
        tuple((turn.first, round(gap, 3)) for turn, gap in gaps),
        tuple((turn.first, turn.seat) for turn in played),
    )
