"""Statistics of chance of a few counts, worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from msgspec import UNSET

from domain.rulesets import RULESETS
from domain.rulesets.kingdoms import messages as kingdoms
from domain.rulesets.kingdoms.presentation import tally as kingdoms_tally
from domain.session.messages import Narrate
from domain.tally import Attempted, Graded, Owned, Rolled, Settled
from projections import statistics_model as shapes
from projections.statistics_model import (
    ActionStatistics,
    Luck,
    ObservedCount,
    OutcomeCounts,
    SecretRolls,
    SessionReport,
    Streak,
    Successes,
    Tempo,
)
from projections.tallies import TalliedRewind, session_tallies
from tests.support import sessions
from tests.workers.counts import HEADS, check, coin, die, of, report, tally, toss
from tests.workers.recomputation import interval
from workers.statistics.luck import luck_points
from workers.statistics.play import MAX_POINTS
from workers.statistics.report import Chosen, compute_report
from workers.statistics.running import MAX_OWNER_CHANGES, Owners

NONE = ObservedCount(0, 0.0, 0, 0)
NO_LUCK: dict[str, Any] = {
    "drawn": {"seats": {}, "entities": {}},
    "declared": {"seats": {}, "entities": {}},
}
LATER = TalliedRewind(4, 0, "gm", 0)


def test_a_session_without_a_turn_has_statistics() -> None:
    evening = sessions.ScriptedSession()
    evening.do("p1", Narrate("We are early."))
    found = compute_report(session_tallies(evening.ruleset, evening.facts))
    assert found.tempo == Tempo(0, 0.0, 0.0, {})
    assert found.faces == {"drawn": {}, "declared": {}}
    assert (found.luck, found.streaks) == (NO_LUCK, NO_LUCK)
    assert (found.verdicts, found.highlights, found.secret) == ({}, (), {})
    assert found.headline == (
        "Too few rolls to say who was lucky. Too few rolls to say whether anything is suspicious."
    )
    assert (found.first, found.last, found.version) == (1, len(evening.facts), len(evening.facts))


def test_faces() -> None:
    found = of(coin("heads"), coin("tails"), coin("heads")).faces
    seen = {"heads": ObservedCount(2, 1.5, 0, 3), "tails": ObservedCount(1, 1.5, 0, 3)}
    [of_coin] = found["drawn"].values()
    assert (of_coin.draws, of_coin.values, of_coin.seats["p1"].values) == (3, seen, seen)
    assert of_coin.tests["faces"] == shapes.ChanceTest(3, "few")
    assert found["declared"] == {}


def test_faces_of_a_die_that_never_came_are_counted_too() -> None:
    [d4] = of(die(3, 4), die(3, 4)).faces["drawn"].values()
    assert d4.values == {
        str(face): ObservedCount(2 * (face == 3), 0.5, 0, 2) for face in range(1, 5)
    }


def test_cards_have_the_chances_of_those_that_were_left() -> None:
    """Two of three cards are aces; after one of them, one of two. Half an ace is a card as likely as the other."""
    ace = Rolled("ana", "deck A", "ace", "draw", ("ace", "ace", "two"))
    two = Rolled("ana", "deck A", "two", "draw", ("ace", "two"))
    [deck] = of(ace, two).faces["drawn"].values()
    assert deck.values == {
        "ace": ObservedCount(1, round(2 / 3 + 1 / 2, 6), 0, 2),
        "two": ObservedCount(1, round(1 / 3 + 1 / 2, 6), 0, 2),
    }


TENTHS = [
    # sides; the ranges
    (100, ["1 to 10", "11 to 20", "21 to 30", "31 to 40", "41 to 50",
           "51 to 60", "61 to 70", "71 to 80", "81 to 90", "91 to 100"]),
    (24,  ["1 to 3", "4 to 5", "6 to 8", "9 to 10", "11 to 12",
           "13 to 15", "16 to 17", "18 to 20", "21 to 22", "23 to 24"]),
    (20,  [str(face) for face in range(1, 21)]),
]  # fmt: skip


@pytest.mark.parametrize(("sides", "ranges"), TENTHS)
def test_a_die_with_many_faces_has_ten_ranges(sides: int, ranges: list[str]) -> None:
    [found] = of(*(die(face, sides) for face in range(1, sides + 1))).faces["drawn"].values()
    assert list(found.values) == ranges
    for label, count in found.values.items():
        first, _, last = label.partition(" to ")
        faces = int(last or first) - int(first) + 1
        assert (count.seen, count.expected) == (faces, faces)
    assert ("mean" in found.tests) is (sides > 20)


def test_what_was_typed_in_stands_apart() -> None:
    found = of(die(6), toss("heads"), dice="declared")
    assert found.faces["drawn"] == {}
    assert found.faces["declared"]["d6"].draws == 1
    for each in (found.luck, found.streaks):
        assert each["drawn"] == {"seats": {}, "entities": {}}
        assert list(each["declared"]["seats"]) == ["p1"]


def test_each_physical_die_with_a_name_stands_apart() -> None:
    counts = [
        tally(1, die(6), die="the red d6"),
        tally(2, die(5), die="the blue d6"),
        tally(3, die(4)),
    ]
    found = report(*(each._replace(dice="declared") for each in counts)).faces["declared"]
    assert {source: faces.draws for source, faces in found.items()} == {
        "d6": 1,
        "d6 (the blue d6)": 1,
        "d6 (the red d6)": 1,
    }


def test_without_values_nothing_is_compared_with_chance() -> None:
    found = of(die(6), toss("heads"), dice="")
    assert (found.faces, found.luck) == ({"drawn": {}, "declared": {}}, NO_LUCK)


D6 = {str(face): (1, 6) for face in range(1, 7)}
POINTS = [
    # the chances, from the worst outcome to the best;        the luck of each
    ({"tails": (1, 2), "heads": (1, 2)},                      [-25, 25]),
    (D6,                                                      [-42, -25, -8, 8, 25, 42]),
    ({"F": (1, 6), "PF": (2, 6), "PS": (2, 6), "S": (1, 6)},  [-42, -17, 17, 42]),
    ({"lost": (999, 1000), "won": (1, 1000)},                 [0, 50]),
    ({"lost": (1, 3), "won": (2, 3)},                         [-33, 17]),
    # A half is rounded away from 0: -49.5, 0 and 49.5.
    ({"low": (1, 100), "usual": (98, 100), "high": (1, 100)}, [-50, 0, 50]),
    # Nothing is worse than what never comes, and half of nothing is nothing.
    ({"never": (0, 4), "a": (1, 4), "b": (3, 4)},             [-50, -38, 13]),
]  # fmt: skip


@pytest.mark.parametrize(("chances", "points"), POINTS)
def test_the_luck_of_an_outcome(chances: dict[str, tuple[int, int]], points: list[int]) -> None:
    for outcome, luck in zip(chances, points, strict=True):
        attempt = Attempted("ana", "check", "7", outcome, chances)
        assert luck_points(attempt) == luck
        if chances[outcome][0]:
            assert of(attempt, undone=True, rewinds=(LATER,)).rewinds.draws[0].draw.luck == luck


LUCK = [
    # what came                    z, by hand: the sum of +-25 over 25 times the root of n
    (["heads"],                    [1.0]),
    (["heads", "tails"],           [1.0, 0.0]),
    (["heads", "heads", "heads"],  [1.0, 1.4142, 1.7321]),
]  # fmt: skip


@pytest.mark.parametrize(("came", "series"), LUCK)
def test_luck(came: list[str], series: list[float]) -> None:
    found = of(*map(toss, came)).luck["drawn"]["seats"]["p1"]
    assert found.series == tuple(enumerate(series, 1))
    assert found.z == pytest.approx(series[-1], abs=1e-4)
    assert found.draws == len(came)


def test_luck_is_measured_from_its_mean() -> None:
    """-33 or 17, on average 1/3; the variance is (33 1/3)^2 / 3 + (16 2/3)^2 * 2/3 = 5000/9."""
    found = of(check("won", (2, 3))).luck["drawn"]["seats"]["p1"]
    assert found.z == pytest.approx((17 - 1 / 3) / (5000 / 9) ** 0.5, abs=1e-6)


def test_luck_knows_which_outcomes_are_better_and_counts_none_where_none_is() -> None:
    assert of(toss("heads", HEADS[::-1])).luck["drawn"]["seats"]["p1"].z == -1.0
    assert of(toss("heads", ())).luck == NO_LUCK


def test_a_certain_outcome_is_no_luck() -> None:
    sure = Attempted("ana", "toss", "7", "won", {"won": (1, 1)}, ("won",))
    assert of(sure).luck == NO_LUCK
    assert of(sure, toss("heads")).luck["drawn"]["seats"]["p1"] == Luck(
        1,
        1.0,
        ((2, 1.0),),
        Successes(1, 1, 1.0),
        undone=0,
        tests={"luck": shapes.ChanceTest(1, "few")},
    )


PERCENTILES = [
    # heads of n coins; the share of sessions with less luck, half of those with as much
    (4, 4, UNSET),
    (5, 5, 31 / 32 + 1 / 64),
    (5, 3, 1 / 2 + 10 / 64),
    (5, 0, 1 / 64),
    (10, 10, 1 - 1 / 2048),
    (10, 5, 1 / 2),
]


@pytest.mark.parametrize(("number", "heads", "percentile"), PERCENTILES)
def test_percentiles_are_exact(number: int, heads: int, percentile: Any) -> None:
    came = [toss("heads")] * heads + [toss("tails")] * (number - heads)
    found = of(*came).luck["drawn"]["seats"]["p1"]
    assert found.percentile == (
        percentile if percentile is UNSET else pytest.approx(percentile, rel=1e-5)
    )
    assert (found.text is UNSET) is (percentile is UNSET)
    if number >= 10:
        p = min(1, 2 * min(percentile, 1 - percentile))
        assert found.tests["luck"].p == pytest.approx(p, rel=1e-5)
        assert (found.tests["luck"].method, found.tests["luck"].error) == ("exact", UNSET)


def test_an_entity_has_luck_but_no_verdict() -> None:
    found = of(*[toss("heads")] * 20)
    entity = found.luck["drawn"]["entities"]["ana"]
    assert (entity.draws, entity.percentile, entity.text, entity.tests) == (20, UNSET, UNSET, {})
    assert found.streaks["drawn"]["entities"]["ana"] == {"lucky": Streak(20, 1, 20)}


def test_successes() -> None:
    """One of two checks that could succeed, of 1/4 and 1/2; the damage could not."""
    damage = Attempted("ana", "damage", "4", "4", {str(face): (1, 4) for face in range(1, 5)})
    found = of(check("won", (1, 4)), check("lost", (1, 2)), damage).luck["drawn"]
    assert found["seats"]["p1"].successes == Successes(1, 2, 0.75)
    assert found["entities"]["ana"].successes == Successes(1, 2, 0.75)
    assert of(damage).luck["drawn"]["seats"]["p1"].successes is UNSET


def test_the_luck_of_an_entity_is_that_of_the_seat_that_plays_it() -> None:
    """The GM rolls the dice of p2's trap. The faces are those of the hand that threw them."""
    rolls = [
        tally(1, Owned("trap", "p2"), seat="gm", dice=""),
        tally(2, die(6, entity="trap"), seat="gm"),
        tally(2, toss("heads", entity="trap"), seat="gm", nth=1),
        tally(2, Settled("trap", "toss", "heads", "heads"), seat="gm", nth=2),
        tally(3, toss("tails", entity="@gm"), seat="gm"),
    ]
    found = report(*rolls)
    assert {seat: luck.z for seat, luck in found.luck["drawn"]["seats"].items()} == {
        "gm": -1.0,
        "p2": 1.0,
    }
    assert set(found.luck["drawn"]["entities"]) == {"trap", "@gm"}
    assert set(found.results["seats"]) == {"gm", "p2"}
    assert found.results["seats"]["p2"]["toss"].changed == {"heads": {"heads": 1}}
    assert list(found.faces["drawn"]["d6"].seats) == ["gm"]
    [best] = [each for each in found.highlights if each.entity == "trap"] or [None]
    assert best is None or best.seat == "p2"


