"""A backup whose files are no keys and no log, hashed and packed as if they were: one line says so, nothing is left."""

from __future__ import annotations

import io
import os
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from service.ops.backup import LOG, MANIFEST, BackupError, RestoreError, back_up, restore
from service.ops.migrate import prepare
from service.platform.keys import HOUSE, LOG as LOG_KEY, SECRET
from service.platform.settings import Settings
from tests.parsers.file_parsers import contents, packed_anew
from tests.support.processes import run
from tests.support.server import settings_in

BENT = [
    (f"keys/{LOG_KEY}", b"no key"), (f"keys/{HOUSE}", b"ab" * 31), (f"keys/{SECRET}", b"\xff"), (LOG, b"no log"),
    (LOG, b""), (MANIFEST, b"{"), (MANIFEST, b"[" * 100_000), (MANIFEST, b"{}"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content"), BENT, ids=lambda value: str(value)[:20])
def test_what_is_no_backup_is_not_restored(name: str, content: bytes, tmp_path: Path) -> None:
    file, settings = tmp_path / "friday.tar", settings_in(tmp_path / "data")
    file.write_bytes(packed_anew(contents() | {name: content}, name))
    with pytest.raises(RestoreError):
        restore(settings, file, lambda done, of: None)
    assert not list(settings.data.iterdir())


MIB = 1 << 20


def sparse(name: str) -> Callable[[Path], None]:
    """That file, 64 MiB of which the archive holds none."""

    def bend(file: Path) -> None:
        with tarfile.open(file, "w") as archive:
            for each, content in contents().items():
                entry = tarfile.TarInfo(each)
                entry.size = len(content)
                if each == name:
                    entry.size, content = 0, b""
                    entry.pax_headers = {
                        "GNU.sparse.map": f"{64 * MIB},0",
                        "GNU.sparse.size": str(64 * MIB),
                    }
                archive.addfile(entry, io.BytesIO(content))

    return bend


def larger(name: str, length: int) -> Callable[[Path], None]:
    def bend(file: Path) -> None:
        file.write_bytes(packed_anew(contents() | {name: b" " * length}, name))

    return bend


def long_header(file: Path) -> None:
    """64 MiB of it, which are a hole in the file."""
    header = tarfile.TarInfo("long")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 64 * MIB
    file.write_bytes(header.tobuf(tarfile.GNU_FORMAT))
    os.truncate(file, 65 * MIB)


def sized(size: int) -> Callable[[Path], None]:
    """A file in the archive that says to have that size."""

    def bend(file: Path) -> None:
        header = tarfile.TarInfo(MANIFEST)
        header.size = size
        file.write_bytes(header.tobuf(tarfile.GNU_FORMAT) + bytes(4096))

    return bend


def many_files(file: Path) -> None:
    file.write_bytes(packed_anew(contents() | {f"keys/{n}": b"" for n in range(3000)}, LOG))


HUGE = {
    "a sparse manifest": (sparse(MANIFEST), "sparse or too large"),
    "a sparse key": (sparse(f"keys/{SECRET}"), "sparse or too large"),
    "a sparse log": (sparse(LOG), "sparse or too large"),
    "a large manifest": (larger(MANIFEST, 64 * MIB), "sparse or too large"),
    "a large key": (larger(f"keys/{SECRET}", 64 * MIB), "sparse or too large"),
    "a long header": (long_header, "headers are too large"),
    "a negative size": (sized(-1024), "invalid size"),
    "a size beyond all disks": (sized(1 << 63), "invalid size"),
    "many files": (many_files, "headers are too large"),
}


@pytest.mark.parametrize(("bend", "words"), HUGE.values(), ids=HUGE)
def test_a_forged_size_does_not_fill_the_memory(
    bend: Callable[[Path], None], words: str, tmp_path: Path
) -> None:
    file, settings = tmp_path / "friday.tar", settings_in(tmp_path / "data")
    bend(file)
    tracemalloc.start()
    with pytest.raises(RestoreError) as refused:
        restore(settings, file, lambda done, of: None)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * MIB
    assert words in str(refused.value)
    assert not list(settings.data.iterdir())


def test_a_backup_that_could_not_be_restored_is_not_written(tmp_path: Path) -> None:
    prepare(settings := settings_in(tmp_path / "data"))
    (settings.keys / "film").write_bytes(bytes(MIB + 1))
    with pytest.raises(BackupError, match="keys/film is too large to be a key"):
        back_up(settings, tmp_path / "friday.tar")
    assert not (tmp_path / "friday.tar").exists()


def test_a_backup_into_no_directory_is_said(tmp_path: Path) -> None:
    data, nowhere = tmp_path / "data", tmp_path / "none"
    prepare(Settings.read({"FAIRLOG_DATA": str(data)}))
    said = run(data, "backup", str(nowhere / "friday.tar"))
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr == (
        f"Error: cannot write {nowhere}/friday.tar: the directory {nowhere} does not exist."
        " Create it or choose a different file\n"
    )
