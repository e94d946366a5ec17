"""Data model for session statistics, used by the worker, the API and the charts.

Values that the server or the seats drew are counted separately from typed-in ones.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.verify.report import VoidBias

Series = Annotated[
    tuple[tuple[int, float], ...],
    Meta(
        description="pairs of a version and a value, in ascending order of version; of a long "
        "series, at most 240 pairs, evenly spaced, and the last one"
    ),
]
TestMethod = Literal["exact", "normal", "chi-square", "simulated"]
"""How the p-value of a test was computed."""
TestName = Literal["luck", "streak", "faces", "even", "mean", "repeats"]
"""What a test looks at (docs/statistics.md)."""
Verdict = Literal["fair", "few", "lucky", "unlucky", "uneven", "even", "repeating", "changing"]
"""The verdict of a test.

`few` means that there are too few draws to test. `fair` means that chance explains the draws. All
others are findings, which chance alone makes very rare: too much good or bad luck (`lucky`,
`unlucky`), faces that come too often or too seldom (`uneven`), counts that are too equal (`even`),
too many repetitions of the last value (`repeating`) or too few (`changing`).
"""
DRAWN, DECLARED = "drawn", "declared"
ALPHA = 0.01
"""The maximum share of ended sessions with fair dice that have a finding, for each verdict."""
RUNNING_ALPHA = 0.005
"""The maximum share of sessions with fair dice that ever have a finding while they run."""


class ReportPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """Base class for the parts of a report.

    Fields with default values are omitted from the JSON.
    """


class ObservedCount(ReportPart, frozen=True):
    seen: Annotated[int, Meta(description="the number of times that the value or outcome came up")]
    expected: Annotated[
        float,
        Meta(
            description="the number of times expected by chance: the sum of the probabilities that "
            "the value or outcome had at each draw"
        ),
    ]
    low: Annotated[
        int,
        Meta(
            description="the lower end of the range that contains the count in at least 95 of 100 "
            "sessions with fair dice (approximate for decks); the probability of a smaller count "
            "is at most 1/40"
        ),
    ]
    high: Annotated[
        int,
        Meta(
            description="the upper end of this range; the probability of a larger count is at most "
            "1/40"
        ),
    ]


class ChanceTest(ReportPart, frozen=True):
    """A test of whether draws are consistent with chance."""

    draws: Annotated[int, Meta(description="the number of draws that could have come otherwise")]
    verdict: Annotated[
        Verdict,
        Meta(
            description="`few` if there are fewer than 10 such draws, so that no test was run; "
            "otherwise `fair`, or the finding"
        ),
    ]
    statistic: (
        Annotated[
            float,
            Meta(
                description="the test statistic: z for `luck` and `mean` (positive for good luck, "
                "or for high values), X2 for `faces` and `even`, the length of the longest streak "
                "for `streak`, the number of repetitions for `repeats`; absent if no test was run"
            ),
        ]
        | UnsetType
    ) = UNSET
    p: (
        Annotated[
            float,
            Meta(
                description="the p-value of this test alone, from 0 to 1: how often chance gives a "
                "statistic at least as extreme; absent if no test was run"
            ),
        ]
        | UnsetType
    ) = UNSET
    adjusted: (
        Annotated[
            float,
            Meta(
                description="the p-value corrected for the number of tests of the same verdict "
                "(Holm's method), from 0 to 1; absent if no test was run"
            ),
        ]
        | UnsetType
    ) = UNSET
    method: (
        Annotated[
            TestMethod,
            Meta(
                description="how `p` was computed: `exact`, from a distribution (`normal`, "
                "`chi-square`), or from simulated sessions (`simulated`); absent if no test was run"
            ),
        ]
        | UnsetType
    ) = UNSET
    error: (
        Annotated[
            float,
            Meta(
                description="how far `p` can be from the exact value at most; for a simulated `p`, "
                "in 99 of 100 cases; absent if `p` is exact or if no bound is known"
            ),
        ]
        | UnsetType
    ) = UNSET
    df: (
        Annotated[
            int,
            Meta(description="the degrees of freedom of X2; absent for other statistics"),
        ]
        | UnsetType
    ) = UNSET
    evidence: (
        Annotated[
            float,
            Meta(
                description="the e-value, on which the verdict depends while the session runs: "
                "fair dice reach the value x in at most 1 of x sessions, no matter how often one "
                "looks; absent for tests that are only run at the end"
            ),
        ]
        | UnsetType
    ) = UNSET


class Faces(ReportPart, frozen=True):
    """How often each value of a die or deck came up, with everything that rewinds undid."""

    draws: Annotated[int, Meta(description="the number of rolls, or of cards drawn from the deck")]
    values: Annotated[
        dict[str, ObservedCount],
        Meta(
            description="the counts, keyed by a die's face or a card; they include possible values "
            "that never came up. A die with more than 20 faces has ten ranges, such as `1 to 10`"
        ),
    ]
    tests: Annotated[
        dict[TestName, ChanceTest],
        Meta(
            description="the tests, keyed by name: `faces` (does a value come too often or too "
            "seldom?), `mean` (of dice with more than 20 faces), `repeats` (is the same value "
            "repeated?), and for typed-in values `even` (are the counts too equal?); absent in the "
            "statistics of a range of versions"
        ),
    ] = {}
    seats: Annotated[
        dict[str, Faces],
        Meta(
            description="the same statistics for each seat that used the die or deck, keyed by the "
            "seat's id; absent in the statistics of a single seat"
        ),
    ] = {}


class Successes(ReportPart, frozen=True):
    """How often a seat or entity succeeded, if the rules say what a success is."""

    seen: Annotated[int, Meta(description="the number of successes")]
    of: Annotated[int, Meta(description="the number of rolls that could have been a success")]
    expected: Annotated[float, Meta(description="the number of successes expected by chance")]


class SecretRolls(ReportPart, frozen=True):
    """The draws that a seat made in secret, if you may not see all of them.

    Those that you see may have been chosen by their results, so none of them counts for anything
    that is compared with chance.
    """

    draws: Annotated[int, Meta(description="the number of the seat's secret draws")]
    open: Annotated[int, Meta(description="the number of those that you may see")]


class Luck(ReportPart, frozen=True):
    """The luck of a seat or an entity, from the rolls that counted in the end."""

    draws: Annotated[
        int,
        Meta(
            description="the number of rolls that count, at least 1; a roll counts if one of its "
            "possible outcomes is better than another"
        ),
    ]
    z: Annotated[
        float,
        Meta(
            description="the luck as a z-score: 0 on average, positive for good luck, and from "
            "-1.96 to 1.96 in 95 of 100 sessions with fair dice"
        ),
    ]
    series: Annotated[
        Series,
        Meta(
            description="pairs of the version of a roll's event and `z` after it; rolls in the "
            "same event have the same version"
        ),
    ]
    successes: (
        Annotated[
            Successes,
            Meta(description="absent if none of the rolls could be called a success"),
        ]
        | UnsetType
    ) = UNSET
    percentile: (
        Annotated[
            float,
            Meta(
                description="the share of sessions with fair dice and the same rolls that end with "
                "less luck, from 0 to 1; equal luck counts half; absent if there are fewer than 5 "
                "rolls, for an entity, and in the statistics of a range of versions"
            ),
        ]
        | UnsetType
    ) = UNSET
    text: (
        Annotated[
            str,
            Meta(
                description="the percentile in words, such as `better than 9 of 10 sessions`; "
                "absent if `percentile` is absent"
            ),
        ]
        | UnsetType
    ) = UNSET
    undone: Annotated[
        int, Meta(description="the number of rolls that rewinds undid, which do not count here")
    ] = 0
    tests: Annotated[
        dict[TestName, ChanceTest],
        Meta(
            description="the tests, keyed by name: `luck`, and for typed-in values `streak`. They "
            "cover every roll, also those that rewinds undid; absent for an entity and in the "
            "statistics of a range of versions"
        ),
    ] = {}


class Streak(ReportPart, frozen=True):
    """The longest run of lucky draws, or of unlucky draws."""

    length: Annotated[
        int,
        Meta(
            description="the number of draws in the run, at least 1; if several runs are equally "
            "long, this is the first of them"
        ),
    ]
    first: Annotated[
        int, Meta(description="the version of the event that contains the run's first result")
    ]
    last: Annotated[
        int, Meta(description="the version of the event that contains the run's last result")
    ]
    p: (
        Annotated[
            float,
            Meta(
                description="the probability, from 0 to 1, that chance alone produces a run of at "
                "least this length among the draws of the seat; absent for an entity and above "
                "1,000 draws"
            ),
        ]
        | UnsetType
    ) = UNSET


class OutcomeCounts(ReportPart, frozen=True):
    """How often actions ended with an outcome, and how often the dice produced it."""

    settled: Annotated[
        int,
        Meta(
            description="the number of actions that ended with the outcome, including those "
            "without a roll and those whose outcome was altered after the roll"
        ),
    ]
    drawn: Annotated[
        ObservedCount,
        Meta(
            description="how often drawn dice or cards produced the outcome, before any "
            "alteration; all its numbers are 0 if they could not produce it"
        ),
    ]
    declared: Annotated[
        ObservedCount,
        Meta(
            description="how often declared dice produced the outcome, before any alteration; all "
            "its numbers are 0 if they could not produce it"
        ),
    ]


class ActionStatistics(ReportPart, frozen=True):
    """The outcomes of one kind of action."""

    outcomes: Annotated[
        dict[str, OutcomeCounts],
        Meta(
            description="the counts, keyed by outcome: a word of the ruleset such as success, a "
            "number such as a total, or the id of an entity such as the winner"
        ),
    ]
    changed: Annotated[
        dict[str, dict[str, int]],
        Meta(
            description="the number of actions, keyed by the rolled outcome, then by the final "
            "outcome, which is the same if the outcome was not altered; absent if no rolled "
            "outcome is known"
        ),
    ] = {}


class Flow(ReportPart, frozen=True):
    gained: Annotated[
        int, Meta(description="the number of points gained for the reason, 0 or more")
    ]
    lost: Annotated[int, Meta(description="the number of points lost for the reason, 0 or more")]
    times: Annotated[int, Meta(description="the number of changes for the reason")]


class PoolStatistics(ReportPart, frozen=True):
    """The points that a pool gained and lost, and its level over time.

    The points of some pools are cards or dice.
    """

    why: Annotated[
        dict[str, Flow],
        Meta(
            description="the points gained and lost, keyed by the reason for the change in the "
            "ruleset's words, such as hit or rest"
        ),
    ]
    level: Annotated[
        Series,
        Meta(
            description="one pair for each change, in order: the version of the event that changed "
            "the pool, and the level after the change. These pairs follow a first pair with the "
            "level before the first change and the version before that change. Absent if the level "
            "is not known"
        ),
    ] = ()


class ConditionStatistics(ReportPart, frozen=True):
    """How often a condition began and ended, and how many rounds it lasted."""

    begun: Annotated[
        int,
        Meta(
            description="the number of times that the condition began, or was set again to at "
            "least the number of rounds that remained"
        ),
    ]
    ended: Annotated[int, Meta(description="the number of times that the condition ended")]
    rounds: Annotated[
        int,
        Meta(
            description="the number of rounds (in a game that counts moments, of moments) that "
            "passed while the entity had the condition"
        ),
    ]
    longest: Annotated[
        int,
        Meta(
            description="the largest number of these rounds without an end of the condition "
            "between them; setting the condition again is not an end"
        ),
    ]


class BoardStatistics(ReportPart, frozen=True):
    """How often a token landed on each point of a board."""

    points: Annotated[
        tuple[str, ...],
        Meta(
            description="the labels of the board's points in clockwise order, beginning at the "
            "start; several points can have the same label"
        ),
    ]
    rolled: Annotated[
        tuple[int, ...],
        Meta(
            description="how often the dice moved the token to each point, in the order of `points`"
        ),
    ]
    expected: Annotated[
        tuple[float, ...],
        Meta(
            description="how often the dice are expected to move the token to each point by "
            "chance, in the order of `points`"
        ),
    ]
    settled: Annotated[
        tuple[int, ...],
        Meta(
            description="how often the token ended up on each point after any changes to the roll, "
            "in the order of `points`"
        ),
    ]


class Usage(ReportPart, frozen=True):
    """How often one kind of usage die was rolled, and how often it stepped down."""

    rolls: Annotated[int, Meta(description="the number of rolls of this kind of die")]
    down: Annotated[
        ObservedCount,
        Meta(description="how often a roll made the die step down or used it up"),
    ]
    survived: Annotated[
        tuple[tuple[int, float, float], ...],
        Meta(
            description="one tuple for each number of rolls of a die, from 1: the number of rolls, "
            "the share of dice that have not stepped down by then (from 0 to 1), and the share "
            "expected by chance (from 0 to 1). The observed share is a Kaplan-Meier estimate, "
            "because some dice never step down"
        ),
    ]


class DrawnValue(ReportPart, frozen=True):
    version: Annotated[
        int, Meta(description="the version of the event that contains the roll's outcome")
    ]
    value: Annotated[str, Meta(description="what was drawn, as text, such as 4 or 3 + 11")]
    outcome: Annotated[str, Meta(description="the outcome, in the ruleset's words")]
    luck: (
        Annotated[
            int,
            Meta(
                description="the luck of the roll, from -50 to 50: 100 times the probability of a "
                "worse outcome plus half the probability of the same one, minus 50; absent if none "
                "of the outcomes is better than another"
            ),
        ]
        | UnsetType
    ) = UNSET


class UndoneDraw(ReportPart, frozen=True):
    """An undone roll and the entity's next roll of the same kind, if any."""

    draw: Annotated[DrawnValue, Meta(description="the undone roll")]
    seat: Annotated[str, Meta(description="the id of the seat that made the undone roll")]
    entity: Annotated[
        str,
        Meta(
            description="the id of the entity that the roll was for, or `@` and the seat's id if "
            "it was for no entity"
        ),
    ]
    use: Annotated[
        str,
        Meta(description="the kind of action, in the ruleset's words, such as check or damage"),
    ]
    rewind: Annotated[int, Meta(description="the version of the first rewind that undid the roll")]
    next: (
        Annotated[
            DrawnValue,
            Meta(
                description="the first roll after the rewind that has the same `entity` and `use`; "
                "absent if there is none yet"
            ),
        ]
        | UnsetType
    ) = UNSET


