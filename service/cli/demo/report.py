"""Demo report: prints each step and each session to the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET
from rich.console import Console, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from domain.table import Table
from domain.verify.messages import describe_origin
from domain.verify.report import Report
from projections.statistics_model import SessionReport
from service.charts.terminal.statistics import draw_summary
from service.charts.terminal.table import draw_table
from service.cli.demo.player import PlayedStep, SessionPlayer
from service.cli.verify import describe_verdict, print_report


class PlayedSession(NamedTuple):
    """A played session with its exported log, table, verification report and forks."""

    player: SessionPlayer
    file: bytes
    table: Table
    report: Report
    forks: list[PlayedSession]

    @property
    def is_valid(self) -> bool:
        return self.report.valid and all(fork.is_valid for fork in self.forks)


def draw_step(player: SessionPlayer, played: PlayedStep) -> RenderableType:
    """Return a grid with a step's version, text and notes.

    The notes explain secret steps, openings, rewinds and forks.
    """
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(width=5, justify="right", style="grey50")
    text = " ".join(played.texts) or "A roll that stays hidden even from the seat that made it."
    grid.add_row(str(played.version), Text(text))
    for note in _notes(player, played):
        grid.add_row("", Text(note, "grey62"))
    return grid


def _notes(player: SessionPlayer, played: PlayedStep) -> Iterator[str]:
    step = played.step
    if step.audience is not UNSET:
        yield from _both_sides(player, played)
    if step.open is not UNSET:
        version = player.marks[step.open].version
        [event] = player.events(step.by, version - 1, version)
        yield f"every seat can now see version {version}: {event.text}"
    if step.target is not UNSET:
        version = player.marks[step.target].version
        yield f"the target was fixed before the roll, at version {version}, which is still sealed"
    if step.rewind is not UNSET:
        version = player.marks[step.rewind].version
        roles = {held.seat: held.role for held in player.script.seats}
        whose = "taken back by the player: " if roles[step.by] == "player" else ""
        yield f"{whose}the table is as it was at version {version}; undone events stay in the log"
    if played.fork is not None:
        lines = " ".join(line for each in played.fork.steps for line in each.texts)
        yield f"{played.fork.script.title} {lines}"


def _both_sides(player: SessionPlayer, played: PlayedStep) -> Iterator[str]:
    """Yield a line that shows how a secret step looks to a seat outside its audience.

    If the step has no text, first yield a line that shows how it looks to its audience.
    """
    lines = {}
    for held in player.script.seats:
        events = player.events(held.seat, played.first - 1, played.version)
        texts = " ".join(event.text or "[sealed]" for event in events)
        lines[any(event.sealed for event in events)] = f"{held.name} ({held.role}) sees: {texts}"
    if not played.texts:
        yield lines[False]
    yield lines[True]


def print_session(
    console: Console, played: PlayedSession, statistics: SessionReport | None
) -> None:
    """Print a session's refused commands, its table, and the verdict on its log.

    If `statistics` is set, also print the statistics and the full verification report.
    """
    player, report = played.player, played.report
    rules = [step.rule for step in player.steps if step.rule]
    refused = (f"\nRefused commands ({len(rules)}): ", "bold"), ", ".join(dict.fromkeys(rules))
    console.print(Text.assemble(*refused))
    console.print(draw_table(played.table, console.width))
    if statistics is not None:
        console.print("\n[bold]Statistics[/], computed by the worker")
        console.print(draw_summary(statistics, _names(played)))
    if statistics is not None or report.failure:
        print_report(console, player.script.title, report)
    else:
        console.print(describe_verdict(player.script.title, report))
    for fork in played.forks:
        console.print(describe_verdict(fork.player.script.title, fork.report))
        if fork.report.origin:
            console.print(Text(f"  {describe_origin(fork.report.origin)}", "grey62"))


def _names(played: PlayedSession) -> dict[str, str]:
    """Return the name of each seat and each entity on the table, by id.

    Seat ids are prefixed with @.
    """
    seats = {f"@{held.seat}": held.name for held in played.player.script.seats}
    return seats | {entity: shown.name for entity, shown in played.table.entities.items()}
