"""The tests of chance: each p against exact sums, all of them corrected together, and what is said of them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import exp, prod, sqrt

import numpy as np
import pytest
from msgspec import UNSET
from scipy.stats import binom, norm

from domain.tally import Attempted, Owned, Probability, Rolled
from projections import statistics_model as shapes
from projections.statistics_model import ALPHA, RUNNING_ALPHA, SessionReport
from projections.tallies import Tally
from tests.support.scale import scale
from tests.workers import recomputation
from tests.workers.counts import check, die, report, tally, toss
from tests.workers.test_chi_square import dealt, thrown
from workers.statistics import faces, verdicts
from workers.statistics.chance_counts import MAX_CHANCES, ChanceCount, interval
from workers.statistics.faces import FaceSum, face_evidence, try_evenness, try_faces, try_repeats
from workers.statistics.luck import MAX_EXACT_DRAWS, LuckSum, chance_of_streak, luck_table
from workers.statistics.trials import MIN_DRAWS
from workers.statistics.verdicts import holm, try_luck, try_streak

HOLM = [
    ([],                        [],               []),
    ([0.2],                     [1],              [0.2]),
    ([0.01, 0.04, 0.03],        [1, 1, 1],        [0.03, 0.06, 0.06]),
    ([0.5, 0.9],                [1, 1],           [1.0, 1.0]),
    ([0.02, 0.02, 0.001],       [1, 1, 1],        [0.04, 0.04, 0.003]),
    # A test that weighs a tenth costs the others a tenth of a test. Its own p counts ten times.
    ([0.01, 0.02],              [1, 0.1],         [0.011, 0.02]),
    ([0.01, 0.0001],            [1, 0.1],         [0.01, 0.0011]),
    ([0.01, 0.04, 0.005],       [1, 1, 0.5],      [0.025, 0.04, 0.025]),
]  # fmt: skip


@pytest.mark.parametrize(("ps", "weights", "adjusted"), HOLM)
def test_holm(ps: list[float], weights: list[float], adjusted: list[float]) -> None:
    assert holm(ps, weights) == pytest.approx(adjusted)
    if set(weights) <= {1}:
        assert holm(ps) == pytest.approx(adjusted)


def luck_of(attempts: Iterable[Attempted]) -> LuckSum:
    found = LuckSum()
    for nth, attempt in enumerate(attempts, 1):
        table = luck_table(tuple(attempt.chances.items()))
        found.add(table, table.points[attempt.outcome], nth)
    return found


def tosses(tails: int, heads: int) -> LuckSum:
    return luck_of([toss("tails")] * tails + [toss("heads")] * heads)


FEW_DICE = [
    (4, 1, 1, 2, 1, 1),
    (0, 0, 6, 2, 1, 1),
    (2, 2, 2, 2, 1, 1),
    (5, 5, 0, 0, 0, 0),
    (9, 1, 0, 0, 1, 0),
]


@pytest.mark.parametrize("times", FEW_DICE)
def test_a_simulated_p_is_near_the_exact_one(times: tuple[int, ...]) -> None:
    """All ways in which so many dice can fall: those more uneven, those more even, and half of those that are alike."""
    of = thrown(face for face, number in enumerate(times, 1) for _ in range(number))
    number, found_square = sum(times), sum(each * each for each in times)
    more = less = Fraction()
    for ways in _falls(number, 6):
        square = sum(each * each for each in ways)
        share = _multinomial(ways) * Fraction(1, 6**number)
        alike = share / 2 if square == found_square else 0
        more += share * (square > found_square) + alike
        less += share * (square < found_square) + alike
    assert more + less == 1
    for found, exact in ((try_faces(of), float(more)), (try_evenness(of), float(less))):
        assert found.method == "simulated"
        assert found.p == pytest.approx(
            exact, abs=0.003 + 5 * sqrt(exact / (1_000 if exact > 0.05 else 1e4))
        )
        assert found.error is not None
        assert abs(found.p - exact) <= 2 * found.error


def _falls(number: int, values: int) -> list[tuple[int, ...]]:
    if values == 1:
        return [(number,)]
    return [
        (first, *rest) for first in range(number + 1) for rest in _falls(number - first, values - 1)
    ]


def _multinomial(ways: tuple[int, ...]) -> int:
    found, number = 1, 0
    for each in ways:
        for nth in range(1, each + 1):
            number += 1
            found = found * number // nth
    return found


def test_counts_that_are_too_equal_are_as_rare_as_they_are_uneven_the_other_way() -> None:
    """Of many dice, p of evenness is the other tail of X2."""
    of = thrown([*"123456"] * 200 + [1, 2])
    uneven, even = try_faces(of), try_evenness(of)
    assert (even.method, even.df, even.statistic) == ("chi-square", 5, uneven.statistic)
    assert even.p == pytest.approx(1 - uneven.p)
    assert even.p < 1e-6
    assert even.evidence is None


TOSSES = [(5, 5), (4, 6), (2, 8), (0, 10), (100, 140), (430, 570), (0, 300), (500, 500)]


@pytest.mark.parametrize(("tails", "heads"), TOSSES)
def test_the_p_of_luck_is_exact(tails: int, heads: int) -> None:
    found, number = try_luck(tosses(tails, heads)), tails + heads
    more = binom.sf(heads, number, 0.5) + binom.pmf(heads, number, 0.5) / 2
    less = binom.cdf(heads - 1, number, 0.5) + binom.pmf(heads, number, 0.5) / 2
    assert (found.method, found.error, found.draws) == ("exact", None, number)
    assert found.p == pytest.approx(max(min(1, 2 * min(more, less)), 2e-40), rel=1e-6)
    assert found.statistic == pytest.approx((heads - tails) / sqrt(number))
    assert found.is_high is (heads > tails) or heads == tails


def test_so_is_that_of_draws_of_many_kinds() -> None:
    chosen = random.Random(3)
    scales = [
        {str(face): (1, 6) for face in range(1, 7)},
        {"F": (1, 6), "PF": (2, 6), "PS": (2, 6), "S": (1, 6)},
        {"lost": (377, 768), "won": (391, 768)},
        {"lost": (999, 1_000), "won": (1, 1_000)},
    ]
    attempts = [
        Attempted("ana", "check", "7", chosen.choice(list(chances)), chances)
        for chances in chosen.choices(scales, k=40)
    ]
    counts = [_count(each) for each in attempts]
    less, more = recomputation.tails(recomputation._draws(counts))
    tails = luck_of(attempts).tails()
    assert (tails.less, tails.more) == pytest.approx((float(less), float(more)), rel=1e-9)
    assert tails.error == 0


def _count(attempt: Attempted) -> recomputation.Count:
    fact = type("Fact", (), {"version": 1})
    return recomputation.Count(fact, "drawn", "", False, "p1", True, False, attempt)  # type: ignore[arg-type]


def test_luck_of_very_many_draws_is_taken_as_normal() -> None:
    """Of 1,600 coins 860 fell well: 60 more than half, of a spread of 20. A coin has no third moment beyond its own."""
    found = try_luck(tosses(740, 860))
    assert (found.method, found.statistic) == ("normal", pytest.approx(3.0))
    assert found.p == pytest.approx(2 * norm.sf(3.0))
    assert found.error == pytest.approx(0.56 / sqrt(1_600), abs=1e-6)
    exact = 2 * (binom.sf(860, 1_600, 0.5) + binom.pmf(860, 1_600, 0.5) / 2)
    assert abs(found.p - exact) < found.error


@pytest.mark.parametrize(("draws", "method"), [(0, "exact"), (1, "normal")])
def test_luck_is_exact_up_to_a_thousand_draws(draws: int, method: str) -> None:
    of = tosses(MAX_EXACT_DRAWS, draws)
    assert try_luck(of).method == method
    assert (of.kinds == []) is (method == "normal")


PAIRS = [(10, 2), (30, 6), (60, 12)]


@pytest.mark.parametrize(("pairs", "sides"), PAIRS)
def test_repeats_are_tested_against_the_binomial_distribution(pairs: int, sides: int) -> None:
    """So many of the pairs show the same face twice; the others go to the next face."""
    for repeats in range(pairs + 1):
        rolls, face = [1], 1
        for nth in range(pairs):
            face = face if nth < repeats else face % sides + 1
            rolls.append(face)
        found = try_repeats(thrown(rolls, sides))
        same = binom.pmf(repeats, pairs, 1 / sides) / 2
        less = binom.cdf(repeats - 1, pairs, 1 / sides) + same
        more = binom.sf(repeats, pairs, 1 / sides) + same
        assert (found.draws, found.statistic, found.method) == (pairs, repeats, "exact")
        assert found.p == pytest.approx(min(1, 2 * min(less, more)), rel=1e-6, abs=1e-30)
        assert found.is_high == (more < less)


@pytest.mark.parametrize(("faces_seen", "z"), [([100] * 10, 5.4227), ([1, 100] * 5, 0.0)])
def test_the_mean_of_a_die_with_many_faces(faces_seen: list[int], z: float) -> None:
    """Ten times 100 is 495 more than ten times 50.5, of a spread of sqrt(10 * (100^2 - 1) / 12)."""
    found = faces.try_mean(thrown(faces_seen, 100))
    assert found.statistic == pytest.approx(z, abs=1e-4)
    assert found.p == pytest.approx(2 * norm.sf(abs(z)), rel=1e-3)


@pytest.mark.parametrize(("number", "is_tested"), [(MIN_DRAWS - 1, False), (MIN_DRAWS, True)])
def test_few_draws_are_not_tested(number: int, is_tested: bool) -> None:
    rolls = thrown([1] * number, 100)
    for trial in (
        try_faces(rolls),
        try_evenness(rolls),
        faces.try_mean(rolls),
        try_repeats(thrown([1] * (number + 1))),  # the first roll repeats none
        try_luck(tosses(0, number)),
        try_streak(tosses(0, number)),
    ):
        assert (trial.p is not None) is is_tested
        assert trial.draws == number


def test_cards_that_could_not_have_come_otherwise_are_no_draws_for_a_test() -> None:
    last = [Rolled("ana", "deck", "A", "draw", ("A",)) for _ in range(30)]
    of = FaceSum()
    for each in last:
        of.add(each)
    assert (try_faces(of).draws, try_faces(of).p) == (0, None)
    assert try_faces(thrown([1] * 30, 1)).p is None


def test_the_same_draws_give_the_same_p() -> None:
    assert try_faces(thrown("1111234456")) == try_faces(thrown("6544321111"))


BETS = (0.25, -0.25, 0.5, -0.5, 1, -1, 2, -2, 4, -4)
"""The rates of the bets on luck: at rate 1 and the best luck (50), the stake grows by the factor e^0.5."""
WEIGHTS = (1 / 3, 1 / 2, 2, 3, 5)
"""How many times as easily one value comes as each other one, in the bets on faces."""


def luck_bets(attempts: Sequence[Attempted]) -> float:
    """Return what betting on the luck of these rolls has gained, for a stake of 1 in ten equal parts."""
    gained = []
    for rate in BETS:
        stake = 1.0
        for attempt in attempts:
            luck = recomputation.luck_of(attempt)
            assert luck is not None
            fair = sum(float(share) * exp(rate * at / 100) for at, share in luck.shares.items())
            stake *= exp(rate * luck.points[attempt.outcome] / 100) / fair
        gained.append(stake)
    return sum(gained) / len(gained)


def face_bets(draws: Sequence[tuple[Sequence[str], str]], values: Sequence[str]) -> float:
    """Return what betting on each value of these draws, given as what could come and what came, has gained."""
    gained = []
    for value, weight in product(values, WEIGHTS):
        shares = [left.count(value) / len(left) for left, _ in draws]
        gained.append(
            prod(
                (weight if came == value else 1) / (1 + share * (weight - 1))
                for share, (_, came) in zip(shares, draws, strict=True)
            )
        )
    return sum(gained) / len(gained)


def test_the_e_value_of_luck_is_what_betting_gains() -> None:
    attempts = [
        toss("heads"),
        check("won", (1, 10)),
        check("lost", (2, 3)),
        toss("tails"),
        toss("heads"),
    ]
    for number in range(1, len(attempts) + 1):
        assert luck_of(attempts[:number]).evidence() == pytest.approx(luck_bets(attempts[:number]))
    assert luck_of([toss("heads")] * 500).evidence() == pytest.approx(
        luck_bets([toss("heads")] * 500)
    )


def test_the_e_value_of_luck_is_one_on_average() -> None:
    """Over all ways in which three rolls can end."""
    kinds = [
        {"tails": (1, 2), "heads": (1, 2)},
        {"lost": (2, 3), "won": (1, 3)},
        {"a": (1, 4), "b": (1, 4), "c": (1, 2)},
    ]
    total = 0.0
    for outcomes in product(*kinds):
        attempts = [
            Attempted("ana", "check", "7", outcome, chances)
            for outcome, chances in zip(outcomes, kinds, strict=True)
        ]
        share = prod(Fraction(*each.chances[each.outcome]) for each in attempts)
        total += float(share) * luck_of(attempts).evidence()
    assert total == pytest.approx(1)


def test_the_e_value_of_faces_is_what_betting_gains() -> None:
    rolls, cards = "116166", dealt("ABC", "BDA")
    left = [("ABCD", "A"), ("BCD", "B"), ("CD", "C"), ("ABCD", "B"), ("ACD", "D"), ("AC", "A")]
    assert face_evidence(thrown(rolls)) == pytest.approx(
        face_bets([("123456", face) for face in rolls], "123456")
    )
    assert face_evidence(cards) == pytest.approx(face_bets(left, "ABCD"))


def test_the_e_value_of_faces_is_one_on_average() -> None:
    """Over all rolls of two d4, and over all orders of the cards A, A, B and C."""
    rolls = [face_evidence(thrown(each, 4)) for each in product("1234", repeat=2)]
    assert sum(rolls) / 16 == pytest.approx(1)
    orders = [("A", "A"), ("A", "A"), *[("A", "B"), ("A", "C")] * 2, ("B", "A"), ("B", "A")]
    orders += [("B", "C"), ("C", "A"), ("C", "A"), ("C", "B")]
    deck = ("A", "A", "B", "C")
    dealt_so = [face_evidence(dealt("".join(each), deck=deck)) for each in orders]
    assert sum(dealt_so) / len(orders) == pytest.approx(1)


INTERVALS: list[list[tuple[Probability, int]]] = [
    [((1, 6), 1)],
    [((1, 6), 30)],
    [((1, 2), 100)],
    [((1, 40), 1)],
    [((1, 100), 400), ((3, 100), 20)],
    [((1, 20), 15), ((1, 19), 3), ((1, 2), 4), ((1, 1), 2), ((0, 7), 9)],
    [((999, 1000), 50)],
]


@pytest.mark.parametrize("trials", INTERVALS)
def test_intervals_are_exact(trials: list[tuple[Probability, int]]) -> None:
    chances = [chance for chance, times in trials for _ in range(times)]
    slow = recomputation.interval([Fraction(*chance) for chance in chances])
    assert interval(tuple(sorted(trials))) == slow
    count = ChanceCount()
    for nth, chance in enumerate(chances):
        count.add(chance, nth < 3)
    observed = count.observed()
    assert (observed.seen, observed.low, observed.high) == (min(3, len(chances)), *slow)
    assert observed.expected == pytest.approx(
        float(sum(Fraction(*each) for each in chances)), abs=1e-6
    )


def test_so_are_they_of_a_long_session() -> None:
    chosen = random.Random(1)
    chances = sorted((1, chosen.randint(1, 20)) for _ in range(scale(500, 3_000)))
    trials = tuple((chance, chances.count(chance)) for chance in sorted(set(chances)))
    assert interval(trials) == recomputation.interval([Fraction(*chance) for chance in chances])


def test_of_very_many_different_chances_they_are_nearly_exact() -> None:
    count, chances = ChanceCount(), [(nth, 1_000) for nth in range(1, MAX_CHANCES + 2)]
    for nth, chance in enumerate(chances):
        count.add(chance, nth % 5 == 0)
    observed = count.observed()
    low, high = recomputation.interval([Fraction(*chance) for chance in chances])
    assert not count.chances
    assert abs(observed.low - low) <= 1
    assert abs(observed.high - high) <= 1
    assert observed.expected == pytest.approx(sum(nth for nth, _ in chances) / 1_000)


def test_the_chance_of_a_streak_counts_every_way_to_come_by_it() -> None:
    chances = [0.5, 0.25, 0.9, 0.5, 1.0, 0.0, 0.75]
    for length in range(1, 5):
        total = 0.0
        for ways in product((True, False), repeat=len(chances)):
            share = 1.0
            for came, chance in zip(ways, chances, strict=True):
                share *= chance if came else 1 - chance
            runs = "".join("x" if came else " " for came in ways).split()
            total += share * any(len(run) >= length for run in runs)
        assert chance_of_streak(length, np.array(chances)) == pytest.approx(total)
        assert recomputation.chance_of_row(length, list(map(Fraction, chances))) == pytest.approx(
            total
        )


def test_a_streak_of_thousands_is_found_at_once() -> None:
    """It begins with the first draw, or behind one that came otherwise: no two fit into twice its length."""
    length, chance = 20_000, 0.9999
    assert chance_of_streak(length, np.full(2 * length, chance)) == pytest.approx(
        chance**length * (1 + length * (1 - chance))
    )
    assert chance_of_streak(length, np.full(length - 1, chance)) == 0


def test_a_streak_is_tested_in_both_directions() -> None:
    """Of 10 coins, P(10 heads) is 1/1024; in the other direction it is as much. The rarer streak is the statistic."""
    for came, is_high in ((tosses(0, 10), True), (tosses(10, 0), False)):
        found = try_streak(came)
        assert (found.statistic, found.p, found.is_high) == (10.0, pytest.approx(2 / 1024), is_high)
    found = try_streak(tosses(3, 7))
    assert (found.statistic, found.is_high) == (7.0, True)
    assert found.p == pytest.approx(2 * chance_of_streak(7, np.full(10, 0.5)))


EVEN, SIXES = [20, 22, 19, 18, 21, 20], [10, 12, 9, 11, 8, 70]


def rolls_of(seed: int = 2, **seats: list[int]) -> list[Tally]:
    """Return rolls of a six-sided die by each seat, in turn and in random order."""
    chosen, tallies = random.Random(seed), []
    hands = {
        seat: [face for face, n in enumerate(times, 1) for _ in range(n)]
        for seat, times in seats.items()
    }
    for seat, rolled in hands.items():
        chosen.shuffle(rolled)
        tallies += [
            tally(nth, die(face, entity=seat), seat=seat) for nth, face in enumerate(rolled, 1)
        ]
    return sorted(tallies, key=lambda each: each.version)


def session_of(dice: str, *, is_final: bool = True, **seats: list[int]) -> SessionReport:
    return report(*(each._replace(dice=dice) for each in rolls_of(**seats)), is_final=is_final)


def test_a_loaded_die_is_found_with_its_value_and_its_seat() -> None:
    found = session_of("drawn", ana=EVEN, ben=SIXES)
    verdict = found.verdicts["drawn"]
    assert (verdict.made, verdict.final, verdict.verdict) == (4, True, "uneven")
    assert {(each.test, each.source, each.seat, each.value) for each in verdict.found} == {
        ("faces", "d6", "ben", "6"),
        ("faces", "d6", UNSET, "6"),
    }
    assert [each.p for each in verdict.found] == sorted(each.p for each in verdict.found)
    for each in verdict.found:
        assert each.p <= each.adjusted < ALPHA
        assert each.verdict == "uneven"
    assert found.faces["drawn"]["d6"].seats["ben"].tests["faces"].verdict == "uneven"
    assert found.faces["drawn"]["d6"].seats["ana"].tests["faces"].verdict == "fair"
    assert verdict.text == "Chance does not explain the dice and cards."
    assert "Suspicious: {@ben}'s d6 is uneven: 6 came 70 times, 20.0 expected." in found.headline


def test_typed_in_values_have_a_verdict_of_their_own() -> None:
    drawn = rolls_of(ana=EVEN)
    typed = [each._replace(dice="declared", nth=1) for each in rolls_of(ben=SIXES)]
    found = report(*drawn, *typed, is_final=True)
    assert found.verdicts["drawn"].verdict == "fair"
    assert found.verdicts["declared"].verdict == "uneven"
    assert {each.seat for each in found.verdicts["declared"].found} == {"ben"}
    assert set(found.faces["declared"]["d6"].tests) == {"faces", "even", "repeats"}
    assert found.verdicts["declared"].text == "Chance does not explain the typed-in dice."


def test_honest_draws_are_fair() -> None:
    for is_final, text in ((True, ""), (False, " so far")):
        found = session_of("drawn", is_final=is_final, ana=EVEN, ben=EVEN)
        verdict = found.verdicts["drawn"]
        assert (verdict.made, verdict.found, verdict.verdict) == (4, (), "fair")
        assert verdict.text == f"Nothing suspicious about the dice and cards{text}."
        assert found.headline.endswith(f"Nothing suspicious{text}.")
        for each in (found.faces["drawn"]["d6"], *found.faces["drawn"]["d6"].seats.values()):
            assert {test.verdict for test in each.tests.values()} == {"fair"}


def test_few_draws_have_no_verdict() -> None:
    found = session_of("declared", ana=[1, 2, 1, 0, 0, 0]).verdicts["declared"]
    assert (found.made, found.found, found.verdict, found.power) == (0, (), "few", UNSET)
    assert found.text == "There are too few rolls to judge the typed-in dice."


def typed_checks(number: int, outcome: str = "won") -> list[Tally]:
    """Return typed-in sixes of one seat, each of which is the best that could come."""
    counts = [(die(6), check(outcome, (1, 2), value="6")) for _ in range(number)]
    return [
        tally(version, count, nth=nth, dice="declared")
        for version, pair in enumerate(counts, 1)
        for nth, count in enumerate(pair)
    ]


@pytest.mark.parametrize("is_final", [True, False])
def test_forty_of_forty_typed_in_checks_are_called_out(is_final: bool) -> None:
    found = report(*typed_checks(40), is_final=is_final)
    verdict = found.verdicts["declared"]
    assert "drawn" not in found.verdicts
    assert verdict.verdict in {"lucky", "uneven"}
    expected = {"luck", "faces"} | ({"streak", "repeats"} if is_final else set())
    assert {each.test for each in verdict.found} == expected
    assert "Suspicious: {@p1}'s " in found.headline
    luck = found.luck["declared"]["seats"]["p1"]
    assert luck.tests["luck"].p == pytest.approx(2**-40, rel=1e-5)
    assert luck.tests["streak"].p == pytest.approx(2 * 2**-40, rel=1e-5)
    assert luck.text == "better than 999,999 of 1,000,000 sessions"


@pytest.mark.parametrize(("outcome", "verdict"), [("won", "lucky"), ("lost", "unlucky")])
def test_the_verdict_tells_good_luck_from_bad(outcome: str, verdict: str) -> None:
    found = report(*(each for each in typed_checks(40, outcome) if each.nth), is_final=True)
    assert {(each.test, each.verdict) for each in found.verdicts["declared"].found} == {
        ("luck", verdict),
        ("streak", verdict),
    }


WAYS = [
    # typed-in rolls of a d6         the finding
    ([1, 2, 3, 4, 5, 6] * 40,        {("even", "even"), ("repeats", "changing")}),
    ([face for face in range(1, 7) for _ in range(40)], {("even", "even"), ("repeats", "repeating")}),
]  # fmt: skip


@pytest.mark.parametrize(("rolls", "findings"), WAYS)
def test_invented_rolls_are_called_out(rolls: list[int], findings: set[tuple[str, str]]) -> None:
    """Those who invent rolls let each face come as often, and repeat none."""
    tallies = [tally(nth, die(face), dice="declared") for nth, face in enumerate(rolls, 1)]
    found = report(*tallies, is_final=True).verdicts["declared"]
    assert {(each.test, each.verdict) for each in found.found} == findings


def test_a_die_of_which_one_half_comes_too_often_is_called_out_by_its_mean() -> None:
    chosen = random.Random(5)
    rolls = [tally(nth, die(chosen.randint(35, 100), 100)) for nth in range(1, 81)]
    found = report(*rolls, is_final=True)
    assert ("mean", "uneven") in {
        (each.test, each.verdict) for each in found.verdicts["drawn"].found
    }
    assert found.faces["drawn"]["d100"].tests["mean"].statistic > 4


RUNNING = [
    # e-value   is it a finding while the session runs? 100 tests, each wrong in 0.005 / 100 of sessions
    (19_999.0, False),
    (20_000.0, True),
]


@pytest.mark.parametrize(("evidence", "is_finding"), RUNNING)
def test_while_a_session_runs_its_e_value_decides(evidence: float, is_finding: bool) -> None:
    key = verdicts.Subject("luck", seat="p1")
    trial = verdicts.Trial(10, 1.0, 0.5, evidence=evidence)
    others = {verdicts.Subject("luck", seat=f"p{nth}"): verdicts.Trial(9) for nth in range(2, 101)}
    assert verdicts.running_findings({key: trial, **others}) == ({key} if is_finding else set())
    more = {verdicts.Subject("streak", seat="p1"): verdicts.Trial(9)}
    assert verdicts.running_findings({key: trial, **others, **more}) == set(), "101 tests need more"
    assert 100 / RUNNING_ALPHA == 20_000


def test_after_its_end_p_decides_and_not_the_e_value() -> None:
    """30 heads of 40 are a finding at the end (p is 0.002), and none while the session runs."""
    tosses_ = [tally(nth, toss("heads" if nth % 4 else "tails")) for nth in range(1, 41)]
    at_end, running = (report(*tosses_, is_final=each).verdicts["drawn"] for each in (True, False))
    assert (at_end.verdict, running.verdict) == ("lucky", "fair")
    assert (at_end.final, running.final) == (True, False)
    [test] = {
        report(*tosses_, is_final=each).luck["drawn"]["seats"]["p1"].tests["luck"].evidence
        for each in (True, False)
    }
    assert 1 < test < 20_000


def test_the_luck_of_a_trap_is_tested_for_the_seat_that_plays_it() -> None:
    tallies = [tally(1, Owned("trap", "p2"), dice="")]
    tallies += [tally(nth, toss("heads", entity="trap"), seat="gm") for nth in range(2, 42)]
    found = report(*tallies, is_final=True).verdicts["drawn"]
    assert [(each.test, each.seat) for each in found.found] == [("luck", "p2")]


def findings(report: SessionReport) -> dict[tuple[str, object], shapes.TestFinding]:
    return {(each.test, each.seat): each for of in report.verdicts.values() for each in of.found}


def test_sentences() -> None:
    rolls = typed_checks(40)
    named = [each._replace(die="the {red} d6") for each in rolls]
    found = findings(report(*named, is_final=True))
    texts = {test: each.text for (test, seat), each in found.items() if seat}
    assert texts == {
        "luck": "{@p1}'s 40 typed-in rolls were better than chance explains.",
        "streak": "{@p1}'s longest row of lucky typed-in rolls has 40 rolls.",
        "faces": "{@p1}'s typed-in d6 (the {{red}} d6) is uneven: 6 came 40 times, 6.7 expected.",
        "repeats": "{@p1}'s typed-in d6 (the {{red}} d6) shows the same value twice in a row more often than chance does.",
    }
    never, once = (
        session_of("drawn", ana=[ones, 30, 30, 30, 30, 30]).verdicts["drawn"].found[0]
        for ones in (0, 1)
    )
    assert never.text == "{@ana}'s d6 is uneven: 1 never came, 25.0 expected."
    assert once.text == "{@ana}'s d6 is uneven: 1 came once, 25.2 expected."
    assert (
        never.rarity
        == f"Chance alone gives as much in at most 1 of {verdicts.one_in(never.adjusted)} sessions."
    )


def test_cards_with_braces_in_their_names_are_no_ids() -> None:
    deck = ("the {@gm}", "two")
    cards = [tally(nth, Rolled("@p1", "deck {D}", deck[0], "draw", deck)) for nth in range(1, 61)]
    [text] = {each.text for each in report(*cards, is_final=True).verdicts["drawn"].found}
    assert text == "{@p1}'s deck {{D}} is uneven: the {{@gm}} came 60 times, 30.0 expected."


ONE_IN = [
    # p        1/p, rounded down to two digits
    (1.0,     "1"),
    (0.5,     "2"),
    (0.0002,  "5,000"),
    (0.0012,  "830"),
    (0.0101,  "99"),
    (0.00999, "100"),
    (1e-12,   "1,000,000,000,000"),
    (1e-13,   "a million million"),
]  # fmt: skip


@pytest.mark.parametrize(("p", "text"), ONE_IN)
def test_one_in(p: float, text: str) -> None:
    assert verdicts.one_in(p) == text


def test_a_smaller_p_is_never_said_to_be_more_common() -> None:
    numbers = [int(verdicts.one_in(0.9**nth).replace(",", "")) for nth in range(1, 260)]
    assert all(before <= after for before, after in pairwise(numbers))
    assert all(number <= 1 / 0.9**nth * (1 + 1e-9) for nth, number in enumerate(numbers, 1))


def test_p_values_are_told_to_six_digits() -> None:
    assert verdicts.round_p(1 / 3) == 0.333333
    assert verdicts.round_p(1.23456789e-11) == 1.23457e-11
