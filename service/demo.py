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
from typing import Any, NamedTuple, TextIO

import msgspec
from msgspec import UNSET
from rich.console import Console, Group
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid
from rich.text import Text

from domain.proof.note import parse_vkey
from domain.rulesets import RULESETS
from domain.table import Table
from domain.verify import Failure, Known, Report, Rung, verify
from domain.verify.meanings import FAILURES, warned
from domain.verify.meanings import verdict as in_short
from service.bootstrap import prepare
from service.charts import charts
from service.embedded import NoServer
from service.picture import picture
from service.player import Evening, Happened, OffScript, Unreachable, script_of
from service.settings import Settings
from service.supervisor import NotServing, Supervisor
from service.verifier import ed25519, read_lines

EXPECTED = (OffScript, Unreachable, NotServing, NoServer)
"""What can go wrong on somebody's machine, each with a line that says what."""

TOLD, TOLD_NEXT = 14, 5  # lines that are shown of the first evening as it is played, and of each further one
PATIENCE = 60.0  # seconds until the statistics must have come to the head
FAST = {"FAIRLOG_PORT": "0", "FAIRLOG_STATISTICS_BUCKET": "1", "FAIRLOG_SWEEP": "1"}


@contextmanager
def aside(log: Path) -> Iterator[TextIO]:
    """What our children say goes into a file, so that the terminal, which is yielded, shows the play alone."""
    sys.stdout.flush()
    terminal, errors = os.dup(1), os.dup(2)
    with log.open("ab") as file, os.fdopen(terminal, "w", encoding=sys.stdout.encoding, errors="replace") as shown:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            yield shown
        except Exception:
            shown.writelines(f"{line}\n" for line in log.read_text(errors="replace").splitlines()[-20:])
            raise
        finally:
            os.dup2(terminal, 1)
            os.dup2(errors, 2)
            os.close(errors)


class Played(NamedTuple):
    """An evening after its last step: what is left of it on the server, and what the check of its file says."""

    evening: Evening
    happened: list[Happened]
    file: bytes
    table: Table
    report: Report


def show_all(keep: Path | None) -> bool:
    """True where every step of every room went as scripted and every log is valid. `keep` takes the exported files."""
    began = time.monotonic()
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="fairlog-demo-") as folder, aside(Path(folder, "demo.log")) as terminal:
        console = Console(file=terminal, highlight=False)
        console.print("[bold]Fairlog demo[/]: a real server, follower, worker and queue, on free ports")
        with (
            Supervisor(
                Settings.read(FAST | {"FAIRLOG_DATA": folder}), prepare=prepare, say=_quietly(console)
            ) as supervisor,
            ExitStack() as held,
        ):
            played: list[Played] = []
            for room in RULESETS:
                evening = held.enter_context(closing(Evening(supervisor.settings.local_url, script_of(room))))
                played.append(_one(console, supervisor, evening, keep, in_short=bool(played)))
            _await_statistics(console, supervisor, played)
        turns, seconds = sum(each.report.counts.turns for each in played), time.monotonic() - began
        console.print(f"\n{turns} turns in {seconds:.1f} s, and all that was started has stopped. Next:")
        console.print("  [bold]make serve[/] (fairlog serve --demo) keeps serving, with these evenings open to play on")
    return all(each.report.valid for each in played)


def _one(console: Console, supervisor: Supervisor, evening: Evening, keep: Path | None, in_short: bool) -> Played:
    """One room's evening, with all that there is to see or in short."""
    script = evening.script
    console.rule(f"[bold]{script.ruleset}[/]: {script.title}")
    evening.open()
    happened = list(_shown_as_played(console, supervisor, evening, TOLD_NEXT if in_short else TOLD))
    played = _taken_home(evening, happened)
    if keep:
        (keep / f"{script.ruleset}.fairlog").write_bytes(played.file)
    if in_short:
        _show_in_short(console, played)
    else:
        with console.status("the worker computes the statistics"):
            figures = _statistics(evening, supervisor.tend)
        _show(console, played, figures)
    return played


