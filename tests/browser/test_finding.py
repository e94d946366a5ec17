"""Where the browser comes from: named, in PATH, brought by root; else one line says what to run."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.browser.finding import LINE, NAMES, NoBrowser, find, main

BRINGS = """#!{shell}
echo "$@" >> {folder}/asked
if [ "$1" = install ]; then {touch} {folder}/{name}; {chmod} +x {folder}/{name}; fi
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("BROWSER_BIN", raising=False)
    return tmp_path


@pytest.fixture
def apt(tmp_path: Path) -> Path:
    """An apt-get that has one of the browsers to give, and keeps what it was asked."""
    tools = {name: shutil.which(name, path=os.defpath) for name in ("touch", "chmod")}
    script = BRINGS.format(
        shell=shutil.which("sh", path=os.defpath), folder=tmp_path, name=NAMES[0], **tools
    )
    return executable(tmp_path / "apt-get", script)


def executable(file: Path, text: str = "") -> Path:
    file.write_text(text)
    file.chmod(0o755)
    return file


@pytest.mark.parametrize("name", NAMES)
def test_one_in_path_is_taken(path: Path, name: str) -> None:
    file = executable(path / name)
    assert find() == str(file)


def test_the_named_one_goes_first(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executable(path / NAMES[0])
    named = executable(path / "mine")
    monkeypatch.setenv("BROWSER_BIN", str(named))
    assert find() == str(named)
    named.unlink()
    with pytest.raises(NoBrowser, match="BROWSER_BIN"):
        find()


def test_root_has_it_brought_once(
    apt: Path, path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert find() == find() == str(path / NAMES[0])
    assert capsys.readouterr().err.count(LINE) == 1
    asked = (path / "asked").read_text().splitlines()
    assert asked == ["update", LINE.replace("apt-get install", "install --yes")]


def test_others_are_told_the_line(
    apt: Path, monkeypatch: pytest.MonkeyPatch, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert main() == 1
    assert LINE in capsys.readouterr().err
    assert not (path / "asked").exists()


def test_root_is_told_the_line_where_nothing_comes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(NoBrowser, match=LINE):
        find()
    executable(
        path / "apt-get", f"#!{shutil.which('sh', path=os.defpath)}\necho no network; exit 100\n"
    )
    with pytest.raises(NoBrowser, match="no network"):
        find()
