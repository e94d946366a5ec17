"""The report of a check: the levels that held, the first failure, and warnings."""

from __future__ import annotations

from enum import StrEnum
from itertools import takewhile

import msgspec
from msgspec import UNSET, UnsetType

from domain.chance import Values
from domain.log_file import LogLineError
from domain.proof import ProofError
from domain.session.rerolls import Reroll

MAX_TEXT_CHARACTERS = 2000  # of `expected` and `found`
UNCUT_CHARACTERS, CONTEXT_CHARACTERS = (
    300,
    100,
)  # characters that need no cut; that stand before the first difference of longer ones
WHOLE_GZIP = "gzip that is whole"
# Texts that LogLineError.expected may have; any other one is a parser's complaint.
PLAIN_EXPECTATIONS = ("a checkpoint", WHOLE_GZIP)


class Level(StrEnum):
    """The levels of the check, lowest first (log-format.md)."""

    BYTES = "bytes"
    TREE = "tree"
    DRAWS = "draws"
    RULES = "rules"
    VIEWS = "views"


class VerificationError(ProofError):
    """A check that fails at a version of the log."""

    def __init__(self, version: int, code: str, found: object, expected: object) -> None:
        super().__init__(code, str(found), str(expected))
        self.version = version


class Failure(msgspec.Struct, frozen=True, rename={"level": "rung"}):
    """The first check that fails. Version 0 is the manifest.

    `parent` is True if it fails in the log of the fork's parent.
    """

    version: int
    level: Level
    code: str
    expected: str
    found: str
    parent: bool = False


class ReportWarning(msgspec.Struct, frozen=True):
    """A warning: how often it applies, and at which versions if it has any."""

    code: str
    count: int
    versions: tuple[int, ...] = ()


class DrawGrade(msgspec.Struct, frozen=True):
    """The grade of a roll, A to D (fairness.md).

    `alone` is True for a B if only the server and the seat that asked contributed.
    """

    version: int
    grade: str
    alone: bool = False


class ForkOrigin(msgspec.Struct, frozen=True):
    """The parent that a fork names.

    `checked` is True after its root was compared with the parent's own log, `table` after the
    inherited table was compared too.
    """

    session: str
    version: int
    root: str
    checked: bool = False
    table: bool = False


class WitnessStatus(msgspec.Struct, frozen=True):
    """The largest checkpoint of the log that a witness cosigned, and when.

    `at` is in POSIX seconds. Size 0 means that it cosigned none.
    """

    vkey: str
    size: int = 0
    at: int = 0


class LogCounts(msgspec.Struct, frozen=True):
    """What the log holds.

    `rerolls` counts undone rolls that were made again. `unchecked` counts turns that are secret or
    depend on a sealed table. `unopened` counts secret turns that no one opened, and other events
    without opening.
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
    """A voided draw: the seat that asked, the seats that did not answer, and its result.

    `values` and `told` are what the draw would have given. They are absent as long as a link, the
    opening of a secret draw, or the table is not known. `again` is the next roll of the same seat
    and kind, and `declared` is True if that one used physical dice.
    """

    version: int
    k: int
    seat: str
    missing: tuple[str, ...]
    values: Values | UnsetType = UNSET
    told: tuple[str, ...] | UnsetType = UNSET
    again: int | UnsetType = UNSET
    declared: bool = False


class PartialLevel(msgspec.Struct, frozen=True, rename={"level": "rung"}):
    """A level that held as far as the log is open.

    `done` of `of` turns or events were checked. `behind` is the first version that is not open.
    """

    level: Level
    done: int
    of: int
    behind: int


class Report(msgspec.Struct, frozen=True):
    """The result of a check.

    `reached` is the last level that held, or None. `log_key` is the key that was trusted.
    `take_backs` are rewinds by a seat that was not the GM. `unopened` is `counts.unopened` by seat,
    `missed` counts the voids by seat that did not answer, and `letters` counts the grades.
    `witnesses` are those that the reader named.
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

    @property
    def valid(self) -> bool:
        return self.failure is None

    @property
    def whole(self) -> bool:
        """Return True if every level held over the whole log."""
        return self.valid and self.reached is Level.VIEWS and not self.partly


def to_failure(fault: LogLineError | VerificationError, level: Level, parent: bool) -> Failure:
    expected, found = _from_first_difference(*_expected_and_found(fault))
    return Failure(fault.version, level, fault.code, expected, found, parent)


def _expected_and_found(fault: LogLineError | VerificationError) -> tuple[str, str]:
    """Return both texts. For a malformed line, `expected` is the parser's complaint."""
    if not isinstance(fault, LogLineError) or fault.expected in PLAIN_EXPECTATIONS:
        return fault.expected, fault.found
    if fault.code == "E_FORMAT":
        line = "an event or a checkpoint" if fault.version else "a manifest"
        return f"canonical JSON of {line}", f"{fault.expected}: {fault.found}"
    return (
        fault.expected,
        fault.found if fault.found != fault.expected else f"{fault.found} without a line end",
    )


def _from_first_difference(expected: str, found: str) -> tuple[str, str]:
    """Return both texts, long ones from shortly before their first difference."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(expected, found, strict=False))
    start = sum(1 for _ in alike) - CONTEXT_CHARACTERS
    if start <= 0 or max(len(expected), len(found)) <= UNCUT_CHARACTERS:
        return expected[:MAX_TEXT_CHARACTERS], found[:MAX_TEXT_CHARACTERS]
    return (
        f"…{expected[start : start + MAX_TEXT_CHARACTERS]}",
        f"…{found[start : start + MAX_TEXT_CHARACTERS]}",
    )
