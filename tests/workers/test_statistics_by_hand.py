"""The figures of a few counts, worked out by hand."""

from __future__ import annotations

from typing import Any

from domain.rulesets import RULESETS
from domain.session.messages import Narrate
from domain.tally import Moved, Rolled, Settled, Ticked
from projections.tallies import Evening as Counted
from projections.tallies import Rewind, Tally, Turn, evening_of
from tests.evenings import Evening
from workers.statistics import conditions, faces, figures, points, results, rewinds, tempo


def test_an_evening_without_a_turn_has_figures() -> None:
    evening = Evening()
    evening.do("p1", Narrate("We are early."))
    figure = figures(evening_of(evening.room, evening.facts))
    assert figure["tempo"] == {"turns": 0, "minutes": 0.0, "minutes_per_turn": 0.0, "seats": {}}
    assert figure["faces"] == {"drawn": {}, "declared": {}}


def counting(*counts: Any, dice: Any = "drawn", undone: bool = False) -> list[Tally]:
    return [Tally(nth, 0, nth, 0, "p1", dice, False, undone, count) for nth, count in enumerate(counts, 1)]


def test_figures_by_hand() -> None:
    coin = {"heads": (1, 2), "tails": (1, 2)}
    tallies = counting(
        Rolled("ana", "coin", "heads", "toss", coin, "won", {"won": (1, 2), "lost": (1, 2)}),
        Rolled("ana", "coin", "tails", "toss", coin, "lost", {"won": (1, 4), "lost": (3, 4)}),
        Settled("ana", "toss", "won", "lost"),
        Moved("ana", "AP", -3, "alter"),
        Moved("ana", "AP", 2, "failure"),
        Ticked("ana", "Aflame", 3),
        Ticked("ana", "Aflame", 2),
        Ticked("ana", "Aflame", 2),
        Ticked("ana", "Aflame", 5),
        Ticked("ana", "Aflame", 0),
    )
    assert faces(tallies)["drawn"] == {
        "coin": {"heads": {"seen": 1, "expected": 1.0}, "tails": {"seen": 1, "expected": 1.0}}
    }
    none = {"seen": 0, "expected": 0.0}
    assert results(tallies) == {
        "toss": {
            "outcomes": {
                "won": {"settled": 1, "drawn": {"seen": 1, "expected": 0.75}, "declared": none},
                "lost": {"settled": 0, "drawn": {"seen": 1, "expected": 1.25}, "declared": none},
            },
            "changed": {"lost": {"won": 1}},
        }
    }
    assert points(tallies) == {
        "AP": {"alter": {"gained": 0, "lost": 3, "times": 1}, "failure": {"gained": 2, "lost": 0, "times": 1}}
    }
    assert conditions(tallies) == {"Aflame": {"begun": 3, "ended": 1, "rounds": 1}}


def test_a_redrawn_value_stands_beside_the_undone_one() -> None:
    before, after = (Rolled("ana", "d6", value, "check") for value in ("1", "6"))
    other = Rolled("ana", "d6", "3", "attack")
    tallies = counting(before, other, other, other, other, after)
    tallies[0] = tallies[0]._replace(undone=True)
    evening = evening_of(RULESETS[0], ())._replace(tallies=tuple(tallies), rewinds=(rewind(4, 0),))
    assert rewinds(evening)["draws"] == [
        {"version": 1, "value": "1", "seat": "p1", "entity": "ana", "source": "d6", "use": "check", "rewind": 4,
         "next": {"version": 6, "value": "6"}}
    ]  # fmt: skip


def rewind(version: int, to: int) -> Rewind:
    return Rewind(version, 0, "gm", to)


def test_tempo_by_hand() -> None:
    turns = [
        Turn(nth, nth, nth, minute * 60_000, seat, "session.Declared", "", False, False)
        for nth, (minute, seat) in enumerate([(0, "p1"), (1, "p2"), (4, "p1"), (6, "p1")], 1)
    ]
    assert tempo(turns) == {
        "turns": 4,
        "minutes": 6.0,
        "minutes_per_turn": 2.0,
        "seats": {"p1": {"turns": 3, "share": 0.75}, "p2": {"turns": 1, "share": 0.25}},
    }


def test_undone_counts_are_left_out() -> None:
    roll = Rolled("ana", "d6", "1", "check", {"1": (1, 6)})
    evening = Counted(9, tuple(counting(roll, undone=True)), (), (rewind(4, 0),))
    assert figures(evening)["faces"] == {"drawn": {}, "declared": {}}
