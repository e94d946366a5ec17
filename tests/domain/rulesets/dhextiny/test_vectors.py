"""The worked examples of the book and the digest, DX-1 to DX-20, by their numbers."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.dhextiny import messages as m
from domain.rulesets.dhextiny.rules import PF, PS, F, Options, Pool, RollPurpose, S, Status, path
from tests.domain.rulesets.dhextiny.people import (
    ANA,
    BEN,
    GM,
    P1,
    P2,
    amx,
    ap,
    at,
    checked,
    dying,
    lp,
)
from tests.domain.rulesets.given import check, play

ATTACK, CHECK = RollPurpose.ATTACK, RollPurpose.CHECK
SETTLED_PS = m.Settled("ana", CHECK, PS, 4, PS)
ON_BEN = [*ANA, *BEN]


def struck(start: int, face: int) -> m.Checked:
    return checked("ana", start, face, ATTACK, UNSET, "ben")


VECTORS = [
    # id, given, who, when, the die, then
    ("DX-1", [*ANA], P1, m.Check("ana"), [4], [m.Checked("ana", CHECK, 0, 4, 4, PS)]),
    (
        "DX-2",
        [*ANA, *BEN, checked("ana", 0, 4), SETTLED_PS],
        P2,
        m.Check("ben"),
        [3],
        [m.Checked("ben", CHECK, 4, 3, 1, PF)],
    ),
    (
        "DX-3",
        [*ANA, *BEN, checked("ben", 4, 3), m.Settled("ben", CHECK, PF, 1, PF)],
        P1,
        m.Check("ana"),
        [1],
        [m.Checked("ana", CHECK, 1, 1, 2, PS)],
    ),
    (
        "DX-4 from 5 AP",
        [*ANA, ap("ana", 5), checked("ana", 0, 6)],
        P1,
        m.Settle("ana"),
        [],
        [m.Settled("ana", CHECK, F, 0, F), m.Gained("ana", nominal=2, gain=2, ap=7)],
    ),
    (
        "DX-4 from 12 AP of 12",
        [*ANA, checked("ana", 0, 6)],
        P1,
        m.Settle("ana"),
        [],
        [m.Settled("ana", CHECK, F, 0, F), m.Gained("ana", nominal=2, gain=0, ap=12)],
    ),
    (
        "DX-5",
        [*ANA, ap("ana", 7), checked("ana", 3, 3)],
        P1,
        m.Settle("ana"),
        [],
        [m.Settled("ana", CHECK, F, 0, F), m.Gained("ana", nominal=2, gain=2, ap=9)],
    ),
    (
        "DX-6",
        [*ANA, checked("ana", 0, 2)],
        P1,
        m.Alter("ana", "locks", 1),
        [],
        [m.Altered("ana", "locks", start=2, steps=1, point=3, result=S, moved=3, cost=3, ap=9)],
    ),
    (
        "DX-8: the move to F",
        [*ANA, ap("ana", 6), checked("ana", 0, 4)],
        P1,
        m.AlterToF("ana", "locks"),
        [],
        [m.Altered("ana", "locks", start=4, steps=2, point=0, result=F, moved=6, cost=0, ap=6)],
    ),
    (
        "DX-8: the gain",
        [*ANA, ap("ana", 6), checked("ana", 0, 4), m.Altered("ana", "locks", 4, 2, 0, F, 6, 0, 6)],
        P1,
        m.Settle("ana"),
        [],
        [m.Settled("ana", CHECK, PS, 0, F), m.Gained("ana", nominal=2, gain=2, ap=8)],
    ),
    (
        "DX-10: the move",
        [*ON_BEN, struck(3, 3)],
        P1,
        m.Alter("ana", "locks", 2),
        [],
        [m.Altered("ana", "locks", start=0, steps=2, point=2, result=PS, moved=5, cost=2, ap=10)],
    ),
    (
        "DX-10: the hit",
        [*ON_BEN, struck(3, 3), m.Altered("ana", "locks", 0, 2, 2, PS, 5, 2, 10)],
        P1,
        m.Settle("ana"),
        [],
        [
            m.Settled("ana", ATTACK, F, 2, PS),
            m.Hit("ana", "ben", PS, damage=5, pool=Pool.AP, loss=5, left=7, status=Status.OK),
        ],
    ),
    ("DX-11", [*ON_BEN, struck(4, 3)], P1, m.Alter("ana", "locks", 2), [], "over-amx"),
    (
        "DX-12",
        [*ON_BEN, struck(0, 3)],
        P1,
        m.Settle("ana"),
        [],
        [
            m.Settled("ana", ATTACK, S, 3, S),
            m.Hit("ana", "ben", S, damage=3, pool=Pool.LP, loss=3, left=3, status=Status.OK),
        ],
    ),
    (
        "DX-15: dying",
        [*ON_BEN, lp("ben", 2), struck(5, 4)],
        P1,
        m.Settle("ana"),
        [],
        [
            m.Settled("ana", ATTACK, S, 3, S),
            m.Hit("ana", "ben", S, damage=4, pool=Pool.LP, loss=4, left=-2, status=Status.DYING),
        ],
    ),
    (
        "DX-15: dead at once",
        [
            *ON_BEN,
            lp("ben", 2),
            amx("ana", "locks", 4),
            struck(1, 6),
            m.Altered("ana", "locks", 1, 2, 3, S, 8, 4, 8),
        ],
        P1,
        m.Settle("ana"),
        [],
        [
            m.Settled("ana", ATTACK, PF, 3, S),
            m.Hit("ana", "ben", S, damage=8, pool=Pool.LP, loss=8, left=-6, status=Status.DEAD),
        ],
    ),
    (
        "DX-16",
        [*ANA, *dying("ana", 0)],
        P1,
        m.DeathCheck("ana"),
        [1],
        [m.DeathChecked("ana", 0, 1, 1, PF, old=0, lp=-1, status=Status.DYING)],
    ),
    (
        "DX-18",
        [*ANA, *dying("ana", -3)],
        P1,
        m.DeathCheck("ana"),
        [3],
        [m.DeathChecked("ana", 0, 3, 3, S, old=-3, lp=1, status=Status.OK)],
    ),
    ("DX-19: 1", [*ANA], P1, m.RollAbilities("ana"), [1], [m.AbilitiesRolled("ana", 1, 3)]),
    ("DX-19: 6", [*ANA], P1, m.RollAbilities("ana"), [6], [m.AbilitiesRolled("ana", 6, 8)]),
    ("DX-20", [*ANA, ap("ana", 4)], GM, m.Rest("ana"), [], [m.Rested("ana", gain=8, ap=12)]),
]


@pytest.mark.parametrize(
    ("given", "by", "when", "drawn", "then"),
    [row[1:] for row in VECTORS],
    ids=[r[0] for r in VECTORS],
)
def test_vector(
    given: list[Message], by: By, when: Message, drawn: list[int], then: list[Message] | str
) -> None:
    check(given=given, when=when, by=by, drawn=drawn, then=then)


def test_dx_1_and_2_name_the_points_on_the_way() -> None:
    assert path(0, 4) == (PF, PS, S, PS)
    assert path(4, 3) == (PF, F, PF)


def test_dx_11_is_a_legal_move_where_the_surcharge_does_not_count_but_costs_4_not_2() -> None:
    altered = m.Altered("ana", "locks", start=1, steps=2, point=3, result=S, moved=5, cost=4, ap=8)
    options = Options(s_surcharge_counts_for_amx=False)
    check(
        given=[*ON_BEN, struck(4, 3)],
        when=m.Alter("ana", "locks", 2),
        by=P1,
        then=[altered],
        options=options,
    )


def test_dx_15_as_it_is_played() -> None:
    *_, hit = play(
        (P1, m.Attack("ana", "ben"), 6),
        (P1, m.Alter("ana", "locks", 2)),
        (P1, m.Settle("ana")),
        given=[*ON_BEN, lp("ben", 2), amx("ana", "locks", 4), at(1)],
    )
    assert hit == m.Hit(
        "ana", "ben", S, damage=8, pool=Pool.LP, loss=8, left=-6, status=Status.DEAD
    )
