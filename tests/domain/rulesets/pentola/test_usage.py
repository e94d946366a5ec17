"""Usage dice: rolled at once or a minute later, down the chain, refilled by the referee (rulings 16 and 17)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.pentola import commands as c
from domain.rulesets.pentola import events as e
from domain.rulesets.pentola.rules import CHAIN, Die, Usable
from tests.domain.rulesets.given import check, play
from tests.domain.rulesets.pentola.people import GM, P1, TOPH

ITEM, ABILITY = Usable
USED, TWICE = e.ItemUsed("toph", "herbs", 1), e.ItemUsed("toph", "herbs", 2)
DUE = e.RollsDue("toph", "herbs", 1)


def set_to(die: Die, due: int = 0, waiting: int = 0) -> e.UsageDieAdjusted:
    return e.UsageDieAdjusted("toph", "herbs", Die.D8, die, due, waiting, "as the example begins")


CASES: list[tuple[str, Sequence[Message], By, Message, Sequence[int], Sequence[Message]]] = [
    # id, given, who, when, die, then
    (
        "an ability at once",
        [],
        P1,
        c.UseAbility("toph", "second wind"),
        [2],
        [e.UsageRolled("toph", "second wind", ABILITY, Die.D4, 2, Die.D4, 0, 0)],
    ),
    ("an item waits", [], P1, c.UseItem("toph", "herbs"), [], [USED]),
    ("used again", [USED], P1, c.UseItem("toph", "herbs"), [], [TWICE]),
    ("a minute passes", [TWICE], GM, c.PassMinute(), [], [e.RollsDue("toph", "herbs", 2)]),
    (
        "what was due stays due",
        [DUE, USED],
        GM,
        c.PassMinute(),
        [],
        [e.RollsDue("toph", "herbs", 2)],
    ),
    (
        "then it rolls",
        [e.RollsDue("toph", "herbs", 2)],
        P1,
        c.RollUsage("toph", "herbs"),
        [1],
        [e.UsageRolled("toph", "herbs", ITEM, Die.D8, 1, Die.D6, 1, 0)],
    ),
    (
        "for the referee the minute is over",
        [TWICE],
        GM,
        c.RollUsage("toph", "herbs"),
        [8],
        [e.UsageRolled("toph", "herbs", ITEM, Die.D8, 8, Die.D8, 0, 1)],
    ),
    (
        "expended, and what waits is void",
        [set_to(Die.D4, 2, 3)],
        P1,
        c.RollUsage("toph", "herbs"),
        [1],
        [e.UsageRolled("toph", "herbs", ITEM, Die.D4, 1, Die.EXPENDED, 0, 0)],
    ),
    (
        "refilled",
        [set_to(Die.EXPENDED)],
        GM,
        c.AdjustUsageDie("toph", "herbs", Die.D12, "a harvest"),
        [],
        [e.UsageDieAdjusted("toph", "herbs", Die.EXPENDED, Die.D12, 0, 0, "a harvest")],
    ),
    (
        "taken away",
        [TWICE],
        GM,
        c.AdjustUsageDie("toph", "herbs", Die.EXPENDED, "a fire"),
        [],
        [e.UsageDieAdjusted("toph", "herbs", Die.D8, Die.EXPENDED, 0, 0, "a fire")],
    ),
]


@pytest.mark.parametrize(
    ("given", "by", "when", "drawn", "then"),
    [row[1:] for row in CASES],
    ids=[row[0] for row in CASES],
)
def test_case(
    given: Sequence[Message], by: By, when: Message, drawn: Sequence[int], then: Sequence[Message]
) -> None:
    check(given=[*TOPH, *given], when=when, by=by, drawn=drawn, then=then)


def test_down_the_whole_chain() -> None:
    lefts = []
    log: list[Message] = [set_to(Die.D20)]
    for _ in CHAIN[:-1]:
        events = play(
            (P1, c.UseItem("toph", "herbs")),
            (GM, c.RollUsage("toph", "herbs"), 1),
            given=[*TOPH, *log],
        )
        log += events
        lefts += [event.left for event in events if isinstance(event, e.UsageRolled)]
    assert lefts == list(CHAIN[1:])
    check(given=[*TOPH, *log], when=c.UseItem("toph", "herbs"), by=P1, then="expended")


def usage(die: Die, face: int, left: Die, usable: Usable = Usable.ITEM) -> e.UsageRolled:
    held = "herbs" if usable is Usable.ITEM else "second wind"
    return e.UsageRolled("toph", held, usable, die, face, left, due=0, waiting=0)


HERBS_DUE = e.RollsDue("toph", "herbs", 1)


@pytest.mark.parametrize(("face", "left"), [(1, Die.D6), *((face, Die.D8) for face in range(2, 9))])
def test_pe_13_the_herbs(face: int, left: Die) -> None:
    then = [usage(Die.D8, face, left)]
    check(
        given=[*TOPH, HERBS_DUE], when=c.RollUsage("toph", "herbs"), by=P1, drawn=[face], then=then
    )


def test_pe_14_a_1_on_the_d4_expends_it_and_the_next_use_is_refused() -> None:
    expended = usage(Die.D4, 1, Die.EXPENDED, Usable.ABILITY)
    check(given=TOPH, when=c.UseAbility("toph", "second wind"), by=P1, drawn=[1], then=[expended])
    check(given=[*TOPH, expended], when=c.UseAbility("toph", "second wind"), by=P1, then="expended")
    emptied = e.UsageDieAdjusted("toph", "herbs", Die.D4, Die.EXPENDED, 0, 0, "a leak")
    check(given=[*TOPH, emptied], when=c.UseItem("toph", "herbs"), by=P1, then="expended")
