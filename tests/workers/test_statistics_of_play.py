"""The figures of points, conditions, boards, usage dice, draws, rewinds and tempo, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from domain.tally import Graded, Landed, Moved, Ticked, Voided, Wore
from projections.statistics_model import (
    BoardStatistics,
    ConditionStatistics,
    DrawnValue,
    DrawStatistics,
    Flow,
    ObservedCount,
    Pace,
    PoolStatistics,
    Tempo,
    UndoneDraw,
    VoidedDraw,
    VoidedValues,
)
from projections.tallies import TURN_KIND, SessionTallies, TalliedRewind, TalliedTurn, Tally
from tests.workers.counts import of, toss
from workers.statistics.report import compute_report
from workers.statistics.rewinds import VoidedResult


def test_points() -> None:
    found = of(
        Moved("ana", "AP", -3, "alter", 7),
        Moved("ana", "AP", 2, "failure", 9),
        Moved("ben", "LP", -1, "hit"),
    )
    assert found.points == {
        "ana": {
            "AP": PoolStatistics(
                {"alter": Flow(0, 3, 1), "failure": Flow(2, 0, 1)}, ((0, 10.0), (1, 7.0), (2, 9.0))
            ),
        },
        "ben": {"LP": PoolStatistics({"hit": Flow(0, 1, 1)})},
    }


CONDITIONS = [
    # rounds to go, tick by tick    begun, ended, rounds, longest
    ([3, 2, 1, 0],                  ConditionStatistics(1, 1, 2, 2)),
    ([3, 2, 2, 5, 0],               ConditionStatistics(3, 1, 1, 1)),
    ([2, 1, 4, 3, 0, 2, 1],         ConditionStatistics(3, 1, 3, 2)),
    ([1, 0],                        ConditionStatistics(1, 1, 0, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("ticks", "condition"), CONDITIONS)
def test_conditions(ticks: list[int], condition: ConditionStatistics) -> None:
    assert of(*(Ticked("ana", "Aflame", each) for each in ticks)).conditions == {
        "ana": {"Aflame": condition}
    }


def aflame(*ticks: tuple[int, int, bool]) -> tuple[Tally, ...]:
    """Version, rounds to go, undone."""
    return tuple(
        Tally(at, 0, at, 0, "p1", "", False, undone, Ticked("ana", "Aflame", left))
        for at, left, undone in ticks
    )


def test_a_condition_that_began_before_the_versions_does_not_begin_in_them() -> None:
    evening = SessionTallies(
        4, aflame((1, 3, False), (2, 2, False), (3, 1, False), (4, 0, False)), (), ()
    )
    assert compute_report(evening, first=3).conditions == {
        "ana": {"Aflame": ConditionStatistics(0, 1, 1, 1)}
    }
    assert compute_report(evening, first=2, last=3).conditions == {
        "ana": {"Aflame": ConditionStatistics(0, 0, 2, 2)}
    }
    assert compute_report(evening, first=1, last=1).conditions == {
        "ana": {"Aflame": ConditionStatistics(1, 0, 0, 0)}
    }


def test_a_round_that_was_rewound_and_came_again_is_no_beginning() -> None:
    ticks = aflame((1, 3, False), (2, 2, True), (3, 1, True), (5, 2, False))
    evening = SessionTallies(5, ticks, (), (rewind(4, 1),))
    assert compute_report(evening).conditions == {
        "ana": {"Aflame": ConditionStatistics(1, 0, 1, 1)}
    }
    assert compute_report(evening, undone=True).conditions == {
        "ana": {"Aflame": ConditionStatistics(1, 0, 3, 2)}
    }


def test_what_rewinds_bring_back_goes_on_where_it_was() -> None:
    ticks = aflame((1, 3, False), (2, 2, False), (4, 5, True), (6, 1, False))
    evening = SessionTallies(6, ticks, (), (rewind(3, 1), rewind(5, 2)))
    assert compute_report(evening, undone=True).conditions == {
        "ana": {"Aflame": ConditionStatistics(2, 0, 2, 2)}
    }


def landed(at: int, how: Any = "rolled", who: str = "ana") -> Landed:
    chances: dict[str, tuple[int, int]] = {"0": (1, 4), "1": (3, 4)} if how == "rolled" else {}
    return Landed(who, "ring", ("F", "S"), at, how, chances)


BOARDS = [
    # landings                                              rolled   settled
    ([landed(0)],                                           (1, 0),  (1, 0)),
    ([landed(0), landed(1, "altered")],                     (1, 0),  (0, 1)),
    ([landed(0), landed(1, who="ben"), landed(1, "altered")], (1, 1), (0, 2)),
    ([landed(0), landed(1, "altered"), landed(0)],          (2, 0),  (1, 1)),
    ([landed(1, "altered")],                                (0, 0),  (0, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("landings", "rolled", "settled"), BOARDS)
def test_boards(landings: list[Landed], rolled: tuple[int, ...], settled: tuple[int, ...]) -> None:
    expected = (0.25 * sum(rolled), 0.75 * sum(rolled))
    assert of(*landings).boards == {"ring": BoardStatistics(("F", "S"), rolled, expected, settled)}


def test_a_board_of_declared_dice_stands_apart() -> None:
    assert list(of(landed(0), dice="declared").boards) == ["ring, declared"]


def wore(thing: str, left: str, die: str = "d4") -> Wore:
    return Wore("ana", thing, die, left, (1, 4))


def test_usage_dice_by_kaplan_and_meier() -> None:
    """Rope goes at its second roll, oil at its first; the lamp held once, so that one of two was rolled twice."""
    found = of(wore("rope", "d4"), wore("oil", ""), wore("lamp", "d4"), wore("rope", "")).usage[
        "d4"
    ]
    assert (found.rolls, found.down) == (4, ObservedCount(2, 1.0, 0, 3))
    assert found.survived == ((1, 0.666667, 0.75), (2, 0.0, 0.5625))


def test_the_same_thing_with_a_fresh_die_is_another_die() -> None:
    found = of(wore("rope", ""), wore("rope", "d4")).usage["d4"]
    assert found.survived == ((1, 0.5, 0.75),)


def test_draws_by_grade_and_voids() -> None:
    shadow = VoidedValues(((6, 4),), ("It would have been.",))
    found = of(
        Graded("@ana", "A"),
        Graded("@ben", "D"),
        Voided("@ana", 3, ("p2",)),
        Voided("@ben", 4, ("p2", "gm")),
        voided={3: VoidedResult(shadow, 9)},
    ).draws
    voids = VoidedDraw(3, 3, "ana", ("p2",), shadow, 9), VoidedDraw(4, 4, "ben", ("p2", "gm"))
    assert found == DrawStatistics(
        {"A": 1, "D": 1}, {"ana": {"A": 1}, "ben": {"D": 1}}, voids, {"gm": 1, "p2": 2}
    )


def test_a_rewind_unmakes_no_attempt() -> None:
    found = of(Graded("@ana", "A"), Voided("@ana", 3, ("p2",)), undone=True).draws
    assert (found.grades, len(found.voids), found.missing) == ({}, 1, {"p2": 1})


def rewind(version: int, to: int) -> TalliedRewind:
    return TalliedRewind(version, 0, "gm", to)


def test_a_redrawn_value_stands_beside_the_undone_one() -> None:
    tallies = [
        Tally(nth, 0, nth, 0, "p1", "drawn", False, nth == 1, toss(value))
        for nth, value in [(1, "tails"), (6, "heads")]
    ]
    found = compute_report(SessionTallies(6, tuple(tallies), (), (rewind(4, 0),))).rewinds
    draws = DrawnValue(1, "tails"), DrawnValue(6, "heads")
    assert found.draws == (
        UndoneDraw(draws[0], "p1", "ana", "coin", "toss", 4, 0.25, draws[1], 0.75),
    )
    assert (found.count, found.turns) == (1, 0)


def test_of_a_pool_each_die_stands_beside_the_one_in_its_place() -> None:
    """Two dice are made again as one: the second has nothing beside it."""
    fallen = [(1, 0, "tails"), (1, 1, "heads"), (6, 0, "heads"), (8, 0, "tails")]
    tallies = [
        Tally(at, nth, at, 0, "p1", "drawn", False, at == 1, toss(value))
        for at, nth, value in fallen
    ]
    draws = compute_report(SessionTallies(8, tuple(tallies), (), (rewind(4, 0),))).rewinds.draws
    assert [each.draw for each in draws] == [DrawnValue(1, "tails"), DrawnValue(1, "heads")]
    assert [each.next for each in draws] == [DrawnValue(6, "heads"), UNSET]


def test_dice_of_a_turn_in_events_of_their_own_are_a_pool() -> None:
    fallen = [(1, 1, "tails"), (2, 1, "heads"), (6, 6, "heads"), (7, 6, "tails"), (8, 8, "heads")]
    tallies = [
        Tally(at, 0, turn, 0, "p1", "drawn", False, at < 3, toss(value))
        for at, turn, value in fallen
    ]
    draws = compute_report(SessionTallies(8, tuple(tallies), (), (rewind(4, 0),))).rewinds.draws
    assert [(each.draw.version, each.next.version) for each in draws if each.next] == [
        (1, 6),
        (2, 7),
    ]


def test_a_draw_is_left_by_the_first_rewind_to_before_it() -> None:
    left = (rewind(3, 1), rewind(5, 2), rewind(8, 0), rewind(9, 6))
    tallies = [
        Tally(at, 0, at, 0, "p1", "drawn", False, True, toss("heads")) for at in (1, 2, 4, 6, 7)
    ]
    draws = compute_report(SessionTallies(9, tuple(tallies), (), left)).rewinds.draws
    assert [(each.draw.version, each.rewind) for each in draws] == [
        (1, 8),
        (2, 3),
        (4, 5),
        (6, 8),
        (7, 8),
    ]


def test_tempo() -> None:
    turns = [
        TalliedTurn(nth, nth, nth, minute * 60_000, seat, TURN_KIND, "", False, False)
        for nth, (minute, seat) in enumerate([(0, "p1"), (1, "p2"), (4, "p1"), (6, "p1")], 1)
    ]
    seats = {"p1": Pace(3, 0.75, 5.0), "p2": Pace(1, 0.25, 1.0)}
    gaps, order = ((2, 1.0), (3, 3.0), (4, 2.0)), ((1, "p1"), (2, "p2"), (3, "p1"), (4, "p1"))
    assert compute_report(SessionTallies(4, (), tuple(turns), ())).tempo == Tempo(
        4, 6.0, 2.0, seats, gaps, order
    )
