"""What people jump to: every mark as a row, and that an evening's other facts have none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import pytest
from msgspec.structs import replace

from domain.decider import By
from domain.ruleset import Message
from domain.session.annotations import Mark, mark
from domain.session.messages import (
    Close,
    Fork,
    HandOver,
    LeaveSeat,
    NameSeat,
    Narrate,
    OpenSeal,
    Rewind,
    TakeSeat,
)
from tests.domain.session.table import ANA, BEN, CREATE, DRAW, GM, OVER, READY, FrameTable, wish
from tests.support.example import EXAMPLE, of

BRING, OVERRIDE, PLAIN = wish(EXAMPLE.bring), wish(EXAMPLE.override), wish(of("rat", EXAMPLE.plain))
THE_RAT = [(GM, wish_) for wish_ in (CREATE, *READY)]
ROWS: list[tuple[str, Sequence[tuple[By, Message]], list[Mark | None]]] = [
    # when these, then the last one's facts are marked so
    ("a rewind", [(GM, CREATE), (GM, Rewind(3, "again"))], ["rewind"]),
    ("an override", [(ANA, BRING), (GM, OVERRIDE)], [None, "override"]),
    ("a secret draw", [*THE_RAT, (GM, replace(DRAW, audience="gm"))], ["secret", None, None]),
    (
        "a secret without a draw",
        [(ANA, BRING), (GM, replace(OVERRIDE, audience="self"))],
        ["secret", "override"],
    ),
    ("a whisper", [(ANA, Narrate("Psst.", audience="gm"))], ["secret"]),
    ("a promise kept", [(GM, Narrate("Psst.", audience="gm")), (GM, OpenSeal(7))], ["opened"]),
    ("a fork", [(GM, Fork("0" * 32, 6))], ["fork"]),
    ("a new GM", [(GM, HandOver("ana"))], ["handed-over", None]),
    ("the close", [(GM, Close(False))], ["close"]),
    ("words", [(BEN, Narrate("It rains."))], [None]),
    ("a roll", [*THE_RAT, (GM, DRAW)], [None, None, None]),
    ("a name", [(ANA, NameSeat("ana", "Ana"))], [None]),
    ("a leaving", [(BEN, LeaveSeat("ben"))], [None]),
    ("a coming back", [(BEN, LeaveSeat("ben")), (BEN, TakeSeat("ben", BEN.role))], [None]),
]


@pytest.mark.parametrize(("when", "then"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_marks(when: Sequence[tuple[By, Message]], then: list[Mark | None]) -> None:
    table = FrameTable()
    for by, command in when:
        before = table.session.version
        table.ask(command, by)
    assert [mark(fact) for fact in table.facts[before:]] == then


def test_what_comes_of_a_roll_has_no_mark() -> None:
    table = FrameTable()
    table.bring()
    before = table.session.version
    for command in (DRAW, PLAIN, *(each for each in OVER if each != PLAIN)):
        table.ask(command)
    assert {mark(fact) for fact in table.facts[before:]} == {None}


def test_an_evening_opens_without_a_mark() -> None:
    assert {mark(fact) for fact in FrameTable().facts} == {None}


def test_every_mark_has_a_row() -> None:
    assert {each for _, _, then in ROWS for each in then if each} == set(get_args(Mark))
