"""Backup and restore of the log and its keys.

A backup is a tar file that contains the log as a SQLite file, the key files, and a manifest with
the hash of each file. The server may keep running during a backup. A restore verifies every
session.
"""

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

from domain.proof import ProofError
from domain.verify import verify
from service.ops.migrate import make_tables, prepare
from service.platform import clock
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import read_keys
from service.platform.settings import SQLITE, Settings
from service.sessions.access import Access
from service.sessions.app import App, build
from service.sessions.house import RESTORED
from service.sessions.log_files import LogExportError, export_log
from service.sessions.turns import SECRETS_UPSERT
from service.store.transfer import (
    TransferError,
    copy_rows,
    copy_to_postgres,
    copy_to_sqlite,
    filled_tables,
    open_untrusted,
)

LOG, MANIFEST, KEYS = "events.db", "backup.json", "keys"
RECEIVED = "received.db"
"""The name of the backup's SQLite file during a restore. Only its rows reach the new log."""
MAX_SMALL_FILE_BYTES = 1 << 20
"""The maximum size of the manifest and of each key file, which are read into memory."""
MAX_HEADER_BYTES = 1 << 20
"""The maximum combined size of all headers in a backup. A backup has fewer than ten."""
SELECT_SESSIONS = (
    "SELECT originator_id FROM stored_events WHERE originator_version=1 ORDER BY position"
)
VerifyProgress = Callable[[int, int], None]
"""A callback that receives the number of verified sessions and the total number of sessions."""


class BackupError(Exception):
    """The backup could not be written. The message gives the reason."""


class RestoreError(Exception):
    """The backup was not restored. The message gives the reason."""


class BackupManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The manifest of a backup.

    `at` is the time of the backup in milliseconds since the epoch. `files` maps the name of each
    file to its SHA-256 hash in hex.
    """

    at: int
    sessions: int
    events: int
    files: dict[str, str]
    v: int = 1


class RestoredBackup(NamedTuple):
    manifest: BackupManifest
    still_open: int


def back_up(settings: Settings, file: Path) -> BackupManifest:
    """Write a backup of the log and the keys to `file` atomically.

    The server may keep running. Raises BackupError or OSError.
    """
    if not (parent := file.absolute().parent).is_dir():
        raise BackupError(
            f"cannot write {file}: the directory {parent} does not exist."
            " Create it or choose a different file"
        )
    with TemporaryDirectory(dir=parent, prefix=".backup-") as temporary:
        folder = Path(temporary)
        _copy(settings, folder / LOG)
        # Read the keys after the log, so that the backup has the key of each session in the log.
        files = {
            f"{KEYS}/{name}": content for name, content in _read_key_files(settings.keys).items()
        }
        for name, content in files.items():
            if len(content) > MAX_SMALL_FILE_BYTES:  # `restore` would refuse the backup
                raise BackupError(
                    f"{settings.data / name} is too large to be a key. Move it elsewhere"
                )
        manifest = _manifest(folder / LOG, files)
        packed = folder / "packed"
        pack(packed, folder / LOG, {MANIFEST: msgspec.json.encode(manifest), **files})
        packed.replace(file)
    return manifest


def restore(
    settings: Settings,
    file: Path,
    progress: VerifyProgress,
    *,
    complete: bool = False,
    end_tokens: bool = False,
) -> RestoredBackup:
    """Verify every session in a backup, then restore the log and the keys.

    The data directory and the database must not contain a log yet. Set `complete` to True only if
    the server recorded no events after the backup. If it is False, sessions that were open in the
    backup can no longer draw and must be forked to continue. If `end_tokens` is True, all tokens
    and invitations in the backup are revoked. Raises RestoreError.
    """
    _expect_empty(settings)
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    with TemporaryDirectory(dir=settings.data, prefix="restore-") as folder:
        inside = replace(settings, data=Path(folder), database=SQLITE)
        manifest = unpack(file, inside.data)
        prepare(inside)
        try:
            copy_rows(inside.data / RECEIVED, inside.log_file)
        except (TransferError, sqlite3.Error) as wrong:
            raise RestoreError(f"cannot copy the rows of the log in {file}: {wrong}") from None
        with closing(build(inside)) as app:
            still_open = list(_verify_sessions(app, manifest, progress))
            if not complete:
                app.recorder.write(
                    (SECRETS_UPSERT, [(session, RESTORED, b"") for session in still_open])
                )
            if end_tokens:
                access = Access(app.recorder, app.keys.secret, clock.now_ms)
                app.recorder.write(*access.revoke_all())
        _checkpoint(inside.log_file)
        _install(inside, settings)
    prepare(settings)  # creates empty read models, which the follower fills
    return RestoredBackup(manifest, len(still_open))


def _expect_empty(settings: Settings) -> None:
    """Raise RestoreError if the data directory or the database already contains a log.

    Raise psycopg.Error if the database is unreachable.
    """
    taken = [
        each.name
        for each in (settings.log_file, settings.keys, settings.views_file)
        if each.exists()
    ]
    if taken:
        raise RestoreError(
            f"cannot restore to {settings.data}: it already contains {', '.join(taken)}. "
            "Set FAIRLOG_DATA to an empty directory"
        )
    if settings.is_on_postgres and (full := filled_tables(settings.database)):
        raise RestoreError(
            f"cannot restore to the database at DATABASE_URL: there are rows in {', '.join(full)}. "
            "Set DATABASE_URL to an empty database"
        )


def _install(inside: Settings, settings: Settings) -> None:
    """Move the verified keys and log to their final locations.

    The keys are moved first, because a log without its keys would be unusable.
    """
    shutil.move(inside.keys, settings.keys)
    try:
        if settings.is_on_postgres:
            make_tables(settings)
            copy_to_postgres(inside.log_file, settings.database, lambda table, done: None)
        else:
            inside.log_file.replace(settings.log_file)
    except BaseException as error:
        shutil.rmtree(settings.keys)  # the backup still has them
        if isinstance(error, TransferError):
            raise RestoreError(str(error)) from None
        raise


def _copy(settings: Settings, target: Path) -> None:
    """Copy the log to the SQLite file `target`, as of a single point in time.

    Raises BackupError.
    """
    with closing(_create_private_database(target)) as copy:
        if settings.is_on_postgres:
            try:
                copy_to_sqlite(settings.database, copy)
            except TransferError as wrong:
                raise BackupError(str(wrong)) from None
            return
        # Copy all pages in one step, because a write between two steps would restart the copy.
        with closing(sqlite3.connect(f"{settings.log_file.as_uri()}?mode=ro", uri=True)) as log:
            log.backup(copy, pages=-1)


def _create_private_database(file: Path) -> sqlite3.Connection:
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    return sqlite3.connect(file)


def _read_key_files(folder: Path) -> dict[str, bytes]:
    """Return the content of each key file by name.

    If a key rotation changes the files during the read, read them again.
    """
    while True:
        first, second = (
            {file.name: file.read_bytes() for file in sorted(folder.iterdir())} for _ in range(2)
        )
        if first == second:
            return first


def _manifest(log: Path, files: dict[str, bytes]) -> BackupManifest:
    with closing(sqlite3.connect(log)) as copy:
        [(events, sessions)] = copy.execute(
            "SELECT COUNT(*), COUNT(DISTINCT originator_id) FROM stored_events"
        )
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    with log.open("rb") as file:
        hashes[LOG] = hashlib.file_digest(file, "sha256").hexdigest()
    return BackupManifest(clock.now_ms(), sessions, events, hashes)


def _verify_sessions(app: App, manifest: BackupManifest, progress: VerifyProgress) -> Iterator[str]:
    """Verify the log of each session, and yield the ids of the open sessions.

    Raises RestoreError if verification fails.
    """
    sessions = [session for (session,) in app.recorder.query(SELECT_SESSIONS)]
    if (len(sessions), app.recorder.query("SELECT COUNT(*) FROM stored_events")) != (
        manifest.sessions,
        [(manifest.events,)],
    ):
        raise RestoreError(
            "the number of sessions or events in the log differs from the manifest."
            " Use a different backup"
        )
    for done, session in enumerate(sessions, 1):
        try:
            failed = verify(export_log(app, session), ed25519).failure
        except LogExportError as not_signed:
            raise RestoreError(str(not_signed)) from None
        except (ValueError, LookupError, TypeError, ProofError) as wrong:  # not written by Fairlog
            raise RestoreError(
                f"cannot verify session {session}: {wrong}. Use a different backup"
            ) from None
        if failed is not None:
            raise RestoreError(
                f"cannot verify session {session}: {failed.code} at version {failed.version}. "
                "Use a different backup"
            )
        progress(done, len(sessions))
        if not app.log.read(session).session.info.closed:
            yield session


def _checkpoint(log: Path) -> None:
    """Write the content of SQLite's write-ahead log into the database file.

    The database file can then be moved without the write-ahead log.
    """
    with closing(sqlite3.connect(log)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def pack(packed: Path, log: Path, files: dict[str, bytes]) -> None:
    """Write the log and the other files to the tar file `packed`.

    Only the owner of the tar file can read it.
    """
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
    """Extract a backup into `folder` and check the hash of each file.

    Raises RestoreError if the file is not a backup or is damaged.
    """
    with _open_archive(file) as archive:
        members = {member.name: member for member in archive.getmembers() if member.isfile()}
        if MANIFEST not in members:
            raise RestoreError(
                f"{file} is not a Fairlog backup: it does not contain {MANIFEST}."
                " Choose a different file"
            )
        for member in members.values():
            if member.issparse() or (member.name != LOG and member.size > MAX_SMALL_FILE_BYTES):
                raise RestoreError(
                    f"{member.name} in {file} was not written by Fairlog: it is sparse or too"
                    " large. Use a different backup"
                )
        read = archive.extractfile(members.pop(MANIFEST))
        assert read is not None
        manifest = msgspec.json.decode(read.read(), type=BackupManifest)
        if set(members) != set(manifest.files):
            raise RestoreError(
                f"{file} is damaged: its files do not match its manifest. Use a different backup"
            )
        (folder / KEYS).mkdir(mode=0o700)
        for name, member in members.items():
            _extract(
                archive,
                member,
                folder / RECEIVED if name == LOG else folder / KEYS / Path(name).name,
                manifest.files[name],
            )
    _expect_usable(file, folder)
    return manifest


def _expect_usable(file: Path, folder: Path) -> None:
    """Raise RestoreError unless the extracted keys and the extracted log are usable.

    Matching hashes do not prove this, because anyone can write a manifest.
    """
    try:
        read_keys(folder / KEYS)
        with closing(open_untrusted(folder / RECEIVED)) as log:
            found = log.execute("PRAGMA integrity_check(1)").fetchone()
    except (OSError, ValueError, sqlite3.Error) as wrong:
        found = (str(wrong),)
    if found != ("ok",):
        raise RestoreError(
            f"cannot use the keys or the log in {file}: {found[0]}. Use a different backup"
        )


def _extract(
    archive: tarfile.TarFile, member: tarfile.TarInfo, target: Path, expected: str
) -> None:
    read = archive.extractfile(member)
    assert read is not None
    with open(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as out:
        shutil.copyfileobj(read, out, 1 << 20)
        out.flush()
        os.fsync(out.fileno())
        out.seek(0)
        if hashlib.file_digest(out, "sha256").hexdigest() != expected:
            raise RestoreError(
                f"{member.name} does not match its hash in the manifest. Use a different backup"
            )


class _ArchiveFile(io.BufferedReader):
    """A tar file that raises ReadError if its headers are larger than MAX_HEADER_BYTES.

    `tarfile` itself reads headers of any size into memory. Set `header_bytes_left` to None after
    `tarfile` has read the headers.
    """

    header_bytes_left: int | None = MAX_HEADER_BYTES

    def read(self, size: int | None = -1, /) -> bytes:
        if self.header_bytes_left is not None:
            if size is None or not 0 <= size <= self.header_bytes_left:
                raise tarfile.ReadError("its headers are too large")
            self.header_bytes_left -= size
        return super().read(size)

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        try:
            return super().seek(offset, whence)
        except (OSError, ValueError):  # ValueError: the offset does not fit into 64 bits
            raise tarfile.ReadError("an archive member has an invalid size") from None


@contextmanager
def _open_archive(file: Path) -> Iterator[tarfile.TarFile]:
    try:
        with (
            _ArchiveFile(io.FileIO(file)) as packed,
            tarfile.open(fileobj=packed, mode="r:") as archive,
        ):
            archive.getmembers()
            packed.header_bytes_left = None
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
            f"cannot read the backup {file}: {wrong}. Use a different backup"
        ) from None
