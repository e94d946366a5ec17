"""`fairlog demo`: play, print and verify one session with each ruleset."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

import msgspec
from msgspec import UNSET
from rich.console import Console

from domain.example_session import read_script
from domain.proof.signed_note import parse_vkey
from domain.rulesets import RULESETS
from domain.table import Table
from domain.verify import Evidence, verify
from projections.statistics_model import SessionReport
from service.cli.demo.player import SessionPlayer
from service.cli.demo.report import PlayedSession, draw_step, print_session
from service.cli.progress import progress
from service.cli.verify import read_lines
from service.client.api import UnexpectedResponseError, UnreachableError
from service.jobs.embedded_server import QueueServerError
from service.ops.data_directory import ServeError
from service.ops.migrate import prepare
from service.ops.supervisor import Supervisor
from service.platform.ed25519 import verify as ed25519
from service.platform.files import write_private
from service.platform.settings import Settings

EXPECTED_ERRORS = (UnexpectedResponseError, UnreachableError, ServeError, QueueServerError)
"""Errors that do not indicate a bug. Each message says what to do."""

LINES_OF_FIRST, LINES_OF_OTHERS = 14, 5  # steps printed, not counting rewinds, openings and forks
STATISTICS_SECONDS = 60.0  # the maximum time to wait for a session's statistics
FAST = {"FAIRLOG_PORT": "0", "FAIRLOG_SWEEP": "1"}


@contextmanager
def redirect_output(log: Path) -> Iterator[TextIO]:
    """Redirect the output of this process and its children to the file `log`.

    Yield a stream that still writes to the terminal. If an exception is raised, print the last
    lines of `log` there.
    """
    sys.stdout.flush()
    terminal, errors = os.dup(1), os.dup(2)
    with (
        log.open("ab") as file,
        os.fdopen(terminal, "w", encoding=sys.stdout.encoding, errors="replace") as shown,
    ):
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            yield shown
        except Exception:
            last = log.read_text(errors="replace").splitlines()[-20:]
            shown.writelines(f"{line}\n" for line in last)
            raise
        finally:
            os.dup2(terminal, 1)
            os.dup2(errors, 2)
            os.close(errors)


def run_demo(folder: Path | None) -> bool:
    """Play and print one session with each ruleset. Return True if every log is valid.

    If `folder` is set, save the logs there.
    """
    began = time.monotonic()
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(prefix="fairlog-demo-") as data,
        redirect_output(Path(data, "demo.log")) as terminal,
    ):
        console = Console(file=terminal, highlight=False)
        console.print("[bold]Fairlog demo[/]: a real server with all its processes, on free ports")
        settings = Settings.read(FAST | {"FAIRLOG_DATA": data})
        say = partial(console.print, style="grey62", markup=False)
        with (
            Supervisor(settings, prepare=prepare, say=say) as supervisor,
            ExitStack() as opened,
        ):
            url, played = supervisor.settings.local_url, list[PlayedSession]()
            for ruleset in RULESETS:
                player = SessionPlayer(url, read_script(ruleset), Path(data))
                opened.enter_context(closing(player))
                _play(console, player, supervisor.tend, every=_interval(player, not played))
                played.append(_export(player))
                if folder:
                    _save(folder, player.script.ruleset, played[-1])
                first = _statistics(console, player, supervisor.tend) if len(played) == 1 else None
                print_session(console, played[-1], first)
            for each in played:
                _statistics(console, each.player, supervisor.tend)
            console.print(f"\nThe worker has computed statistics for all {len(played)} sessions.")
    turns = sum(each.report.counts.turns for each in played)
    seconds = time.monotonic() - began
    print(
        f"Played {turns} turns in {seconds:.1f} s, stopped the server and deleted its data.\n"
        "Next: `make serve` (or `fairlog serve --demo`) plays these sessions on a server that keeps"
        " running. It prints links that open their tables in a browser, so that you can continue"
        " them."
    )
    return all(each.is_valid for each in played)


def _interval(player: SessionPlayer, is_first: bool) -> int:
    """Return the number of steps to play for each step that is printed."""
    return len(player.script.steps) // (LINES_OF_FIRST if is_first else LINES_OF_OTHERS) or 1


def _play(console: Console, player: SessionPlayer, tend: Callable[[], None], every: int) -> None:
    """Play a session while showing a progress bar, and print a selection of its steps."""
    console.rule(f"[bold]{player.script.ruleset}[/]: {player.script.title}")
    player.open()
    with progress(console) as bar:
        task = bar.add_task("playing over HTTP", total=len(player.script.steps))
        due = 0
        for number, played in enumerate(player.play()):
            tend()
            bar.update(task, advance=1)
            step = played.step
            looks_back = any(part is not UNSET for part in (step.rewind, step.open, step.fork))
            is_secret = step.audience is not UNSET or step.target is not UNSET
            if played.rule:
                continue
            if looks_back or is_secret or (number >= due and played.texts):
                due = max(due, number + every)
                console.print(draw_step(player, played))


def _statistics(console: Console, player: SessionPlayer, tend: Callable[[], None]) -> SessionReport:
    """Wait until the worker has computed the session's statistics, and return them.

    Raises UnexpectedResponseError if they do not cover the whole session within STATISTICS_SECONDS.
    """
    deadline = time.monotonic() + STATISTICS_SECONDS
    with console.status("waiting for the worker to compute the statistics"):
        while time.monotonic() < deadline:
            answer = player.gm.get(f"{player.path}/statistics")
            if answer.status == HTTPStatus.OK and answer.json["version"] == player.version:
                return msgspec.convert(answer.json["figures"], SessionReport)
            tend()
            time.sleep(0.05)
    raise UnexpectedResponseError(
        f"the worker did not compute the statistics for version {player.version} within"
        f" {STATISTICS_SECONDS:g} s:"
        f" {answer.body.decode()}"
    )


def _export(player: SessionPlayer, parent: bytes | None = None) -> PlayedSession:
    """Export the session and its forks, and verify their logs.

    If the session is a fork, `parent` is the exported log of its parent session.
    """
    file = player.gm.get(f"{player.path}/export", accept="application/x-fairlog").body
    table = msgspec.convert(player.gm.get(player.path).json["table"], Table)
    known = Evidence(parse_vkey(player.log_key), parent=None if parent is None else _lines(parent))
    report = verify(_lines(file), ed25519, known)
    return PlayedSession(
        player, file, table, report, [_export(each, file) for each in player.forks]
    )


def _save(folder: Path, name: str, played: PlayedSession) -> None:
    write_private(folder / f"{name}.fairlog", played.file)  # it holds the GM's secrets
    for number, fork in enumerate(played.forks, 1):
        _save(folder, f"{name}-fork-{number}", fork)


def _lines(file: bytes) -> Iterator[bytes]:
    return read_lines(io.BufferedReader(io.BytesIO(file)))
