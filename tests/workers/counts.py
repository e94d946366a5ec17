"""The figures of a few counts, each of an event of its own, all of one seat."""

from __future__ import annotations

from typing import Any

from domain.tally import Rolled
from projections.statistics_model import SessionReport
from projections.tallies import SessionTallies, Tally
from workers.statistics.report import compute_report

COIN = {"heads": (1, 2), "tails": (1, 2)}
HEADS = ("tails", "heads")


def of(*counts: Any, dice: Any = "drawn", undone: bool = False, **known: Any) -> SessionReport:
    tallies = [
        Tally(nth, 0, nth, 0, "p1", dice, False, undone, count)
        for nth, count in enumerate(counts, 1)
    ]
    return compute_report(
        SessionTallies(len(tallies), tuple(tallies), (), known.pop("rewinds", ())), **known
    )


def toss(value: str, scale: tuple[str, ...] = HEADS) -> Rolled:
    return Rolled("ana", "coin", value, "toss", COIN, scale=scale)
