"""What a check says: how far it held, the first thing that did not, and what a valid log should still be told about."""

from __future__ import annotations

from enum import StrEnum
from itertools import takewhile

import msgspec
from msgspec import UNSET, UnsetType

from domain.chance import Values
from domain.log_file import LogLineError
from domain.proof import ProofError
from domain.session.rerolls import Reroll

MAX_TEXT_CHARACTERS = 2000  # characters of expected and found: a report is for people
UNCUT_CHARACTERS, CONTEXT_CHARACTERS = (
    300,
    100,
)  # characters that need no cut; that stand before the first difference of longer ones
WHOLE_GZIP = "gzip that is whole"
# What bad lines say they should have been; everything else that they expect is what a parser said of them.
PLAIN_EXPECTATIONS = ("a checkpoint", WHOLE_GZIP)


class Level(StrEnum):
    """The rungs of the check, lowest first (log.md)."""

    BYTES = "bytes"
    TREE = "tree"
    DRAWS = "draws"
    RULES = "rules"
    VIEWS = "views"


class VerificationError(ProofError):
    """A proof that breaks at a version of the log."""

    def __init__(self, version: int, code: str, found: object, expected: object) -> None:
        super().__init__(code, str(found), str(expected))
        self.version = version


class Failure(msgspec.Struct, frozen=True, rename={"level": "rung"}):
    """The first thing that does not hold, in a fork's parent if it says so. Version 0 is the manifest."""

    version: int
    level: Level
    code: str
    expected: str
    found: str
    parent: bool = False


class ReportWarning(msgspec.Struct, frozen=True):
    """A warning: how often, and at which versions where it has any."""

    code: str
    count: int
    versions: tuple[int, ...] = ()


class DrawGrade(msgspec.Struct, frozen=True):
    """How far the values of one roll can be trusted: A to D (fairness.md).

    `alone`: of a B, beside the house nobody gave but who had asked.
    """

    version: int
    grade: str
    alone: bool = False


class ForkOrigin(msgspec.Struct, frozen=True):
    """The parent that a fork names, and what of it was held against the parent's own log: all, and the table too."""

    session: str
    version: int
    root: str
    checked: bool = False
    table: bool = False


class WitnessStatus(msgspec.Struct, frozen=True):
    """The largest checkpoint of the log that a witness cosigned, in POSIX seconds; size 0 where it cosigned none."""

    vkey: str
    size: int = 0
    at: int = 0


class LogCounts(msgspec.Struct, frozen=True):
    """What the log holds; `rerolls` have a next of their kind, `unchecked` are turns that are secret or behind a seal.

    `unopened` are secret turns that nobody opened, and facts of others that lack their opening.
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
    """A draw that was given up, at its version: who asked, who did not answer, and what it would have been.

    `values` and `told` are absent as long as a link, or what hides a secret draw, is not known. `again`: the next roll
    of the same seat and kind, `declared` where that fell on the table.
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
    """A rung that held as far as the log is open: `done` of so many turns or events; `behind` is not open."""

    level: Level
    done: int
    of: int
    behind: int


class Report(msgspec.Struct, frozen=True):
    """`reached` is the last rung that held, absent where none did; `log_key` is the key that was trusted.

    `take_backs` are the rewinds by a seat that was no GM; `unopened` counts as `counts.unopened` does, by seat.
    `missed` counts the voids by each seat that did not answer, `letters` the grades;
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
        """Whether every rung was climbed, over all of the log."""
        return self.valid and self.reached is Level.VIEWS and not self.partly


def to_failure(fault: LogLineError | VerificationError, level: Level, parent: bool) -> Failure:
    expected, found = _from_first_difference(*_expected_and_found(fault))
    return Failure(fault.version, level, fault.code, expected, found, parent)


def _expected_and_found(fault: LogLineError | VerificationError) -> tuple[str, str]:
    """Expected and found, where a bad line has a parser's complaint for what was expected."""
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
    """Both texts, long ones from shortly before their first difference on."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(expected, found, strict=False))
    start = sum(1 for _ in alike) - CONTEXT_CHARACTERS
    if start <= 0 or max(len(expected), len(found)) <= UNCUT_CHARACTERS:
        return expected[:MAX_TEXT_CHARACTERS], found[:MAX_TEXT_CHARACTERS]
    return (
        f"…{expected[start : start + MAX_TEXT_CHARACTERS]}",
        f"…{found[start : start + MAX_TEXT_CHARACTERS]}",
    )
