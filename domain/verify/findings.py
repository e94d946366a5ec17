"""What a log holds and what its reader should know, though nothing of it is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import UNSET

from domain.decider import Role
from domain.recorded_event import RecordedEvent
from domain.ruleset import Message
from domain.session.annotations import OVERRIDES, grade_of
from domain.session.evolve import evolve_info
from domain.session.messages import (
    ChainAnchored,
    Declared,
    Drawn,
    DrawVoided,
    PresenceSet,
    Redacted,
    Rewound,
    SeatLeft,
    SeatTaken,
)
from domain.session.rerolls import rerolls
from domain.session.state import HOUSE, Seat, SessionInfo
from domain.verify.bytes_check import FileEvent, SealedEvent
from domain.verify.report import (
    DrawGrade,
    Level,
    LogCounts,
    PartialLevel,
    ReportWarning,
    WitnessStatus,
)
from domain.verify.rules_check import group_turns
from domain.verify.sealed_turns import SealedTurns, is_nameless, is_wordless


class LogFindings:
    """Everything that is counted, taken from the events alone."""

    def __init__(self, lines: Sequence[FileEvent]) -> None:
        self._facts = [line for line in lines if isinstance(line, RecordedEvent)]
        self._size, self._turns = len(lines), 0
        self._wordless: set[int] = set()
        self._seals = SealedTurns()
        self._hidden: list[SealedEvent] = []
        self.redacted: tuple[int, ...] = ()
        for turn in group_turns(lines):
            self._look(turn)
        self._take_out({fact.body.of for fact in self._facts if isinstance(fact.body, Redacted)})
        self.unopened = self._unopened()
        self.rewinds = self._of(Rewound)
        self.take_backs = tuple(_take_back_versions(self._facts))
        self.rollovers = self._of(ChainAnchored)
        self.voids = self._of(DrawVoided)
        self.overrides = tuple(fact.version for fact in self._facts if type(fact.body) in OVERRIDES)
        self.grades = tuple(_draw_grades(self._facts))
        self.rerolls = rerolls(self._facts, self._size)
        self._made_again = tuple(
            reroll.undone for reroll in self.rerolls if reroll.next is not UNSET
        )

    def _look(self, turn: Sequence[FileEvent]) -> None:
        """What of the turn has no opening: behind a newcomer's seat that was the name."""
        for line in turn:
            self._seals.read(line)
        hidden = [line for line in turn if isinstance(line, SealedEvent)]
        self._turns += not (
            isinstance(turn[0], RecordedEvent) and isinstance(turn[0].body, Drawn | DrawVoided)
        )
        if is_wordless(turn):
            self._wordless.add(turn[0].version)
        if is_nameless(turn):
            self.redacted += (turn[1].version,)
        else:
            self._hidden += hidden

    def _take_out(self, named: set[int]) -> None:
        """What Redacted names, and has no opening, is redacted."""
        gone = [line for line in self._hidden if line.version in named]
        for line in gone:
            self._seals.redacted(line.version)
        self._hidden = [line for line in self._hidden if line not in gone]
        self.redacted = tuple(sorted({*self.redacted, *(line.version for line in gone)}))

    def _unopened(self) -> tuple[tuple[int, str], ...]:
        """Version and seat of every secret turn that nobody opened, and of every other fact without its opening."""
        secret = [(each.version, each.seat) for each in self._seals.waiting.values()]
        lost = [
            (line.version, line.seat)
            for line in self._hidden
            if line.turn not in self._seals.waiting
        ]
        return tuple(sorted(secret + lost))

    def seats(self) -> dict[str, int]:
        """The unopened by seat."""
        return dict(Counter(seat for _, seat in self.unopened))

    def missed(self) -> dict[str, int]:
        """The voids by seat that did not answer."""
        voids = (fact.body for fact in self._facts if isinstance(fact.body, DrawVoided))
        return dict(Counter(seat for void in voids for seat in void.missing))

    def letters(self) -> dict[str, int]:
        """The grades, counted."""
        return dict(sorted(Counter(graded.grade for graded in self.grades).items()))

    def partly(self, unchecked: int) -> tuple[PartialLevel, ...]:
        """Rules and views where not all is open; `unchecked` turns are secret or lie behind a seal."""
        undecided, found = unchecked + len(self._wordless), []
        if undecided:
            found.append(
                PartialLevel(
                    Level.RULES, self._turns - undecided, self._turns, self._behind(draws=True)
                )
            )
        if unshown := len(self._hidden) + len(self.redacted):
            found.append(
                PartialLevel(
                    Level.VIEWS, self._size - unshown, self._size, self._behind(draws=False)
                )
            )
        return tuple(found)

    def _behind(self, draws: bool) -> int:
        """The first version that is not open, of the room's if there is one, secret draws included or not."""
        secret = [
            each.version for each in self._seals.waiting.values() if each.k is not UNSET and draws
        ]
        ruleset = [line.version for line in self._hidden if line.version not in self._wordless]
        return min(secret + ruleset or [*self._wordless, *self.redacted])

    def counts(self, unchecked: int) -> LogCounts:
        return LogCounts(
            events=self._size,
            turns=self._turns,
            draws=len(self._of(Drawn)),
            voids=len(self.voids),
            rewinds=len(self.rewinds),
            take_backs=len(self.take_backs),
            rerolls=len(self._made_again),
            overrides=len(self.overrides),
            declared_dice=len(self._graded("D")),
            unopened=len(self.unopened),
            unchecked=unchecked,
        )

    def cautions(
        self, pinned: bool, rules: bool, waits: int | None, witnesses: Sequence[WitnessStatus] = ()
    ) -> tuple[ReportWarning, ...]:
        """The warnings, in the order of fairness.md; `waits`: the declaration that the log ends on."""
        witnessed = bool(witnesses) and all(witness.size for witness in witnesses)
        found = {
            "W_VOID": self.voids,
            "W_HOUSE_ONLY": self._graded("C"),
            "W_CUSTODIAL": self._custodial(),
            "W_ROLLOVER": self.rollovers,
            "W_REROLL_AFTER_REWIND": self._made_again,
            "W_OVERRIDE": self.overrides,
            "W_DECLARED_DICE": self._graded("D"),
            "W_UNOPENED": tuple(version for version, _ in self.unopened),
            "W_REDACTED": self.redacted,
            "W_OPEN_END": () if waits is None else (waits,),
        }
        told = [
            ReportWarning(code, len(versions), versions)
            for code, versions in found.items()
            if versions
        ]
        whole = {
            "W_UNPINNED": not pinned,
            "W_UNWITNESSED": not witnessed,
            "W_RULES_MISSING": not rules,
        }
        return (*told, *(ReportWarning(code, 1) for code, holds in whole.items() if holds))

    def _of(self, kind: type[Message]) -> tuple[int, ...]:
        return tuple(fact.version for fact in self._facts if type(fact.body) is kind)

    def _graded(self, letter: str) -> tuple[int, ...]:
        return tuple(graded.version for graded in self.grades if graded.grade == letter)

    def _custodial(self) -> tuple[int, ...]:
        """Where each seat that never brought a chain was first taken."""
        seats: dict[str, int] = {}
        own = {
            fact.body.seat
            for fact in self._facts
            if isinstance(fact.body, SeatTaken) and fact.body.anchor is not UNSET
        }
        for fact in self._facts:
            if isinstance(fact.body, SeatTaken) and fact.body.seat not in own:
                seats.setdefault(fact.body.seat, fact.version)
        return tuple(seats.values())


