"""All figures of a session, from its tallies: pure, and the same however often they are computed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from projections.statistics_model import SessionReport
from projections.tallies import Evening
from workers.statistics import faces, luck
from workers.statistics.boards import boards
from workers.statistics.conditions import conditions
from workers.statistics.draws import Behind, draws_of
from workers.statistics.points import points
from workers.statistics.results import results
from workers.statistics.rewinds import rewinds
from workers.statistics.streaks import streaks
from workers.statistics.tempo import tempo
from workers.statistics.usage import by_die, usage_of
from workers.statistics.verdicts import judged

NO_SHADOWS: Mapping[int, Behind] = MappingProxyType({})


def figures(
    evening: Evening,
    *,
    undone: bool = False,
    first: int = 1,
    last: int | None = None,
    shadows: Mapping[int, Behind] = NO_SHADOWS,
) -> SessionReport:
    """Of the versions `first` to `last`, the head where that is None; `undone`: with what rewinds left behind.

    `shadows`: what stands behind the voids of draws, by k (workers.shadows).
    """
    last = evening.version if last is None else min(last, evening.version)
    part, versions = evening.between(first, last), range(first, last + 1)
    ever = [tally for tally in evening.tallies if undone or not tally.undone]
    kept = [tally for tally in ever if tally.version in versions]
    fallen, worth = faces.by_source(kept), luck.by_whom(kept)
    tests, report = judged(faces.tested(fallen) | luck.tested(worth))
    return SessionReport(
        version=evening.version,
        first=first,
        last=last,
        undone=undone,
        faces=faces.faces(fallen, tests),
        luck=luck.luck(worth, tests),
        streaks=streaks(worth),
        results={
            luck.SEATS: results(kept, lambda tally: tally.seat),
            luck.ENTITIES: results(kept, lambda tally: tally.of.entity),
        },
        points=points(kept),
        conditions=conditions(ever, versions, evening.rewinds if undone else ()),
        boards=boards(kept),
        usage={die: usage_of(worn) for die, worn in by_die(kept).items()},
        rewinds=rewinds(part, evening.rewinds),
        tempo=tempo(part.turns),
        draws=draws_of(kept, part.tallies, shadows),
        tests=report,
    )
