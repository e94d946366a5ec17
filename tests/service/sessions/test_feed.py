"""The feed of random evenings full of secrets: what it folds to, and what it lets each viewer see, and when."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec
import pytest

from domain.merge_patch import apply
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.messages import Rewound, SealOpened
from domain.session.turns import Head
from domain.visibility import PUBLIC_VIEWER, Viewer, is_visible, visible_session
from service.platform.settings import Settings
from service.sessions.feed import FeedEntry, feed_entries, segment_key
from service.store.event_log import EMPTY_FRONTIER, EventLog, LogStep
from tests.domain.secret_sessions import Intrigue, intrigue
from tests.support.scale import SCALED_RULESETS, scale

EVENINGS, EVENTS = scale(1, 20), 300
VIEWERS = (*map(Viewer, ("gm", "ana", "ben", "sam", "eve", "tom")), PUBLIC_VIEWER)
every_ruleset = pytest.mark.parametrize(
    "ruleset", SCALED_RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
every_evening = pytest.mark.parametrize("seed", range(EVENINGS))


@lru_cache(maxsize=2 * len(SCALED_RULESETS))
def played(ruleset: AnyRuleset, seed: int) -> Intrigue:
    return intrigue(ruleset, seed, EVENTS)


def steps(evening: Intrigue, after: int = 0, upto: int | None = None) -> list[LogStep]:
    state = evening.past.state
    return [
        LogStep(state(fact.version - 1), fact, state(fact.version))
        for fact in evening.facts[after:upto]
    ]


def fed(evening: Intrigue, viewer: Viewer) -> list[FeedEntry]:
    return list(feed_entries(steps(evening), viewer, evening.past))


def shown(evening: Intrigue, viewer: Viewer, version: int) -> object:
    """The table of a version as its viewer saw it, as JSON."""
    table = visible_session(evening.past.state(version), viewer, evening.past).table
    return json.loads(msgspec.json.encode(evening.ruleset.show(table)))


@every_ruleset
@every_evening
def test_patches_fold_to_the_shown_table_at_every_version(ruleset: AnyRuleset, seed: int) -> None:
    evening = played(ruleset, seed)
    for viewer in VIEWERS:
        table: object = {}
        for entry in fed(evening, viewer):
            table = apply(table, entry.patch)  # type: ignore[arg-type]
            assert table == shown(evening, viewer, entry.event.version), (
                viewer,
                entry.event.version,
            )


@every_ruleset
@every_evening
def test_what_is_fed_is_what_could_be_seen_at_any_version_so_far(
    ruleset: AnyRuleset, seed: int
) -> None:
    evening = played(ruleset, seed)
    for viewer in VIEWERS:
        fed_so_far: dict[int, int] = {}
        for entry in fed(evening, viewer):
            came = [old.version for old in entry.opened] + [entry.event.version] * entry.is_open
            before = evening.past.state(entry.event.version - 1)
            assert not any(is_visible(before, viewer, old) for old in entry.opened)
            fed_so_far |= {
                version: entry.event.version for version in came if version not in fed_so_far
            }
        assert fed_so_far == first_seen(evening, viewer)


def first_seen(evening: Intrigue, viewer: Viewer) -> dict[int, int]:
    """The version at which a fact could be seen first, by the fact's own; without those that never could."""
    found = {}
    for fact in evening.facts:
        for version in range(fact.version, evening.session.version + 1):
            if is_visible(evening.past.state(version), viewer, fact):
                found[fact.version] = version
                break
    return found


@every_ruleset
def test_the_evenings_have_what_makes_it_hard(ruleset: AnyRuleset) -> None:
    evenings = [played(ruleset, seed) for seed in range(2)]
    facts = [fact for evening in evenings for fact in evening.facts]
    assert len([fact for fact in facts if isinstance(fact.body, Rewound)]) >= 10
    assert len([fact for fact in facts if isinstance(fact.body, SealOpened)]) >= 6
    assert any(state.tables_by_seat for evening in evenings for _, _, state in steps(evening))
    opened = [entry.opened for evening in evenings for entry in fed(evening, Viewer("sam"))]
    assert any(opened)


@every_ruleset
def test_a_segment_is_the_same_from_wherever_the_log_is_read(
    ruleset: AnyRuleset, tmp_path: Path
) -> None:
    evening = played(ruleset, 0)
    log = stored(evening, tmp_path)
    past = log.history(evening.id)
    for viewer in VIEWERS:
        whole = fed(evening, viewer)
        for after, upto in ((0, 1), (0, 40), (1, 2), (37, 38), (100, 250), (250, len(whole))):
            read = list(feed_entries(log.steps(evening.id, after, upto), viewer, past))
            assert read == whole[after:upto], (viewer, after)
    log.close()


def stored(evening: Intrigue, folder: Path) -> EventLog:
    """The evening in a log of its own, with a snapshot every few versions; its trees play no part here."""
    settings = Settings.read({"FAIRLOG_DATA": str(folder), "FAIRLOG_SNAPSHOT_EVERY": "7"})
    log = EventLog(settings, create=True)
    for turn in turns(evening):
        log.append(
            Head(evening.past.state(evening.facts[turn[-1]].version), EMPTY_FRONTIER),
            [evening.facts[nth] for nth in turn],
        )
    return log


def turns(evening: Intrigue) -> Sequence[list[int]]:
    """The facts of each turn, by their place in the log."""
    found: dict[int, list[int]] = {}
    for nth, fact in enumerate(evening.facts):
        found.setdefault(fact.turn, []).append(nth)
    return list(found.values())


def test_before_the_first_secret_everyone_shares_a_segment_and_after_it_none() -> None:
    evening = played(RULESETS[0], 0)
    first = evening.session.secrets.since
    assert first > 0
    assert len({segment_key(evening.session, viewer, first - 1) for viewer in VIEWERS}) == 1
    assert len({segment_key(evening.session, viewer, first) for viewer in VIEWERS}) == len(VIEWERS)
