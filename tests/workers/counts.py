"""Statistics of a few counts, each of an event of its own, all of one seat."""

from __future__ import annotations

from typing import Any

from domain.tally import Attempted, Rolled
from projections.statistics_model import SessionReport
from projections.tallies import SessionTallies, Tally
from workers.statistics.report import compute_report

COIN = ("heads", "tails")
HEADS = ("tails", "heads")
"""The sides of a coin from the worst to the best."""


def of(*counts: Any, rewinds: Any = (), **known: Any) -> SessionReport:
    """Return the report of the counts. `known` has options of `tally` and of `compute_report`."""
    options = {name: known.pop(name) for name in list(known) if name in Tally._fields}
    return report(
        *(tally(nth, count, **options) for nth, count in enumerate(counts, 1)),
        rewinds=rewinds,
        **known,
    )


def report(*tallies: Tally, rewinds: Any = (), **known: Any) -> SessionReport:
    version = max((each.version for each in tallies), default=0)
    version = max([version, *(each.version for each in rewinds)])
    return compute_report(SessionTallies(version, tallies, (), tuple(rewinds)), **known)


def tally(version: int, count: Any, **known: Any) -> Tally:
    """Return a tally of p1 in a turn of its own. `known` has what is different."""
    usual = Tally(version, 0, version, 0, "p1", "drawn", False, False, count)
    return usual._replace(**known)


def toss(value: str, scale: tuple[str, ...] = HEADS, **known: Any) -> Attempted:
    """Return the outcome of a toss. Without a scale, no side is better than the other."""
    chances = dict.fromkeys(scale or COIN, (1, 2))
    return Attempted(
        known.pop("entity", "ana"), "toss", value, value, chances, is_ranked=bool(scale), **known
    )


def coin(value: str) -> Rolled:
    """Return the side that a coin showed."""
    return Rolled("ana", "coin", value, "toss", COIN)


def die(face: int, sides: int = 6, **known: Any) -> Rolled:
    """Return the face that a die showed."""
    return Rolled(known.pop("entity", "ana"), f"d{sides}", str(face), "roll", **known)


def check(outcome: str, chance: tuple[int, int], **known: Any) -> Attempted:
    """Return a check that succeeds with this chance. The outcome is "won" or "lost"."""
    above, below = chance
    chances = {"lost": (below - above, below), "won": chance}
    entity, use = known.pop("entity", "ana"), known.pop("use", "check")
    return Attempted(entity, use, known.pop("value", "7"), outcome, chances, ("won",), **known)
