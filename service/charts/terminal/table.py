"""The game table in a terminal: boards, entities, pools, decks, dice, turn orders and tasks."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import UNSET
from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from domain.table import Board, Condition, Deck, Die, Entity, Order, Pool, Table, Task

RING_COLUMNS, RING_ROWS = 13, 3  # columns and rows from a ring's centre to its points
SIDE_BY_SIDE_COLUMNS = 100  # minimum width for rings and entities side by side
BAR_COLUMNS = 12  # width of a full bar
TOKEN, POINT, TRACK = "bold black on bright_yellow", "bold cyan", "grey42"


def draw_table(table: Table, width: int) -> RenderableType:
    """Draw the game table: rings and entities at the top, everything else below.

    If `width` is large enough, rings and entities are side by side.
    """
    parts: list[RenderableType] = [
        Group(Text(name, style="bold"), _draw_ring(board))
        for name, board in table.boards.items()
        if board.shape == "ring"
    ]
    if table.entities:
        parts.append(_draw_entities(table))
    if width >= SIDE_BY_SIDE_COLUMNS and len(parts) > 1:
        sides = Grid.grid(padding=(0, 3))
        sides.add_row(*parts)
        parts = [sides]
    below = [Text.assemble((f"{label}  ", "grey62"), line) for label, line in _table_lines(table)]
    return Group(*parts, Columns(below, padding=(0, 4)))


def draw_bar(now: float, most: float, style: str = "green") -> Text:
    full = round(BAR_COLUMNS * max(0, min(now, most)) / most) if most > 0 else 0
    return Text.assemble(("█" * full, style), ("░" * (BAR_COLUMNS - full), TRACK))


def _draw_line(board: Board) -> Text:
    text = Text()
    for nth, point in enumerate(board.points):
        text.append(*_mark_token(point, nth == board.index))
    return text


def _mark_token(point: str, is_here: bool) -> tuple[str, str]:
    """Return the label and the style of a point, a die or an entity.

    If `is_here` is True, the label is in brackets, so it stands out even without colour.
    """
    return (f"[{point}]", TOKEN) if is_here else (f" {point} ", POINT)


def _draw_ring(board: Board) -> Text:
    """Draw the points on an ellipse, clockwise from the top, and mark the current one."""
    longest = max(map(len, board.points), default=0) // 2 + 2
    cells = {_ellipse_cell(nth / 72): ("·", TRACK) for nth in range(72)}
    for nth, point in enumerate(board.points):
        row, column = _ellipse_cell(nth / len(board.points))
        label, style = _mark_token(point, nth == board.index)
        for offset, letter in enumerate(label, -(len(label) // 2)):
            cells[row, column + offset] = (letter, style)
    text = Text()
    for row in range(-RING_ROWS, RING_ROWS + 1):
        for column in range(-RING_COLUMNS - longest, RING_COLUMNS + longest + 1):
            text.append(*cells.get((row, column), (" ", "")))
        text.append("\n")
    return text


def _ellipse_cell(turn: float) -> tuple[int, int]:
    """Return the row and column of a point on the ellipse, relative to the centre.

    `turn` is a fraction of a full circle.
    """
    angle = 2 * math.pi * turn
    return -round(RING_ROWS * math.cos(angle)), round(RING_COLUMNS * math.sin(angle))


def _draw_entities(table: Table) -> RenderableType:
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    grid.add_column("at the table")
    if table.pools:
        grid.add_column("pools", no_wrap=True)
    grid.add_column("sheet")
    widest = max((len(pool.label) for pool in table.pools.values()), default=0)
    for name, entity in table.entities.items():
        pools = Group(
            *(_draw_pool(pool, widest) for pool in table.pools.values() if pool.entity == name)
        )
        sheet = Text(
            " · ".join(f"{title} {value}" for title, value in entity.sheet.items()), style="grey74"
        )
        grid.add_row(_draw_entity(table, name, entity), *([pools] if table.pools else []), sheet)
    return grid


def _draw_entity(table: Table, name: str, entity: Entity) -> Text:
    status = (entity.status, "green" if entity.status == "ok" else "red")
    text = Text.assemble(
        (entity.name, "bold"), (f"\n{entity.kind} of {entity.seat}: ", "grey62"), status
    )
    for condition in table.conditions.values():
        if condition.entity == name:
            text.append("\n").append(_draw_condition(condition))
    return text


def _draw_condition(condition: Condition) -> Text:
    rounds = "" if condition.rounds is UNSET else f" {condition.rounds}"
    return Text(f"{condition.label}{rounds}", "bright_red")


def _draw_pool(pool: Pool, widest: int = 0) -> Text:
    most = pool.now if pool.max is UNSET else pool.max
    part = pool.now / most if most > 0 else 0.0
    style = "green" if part > 0.5 else "yellow" if part > 0.25 else "red"
    number = f" {pool.now}" if pool.max is UNSET else f" {pool.now}/{most}"
    return Text.assemble(
        (f"{pool.label:{widest}} ", "grey62"),
        draw_bar(pool.now, most, style=style),
        (number, style),
    )


def _table_lines(table: Table) -> Iterator[tuple[str, Text]]:
    """Yield a label and a line for each part of the table except rings and entities.

    Pools and conditions are included if their entity is not on the table.
    """
    for name, board in table.boards.items():
        if board.shape == "line":
            yield name, _draw_line(board)
    for name, pool in table.pools.items():
        if pool.entity not in table.entities:
            yield name, _draw_pool(pool)
    for name, condition in table.conditions.items():
        if condition.entity not in table.entities:
            yield name, _draw_condition(condition)
    for name, deck in table.decks.items():
        yield f"deck {name}", _draw_deck(deck)
    for name, die in table.dice.items():
        yield f"die {name}", _draw_die(die)
    for name, order in table.order.items():
        yield f"order {name}", _draw_order(order)
    for name, task in table.tasks.items():
        yield f"open {name}", _draw_task(task)


def _draw_deck(deck: Deck) -> Text:
    text = Text.assemble(("▮" * min(deck.remaining, 20), "blue"), f" {deck.remaining} left")
    for word, cards in (("up", deck.up), ("discard", deck.discard)):
        if cards:
            text.append(f", {word} {' '.join(cards)}")
    return text


def _draw_die(die: Die) -> Text:
    if not die.sides:
        return Text("used up", TRACK)
    text = Text()
    for sides in die.chain or (die.sides,):
        text.append(*_mark_token(f"d{sides}", sides == die.sides))
    return text


def _draw_order(order: Order) -> Text:
    text = Text()
    for nth, name in enumerate(order.ids):
        text.append("→" if nth else "", TRACK).append(*_mark_token(name, name == order.current))
    return text


def _draw_task(task: Task) -> Text:
    sheet = ", ".join(f"{name} {value}" for name, value in task.sheet.items())
    return Text(f"{task.label} by {task.seat} is open. Next: {task.waits} ({sheet})")
