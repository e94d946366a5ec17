"""The figures of a session as pictures, each with its title, a sentence, and its numbers as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from projections.figures import Figures
from service.plots import of_dice, of_points, of_results, of_time
from service.plots.naming import SLUG, Names
from service.plots.plot import Plot, styles

__all__ = ["SLUG", "Plot", "plots", "styles"]

NOBODY: Mapping[str, str] = MappingProxyType({})
KINDS = (
    of_dice.luck,
    of_dice.faces,
    of_dice.streaks,
    of_results.results,
    of_results.changed,
    of_results.rings,
    of_points.points,
    of_points.pools,
    of_points.conditions,
    of_points.usage,
    of_time.tempo,
    of_time.spotlight,
    of_time.turns,
    of_time.rewinds,
    of_time.grades,
    of_time.voids,
)


def plots(figures: Figures, names: Mapping[str, str] = NOBODY) -> tuple[Plot, ...]:
    """All that have something to show, with names of their own; `names` as domain.session.telling has them."""
    return tuple(_told_apart(_all(figures, Names(names)), _about(figures)))


def _all(figures: Figures, names: Names) -> Iterator[Plot]:
    for kind in KINDS:
        yield from kind(figures, names)


def _told_apart(found: Iterator[Plot], about: str) -> Iterator[Plot]:
    """Where two are called alike, the later one has a number behind its name."""
    seen: Counter[str] = Counter()
    for plot in found:
        seen[plot.name] += 1
        name = plot.name if seen[plot.name] == 1 else f"{plot.name}-{seen[plot.name]}"
        yield replace(plot, name=name, about=about)


def _about(figures: Figures) -> str:
    undone = "with" if figures.undone else "without"
    return f"Versions {figures.first} to {figures.last}, {undone} what rewinds left behind."
