"""What a check says: how far it held, the first thing that did not, and what a valid log should still be told about."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from domain.bundle import BadLine
from domain.proof import Broken

LONGEST = 2000  # characters of expected and found: a report is for people


class Rung(StrEnum):
    """The rungs of the check, lowest first (log.md)."""

    BYTES = "bytes"
    TREE = "tree"
    DRAWS = "draws"
    RULES = "rules"
    VIEWS = "views"


class Fault(Broken):
    """A proof that breaks at a version of the log."""

    def __init__(self, version: int, code: str, found: object, expected: object) -> None:
        super().__init__(code, str(found), str(expected))
        self.version = version


class Failure(msgspec.Struct, frozen=True):
    """The first thing that does not hold. Version 0 is the manifest."""

    version: int
    rung: Rung
    code: str
    expected: str
    found: str


class Caution(msgspec.Struct, frozen=True):
    """A warning: how often, and at which versions where it has any."""

    code: str
    count: int
    versions: tuple[int, ...] = ()


class Graded(msgspec.Struct, frozen=True):
    """How far the values of one declaration can be trusted: A to D (fairness.md)."""

    version: int
    grade: str


class Reroll(msgspec.Struct, frozen=True):
    """A draw that a rewind undid, and the same seat's next of its kind; `declared`: that one fell on the table."""

    undone: int
    next: int
    declared: bool


class Counts(msgspec.Struct, frozen=True):
    """What the log holds; `unchecked` are turns behind a seal, neither right nor wrong."""

    events: int = 0
    turns: int = 0
    draws: int = 0
    rewinds: int = 0
    rerolls: int = 0
    overrides: int = 0
    declared_dice: int = 0
    unopened: int = 0
    unchecked: int = 0


class Report(msgspec.Struct, frozen=True):
    """`reached` is the last rung that held, absent where none did; `log_key` is the key that was trusted."""

    session: str
    log_key: str
    reached: Rung | None
    failure: Failure | None
    counts: Counts = Counts()
    warnings: tuple[Caution, ...] = ()
    grades: tuple[Graded, ...] = ()
    rerolls: tuple[Reroll, ...] = ()

    @property
    def valid(self) -> bool:
        return self.failure is None


def failure(fault: BadLine | Fault, rung: Rung) -> Failure:
    return Failure(fault.version, rung, fault.code, fault.expected[:LONGEST], fault.found[:LONGEST])
