"""What a terminal shows of an evening's statistics: the verdict in words first, then luck, faces and the economy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table as Grid

from projections.figures import Figures
from service.charts import chance, play, table
from service.charts.drawing import Names

WIDE = 128  # columns from which two columns of charts stand side by side
MOST_FACES = 3  # dice and decks that are drawn as bars
NOBODY: Mapping[str, str] = {}


class Charts:
    """Renders in any width: one column, or two of about the same length."""

    def __init__(self, figures: Figures, names: Mapping[str, str] = NOBODY) -> None:
        self._figures, self._known, self._names = figures, names, Names(names)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from chance.verdict(self._figures, self._names)
        yield ""
        yield from chance.luck(self._figures, self._names)
        sections = list(self._sections())
        if options.max_width < WIDE:
            yield from sections
        else:
            yield _side_by_side(console, options, sections)

    def _sections(self) -> Iterator[RenderableType]:
        figures, names = self._figures, self._names
        yield from chance.faces(figures, MOST_FACES)
        yield from play.results(figures)
        yield from play.points(figures, names)
        yield from play.boards(figures)
        yield from play.usage(figures)
        yield from play.conditions(figures, names)
        yield from table.draws(figures, self._known)
        yield from table.tempo(figures, names)
        yield from table.streaks(figures, names)
        yield from table.rewinds(figures, names)


class InShort:
    """The verdict, luck, the most drawn die and the points, for a page that shows other things too."""

    def __init__(self, figures: Figures, names: Mapping[str, str] = NOBODY) -> None:
        self._figures, self._names = figures, Names(names)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from chance.verdict(self._figures, self._names)
        yield ""
        left = [*chance.luck(self._figures, self._names), *play.points(self._figures, self._names)]
        right = [*list(chance.faces(self._figures, 1))[:1], *play.results(self._figures)]
        if options.max_width < WIDE:
            yield from (*left, *right)
        else:
            yield _columns(left, right)


def charts(figures: Figures, names: Mapping[str, str] = NOBODY) -> RenderableType:
    """All of a session's statistics; `names` as `domain.session.telling.names` gives them."""
    return Charts(figures, names)


def in_short(figures: Figures, names: Mapping[str, str] = NOBODY) -> RenderableType:
    """The same in a few lines."""
    return InShort(figures, names)


def _side_by_side(
    console: Console, options: ConsoleOptions, sections: Iterable[RenderableType]
) -> RenderableType:
    """In order; the left column is full when it has half of the lines."""
    listed = list(sections)
    half = options.update_width(options.max_width // 2)
    heights = [len(console.render_lines(each, half)) for each in listed]
    cut = next(
        (nth for nth in range(len(listed)) if sum(heights[:nth]) >= sum(heights) / 2), len(listed)
    )
    return _columns(listed[:cut], listed[cut:])


def _columns(left: Iterable[RenderableType], right: Iterable[RenderableType]) -> RenderableType:
    both = Grid.grid(padding=(0, 3), expand=True)
    for _ in range(2):
        both.add_column(ratio=1)
    both.add_row(Group(*left), Group(*right))
    return both