class RewindStatistics(ReportPart, frozen=True):
    count: Annotated[int, Meta(description="the number of rewinds")]
    turns: Annotated[
        int,
        Meta(
            description="the number of turns that are undone at the session's newest version; only "
            "turns that began with a ruleset command are counted"
        ),
    ]
    draws: Annotated[
        tuple[UndoneDraw, ...],
        Meta(
            description="the rolls that are undone at the session's newest version, in ascending "
            "order of version; of many, those among the newest 200 rolls; absent if there are none"
        ),
    ] = ()


class Pace(ReportPart, frozen=True):
    """The pace of a seat."""

    turns: Annotated[int, Meta(description="the number of the seat's turns")]
    share: Annotated[float, Meta(description="the seat's share of all turns, from 0 to 1")]
    minutes: Annotated[
        float,
        Meta(
            description="the total number of minutes before the seat's turns, each counted from "
            "the beginning of the previous turn of any seat, without breaks"
        ),
    ]


class Tempo(ReportPart, frozen=True):
    """The pace of play, including undone turns.

    Only turns that began with a ruleset command are counted. A wait of more than 30 minutes is a
    break, and counts for nothing but the number of breaks.
    """

    turns: Annotated[int, Meta(description="the number of turns")]
    minutes: Annotated[
        float, Meta(description="the sum of the waits between turns in minutes, without breaks")
    ]
    minutes_per_turn: Annotated[
        float,
        Meta(
            description="the median of the waits between turns in minutes, to the second, or 0 if "
            "there are fewer than two turns"
        ),
    ]
    seats: Annotated[
        dict[str, Pace], Meta(description="the pace of each seat, keyed by the seat's id")
    ]
    breaks: Annotated[int, Meta(description="the number of breaks")] = 0
    gaps: Annotated[
        Series,
        Meta(
            description="pairs of the version of a turn's first event, and the minutes since the "
            "beginning of the previous turn; absent if there are fewer than two turns"
        ),
    ] = ()


