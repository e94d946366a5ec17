"""What a terminal shows of an evening that was played: refusals, the table, statistics, and the check of its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET
from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from domain.table import Table
from domain.verify import Failure, Report, Rung
from domain.verify.meanings import FAILURES, held, provenance, warned
from domain.verify.meanings import verdict as in_short
from projections.statistics_model import SessionReport
from service.charts.terminal.statistics import draw_summary
from service.charts.terminal.table import draw_table
from service.evening import Evening, Fork, Happened
from service.eyes import Back, Opening, Sides
from service.words import counted


class Played(NamedTuple):
    """An evening after its last step: what is left of it on the server, and what the check of its file says."""

    evening: Evening
    happened: list[Happened]
    file: bytes
    table: Table
    report: Report
    forks: list[Played]

    @property
    def valid(self) -> bool:
        return self.report.valid and all(fork.valid for fork in self.forks)


def show(console: Console, played: Played, figures: SessionReport) -> None:
    """All that there is to see."""
    evening, refused = played.evening, [happened for happened in played.happened if happened.rule]
    console.print(f"\n[bold]Refused[/], and nothing was lost by it ({len(refused)})")
    console.print(_refusals(refused))
    console.print("\n[bold]The table at the end[/]")
    console.print(draw_table(played.table, console.width))
    console.print("\n[bold]Statistics[/], computed by the worker")
    console.print(draw_summary(figures, _names(played)))
    said = f"over HTTP: {evening.repeats} requests sent twice were played once, {evening.conflicts} were too late"
    console.print(_verdict(played.report, said))
    _show_forks(console, played)


def _names(played: Played) -> dict[str, str]:
    """Of seats, under @, and of the table's entities."""
    seats = {f"@{held.seat}": held.name for held in played.evening.script.seats}
    return seats | {entity: shown.name for entity, shown in played.table.entities.items()}


def show_in_short(console: Console, played: Played) -> None:
    """A few lines."""
    rules = [happened.rule for happened in played.happened if happened.rule]
    console.print(
        Text.assemble(
            (f"Refused ({len(rules)}) by ", "bold"), (", ".join(dict.fromkeys(rules)), "yellow")
        )
    )
    console.print(Text.assemble(("Looked back: ", "bold"), _looked_back(played.happened)))
    console.print(draw_table(played.table, console.width))
    report = played.report
    said = f"{_title(report)}: {_counted(report)}; warnings "
    console.print(
        Text.assemble(
            (said, _colour(report)), ", ".join(caution.code for caution in report.warnings)
        )
    )
    if report.failure:
        console.print(_failed(report.failure))
    _show_forks(console, played)


def _looked_back(happened: list[Happened]) -> str:
    """How often something was rewound, redone, hidden, opened and forked."""
    came = Counter(type(each.came) for each in happened)
    redone = sum(isinstance(each.came, Back) and each.came.redo for each in happened)
    return (
        f"{came[Back]} rewinds, {redone} of them a redo; {came[Sides]} secret turns, {came[Opening]} opened;"
        f" {came[Fork]} fork"
    )


def _show_forks(console: Console, played: Played) -> None:
    for fork in played.forks:
        report, origin = fork.report, fork.report.origin
        said = f"{in_short(report)}, checked offline beside its parent: {_counted(report)}; "
        told = provenance(origin) if origin else "no fork"
        console.print(
            Text.assemble((f"{fork.evening.script.title} ", "bold"), (said, _colour(report)), told)
        )
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
        *_hidden(report),
        *([_failed(report.failure)] if report.failure else []),
    ]
    warnings = [
        Text.assemble((f"{each.code} ", "yellow"), warned(report, each)) for each in report.warnings
    ]
    heading = f"[bold]{_title(report)}, {len(warnings)} warnings[/]"
    return Panel(
        Group(*map(Text, lines), *warnings),
        title=heading,
        title_align="left",
        border_style=_colour(report),
    )


def _hidden(report: Report) -> Iterator[str]:
    """What players took back, what stays sealed, and how much of the log that leaves unchecked."""
    if report.take_backs:
        yield f"taken back by players: version {', '.join(map(str, report.take_backs))}"
    if report.unopened:
        sealed = ", ".join(f"{count} of {seat}" for seat, count in report.unopened.items())
        yield f"secret turns that stay sealed: {sealed}"
    for part in report.partly:
        yield f"rung {part.rung}: {held(report, part.rung)}"


def _title(report: Report) -> str:
    return f"{in_short(report)}, checked offline"


def _colour(report: Report) -> str:
    return "green" if report.valid else "red"


def _counted(report: Report) -> str:
    counts = report.counts
    return (
        f"{counted(counts.turns, 'turn')}, {counted(counts.events, 'event')}, {counted(counts.draws, 'draw')},"
        f" {counted(counts.declared_dice, 'declared die', 'declared dice')}, {counted(counts.rewinds, 'rewind')}"
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
            Text(happened.step.by, style="grey62"),
            f"{kind} {asked}",
            Text(happened.rule, style="yellow"),
            facts,
        )
    return grid
