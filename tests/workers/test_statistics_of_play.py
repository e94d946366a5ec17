"""Statistics of points, conditions, boards, usage dice, draws, rewinds and tempo, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from domain.rulesets import RULESETS
from domain.rulesets.open import messages as open_messages
from domain.tally import Attempted, Graded, Landed, Moved, Ticked, Voided, Wore
from projections.statistics_model import (
    BoardStatistics,
    ConditionStatistics,
    DrawnValue,
    DrawStatistics,
    Flow,
    ObservedCount,
    Pace,
    PoolStatistics,
    PossibleValue,
    Tempo,
    UndoneDraw,
    VoidedDraw,
    VoidedResult,
    VoidedValues,
)
from projections.tallies import TURN_KIND, SessionTallies, TalliedRewind, TalliedTurn
from tests.support.simulation import Table
from tests.workers.counts import of, report, tally, toss
from workers.statistics.report import Chosen, compute_report
from workers.statistics.running import MAX_ROLLS, MAX_VOIDS

OPEN = next(ruleset for ruleset in RULESETS if ruleset.name == "open")


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
    # set to rounds (s), rounds to go after a round     begun, ended, rounds, longest
    (["s3", 2, 1, 0],                                   ConditionStatistics(1, 1, 3, 3)),  # it ends by itself
    (["s3", 2, "s0"],                                   ConditionStatistics(1, 1, 1, 1)),  # lifted with 2 left
    (["s10", 0],                                        ConditionStatistics(1, 1, 10, 10)),  # ten rounds pass at once
    (["s10", "s0"],                                     ConditionStatistics(1, 1, 0, 0)),
    (["s3", 2, "s2", "s5", 0],                          ConditionStatistics(3, 1, 6, 6)),  # set again, and to more
    (["s5", "s2", 1, 0],                                ConditionStatistics(1, 1, 2, 2)),  # corrected: none passes
    (["s2", 1, "s4", 3, 0, "s2", 1],                    ConditionStatistics(3, 1, 6, 5)),
    (["s2", "s0", "s4", 3, "s0"],                       ConditionStatistics(2, 2, 1, 1)),
    (["s1", 0],                                         ConditionStatistics(1, 1, 1, 1)),
    (["s0"],                                            ConditionStatistics(0, 1, 0, 0)),  # it began in a secret
    ([3, 2, 0],                                         ConditionStatistics(0, 1, 3, 3)),  # or before a fork
]  # fmt: skip


def aflame(step: int | str) -> Ticked:
    is_set = isinstance(step, str)
    return Ticked("ana", "Aflame", int(str(step).removeprefix("s")), is_set)


@pytest.mark.parametrize(("ticks", "condition"), CONDITIONS)
def test_conditions(ticks: list[int | str], condition: ConditionStatistics) -> None:
    assert of(*map(aflame, ticks)).conditions == {"ana": {"Aflame": condition}}


def test_each_condition_of_each_entity_stands_apart() -> None:
    found = of(
        aflame("s3"), Ticked("ben", "Aflame", 2, True), Ticked("ana", "Blind", 4, True), aflame(0)
    ).conditions
    assert found == {
        "ana": {
            "Aflame": ConditionStatistics(1, 1, 3, 3),
            "Blind": ConditionStatistics(1, 0, 0, 0),
        },
        "ben": {"Aflame": ConditionStatistics(1, 0, 0, 0)},
    }


def test_rounds_of_a_table_are_those_that_were_played() -> None:
    """Prone for 3 rounds; dazed for 7, corrected to 5, of which 2 pass; the rest is ended by hand."""
    table = Table(OPEN, 1)
    commands = (
        ("p1", open_messages.CreateCharacter("ana", "Ana")),
        ("p1", open_messages.SetCondition("ana", "prone", rounds=3)),
        ("gm", open_messages.EndRound()),
        ("p1", open_messages.SetCondition("ana", "dazed", rounds=7)),
        ("p1", open_messages.SetCondition("ana", "dazed", rounds=5)),
        ("gm", open_messages.EndRound()),
        ("gm", open_messages.EndRound()),
        ("gm", open_messages.EndCondition("ana", "dazed")),
        ("gm", open_messages.EndRound()),
    )
    assert table.all(*commands)
    assert compute_report(table.evening()).conditions == {
        "ana": {"prone": ConditionStatistics(1, 1, 3, 3), "dazed": ConditionStatistics(1, 1, 2, 2)}
    }


RANGES = [
    # first, last; of 3, 2, 1, 0 in the versions 1 to 4
    (3, None, ConditionStatistics(0, 1, 2, 2)),
    (2, 3,    ConditionStatistics(0, 0, 2, 2)),
    (1, 1,    ConditionStatistics(1, 0, 0, 0)),
    (4, 4,    ConditionStatistics(0, 1, 1, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("first", "last", "condition"), RANGES)
def test_a_condition_that_began_before_the_versions_does_not_begin_in_them(
    first: int, last: int | None, condition: ConditionStatistics
) -> None:
    found = of(*map(aflame, ("s3", 2, 1, 0)), versions=(first, last)).conditions
    assert found == {"ana": {"Aflame": condition}}


def test_a_round_that_was_rewound_and_came_again_passed_once() -> None:
    ticks = [(1, "s3", False), (2, 2, True), (3, 1, True), (5, 2, False)]
    found = report(
        *(tally(at, aflame(left), undone=undone, dice="") for at, left, undone in ticks),
        rewinds=[rewind(4, 1)],
    )
    assert found.conditions == {"ana": {"Aflame": ConditionStatistics(1, 0, 1, 1)}}


def test_an_end_that_was_rewound_did_not_come() -> None:
    ticks = [(1, "s3", False), (2, "s0", True), (4, 2, False)]
    found = report(
        *(tally(at, aflame(left), undone=undone, dice="") for at, left, undone in ticks),
        rewinds=[rewind(3, 1)],
    )
    assert found.conditions == {"ana": {"Aflame": ConditionStatistics(1, 0, 1, 1)}}


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


def test_what_is_altered_by_another_hand_is_altered_where_it_was_rolled() -> None:
    """The alteration is in a turn without dice, or with dice of another origin."""
    for dice in ("", "declared"):
        found = report(tally(1, landed(0)), tally(2, landed(1, "altered"), dice=dice)).boards
        assert found == {"ring": BoardStatistics(("F", "S"), (1, 0), (0.25, 0.75), (0, 1))}


def test_landings_that_may_have_been_chosen_to_be_seen_are_not_on_the_board() -> None:
    found = of(landed(0), wore("rope", ""), sealed=True, chosen=[Chosen("drawn", "p1")])
    assert (found.boards, found.usage) == ({}, {})


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
    result = VoidedValues((PossibleValue(6, 4),), ("It would have been.",))
    found = of(
        Graded("@ana", "A"),
        Graded("@ben", "D"),
        Voided("@ana", 3, ("p2",)),
        Voided("@ben", 4, ("p2", "gm")),
        voided={3: VoidedResult(result, 9)},
    ).draws
    voids = VoidedDraw(3, 3, "ana", ("p2",), result, 9), VoidedDraw(4, 4, "ben", ("p2", "gm"))
    assert found == DrawStatistics(
        {"A": 1, "D": 1}, {"ana": {"A": 1}, "ben": {"D": 1}}, voids, {"gm": 1, "p2": 2}
    )


def test_a_rewind_does_not_undo_a_void() -> None:
    found = of(Graded("@ana", "A"), Voided("@ana", 3, ("p2",)), undone=True).draws
    assert (found.grades, len(found.voids), found.missing) == ({}, 1, {"p2": 1})


def test_of_many_voids_the_last_are_listed() -> None:
    found = of(*(Voided("@ana", nth, ("p2",)) for nth in range(MAX_VOIDS + 5))).draws
    assert [void.draw for void in found.voids] == list(range(5, MAX_VOIDS + 5))
    assert found.missing == {"p2": MAX_VOIDS + 5}, "of all"


def rewind(version: int, to: int) -> TalliedRewind:
    return TalliedRewind(version, 0, "gm", to)


def fallen(*rolls: tuple[int, str], rewinds: Any, **known: Any) -> Any:
    """Return the statistics of rewinds. Tosses before the first rewind are undone."""
    tallies = (
        tally(version, toss(value, **known), undone=version < rewinds[0].version)
        for version, value in rolls
    )
    return report(*tallies, rewinds=rewinds).rewinds


def test_the_next_roll_stands_beside_the_undone_one() -> None:
    found = fallen((1, "tails"), (6, "heads"), (8, "tails"), rewinds=[rewind(4, 0)])
    draws = DrawnValue(1, "tails", "tails", -25), DrawnValue(6, "heads", "heads", 25)
    assert found.draws == (UndoneDraw(draws[0], "p1", "ana", "toss", 4, draws[1]),)
    assert (found.count, found.turns) == (0, 0)


def test_the_next_roll_is_of_the_same_entity_and_kind() -> None:
    attempts = [
        tally(1, toss("tails"), undone=True),
        tally(3, toss("heads", entity="ben")),
        tally(4, Attempted("ana", "check", "heads", "heads", {"tails": (1, 2), "heads": (1, 2)})),
    ]
    [draw] = report(*attempts, rewinds=[rewind(2, 0)]).rewinds.draws
    assert draw.next is UNSET
    again = tally(5, toss("heads"), seat="gm", dice="declared")
    [draw] = report(*attempts, again, rewinds=[rewind(2, 0)]).rewinds.draws
    assert draw.next == DrawnValue(5, "heads", "heads", 25), "whoever rolls, and however"


def test_a_roll_without_luck_is_listed_without_it() -> None:
    [draw] = fallen((1, "tails"), rewinds=[rewind(2, 0)], scale=()).draws
    assert draw.draw == DrawnValue(1, "tails", "tails")


def test_of_many_rolls_those_among_the_newest_are_listed() -> None:
    rolls = [(version, "tails") for version in range(1, MAX_ROLLS + 11)]
    draws = fallen(*rolls, rewinds=[rewind(MAX_ROLLS + 11, 0)]).draws
    assert [each.draw.version for each in draws] == list(range(11, MAX_ROLLS + 11))


def test_of_some_versions_what_was_undone_later_is_undone_too() -> None:
    """As the numbers of turns and of rolls that count are."""
    tallies = [tally(1, toss("tails"), undone=True), tally(2, toss("heads"), undone=True)]
    found = report(*tallies, rewinds=[rewind(9, 0)], versions=(2, 5))
    assert [each.draw.version for each in found.rewinds.draws] == [2]
    assert found.luck["drawn"]["seats"] == {}


LEFT = [
    # rewinds, as (version, to)             the undone rolls of the versions 1, 2, 4, 6 and 7, and what undid them first
    ([(3, 1), (5, 2), (8, 0)],              [(1, 8), (2, 3), (4, 5), (6, 8), (7, 8)]),
    ([(3, 1), (5, 2), (8, 0), (9, 6)],      [(4, 5), (7, 8)]),  # 6 is there again, and 2 that led to it
    ([(8, 6)],                              [(7, 8)]),
]  # fmt: skip


@pytest.mark.parametrize(("left", "undone"), LEFT)
def test_a_draw_is_left_by_the_first_rewind_to_before_it(
    left: list[tuple[int, int]], undone: list[tuple[int, int]]
) -> None:
    gone = {version for version, _ in undone}
    tallies = [tally(at, toss("heads"), undone=at in gone) for at in (1, 2, 4, 6, 7)]
    draws = report(*tallies, rewinds=[rewind(*each) for each in left]).rewinds.draws
    assert [(each.draw.version, each.rewind) for each in draws] == undone


def turn(number: int, seconds: int, seat: str = "p1", **known: Any) -> TalliedTurn:
    usual = TalliedTurn(number, number, number, seconds * 1_000, seat, TURN_KIND, "", False, False)
    return usual._replace(**known)


def tempo_of(*turns: TalliedTurn) -> Tempo:
    return compute_report(SessionTallies(len(turns), (), turns, ())).tempo


def test_tempo() -> None:
    turns = [
        turn(nth, 60 * minute, seat)
        for nth, (minute, seat) in enumerate([(0, "p1"), (1, "p2"), (4, "p1"), (6, "p1")], 1)
    ]
    seats = {"p1": Pace(3, 0.75, 5.0), "p2": Pace(1, 0.25, 1.0)}
    assert tempo_of(*turns) == Tempo(4, 6.0, 2.0, seats, 0, ((2, 1.0), (3, 3.0), (4, 2.0)))


def test_a_break_is_no_wait() -> None:
    """Half an hour is a wait, a second more is a break. Who comes first after it has waited for nobody."""
    found = tempo_of(turn(1, 0), turn(2, 1_800, "p2"), turn(3, 3_601, "p2"), turn(4, 3_661))
    seats = {"p1": Pace(2, 0.5, 1.0), "p2": Pace(2, 0.5, 30.0)}
    assert found == Tempo(4, 31.0, 15.5, seats, 1, ((2, 30.0), (4, 1.0)))


MEDIANS = [
    # seconds between the turns   the median in minutes
    ([],                          0.0),
    ([60],                        1.0),
    ([60, 120],                   1.5),
    ([60, 60, 600],               1.0),
    ([10, 20, 40, 70],            0.5),
    ([5_000, 5_000],              0.0),
]  # fmt: skip


@pytest.mark.parametrize(("waits", "minutes"), MEDIANS)
def test_the_median_wait(waits: list[int], minutes: float) -> None:
    turns = [turn(nth + 1, sum(waits[:nth])) for nth in range(len(waits) + 1)]
    assert tempo_of(*turns).minutes_per_turn == minutes


def test_turns_that_were_undone_were_played_and_others_are_no_turns() -> None:
    turns = (
        turn(1, 0),
        turn(2, 60, undone=True),
        turn(3, 90, kind=""),
        turn(4, 120, "gm", kind="session.Rewound"),
        turn(5, 180),
    )
    found = compute_report(SessionTallies(5, (), turns, (rewind(4, 1),)))
    assert found.tempo == Tempo(3, 3.0, 1.5, {"p1": Pace(3, 1.0, 3.0)}, 0, ((2, 1.0), (5, 2.0)))
    assert (found.rewinds.count, found.rewinds.turns) == (1, 1)
