"""Key files are whole or not there, whatever ends a process; and nothing that is printed shows what is in them."""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from rich.pretty import pprint

from service import signing
from service.bootstrap import build, prepare
from service.settings import Settings
from service.signing import KEYS, make_keys, read_keys
from tests.running import run


def killed_at(call: int, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """A process that makes keys ends at its so many-th write to the disk."""
    left, flush = [call], os.fsync

    def ends(file: int) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        flush(file)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", ends)
        with pytest.raises(KeyboardInterrupt):
            make_keys(folder)


@pytest.mark.parametrize("call", range(1, len(KEYS) + 2))
def test_who_is_killed_leaves_no_half_key(call: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed_at(call, monkeypatch, tmp_path)
    whole = {name: (tmp_path / name).read_text() for name in KEYS if (tmp_path / name).exists()}
    assert [len(text) for text in whole.values()] == [64] * min(call - 1, len(KEYS))
    make_keys(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(KEYS)
    assert {name: (tmp_path / name).read_text() for name in whole} == whole
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in KEYS} == {0o600}
    read_keys(tmp_path)


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("content", ["", "no key", "ab" * 31])
def test_a_file_without_a_key_is_one_line_that_says_what_to_do(name: str, content: str, tmp_path: Path) -> None:
    prepare(Settings.read({"FAIRLOG_DATA": str(tmp_path)}))
    (tmp_path / "keys" / name).write_text(content)
    if content == "":
        said = run(tmp_path, "export", "0" * 32)
        assert (said.returncode, said.stdout) == (1, "")
        assert said.stderr == f"Error: cannot use {tmp_path}/keys/{name}: {signing.NO_KEY}\n"
    with pytest.raises(OSError, match="of a backup"):
        read_keys(tmp_path / "keys")


def test_no_secret_is_printed(tmp_path: Path) -> None:
    """In words, by rich, and as part of what holds it; as a traceback shows variables."""
    key = "an-opening-key-of-length"
    settings = Settings.read(
        {"FAIRLOG_DATA": str(tmp_path), "FAIRLOG_OPENING_KEY": key, "FAIRLOG_METRICS_KEY": key.title()}
    )
    prepare(settings)
    app = build(settings)
    told = StringIO()
    for each in (app.keys, app, settings):
        pprint(each, console=Console(file=told, width=2000))
        told.write(f"{each!r} {each}")
    app.close()
    secrets = [(settings.keys / name).read_text() for name in KEYS]
    found = told.getvalue()
    assert app.keys.log.public.hex() in found
    for secret in (*secrets, repr(app.keys.secret), key, key.title()):
        assert secret not in found
