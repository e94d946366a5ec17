"""What a terminal shows of any room: a table's boards, pools, decks and conditions, statistics as bars, the verdict."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import UNSET
from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from domain.table import Board, Deck, Die, Entity, Order, Pool, Table, Task
from domain.verify import Caution, Report, Rung
from domain.verify.meanings import FAILURES, WARNINGS

ACROSS, DOWN = 13, 3  # columns and rows from a ring's middle to its points
NARROW = 100  # columns from which boards and entities stand side by side
BAR = 12  # columns of a full bar
TOKEN, POINT, TRACK = "bold black on bright_yellow", "bold cyan", "grey42"


def picture(table: Table, width: int) -> RenderableType:
    """The whole table in so many columns: the boards, who stands around them, everything else below."""
    parts: list[RenderableType] = [_board(name, board) for name, board in table.boards.items()]
    if table.entities:
        parts.append(_entities(table))
    if width >= NARROW:
        sides = Grid.grid(padding=(0, 3))
        sides.add_row(*parts)
        parts = [sides]
    return Group(*parts, *(Text.assemble((f"{label} ", "grey62"), line) for label, line in _lines(table)))


def verdict(report: Report, *said: str) -> RenderableType:
    """What a check says of a log; `said` are lines to add."""
    counts, letters = report.counts, [graded.grade for graded in report.grades]
    lines = [
        f"{counts.turns} turns, {counts.events} events, {counts.draws} draws, {counts.declared_dice} declared dice,"
        f" {counts.rewinds} rewinds, {counts.rerolls} re-rolls after one",
        "grades: " + ", ".join(f"{letters.count(grade)} {grade}" for grade in sorted(set(letters))),
        *said,
        f"rungs that held: {', '.join(list(Rung)[: list(Rung).index(report.reached) + 1] if report.reached else ())}",
        f"log key: {report.log_key}",
    ]
    if report.failure:
        failed = report.failure
        lines.append(f"version {failed.version}, rung {failed.rung}: {failed.code}, {FAILURES.get(failed.code, '')}")
    warnings = [Text.assemble((f"{each.code} ", "yellow"), _meaning(each)) for each in report.warnings]
    title, style = ("VALID, checked offline", "green") if report.valid else ("INVALID", "red")
    heading = f"[bold]{title}, {len(warnings)} warnings[/]"
    return Panel(Group(*map(Text, lines), *warnings), title=heading, title_align="left", border_style=style)


def _meaning(caution: Caution) -> str:
    meaning, _ = WARNINGS[caution.code]
    return f"{caution.count} {meaning}" if caution.versions else meaning


def bar(now: float, most: float, style: str = "green") -> Text:
    """`now` of `most` as a bar."""
    full = round(BAR * max(0, min(now, most)) / most) if most > 0 else 0
    return Text.assemble(("█" * full, style), ("░" * (BAR - full), TRACK))


def charts(figures: Mapping[str, Any]) -> RenderableType:
    """A session's statistics: faces against chance, what each seat's actions came to, points gained and lost."""
    faces = [
        _faces(f"{source}, {dice}", values) for dice, by in figures["faces"].items() for source, values in by.items()
    ]
    shown = Grid.grid(padding=(0, 4))
    shown.add_row(Group(*faces), Group(_results(figures), _points(figures["points"])))
    return shown


def _faces(title: str, values: Mapping[str, Any]) -> RenderableType:
    """Seen as a bar, expected as a mark on it."""
    most = max(max(value["seen"], value["expected"]) for value in values.values())
    grid = _grid(title, "", "", "seen", "expected")
    for face, value in values.items():
        line = bar(value["seen"], most, style="cyan")
        column = min(BAR - 1, round(BAR * value["expected"] / most)) if most else 0
        line.stylize("bold bright_yellow reverse", column, column + 1)
        grid.add_row(Text(face, style="bold"), line, str(value["seen"]), f"{value['expected']:.1f}")
    return grid


def _grid(title: str, *headings: str) -> Grid:
    """A small table; its first two columns are words."""
    grid = Grid(
        title=title, title_style="bold", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False
    )
    for nth, heading in enumerate(headings):
        grid.add_column(heading, justify="right" if nth > 1 else "left", no_wrap=True)
    return grid


def _results(figures: Mapping[str, Any]) -> RenderableType:
    """How often each seat's actions were settled as what."""
    seats = {seat: _settled(uses) for seat, uses in figures["results"]["seats"].items()}
    outcomes = list(dict.fromkeys(outcome for counts in seats.values() for outcome in counts))
    grid = _grid("results", "seat", "", *outcomes, "turns")
    for seat, counts in seats.items():
        turns = figures["tempo"]["seats"].get(seat, {"turns": 0})["turns"]
        grid.add_row(seat, "", *(str(counts.get(outcome, 0)) for outcome in outcomes), str(turns))
    return grid