def _take_back_versions(facts: Sequence[RecordedEvent]) -> Iterator[int]:
    """The rewinds by a seat that was no GM then."""
    roles: dict[str, Role] = {}
    for fact in facts:
        if isinstance(fact.body, SeatTaken):
            roles[fact.body.seat] = fact.body.role
        elif isinstance(fact.body, Rewound) and roles.get(fact.seat) is not Role.GM:
            yield fact.version


def _draw_grades(facts: Sequence[RecordedEvent]) -> Iterator[DrawGrade]:
    """Of every roll, at the event that has its values."""
    info, asker, seats = SessionInfo("", "", "", {}, "", {}, False), "", dict[str, Seat]()
    for fact in facts:
        match fact.body:
            case Declared(values=values) if values is not UNSET:
                yield DrawGrade(fact.version, "D")
            case Declared(draw=draw) if draw is not UNSET:
                asker, seats = fact.seat, info.seats
            case Drawn():
                alone = {given.seat for given in fact.body.contributions} == {HOUSE, asker}
                yield DrawGrade(fact.version, grade_of(fact.body, asker, seats), alone)
            case SeatTaken(seat=seat) | SeatLeft(seat=seat) | PresenceSet(seat=seat):
                if (
                    isinstance(fact.body, SeatTaken) or seat in info.seats
                ):  # else a rung has failed there
                    info = evolve_info(info, fact.body)