def test_another_owner_has_the_luck_from_then_on() -> None:
    found = report(
        tally(1, Owned("ana", "p1")),
        tally(2, toss("heads")),
        tally(3, Owned("ana", "p2"), seat="gm"),
        tally(4, toss("tails"), seat="gm"),
    ).luck["drawn"]
    assert {seat: luck.z for seat, luck in found["seats"].items()} == {"p1": 1.0, "p2": -1.0}
    assert found["entities"]["ana"].z == 0.0


def test_a_rewind_gives_an_entity_back_to_the_seat_that_played_it() -> None:
    """Also for the tests, which cover the rolls that were undone."""
    rolls = [
        tally(1, Owned("ana", "p1"), dice=""),
        tally(2, Owned("ana", "p2"), seat="gm", dice="", undone=True),
        tally(3, toss("tails"), undone=True),
        *(tally(version, toss("heads")) for version in range(5, 17)),
    ]
    found = report(*rolls, rewinds=[TalliedRewind(4, 0, "gm", 1)]).luck["drawn"]["seats"]
    assert list(found) == ["p1"]
    assert (found["p1"].draws, found["p1"].undone) == (12, 0)
    assert found["p1"].tests["luck"].draws == 12


def test_a_rewind_into_a_branch_that_was_left_finds_its_owners() -> None:
    """p2 brings ana in one branch and p3 in another. The game goes on in the first one."""
    rolls = [
        tally(1, Owned("ben", "p1"), dice=""),
        tally(2, Owned("ana", "p2"), dice=""),
        tally(4, Owned("ana", "p3"), dice="", undone=True),
        *(tally(version, toss("heads"), seat="gm") for version in range(6, 18)),
        *(tally(version, toss("heads", entity="ben"), seat="gm") for version in range(18, 30)),
    ]
    rewinds = [TalliedRewind(3, 0, "gm", 1), TalliedRewind(5, 0, "gm", 2)]
    found = report(*rolls, rewinds=rewinds).luck["drawn"]["seats"]
    assert {seat: luck.tests["luck"].draws for seat, luck in found.items()} == {"p1": 12, "p2": 12}