def _settled(uses: Mapping[str, Any]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for use in uses.values():
        for outcome, times in use["outcomes"].items():
            counts[outcome] = counts.get(outcome, 0) + times["settled"]
    return counts


def _points(points: Mapping[str, Any]) -> RenderableType:
    grid = _grid("points", "who", "pool", "gained", "lost")
    for entity, pools in points.items():
        for nth, (pool, reasons) in enumerate(pools.items()):
            gained, lost = (sum(why[way] for why in reasons.values()) for way in ("gained", "lost"))
            grid.add_row("" if nth else entity, pool, f"[green]{gained or ''}[/]", f"[red]{lost or ''}[/]")
    return grid


def _board(name: str, board: Board) -> RenderableType:
    drawn = _ring(board) if board.shape == "ring" else _line(board)
    return Group(Text(name, style="bold"), drawn)


def _line(board: Board) -> Text:
    text = Text()
    for nth, point in enumerate(board.points):
        text.append(f" {point} ", TOKEN if nth == board.at else POINT).append(" ")
    return text


def _ring(board: Board) -> Text:
    """The points on an ellipse, clockwise from the top, the token's lit."""
    longest = max(map(len, board.points), default=0) // 2 + 2
    cells = {_place(nth / 72): ("·", TRACK) for nth in range(72)}
    for nth, point in enumerate(board.points):
        row, column = _place(nth / len(board.points))
        label = f" {point} "
        for offset, letter in enumerate(label, -(len(label) // 2)):
            cells[row, column + offset] = (letter, TOKEN if nth == board.at else POINT)
    text = Text()
    for row in range(-DOWN, DOWN + 1):
        for column in range(-ACROSS - longest, ACROSS + longest + 1):
            text.append(*cells.get((row, column), (" ", "")))
        text.append("\n")
    return text


def _place(turn: float) -> tuple[int, int]:
    """Row and column, from the middle, of a part of the whole turn."""
    angle = 2 * math.pi * turn
    return -round(DOWN * math.cos(angle)), round(ACROSS * math.sin(angle))


def _entities(table: Table) -> RenderableType:
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    grid.add_column("at the table")
    grid.add_column("pools", no_wrap=True)
    grid.add_column("sheet")
    for name, entity in table.entities.items():
        pools = [_pool(pool) for pool in table.pools.values() if pool.entity == name]
        sheet = Text("\n".join(f"{title} {value}" for title, value in entity.sheet.items()), style="grey74")
        grid.add_row(_who(table, name, entity), Group(*pools), sheet)
    return grid


def _who(table: Table, name: str, entity: Entity) -> Text:
    status = (entity.status, "green" if entity.status == "ok" else "red")
    text = Text.assemble((entity.name, "bold"), (f"\n{entity.kind} of {entity.seat}: ", "grey62"), status)
    for condition in table.conditions.values():
        if condition.entity == name:
            rounds = "" if condition.rounds is UNSET else f" {condition.rounds}"
            text.append(f"\n{condition.label}{rounds}", "bright_red")
    return text


def _pool(pool: Pool) -> Text:
    most = pool.now if pool.max is UNSET else pool.max
    part = pool.now / most if most > 0 else 0.0
    style = "green" if part > 0.5 else "yellow" if part > 0.25 else "red"
    number = f" {pool.now}" if pool.max is UNSET else f" {pool.now}/{most}"
    return Text.assemble((f"{pool.label:3}", "grey62"), bar(pool.now, most, style=style), (number, style))


def _lines(table: Table) -> Iterator[tuple[str, Text]]:
    """The parts that take a line each."""
    for name, deck in table.decks.items():
        yield f"deck {name}:", _deck(deck)
    for name, die in table.dice.items():
        yield f"die {name}:", _die(die)
    for name, order in table.order.items():
        yield f"{name}:", _order(order)
    for name, task in table.tasks.items():
        yield f"open {name}:", _task(task)


def _deck(deck: Deck) -> Text:
    text = Text.assemble(("▮" * min(deck.left, 20), "blue"), f" {deck.left} left")
    for word, cards in (("up", deck.up), ("discard", deck.discard)):
        if cards:
            text.append(f", {word} {' '.join(cards)}")
    return text


def _die(die: Die) -> Text:
    text = Text()
    for sides in die.chain or (die.sides,):
        text.append(f" d{sides} ", TOKEN if sides == die.sides else TRACK)
    return text


def _order(order: Order) -> Text:
    text = Text()
    for nth, name in enumerate(order.ids):
        text.append(" → " if nth else "", TRACK).append(name, TOKEN if name == order.at else "")
    return text


def _task(task: Task) -> Text:
    sheet = ", ".join(f"{name} {value}" for name, value in task.sheet.items())
    return Text(f"{task.label} of {task.seat} waits: {task.waits} ({sheet})")
