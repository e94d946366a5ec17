"""The vectors of the digest by their numbers, and its rulings: margins, pools, thresholds, refills, plain rolls."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import UNSET

from domain.ruleset import Message
from domain.rulesets.kingdoms import messages as m
from domain.rulesets.kingdoms.rules import Options, Refill
from tests.domain.rulesets.given import after, check, play
from tests.domain.rulesets.kingdoms.people import (
    ANA,
    CHA,
    CON,
    EXTENDED,
    GM,
    ORK,
    P1,
    adjusted,
    declared,
    dt,
    pooled,
    ready,
    rolled,
)

STRICT = Options(twelve_always_succeeds=False)
LOOSE = Options(whole_stats=False)

VECTORS = [
    # id, DT, rolls, successes, failures, margin, dice kept
    ("KR-1", 6, [7, 6, 12, 1], 3, 3, 0, 2),
    ("KR-2", 6, [12, 1], 2, 2, 0, 1),
    ("KR-3", 5, [6, 6, 5, 5], 2, 2, 0, 2),
    ("KR-5", 11, [12, 11], 2, 1, 1, 1),
    ("KR-6", 1, [1, 2, 3], 2, 2, 0, 2),
    ("KR-7", 6, [1, 1, 2], 0, 5, -5, 0),
    ("KR-12: the DT equals the die", 7, [7], 0, 1, -1, 0),
    ("ruling 1: a 12 at DT 12", 12, [12], 2, 0, 2, 1),
    ("ruling 1: nothing else is above DT 12", 12, [12, 11, 2, 1], 2, 4, -2, 1),
    ("ruling 3: a margin of 1 is enough", 6, [7], 1, 0, 1, 1),
    ("ruling 5: no dice at all", 6, [], 0, 0, 0, 0),
    ("ruling 6: a 1 is two failures and one die", 6, [1, 7, 7], 2, 2, 0, 2),
]


@pytest.mark.parametrize(
    ("number", "faces", "successes", "failures", "margin", "kept"), [row[1:] for row in VECTORS]
)
def test_margin(
    number: int, faces: list[int], successes: int, failures: int, margin: int, kept: int
) -> None:
    fell = rolled("ana", number, faces, (successes, failures, margin, len(faces) - kept))
    check(
        given=[*ANA, *ready("ana", len(faces), number)],
        when=m.RollTest("ana"),
        by=P1,
        drawn=faces,
        then=[fell],
    )
    assert fell.passed == (margin > 0)


@pytest.mark.parametrize(
    ("number", "faces", "margin"), [(12, [12], -1), (12, [12, 1], -3), (11, [12], 2)]
)
def test_the_other_reading_of_a_12_at_dt_12(number: int, faces: list[int], margin: int) -> None:
    failures = max(0, -margin)
    fell = rolled(
        "ana", number, faces, (max(0, margin), failures, margin, len(faces) if failures else 0)
    )
    then = [
        m.TestRolled(
            **{name: getattr(fell, name) for name in fell.__struct_fields__}
            | {"twelve_succeeds": False}
        )
    ]
    given = [*ANA, *ready("ana", len(faces), number)]
    check(given=given, when=m.RollTest("ana"), by=P1, drawn=faces, then=then, options=STRICT)


@pytest.mark.parametrize(("number", "faces"), [row[1:3] for row in VECTORS])
def test_pairing_by_hand_gives_the_same_margin(number: int, faces: list[int]) -> None:
    """A 12 or a 1 is put aside with two of the others: as if it lay there twice."""
    successes = [face for face in faces if face > number or face == 12] + [
        12 for face in faces if face == 12
    ]
    failures = [face for face in faces if face <= number and face != 12] + [
        1 for face in faces if face == 1
    ]
    fell = play((P1, m.RollTest("ana"), *faces), given=[*ANA, *ready("ana", len(faces), number)])[0]  # type: ignore[arg-type]
    assert isinstance(fell, m.TestRolled)
    assert fell.margin == len(successes) - len(failures)


EXTENDED_VECTORS = [
    # id, pool, stat, its value, DT, rolls, margin, removed, added, next pool
    ("KR-9", 4, CON, 2, 6, [7, 6, 12, 1], 0, 2, 2, 4),
    ("KR-11", 2, CON, 1, 3, [4, 12], 3, 0, 1, 3),
    ("refill by CHA", 2, CHA, 3, 6, [2, 3], -2, 2, 3, 3),
    ("ruling 5: an empty pool is refilled", 0, CON, 2, 6, [], 0, 0, 2, 2),
    ("ruling 5: a stat below zero takes dice", 3, CON, -1, 6, [7, 8, 2], 1, 1, -1, 1),
    ("ruling 5: but none that are not there", 2, CON, -5, 6, [7, 2], 0, 1, -1, 0),
    ("ruling 6: a 1 is one die", 3, CON, 0, 6, [1, 7, 7], 0, 1, 0, 2),
    ("ruling 12: the refill stops at 200", 199, CON, 5, 1, [2] * 199, 199, 0, 1, 200),
    ("ruling 12: 200 dice are rolled", 200, CON, 0, 1, [2] * 200, 200, 0, 0, 200),
]


@pytest.mark.parametrize(
    ("pool", "refill", "value", "number", "faces", "margin", "removed", "added", "left"),
    [row[1:] for row in EXTENDED_VECTORS],
)
def test_an_extended_test_goes_on_with_what_did_not_fail(
    pool: int,
    refill: Refill,
    value: int,
    number: int,
    faces: list[int],
    margin: int,
    removed: int,
    added: int,
    left: int,
) -> None:
    given: list[Message] = [
        *ANA,
        adjusted("ana", refill, value),
        *ready("ana", pool, number, refill),
    ]
    given += play((P1, m.RollTest("ana"), *faces), given=given)  # type: ignore[arg-type]
    assert isinstance(given[-1], m.TestRolled)
    assert (given[-1].margin, given[-1].failed, given[-1].passed) == (margin, removed, UNSET)
    then = [
        m.Interpreted("ana", 1, "so"),
        m.Refilled("ana", 1, removed, refill, value, added, left),
    ]
    check(given=given, when=m.Interpret("ana", "so"), by=GM, then=then)
    again = after(m.RollTest("ana"), [*given, *then])
    assert (again.tests["ana"].pool, again.tests["ana"].dt) == (
        left,
        number,
    )  # ruling 9: the DT stays


POOLS: list[tuple[str, Sequence[Message], m.AssemblePool, Options, Sequence[m.DiceSource], int]] = [
    # what, beside Ana, when, options, sources, pool
    ("one stat", [declared("ana")], m.AssemblePool("ana"), Options(), [m.DiceSource("STR", 4)], 4),
    (
        "ruling 4: the sum of stats and bonus",
        [declared("ana", "STR", "CON"), m.DiceGranted("ana", "high ground", 2)],
        m.AssemblePool("ana"),
        Options(),
        [m.DiceSource("STR", 4), m.DiceSource("CON", 2), m.DiceSource("high ground", 2)],
        8,
    ),
    (
        "the player says the dice of each",
        [declared("ana", "STR", "CON")],
        m.AssemblePool("ana", (4, 2)),
        Options(),
        [m.DiceSource("STR", 4), m.DiceSource("CON", 2)],
        6,
    ),
    (
        "a stat below zero takes dice",
        [declared("ana", "STR", "fear")],
        m.AssemblePool("ana", (4, -2)),
        Options(),
        [m.DiceSource("STR", 4), m.DiceSource("fear", -2)],
        2,
    ),
    (
        "but not below none",
        [declared("ana", "fear")],
        m.AssemblePool("ana"),
        Options(),
        [m.DiceSource("fear", -2)],
        0,
    ),
    (
        "fewer dice, where the option lets the player",
        [declared("ana", "STR", "CON")],
        m.AssemblePool("ana", (1, 0)),
        LOOSE,
        [m.DiceSource("STR", 1), m.DiceSource("CON", 0)],
        1,
    ),
]


@pytest.mark.parametrize(
    ("given", "when", "options", "sources", "pool"), [row[1:] for row in POOLS]
)
def test_pool(
    given: Sequence[Message],
    when: m.AssemblePool,
    options: Options,
    sources: Sequence[m.DiceSource],
    pool: int,
) -> None:
    assembled = m.PoolAssembled("ana", tuple(sources), pool)
    check(given=[*ANA, *given], when=when, by=P1, then=[assembled], options=options)


THRESHOLDS = [
    # AC of the ork, STR of Ana taken from it or not, computed, DT
    (8, (), 8, 8),
    (8, ("STR",), 4, 4),
    (12, (), 12, 12),
    (1, (), 1, 1),
    (15, (), 15, 12),  # ruling 2: clamped, and both numbers are logged
    (4, ("STR",), 0, 1),
    (-3, ("STR",), -7, 1),
]


@pytest.mark.parametrize(("armour", "less", "computed", "number"), THRESHOLDS)
def test_a_dt_from_the_stats_of_the_opponent(
    armour: int, less: tuple[str, ...], computed: int, number: int
) -> None:
    given = [*ANA, *ORK, adjusted("ork", "AC", armour), declared("ana"), pooled("ana", 4)]
    lessened = tuple(m.StatValue(name, 4) for name in less)
    then = m.DtDetermined("ana", "ork", (m.StatValue("AC", armour),), lessened, computed, number)
    check(given=given, when=m.DetermineDt("ana", "ork", ("AC",), less), by=GM, then=[then])


@pytest.mark.parametrize("number", range(1, 13))
def test_the_gr_sets_any_dt_from_1_to_12_and_may_change_it(number: int) -> None:
    given = [*ANA, declared("ana"), pooled("ana", 4)]
    check(given=given, when=m.SetDt("ana", number), by=GM, then=[m.DtSet("ana", number)])
    check(
        given=[*given, dt("ana", 6)],
        when=m.SetDt("ana", number),
        by=GM,
        then=[m.DtSet("ana", number, 6)],
    )
    again = m.DtDetermined("ana", "ork", (m.StatValue("AC", 8),), (), 8, 8, number)
    check(
        given=[*ORK, *given, dt("ana", number)],
        when=m.DetermineDt("ana", "ork", ("AC",)),
        by=GM,
        then=[again],
    )


@pytest.mark.parametrize(
    ("dice", "sides", "faces", "total"),
    [
        (2, 8, [8, 1], 9),
        (1, 4, [4], 4),
        (3, 6, [1, 1, 1], 3),
        (1, 10, [10], 10),
        (2, 12, [12, 1], 13),
        (1, 20, [20], 20),
        (1, 100, [100], 100),
    ],
)
def test_plain_rolls_add_up_and_no_face_is_special(
    dice: int, sides: int, faces: list[int], total: int
) -> None:
    """Ruling 11: a 12 and a 1 count 13, not more and not less."""
    rolls = m.DiceRolled("ana", sides, tuple(faces), total)
    check(given=ANA, when=m.RollDice(dice, sides, "ana"), by=P1, drawn=faces, then=[rolls])


COMPUTED = [
    # command, opponent's stats, halved, own stats, computed, DT
    (m.ComputeDt("ana", 6, ("CON",)), [], [], [("CON", 2)], 4, 4),
    (m.ComputeDt("ana", 6, ("CON", "STR")), [], [], [("CON", 2), ("STR", 4)], 0, 1),
    (m.ComputeDt("ana", 2, (), "ork", ("AC",)), [("AC", 8)], [], [], 10, 10),
    (m.ComputeDt("ana", 0, (), "ork", (), ("AC",)), [], [("AC", 8)], [], 4, 4),
    (m.ComputeDt("ana", 0, (), "ork", (), ("CHA", "AC")), [], [("CHA", -1), ("AC", 8)], [], 3, 3),
    (
        m.ComputeDt("ana", 3, ("fear",), "ork", ("AC",), ("CON",)),
        [("AC", 8)],
        [("CON", 4)],
        [("fear", -2)],
        15,
        12,
    ),
]


@pytest.mark.parametrize(("when", "stats", "halved", "less", "computed", "number"), COMPUTED)
def test_a_dt_from_a_number_and_stats(
    when: m.ComputeDt,
    stats: list[tuple[str, int]],
    halved: list[tuple[str, int]],
    less: list[tuple[str, int]],
    computed: int,
    number: int,
) -> None:
    """Digest 4: "6 - stat" of the classes, and half of DEX of bracing; halves are rounded down."""
    values = [tuple(m.StatValue(*stat) for stat in of) for of in (stats, halved, less)]
    then = m.DtComputed("ana", when.constant, *values, computed, number, when.opponent)
    given = [*ANA, *ORK, declared("ana"), pooled("ana", 4)]
    check(given=given, when=when, by=GM, then=[then])
    state = after(when, [*given, then])
    assert state.tests["ana"].dt == number


@pytest.mark.parametrize(
    ("when", "faces", "then"),
    [
        (m.RollDice(1, 100), [37], m.DiceRolled("@p1", 100, (37,), 37)),
        (
            m.RollDice(2, 8, "ana", "damage", 3),
            [8, 1],
            m.DiceRolled("ana", 8, (8, 1), 12, "damage", 3),
        ),
        (m.RollDice(1, 4, add=-5), [4], m.DiceRolled("@p1", 4, (4,), -1, added=-5)),
        (
            m.RollDice(1, 6, aim="who is first"),
            [6],
            m.DiceRolled("@p1", 6, (6,), 6, aim="who is first"),
        ),
    ],
)
def test_a_plain_roll_of_a_seat_and_with_a_number_added(
    when: m.RollDice, faces: list[int], then: m.DiceRolled
) -> None:
    check(given=ANA, when=when, by=P1, drawn=faces, then=[then])


def test_a_plain_roll_keeps_the_margin_that_it_works_out() -> None:
    fallen = rolled("ana", 6, [7, 7, 1], (2, 2, 0, 1), EXTENDED)
    happened: list[Message] = [*ANA, *ready("ana", 3, 6, CON), fallen]
    when = m.RollDice(1, 8, margin_of="ana")
    then = m.DiceRolled("@p1", 8, (5,), 5, margin_of="ana", margin=0)
    check(given=happened, when=when, by=P1, drawn=[5], then=[then])
    happened += [m.Interpreted("ana", 1, "so"), m.Refilled("ana", 1, 1, CON, 2, 2, 4)]
    check(given=happened, when=when, by=P1, drawn=[5], then=[then])


CHANGES = [
    # STR, by, STR afterwards
    (4, -3, 1),
    (4, -103, -99),
    (4, 95, 99),
    (-2, 2, 0),
]


@pytest.mark.parametrize(("old", "by", "new"), CHANGES)
def test_a_stat_is_raised_or_lowered_by_a_number(old: int, by: int, new: int) -> None:
    given = [*ANA, adjusted("ana", "STR", old)]
    then = m.StatAdjusted("ana", "STR", old, new, "a fall")
    check(given=given, when=m.ChangeStat("ana", "STR", by, "a fall"), by=GM, then=[then])