class PossibleValue(ReportPart, frozen=True):
    sides: Annotated[int, Meta(description="the number of possible values, such as 6 for a d6")]
    value: Annotated[int, Meta(description="the value, from 1 to `sides`")]


class VoidedValues(ReportPart, frozen=True):
    """The values that a voided draw would have produced."""

    values: Annotated[
        tuple[PossibleValue, ...],
        Meta(description="the values, in the order in which the rules would have asked for them"),
    ]
    texts: Annotated[
        tuple[str, ...],
        Meta(
            description="the texts of the ruleset events that the draw would have produced, in "
            "order; ids in them are in braces (`@` precedes the id of a seat), and other braces "
            "are doubled; absent if there are no such events"
        ),
    ] = ()


class VoidedResult(ReportPart, frozen=True):
    """What a voided draw would have given, and when the seat rolled again."""

    result: VoidedValues | UnsetType = UNSET
    again: int | UnsetType = UNSET


class VoidedDraw(ReportPart, frozen=True):
    """A voided draw."""

    version: Annotated[int, Meta(description="the version of the event that voided the draw")]
    draw: Annotated[int, Meta(description="the number of the draw, from 0")]
    seat: Annotated[str, Meta(description="the id of the seat that requested the draw")]
    missing: Annotated[
        tuple[str, ...],
        Meta(
            description="the ids of the seats from which the server recorded no contribution, in "
            "alphabetical order"
        ),
    ]
    result: (
        Annotated[
            VoidedValues,
            Meta(
                description="the values that the draw would have produced; absent if a link, the "
                "opening of a secret draw or a part of the table is missing or hidden from you, or "
                "if the rules do not allow the command"
            ),
        ]
        | UnsetType
    ) = UNSET
    again: (
        Annotated[
            int,
            Meta(
                description="the version of the event that declared the next roll for the same "
                "kind of command by the same seat, even if its draw was not completed; absent if "
                "there is none"
            ),
        ]
        | UnsetType
    ) = UNSET


