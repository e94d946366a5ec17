"""Pure functions that create charts from a session's statistics.

`people` ranks the seats by their luck. `dice` and `play` create the charts. `svg` and `terminal`
draw them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from projections.statistics_model import SessionReport
from service.charts import dice, play
from service.charts.labels import SLUG, Names
from service.charts.plot import Plot

__all__ = ["SLUG", "Plot", "plots"]

NO_NAMES: Mapping[str, str] = MappingProxyType({})
KINDS = (
    dice.luck,
    dice.results,
    dice.changed,
    dice.faces,
    dice.luck_course,
    play.points,
    play.pools,
    dice.boards,
    dice.streaks,
    play.conditions,
    play.usage,
    play.tempo,
    play.spotlight,
    play.rewinds,
    play.grades,
    play.voids,
)
"""The kinds of charts, in the order of interest."""


def plots(report: SessionReport, names: Mapping[str, str] = NO_NAMES) -> tuple[Plot, ...]:
    """Return all charts that contain data, each with a unique name.

    `names` maps entity ids, and seat ids prefixed with "@", to display names.
    """
    labels, times, found = Names(names), Counter[str](), list[Plot]()
    about = f"Versions {report.first} to {report.last}."
    for plot in (plot for kind in KINDS for plot in kind(report, labels)):
        times[plot.name] += 1
        nth = times[plot.name]
        name = plot.name if nth == 1 else f"{plot.name}-{nth}"
        found.append(replace(plot, name=name, about=about))
    return tuple(found)
