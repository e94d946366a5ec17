"""The economy of points: what each pool gained and lost by reason, and what it held."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET

from domain.tally import Moved
from projections.statistics_model import Flow, Pool
from projections.tallies import Tally

NOTHING = Flow(0, 0, 0)
Flows = dict[str, dict[str, Flow]]
"""Pool -> why."""


def flows(moves: Iterable[Moved]) -> Flows:
    found: Flows = {}
    for move in moves:
        whys = found.setdefault(move.pool, {})
        whys[move.why] = plus(
            whys.get(move.why, NOTHING), Flow(max(move.by, 0), max(-move.by, 0), 1)
        )
    return found


def plus(one: Flow, other: Flow) -> Flow:
    return Flow(one.gained + other.gained, one.lost + other.lost, one.times + other.times)


def points(tallies: Iterable[Tally]) -> dict[str, dict[str, Pool]]:
    """Entity -> pool."""
    entities: dict[str, list[Tally]] = {}
    for tally in tallies:
        if isinstance(tally.of, Moved):
            entities.setdefault(tally.of.entity, []).append(tally)
    return {entity: _pools(moves) for entity, moves in entities.items()}


def _pools(tallies: list[Tally]) -> dict[str, Pool]:
    moves = [(tally.version, tally.of) for tally in tallies if isinstance(tally.of, Moved)]
    every = flows(move for _, move in moves)
    return {
        pool: Pool(whys, _level([each for each in moves if each[1].pool == pool]))
        for pool, whys in every.items()
    }


def _level(moves: list[tuple[int, Moved]]) -> tuple[tuple[int, float], ...]:
    """What the pool held before its first change, under the version before that, then after each one."""
    known = [(version, move.by, move.now) for version, move in moves if move.now is not UNSET]
    start = [(version - 1, float(now - by)) for version, by, now in known[:1]]
    return *start, *((version, float(now)) for version, _, now in known)
