"""The report with all statistics for a session.

The same tallies always give the same report.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from projections.statistics_model import SessionReport
from projections.tallies import SessionTallies
from workers.statistics import dice, play, rewinds, significance
from workers.statistics.results import results
from workers.statistics.rewinds import VoidedResult

NO_VOIDED: Mapping[int, VoidedResult] = MappingProxyType({})


def compute_report(
    session: SessionTallies,
    *,
    undone: bool = False,
    first: int = 1,
    last: int | None = None,
    voided: Mapping[int, VoidedResult] = NO_VOIDED,
) -> SessionReport:
    """Return the report for the versions from `first` to `last`.

    If `last` is None, the range ends at the newest version. If `undone` is True, undone branches
    are counted too. `voided` maps the number of each voided draw to the result that it would have
    given.
    """
    last = session.version if last is None else min(last, session.version)
    part, versions = session.between(first, last), range(first, last + 1)
    ever = [tally for tally in session.tallies if undone or not tally.undone]
    counted = [tally for tally in ever if tally.version in versions]
    fallen, ranked = dice.draws_by_source(counted), dice.ranked_draws(counted)
    tests, verdict = significance.judge(dice.faces_to_test(fallen) | dice.luck_to_test(ranked))
    return SessionReport(
        version=session.version,
        first=first,
        last=last,
        undone=undone,
        faces=dice.faces(fallen, tests),
        luck=dice.luck(ranked, tests),
        streaks=dice.streaks(ranked),
        results={
            dice.SEATS: results(counted, lambda tally: tally.seat),
            dice.ENTITIES: results(counted, lambda tally: tally.of.entity),
        },
        points=play.points(counted),
        conditions=play.conditions(ever, versions, session.rewinds if undone else ()),
        boards=play.boards(counted),
        usage=play.usage(counted),
        rewinds=rewinds.rewinds(part, session.rewinds),
        tempo=play.tempo(part.turns),
        draws=rewinds.draws(counted, part.tallies, voided),
        tests=verdict,
    )
