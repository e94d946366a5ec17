"""Key files are whole or not there, whatever ends a process; and nothing that is printed shows what is in them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from io import StringIO
from itertools import combinations_with_replacement, count
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.pretty import pprint

from service.ops.migrate import prepare
from service.platform import keys as signing
from service.platform.keys import KEYS, MISSING_KEY, make_keys, read_keys
from service.platform.settings import Settings
from service.sessions.app import build
from tests.support.processes import run
from tests.support.server import TestServer, settings_in


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


@pytest.mark.parametrize("call", range(1, 2 * len(KEYS) + 1))
def test_who_is_killed_leaves_no_half_key(
    call: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed_at(call, monkeypatch, tmp_path)
    whole = {name: (tmp_path / name).read_text() for name in KEYS if (tmp_path / name).exists()}
    assert [len(text) for text in whole.values()] == [64] * (call // 2), (
        "each key: the file, then its name"
    )
    make_keys(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(KEYS)
    assert {name: (tmp_path / name).read_text() for name in whole} == whole
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in KEYS} == {0o600}
    read_keys(tmp_path)


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("content", ["", "no key", "ab" * 31])
def test_a_file_without_a_key_is_one_line_that_says_what_to_do(
    name: str, content: str, tmp_path: Path
) -> None:
    prepare(Settings.read({"FAIRLOG_DATA": str(tmp_path)}))
    (tmp_path / "keys" / name).write_text(content)
    if content == "":
        said = run(tmp_path, "export", "0" * 32)
        assert (said.returncode, said.stdout) == (1, "")
        assert said.stderr == f"Error: cannot use {tmp_path}/keys/{name}: {signing.NO_KEY}\n"
    with pytest.raises(OSError, match="from a backup"):
        read_keys(tmp_path / "keys")


@pytest.mark.parametrize("name", KEYS)
def test_a_log_whose_key_is_lost_gets_no_other_by_itself(name: str, tmp_path: Path) -> None:
    with closing(TestServer(settings_in(tmp_path))) as house:
        house.open()
    key = tmp_path / "keys" / name
    key.unlink()
    for command in (
        ["migrate"],
        ["serve"],
        ["export", "0" * 32],
        ["jobs"],
        ["keys"],
        ["keys", "rotate"],
    ):
        said = run(tmp_path, *command, FAIRLOG_PORT="0")
        assert (said.returncode, said.stderr) == (1, f"Error: cannot use {key}: {MISSING_KEY}\n")
    assert not key.exists()
    assert run(tmp_path, "migrate", "--new-keys").returncode == 0
    read_keys(tmp_path / "keys")


def steps_of_a_rotation(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the keys as it was before, between and behind the steps of `rotate`, each as a copy."""
    copies = count()

    def copied(step: Callable[..., None]) -> Callable[..., None]:
        def then(*given: Any) -> None:
            step(*given)
            shutil.copytree(folder, folder.parent / f"{next(copies)}")

        return then

    shutil.copytree(folder, folder.parent / f"{next(copies)}")
    with monkeypatch.context() as patched:
        for name in ("write_private", "_promote_next"):
            patched.setattr(signing, name, copied(getattr(signing, name)))
        signing.rotate_log_key(folder)
    return (folder.parent / f"{number}" for number in range(next(copies)))


@pytest.mark.parametrize("before", [0, 1])
def test_who_reads_while_a_key_follows_another_reads_what_fits(
    before: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file that a reader opens may be one of a later step than the one before."""
    keys = tmp_path / "keys"
    make_keys(keys)
    for _ in range(before):
        signing.rotate_log_key(keys)
    old = read_keys(keys).log.public
    steps = list(steps_of_a_rotation(keys, monkeypatch))
    new = read_keys(keys).log.public
    assert len(steps) == 4
    read = Path.read_text, Path.read_bytes
    for moments in combinations_with_replacement(range(len(steps)), 4):
        left = iter(moments)
        at = 0

        def later(file: Path, left: Iterator[int] = left) -> Path:
            nonlocal at
            at = next(left, at) if "log" in file.name else at
            return steps[at] / file.name

        with monkeypatch.context() as patched:
            patched.setattr(Path, "read_text", lambda file: read[0](later(file)))
            patched.setattr(Path, "read_bytes", lambda file: read[1](later(file)))
            found = read_keys(keys)
        assert (found.log.public, len(found.successions)) in ((old, before), (new, before + 1)), (
            moments
        )


def test_only_its_user_may_read_what_is_made(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with closing(TestServer(settings_in(tmp_path / "data"))) as house:
            house.open()
            files = [file for file in (tmp_path / "data").rglob("*") if file.is_file()]
            assert {"events.db", "events.db-wal", "views.db", "log.key"} <= {
                file.name for file in files
            }
            assert [
                file for file in files if file.stat().st_mode & 0o077 and file.suffix != ".lock"
            ] == []
    finally:
        os.umask(before)


def test_no_secret_is_printed(tmp_path: Path) -> None:
    """In words, by rich, and as part of what holds it; as a traceback shows variables."""
    key = "an-opening-key-of-length"
    settings = Settings.read(
        {
            "FAIRLOG_DATA": str(tmp_path),
            "FAIRLOG_OPENING_KEY": key,
            "FAIRLOG_METRICS_KEY": key.title(),
        }
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