class DrawStatistics(ReportPart, frozen=True):
    """The number of draws by grade, overall and by seat, and the voided draws."""

    grades: Annotated[
        dict[str, int],
        Meta(
            description="the number of completed draws and of rolls of physical dice, keyed by "
            "their grade, from A (best) to D; grades without any are omitted"
        ),
    ]
    seats: Annotated[
        dict[str, dict[str, int]],
        Meta(
            description="the same numbers for each seat that requested draws or rolled physical "
            "dice, keyed by the seat's id, then by grade; absent if there are none"
        ),
    ] = {}
    voids: Annotated[
        tuple[VoidedDraw, ...],
        Meta(
            description="the voided draws, including those on undone branches, in ascending order "
            "of version; of many, the last 100; absent if there are none"
        ),
    ] = ()
    missing: Annotated[
        dict[str, int],
        Meta(
            description="the number of all voided draws to which the seat did not contribute, "
            "keyed by the seat's id; seats with none are omitted; absent if there are no such seats"
        ),
    ] = {}
    biases: Annotated[
        tuple[VoidBias, ...],
        Meta(
            description="the comparisons of the draws in `voids` with chance, one for each missing "
            "seat in alphabetical order of ids, and then one for all seats together; those with "
            "fewer than 10 known values are omitted; absent if there are none"
        ),
    ] = ()


