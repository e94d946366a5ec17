"""Data model for session statistics, used by the worker, the API and the charts.

A `Series` contains (version, value) pairs, ordered by version. `seen` is the number of times that a
value was drawn, and `settled` is the number of times that actions ended with an outcome. `expected`
is the count expected by chance. With fair dice, the count lies between `low` and `high` in at least
95 of 100 sessions. Declared dice are counted separately from drawn dice.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from domain.verify.report import VoidBias

Series = tuple[tuple[int, float], ...]
TestMethod = Literal["exact", "normal", "chi-square", "simulated"]
"""How the p-value of a test was computed."""
Verdict = Literal["fair", "lucky", "unlucky", "uneven", "few"]
"""The verdict of a test.

`few` means that there are too few draws to test. `uneven` means that chance alone is very unlikely
to produce these faces, even after correction for the number of tests in the report.
"""
DRAWN, DECLARED = "drawn", "declared"
ALPHA = 0.01
"""The maximum share of sessions with fair dice whose report contains a significant test."""


class ReportPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """Base class for the parts of a report.

    Fields with default values are omitted from the JSON.
    """


class ObservedCount(ReportPart, frozen=True):
    seen: int
    expected: float
    low: int
    high: int


class ChanceTest(ReportPart, frozen=True):
    """A test of whether draws are consistent with chance.

    `p` is the p-value of this test alone. `adjusted` is the p-value corrected for the number of
    tests in the report (Holm's method).
    """

    statistic: float
    p: float
    adjusted: float
    how: TestMethod
    verdict: Verdict
    df: int | UnsetType = UNSET


class Faces(ReportPart, frozen=True):
    """How often each value of a die or deck came up, overall and by seat.

    The expected counts are computed from the chances at the time of each draw.
    """

    draws: int
    values: dict[str, ObservedCount]
    test: ChanceTest | UnsetType = UNSET
    seats: dict[str, Faces] = {}


class Luck(ReportPart, frozen=True):
    """The luck of a seat or an entity.

    `z` is 0 for average luck and positive for good luck. It is the sum of (mid-probability - 1/2)
    over all draws, divided by the standard deviation of that sum. `series` contains the value of
    `z` after each draw. Only seats have a `test`.
    """

    draws: int
    z: float
    series: Series
    test: ChanceTest | UnsetType = UNSET


class Streak(ReportPart, frozen=True):
    """The longest run of lucky draws, or of unlucky draws.

    `p` is the probability that chance alone produces a run of at least this length.
    """

    length: int
    first: int
    last: int
    p: float


class OutcomeCounts(ReportPart, frozen=True):
    """How often actions ended with an outcome, and how often the dice produced it."""

    settled: int
    drawn: ObservedCount
    declared: ObservedCount


class ActionStatistics(ReportPart, frozen=True):
    """The outcomes of one kind of action.

    `changed` counts the actions whose outcome was altered after the roll, keyed by the rolled
    outcome, then by the final outcome.
    """

    outcomes: dict[str, OutcomeCounts]
    changed: dict[str, dict[str, int]] = {}


class Flow(ReportPart, frozen=True):
    gained: int
    lost: int
    times: int


class PoolStatistics(ReportPart, frozen=True):
    """The points that a pool gained and lost, and its level over time.

    `why` maps each reason for a change to the points gained and lost. `level` begins with the level
    before the first change.
    """

    why: dict[str, Flow]
    level: Series = ()


class ConditionStatistics(ReportPart, frozen=True):
    """How often a condition began and ended, and how many rounds it lasted.

    `rounds` is the total number of rounds, and `longest` is the largest number of consecutive
    rounds.
    """

    begun: int
    ended: int
    rounds: int
    longest: int


class BoardStatistics(ReportPart, frozen=True):
    """How often a token landed on each point of a board.

    The points are in clockwise order, beginning at the start. For each point, `rolled` is how often
    the dice moved the token there, and `expected` is the number expected by chance.
    `settled` is how often the token ended up there after any changes to the roll.
    """

    points: tuple[str, ...]
    rolled: tuple[int, ...]
    expected: tuple[float, ...]
    settled: tuple[int, ...]


class Usage(ReportPart, frozen=True):
    """How often one kind of usage die was rolled, and how often it stepped down.

    `survived` contains one tuple for each number of rolls. A tuple contains the number of rolls,
    the observed share of dice that have not stepped down by then, and the share expected by chance.
    The observed share is a Kaplan-Meier estimate, because some dice never step down.
    """

    rolls: int
    down: ObservedCount
    survived: tuple[tuple[int, float, float], ...]


class DrawnValue(ReportPart, frozen=True):
    version: int
    value: str
    outcome: str | UnsetType = UNSET


class UndoneDraw(ReportPart, frozen=True):
    """An undone draw and the entity's next draw of the same kind, if any.

    If several dice were rolled together, each die is matched with one die from the next roll.
    `luck` and `next_luck` are mid-probabilities (see workers/statistics/significance.py).
    """

    draw: DrawnValue
    seat: str
    entity: str
    source: str
    use: str
    rewind: int
    luck: float | UnsetType = UNSET
    next: DrawnValue | UnsetType = UNSET
    next_luck: float | UnsetType = UNSET


class RewindStatistics(ReportPart, frozen=True):
    count: int
    turns: int
    draws: tuple[UndoneDraw, ...] = ()


class Pace(ReportPart, frozen=True):
    """The number of a seat's turns, its share of all turns, and the minutes that others waited."""

    turns: int
    share: float
    minutes: float


class Tempo(ReportPart, frozen=True):
    """The pace of play, including undone turns.

    `gaps` contains the number of minutes before each turn. `order` contains a (version, seat) pair
    for each turn.
    """

    turns: int
    minutes: float
    minutes_per_turn: float
    seats: dict[str, Pace]
    gaps: Series = ()
    order: tuple[tuple[int, str], ...] = ()


class VoidedValues(ReportPart, frozen=True):
    """The values that a voided draw would have produced.

    `values` contains a (sides, value) pair for each die. `told` is the ruleset's description of the
    result.
    """

    values: tuple[tuple[int, int], ...]
    told: tuple[str, ...] = ()


class VoidedDraw(ReportPart, frozen=True):
    """A voided draw that `seat` requested.

    `missing` lists the seats that did not contribute. `again` is the version of the seat's next
    roll for the same kind of command.
    """

    version: int
    k: int
    seat: str
    missing: tuple[str, ...]
    shadow: VoidedValues | UnsetType = UNSET
    again: int | UnsetType = UNSET


class DrawStatistics(ReportPart, frozen=True):
    """The number of draws by grade, overall and by seat, and the voided draws.

    `voids` includes voided draws on undone branches. `missing` counts, for each seat, the voided
    draws that lacked its contribution. `biases` compares the values that the voided draws would
    have had with those expected by chance, if at least ten values are known.
    """

    grades: dict[str, int]
    seats: dict[str, dict[str, int]] = {}
    voids: tuple[VoidedDraw, ...] = ()
    missing: dict[str, int] = {}
    biases: tuple[VoidBias, ...] = ()


class TestFinding(ReportPart, frozen=True):
    """A test that is significant after correction for multiple tests.

    `says` describes the finding in one sentence.
    """

    test: Literal["faces", "luck"]
    p: float
    adjusted: float
    verdict: Verdict
    says: str
    seat: str | UnsetType = UNSET
    source: str | UnsetType = UNSET
    value: str | UnsetType = UNSET


class TestSummary(ReportPart, frozen=True):
    """The number of tests performed, the significance level, and the significant tests.

    `alpha` is the maximum probability that a session with fair dice has a significant test.
    """

    made: int
    alpha: float
    verdict: Verdict
    says: str
    found: tuple[TestFinding, ...] = ()


class SessionReport(ReportPart, frozen=True):
    """All statistics for versions `first` to `last` of a session.

    `version` is the session's newest version. `faces` is keyed by "drawn" or "declared", then by
    die or deck. `luck`, `streaks` and `results` are keyed by "seats" or "entities", then by id.
    Each entry in `streaks` is keyed by "lucky" or "unlucky", and each entry in `results` by kind of
    action. `points` and `conditions` are keyed by entity, then by name. `boards` and `usage` are
    keyed by name. For declared dice, the name has the suffix ", declared".
    """

    version: int
    first: int
    last: int
    undone: bool
    faces: dict[str, dict[str, Faces]]
    luck: dict[str, dict[str, Luck]]
    streaks: dict[str, dict[str, dict[str, Streak]]]
    results: dict[str, dict[str, dict[str, ActionStatistics]]]
    points: dict[str, dict[str, PoolStatistics]]
    conditions: dict[str, dict[str, ConditionStatistics]]
    boards: dict[str, BoardStatistics]
    usage: dict[str, Usage]
    rewinds: RewindStatistics
    tempo: Tempo
    draws: DrawStatistics
    tests: TestSummary
