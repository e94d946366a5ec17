"""The file of a backup: a tar of the log as SQLite has it, of its keys, and of what it says of itself."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from service.signing import read_keys

LOG, ABOUT, KEYS = "events.db", "backup.json", "keys"


class NotRestored(Exception):
    """Why nothing was restored."""


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


def unpack(file: Path, folder: Path) -> About:
    """The files of a backup, each as it was hashed. Raises NotRestored."""
    with _readable(file) as archive:
        members = {member.name: member for member in archive.getmembers() if member.isfile()}
        if ABOUT not in members:
            raise NotRestored(f"{file} is no backup of Fairlog: it has no {ABOUT}")
        read = archive.extractfile(members.pop(ABOUT))
        assert read is not None
        about = msgspec.json.decode(read.read(), type=About)
        if set(members) != set(about.files):
            raise NotRestored(f"{file} does not hold the files that it names")
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
    """Whoever can write a backup can hash what is in it: it need not be keys and a log. Raises NotRestored."""
    try:
        read_keys(folder / KEYS)
        with closing(sqlite3.connect(folder / LOG)) as log:
            found = log.execute("PRAGMA integrity_check(1)").fetchone()
    except (OSError, ValueError, sqlite3.Error) as wrong:
        found = (str(wrong),)
    if found != ("ok",):
        raise NotRestored(f"{file} holds what no backup does ({found[0]}): take another one")


def _take(archive: tarfile.TarFile, member: tarfile.TarInfo, target: Path, expected: str) -> None:
    read = archive.extractfile(member)
    assert read is not None
    with open(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as out:
        shutil.copyfileobj(read, out, 1 << 20)
        out.flush()
        os.fsync(out.fileno())
        out.seek(0)
        if hashlib.file_digest(out, "sha256").hexdigest() != expected:
            raise NotRestored(f"{member.name} is not as it was backed up: take another backup")


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
        raise NotRestored(
            f"{file} cannot be read as a backup ({wrong}): take another one"
        ) from None
