"""The worked examples of the book and the digest, FS-1 to FS-26, by their numbers."""

from __future__ import annotations

import pytest

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.fansys import commands as c, events as e
from domain.rulesets.fansys.decider import checks
from domain.rulesets.fansys.rules import dice, sheet
from domain.rulesets.fansys.rules.dice import ADVANTAGE, DISADVANTAGE, PLAIN, Twist
from domain.rulesets.fansys.rules.vocabulary import (
    DEX,
    INT,
    STR,
    WIS,
    Energy,
    Options,
    Pools,
    RollPurpose,
    Rounding,
    Status,
    Taking,
    Term,
    UnsettledCheck,
    Why,
)
from tests.domain.rulesets.fansys.people import (
    ANA,
    GM,
    NATURAL,
    P1,
    QUIET,
    SAFE,
    SUPERNATURAL,
    ability,
    created,
    full,
    left,
    modifier,
    opened,
    proficient,
    save,
    throw,
    with_stats,
)
from tests.domain.rulesets.given import Case, after, check, each_case

DOWN = Options(bonus_rounding=Rounding.DOWN)
BASE, POINTS = Term("Base", 1), Term("points", 2)

THROWS: list[tuple[str, Twist, list[int], tuple[int, ...], int]] = [
    # id, twist, faces, kept, sum with +2 and -2
    ("FS-1", PLAIN, [12, 7], (12, 7), 21),
    ("FS-2", PLAIN, [1, 1], (1, 1), -2),
    ("FS-4", PLAIN, [1, 12], (1, 12), 13),
    ("FS-5", ADVANTAGE, [3, 9, 12], (12, 9), 23),
    ("FS-6", DISADVANTAGE, [3, 9, 12], (3, 9), 12),
    ("FS-10", PLAIN, [10, 8], (10, 8), 18),
    ("the best", PLAIN, [12, 12], (12, 12), 28),
]


@pytest.mark.parametrize(
    ("twist", "faces", "kept", "sum_"), [row[1:] for row in THROWS], ids=[r[0] for r in THROWS]
)
def test_a_throw(twist: Twist, faces: list[int], kept: tuple[int, ...], sum_: int) -> None:
    assert dice.kept(faces, twist) == kept
    assert dice.adjusted_sum(kept) == sum_


SUCCESSES = [
    # id, sum, modifier, threshold, save or attack, success
    ("FS-2 skill", -2, 10, 8, False, True),
    ("FS-2 save", -2, 10, 8, True, False),
    ("FS-10 meets", 18, 4, 22, False, True),
    ("FS-10 fails", 18, 4, 23, False, False),
    ("two twelves in a skill", 28, 0, 29, False, False),
    ("two twelves in a save", 28, 0, 29, True, True),
]


@pytest.mark.parametrize(
    ("sum_", "plus", "threshold", "automatic", "success"),
    [row[1:] for row in SUCCESSES],
    ids=[r[0] for r in SUCCESSES],
)
def test_success(sum_: int, plus: int, threshold: int, automatic: bool, success: bool) -> None:
    assert dice.succeeds(sum_, plus, threshold, automatic) is success


def other(plus: int) -> Term:
    return Term("circumstance", plus)


def took(number: int, total: int, tries: int) -> e.Taken:
    return e.Taken("ana", RollPurpose.SKILL, "locks", number, (BASE, POINTS), total, tries)