def test_the_newest_changes_of_owners_are_kept() -> None:
    owners, last = Owners(), 2 * MAX_OWNER_CHANGES
    for version in range(1, last + 1):
        owners.own(version, "ana", f"p{version}")
    assert len(owners.versions) == len(owners.known) == MAX_OWNER_CHANGES
    owners.rewind(last + 1, last - 5)
    assert owners.newest() == {"ana": f"p{last - 5}"}
    owners.rewind(last + 2, 3)
    assert owners.newest() == {"ana": f"p{MAX_OWNER_CHANGES + 2}"}, "the oldest that is known"


def test_a_test_of_many_dice_is_one_draw_of_luck() -> None:
    """Of 4 dice at DT 5, where a 12 counts for two and a 1 against one, 391 of 768 tests are passed: luck is
    100 * (377/768 + 391/1536) - 50 = 24.5.
    """
    rolled = kingdoms.TestRolled(
        "ilse", kingdoms.PoolTestKind.BASIC, 1, 4, 5, True, (7, 7, 7, 1), 3, 1, 1, 1, 1, passed=True
    )
    found = of(*kingdoms_tally(rolled))
    assert found.faces["drawn"]["d12"].draws == 4
    luck = found.luck["drawn"]["seats"]["p1"]
    assert (luck.draws, luck.successes) == (1, Successes(1, 1, round(391 / 768, 6)))
    assert found.results["entities"]["ilse"]["basic test"].outcomes["passed"] == OutcomeCounts(
        1, ObservedCount(1, round(391 / 768, 6), 0, 1), NONE
    )
    assert found.streaks["drawn"]["seats"]["p1"] == {
        "lucky": Streak(1, luck.series[0][0], luck.series[0][0], 0.509115)
    }


