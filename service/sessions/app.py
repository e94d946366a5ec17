"""The composition root: builds one App per process from the settings."""

from __future__ import annotations

import msgspec

from domain.decider import Refused
from projections.registry import ReadModels
from service.jobs.queue import Queue
from service.platform.keys import Keys, read_keys
from service.platform.settings import Settings
from service.sessions.house import House
from service.sessions.session_index import SessionIndex
from service.store.event_log import EventLog
from service.store.merkle_cache import SessionTrees
from service.store.recorder import Recorder


class App(msgspec.Struct, frozen=True):
    """The services of one process.

    They are built after the process forks and closed when it ends.
    """

    settings: Settings
    keys: Keys
    log: EventLog
    recorder: Recorder
    house: House
    read_models: ReadModels
    queue: Queue
    trees: SessionTrees
    index: SessionIndex

    def close(self) -> None:
        self.read_models.close()
        self.log.close()


def build(settings: Settings) -> App:
    """Build the services of this process from the settings.

    The database schema and the keys must already exist (see `prepare`). Raises OSError if a key
    cannot be read.
    """
    keys, log = read_keys(settings.keys), EventLog(settings)
    recorder = log.recorder
    assert isinstance(recorder, Recorder)

    def secret_of(session: str, name: str) -> bytes:
        rows = recorder.query(
            "SELECT value FROM secrets WHERE session=? AND name=?", (session, name)
        )
        if not rows:  # an imported session: its house's chain is on another server
            raise Refused("imported")
        return bytes(rows[0][0])

    house = House(keys.house, settings.chain_length, secret_of)
    queue, index = Queue(settings), SessionIndex(recorder, keys, settings.origin)
    return App(
        settings,
        keys,
        log,
        recorder,
        house,
        ReadModels(settings.views_place),
        queue,
        SessionTrees(log.leaf_hashes),
        index,
    )
