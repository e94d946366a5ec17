"""Verdicts: whether chance explains the drawn values, and whether it explains the typed-in ones.

The tests of each origin are a family of their own. After the end of a session, their p-values are
corrected with Holm's method. While the session runs, a finding needs an e-value so large that
looking again and again does not make false alarms more frequent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import floor, log10
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from projections import statistics_model as m
from workers.statistics import faces, power
from workers.statistics.faces import MAX_FACES, FaceSum
from workers.statistics.luck import LuckSum
from workers.statistics.running import EVERYONE
from workers.statistics.trials import MIN_DRAWS, Trial

FEW_TESTS = 100
"""The number of tests for which the running verdict is corrected, if there are not more."""
REPEATS_WEIGHT = 0.1
"""What the test of repeated values counts for among the tests of drawn values."""
DIGITS = 6
LEAST_P = 1e-12


class Subject(NamedTuple):
    """The subject of a test.

    An empty `seat` stands for all seats together, and an empty `source` for all dice and decks.
    """

    test: m.TestName
    source: str = ""
    seat: str = EVERYONE


class Family(NamedTuple):
    """The tests of one origin: their results, and the summary."""

    tests: Mapping[Subject, m.ChanceTest]
    summary: m.TestSummary


def families(
    faces: Mapping[str, Mapping[str, Mapping[str, FaceSum]]],
    luck: Mapping[str, Mapping[str, LuckSum]],
    *,
    is_final: bool,
) -> dict[str, Family]:
    """Return the verdict on the values of each origin that has any.

    `faces` is keyed by origin, die or deck, and seat (or EVERYONE), and `luck` by origin and seat.
    """
    found = {}
    for origin in (m.DRAWN, m.DECLARED):
        sources, of_origin = faces.get(origin, {}), luck.get(origin, {})
        if sources or of_origin:
            trials = dict(_trials(origin, sources, of_origin))
            found[origin] = _judge(origin, trials, sources, is_final=is_final)
    return found


def _trials(
    origin: str, sources: Mapping[str, Mapping[str, FaceSum]], luck: Mapping[str, LuckSum]
) -> list[tuple[Subject, Trial]]:
    """Run the tests of an origin, in a fixed order."""
    found = [(Subject("luck", seat=seat), try_luck(of)) for seat, of in sorted(luck.items())]
    if origin == m.DECLARED:
        found += [
            (Subject("streak", seat=seat), try_streak(of)) for seat, of in sorted(luck.items())
        ]
    for source, seats in sorted(sources.items()):
        for seat, of in sorted(seats.items()):
            if seat == EVERYONE and len(seats) == 2:  # the same draws as those of the only seat
                continue
            found += [
                (Subject(name, source, seat), run(of))
                for name, run in _face_tests(origin, of, is_everyone=seat == EVERYONE)
            ]
        if origin == m.DRAWN:
            found.append((Subject("repeats", source), faces.try_repeats(seats[EVERYONE])))
    return found


def _face_tests(
    origin: str, of: FaceSum, *, is_everyone: bool
) -> list[tuple[m.TestName, Callable[[FaceSum], Trial]]]:
    tests: list[tuple[m.TestName, Callable[[FaceSum], Trial]]] = [("faces", faces.try_faces)]
    if of.sides > MAX_FACES:
        tests.append(("mean", faces.try_mean))
    if origin == m.DECLARED:
        tests.append(("even", faces.try_evenness))
        if not is_everyone:
            tests.append(("repeats", faces.try_repeats))
    return tests


def try_luck(of: LuckSum) -> Trial:
    """Test whether the luck of the draws is consistent with chance (two-sided)."""
    if of.draws < MIN_DRAWS or not of.variance:
        return Trial(of.draws)
    tails = of.tails()
    method: m.TestMethod = "normal" if tails.error else "exact"
    return Trial(
        of.draws,
        of.z,
        tails.two_sided,
        method,
        None,
        tails.error or None,
        of.evidence(),
        tails.more < tails.less,
    )


def try_streak(of: LuckSum) -> Trial:
    """Test whether the longest row of lucky or of unlucky draws is longer than chance makes it."""
    chances = {side: of.chance_of_streak(side) for side in (1, -1)}
    known = {side: p for side, p in chances.items() if p is not None}
    if of.draws < MIN_DRAWS or not known:
        return Trial(of.draws)
    side = min(known, key=lambda each: known[each])
    length = of.longest[side < 0].length
    return Trial(of.draws, float(length), min(1.0, 2 * known[side]), "exact", is_high=side > 0)


def _judge(
    origin: str,
    trials: Mapping[Subject, Trial],
    sources: Mapping[str, Mapping[str, FaceSum]],
    *,
    is_final: bool,
) -> Family:
    ps = {key: trial.p for key, trial in trials.items() if trial.p is not None}
    weights = [REPEATS_WEIGHT if _is_minor(origin, key) else 1.0 for key in ps]
    adjusted = dict(zip(ps, holm(list(ps.values()), weights), strict=True))
    significant = (
        {key for key, p in adjusted.items() if p < m.ALPHA}
        if is_final
        else running_findings(trials)
    )
    tests = {
        key: _test(key, trial, adjusted.get(key), is_finding=key in significant)
        for key, trial in trials.items()
    }
    found = sorted(significant, key=lambda key: (ps[key], key))
    findings = tuple(
        _finding(
            origin,
            key,
            trials[key],
            tests[key],
            _rarity(trials, trials[key], adjusted[key], is_final=is_final),
            sources,
        )
        for key in found
    )
    made = len(ps)
    verdict: m.Verdict = findings[0].verdict if findings else "fair" if made else "few"
    return Family(
        tests,
        m.TestSummary(
            verdict,
            is_final,
            made,
            _describe(origin, made, len(findings), is_final=is_final),
            findings,
            _power(sources, made),
        ),
    )


def running_findings(trials: Mapping[Subject, Trial]) -> set[Subject]:
    """Return the tests whose e-value is a finding while the session runs.

    Each of up to FEW_TESTS tests may be wrong in RUNNING_ALPHA / FEW_TESTS of sessions. So all
    tests together are ever wrong in at most RUNNING_ALPHA of them, however often one looks.
    """
    limit = _tests_corrected_for(trials) / m.RUNNING_ALPHA
    return {
        key
        for key, trial in trials.items()
        if trial.evidence is not None and trial.evidence >= limit
    }


def _tests_corrected_for(trials: Mapping[Subject, Trial]) -> int:
    return max(FEW_TESTS, len(trials))


def _is_minor(origin: str, key: Subject) -> bool:
    """Return True if the test has little weight.

    Drawn values come from hashes, so it is improbable that one depends on the last. The test must
    not make it harder to find loaded dice.
    """
    return origin == m.DRAWN and key.test == "repeats"


def holm(ps: Sequence[float], weights: Sequence[float] | None = None) -> list[float]:
    """Return the p-values, corrected for multiple tests with Holm's method (1979).

    Tests with a larger weight get a larger share of the significance level.
    """
    shares = [1.0] * len(ps) if weights is None else list(weights)
    adjusted, least, rest = [0.0] * len(ps), 0.0, sum(shares)
    for index in sorted(range(len(ps)), key=lambda each: ps[each] / shares[each]):
        least = max(least, min(1.0, rest * ps[index] / shares[index]))
        adjusted[index] = least
        rest -= shares[index]
    return adjusted


def round_p(number: float) -> float:
    """Return the number rounded to six significant digits."""
    return float(f"{number:.{DIGITS}g}")


def _test(key: Subject, trial: Trial, adjusted: float | None, *, is_finding: bool) -> m.ChanceTest:
    if trial.p is None or trial.statistic is None or adjusted is None:
        return m.ChanceTest(trial.draws, "few")
    return m.ChanceTest(
        trial.draws,
        _verdict(key.test, trial) if is_finding else "fair",
        round(trial.statistic, DIGITS),
        round_p(trial.p),
        round_p(adjusted),
        trial.method,
        UNSET if trial.error is None else trial.error,
        UNSET if trial.df is None else trial.df,
        UNSET if trial.evidence is None else round_p(trial.evidence),
    )


def _verdict(test: m.TestName, trial: Trial) -> m.Verdict:
    match test:
        case "luck" | "streak":
            return "lucky" if trial.is_high else "unlucky"
        case "repeats":
            return "repeating" if trial.is_high else "changing"
        case "even":
            return "even"
    return "uneven"


def _finding(
    origin: str,
    key: Subject,
    trial: Trial,
    test: m.ChanceTest,
    rarity: str,
    sources: Mapping[str, Mapping[str, FaceSum]],
) -> m.TestFinding:
    assert test.p is not UNSET
    assert test.adjusted is not UNSET
    of = sources[key.source][key.seat] if key.source else None
    is_of_faces = key.test == "faces" and of is not None
    value: str | UnsetType = faces.farthest(of)[0] if is_of_faces and of else UNSET
    text = _describe_finding(origin, key, trial, of)
    return m.TestFinding(
        key.test,
        test.verdict,
        f"{text}.",
        rarity,
        test.p,
        test.adjusted,
        key.seat or UNSET,
        key.source or UNSET,
        value,
    )


def _rarity(
    trials: Mapping[Subject, Trial], trial: Trial, adjusted: float, *, is_final: bool
) -> str:
    """Return how seldom chance alone gives as much.

    While the session runs, this follows from the e-value, because p is only right for one look.
    """
    if is_final or trial.evidence is None:
        return f"Chance alone gives as much in at most 1 of {one_in(adjusted)} sessions."
    often = one_in(_tests_corrected_for(trials) / trial.evidence)
    return f"Chance alone ever gives as much in at most 1 of {often} sessions."


def _describe_finding(origin: str, key: Subject, trial: Trial, of: FaceSum | None) -> str:
    whose = f"{{@{key.seat}}}'s " if key.seat else ""
    typed = "typed-in " if origin == m.DECLARED else ""
    source = f"{whose or 'the '}{typed}{escape(key.source)}"
    match key.test:
        case "luck":
            way = "better" if trial.is_high else "worse"
            text = f"{whose}{trial.draws} {typed}rolls were {way} than chance explains"
        case "streak":
            way = "lucky" if trial.is_high else "unlucky"
            text = f"{whose}longest row of {way} {typed}rolls has {trial.statistic:.0f} rolls"
        case "faces" if of is not None:
            value, count = faces.farthest(of)
            text = f"{source} is uneven: {escape(value)} {_came(count.seen)},"
            text += f" {count.expected:.1f} expected"
        case "mean":
            way = "high" if (trial.statistic or 0) > 0 else "low"
            text = f"{source} shows {way} values too often"
        case "repeats":
            way = "more" if trial.is_high else "less"
            text = f"{source} shows the same value twice in a row {way} often than chance does"
        case _:
            text = f"{source} is too even: its values come more equally often than chance has them"
    return text[:1].upper() + text[1:]


def escape(text: str) -> str:
    """Double the braces of a text that players chose, such as the name of a die or of a card."""
    return text.replace("{", "{{").replace("}", "}}")


def _came(number: int) -> str:
    return {0: "never came", 1: "came once"}.get(number, f"came {number} times")


def _describe(origin: str, made: int, found: int, *, is_final: bool) -> str:
    what = "typed-in dice" if origin == m.DECLARED else "dice and cards"
    if not made:
        return f"There are too few rolls to judge the {what}."
    if found:
        return f"Chance does not explain the {what}."
    so_far = "" if is_final else " so far"
    return f"Nothing suspicious about the {what}{so_far}."


def _power(sources: Mapping[str, Mapping[str, FaceSum]], made: int) -> m.Power | UnsetType:
    """Return what the test of the most used die or deck could have found."""
    used = {source: seats[EVERYONE] for source, seats in sources.items()}
    tested = {source: of for source, of in used.items() if of.uncertain >= MIN_DRAWS}
    if not tested:
        return UNSET
    source = max(tested, key=lambda each: (tested[each].uncertain, each))
    of = tested[source]
    values = len(faces.face_chances(of.sides)) if of.sides else len(of.chances)
    found = power.powers(values, of.uncertain, m.ALPHA / made)
    text = power.describe(escape(source), of.uncertain, found)
    return m.Power(source, of.uncertain, found, text)


def one_in(p: float) -> str:
    """Return 1/p as text, rounded down to two significant digits.

    It is rounded down so as not to overstate how rare a result is.
    """
    ratio = 1 / max(p, LEAST_P)
    unit = 10 ** max(0, floor(log10(ratio) + 1e-9) - 1)
    number = max(1, floor(ratio / unit + 1e-9) * unit)
    return f"{number:,}" if p >= LEAST_P else "a million million"
