"""Data model for session statistics, used by the worker, the API and the charts.

Declared dice are counted separately from drawn dice.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.verify.report import VoidBias

Series = Annotated[
    tuple[tuple[int, float], ...],
    Meta(description="pairs of a version and a value, in ascending order of version"),
]
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

    statistic: Annotated[
        float,
        Meta(
            description="the test statistic: for a test of luck, z (positive for good luck); for a "
            "test of faces, X2 (0 or more; the larger, the less consistent with chance); 0 if none "
            "of the draws could have had another result"
        ),
    ]
    p: Annotated[
        float,
        Meta(
            description="the p-value of this test alone, from 0 to 1: the probability that chance "
            "gives a statistic at least as extreme (for luck, in either direction); 1 if no test "
            "was run"
        ),
    ]
    adjusted: Annotated[
        float,
        Meta(
            description="the p-value corrected for the number of tests in the report (Holm's "
            "method), from 0 to 1; the tests of declared dice are corrected separately from all "
            "others; 1 if no test was run"
        ),
    ]
    how: Annotated[
        TestMethod,
        Meta(
            description="how `p` was computed: `chi-square` or `normal` (from that distribution), "
            "or `simulated` (from simulated sessions); `exact` if no test was run"
        ),
    ]
    verdict: Annotated[
        Verdict,
        Meta(
            description="`few` if no test was run, because fewer than 10 of the draws could have "
            "had another result; if `adjusted` is below 0.01, `lucky` or `unlucky` for a test of "
            "luck and `uneven` for a test of faces; otherwise `fair`"
        ),
    ]
    df: (
        Annotated[
            int,
            Meta(
                description="the degrees of freedom of X2, at least 1; absent for a test of luck, "
                "or if none of the draws could have had another result"
            ),
        ]
        | UnsetType
    ) = UNSET


class Faces(ReportPart, frozen=True):
    """How often each value of a die or deck came up."""

    draws: Annotated[int, Meta(description="the number of rolls, or of cards drawn from the deck")]
    values: Annotated[
        dict[str, ObservedCount],
        Meta(
            description="the counts, keyed by value: a die's face, a sum of dice (for dice such as "
            "2d12) or a card; they include possible values that never came up"
        ),
    ]
    test: (
        Annotated[
            ChanceTest,
            Meta(
                description="the test of whether the values are consistent with chance; if only "
                "one seat used the die or deck, it is that seat's test; always present"
            ),
        ]
        | UnsetType
    ) = UNSET
    seats: Annotated[
        dict[str, Faces],
        Meta(
            description="the same statistics for each seat that used the die or deck, keyed by the "
            "seat's id; absent in the statistics of a single seat"
        ),
    ] = {}


class Luck(ReportPart, frozen=True):
    """The luck of a seat or an entity."""

    draws: Annotated[
        int,
        Meta(
            description="the number of draws that count, at least 1; a draw counts if one of its "
            "possible results is better than another; declared dice do not count"
        ),
    ]
    z: Annotated[
        float,
        Meta(
            description="the luck as a z-score: 0 on average, positive for good luck, and from "
            "-1.96 to 1.96 in 95 of 100 sessions with fair dice. It is the sum of each draw's luck "
            "minus 1/2, divided by the standard deviation of that sum. A draw's luck is the "
            "probability of a worse result plus half the probability of the same result"
        ),
    ]
    series: Annotated[
        Series,
        Meta(
            description="one pair for each draw, in order: the version of the event that contains "
            "its result, and the value of `z` after it; draws in the same event have the same "
            "version"
        ),
    ]
    test: (
        Annotated[
            ChanceTest,
            Meta(
                description="the test of whether the luck is consistent with chance; absent for an "
                "entity"
            ),
        ]
        | UnsetType
    ) = UNSET


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
    p: Annotated[
        float,
        Meta(
            description="the probability, from 0 to 1, that chance alone produces a run of at "
            "least this length among the draws of the seat or entity"
        ),
    ]


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
            description="the number of rounds (in a game that counts moments, of moments) that the "
            "condition outlasted, counted as the events that reduced its remaining rounds, but not "
            "to 0"
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
        int, Meta(description="the version of the event that contains the draw's result")
    ]
    value: Annotated[
        str,
        Meta(
            description="the value as text: a die's face, a sum of dice (for dice such as 2d12) or "
            "a card"
        ),
    ]
    outcome: (
        Annotated[
            str,
            Meta(
                description="the outcome that the value led to, in the ruleset's words; absent if "
                "the value has no outcome of its own"
            ),
        ]
        | UnsetType
    ) = UNSET


class UndoneDraw(ReportPart, frozen=True):
    """An undone draw and the entity's next draw of the same kind, if any."""

    draw: Annotated[DrawnValue, Meta(description="the undone draw")]
    seat: Annotated[str, Meta(description="the id of the seat that made the undone draw")]
    entity: Annotated[
        str,
        Meta(
            description="the id of the entity that the draw was for, or `@` and the seat's id if "
            "it was for no entity"
        ),
    ]
    source: Annotated[
        str, Meta(description="the die or dice, such as d6 or 2d12, or the name of the deck")
    ]
    use: Annotated[
        str,
        Meta(description="the kind of action, in the ruleset's words, such as check or damage"),
    ]
    rewind: Annotated[int, Meta(description="the version of the first rewind that undid the draw")]
    luck: (
        Annotated[
            float,
            Meta(
                description="the luck of the undone draw, from 0 to 1: the probability of a worse "
                "result plus half the probability of the same result; absent if none of the "
                "possible results is better than another"
            ),
        ]
        | UnsetType
    ) = UNSET
    next: (
        Annotated[
            DrawnValue,
            Meta(
                description="the first draw after the rewind that has the same `entity`, `source` "
                "and `use`; if a turn has several such draws, the one at the same position in the "
                "turn as the undone draw; absent if the report covers no such draw"
            ),
        ]
        | UnsetType
    ) = UNSET
    next_luck: (
        Annotated[
            float,
            Meta(
                description="the luck of the draw `next`, from 0 to 1; absent if `next` is absent, "
                "or if none of its possible results is better than another"
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
            description="the draws that are undone at the session's newest version, in ascending "
            "order of version, without declared dice; absent if there are none"
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
            "the beginning of the previous turn of any seat"
        ),
    ]


class Tempo(ReportPart, frozen=True):
    """The pace of play, including undone turns.

    Only turns that began with a ruleset command are counted.
    """

    turns: Annotated[int, Meta(description="the number of turns")]
    minutes: Annotated[
        float,
        Meta(
            description="the number of minutes from the beginning of the first turn to the "
            "beginning of the last turn"
        ),
    ]
    minutes_per_turn: Annotated[
        float,
        Meta(
            description="the median of the minutes in `gaps`, or 0 if there are fewer than two "
            "turns"
        ),
    ]
    seats: Annotated[
        dict[str, Pace], Meta(description="the pace of each seat, keyed by the seat's id")
    ]
    gaps: Annotated[
        Series,
        Meta(
            description="one pair for each turn except the first, in order: the version of the "
            "turn's first event, and the minutes since the beginning of the previous turn; absent "
            "if there are fewer than two turns"
        ),
    ] = ()
    order: Annotated[
        tuple[tuple[int, str], ...],
        Meta(
            description="one pair for each turn, in order: the version of the turn's first event, "
            "and the id of the seat; absent if there are no turns"
        ),
    ] = ()


class VoidedValues(ReportPart, frozen=True):
    """The values that a voided draw would have produced."""

    values: Annotated[
        tuple[tuple[int, int], ...],
        Meta(
            description="the values, in the order in which the rules would have asked for them; "
            "each is a pair of the number of possible values, such as 6 for a d6, and the value, "
            "from 1 to that number"
        ),
    ]
    told: Annotated[
        tuple[str, ...],
        Meta(
            description="the texts of the ruleset events that the draw would have produced, in "
            "order; ids in them are in braces (`@` precedes the id of a seat), and other braces "
            "are doubled; absent if there are no such events"
        ),
    ] = ()


class VoidedDraw(ReportPart, frozen=True):
    """A voided draw."""

    version: Annotated[int, Meta(description="the version of the event that voided the draw")]
    k: Annotated[int, Meta(description="the number of the draw, from 0")]
    seat: Annotated[str, Meta(description="the id of the seat that requested the draw")]
    missing: Annotated[
        tuple[str, ...],
        Meta(
            description="the ids of the seats from which the server recorded no contribution, in "
            "alphabetical order"
        ),
    ]
    shadow: (
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
            "of version; absent if there are none"
        ),
    ] = ()
    missing: Annotated[
        dict[str, int],
        Meta(
            description="the number of draws in `voids` to which the seat did not contribute, "
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
    """A test that is significant after correction for multiple tests."""

    test: Annotated[
        Literal["faces", "luck"],
        Meta(description="`faces` for a test of a die or deck, `luck` for a test of a seat's luck"),
    ]
    p: Annotated[float, Meta(description="the p-value of this test alone, from 0 to 1")]
    adjusted: Annotated[
        float,
        Meta(
            description="the p-value corrected for the number of tests in the report (Holm's "
            "method), from 0 to 1; it is below 0.01"
        ),
    ]
    verdict: Annotated[
        Verdict,
        Meta(description="`lucky` or `unlucky` for a test of luck, `uneven` for a test of faces"),
    ]
    says: Annotated[
        str,
        Meta(
            description="a description of the finding in English, which can follow a colon; it "
            "does not name the seat, the die or the deck"
        ),
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
                description="the die or dice, such as d6 or 2d12, or the name of the deck; absent "
                "for a test of luck"
            ),
        ]
        | UnsetType
    ) = UNSET
    value: (
        Annotated[
            str,
            Meta(
                description="the value whose count differs most from the expected count, measured "
                "in standard deviations; absent for a test of luck"
            ),
        ]
        | UnsetType
    ) = UNSET


