"""What actions came to, by kind of action: settled, and as chance alone gave it, against its chances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import msgspec
from msgspec import UNSET

from domain.tally import Rolled, Settled
from projections.statistics_model import DECLARED, DRAWN, Outcome, Seen, Use
from projections.tallies import Tally
from workers.statistics.alike import Chances, Rows, added, counted
from workers.statistics.intervals import against

NONE = Seen(0, 0.0, 0, 0)


class Came(msgspec.Struct, frozen=True):
    """What one kind of action came to: its draws by their outcomes, how often it was settled so, and what changed."""

    drawn: Rows = ()
    declared: Rows = ()
    ends: dict[str, int] = {}
    changed: dict[str, dict[str, int]] = {}

    def __add__(self, other: Came) -> Came:
        both = dict.fromkeys((*self.changed, *other.changed))
        return Came(
            added((self.drawn, other.drawn)),
            added((self.declared, other.declared)),
            total(self.ends, other.ends),
            {
                rolled: total(self.changed.get(rolled, {}), other.changed.get(rolled, {}))
                for rolled in sorted(both)
            },
        )


def total(*counts: Mapping[str, int]) -> dict[str, int]:
    summed: Counter[str] = Counter()
    for each in counts:
        summed.update(each)
    return dict(sorted(summed.items()))


def by_use(tallies: Iterable[Tally]) -> dict[str, Came]:
    rolled: dict[str, dict[str, list[tuple[Chances, str]]]] = {}
    ends: dict[str, list[Settled]] = {}
    for tally in tallies:
        match tally.of:
            case Rolled(use=use, outcome=outcome, outcomes=outcomes) if (
                outcome is not UNSET and tally.dice
            ):
                draws = rolled.setdefault(use, {DRAWN: [], DECLARED: []})
                draws[tally.dice].append((tuple(outcomes.items()), outcome))
            case Settled(use=use):
                ends.setdefault(use, []).append(tally.of)
    return {use: _came(rolled.get(use, {}), ends.get(use, [])) for use in sorted({*rolled, *ends})}


def results(tallies: Iterable[Tally], whose: Callable[[Tally], str]) -> dict[str, dict[str, Use]]:
    """Id -> use; whoever has none is left out."""
    groups: dict[str, list[Tally]] = {}
    for tally in tallies:
        if isinstance(tally.of, Rolled | Settled):
            groups.setdefault(whose(tally), []).append(tally)
    each = {name: by_use(group) for name, group in sorted(groups.items())}
    return {
        name: {use: use_of(came) for use, came in uses.items()}
        for name, uses in each.items()
        if uses
    }


def use_of(came: Came) -> Use:
    drawn, declared = against(came.drawn), against(came.declared)
    outcomes = dict.fromkeys((*drawn, *declared, *came.ends))
    return Use(
        {
            outcome: Outcome(
                came.ends.get(outcome, 0), drawn.get(outcome, NONE), declared.get(outcome, NONE)
            )
            for outcome in outcomes
        },
        came.changed,
    )


def _came(rolled: Mapping[str, Iterable[tuple[Chances, str]]], ends: Iterable[Settled]) -> Came:
    changed: dict[str, Counter[str]] = {}
    for end in ends:
        if end.rolled is not UNSET:
            changed.setdefault(end.rolled, Counter())[end.outcome] += 1
    return Came(
        counted(rolled.get(DRAWN, ())),
        counted(rolled.get(DECLARED, ())),
        total(Counter(end.outcome for end in ends)),
        {first: total(by) for first, by in sorted(changed.items())},
    )
