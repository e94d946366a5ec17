"""Pure functions that create charts from a session's statistics.

`dice` and `play` create the charts. `svg` and `terminal` draw them.
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
    dice.faces,
    dice.streaks,
    dice.results,
    dice.changed,
    dice.boards,
    play.points,
    play.pools,
    play.conditions,
    play.usage,
    play.tempo,
    play.spotlight,
    play.turns,
    play.rewinds,
    play.grades,
    play.voids,
)


def plots(report: SessionReport, names: Mapping[str, str] = NO_NAMES) -> tuple[Plot, ...]:
    """Return all charts that contain data, each with a unique name.

    `names` maps entity ids, and seat ids prefixed with "@", to display names.
    """
    labels, times, found = Names(names), Counter[str](), list[Plot]()
    undone = "with" if report.undone else "without"
    about = f"Versions {report.first} to {report.last}, {undone} undone branches."
    for plot in (plot for kind in KINDS for plot in kind(report, labels)):
        times[plot.name] += 1
        nth = times[plot.name]
        name = plot.name if nth == 1 else f"{plot.name}-{nth}"
        found.append(replace(plot, name=name, about=about))
    return tuple(found)