class TestFinding(ReportPart, frozen=True):
    """A test that chance does not explain."""

    test: Annotated[TestName, Meta(description="the name of the test")]
    verdict: Annotated[Verdict, Meta(description="the test's verdict")]
    text: Annotated[
        str,
        Meta(
            description="the finding in one sentence; ids of seats in it are in braces after `@`, "
            "such as `{@p1}`, and other braces are doubled"
        ),
    ]
    rarity: Annotated[
        str, Meta(description="how seldom chance alone gives as much, in one sentence")
    ]
    p: Annotated[float, Meta(description="the p-value of this test alone, from 0 to 1")]
    adjusted: Annotated[
        float, Meta(description="the p-value corrected for the number of tests, from 0 to 1")
    ]
    seat: (
        Annotated[
            str,
            Meta(
                description="the id of the seat whose draws were tested; absent if the draws of "
                "all seats were tested together"
            ),
        ]
        | UnsetType
    ) = UNSET
    source: (
        Annotated[
            str,
            Meta(
                description="the die, such as d6, the physical die's name, or the name of the "
                "deck; absent for tests of luck and streaks"
            ),
        ]
        | UnsetType
    ) = UNSET
    value: (
        Annotated[
            str,
            Meta(
                description="the value whose count differs most from the expected count, measured "
                "in standard deviations; absent unless the test is `faces`"
            ),
        ]
        | UnsetType
    ) = UNSET


