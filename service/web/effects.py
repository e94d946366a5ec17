"""Where a command without chance would lead the token of a ring, number by number, and for how many points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from domain.chance import UndrawnChance
from domain.codec import encode
from domain.decider import By, Refused
from domain.ruleset import Message
from domain.session.messages import Declare
from domain.session.secrets import refuse_unseen
from domain.session.state import Session
from domain.session.turns import judge
from domain.table import Table
from service.web.fields import Field

MOST = 12  # values of a field that are tried


class Effect(NamedTuple):
    """One value of a field: the board, the point it leads to, what to call it; or the refusal."""

    board: str
    field: str
    value: int
    point: int
    said: str
    refused: Refused | None = None


def effects(
    state: Session, by: By, command: type[Message], fields: list[Field], example: Mapping[str, Any]
) -> list[Effect]:
    """Of a possible command without chance; none where it has no such field, or moves no token."""
    numbers = [field for field in fields if field.sort == "number" and _values(field)]
    now = state.ruleset.show(state.table)
    ring = next((name for name, board in now.boards.items() if board.shape == "ring"), None)
    if ring is None or len(numbers) != 1:
        return []
    [field] = numbers
    tried = [
        (value, _tried(state, by, command, {**example, field.name: value}))
        for value in _values(field)
    ]
    found = [
        _effect(now, after, ring, field.name, value)
        for value, after in tried
        if isinstance(after, Table)
    ]
    moved = [each for each in found if each is not None]
    if len(moved) < len(found) or not moved:
        return []
    return sorted([*moved, *_refused(now, ring, moved, tried)], key=lambda each: each.value)


def _values(field: Field) -> range:
    if field.low is None or field.high is None or field.high - field.low >= MOST:
        return range(0)
    return range(field.low, field.high + 1)


def _tried(
    state: Session, by: By, command: type[Message], given: Mapping[str, Any]
) -> Table | Refused:
    """The table as it would be."""
    wish, table = Declare(msgspec.Raw(encode(msgspec.convert(given, command)))), state.table
    try:
        with refuse_unseen(state):
            for event in judge(state, wish, by, UndrawnChance()):
                table = state.ruleset.decider.evolve(table, event)
            return state.ruleset.show(table)
    except Refused as no:
        return no


def _effect(now: Table, then: Table, ring: str, field: str, value: int) -> Effect | None:
    board = then.boards[ring]
    if board.index == now.boards[ring].index:
        return None
    paid = [
        f", {pool.now - then.pools[name].now} {pool.label}"
        for name, pool in now.pools.items()
        if name in then.pools and then.pools[name].now < pool.now
    ]
    return Effect(
        ring, field, value, board.index, f"{value} to {board.points[board.index]}{''.join(paid)}"
    )


def _refused(
    now: Table, ring: str, moved: list[Effect], tried: list[tuple[int, Table | Refused]]
) -> Iterator[Effect]:
    """Those that are refused, where the others went as many points as their number says."""
    board = now.boards[ring]
    count = len(board.points)
    if any((board.index + each.value) % count != each.point for each in moved):
        return
    for value, no in tried:
        if isinstance(no, Refused):
            point = (board.index + value) % count
            yield Effect(
                ring, moved[0].field, value, point, f"{value} to {board.points[point]}", no
            )
