"""What must hold behind a soak: each function raises with the sessions and events where it does not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from domain.codec import kind
from domain.recorded_event import RecordedEvent
from domain.session.state import HOUSE
from domain.verify import verify
from domain.visibility import PUBLIC_VIEWER, turns_hidden_from
from projections.statistics_model import SessionReport
from projections.tallies import session_tallies
from service.cli.demo.player import SessionPlayer
from service.platform.ed25519 import verify as ed25519
from service.sessions.app import App
from service.sessions.log_files import export_log
from tests.projections.contract import Rows, rows_of
from tests.service.soak.gallery import Following
from tests.service.soak.ledger import Accepted, Ledger
from tests.workers.recomputation import Recomputation, chosen_seats, compare
from tests.workers.worker_processes import check_told
from workers.statistics.report import Chosen, compute_report

TURNS = {
    "commands": "session.Declared", "narrate": "session.Narrated", "rewind": "session.Rewound",
    "open-secret": "session.SealOpened", "close": "session.Closed", "seats": "session.SeatTaken",
    "chain": "session.SeatTaken", "forks": "session.Forked",
}  # fmt: skip
"""By the last part of an address, the event that each accepted request leaves once."""
SLOWLY, MOST = (
    250,
    20,
)  # events and number of the sessions whose figures are made once more by slow loops, at most


def sessions_of(app: App) -> dict[str, int]:
    """Every session with its newest version."""
    sql = "SELECT originator_id, MAX(originator_version) FROM stored_events GROUP BY originator_id"
    return {str(session): int(str(version)) for session, version in app.recorder.query(sql)}


def check_streams(followed: Iterable[Following], ledger: Ledger, heads: dict[str, int]) -> int:
    """Each had every version once and in order; what it was sent goes into the ledger. How many events."""
    sent = 0
    for each in followed:
        assert list(each.watcher.seen) == list(range(1, heads[each.session] + 1)), each.session
        ledger.saw(each.session, each.events())
        sent += len(each.watcher.seen)
    return sent


def check_shown(app: App, ledger: Ledger) -> int:
    """What anybody was ever shown stands in the log; how many events."""
    wrong = []
    for session, shown in ledger.shown.items():
        facts = {fact.version: fact for fact in app.log.read_events(session)}
        for version, event in shown.items():
            if version not in facts or not event.is_of(facts[version]):
                wrong.append((session, version, event, facts.get(version)))
    assert wrong == [], (
        f"{len(wrong)} events that were shown are not in the log, such as {wrong[:3]}"
    )
    assert ledger.amiss == []
    return sum(map(len, ledger.shown.values()))


def check_commands(app: App, ledger: Ledger) -> int:
    """Every accepted command stands in the log once, and nothing stands there that nobody was told of. How many."""
    by_session = defaultdict(list)
    for accepted in ledger.accepted.values():
        by_session[accepted.session].append(accepted)
    for session in sessions_of(app):
        _once_each(app.log.read_events(session), by_session[session])
    kept = {
        str(key): (str(session), int(str(first)))
        for session, key, first in app.recorder.query("SELECT session, key, first FROM answers")
    }
    unheard = kept.keys() - ledger.accepted.keys()
    assert not unheard, (
        f"stored under keys that were told something else: {[(key, kept[key]) for key in unheard][:5]}"
    )
    turns = {
        key: accepted
        for key, accepted in ledger.accepted.items()
        if accepted.verb in TURNS and accepted.first
    }
    lost = {key: turn for key, turn in turns.items() if kept.get(key) != (turn.session, turn.first)}
    assert not lost, f"accepted, and not stored so: {list(lost.items())[:5]}"
    return len(turns)


def _once_each(facts: list[RecordedEvent], accepted: list[Accepted]) -> None:
    """As many of each kind as were accepted, no two of them at the same version."""
    session = facts[0].session
    firsts = Counter(each.first for each in accepted if each.first)
    assert not [first for first, times in firsts.items() if times > 1], (
        f"{session}: two keys, one turn: {firsts}"
    )
    asked = Counter(TURNS[each.verb] for each in accepted if each.verb in TURNS)
    # Of the seats that were opened with a session nobody asked apart: the house's and the GM's.
    opened = [
        fact
        for fact in facts
        if kind(fact.body) == "session.SeatTaken" and fact.turn <= _opening(facts)
    ]
    stored = Counter(kind(fact.body) for fact in facts if fact not in opened and fact.seat != HOUSE)
    found = {name: stored[name] for name in TURNS.values() if stored[name]}
    assert found == dict(asked), f"{session}: stored {found}, accepted {dict(asked)}"


def _opening(facts: list[RecordedEvent]) -> int:
    """The turn that the GM sat down in."""
    return next(
        fact.turn for fact in facts if kind(fact.body) == "session.SeatTaken" and fact.seat != HOUSE
    )


def check_logs(app: App) -> int:
    """Every session's file holds on every rung, offline; how many."""
    sessions = sessions_of(app)
    for session, version in sessions.items():
        report = verify(export_log(app, session), ed25519)
        assert report.failure is None, (session, report.failure)
        assert report.counts.events == version, session
    return len(sessions)


def rows_of_views(app: App) -> dict[str, Rows]:
    return {view.name: rows_of(view) for view in app.read_models.followed}


def check_views(before: dict[str, Rows], after: dict[str, Rows]) -> int:
    """They hold the same; how many rows."""
    for name, tables in after.items():
        for table, rows in tables.items():
            differing = set(before[name][table]) ^ set(rows)
            assert not differing, (
                f"{table}: {len(differing)} rows differ from a rebuild, such as {sorted(differing)[:4]}"
            )
            assert before[name][table] == rows, table
    return sum(len(rows) for tables in after.values() for rows in tables.values())


def check_statistics(app: App, evenings: Iterable[SessionPlayer], url: str) -> tuple[int, int]:
    """What everyone reads equals figures of the log's facts, of some sessions slow ones too; how many of both."""
    read = slowly = 0
    for evening in evenings:
        read += check_told(app, evening, url)
        facts = app.log.read_events(evening.session)
        if len(facts) > SLOWLY or slowly == MOST:
            continue
        state = app.log.at(evening.session, len(facts))
        sealed = turns_hidden_from(app.log.read(evening.session).session, PUBLIC_VIEWER)
        made: SessionReport = compute_report(
            session_tallies(state.ruleset, facts).open_to(sealed),
            is_final=state.info.closed,
            chosen=[Chosen(*each) for each in chosen_seats(facts, state, sealed)],
            hidden=sealed,
        )
        compare(
            made,
            Recomputation(
                state.ruleset,
                facts,
                lambda at, of=evening.session: app.log.at(of, at),
                hidden=sealed,
            ),
        )  # type: ignore[misc]
        slowly += 1
    return read, slowly
