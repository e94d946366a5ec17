"""The verification report: the levels that passed, the first failure, and warnings."""

from __future__ import annotations

from enum import StrEnum
from itertools import takewhile
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.chance import Values
from domain.log_file import LogLineError
from domain.proof import ProofError
from domain.session.rerolls import Reroll

MAX_TEXT_CHARACTERS = 2000  # the maximum length of `expected` and of `found`
UNCUT_CHARACTERS, CONTEXT_CHARACTERS = (
    300,
    100,
)  # texts up to the first length are not cut; others start this far before their first difference
WHOLE_GZIP = "complete gzip data"
# Values of LogLineError.expected that are not a parser's error message.
PLAIN_EXPECTATIONS = ("a checkpoint", WHOLE_GZIP)


class Level(StrEnum):
    """The levels of verification, in the order in which they run (log-format.md)."""

    BYTES = "bytes"
    TREE = "tree"
    DRAWS = "draws"
    RULES = "rules"
    VIEWS = "views"


class VerificationError(ProofError):
    """A failed check, with the version at which it failed."""

    def __init__(self, version: int, code: str, found: object, expected: object) -> None:
        super().__init__(code, str(found), str(expected))
        self.version = version


class Failure(msgspec.Struct, frozen=True, rename={"level": "rung"}):
    """The first check that failed, and the version at which it failed."""

    version: Annotated[
        int,
        Meta(
            description="the version of the event that failed the check, or of the first event "
            "that is missing or not signed; for a checkpoint, an index entry or a receipt, the log "
            "size in it, or the number of events if it cannot be read; 0 for the manifest, or for "
            "an index of which no entry could be checked"
        ),
    ]
    level: Annotated[Level, Meta(description="the level at which the check failed")]
    code: Annotated[
        str,
        Meta(
            description="the code of the failure, such as E_VALUES "
            "(docs/fairness.md, Codes of failure)"
        ),
    ]
    expected: Annotated[
        str,
        Meta(
            description="what the check expected, at most 2,001 characters; if this or `found` has "
            "more than 300, both may begin with `…`, 100 characters before they first differ"
        ),
    ]
    found: Annotated[
        str,
        Meta(
            description="what the check found instead, after the parser's error message if there "
            "is one; cut like `expected`"
        ),
    ]
    parent: Annotated[
        bool, Meta(description="true if the failure is in the log of the fork's parent")
    ] = False


class ReportWarning(msgspec.Struct, frozen=True):
    """A warning, with the number of occurrences and their versions."""

    code: Annotated[
        str,
        Meta(description="the code of the warning, such as W_VOID (docs/fairness.md, Warnings)"),
    ]
    count: Annotated[
        int,
        Meta(
            description="the number of occurrences, or 1 if the warning applies to the log as a "
            "whole"
        ),
    ]
    versions: Annotated[
        tuple[int, ...],
        Meta(
            description="the versions of the events to which the warning applies, in ascending "
            "order (for W_COMPLAINT, in the order of the complaints); empty if the warning applies "
            "to the log as a whole"
        ),
    ] = ()


class DrawGrade(msgspec.Struct, frozen=True):
    """The grade of a roll (docs/fairness.md, Grades)."""

    version: Annotated[
        int,
        Meta(
            description="the version of the event that completed the draw, or of the event that "
            "declared the roll if it used physical dice"
        ),
    ]
    grade: Annotated[
        str,
        Meta(
            description="how well the roll's values are protected against manipulation, from A "
            "(best) to D"
        ),
    ]
    alone: Annotated[
        bool,
        Meta(
            description="true if the roll has grade B and no seat contributed to it except the "
            "server and the seat that requested it"
        ),
    ] = False
    by_entropy: Annotated[
        bool,
        Meta(
            description="true if the roll has grade B because the seat that requested it "
            "contributed random bytes, although no seat except the server contributed a link"
        ),
    ] = False
    unopened: Annotated[
        bool,
        Meta(
            description="true if the roll is secret and was not opened, so its values could not be "
            "checked"
        ),
    ] = False


