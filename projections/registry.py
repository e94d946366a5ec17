"""The registry of all read models, which share one store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from projections.campaign_totals import CampaignTotals
from projections.results import Results
from projections.runner import EventSource, ReadModel, ReadModelStore, migrate, rebuild
from projections.sessions import Sessions
from projections.statistics_states import StatisticsStates
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
"""The read models that the follower keeps up to date with the log."""
TABLES: Mapping[str, str] = {
    name: columns
    for model in (
        PublicTables,
        Timeline,
        Tallies,
        Sessions,
        Totals,
        Results,
        StatisticsStates,
        CampaignTotals,
    )
    for name, columns in model.tables.items()
}
"""Maps the name of each table in the store to its column definitions."""


StoreAddress = Path | str
"""The path of a SQLite file, or the URL of a PostgreSQL database."""


def open_store(address: StoreAddress) -> ReadModelStore:
    if isinstance(address, Path):
        return SqliteReadModelStore(address)
    from projections.stores.postgres import PostgresReadModelStore

    return PostgresReadModelStore(address)


class ReadModels:
    """All read models in one store.

    If `create` is True, the constructor creates missing tables, as `fairlog migrate` does.
    """

    def __init__(self, address: StoreAddress, *, create: bool = False) -> None:
        self.store = open_store(address)
        self.tables = PublicTables(self.store)
        self.timeline = Timeline(self.store)
        self.tallies = Tallies(self.store)
        self.sessions = Sessions(self.store)
        self.totals = Totals(self.store)
        self.results = Results(self.store)
        self.statistics_states = StatisticsStates(self.store)
        self.campaign_totals = CampaignTotals(self.store)
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
            self.store.create(self.statistics_states.tables)
            self.store.create(self.campaign_totals.tables)

    def rebuild(self, log: EventSource, name: str) -> int:
        """Rebuild a read model from the whole log and return the number of events applied.

        Until the rebuild is complete, readers see the old rows. Statistics must not continue from
        states that were computed from these.
        """
        model = next(model for model in self.followed if model.name == name)
        applied = rebuild(log, self.store, type(model))
        if model is self.tallies:
            self.statistics_states.drop()
        return applied

    def close(self) -> None:
        self.store.close()
