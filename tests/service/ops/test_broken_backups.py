"""A backup whose files are no keys and no log, hashed and packed as if they were: one line says so, nothing is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.ops.backup import LOG, MANIFEST, RestoreError, restore
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


def test_a_backup_into_no_directory_is_said(tmp_path: Path) -> None:
    data, nowhere = tmp_path / "data", tmp_path / "none"
    prepare(Settings.read({"FAIRLOG_DATA": str(data)}))
    said = run(data, "backup", str(nowhere / "friday.tar"))
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr == (
        f"Error: cannot write {nowhere}/friday.tar: the directory {nowhere} does not exist."
        " Create it or choose a different file\n"
    )
