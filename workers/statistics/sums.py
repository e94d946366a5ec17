"""What a session adds to the statistics of many: sums that add up in any order, and read back from JSON as written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

import msgspec

from domain.tally import Graded, Moved, Voided
from projections.figures import Faces, Test
from projections.merged import Merged
from projections.tallies import Evening
from workers.statistics import alike, faces, luck, points, results, usage, verdicts
from workers.statistics.alike import Rows
from workers.statistics.points import Flows
from workers.statistics.results import Came
from workers.statistics.usage import Worn

T = TypeVar("T", Came, Worn)


class Sums(msgspec.Struct, frozen=True):
    """Of one session or of many. `faces` -> drawn or declared -> die or deck; `results` -> use; `at`: ms since 1970."""

    sessions: int = 0
    events: int = 0
    at: int = 0
    faces: dict[str, dict[str, Rows]] = {}
    luck: Rows = ()
    results: dict[str, Came] = {}
    points: Flows = {}
    usage: dict[str, Worn] = {}
    grades: dict[str, int] = {}
    voids: int = 0

    def __add__(self, other: Sums) -> Sums:
        return added((self, other))


def sums_of(evening: Evening) -> Sums:
    """Of a session, without undone branches, as whoever may see this evening sees it."""
    kept = [tally for tally in evening.tallies if not tally.undone]
    every = faces.by_source(kept)
    return Sums(
        1,
        evening.version,
        max(
            (*(turn.at for turn in evening.turns), *(tally.at for tally in evening.tallies)),
            default=0,
        ),
        {
            dice: {of: alike.added(seats.values()) for of, seats in sources.items()}
            for dice, sources in every.items()
        },
        luck.rows_of(draw for draws in luck.by_whom(kept)[luck.SEATS].values() for draw in draws),
        results.by_use(kept),
        points.merged_flows(
            [points.flows(tally.of for tally in kept if isinstance(tally.of, Moved))]
        ),
        usage.by_die(kept),
        results.total(Counter(tally.of.grade for tally in kept if isinstance(tally.of, Graded))),
        sum(isinstance(tally.of, Voided) for tally in evening.tallies),
    )


def added(many: Iterable[Sums]) -> Sums:
    every = tuple(many)
    return Sums(
        sum(each.sessions for each in every),
        sum(each.events for each in every),
        max((each.at for each in every), default=0),
        {dice: _rows(each.faces.get(dice, {}) for each in every) for dice in faces.DICE},
        alike.added(each.luck for each in every),
        _plus((each.results for each in every), Came()),
        points.merged_flows(each.points for each in every),
        _plus((each.usage for each in every), Worn()),
        results.total(*(each.grades for each in every)),
        sum(each.voids for each in every),
    )


def merged(ruleset: str, edition: str, many: Iterable[Sums]) -> Merged:
    """The statistics of sessions of one game and edition."""
    whole = added(many)
    tested = {
        verdicts.Key(verdicts.FACES, dice, source): rows
        for dice, sources in whole.faces.items()
        for source, rows in sources.items()
    } | {LUCK: whole.luck}
    tests, report = verdicts.judged(tested)
    return Merged(
        ruleset,
        edition,
        whole.sessions,
        whole.events,
        whole.at,
        {dice: _faces(dice, sources, tests) for dice, sources in whole.faces.items()},
        luck.of_rows(whole.luck, tests[LUCK]),
        {use: results.use_of(came) for use, came in whole.results.items()},
        whole.points,
        {die: usage.usage_of(worn) for die, worn in whole.usage.items()},
        whole.grades,
        whole.voids,
        report,
    )


LUCK = verdicts.Key(verdicts.LUCK)


def _faces(
    dice: str, sources: Mapping[str, Rows], tests: Mapping[verdicts.Key, Test]
) -> dict[str, Faces]:
    return {
        source: faces.of_rows(rows, tests[verdicts.Key(verdicts.FACES, dice, source)])
        for source, rows in sources.items()
    }


def _rows(many: Iterable[Mapping[str, Rows]]) -> dict[str, Rows]:
    every = tuple(many)
    sources = sorted({source for each in every for source in each})
    return {source: alike.added(each.get(source, ()) for each in every) for source in sources}


def _plus(many: Iterable[Mapping[str, T]], none: T) -> dict[str, T]:
    total: dict[str, T] = {}
    for each in many:
        for name, part in each.items():
            total[name] = total.get(name, none) + part
    return dict(sorted(total.items()))
