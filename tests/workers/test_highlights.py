"""Headline and highlights: what a session is remembered for, in words."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from msgspec import UNSET

from domain.session.descriptions import fill
from domain.tally import Attempted, Owned
from projections import statistics_model as shapes
from projections.statistics_model import Highlight, Luck
from tests.workers.counts import check, die, of, report, tally, toss
from workers.statistics.highlights import (
    MAX_CHANCE,
    MAX_RAREST_CHANCE,
    describe_percentile,
    headline,
)

PERCENTILES = [
    (0.0,         "worse than 999,999 of 1,000,000 sessions"),
    (0.000004,    "worse than 999,996 of 1,000,000 sessions"),
    (0.001,       "worse than 999 of 1,000 sessions"),
    (0.01,        "worse than 99 of 100 sessions"),
    (0.1,         "worse than 9 of 10 sessions"),
    (0.24,        "worse than 7 of 10 sessions"),
    (0.25,        "an ordinary session"),
    (0.5,         "an ordinary session"),
    (0.75,        "an ordinary session"),
    (0.76,        "better than 7 of 10 sessions"),
    (0.9,         "better than 9 of 10 sessions"),
    (0.95,        "better than 9 of 10 sessions"),
    (0.951,       "better than 95 of 100 sessions"),
    (0.99,        "better than 99 of 100 sessions"),
    (0.999,       "better than 999 of 1,000 sessions"),
    (1.0,         "better than 999,999 of 1,000,000 sessions"),
]  # fmt: skip


@pytest.mark.parametrize(("percentile", "text"), PERCENTILES)
def test_a_percentile_in_words(percentile: float, text: str) -> None:
    assert describe_percentile(percentile) == text


def test_the_words_never_overstate_the_percentile() -> None:
    """And more luck is never told as less."""
    shares = []
    for nth in range(1, 5_000):
        percentile = 0.75 + nth / 20_000 if nth < 4_999 else 1 - 1e-6
        words = describe_percentile(percentile).split()
        shares.append(int(words[2].replace(",", "")) / int(words[4].replace(",", "")))
        assert shares[-1] <= percentile + 1e-9
        assert describe_percentile(1 - percentile).replace("worse", "better").split() == words
    assert all(before <= after for before, after in pairwise(shares))


def luck(percentile: float | None) -> Luck:
    return Luck(10, 0.0, (), percentile=UNSET if percentile is None else percentile)


HEADLINES = [
    # percentiles of the drawn values, of the typed-in ones                     who was luckiest
    ({}, {},                                "Too few rolls to say who was lucky."),
    ({"p1": None}, {},                      "Too few rolls to say who was lucky."),
    ({"p1": 0.5, "p2": 0.99}, {},           "{@p2} was luckiest: better than 99 of 100 sessions."),
    ({"p1": 0.51, "p2": 0.3}, {},           "{@p1} was luckiest, but not unusually lucky."),
    ({"p1": 0.5, "p2": 0.3}, {},            "No one was unusually lucky or unlucky."),
    ({"p1": 0.31, "p2": 0.1}, {},           "No one was lucky, and {@p2} was unluckiest: worse than 9 of 10 sessions."),
    ({"p1": 0.1, "p2": 0.01}, {},           "No one was lucky, and {@p2} was unluckiest: worse than 99 of 100 sessions."),
    ({"p1": 0.9, "p2": None}, {"p2": 1.0},  "{@p1} was luckiest: better than 9 of 10 sessions."),
    ({"p1": None}, {"p2": 0.9},             "{@p2} was luckiest with typed-in dice: better than 9 of 10 sessions."),
    ({}, {"p2": 0.1},
     "No one was lucky with typed-in dice, and {@p2} was unluckiest: worse than 9 of 10 sessions."),
]  # fmt: skip


@pytest.mark.parametrize(("drawn", "declared", "text"), HEADLINES)
def test_the_headline_says_who_was_luckiest(
    drawn: dict[str, float | None], declared: dict[str, float | None], text: str
) -> None:
    of_origins = {
        origin: {seat: luck(percentile) for seat, percentile in seats.items()}
        for origin, seats in (("drawn", drawn), ("declared", declared))
        if seats
    }
    unknown = "Too few rolls to say whether anything is suspicious."
    assert headline(of_origins, {}) == f"{text} {unknown}"


def summary(*texts: str, made: int = 1, final: bool = True) -> shapes.TestSummary:
    found = tuple(
        shapes.TestFinding("luck", "lucky", text, "Chance …", 0.001, 0.002) for text in texts
    )
    return shapes.TestSummary("lucky" if found else "fair", final, made, "…", found)


SUSPICIONS = [
    ({"drawn": summary(made=0)},                       "Too few rolls to say whether anything is suspicious."),
    ({"drawn": summary()},                             "Nothing suspicious."),
    ({"drawn": summary(final=False)},                  "Nothing suspicious so far."),
    ({"drawn": summary("Odd.", "Odder.")},             "Suspicious: Odd."),
    ({"drawn": summary(), "declared": summary("Bad.")}, "Suspicious: Bad."),
    ({"drawn": summary("Odd."), "declared": summary("Bad.")}, "Suspicious: Odd. Suspicious: Bad."),
]  # fmt: skip


@pytest.mark.parametrize(("verdicts", "text"), SUSPICIONS)
def test_the_headline_says_whether_anything_is_suspicious(
    verdicts: dict[str, shapes.TestSummary], text: str
) -> None:
    assert headline({}, verdicts) == f"Too few rolls to say who was lucky. {text}"


def rare(outcome: str, below: int, **known: Any) -> Attempted:
    """Return a check that succeeds once in so many."""
    return check(outcome, (1, below), **known)


def kinds(*counts: Any, **known: Any) -> dict[str, Highlight]:
    return {each.kind: each for each in of(*counts, **known).highlights}


def test_the_rarest_outcome() -> None:
    """Of rolls that ended as extremely in one direction: 1 in 20, not the 1 in 8 before it."""
    found = kinds(rare("won", 8), rare("won", 20, value="20"), rare("won", 10))
    assert found == {
        "rarest": Highlight(
            "rarest", "p1", "ana", 2, 2, 0.05, "{ana} rolled 20 (check): won (1 in 20)."
        )
    }


def test_bad_luck_is_rare_too() -> None:
    [found] = of(check("lost", (29, 30))).highlights
    assert (found.kind, found.chance) == ("rarest", pytest.approx(1 / 30, rel=1e-5))
    assert found.text == "{ana} rolled 7 (check): lost (1 in 30)."


def test_a_middle_outcome_is_as_rare_as_all_that_are_at_least_as_extreme() -> None:
    """The 2nd best of forty: 2 of 40 are as good."""
    chances = {str(each): (1, 40) for each in range(40)}
    assert kinds(Attempted("ana", "check", "38", "38", chances))["rarest"].chance == 0.05
    assert kinds(Attempted("ana", "check", "37", "37", chances)) == {}


@pytest.mark.parametrize(
    ("below", "stakes", "is_told"),
    [(20, "", True), (19, "", False), (19, "life", True), (5, "life", True), (4, "life", False)],
)
def test_a_usual_outcome_is_no_highlight(below: int, stakes: str, is_told: bool) -> None:
    """And a roll that is not rare can be the most decisive one."""
    found = kinds(rare("won", below, stakes=stakes))
    assert list(found) == (["rarest" if below == 20 else "decisive"] if is_told else [])
    assert (MAX_RAREST_CHANCE, MAX_CHANCE) == (1 / 20, 1 / 5)


def test_a_value_that_is_its_own_outcome_is_told_once() -> None:
    [found] = of(Attempted("ana", "damage", "1", "1", {"1": (1, 25), "2": (24, 25)})).highlights
    assert found.text == "{ana} rolled 1 (damage) (1 in 25)."


def test_a_drought_is_the_least_probable_row_without_a_success() -> None:
    """Three failures of 1/2 are 1/8, and two of 9/10, 1/100. Rolls that cannot succeed do not end a row."""
    damage = Attempted("ana", "damage", "4", "4", {"4": (1, 2), "8": (1, 2)})
    half, nine = check("lost", (1, 2)), check("lost", (9, 10))
    found = kinds(
        half, half, half, check("won", (1, 2)), nine, damage, nine, check("won", (1, 2)), half
    )
    assert found["drought"] == Highlight(
        "drought",
        "p1",
        "@p1",
        5,
        7,
        0.01,
        "{@p1} had 2 rolls in a row without a success (1 in 100).",
    )


def test_of_equal_droughts_the_first_is_told() -> None:
    lost, won = check("lost", (3, 4)), check("won", (3, 4))
    found = kinds(lost, lost, won, lost, lost, won)["drought"]
    assert (found.first, found.last) == (1, 2)
    longer = kinds(lost, lost, won, lost, lost, lost)["drought"]
    assert (longer.first, longer.last) == (4, 6)


def test_a_drought_of_a_seat_is_of_all_its_entities() -> None:
    found = report(
        tally(1, Owned("ana", "p1"), dice=""),
        tally(2, Owned("trap", "p1"), dice=""),
        *(
            tally(nth, check("lost", (1, 2), entity=("ana", "trap")[nth % 2]), seat="gm")
            for nth in range(3, 7)
        ),
        tally(7, check("won", (1, 2), entity="gm's"), seat="gm"),
    )
    [drought] = [each for each in found.highlights if each.kind == "drought"]
    assert (drought.seat, drought.first, drought.last, drought.chance) == ("p1", 3, 6, 1 / 16)


SAVES = [
    # outcome, is it a defence?, is it a highlight?
    ("won",  True,  True),
    ("lost", True,  False),
    ("won",  False, False),
]  # fmt: skip


@pytest.mark.parametrize(("outcome", "is_save", "is_told"), SAVES)
def test_a_save_is_a_rare_success_of_a_defence(outcome: str, is_save: bool, is_told: bool) -> None:
    """Beside something rarer, since a roll is one highlight only."""
    found = kinds(rare("won", 100), rare(outcome, 10, is_save=is_save))
    assert ("save" in found) is is_told
    if is_told:
        assert (found["save"].first, found["save"].chance) == (2, 0.1)


def test_a_success_that_is_bad_luck_is_no_save() -> None:
    """Of a defence that fails in 1 of 20 cases, just succeeds in 2, and succeeds well in 17."""
    chances = {"failure": (1, 20), "success": (2, 20), "critical": (17, 20)}
    save = Attempted("ana", "save", "7", "success", chances, ("success", "critical"), is_save=True)
    assert list(kinds(rare("won", 100), save)) == ["rarest"]


def test_good_luck_that_is_not_enough_is_no_save() -> None:
    chances = {"fumble": (17, 20), "failure": (2, 20), "success": (1, 20)}
    save = Attempted("ana", "save", "7", "failure", chances, ("success",), is_save=True)
    assert list(kinds(rare("won", 100), save)) == ["rarest"]


def test_the_decisive_roll_is_one_on_which_a_life_hung() -> None:
    """A less probable one on which only harm hung is decisive if no life hung on any."""
    life, harm = rare("won", 10, stakes="life"), rare("won", 50, stakes="harm")
    assert kinds(rare("won", 100), life, harm)["decisive"].first == 2
    assert kinds(rare("won", 100), harm)["decisive"].first == 2
    assert "decisive" not in kinds(rare("won", 100), rare("won", 50))


def test_a_roll_is_told_once() -> None:
    found = kinds(rare("won", 100, stakes="life", is_save=True))
    assert list(found) == ["rarest"]


def test_what_was_undone_or_is_not_ranked_is_no_highlight() -> None:
    assert of(rare("won", 100), undone=True).highlights == ()
    assert of(rare("won", 100, is_ranked=False)).highlights == ()
    assert of(toss("heads"), die(6)).highlights == ()


def test_of_drawn_and_typed_in_values_the_rarest_is_told() -> None:
    drawn, typed = tally(1, rare("won", 10)), tally(2, rare("won", 30), dice="declared")
    for tallies in ((drawn, typed), (typed._replace(version=1), drawn._replace(version=2))):
        [found] = report(*tallies).highlights
        assert found.chance == pytest.approx(1 / 30, rel=1e-5)


def test_the_moment_is_that_of_the_seat_that_plays_the_entity() -> None:
    [found] = report(
        tally(1, Owned("trap", "p2"), dice=""), tally(2, rare("won", 30, entity="trap"), seat="gm")
    ).highlights
    assert (found.seat, found.entity) == ("p2", "trap")
    assert (
        fill(found.text, {"trap": "The spear trap"})
        == "The spear trap rolled 7 (check): won (1 in 30)."
    )


def test_names_that_players_chose_are_no_ids() -> None:
    rolled = Attempted("ana", "pick {@gm}", "{3}", "{open}", {"shut": (29, 30), "{open}": (1, 30)})
    [found] = of(rolled).highlights
    assert fill(found.text, {"ana": "Ana", "@gm": "Grace"}) == (
        "Ana rolled {3} (pick {@gm}): {open} (1 in 30)."
    )