VECTORS: list[tuple[str, list[Message], By, Message, list[int], list[Message]]] = [
    # id, given, who, when, the dice, then
    (
        "FS-1",
        [*ANA, modifier(5), ability("ana", DEX, threshold=26)],
        P1,
        c.Roll("ana"),
        [12, 7],
        [
            e.CheckRolled(
                "ana", RollPurpose.ABILITY, "DEX", throw(12, 7, terms=(other(5),)), 26, True
            )
        ],
    ),
    (
        "FS-2 a check that nothing can fail is not rolled",
        [*ANA, modifier(10), ability("ana", DEX, threshold=8)],
        P1,
        c.Roll("ana"),
        [],
        [e.CheckSettled("ana", RollPurpose.ABILITY, "DEX", True, Why.SURE)],
    ),
    (
        "FS-2 a save",
        [*ANA, modifier(9), save("ana", DEX, threshold=8)],
        P1,
        c.Roll("ana"),
        [1, 1],
        [
            e.CheckRolled(
                "ana", RollPurpose.SAVE, "DEX", throw(1, 1, terms=(BASE, other(9))), 8, False
            )
        ],
    ),
    (
        "FS-11",
        [*ANA, modifier(2), QUIET, opened("ana", threshold=10)],
        P1,
        c.Take("ana", Taking.CARE),
        [],
        [e.Taken("ana", RollPurpose.SKILL, "locks", 13, (BASE, POINTS, other(2)), 18, 1, 10, True)],
    ),
    (
        "FS-12: 24",
        [*ANA, SAFE, opened("ana", tries=100)],
        P1,
        c.Take("ana", Taking.BEST),
        [],
        [took(24, 27, 100)],
    ),
    (
        "FS-12: 20",
        [*ANA, SAFE, opened("ana", tries=20)],
        P1,
        c.Take("ana", Taking.TWENTY),
        [],
        [took(20, 23, 20)],
    ),
    (
        "FS-12: 13",
        [*ANA, QUIET, opened("ana")],
        P1,
        c.Take("ana", Taking.CARE),
        [],
        [took(13, 16, 1)],
    ),
    (
        "FS-19",
        [created("ana", sp_dice=10), left("ana", sp=30, sp_max=56, sp_dice=10, sp_owned=10)],
        GM,
        c.Harm("ana", NATURAL, 40, "a rockfall"),
        [],
        [
            e.DamageRolled("ana", "ana", 2, (), 40, False, 40),
            e.Harmed(
                entity="ana",
                nature=NATURAL,
                points=40,
                absorbed=30,  # of a cap of 32 there are 30
                cause="a rockfall",
                old=Pools(26, 26, 30, 56, 10, 10, 33, 33, 0, 0),
                pools=Pools(16, 26, 0, 56, 10, 10, 33, 33, 0, 0),
                status=Status.OK,
            ),
        ],
    ),
    (
        "FS-21",
        [created("ana"), left("ana", sp=0)],
        GM,
        c.Harm("ana", NATURAL, 7, "a fall"),
        [],
        [
            e.DamageRolled("ana", "ana", 2, (), 7, False, 7),
            e.Harmed(
                entity="ana",
                nature=NATURAL,
                points=7,
                absorbed=0,
                cause="a fall",
                old=Pools(26, 26, 0, 36, 0, 0, 33, 33, 0, 0),
                pools=Pools(19, 26, 0, 36, 0, 0, 33, 33, 0, 0),
                status=Status.OK,
            ),
        ],
    ),
    (
        "FS-23",
        [created("ana", sp_dice=8)],
        P1,
        c.SpendDice("ana", Energy.SP, 1, "a great leap"),
        [],
        [
            e.DiceSpent(
                entity="ana",
                energy=Energy.SP,
                dice=1,
                ability="a great leap",
                old=Pools(26, 26, 52, 52, 8, 8, 33, 33, 0, 0),
                pools=Pools(26, 26, 50, 52, 7, 8, 33, 33, 0, 0),
            )
        ],
    ),
    (
        "FS-25",
        [created("ana")],
        GM,
        c.Harm("ana", NATURAL, 7, "the wave", half=True),
        [],
        [
            e.DamageRolled("ana", "ana", 2, (), 7, True, 3),
            e.Harmed(
                entity="ana",
                nature=NATURAL,
                points=3,
                absorbed=3,
                cause="the wave",
                old=full(),
                pools=Pools(26, 26, 33, 36, 0, 0, 33, 33, 0, 0),
                status=Status.OK,
            ),
        ],
    ),
    (
        "FS-26 Bob rolls first",
        [
            created("anne"),
            created("bob", "p2"),
            ability("bob", STR),
            ability("anne", STR, against="bob"),
        ],
        GM,
        c.Roll("bob"),
        [8, 7],
        [e.CheckRolled("bob", RollPurpose.ABILITY, "STR", throw(8, 7)), e.TermsSet("anne", 15)],
    ),
    (
        "FS-26 Anne with 15",
        [created("anne"), ability("anne", STR, threshold=15, against="bob")],
        P1,
        c.Roll("anne"),
        [9, 6],
        [e.CheckRolled("anne", RollPurpose.ABILITY, "STR", throw(9, 6), 15, True)],
    ),
    (
        "FS-26 Anne with 14",
        [created("anne"), ability("anne", STR, threshold=15, against="bob")],
        P1,
        c.Roll("anne"),
        [9, 5],
        [e.CheckRolled("anne", RollPurpose.ABILITY, "STR", throw(9, 5), 15, False)],
    ),
]


