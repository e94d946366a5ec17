"""What a log holds and what its reader should know, though nothing of it is wrong."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from domain.codec import ALL_EVENTS
from domain.fact import Fact
from domain.ruleset import Message
from domain.session.lineage import lineage
from domain.session.messages import ChainAnchored, Declared, Rewound, SeatTaken
from domain.session.telling import grade
from domain.verify.frame import is_frame
from domain.verify.leaves import Line, Sealed
from domain.verify.report import Caution, Counts, Graded, Partly, Reroll, Rung
from domain.verify.turns import turns_of

# A GM's word instead of the rules', in any room: it keeps the old value, the new one and the reason (log.md).
OVERRIDES = frozenset(event for event in ALL_EVENTS if {"old", "new", "reason"} <= set(event.__annotations__))

_kind = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class Findings:
    """Everything that is counted, taken from the events alone."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._facts = [line for line in lines if isinstance(line, Fact)]
        self._size, self._turns, self._wordless = len(lines), 0, 0
        self.redacted: tuple[int, ...] = ()
        self.unopened: tuple[int, ...] = ()
        for turn in turns_of(lines):
            self._seal(turn)
        self.rewinds = [(fact.version, fact.body.to) for fact in self._facts if isinstance(fact.body, Rewound)]
        self.rollovers = self._of(ChainAnchored)
        self.overrides = tuple(fact.version for fact in self._facts if type(fact.body) in OVERRIDES)
        self.grades = tuple(_grades(self._facts))
        self.rerolls = tuple(_rerolls(self._facts, self.rewinds, self._size))
        self._made_again = tuple(reroll.undone for reroll in self.rerolls if reroll.next is not UNSET)

    def _seal(self, turn: Sequence[Line]) -> None:
        """Counts the turn and what of it has no opening: a sealed event of the frame is one that lost its words."""
        sealed = tuple(line.version for line in turn if isinstance(line, Sealed))
        self._turns += 1
        if len(turn) > 1 and not is_frame(turn[0]):
            self.unopened += sealed
        else:
            self.redacted += sealed
            self._wordless += len(sealed) == len(turn)

    def partly(self, unchecked: int) -> tuple[Partly, ...]:
        """Rules and views where not all is open; `unchecked` turns lie behind a seal."""
        sealed = sorted(self.redacted + self.unopened)
        if not sealed:
            return ()
        undecided, behind = unchecked + self._wordless, (self.unopened or self.redacted)[0]
        rules = Partly(Rung.RULES, self._turns - undecided, self._turns, behind)
        views = Partly(Rung.VIEWS, self._size - len(sealed), self._size, behind)
        return (rules, views) if undecided else (views,)

    def counts(self, unchecked: int) -> Counts:
        return Counts(
            events=self._size,
            turns=self._turns,
            draws=len(self._graded("C")),
            rewinds=len(self.rewinds),
            rerolls=len(self._made_again),
            overrides=len(self.overrides),
            declared_dice=len(self._graded("D")),
            unopened=len(self.unopened),
            unchecked=unchecked,
        )

    def cautions(self, pinned: bool, rules: bool) -> tuple[Caution, ...]:
        """The warnings, in the order of fairness.md."""
        found = {
            "W_HOUSE_ONLY": self._graded("C"),
            "W_CUSTODIAL": self._custodial(),
            "W_ROLLOVER": self.rollovers,
            "W_REROLL_AFTER_REWIND": self._made_again,
            "W_OVERRIDE": self.overrides,
            "W_DECLARED_DICE": self._graded("D"),
            "W_UNOPENED": self.unopened,
            "W_REDACTED": self.redacted,
        }
        told = [Caution(code, len(versions), versions) for code, versions in found.items() if versions]
        whole = {"W_UNPINNED": not pinned, "W_UNWITNESSED": True, "W_RULES_MISSING": not rules}
        return (*told, *(Caution(code, 1) for code, holds in whole.items() if holds))

    def _of(self, kind: type[Message]) -> tuple[int, ...]:
        return tuple(fact.version for fact in self._facts if type(fact.body) is kind)

    def _graded(self, letter: str) -> tuple[int, ...]:
        return tuple(graded.version for graded in self.grades if graded.grade == letter)

    def _custodial(self) -> tuple[int, ...]:
        """Where each seat without a chain of its own was first taken."""
        seats: dict[str, int] = {}
        for fact in self._facts:
            if isinstance(fact.body, SeatTaken) and fact.body.anchor is UNSET:
                seats.setdefault(fact.body.seat, fact.version)
        return tuple(seats.values())


def _grades(facts: Sequence[Fact]) -> list[Graded]:
    grades = [(fact.version, grade(fact.body)) for fact in facts if isinstance(fact.body, Declared)]
    return [Graded(version, letter) for version, letter in grades if letter is not None]


def _rerolls(facts: Sequence[Fact], rewinds: Sequence[tuple[int, int]], head: int) -> list[Reroll]:
    """Every roll that is undone at the head, with the same seat's next of its kind after the rewind that undid it."""
    spans = lineage(rewinds, head)
    live: list[Fact] = []
    waiting: dict[tuple[str, bytes], list[int]] = {}
    found: list[Reroll] = []
    for fact in facts:
        if isinstance(fact.body, Rewound):
            while live and live[-1].version > fact.body.to:
                undone = live.pop()
                waiting.setdefault(_wish(undone), []).append(undone.version)
        elif isinstance(fact.body, Declared) and grade(fact.body) is not None:
            declared = fact.body.dice is not UNSET
            undone_before = waiting.pop(_wish(fact), []) if waiting else []
            found += [Reroll(version, fact.version, declared) for version in undone_before]
            live.append(fact)
    found += [Reroll(version) for versions in waiting.values() for version in versions]
    return sorted((each for each in found if not _in(spans, each.undone)), key=lambda reroll: reroll.undone)


def _wish(fact: Fact) -> tuple[str, bytes]:
    assert isinstance(fact.body, Declared)
    return fact.seat, bytes(_kind(fact.body.command)["kind"])


def _in(spans: Sequence[tuple[int, int]], version: int) -> bool:
    """As `lineage.within`, for the many: the spans rise."""
    nth = bisect_left(spans, (version + 1, 0)) - 1
    return nth >= 0 and version <= spans[nth][1]
