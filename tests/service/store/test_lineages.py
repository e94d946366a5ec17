"""The log on disk, read back as another process reads it: every version as it was played, secrets and all."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path

import pytest
from msgspec import UNSET

from domain.proof import merkle_tree
from domain.recorded_event import leaf_of
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.turns import Head
from domain.visibility import Viewer, visible_session
from service.platform.settings import Settings
from service.store.event_log import EventLog
from tests.domain.replay import Replay
from tests.domain.secret_sessions import Intrigue, intrigue
from tests.support.scale import SCALED_RULESETS, scale

every_ruleset = pytest.mark.parametrize(
    "ruleset", SCALED_RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)


@contextmanager
def opened(folder: Path, every: int, *, create: bool = False) -> Iterator[EventLog]:
    """The log as a process has it that has read nothing yet."""
    settings = Settings.read(
        {
            "FAIRLOG_DATA": str(folder),
            "FAIRLOG_SYNCHRONOUS": "NORMAL",
            "FAIRLOG_SNAPSHOT_EVERY": str(every),
        }
    )
    log = EventLog(settings, create=create)
    yield log
    log.close()


def heads(evening: Intrigue) -> Iterator[Head]:
    """The head after every turn."""
    frontier: merkle_tree.Frontier = ()
    for _, facts in groupby(evening.facts, key=lambda fact: fact.turn):
        for fact in facts:
            frontier = merkle_tree.push(
                frontier, fact.version - 1, merkle_tree.leaf_hash(leaf_of(fact))
            )
        yield Head(evening.past.state(fact.version), frontier)


def store(log: EventLog, evening: Intrigue) -> None:
    """Turn by turn, as it was played."""
    after = 0
    for head in heads(evening):
        log.append(head, evening.facts[after : head.session.version])
        after = head.session.version


@pytest.mark.parametrize("every", [1, 7, 100])
@every_ruleset
def test_another_process_reads_every_version_as_it_was(
    ruleset: AnyRuleset, every: int, tmp_path: Path
) -> None:
    evening = intrigue(ruleset, every, scale(120, 400))
    with opened(tmp_path, every, create=True) as log:
        store(log, evening)
    with opened(tmp_path, every) as log:
        for version in range(1, evening.session.version + 1):
            assert log.at(evening.id, version) == evening.past.state(version), version
        for head in heads(evening):
            assert log.head_at(evening.id, head.session.version) == head
        assert log.read(evening.id) == evening.head


@every_ruleset
def test_a_process_that_comes_late_goes_on_equal(ruleset: AnyRuleset, tmp_path: Path) -> None:
    """One that writes, one that has a head from before, and one that begins at the last snapshot."""
    evening = intrigue(ruleset, 3, scale(120, 400))
    after = 0
    with opened(tmp_path, 20, create=True) as writer, opened(tmp_path, 20) as reader:
        for head in heads(evening):
            writer.append(head, evening.facts[after : head.session.version])
            after = head.session.version
            assert reader.read(evening.id) == head, after
        for head in list(heads(evening))[::10]:
            with opened(tmp_path, 20) as newcomer:
                assert newcomer.history(evening.id).state(head.session.version) == head.session


@pytest.mark.timeout(1800)
def test_any_version_of_a_long_evening_is_the_replay_of_its_lineage(tmp_path: Path) -> None:
    ruleset = RULESETS[0]
    evening = intrigue(ruleset, 1, scale(600, 10_000))
    with opened(tmp_path, 100, create=True) as log:
        store(log, evening)
    replay, chosen = Replay(ruleset, evening.facts), random.Random(1)
    with opened(tmp_path, 100) as log:
        for version in chosen.sample(range(1, evening.session.version + 1), scale(20, 200)):
            session, hidden = log.at(evening.id, version), replay.hidden(version)
            # Seats from which the same is hidden see the same table, so it is replayed once.
            tables = {
                hides: replay.table(version, hides) for hides in {frozenset(), *hidden.values()}
            }
            assert session.table == tables[frozenset()]
            for seat, hides in hidden.items():
                table = visible_session(
                    session, Viewer(seat or UNSET), log.history(evening.id)
                ).table
                assert table == tables[hides], (version, seat)


def test_snapshots_of_an_older_shape_go_and_the_sessions_are_read_all_the_same(
    tmp_path: Path,
) -> None:
    """As they were before seats held chains: `fairlog migrate`, and `serve` when it starts, clear them away."""
    evening = intrigue(RULESETS[0], 1, 60)
    with opened(tmp_path, 7, create=True) as log:
        store(log, evening)
    with closing(
        sqlite3.connect(Settings.read({"FAIRLOG_DATA": str(tmp_path)}).log_file)
    ) as connection:
        old = connection.execute(
            "UPDATE stored_snapshots SET topic='session.Head', state='[1,0]'"
        ).rowcount
        connection.commit()
    assert old > 3
    with opened(tmp_path, 7, create=True) as log:
        assert log.read(evening.id).session == evening.session
        assert log.at(evening.id, 40) == evening.past.state(40)