class TestSummary(ReportPart, frozen=True):
    """A summary of the tests, without those of declared dice."""

    made: Annotated[
        int,
        Meta(
            description="the number of tests that were run; tests with the verdict `few` were not "
            "run"
        ),
    ]
    alpha: Annotated[
        float,
        Meta(
            description="the significance level, from 0 to 1: the maximum probability that a "
            "session with fair dice has a significant test"
        ),
    ]
    verdict: Annotated[
        Verdict,
        Meta(
            description="the verdict of the first test in `found`; if no test is significant, "
            "`fair`, or `few` if no test was run"
        ),
    ]
    says: Annotated[
        str,
        Meta(
            description="the number of tests and of significant tests, as one or two sentences in "
            "English"
        ),
    ]
    found: Annotated[
        tuple[TestFinding, ...],
        Meta(
            description="the significant tests, in ascending order of `p`; absent if there are none"
        ),
    ] = ()


class SessionReport(ReportPart, frozen=True):
    """All statistics for a range of versions of a session."""

    version: Annotated[
        int, Meta(description="the session's newest version when the report was computed")
    ]
    first: Annotated[int, Meta(description="the first version that the report covers")]
    last: Annotated[
        int, Meta(description="the last version that the report covers, at most `version`")
    ]
    undone: Annotated[
        bool,
        Meta(
            description="true if undone branches are counted; `rewinds`, `tempo` and the voided "
            "draws in `draws` always include them"
        ),
    ]
    faces: Annotated[
        dict[str, dict[str, Faces]],
        Meta(
            description="how often each value came up, keyed by the origin of the values "
            '(`{"drawn": …, "declared": …}`), then by die or dice, such as d6 or 2d12, or by the '
            "name of the deck"
        ),
    ]
    luck: Annotated[
        dict[str, dict[str, Luck]],
        Meta(
            description="the luck of seats and entities, keyed by group "
            '(`{"seats": …, "entities": …}`), then by id. Under `entities`, draws that belong to '
            "no entity have the key `@` and the seat's id. Seats and entities without draws that "
            "count are omitted"
        ),
    ]
    streaks: Annotated[
        dict[str, dict[str, dict[str, Streak]]],
        Meta(
            description="the longest streaks, keyed by group and id like `luck`, then by kind "
            '(`{"lucky": …, "unlucky": …}`). A draw is lucky if its luck is above 1/2, and unlucky '
            "if it is below. A kind is omitted if there are no such draws"
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
            "such as HP. The owner is the id of an entity, the name of a deck, or `the table` for "
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
    tests: Annotated[
        TestSummary,
        Meta(description="a summary of the tests of luck and faces, without declared dice"),
    ]
