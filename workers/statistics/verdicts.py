"""The tests of a report together: corrected for their number (Holm), with a verdict each, and what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Literal, NamedTuple

from msgspec import UNSET

from projections.statistics_model import ALPHA, DECLARED, DRAWN, Finding, Test, Tests, Verdict
from workers.statistics import words
from workers.statistics.alike import Rows, expected, seen
from workers.statistics.trials import Trial, lucky, uneven

DIGITS = 6
FACES: Literal["faces"] = "faces"
LUCK: Literal["luck"] = "luck"


class Key(NamedTuple):
    """What a test is of; "" for all seats together, and for all dice and decks."""

    test: Literal["faces", "luck"]
    dice: str = DRAWN
    source: str = ""
    seat: str = ""


def judged(rows: Mapping[Key, Rows]) -> tuple[dict[Key, Test], Tests]:
    """Each test, and what the tests of drawn values found. Those of declared ones are corrected among themselves."""
    trials = {key: (uneven if key.test == FACES else lucky)(each) for key, each in rows.items()}
    tests: dict[Key, Test] = {}
    for dice in (DRAWN, DECLARED):
        family = {key: trial for key, trial in trials.items() if key.dice == dice}
        counted = {key: trial.p for key, trial in family.items() if trial.p is not None}
        adjusted = dict(zip(counted, holm(list(counted.values())), strict=True))
        tests |= {key: _test(key, trial, adjusted.get(key, 1.0)) for key, trial in family.items()}
    found = sorted(
        (key for key in tests if key.dice == DRAWN and _is_found(tests[key])),
        key=lambda key: tests[key].p,
    )
    findings = tuple(_finding(key, tests[key], rows[key], trials[key]) for key in found)
    made = sum(trial.p is not None for key, trial in trials.items() if key.dice == DRAWN)
    verdict: Verdict = findings[0].verdict if findings else "fair" if made else "few"
    return tests, Tests(made, ALPHA, verdict, words.together(made, len(findings)), findings)


def holm(ps: Sequence[float]) -> list[float]:
    """Each p for all of them: the chance that honest ones alone give any as small (Holm 1979)."""
    adjusted, least = [0.0] * len(ps), 0.0
    for rank, nth in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        least = max(least, min(1.0, (len(ps) - rank) * ps[nth]))
        adjusted[nth] = least
    return adjusted


def significant(number: float) -> float:
    """To six digits, however small it is."""
    return float(f"{number:.{DIGITS}g}")


def _is_found(test: Test) -> bool:
    return test.verdict not in ("fair", "few")


def _test(key: Key, trial: Trial, adjusted: float) -> Test:
    p = 1.0 if trial.p is None else trial.p
    verdict = _verdict(key, trial, adjusted)
    return Test(
        round(trial.statistic, DIGITS),
        significant(p),
        significant(adjusted),
        trial.how,
        verdict,
        trial.df,
    )


def _verdict(key: Key, trial: Trial, adjusted: float) -> Verdict:
    if trial.p is None:
        return "few"
    if adjusted >= ALPHA:
        return "fair"
    if key.test == FACES:
        return "uneven"
    return "lucky" if trial.statistic > 0 else "unlucky"


def _finding(key: Key, test: Test, rows: Rows, trial: Trial) -> Finding:
    seat, source = key.seat or UNSET, key.source or UNSET
    if key.test == LUCK:
        says = words.lucky(trial.statistic, trial.draws, test.adjusted)
        return Finding(LUCK, test.p, test.adjusted, test.verdict, says, seat)
    value = _furthest(rows)
    says = words.uneven(value, seen(rows)[value], float(expected(rows)[value]), test.adjusted)
    return Finding(FACES, test.p, test.adjusted, test.verdict, says, seat, source, value)


def _furthest(rows: Rows) -> str:
    """The value that lies furthest from what was expected, in deviations of its own."""
    counts, means, variances = seen(rows), expected(rows), dict[str, float]()
    for row in rows:
        for value, (numerator, denominator) in row.chances:
            share = numerator / denominator
            variances[value] = variances.get(value, 0.0) + row.times * share * (1 - share)
    spread = {value: sqrt(variance) for value, variance in variances.items() if variance}
    return max(spread, key=lambda value: abs(counts[value] - float(means[value])) / spread[value])