def _shown_as_played(console: Console, supervisor: Supervisor, evening: Evening, lines: int) -> Iterator[Happened]:
    """Plays it under a progress bar; about so many lines of it, and every rewind."""
    every = len(evening.script.steps) // lines or 1
    columns = (TextColumn("playing over HTTP"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        steps = progress.add_task("", total=len(evening.script.steps))
        due = False
        for nth, happened in enumerate(evening.play()):
            supervisor.tend()
            progress.update(steps, advance=1)
            due = due or nth % every == 0
            if happened.step.rewind is not UNSET or (due and happened.told):
                due = False
                progress.console.print(_line(happened))
            yield happened


def _line(happened: Happened) -> Grid:
    line = Grid.grid(padding=(0, 2))
    line.add_column(width=5, justify="right", style="grey50")
    style = "magenta" if happened.step.rewind is not UNSET else ""
    line.add_row(str(happened.version), Text(" ".join(happened.told), style))
    return line


def _await_statistics(console: Console, supervisor: Supervisor, played: list[Played]) -> None:
    with console.status("the worker computes the statistics of every evening"):
        for each in played:
            _statistics(each.evening, supervisor.tend)
    console.print(f"\nThe worker has computed the statistics of all {len(played)} evenings, up to their last events.")


def _statistics(evening: Evening, tend: Callable[[], None]) -> Any:
    """The figures as of the head. Raises OffScript where the worker does not come to it."""
    gm = next(iter(evening.seats.values()))
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        answer = gm.get(f"{evening.path}/statistics")
        if answer.status == http.HTTPStatus.OK and answer.json["version"] == evening.version:
            return answer.json["figures"]
        tend()
        time.sleep(0.05)
    raise OffScript(f"no statistics of version {evening.version} after {PATIENCE:g} s: {answer.body.decode()}")


def _taken_home(evening: Evening, happened: list[Happened]) -> Played:
    """The exported file, checked offline under the key that was told when the evening opened."""
    gm = next(iter(evening.seats.values()))
    file = gm.get(f"{evening.path}/export", accept="application/x-fairlog").body
    table = msgspec.convert(gm.get(evening.path).json["table"], Table)
    lines = read_lines(io.BufferedReader(io.BytesIO(file)))
    report = verify(lines, ed25519, Known(parse_vkey(evening.log_key)))
    return Played(evening, happened, file, table, report)


def _show(console: Console, played: Played, figures: Any) -> None:
    evening, refused = played.evening, [happened for happened in played.happened if happened.rule]
    console.print(f"\n[bold]Refused[/], and nothing was lost by it ({len(refused)})")
    console.print(_refusals(refused))
    console.print("\n[bold]The table at the end[/]")
    console.print(picture(played.table, console.width))
    console.print("\n[bold]Statistics[/], computed by the worker")
    console.print(charts(figures))
    said = f"over HTTP: {evening.repeats} requests sent twice were played once, {evening.conflicts} were too late"
    console.print(_verdict(played.report, said))


def _show_in_short(console: Console, played: Played) -> None:
    rules = [happened.rule for happened in played.happened if happened.rule]
    console.print(Text.assemble((f"Refused ({len(rules)}) by ", "bold"), (", ".join(dict.fromkeys(rules)), "yellow")))
    console.print(picture(played.table, console.width))
    report = played.report
    said = f"{_title(report)}: {_counted(report)}; warnings "
    console.print(Text.assemble((said, _colour(report)), ", ".join(caution.code for caution in report.warnings)))
    if report.failure:
        console.print(_failed(report.failure))


def _verdict(report: Report, said: str) -> Panel:
    letters = [graded.grade for graded in report.grades]
    lines = [
        _counted(report),
        "grades: " + ", ".join(f"{letters.count(grade)} {grade}" for grade in sorted(set(letters))),
        said,
        f"rungs that held: {', '.join(list(Rung)[: list(Rung).index(report.reached) + 1] if report.reached else ())}",
        f"log key: {report.log_key}",
        *([_failed(report.failure)] if report.failure else []),
    ]
    warnings = [Text.assemble((f"{each.code} ", "yellow"), warned(report, each)) for each in report.warnings]
    heading = f"[bold]{_title(report)}, {len(warnings)} warnings[/]"
    return Panel(Group(*map(Text, lines), *warnings), title=heading, title_align="left", border_style=_colour(report))


def _title(report: Report) -> str:
    return f"{in_short(report)}, checked offline"


def _colour(report: Report) -> str:
    return "green" if report.whole else "red"


def _counted(report: Report) -> str:
    counts = report.counts
    return (
        f"{counts.turns} turns, {counts.events} events, {counts.draws} draws, {counts.declared_dice} declared dice,"
        f" {counts.rewinds} rewinds"
    )


def _failed(failed: Failure) -> str:
    return f"version {failed.version}, rung {failed.rung}: {failed.code}, {FAILURES.get(failed.code, '')}"


def _refusals(refused: list[Happened]) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    for happened in refused:
        wish = dict(happened.step.do) if happened.step.do is not UNSET else {"kind": "frame"}
        kind = str(wish.pop("kind")).rpartition(".")[2]
        facts = ", ".join(f"{name} {value}" for name, value in happened.facts.items())
        asked = " ".join(str(value) for value in wish.values())
        grid.add_row(
            Text(happened.step.by, style="grey62"), f"{kind} {asked}", Text(happened.rule, style="yellow"), facts
        )
    return grid


def _quietly(console: Console) -> Callable[[str], None]:
    return lambda line: console.print(Text(f"  {line}", style="grey62"))
