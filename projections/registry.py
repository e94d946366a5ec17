"""Every view there is, in one store: opened together, migrated together, rebuilt one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from projections.results import Results
from projections.runner import EventSource, ReadModel, ReadModelStore, migrate, rebuild
from projections.sessions import Sessions
from projections.stores.sqlite import SqliteReadModelStore
from projections.tables import PublicTables
from projections.tallies import Tallies
from projections.timeline import Timeline
from projections.totals import Totals

FOLLOWED: tuple[Callable[[ReadModelStore], ReadModel], ...] = (
    PublicTables,
    Timeline,
    Tallies,
    Sessions,
    Totals,
)
"""The projections that follow the log."""
TABLES: Mapping[str, str] = {
    name: columns
    for kept in (PublicTables, Timeline, Tallies, Sessions, Totals, Results)
    for name, columns in kept.tables.items()
}
"""Every table of the store by name, with its columns."""


StoreAddress = Path | str
"""Where the views are: a SQLite file, or the address of a PostgreSQL database."""


def open_store(place: StoreAddress) -> ReadModelStore:
    if isinstance(place, Path):
        return SqliteReadModelStore(place)
    from projections.stores.postgres import PostgresReadModelStore

    return PostgresReadModelStore(place)


class ReadModels:
    """The views of one place. `create` makes what is missing of it, as `fairlog migrate` does."""

    def __init__(self, place: StoreAddress, *, create: bool = False) -> None:
        self.store = open_store(place)
        self.tables = PublicTables(self.store)
        self.timeline = Timeline(self.store)
        self.tallies = Tallies(self.store)
        self.sessions = Sessions(self.store)
        self.totals = Totals(self.store)
        self.results = Results(self.store)
        self.followed: tuple[ReadModel, ...] = (
            self.tables,
            self.timeline,
            self.tallies,
            self.sessions,
            self.totals,
        )
        if create:
            migrate(self.store, self.followed)
            self.store.create(self.results.tables)

    def rebuild(self, log: EventSource, name: str) -> int:
        """The view of that name from zero; the number of rows applied. Readers see the old one until it is whole."""
        view = next(view for view in self.followed if view.name == name)
        return rebuild(log, self.store, type(view))

    def close(self) -> None:
        self.store.close()
