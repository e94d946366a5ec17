"""The commands of the README and of docs/campaigns.md, typed into a shell, print what is shown below them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from tests.support.processes import ROOT, Running, environ

PORT = "8321"
MARK = "\x1e"  # stands between the outputs of two commands

# The part of curl that the README uses, for a machine without curl.
CURL = """
import argparse, sys, urllib.error, urllib.request
said = argparse.ArgumentParser(allow_abbrev=False)
said.add_argument("-s", action="store_true")
for option in ("-d", "-o", "-X"):
    said.add_argument(option)
said.add_argument("-H", action="append", default=[])
said.add_argument("url")
given = said.parse_args()
headers = dict(header.split(": ", 1) for header in given.H)
body = given.d.encode() if given.d else None
request = urllib.request.Request(given.url, body, headers, method=given.X)
try:
    answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    answer = error
with open(given.o, "wb") if given.o else sys.stdout.buffer as out:
    out.write(answer.read())
"""


class Step(NamedTuple):
    """A command and the lines that the README shows under it."""

    command: str
    shown: list[str]


def steps(text: str) -> list[Step]:
    """Return the commands of the console blocks in a text."""
    found: list[Step] = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for line in re.sub(r"\\\n\s*", "", block).splitlines():
            if line.startswith("$ "):
                found.append(Step(line.removeprefix("$ "), []))
            elif line:
                found[-1].shown.append(line)
    return found


def is_shown(printed: str, shown: str) -> bool:
    """Return True if a printed line matches the shown one, in which "…" stands for anything."""
    pattern = ".*".join(map(re.escape, shown.split("…")))
    return any(re.fullmatch(pattern, line) for line in printed.splitlines())


def typed(commands: list[str], folder: Path, data: Path) -> list[tuple[int, str]]:
    """Return the status and the output of each command, all run in one shell."""
    (folder / ".venv").mkdir()
    (folder / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    tools = folder / "tools"
    tools.mkdir()
    if shutil.which("curl") is None:
        (tools / "curl").write_text(f"#!{sys.executable}{CURL}")
        (tools / "curl").chmod(0o755)
    script = "\n".join(f"{command}\nprintf '{MARK}%d{MARK}' $?" for command in commands)
    ran = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**environ(data), "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=100,
        check=False,
    )
    parts = ran.stdout.split(MARK)
    return [
        (int(status), printed) for printed, status in zip(parts[:-1:2], parts[1::2], strict=True)
    ]


def typed_as_shown(text: str, tmp_path: Path) -> list[Step]:
    """Type the commands of a text, for a server of its own, and check that they print what it shows."""
    shown, server = steps(text), Running(tmp_path / "data", "serve", "--only", "web")
    try:
        port = str(urlsplit(server.url()).port)
        folder = tmp_path / "table"
        folder.mkdir()
        said = typed([step.command.replace(PORT, port) for step in shown], folder, server.data)
    finally:
        server.stop()
    assert any(PORT in step.command for step in shown)
    for step, (status, printed) in zip(shown, said, strict=True):
        assert status == 0, (step.command, printed)
        assert [line for line in step.shown if not is_shown(printed, line)] == [], (
            step.command,
            printed,
        )
    return shown


def test_the_evening_of_the_readme_can_be_played(tmp_path: Path) -> None:
    section = (
        (ROOT / "README.md").read_text().partition("## A played session\n")[2].partition("\n## ")[0]
    )
    assert sum(len(step.shown) for step in typed_as_shown(section, tmp_path)) >= 5


@pytest.mark.long
def test_the_campaign_of_the_guide_can_be_run(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "campaigns.md").read_text()
    assert sum(len(step.shown) for step in typed_as_shown(guide, tmp_path)) >= 9