STREAKS = [
    # what came       longest run of heads      of tails: of n coins P(a run of 1) = 1 - 2**-n; of 3, P(HH) = 3/8
    ("h",             Streak(1, 1, 1, 0.5),     None),
    ("hht",           Streak(2, 1, 2, 0.375),   Streak(1, 3, 3, 0.875)),
    ("thh",           Streak(2, 2, 3, 0.375),   Streak(1, 1, 1, 0.875)),
    ("hth",           Streak(1, 1, 1, 0.875),   Streak(1, 2, 2, 0.875)),
    ("hhhh",          Streak(4, 1, 4, 0.0625),  None),
    # Of 6, P(HH) = 43/64 and P(TT) as much: the first of equal rows counts.
    ("hhtthh",        Streak(2, 1, 2, 0.671875), Streak(2, 3, 4, 0.671875)),
]  # fmt: skip


@pytest.mark.parametrize(("came", "lucky", "unlucky"), STREAKS)
def test_streaks(came: str, lucky: Streak | None, unlucky: Streak | None) -> None:
    found = of(*(toss("heads" if each == "h" else "tails") for each in came))
    of_seat = found.streaks["drawn"]["seats"]["p1"]
    assert (of_seat.get("lucky"), of_seat.get("unlucky")) == (lucky, unlucky)