class ForkOrigin(msgspec.Struct, frozen=True):
    """A fork's parent, as named in the fork's first event."""

    session: Annotated[str, Meta(description="the parent session's id, 16 bytes in hex")]
    version: Annotated[
        int,
        Meta(description="the version of the parent session whose table the fork starts with"),
    ]
    root: Annotated[
        str,
        Meta(description="the root of the parent's tree of size `version`, 32 bytes in hex"),
    ]
    checked: Annotated[
        bool,
        Meta(
            description="true if the reader supplied the parent's log (`--parent`) and it has this "
            "root"
        ),
    ] = False
    table: Annotated[
        bool,
        Meta(
            description="true if the inherited table was compared with the parent's table and "
            "matched it"
        ),
    ] = False


class WitnessStatus(msgspec.Struct, frozen=True):
    """The largest checkpoint for the log that a witness has cosigned."""

    vkey: Annotated[str, Meta(description="the witness's public key, as a vkey (C2SP)")]
    size: Annotated[
        int,
        Meta(
            description="the size of the checkpoint, as a number of events, or 0 if the witness "
            "has not cosigned any"
        ),
    ] = 0
    at: Annotated[
        int,
        Meta(
            description="the time of the cosignature in POSIX seconds, or 0 if the witness has not "
            "cosigned any checkpoint"
        ),
    ] = 0
    by_index: Annotated[
        bool,
        Meta(
            description="true if the cosignature is on an index that contains the checkpoint, and "
            "not on the checkpoint itself"
        ),
    ] = False


class LogCounts(msgspec.Struct, frozen=True):
    """The numbers of events, turns, draws and other items in a log."""

    events: Annotated[int, Meta(description="the number of events")] = 0
    turns: Annotated[int, Meta(description="the number of turns")] = 0
    draws: Annotated[
        int, Meta(description="the number of completed draws, without the voided draws")
    ] = 0
    voids: Annotated[int, Meta(description="the number of voided draws")] = 0
    rewinds: Annotated[int, Meta(description="the number of rewinds, including take-backs")] = 0
    take_backs: Annotated[
        int,
        Meta(description="the number of rewinds by seats that were not the GM at that time"),
    ] = 0
    rerolls: Annotated[int, Meta(description="the number of undone rolls that were made again")] = 0
    overrides: Annotated[
        int,
        Meta(
            description="the number of events in which the GM set a value by hand, without those "
            "that have no opening"
        ),
    ] = 0
    declared_dice: Annotated[
        int,
        Meta(
            description="the number of rolls of physical dice, without those whose event has no "
            "opening"
        ),
    ] = 0
    unopened: Annotated[
        int,
        Meta(
            description="the number of secret turns that were not opened and of other events "
            "without an opening, except redacted texts"
        ),
    ] = 0
    unchecked: Annotated[
        int,
        Meta(
            description="the number of turns that the level `rules` could not fully check because "
            "they are secret, lack an opening or depend on a sealed table; turns of a single "
            "sealed event are not counted"
        ),
    ] = 0