BOB = created("bob", "p2", 6, with_stats(int=18), mp_dice=14)
ALICE = (created("alice", "p1", 5, with_stats(wis=15), mp_dice=6), proficient("alice", "WIS"))
AERITH = (created("aerith", "p1", 8, with_stats(wis=20), mp_dice=19), proficient("aerith", "WIS"))


def test_fs_14_and_15_base_and_stat() -> None:
    assert (sheet.base(6), sheet.stat_bonus(18)) == (2, 4)
    assert (sheet.base(5), sheet.stat_bonus(15)) == (1, 2)
    assert (sheet.base(8), sheet.stat_bonus(20)) == (2, 5)


@pytest.mark.parametrize(
    ("options", "sup", "dc"), [(DOWN, 2, 20), (Options(), 3, 21)], ids=["FS-16", "FS-17"]
)
def test_bobs_save_dc(options: Options, sup: int, dc: int) -> None:
    terms = (Term("Base", 2), Term("Sup", sup), Term("INT", 4))
    check(
        given=[BOB, *ALICE],
        when=c.ForceSave("bob", "alice", SUPERNATURAL, INT, WIS),
        by=By("p2", P1.role),
        options=options,
        then=[
            e.SaveForced("bob", "alice", SUPERNATURAL, terms, dc),
            e.CheckOpened(
                "alice", UnsettledCheck(RollPurpose.SAVE, "WIS", (WIS,), False, 1, False, dc)
            ),
        ],
    )


SAVES = [
    # id, who, given, options, save bonus, what the dice must sum to against Bob's DC
    ("FS-16", "alice", ALICE, DOWN, 4, 16),
    ("FS-16", "aerith", AERITH, DOWN, 10, 10),
    ("FS-17", "alice", ALICE, Options(), 4, 17),
    ("FS-17", "aerith", AERITH, Options(), 11, 10),
]


@pytest.mark.parametrize(("who", "given", "options", "bonus", "needs"), [row[1:] for row in SAVES])
def test_who_saves_against_bob(
    who: str, given: list[Message], options: Options, bonus: int, needs: int
) -> None:
    state = after(given[0], [BOB, *given], options)
    against = UnsettledCheck(RollPurpose.SAVE, "WIS", (WIS,), False, 1, False)
    assert (
        checks.sum_terms(checks.check_terms(state, state.entities[who], against, (WIS,))) == bonus
    )
    dc = 12 + checks.sum_terms(
        checks.save_dc_terms(state, state.entities["bob"], SUPERNATURAL, INT)
    )
    assert dc - bonus == needs


ROWS: list[Case] = [
    *(Case(*row) for row in VECTORS),
    Case(
        "fs 26 as the gm calls it",
        [created("anne"), created("bob", "p2")],
        GM,
        c.Oppose("bob", "anne", keeper_stat=STR, challenger_stat=STR),
        [],
        [ability("bob", STR), ability("anne", STR, against="bob")],
    ),
]


@each_case(ROWS)
def test_case(case: Case) -> None:
    case.check()