def test_an_outcome_without_good_or_bad_luck_ends_a_streak() -> None:
    """-50, 0 or 50. Of 3 draws, P(two in a row are high) is 1/4 * 1/4 * (1 + 3/4)."""
    chances = {"low": (1, 4), "usual": (1, 2), "high": (1, 4)}
    came = [Attempted("ana", "check", "7", each, chances) for each in ("high", "usual", "high")]
    assert of(*came).streaks["drawn"]["seats"]["p1"] == {"lucky": Streak(1, 1, 1, 0.578125)}
    assert of(*came[:1], *came[2:]).streaks["drawn"]["seats"]["p1"] == {
        "lucky": Streak(2, 1, 2, 0.0625)
    }


def test_results() -> None:
    found = of(
        check("won", (1, 2), use="toss"),
        check("lost", (1, 4), use="toss"),
        Settled("ana", "toss", "won", "lost"),
    ).results
    use = ActionStatistics(
        {
            "lost": OutcomeCounts(0, ObservedCount(1, 1.25, 0, 2), NONE),
            "won": OutcomeCounts(1, ObservedCount(1, 0.75, 0, 2), NONE),
        },
        {"lost": {"won": 1}},
    )
    assert found == {"seats": {"p1": {"toss": use}}, "entities": {"ana": {"toss": use}}}


@pytest.mark.parametrize(("outcomes", "is_compared"), [(12, True), (13, False)])
def test_outcomes_of_rolls_with_many_are_not_compared(outcomes: int, is_compared: bool) -> None:
    chances = {str(each): (1, outcomes) for each in range(outcomes)}
    attempt = Attempted("ana", "damage", "3 + 4", "7", chances)
    assert bool(of(attempt).results["seats"]) is is_compared
    found = of(attempt, Settled("ana", "damage", "7", "7")).results["seats"]["p1"]["damage"]
    assert found.outcomes["7"].settled == 1
    assert found.outcomes["7"].drawn.seen == is_compared
    assert len(found.outcomes) == (outcomes if is_compared else 1)


def test_what_was_undone_counts_for_faces_and_tests_alone() -> None:
    """Else who rewinds could choose what is tested."""
    rolls = [
        each
        for version in range(1, 13)
        for each in (
            tally(version, die(6), undone=version < 3),
            tally(version, toss("heads"), nth=1, undone=version < 3),
        )
    ]
    found = report(*rolls, rewinds=[TalliedRewind(13, 0, "gm", 0)])
    assert found.faces["drawn"]["d6"].draws == 12
    luck = found.luck["drawn"]["seats"]["p1"]
    assert (luck.draws, luck.undone, luck.tests["luck"].draws) == (10, 2, 12)
    assert found.streaks["drawn"]["seats"]["p1"]["lucky"].length == 10
    assert found.results["seats"]["p1"]["toss"].outcomes["heads"].drawn.seen == 10
    assert of(die(6), toss("heads"), undone=True, rewinds=(LATER,)).luck == NO_LUCK


SECRETS = 60
OPEN = 29


def secret_rolls(opened: int) -> SessionReport:
    """Return the report of the GM's secret sixes for viewers who see only some of them."""
    tallies = []
    for version in range(1, SECRETS + 1):
        tallies.append(tally(version, Graded("@gm", "C", is_secret=True), seat="house"))
        tallies.append(tally(version, die(6), seat="gm", sealed=True, nth=1))
        tallies.append(tally(version, toss("heads"), seat="gm", sealed=True, nth=2))
    tallies += [tally(SECRETS + 1 + nth, die(3), seat="gm") for nth in range(12)]
    tallies += [tally(SECRETS + 13 + nth, toss("tails"), seat="gm") for nth in range(12)]
    tallies += [tally(SECRETS + 25 + nth, die(2)) for nth in range(12)]
    hidden = set(range(opened + 1, SECRETS + 1))
    shown = [each for each in tallies if not (each.sealed and each.turn in hidden)]
    chosen = [Chosen("drawn", "gm")] if hidden else []
    return report(*shown, chosen=chosen, hidden=hidden)