class VoidReport(msgspec.Struct, frozen=True):
    """A voided draw, with the seat that requested it and the seats that did not contribute."""

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
    values: (
        Annotated[
            Values,
            Meta(
                description="the values that the draw would have had, in the order in which the "
                "rules would have asked for them; each is a pair of the number of possible values, "
                "such as 6 for a d6, and the value, from 1 to that number; absent if a link, the "
                "opening of a secret draw or the table is missing, or if the rules do not allow "
                "the command"
            ),
        ]
        | UnsetType
    ) = UNSET
    told: (
        Annotated[
            tuple[str, ...],
            Meta(
                description="the texts of the ruleset events that the draw would have produced, in "
                "order; ids in them are in braces (`@` precedes the id of a seat), and other "
                "braces are doubled; absent if `values` is absent"
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
    declared: Annotated[
        bool, Meta(description="true if the roll at `again` was made with physical dice")
    ] = False


class ComplaintReport(msgspec.Struct, frozen=True):
    """A void of draw `k` that names `seat` as missing, although the seat says that it contributed.

    The seat's file contains its signed contribution, which does not show when it was sent.
    """

    version: Annotated[int, Meta(description="the version of the event that voided the draw")]
    k: Annotated[int, Meta(description="the number of the draw, from 0")]
    seat: Annotated[str, Meta(description="the id of the seat that says that it contributed")]


class VoidBias(msgspec.Struct, frozen=True):
    """A comparison between chance and the results that voided draws would have had."""

    seat: Annotated[
        str,
        Meta(
            description="the id of the seat that did not contribute to the voided draws; `house` "
            "(the server) stands for the voided draws of all seats"
        ),
    ]
    versions: Annotated[
        tuple[int, ...],
        Meta(
            description="the versions of the events that voided these draws, in ascending order; "
            "draws whose results are unknown are omitted"
        ),
    ]
    values: Annotated[
        int,
        Meta(
            description="the number of values in these results, at least 10; values that had no "
            "alternative are not counted"
        ),
    ]
    mean: Annotated[
        float,
        Meta(
            description="the average position of a value between the lowest (0) and the highest "
            "(1) possible value; chance gives 0.5 on average"
        ),
    ]
    p: Annotated[
        float,
        Meta(
            description="the probability, from 0 to 1, that chance alone gives an average "
            "deviation at least this large in either direction; each value's deviation from the "
            "mean of its die is measured in standard deviations (normal approximation)"
        ),
    ]


class PartialLevel(msgspec.Struct, frozen=True, rename={"level": "rung"}):
    """A level that passed although only some turns or events could be checked."""

    level: Annotated[Level, Meta(description="the level, `rules` or `views`")]
    done: Annotated[
        int,
        Meta(description="the number of turns (`rules`) or events (`views`) that could be checked"),
    ]
    of: Annotated[
        int,
        Meta(description="the total number of turns (`rules`) or events (`views`) in the log"),
    ]
    behind: Annotated[
        int,
        Meta(
            description="the first version that could not be checked; redacted texts and turns of "
            "a single sealed event are considered only if there is nothing else"
        ),
    ]


class Report(msgspec.Struct, frozen=True):
    """The result of verifying a log.

    If the log was not completely read, all fields after `failure` have their default values.
    """

    session: Annotated[
        str,
        Meta(
            description="the session's id, 16 bytes in hex, or an empty text if the log's manifest "
            "was not read"
        ),
    ]
    log_key: Annotated[
        str,
        Meta(
            description="the log key that was trusted, as a vkey (C2SP): the key that the reader "
            "named (`--key`), or the key in the log's manifest if the reader named none or the "
            "level `bytes` failed; an empty text if the manifest was not read"
        ),
    ]
    reached: Annotated[
        Level | None,
        Meta(
            description="the last level that passed, in the order `bytes`, `tree`, `draws`, "
            "`rules`, `views`; null if no level passed"
        ),
    ]
    failure: Annotated[
        Failure | None, Meta(description="the first check that failed; null if no check failed")
    ]
    counts: Annotated[
        LogCounts,
        Meta(description="the numbers of events, turns, draws and other items in the log"),
    ] = LogCounts()
    warnings: Annotated[
        tuple[ReportWarning, ...],
        Meta(
            description="the warnings, at most one for each code; those that apply to certain "
            "events come first"
        ),
    ] = ()
    grades: Annotated[
        tuple[DrawGrade, ...],
        Meta(
            description="the grades of the completed draws and of the rolls of physical dice, in "
            "ascending order of version; they include undone rolls, but not rolls of physical dice "
            "whose event has no opening"
        ),
    ] = ()
    rerolls: Annotated[
        tuple[Reroll, ...],
        Meta(
            description="the rolls that are undone at the end of the log, each with the roll that "
            "was made instead, in ascending order of `undone`; rolls of physical dice whose event "
            "has no opening are omitted"
        ),
    ] = ()
    partly: Annotated[
        tuple[PartialLevel, ...],
        Meta(
            description="those of the levels `rules` and `views`, in this order, that passed "
            "although some turns or events could not be checked"
        ),
    ] = ()
    take_backs: Annotated[
        tuple[int, ...],
        Meta(
            description="the versions of the rewinds by seats that were not the GM at that time, "
            "in ascending order"
        ),
    ] = ()
    unopened: Annotated[
        dict[str, int],
        Meta(
            description="the number of secret turns that were not opened and of other events "
            "without an opening, except redacted texts, keyed by the id of the seat that caused "
            "them; seats with none are omitted"
        ),
    ] = {}
    origin: Annotated[
        ForkOrigin | None,
        Meta(
            description="the fork's parent; null if the session is not a fork, or if the log was "
            "not completely read"
        ),
    ] = None
    voids: Annotated[
        tuple[VoidReport, ...],
        Meta(
            description="the voided draws in the part of the log that the level `draws` checked, "
            "in ascending order of version"
        ),
    ] = ()
    missed: Annotated[
        dict[str, int],
        Meta(
            description="the number of voided draws to which the seat did not contribute, keyed by "
            "the seat's id; seats with none are omitted"
        ),
    ] = {}
    letters: Annotated[
        dict[str, int],
        Meta(
            description="the number of rolls in `grades` with each grade, keyed by the grade, from "
            "A to D; grades without rolls are omitted"
        ),
    ] = {}
    witnesses: Annotated[
        tuple[WitnessStatus, ...],
        Meta(
            description="the status of each witness that the reader named (`--witness`), in the "
            "order in which they were named; empty if the level `tree` failed before all their "
            "cosignatures were checked"
        ),
    ] = ()
    witnessed: Annotated[
        int,
        Meta(
            description="the number of events up to which enough witnesses have cosigned the log "
            "(`--quorum`, by default all that the reader named), or 0 if too few have"
        ),
    ] = 0
    biases: Annotated[
        tuple[VoidBias, ...],
        Meta(
            description="the comparisons of voided draws with chance, one for each missing seat in "
            "alphabetical order of ids, and then one for all seats together; those with fewer than "
            "10 known values are omitted"
        ),
    ] = ()
    complaints: Annotated[
        tuple[ComplaintReport, ...],
        Meta(
            description="the complaints in the seat file that the reader named (`--receipts`), in "
            "the order of the file; those that do not match a voided draw in the log, or whose "
            "signature is invalid, are omitted"
        ),
    ] = ()

    @property
    def valid(self) -> bool:
        return self.failure is None

    @property
    def whole(self) -> bool:
        """Return True if all five levels passed and every event was checked."""
        return self.valid and self.reached is Level.VIEWS and not self.partly


def to_failure(fault: LogLineError | VerificationError, level: Level, parent: bool) -> Failure:
    expected, found = _from_first_difference(*_expected_and_found(fault))
    return Failure(fault.version, level, fault.code, expected, found, parent)


def _expected_and_found(fault: LogLineError | VerificationError) -> tuple[str, str]:
    """Return what was expected and what was found, as texts for the report.

    If a line could not be parsed, the parser's error message is added to the second text.
    """
    if not isinstance(fault, LogLineError) or fault.expected in PLAIN_EXPECTATIONS:
        return fault.expected, fault.found
    if fault.code == "E_FORMAT":
        line = "an event or a checkpoint" if fault.version else "a manifest"
        return f"canonical JSON of {line}", f"{fault.expected}: {fault.found}"
    return (
        fault.expected,
        fault.found if fault.found != fault.expected else f"{fault.found} without a line ending",
    )


def _from_first_difference(expected: str, found: str) -> tuple[str, str]:
    """Shorten long texts so that they start shortly before their first difference."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(expected, found, strict=False))
    start = sum(1 for _ in alike) - CONTEXT_CHARACTERS
    if start <= 0 or max(len(expected), len(found)) <= UNCUT_CHARACTERS:
        return expected[:MAX_TEXT_CHARACTERS], found[:MAX_TEXT_CHARACTERS]
    return (
        f"…{expected[start : start + MAX_TEXT_CHARACTERS]}",
        f"…{found[start : start + MAX_TEXT_CHARACTERS]}",
    )
