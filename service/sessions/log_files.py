"""Export of sessions to .fairlog files, and import of verified .fairlog files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from domain import log_file
from domain.proof import merkle_tree
from domain.recorded_event import RecordedEvent, leaf_of
from domain.session.evolve import evolve
from domain.session.state import HOUSE, History, initial
from domain.session.turns import Head
from domain.verify import Progress, ignore_progress, verify
from domain.verify.bytes_check import EventReader
from domain.verify.report import Level, Report
from domain.visibility import Viewer
from service.platform.clock import MAX_TIME_MS
from service.platform.ed25519 import verify as ed25519
from service.platform.text import printable
from service.sessions.app import App
from service.sessions.checkpoints import IMPORTED_CHECKPOINTS, ForeignLogKeyError, export_lines
from service.sessions.deletion import side_row_deletions
from service.sessions.turns import SECRETS_UPSERT
from service.store.errors import UnknownSessionError, VersionConflictError
from service.store.event_log import EMPTY_FRONTIER


class LogImportError(Exception):
    """The .fairlog file is invalid or incomplete, or its session is already stored."""


class LogExportError(Exception):
    """The session does not exist, or its log is signed with another server's key."""


def export_log(app: App, session: str) -> Iterator[bytes]:
    """Return the lines of the session's .fairlog file.

    The file contains every event in full, except for redacted text. Raises LogExportError.
    """
    try:
        return export_lines(app, app.log.read(session), Viewer(HOUSE))
    except UnknownSessionError:
        raise LogExportError(f"there is no session {session} on this server") from None
    except ForeignLogKeyError as foreign:
        raise LogExportError(
            f"session {session} is signed with the key {foreign}, which this server does not have."
            " Export the session on the server that has that key"
        ) from None


def import_log(app: App, lines: Iterable[bytes], progress: Progress = ignore_progress) -> Report:
    """Verify the lines of a .fairlog file and store its session.

    Exactly the verified bytes are stored. Raises LogImportError.
    """
    recorded: list[bytes] = []
    report = verify(_record_lines(lines, recorded), ed25519, progress=progress)
    if report.failure is not None:
        failed = report.failure
        raise LogImportError(
            "the file cannot be imported, because its verification failed at version"
            f" {failed.version} (level {failed.level}) with the error {failed.code}:"
            f" found {printable(failed.found)}"
        )
    if report.reached is not Level.VIEWS:
        raise LogImportError(
            "this server does not have the file's ruleset or edition, so it cannot check the turns."
            " Import the file with a version of Fairlog that includes that edition"
        )
    events, notes = _parse_events(recorded)
    if late := [event.version for event in events if event.at > MAX_TIME_MS]:
        raise LogImportError(f"the time of event {late[0]} is after the year 9999")
    if len(events) != report.counts.events:
        raise LogImportError(
            "some events in the file are sealed or redacted. Import a file that contains every"
            " event in full"
        )
    _store(app, events, notes)
    return report


def _record_lines(lines: Iterable[bytes], recorded: list[bytes]) -> Iterator[bytes]:
    for line in lines:
        recorded.append(line)
        yield line


def _store(app: App, events: list[RecordedEvent], notes: list[str]) -> None:
    """Store the session in one transaction, so a crash cannot leave it incomplete.

    A request that arrived while a session with this id was being deleted may have left rows. Delete
    those rows so that, for example, an old invitation does not give access to the session.
    """
    session = events[0].session
    checkpoints = session, IMPORTED_CHECKPOINTS, msgspec.json.encode(notes)
    rows = [*side_row_deletions(session), (SECRETS_UPSERT, [checkpoints])]
    try:
        app.log.append(_fold(events), events, rows)
    except VersionConflictError:  # the session is already stored
        raise LogImportError(
            f"session {session} is already on this server, so nothing was imported"
        ) from None


def _parse_events(lines: Iterable[bytes]) -> tuple[list[RecordedEvent], list[str]]:
    read = log_file.parse(lines)
    reader = EventReader(read.manifest)
    for entry in read.entries:
        reader.read(entry)
    return [line for line in reader.events if isinstance(line, RecordedEvent)], list(
        read.checkpoints
    )


def _fold(events: list[RecordedEvent]) -> Head:
    states, frontier = [initial(events[0].session)], EMPTY_FRONTIER
    past = History(states.__getitem__, lambda after, upto: events[after:upto])
    for event in events:
        frontier = merkle_tree.push(
            frontier, event.version - 1, merkle_tree.leaf_hash(leaf_of(event))
        )
        states.append(evolve(states[-1], event, past))
    return Head(states[-1], frontier)