class Power(ReportPart, frozen=True):
    """How likely a loaded die would have been found."""

    source: Annotated[str, Meta(description="the die or deck that was used most")]
    draws: Annotated[int, Meta(description="how often it was used")]
    weights: Annotated[
        dict[str, float],
        Meta(
            description="the probability, from 0 to 1, that the test of all seats together finds a "
            "die of which one face comes 1.5, 2, 3 or 5 times as often as each other face, keyed "
            "by that factor"
        ),
    ]
    text: Annotated[str, Meta(description="the same in one sentence")]


class TestSummary(ReportPart, frozen=True):
    """The verdict on the values of one origin: drawn, or typed in."""

    verdict: Annotated[
        Verdict,
        Meta(
            description="the verdict of the first test in `found`; if there is none, `fair`, or "
            "`few` if no test was run"
        ),
    ]
    final: Annotated[
        bool,
        Meta(
            description="true if the session has ended. Then findings are the tests whose "
            "`adjusted` is below 0.01. While it runs, they are those whose `evidence` is at least "
            "20,000 (of k > 100 tests, 200 k), which fair dice reach in at most 1 of 200 sessions, "
            "however often one looks"
        ),
    ]
    made: Annotated[
        int,
        Meta(description="the number of tests that were run"),
    ]
    text: Annotated[str, Meta(description="the verdict in one or two sentences")]
    found: Annotated[
        tuple[TestFinding, ...],
        Meta(description="the findings, in ascending order of `p`; absent if there are none"),
    ] = ()
    power: (
        Annotated[
            Power,
            Meta(
                description="what the tests could have found; absent if no die or deck was tested"
            ),
        ]
        | UnsetType
    ) = UNSET


class Highlight(ReportPart, frozen=True):
    """A memorable moment of the session."""

    kind: Annotated[
        Literal["rarest", "drought", "save", "decisive"],
        Meta(
            description="`rarest`: the least probable outcome, if it comes in at most 1 of 20 "
            "cases; `drought`: the least probable row of at least two rolls without a success; "
            "`save`: the least probable success of a "
            "defence; `decisive`: the least probable outcome of a roll on which a life (or else "
            "harm) hung"
        ),
    ]
    seat: Annotated[str, Meta(description="the id of the seat whose moment it was")]
    entity: Annotated[str, Meta(description="the id of the entity, or `@` and the seat's id")]
    first: Annotated[int, Meta(description="the version of the first roll")]
    last: Annotated[
        int, Meta(description="the version of the last roll; equal to `first` for a single roll")
    ]
    chance: Annotated[
        float,
        Meta(
            description="the probability, from 0 to 1, of this outcome or one at least as extreme "
            "in the same direction; for a drought, of that many failures in a row"
        ),
    ]
    text: Annotated[
        str,
        Meta(
            description="the moment in one sentence; ids in it are in braces, those of seats after "
            "`@`, such as `{@p1}`"
        ),
    ]


