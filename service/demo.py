"""`fairlog demo`: every room's evening on a real server, played, shown and verified."""

from __future__ import annotations

import http
import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from domain.proof.note import parse_vkey
from domain.rulesets import RULESETS
from domain.table import Table
from domain.verify import Known, verify
from projections.statistics_model import SessionReport
from service.bootstrap import prepare
from service.ed25519 import verify as ed25519
from service.embedded import NoServer
from service.evening import Evening, Happened
from service.player import OffScript, Unreachable
from service.scenes import looks_back, scene
from service.script import script_of
from service.settings import Settings
from service.supervisor import NotServing, Supervisor
from service.verdicts import Played, show, show_in_short
from service.verifier import read_lines

EXPECTED = (OffScript, Unreachable, NotServing, NoServer)
"""What can go wrong on somebody's machine, each with a line that says what."""

TOLD, TOLD_NEXT = (
    14,
    5,
)  # lines that are shown of the first evening as it is played, and of each further one
PATIENCE = 60.0  # seconds until the statistics must have come to the head
FAST = {"FAIRLOG_PORT": "0", "FAIRLOG_SWEEP": "1"}


@contextmanager
def aside(log: Path) -> Iterator[TextIO]:
    """What our children say goes into a file, so that the terminal, which is yielded, shows the play alone."""
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
            shown.writelines(
                f"{line}\n" for line in log.read_text(errors="replace").splitlines()[-20:]
            )
            raise
        finally:
            os.dup2(terminal, 1)
            os.dup2(errors, 2)
            os.close(errors)


def show_all(keep: Path | None) -> bool:
    """True where every step of every room went as scripted and every log is valid. `keep` takes the exported files."""
    began = time.monotonic()
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(prefix="fairlog-demo-") as folder,
        aside(Path(folder, "demo.log")) as terminal,
    ):
        console = Console(file=terminal, highlight=False)
        console.print(
            "[bold]Fairlog demo[/]: a real server, follower, worker and queue, on free ports"
        )
        with (
            Supervisor(
                Settings.read(FAST | {"FAIRLOG_DATA": folder}),
                prepare=prepare,
                say=_quietly(console),
            ) as supervisor,
            ExitStack() as held,
        ):
            played: list[Played] = []
            for room in RULESETS:
                evening = Evening(supervisor.settings.local_url, script_of(room), Path(folder))
                held.enter_context(closing(evening))
                played.append(_one(console, supervisor, evening, keep, in_short=bool(played)))
            _await_statistics(console, supervisor, played)
        turns, seconds = sum(each.report.counts.turns for each in played), time.monotonic() - began
        console.print(
            f"\n{turns} turns in {seconds:.1f} s, and all that was started has stopped. Next:"
        )
        console.print(
            "  [bold]make serve[/] (fairlog serve --demo) keeps serving, with these evenings open to play on"
        )
    return all(each.valid for each in played)


def _one(
    console: Console, supervisor: Supervisor, evening: Evening, keep: Path | None, in_short: bool
) -> Played:
    """One room's evening, with all that there is to see or in short."""
    script = evening.script
    console.rule(f"[bold]{script.ruleset}[/]: {script.title}")
    evening.open()
    happened = list(_shown_as_played(console, supervisor, evening, in_short))
    played = _taken_home(evening, happened)
    if keep:
        for part, each in (
            ("", played),
            *((f"-fork-{nth}", fork) for nth, fork in enumerate(played.forks, 1)),
        ):
            (keep / f"{script.ruleset}{part}.fairlog").write_bytes(each.file)
    if in_short:
        show_in_short(console, played)
    else:
        with console.status("the worker computes the statistics"):
            figures = _statistics(evening, supervisor.tend)
        show(console, played, figures)
    return played


def _shown_as_played(
    console: Console, supervisor: Supervisor, evening: Evening, in_short: bool
) -> Iterator[Happened]:
    """Plays it under a progress bar: about so many lines of it, and every step that looks back or opens a secret."""
    every = len(evening.script.steps) // (TOLD_NEXT if in_short else TOLD) or 1
    columns = (
        TextColumn("playing over HTTP"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        steps = progress.add_task("", total=len(evening.script.steps))
        due = False
        for nth, happened in enumerate(evening.play()):
            supervisor.tend()
            progress.update(steps, advance=1)
            due = due or nth % every == 0
            if looks_back(happened) or (happened.came and not in_short) or (due and happened.told):
                due = False
                progress.console.print(scene(evening, happened))
            yield happened


def _await_statistics(console: Console, supervisor: Supervisor, played: list[Played]) -> None:
    with console.status("the worker computes the statistics of every evening"):
        for each in played:
            _statistics(each.evening, supervisor.tend)
    console.print(
        f"\nThe worker has computed the statistics of all {len(played)} evenings, up to their last events."
    )


def _statistics(evening: Evening, tend: Callable[[], None]) -> SessionReport:
    """The figures as of the head. Raises OffScript where the worker does not come to it."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        answer = evening.gm.get(f"{evening.path}/statistics")
        if answer.status == http.HTTPStatus.OK and answer.json["version"] == evening.version:
            return msgspec.convert(answer.json["figures"], SessionReport)
        tend()
        time.sleep(0.05)
    raise OffScript(
        f"no statistics of version {evening.version} after {PATIENCE:g} s: {answer.body.decode()}"
    )


def _taken_home(evening: Evening, happened: list[Happened], parent: bytes | None = None) -> Played:
    """The exported file, checked offline under the key that was told when the evening opened; its forks beside it."""
    file = evening.gm.get(f"{evening.path}/export", accept="application/x-fairlog").body
    table = msgspec.convert(evening.gm.get(evening.path).json["table"], Table)
    known = Known(parse_vkey(evening.log_key), parent=None if parent is None else _lines(parent))
    forks = [_taken_home(fork.evening, fork.happened, file) for fork in evening.forks]
    return Played(evening, happened, file, table, verify(_lines(file), ed25519, known), forks)


def _lines(file: bytes) -> Iterator[bytes]:
    return read_lines(io.BufferedReader(io.BytesIO(file)))


def _quietly(console: Console) -> Callable[[str], None]:
    return lambda line: console.print(Text(f"  {line}", style="grey62"))
