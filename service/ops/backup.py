"""A backup of the log and its keys while everything runs, and a data directory out of it, each session verified."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec

from domain.verify import verify
from service.ops.migrate import make_tables, prepare
from service.platform import clock
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import read_keys
from service.platform.settings import SQLITE, Settings
from service.sessions.app import App, build
from service.sessions.house import RESTORED
from service.sessions.log_files import LogExportError, export_log
from service.sessions.turns import SECRETS_UPSERT
from service.store.transfer import TransferError, copy_to_postgres, copy_to_sqlite, filled_tables

LOG, MANIFEST, KEYS = "events.db", "backup.json", "keys"


class RestoreError(Exception):
    """Why nothing was restored."""


class BackupManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a backup says of itself: when (ms since 1970), how many sessions and events, the SHA-256 of each file."""

    at: int
    sessions: int
    events: int
    files: dict[str, str]
    v: int = 1


def pack(packed: Path, log: Path, files: dict[str, bytes]) -> None:
    """Writes the log and the files beside it as one file, which no other user may read."""
    with open(os.open(packed, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
        with tarfile.open(fileobj=out, mode="w") as archive:
            for name, content in files.items():
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode = len(content), 0o600
                archive.addfile(entry, io.BytesIO(content))
            archive.add(log, LOG)
        out.flush()
        os.fsync(out.fileno())


def unpack(file: Path, folder: Path) -> BackupManifest:
    """The files of a backup, each as it was hashed. Raises RestoreError."""
    with _readable(file) as archive:
        members = {member.name: member for member in archive.getmembers() if member.isfile()}
        if MANIFEST not in members:
            raise RestoreError(f"{file} is no backup of Fairlog: it has no {MANIFEST}")
        read = archive.extractfile(members.pop(MANIFEST))
        assert read is not None
        about = msgspec.json.decode(read.read(), type=BackupManifest)
        if set(members) != set(about.files):
            raise RestoreError(f"{file} does not hold the files that it names")
        (folder / KEYS).mkdir(mode=0o700)
        for name, member in members.items():
            _take(
                archive,
                member,
                folder / LOG if name == LOG else folder / KEYS / Path(name).name,
                about.files[name],
            )
    _expect_usable(file, folder)
    return about


def _expect_usable(file: Path, folder: Path) -> None:
    """Whoever can write a backup can hash what is in it: it need not be keys and a log. Raises RestoreError."""
    try:
        read_keys(folder / KEYS)
        with closing(sqlite3.connect(folder / LOG)) as log:
            found = log.execute("PRAGMA integrity_check(1)").fetchone()
    except (OSError, ValueError, sqlite3.Error) as wrong:
        found = (str(wrong),)
    if found != ("ok",):
        raise RestoreError(f"{file} holds what no backup does ({found[0]}): take another one")


def _take(archive: tarfile.TarFile, member: tarfile.TarInfo, target: Path, expected: str) -> None:
    read = archive.extractfile(member)
    assert read is not None
    with open(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as out:
        shutil.copyfileobj(read, out, 1 << 20)
        out.flush()
        os.fsync(out.fileno())
        out.seek(0)
        if hashlib.file_digest(out, "sha256").hexdigest() != expected:
            raise RestoreError(f"{member.name} is not as it was backed up: take another backup")


@contextmanager
def _readable(file: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(file, "r:") as archive:
            yield archive
    except (
        tarfile.TarError,
        EOFError,
        ValueError,
        OverflowError,
        RecursionError,
        FileExistsError,
    ) as wrong:
        raise RestoreError(
            f"{file} cannot be read as a backup ({wrong}): take another one"
        ) from None


SELECT_SESSIONS = (
    "SELECT originator_id FROM stored_events WHERE originator_version=1 ORDER BY position"
)
VerifyProgress = Callable[[int, int], None]
"""Told after each session: how many are verified, of how many."""


class BackupError(Exception):
    """Why there is no backup."""


class RestoredBackup(NamedTuple):
    """What has come back, and how many sessions of it are still open."""

    about: BackupManifest
    still_open: int


def back_up(settings: Settings, file: Path) -> BackupManifest:
    """Writes the backup, whole or not at all; play goes on meanwhile. Raises BackupError, OSError."""
    if not (beside := file.absolute().parent).is_dir():
        raise BackupError(f"there is no directory {beside}: make it, or name another file")
    with TemporaryDirectory(dir=beside, prefix=".backup-") as folder:
        place = Path(folder)
        _copy(settings, place / LOG)
        # Behind the log: a session that was opened under a newer key has it in the backup.
        files = {f"{KEYS}/{name}": content for name, content in _keys(settings.keys).items()}
        about = _about(place / LOG, files)
        packed = place / "packed"
        pack(packed, place / LOG, {MANIFEST: msgspec.json.encode(about), **files})
        packed.replace(file)
    return about


def restore(
    settings: Settings, file: Path, progress: VerifyProgress, *, complete: bool = False
) -> RestoredBackup:
    """Makes the data directory, and fills the database at DATABASE_URL where one is set, once every session verified.

    Neither may hold a log yet. `complete`: nothing was played after the backup; otherwise open sessions draw no more.
    Raises RestoreError.
    """
    _expect_empty(settings)
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    with TemporaryDirectory(dir=settings.data, prefix="restore-") as folder:
        inside = replace(settings, data=Path(folder), database=SQLITE)
        about = unpack(file, inside.data)
        prepare(inside)
        _without_snapshots(inside.log_file)
        with closing(build(inside)) as app:
            still_open = list(_verified(app, about, progress))
            if not complete:
                app.recorder.write(
                    (SECRETS_UPSERT, [(session, RESTORED, b"") for session in still_open])
                )
        _settled(inside.log_file)
        _put(inside, settings)
    prepare(settings)  # the views are made anew, from zero
    return RestoredBackup(about, len(still_open))


def _expect_empty(settings: Settings) -> None:
    """Raises RestoreError, psycopg.Error where the database does not answer."""
    taken = [
        each.name
        for each in (settings.log_file, settings.keys, settings.views_file)
        if each.exists()
    ]
    if taken:
        raise RestoreError(
            f"{settings.data} holds {', '.join(taken)} already: name an empty directory in FAIRLOG_DATA"
        )
    if settings.is_on_postgres and (full := filled_tables(settings.database)):
        raise RestoreError(
            f"there are rows in {', '.join(full)} at DATABASE_URL already: name an empty database there"
        )


def _put(inside: Settings, settings: Settings) -> None:
    """What was verified, to where it goes on: the keys last to be missed, so first to be there."""
    shutil.move(inside.keys, settings.keys)
    try:
        if settings.is_on_postgres:
            make_tables(settings)
            copy_to_postgres(inside.log_file, settings.database, lambda table, done: None)
        else:
            inside.log_file.replace(settings.log_file)
    except BaseException as error:
        shutil.rmtree(settings.keys)  # they are in the backup
        if isinstance(error, TransferError):
            raise RestoreError(str(error)) from None
        raise


def _copy(settings: Settings, target: Path) -> None:
    """The log as of one moment. Raises BackupError."""
    with closing(_private(target)) as copy:
        if settings.is_on_postgres:
            try:
                copy_to_sqlite(settings.database, copy)
            except TransferError as wrong:
                raise BackupError(str(wrong)) from None
            return
        # With SQLite's own means, in one step: in several, every write begins it anew.
        with closing(sqlite3.connect(f"{settings.log_file.as_uri()}?mode=ro", uri=True)) as log:
            log.backup(copy, pages=-1)


def _private(file: Path) -> sqlite3.Connection:
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    return sqlite3.connect(file)


def _keys(folder: Path) -> dict[str, bytes]:
    """Every file of the keys, as they were at one moment: while one follows another they are looked at again."""
    while True:
        first, second = (
            {file.name: file.read_bytes() for file in sorted(folder.iterdir())} for _ in range(2)
        )
        if first == second:
            return first


def _about(log: Path, files: dict[str, bytes]) -> BackupManifest:
    with closing(sqlite3.connect(log)) as copy:
        [(events, sessions)] = copy.execute(
            "SELECT COUNT(*), COUNT(DISTINCT originator_id) FROM stored_events"
        )
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    with log.open("rb") as file:
        hashes[LOG] = hashlib.file_digest(file, "sha256").hexdigest()
    return BackupManifest(clock.now_ms(), sessions, events, hashes)


def _verified(app: App, about: BackupManifest, progress: VerifyProgress) -> Iterator[str]:
    """The sessions that are still open, once every rung of the log of each has held. Raises RestoreError."""
    sessions = [session for (session,) in app.recorder.query(SELECT_SESSIONS)]
    if (len(sessions), app.recorder.query("SELECT COUNT(*) FROM stored_events")) != (
        about.sessions,
        [(about.events,)],
    ):
        raise RestoreError(
            "the log does not hold as many sessions and events as the backup says: take another one"
        )
    for done, session in enumerate(sessions, 1):
        try:
            failed = verify(export_log(app, session), ed25519).failure
        except LogExportError as not_signed:
            raise RestoreError(str(not_signed)) from None
        except (ValueError, LookupError, TypeError) as wrong:  # rows that nobody has written so
            raise RestoreError(f"session {session} does not verify: {wrong}") from None
        if failed is not None:
            raise RestoreError(
                f"session {session} does not verify: version {failed.version}, {failed.code}"
            )
        progress(done, len(sessions))
        if not app.log.read(session).session.info.closed:
            yield session


def _without_snapshots(log: Path) -> None:
    """They save time and nothing else, and no leaf vouches for them: they are made again."""
    with closing(sqlite3.connect(log)) as connection:
        connection.execute("DELETE FROM stored_snapshots")
        connection.commit()


def _settled(log: Path) -> None:
    """Everything in the one file, which may now be moved."""
    with closing(sqlite3.connect(log)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
