"""Statistics for the results of actions.

They show how actions ended and compare the dice results with chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from msgspec import UNSET

from domain.tally import Rolled, Settled
from projections import statistics_model as m
from projections.tallies import Tally
from workers.statistics import intervals, pooled_draws
from workers.statistics.pooled_draws import Chances

NO_COUNT = m.ObservedCount(0, 0.0, 0, 0)


def results(
    tallies: Iterable[Tally], whose: Callable[[Tally], str]
) -> dict[str, dict[str, m.ActionStatistics]]:
    """Return statistics for actions, keyed by seat or entity, then by kind of action.

    `whose` returns the id of the seat or entity that a tally belongs to.
    """
    groups: dict[str, list[Tally]] = {}
    for tally in tallies:
        if isinstance(tally.of, Rolled | Settled):
            groups.setdefault(whose(tally), []).append(tally)
    each = {name: _by_use(group) for name, group in sorted(groups.items())}
    return {name: uses for name, uses in each.items() if uses}


def sort_counts(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _by_use(tallies: Iterable[Tally]) -> dict[str, m.ActionStatistics]:
    rolled: dict[str, dict[str, list[tuple[Chances, str]]]] = {}
    settled: dict[str, list[Settled]] = {}
    for tally in tallies:
        match tally.of:
            case Rolled(use=use, outcome=outcome, outcomes=outcomes) if (
                outcome is not UNSET and tally.dice
            ):
                draws = rolled.setdefault(use, {m.DRAWN: [], m.DECLARED: []})
                draws[tally.dice].append((tuple(outcomes.items()), outcome))
            case Settled(use=use):
                settled.setdefault(use, []).append(tally.of)
    return {
        use: _use(rolled.get(use, {}), settled.get(use, [])) for use in sorted({*rolled, *settled})
    }


def _use(
    rolled: Mapping[str, Iterable[tuple[Chances, str]]], settled: Iterable[Settled]
) -> m.ActionStatistics:
    changed: dict[str, Counter[str]] = {}
    for each in settled:
        if each.rolled is not UNSET:
            changed.setdefault(each.rolled, Counter())[each.outcome] += 1
    ends = sort_counts(Counter(each.outcome for each in settled))
    drawn, declared = (
        intervals.compare(pooled_draws.pool(rolled.get(dice, ()))) for dice in (m.DRAWN, m.DECLARED)
    )
    return m.ActionStatistics(
        {
            outcome: m.OutcomeCounts(
                ends.get(outcome, 0), drawn.get(outcome, NO_COUNT), declared.get(outcome, NO_COUNT)
            )
            for outcome in dict.fromkeys((*drawn, *declared, *ends))
        },
        {first: sort_counts(by) for first, by in sorted(changed.items())},
    )
