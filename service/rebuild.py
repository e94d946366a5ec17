"""The rebuild of views from the log, with a progress bar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.progress import Progress

from domain.fact import Row
from projections.views import Log
from service.bootstrap import App
from service.progress import progress


def rebuild(app: App, names: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Rebuild each view; yield its name and the number of events applied."""
    with progress() as bar:
        for name in names:
            yield name, app.views.rebuild(_WatchedLog(app.log, bar, name), name)


class _WatchedLog:
    """The log, which moves a progress bar as its rows are read."""

    def __init__(self, log: Log, bar: Progress, name: str) -> None:
        self._log, self._bar = log, bar
        self._task = bar.add_task(name, total=log.end())
        self.at, self.end = log.at, log.end

    def rows(self, after: int, limit: int) -> Sequence[Row]:
        self._bar.update(self._task, completed=after)
        return self._log.rows(after, limit)
