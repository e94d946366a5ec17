"""The statistics of a session: what the worker computes, the API returns and the charts draw.

A `Series` has (version, value) in order of versions. `seen` and `settled` count draws and actions,
`expected` is what chance gives on average, and 95 of 100 honest tables see `low` to `high`.
Declared dice are counted apart from drawn ones.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

Series = tuple[tuple[int, float], ...]
TestMethod = Literal["exact", "normal", "chi-square", "simulated"]
"""How a p is computed: summed, from a distribution, or by simulation."""
Verdict = Literal["fair", "lucky", "unlucky", "uneven", "few"]
"""`few`: too few draws to say. `uneven`: chance hardly gives these faces, of all tests."""
DRAWN, DECLARED = "drawn", "declared"
ALPHA = 0.01
"""The share of honest tables that a report may call out."""


class ReportPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a report; JSON leaves out what has its default."""


class ObservedCount(ReportPart, frozen=True):
    seen: int
    expected: float
    low: int
    high: int


class ChanceTest(ReportPart, frozen=True):
    """A test of chance: `p` alone, and `adjusted` for all tests of the report (Holm)."""

    statistic: float
    p: float
    adjusted: float
    how: TestMethod
    verdict: Verdict
    df: int | UnsetType = UNSET


class Faces(ReportPart, frozen=True):
    """A die or deck: each value against its chances at each draw, in all and by seat."""

    draws: int
    values: dict[str, ObservedCount]
    test: ChanceTest | UnsetType = UNSET
    seats: dict[str, Faces] = {}


class Luck(ReportPart, frozen=True):
    """The luck of a seat or an entity: `z` is 0 if it is as expected, and above 0 if it is lucky.

    `z` is the sum of each draw's mid-probability less one half, over its spread. `series` is z
    after each draw. Only seats have a `test`.
    """

    draws: int
    z: float
    series: Series
    test: ChanceTest | UnsetType = UNSET


class Streak(ReportPart, frozen=True):
    """The most draws in a row on one side of the middle of chance; chance gives them with `p`."""

    length: int
    first: int
    last: int
    p: float


class OutcomeCounts(ReportPart, frozen=True):
    """How often actions were settled with an outcome, and how often dice alone gave it."""

    settled: int
    drawn: ObservedCount
    declared: ObservedCount


class ActionStatistics(ReportPart, frozen=True):
    """The outcomes of a kind of action; `changed`: rolled outcome -> settled outcome -> times."""

    outcomes: dict[str, OutcomeCounts]
    changed: dict[str, dict[str, int]] = {}


class Flow(ReportPart, frozen=True):
    gained: int
    lost: int
    times: int


class PoolStatistics(ReportPart, frozen=True):
    """Points by reason, and what the pool held at first and after each change."""

    why: dict[str, Flow]
    level: Series = ()


class ConditionStatistics(ReportPart, frozen=True):
    """How often a condition began and ended, its rounds, and the most rounds at once."""

    begun: int
    ended: int
    rounds: int
    longest: int


class BoardStatistics(ReportPart, frozen=True):
    """By point, clockwise from the start: how often the token was rolled and settled there."""

    points: tuple[str, ...]
    rolled: tuple[int, ...]
    expected: tuple[float, ...]
    settled: tuple[int, ...]


class Usage(ReportPart, frozen=True):
    """A kind of usage die: its rolls, and how often it went down.

    `survived` holds (rolls, share of dice that still hold, chance of it). The share is Kaplan and
    Meier's, because some dice never wear out.
    """

    rolls: int
    down: ObservedCount
    survived: tuple[tuple[int, float, float], ...]


class DrawnValue(ReportPart, frozen=True):
    version: int
    value: str
    outcome: str | UnsetType = UNSET


class UndoneDraw(ReportPart, frozen=True):
    """An undone draw and the seat's next of its kind, die by die; luck is a mid-probability."""

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
    """The turns of play with undone ones; `gaps`: minutes before each, `order`: (version, seat)."""

    turns: int
    minutes: float
    minutes_per_turn: float
    seats: dict[str, Pace]
    gaps: Series = ()
    order: tuple[tuple[int, str], ...] = ()


class VoidedValues(ReportPart, frozen=True):
    """What a voided draw would have given: (sides, value) of each die, and the ruleset's text."""

    values: tuple[tuple[int, int], ...]
    told: tuple[str, ...] = ()


class VoidedDraw(ReportPart, frozen=True):
    """A voided draw of `seat`; `again` is the version of its next draw for the same command."""

    version: int
    k: int
    seat: str
    missing: tuple[str, ...]
    shadow: VoidedValues | UnsetType = UNSET
    again: int | UnsetType = UNSET


class DrawStatistics(ReportPart, frozen=True):
    """Draws by grade, in all and by seat; voided draws, undone or not; absences by seat."""

    grades: dict[str, int]
    seats: dict[str, dict[str, int]] = {}
    voids: tuple[VoidedDraw, ...] = ()
    missing: dict[str, int] = {}


class TestFinding(ReportPart, frozen=True):
    """A test that is significant after correction; `says` is a sentence."""

    test: Literal["faces", "luck"]
    p: float
    adjusted: float
    verdict: Verdict
    says: str
    seat: str | UnsetType = UNSET
    source: str | UnsetType = UNSET
    value: str | UnsetType = UNSET


class TestSummary(ReportPart, frozen=True):
    """The number of tests, the share of honest tables that is called out, and the findings."""

    made: int
    alpha: float
    verdict: Verdict
    says: str
    found: tuple[TestFinding, ...] = ()


class SessionReport(ReportPart, frozen=True):
    """All statistics of a session at `version`, computed from the versions `first` to `last`.

    `faces`: drawn or declared -> die or deck. `luck`, `streaks`, `results`: "seats" or "entities"
    -> id; `results` then -> use. `points`, `conditions`: entity -> name. `boards`, `usage`:
    name, with ", declared" for declared dice.
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