class SessionReport(ReportPart, frozen=True):
    """All statistics for a range of versions of a session."""

    version: Annotated[
        int, Meta(description="the session's newest version when the report was computed")
    ]
    first: Annotated[int, Meta(description="the first version that the report covers")]
    last: Annotated[
        int, Meta(description="the last version that the report covers, at most `version`")
    ]
    headline: Annotated[
        str,
        Meta(
            description="who was luckiest, or unluckiest if no one was lucky, and whether anything "
            "is suspicious, in one or two sentences; ids of seats in it are in braces after `@`, "
            "such as `{@p1}`; empty in the statistics of a range of versions"
        ),
    ]
    verdicts: Annotated[
        dict[str, TestSummary],
        Meta(
            description="the verdicts on the values of each origin "
            '(`{"drawn": …, "declared": …}`); an origin without values is omitted. Empty in the '
            "statistics of a range of versions, because a range can be chosen by its results"
        ),
    ]
    highlights: Annotated[
        tuple[Highlight, ...],
        Meta(description="the memorable moments of the session, at most one of each kind"),
    ]
    secret: Annotated[
        dict[str, SecretRolls],
        Meta(
            description="the secret draws of each seat of which you may not see all, keyed by the "
            "seat's id"
        ),
    ]
    faces: Annotated[
        dict[str, dict[str, Faces]],
        Meta(
            description="how often each value came up, with everything that rewinds undid, keyed "
            'by the origin of the values (`{"drawn": …, "declared": …}`), then by die, such as '
            "d6, by the name of a physical die, such as `d6 (the red d6)`, or by the word deck and "
            "the id of the deck, such as `deck D`. `seats` has the seats that asked for the draws"
        ),
    ]
    luck: Annotated[
        dict[str, dict[str, dict[str, Luck]]],
        Meta(
            description="the luck of seats and entities, keyed by the origin of the values, then "
            'by group (`{"seats": …, "entities": …}`), then by id. A roll counts for the seat '
            "that plays its entity, no matter which seat made it. Under `entities`, draws that "
            "belong to no entity have the key `@` and the seat's id. Seats and entities without "
            "draws that count are omitted"
        ),
    ]
    streaks: Annotated[
        dict[str, dict[str, dict[str, dict[str, Streak]]]],
        Meta(
            description="the longest streaks, keyed by origin, group and id like `luck`, then by "
            'kind (`{"lucky": …, "unlucky": …}`). A draw is lucky if its luck is above 0, and '
            "unlucky if it is below. A kind is omitted if there are no such draws"
        ),
    ]
    results: Annotated[
        dict[str, dict[str, dict[str, ActionStatistics]]],
        Meta(
            description="the outcomes of actions, keyed by group "
            '(`{"seats": …, "entities": …}`), then by id like `luck`, then by the kind of action '
            "in the ruleset's words, such as check or damage"
        ),
    ]
    points: Annotated[
        dict[str, dict[str, PoolStatistics]],
        Meta(
            description="the changes to pools, keyed by the pool's owner, then by the pool's name, "
            "such as HP. The owner is the id of an entity, the id of a deck, or `the table` for "
            "counters that belong to no entity"
        ),
    ]
    conditions: Annotated[
        dict[str, dict[str, ConditionStatistics]],
        Meta(
            description="the conditions whose duration is limited in rounds, keyed by the id of "
            "the entity, then by the condition's name"
        ),
    ]
    boards: Annotated[
        dict[str, BoardStatistics],
        Meta(
            description="the points on which tokens landed, keyed by the board's name, which is "
            "followed by `, declared` for declared dice"
        ),
    ]
    usage: Annotated[
        dict[str, Usage],
        Meta(
            description="the rolls of usage dice, keyed by the die before the roll, such as d6, "
            "which is followed by `, declared` for declared dice"
        ),
    ]
    rewinds: Annotated[
        RewindStatistics, Meta(description="the rewinds and the draws that they undid")
    ]
    tempo: Annotated[Tempo, Meta(description="the pace of play")]
    draws: Annotated[
        DrawStatistics, Meta(description="the grades of the draws, and the voided draws")
    ]
