"""The verification report: the levels that passed, the first failure, and warnings."""

from __future__ import annotations

from enum import StrEnum
from itertools import takewhile

import msgspec
from msgspec import UNSET, UnsetType

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
    """The first check that failed, and the version at which it failed.

    Version 0 stands for the manifest. `parent` is True if the failure is in the log of the fork's
    parent.
    """

    version: int
    level: Level
    code: str
    expected: str
    found: str
    parent: bool = False


class ReportWarning(msgspec.Struct, frozen=True):
    """A warning, with the number of occurrences and their versions.

    `versions` is empty if the warning applies to the log as a whole.
    """

    code: str
    count: int
    versions: tuple[int, ...] = ()


class DrawGrade(msgspec.Struct, frozen=True):
    """The grade of a roll, from A to D (fairness.md).

    `alone` is True if only the server and the seat that requested the roll contributed to it.
    `by_entropy` is True if that seat contributed random bytes instead of a link. `unopened` is True
    if the roll is secret and was not opened, so its values could not be checked.
    """

    version: int
    grade: str
    alone: bool = False
    by_entropy: bool = False
    unopened: bool = False


class ForkOrigin(msgspec.Struct, frozen=True):
    """A fork's parent, as named in the fork's first event.

    `checked` is True if `root` matched the parent's log. `table` is True if the inherited table
    matched the parent's table, too.
    """

    session: str
    version: int
    root: str
    checked: bool = False
    table: bool = False


class WitnessStatus(msgspec.Struct, frozen=True):
    """The largest checkpoint for the log that a witness has cosigned.

    `at` is the time of the cosignature in POSIX seconds. `size` is 0 if the witness has not
    cosigned any checkpoint. `by_index` is True if the witness has not cosigned this checkpoint
    itself, but an index that contains it.
    """

    vkey: str
    size: int = 0
    at: int = 0
    by_index: bool = False


class LogCounts(msgspec.Struct, frozen=True):
    """The numbers of events, turns, draws and other items in a log.

    `rerolls` counts undone rolls that were repeated. `unchecked` counts turns that are secret or
    depend on a sealed table. `unopened` counts secret turns that were never opened, and other
    events without an opening.
    """

    events: int = 0
    turns: int = 0
    draws: int = 0
    voids: int = 0
    rewinds: int = 0
    take_backs: int = 0
    rerolls: int = 0
    overrides: int = 0
    declared_dice: int = 0
    unopened: int = 0
    unchecked: int = 0


class VoidReport(msgspec.Struct, frozen=True):
    """A voided draw, with the seat that requested it and the seats that did not answer.

    `values` and `told` are the result that the draw would have had. They are absent if a link, the
    opening of a secret draw, or the table is missing. `again` is the version of the next roll of
    the same kind by the same seat. `declared` is True if that roll used physical dice.
    """

    version: int
    k: int
    seat: str
    missing: tuple[str, ...]
    values: Values | UnsetType = UNSET
    told: tuple[str, ...] | UnsetType = UNSET
    again: int | UnsetType = UNSET
    declared: bool = False


class ComplaintReport(msgspec.Struct, frozen=True):
    """A void of draw `k` that names `seat` as missing, although the seat says that it contributed.

    `version` is that of the void.
    """

    version: int
    k: int
    seat: str


class VoidBias(msgspec.Struct, frozen=True):
    """A comparison between chance and the results that voided draws would have had.

    `seat` is the seat that did not answer, or the server in the entry that covers all voided draws.
    `versions` lists the voids whose results are known. These results have `values` values in total.
    `mean` is the average position of a value between the lowest (0) and the highest (1). On
    average, chance gives 0.5. `p` is the probability that chance alone gives a mean at least this
    far from 0.5.
    """

    seat: str
    versions: tuple[int, ...]
    values: int
    mean: float
    p: float


class PartialLevel(msgspec.Struct, frozen=True, rename={"level": "rung"}):
    """A level that passed although only some turns or events could be checked.

    `done` is the number of turns or events that could be checked, and `of` is their total number.
    `behind` is the first version that could not be checked.
    """

    level: Level
    done: int
    of: int
    behind: int


class Report(msgspec.Struct, frozen=True):
    """The result of verifying a log.

    `reached` is the last level that passed, or None. `log_key` is the trusted key or, if the reader
    named none, the log's own key. `take_backs` lists the versions of rewinds by seats other than
    the GM. `unopened` breaks `counts.unopened` down by seat. `missed` gives, for each seat, the
    number of voided draws in which it did not answer. `letters` gives the number of rolls for each
    grade. `witnesses` gives the status of each witness that the reader named, and
    `witnessed` is the number of events that enough of them cosigned. `biases` shows
    whether the results that voided draws would have had are consistent with chance. `complaints`
    come from the seat files that the reader named.
    """

    session: str
    log_key: str
    reached: Level | None
    failure: Failure | None
    counts: LogCounts = LogCounts()
    warnings: tuple[ReportWarning, ...] = ()
    grades: tuple[DrawGrade, ...] = ()
    rerolls: tuple[Reroll, ...] = ()
    partly: tuple[PartialLevel, ...] = ()
    take_backs: tuple[int, ...] = ()
    unopened: dict[str, int] = {}
    origin: ForkOrigin | None = None
    voids: tuple[VoidReport, ...] = ()
    missed: dict[str, int] = {}
    letters: dict[str, int] = {}
    witnesses: tuple[WitnessStatus, ...] = ()
    witnessed: int = 0
    biases: tuple[VoidBias, ...] = ()
    complaints: tuple[ComplaintReport, ...] = ()

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
