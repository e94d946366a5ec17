"""Data model of a session's statistics, shared by the worker, the API and the charts.

A `Series` contains (version, value) pairs, ordered by version. `seen` counts draws, and `settled`
counts actions. `expected` is the count that chance gives on average; at least 95 of 100 honest
tables see a count between `low` and `high`. Declared dice are counted separately from drawn dice.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

Series = tuple[tuple[int, float], ...]
TestMethod = Literal["exact", "normal", "chi-square", "simulated"]
"""How the p-value of a test was computed."""
Verdict = Literal["fair", "lucky", "unlucky", "uneven", "few"]
"""The verdict of a test.

`few`: there are too few draws to tell. `uneven`: chance alone would hardly give these faces, even
with as many tests as the report has.
"""
DRAWN, DECLARED = "drawn", "declared"
ALPHA = 0.01
"""The maximum share of honest tables whose report contains a significant test."""


class ReportPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """Base class of the parts of a report. JSON omits fields that have their default value."""


class ObservedCount(ReportPart, frozen=True):
    seen: int
    expected: float
    low: int
    high: int


class ChanceTest(ReportPart, frozen=True):
    """A test against chance.

    `p` is for this test alone; `adjusted` is corrected for all tests in the report (Holm).
    """

    statistic: float
    p: float
    adjusted: float
    how: TestMethod
    verdict: Verdict
    df: int | UnsetType = UNSET


class Faces(ReportPart, frozen=True):
    """How often each value of a die or deck came up, overall and by seat.

    The expected counts use the chances at the time of each draw.
    """

    draws: int
    values: dict[str, ObservedCount]
    test: ChanceTest | UnsetType = UNSET
    seats: dict[str, Faces] = {}


class Luck(ReportPart, frozen=True):
    """The luck of a seat or an entity: `z` is 0 if it is average, and positive if it is good.

    `z` is the sum of (mid-probability - 1/2) over all draws, divided by the standard deviation of
    that sum. `series` contains `z` after each draw. Only seats have a `test`.
    """

    draws: int
    z: float
    series: Series
    test: ChanceTest | UnsetType = UNSET


class Streak(ReportPart, frozen=True):
    """The longest run of lucky draws, or of unlucky draws.

    `p` is the probability that chance alone gives a run of at least this length.
    """

    length: int
    first: int
    last: int
    p: float


class OutcomeCounts(ReportPart, frozen=True):
    """How often actions ended with an outcome, and how often the dice gave that outcome."""

    settled: int
    drawn: ObservedCount
    declared: ObservedCount


class ActionStatistics(ReportPart, frozen=True):
    """The outcomes of one kind of action.

    `changed` counts altered outcomes: rolled outcome -> final outcome -> count.
    """

    outcomes: dict[str, OutcomeCounts]
    changed: dict[str, dict[str, int]] = {}


class Flow(ReportPart, frozen=True):
    gained: int
    lost: int
    times: int


class PoolStatistics(ReportPart, frozen=True):
    """Points gained and lost by reason (`why`), and the `level` of the pool over time.

    `level` starts with the level before the first change.
    """

    why: dict[str, Flow]
    level: Series = ()


class ConditionStatistics(ReportPart, frozen=True):
    """How often a condition began and ended, and how many rounds it lasted.

    `rounds` counts all rounds; `longest` is the most rounds that it lasted without a break.
    """

    begun: int
    ended: int
    rounds: int
    longest: int


class BoardStatistics(ReportPart, frozen=True):
    """How often the token landed on each point of a board, clockwise from the start.

    `rolled` counts where the dice put the token, `expected` is what chance gives on average, and
    `settled` counts where the token was after any changes to the roll.
    """

    points: tuple[str, ...]
    rolled: tuple[int, ...]
    expected: tuple[float, ...]
    settled: tuple[int, ...]


class Usage(ReportPart, frozen=True):
    """Statistics of one kind of usage die: how often it was rolled and how often it went down.

    `survived` contains, for each number of rolls, (rolls, share of dice that have not gone down,
    probability of that). The share is a Kaplan-Meier estimate, because some dice never go down.
    """

    rolls: int
    down: ObservedCount
    survived: tuple[tuple[int, float, float], ...]


class DrawnValue(ReportPart, frozen=True):
    version: int
    value: str
    outcome: str | UnsetType = UNSET


class UndoneDraw(ReportPart, frozen=True):
    """An undone draw, and the seat's next draw of the same kind, if there is one.

    Dice rolled together are matched one by one. `luck` and `next_luck` are mid-probabilities.
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
    """A seat's turns, its share of all turns, and the minutes that the table waited for it."""

    turns: int
    share: float
    minutes: float


class Tempo(ReportPart, frozen=True):
    """The pace of play, including undone turns.

    `gaps` contains the minutes before each turn, and `order` the (version, seat) of each turn.
    """

    turns: int
    minutes: float
    minutes_per_turn: float
    seats: dict[str, Pace]
    gaps: Series = ()
    order: tuple[tuple[int, str], ...] = ()


class VoidedValues(ReportPart, frozen=True):
    """What a voided draw would have given.

    `values` contains (sides, value) for each die; `told` is the ruleset's text about the result.
    """

    values: tuple[tuple[int, int], ...]
    told: tuple[str, ...] = ()


class VoidedDraw(ReportPart, frozen=True):
    """A voided draw that `seat` requested.

    `missing` lists the seats that did not contribute. `again` is the version of the seat's next
    draw for the same command.
    """

    version: int
    k: int
    seat: str
    missing: tuple[str, ...]
    shadow: VoidedValues | UnsetType = UNSET
    again: int | UnsetType = UNSET


class DrawStatistics(ReportPart, frozen=True):
    """The draws by grade, overall and by seat, and the voided draws.

    `voids` includes those on undone branches. `missing` counts, by seat, the voided draws to which
    the seat did not contribute.
    """

    grades: dict[str, int]
    seats: dict[str, dict[str, int]] = {}
    voids: tuple[VoidedDraw, ...] = ()
    missing: dict[str, int] = {}


class TestFinding(ReportPart, frozen=True):
    """A test that is significant after correction.

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
    """The number of tests made, the significance level, and the significant tests.

    `alpha` is the maximum share of honest tables for which any test is significant.
    """

    made: int
    alpha: float
    verdict: Verdict
    says: str
    found: tuple[TestFinding, ...] = ()


class SessionReport(ReportPart, frozen=True):
    """All statistics of a session at `version`, computed from versions `first` to `last`.

    `faces` is keyed by "drawn" or "declared", then by die or deck. `luck`, `streaks` and `results`
    are keyed by "seats" or "entities", then by id; `streaks` then by "lucky" or "unlucky", and
    `results` by kind of action. `points` and `conditions` are keyed by entity, then by name.
    `boards` and `usage` are keyed by name, with ", declared" added for declared dice.
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