def test_secret_draws_of_which_some_are_hidden_are_counted_and_not_compared() -> None:
    """The 29 that one sees may have been opened because they are good. What the GM rolled openly counts."""
    found = secret_rolls(OPEN)
    assert found.secret == {"gm": SecretRolls(SECRETS, OPEN)}
    d6 = found.faces["drawn"]["d6"]
    assert (d6.draws, d6.values["6"].seen) == (24, 0)
    assert {seat: of_seat.draws for seat, of_seat in d6.seats.items()} == {"gm": 12, "p1": 12}
    gm = found.luck["drawn"]["seats"]["gm"]
    assert (gm.draws, gm.z, gm.tests["luck"].draws) == (12, pytest.approx(-(12**0.5), abs=1e-6), 12)
    assert found.results["seats"]["gm"]["toss"].outcomes["heads"].drawn.seen == 0
    assert found.streaks["drawn"]["seats"]["gm"].keys() == {"unlucky"}
    assert all(each.first > SECRETS for each in found.highlights)


def test_for_the_gm_the_same_draws_are_judged() -> None:
    found = secret_rolls(SECRETS)
    assert found.secret == {}
    assert found.faces["drawn"]["d6"].seats["gm"].draws == SECRETS + 12
    assert found.luck["drawn"]["seats"]["gm"].draws == SECRETS + 12
    assert found.verdicts["drawn"].verdict != "fair"
    assert {each.seat for each in found.verdicts["drawn"].found if each.test == "luck"} == {"gm"}


def test_secrets_that_are_all_open_are_compared() -> None:
    """Nothing of p1 is hidden, so that what it rolled in secret cannot have been chosen."""
    rolls = [tally(nth, toss("heads"), sealed=True) for nth in range(1, 13)]
    for chosen in ([], [Chosen("drawn", "gm")], [Chosen("declared", "p1")]):
        assert report(*rolls, chosen=chosen).luck["drawn"]["seats"]["p1"].draws == 12
    assert report(*rolls, chosen=[Chosen("drawn", "p1")]).luck == NO_LUCK


VERSIONS = [
    # first, last  draws
    (1,      None, 3),
    (2,      None, 2),
    (1,      1,    1),
    (2,      99,   2),
    (3,      2,    0),
]  # fmt: skip


@pytest.mark.parametrize(("first", "last", "draws"), VERSIONS)
def test_some_versions(first: int, last: int | None, draws: int) -> None:
    found = of(*(coin("heads"),) * 3, versions=(first, last))
    assert (found.first, found.last, found.version) == (
        first,
        3 if last is None else min(last, 3),
        3,
    )
    assert sum(faces.draws for faces in found.faces["drawn"].values()) == draws


def test_some_versions_know_who_played_an_entity_before_them() -> None:
    found = report(
        tally(1, Owned("ana", "p2")), tally(2, toss("heads"), seat="gm"), versions=(2, None)
    )
    assert list(found.luck["drawn"]["seats"]) == ["p2"]


LENGTHS = [1, MAX_POINTS, MAX_POINTS + 1, MAX_POINTS + 2, 1_000, 2_345]


@pytest.mark.parametrize("length", LENGTHS)
def test_a_long_series_has_few_points_and_the_last_one(length: int) -> None:
    found = of(*[toss("heads")] * length).luck["drawn"]["seats"]["p1"].series
    versions = [version for version, _ in found]
    assert len(found) <= MAX_POINTS + 1
    assert len(found) > MAX_POINTS / 2 or length <= MAX_POINTS / 2
    assert (versions[0], versions[-1]) == (1, length)
    steps = {after - before for before, after in pairwise(versions[:-1])}
    assert len(steps) <= 1, "evenly spaced, but for the last"
    assert all(z == pytest.approx(version**0.5, abs=1e-4) for version, z in found)
    assert len(found) == length or length > MAX_POINTS


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
def test_statistics_come_out_the_same_again(ruleset: Any) -> None:
    evening = session_tallies(ruleset, sessions.play(1, 40, ruleset))
    assert compute_report(evening) == compute_report(evening)


def test_the_intervals_are_those_of_the_recomputation() -> None:
    [d6] = of(*[die(1)] * 30).faces["drawn"].values()
    low, high = interval([Fraction(1, 6)] * 30)
    assert {(of_face.low, of_face.high) for of_face in d6.values.values()} == {(low, high)}
