"""Counts, grades and warnings that readers should see even if the log is valid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import UNSET
from msgspec.structs import replace

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
    LogFormat,
    Opened,
    PresenceSet,
    Redacted,
    Rewound,
    SealOpened,
    SeatLeft,
    SeatTaken,
)
from domain.session.rerolls import rerolls
from domain.session.state import HOUSE, SessionInfo
from domain.verify.bytes_check import FileEvent, SealedEvent
from domain.verify.report import (
    DrawGrade,
    Level,
    LogCounts,
    PartialLevel,
    ReportWarning,
)
from domain.verify.rules_check import group_turns
from domain.verify.sealed_turns import SealedTurns, is_nameless, is_wordless


class LogFindings:
    """The counts, grades and warnings that can be derived from the events alone."""

    def __init__(self, lines: Sequence[FileEvent]) -> None:
        self._facts = [line for line in lines if isinstance(line, RecordedEvent)]
        self._size, self._turns = len(lines), 0
        self._wordless: set[int] = set()
        self._seals = SealedTurns()
        self._hidden: list[SealedEvent] = []
        self.redacted: tuple[int, ...] = ()
        for turn in group_turns(lines):
            self._count_turn(turn)
        self._set_redacted(
            {recorded.body.of for recorded in self._facts if isinstance(recorded.body, Redacted)}
        )
        self.unopened = self._unopened()
        self.rewinds = self._versions_of(Rewound)
        self.take_backs = tuple(_take_back_versions(self._facts))
        self.log_format = self._log_format()
        self.rollovers = self._rollovers()
        self.voids = self._versions_of(DrawVoided)
        self.overrides = tuple(
            recorded.version for recorded in self._facts if type(recorded.body) in OVERRIDES
        )
        self.grades = tuple(_draw_grades(self._facts))
        self.rerolls = rerolls(self._facts, self._size)
        self._made_again = tuple(
            reroll.undone for reroll in self.rerolls if reroll.next is not UNSET
        )

    def _count_turn(self, turn: Sequence[FileEvent]) -> None:
        """Count the turn and its sealed events.

        A sealed event that follows SeatTaken is counted as a player's redacted name.
        """
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

    def _set_redacted(self, named: set[int]) -> None:
        """Treat the sealed events at these versions as redacted texts."""
        gone = [line for line in self._hidden if line.version in named]
        for line in gone:
            self._seals.redacted(line.version)
        self._hidden = [line for line in self._hidden if line not in gone]
        self.redacted = tuple(sorted({*self.redacted, *(line.version for line in gone)}))

    def _unopened(self) -> tuple[tuple[int, str], ...]:
        """Return the version and seat of each unopened secret turn.

        Other events without an opening are also included.
        """
        secret = [(each.version, each.seat) for each in self._seals.waiting.values()]
        lost = [
            (line.version, line.seat)
            for line in self._hidden
            if line.turn not in self._seals.waiting
        ]
        return tuple(sorted(secret + lost))

    def unopened_by_seat(self) -> dict[str, int]:
        return dict(Counter(seat for _, seat in self.unopened))

    def missed_by_seat(self) -> dict[str, int]:
        """Return, for each seat, the number of voided draws that it did not answer."""
        voids = (recorded.body for recorded in self._facts if isinstance(recorded.body, DrawVoided))
        return dict(Counter(seat for void in voids for seat in void.missing))

    def grade_counts(self) -> dict[str, int]:
        return dict(sorted(Counter(graded.grade for graded in self.grades).items()))

    def partly(self, unchecked: int) -> tuple[PartialLevel, ...]:
        """Return the levels (rules or views) that could only be checked in part.

        `unchecked` is the number of turns that are secret or depend on a sealed table.
        """
        undecided, found = unchecked + len(self._wordless), []
        if undecided:
            found.append(
                PartialLevel(
                    Level.RULES,
                    self._turns - undecided,
                    self._turns,
                    self._first_closed(draws=True),
                )
            )
        if unshown := len(self._hidden) + len(self.redacted):
            found.append(
                PartialLevel(
                    Level.VIEWS, self._size - unshown, self._size, self._first_closed(draws=False)
                )
            )
        return tuple(found)

    def _first_closed(self, draws: bool) -> int:
        """Return the first version that could not be checked.

        Sealed ruleset events and, if `draws` is True, secret draws take precedence. If there are
        none, secret narrations and redacted texts are considered.
        """
        secret = [
            each.version for each in self._seals.waiting.values() if each.k is not UNSET and draws
        ]
        ruleset = [line.version for line in self._hidden if line.version not in self._wordless]
        return min(secret + ruleset or [*self._wordless, *self.redacted])

    def counts(self, unchecked: int) -> LogCounts:
        return LogCounts(
            events=self._size,
            turns=self._turns,
            draws=len(self._versions_of(Drawn)),
            voids=len(self.voids),
            rewinds=len(self.rewinds),
            take_backs=len(self.take_backs),
            rerolls=len(self._made_again),
            overrides=len(self.overrides),
            declared_dice=len(self._graded("D")),
            unopened=len(self.unopened),
            unchecked=unchecked,
        )

    def warnings(
        self,
        pinned: bool,
        rules: bool,
        waits: int | None,
        witnessed: bool = False,
        extensions: Sequence[str] = (),
        biased: Sequence[int] = (),
        complaints: Sequence[int] = (),
    ) -> tuple[ReportWarning, ...]:
        """Return the warnings in the order in which fairness.md lists them.

        If the log ends during a draw, `waits` is the version of that draw's declaration. Otherwise,
        it is None. `extensions` are the log's extensions that this verifier does not support.
        `biased` contains the versions of voids whose results differ from chance. `complaints`
        contains the versions of voids that a missing seat disputes. `witnessed` is True if enough
        witnesses have cosigned the log.
        """
        found = {
            "W_VOID": self.voids,
            "W_VOID_BIAS": tuple(biased),
            "W_COMPLAINT": tuple(complaints),
            "W_HOUSE_ONLY": self._graded("C"),
            "W_ENTROPY": tuple(graded.version for graded in self.grades if graded.by_entropy),
            "W_CUSTODIAL": self._custodial(),
            "W_ROLLOVER": self.rollovers,
            "W_REROLL_AFTER_REWIND": self._made_again,
            "W_OVERRIDE": self.overrides,
            "W_DECLARED_DICE": self._graded("D"),
            "W_UNOPENED": tuple(version for version, _ in self.unopened),
            "W_REDACTED": self.redacted,
            "W_OPEN_END": () if waits is None else (waits,),
        }
        found_warnings = [
            ReportWarning(code, len(versions), versions)
            for code, versions in found.items()
            if versions
        ]
        whole = {
            "W_UNPINNED": not pinned,
            "W_UNWITNESSED": not witnessed,
            "W_RULES_MISSING": not rules,
            "W_EXTENSION": bool(extensions),
            "W_FORMAT_1": self.log_format == 1,
        }
        return (
            *found_warnings,
            *(ReportWarning(code, 1) for code, holds in whole.items() if holds),
        )

    def _versions_of(self, kind: type[Message]) -> tuple[int, ...]:
        return tuple(recorded.version for recorded in self._facts if type(recorded.body) is kind)

    def _log_format(self) -> LogFormat:
        opened = self._facts[0].body if self._facts else None
        return opened.format if isinstance(opened, Opened) and opened.format else 1

    def _rollovers(self) -> tuple[int, ...]:
        """Return the versions at which a seat started a new chain.

        In format 2, the server's new chains are not included, because it cannot choose when to use
        them.
        """
        return tuple(
            recorded.version
            for recorded in self._facts
            if isinstance(recorded.body, ChainAnchored)
            and (recorded.body.seat != HOUSE or self.log_format == 1)
        )

    def _graded(self, letter: str) -> tuple[int, ...]:
        return tuple(graded.version for graded in self.grades if graded.grade == letter)

    def _custodial(self) -> tuple[int, ...]:
        """Return the versions at which seats that never had a chain were first taken."""
        seats: dict[str, int] = {}
        own = {
            recorded.body.seat
            for recorded in self._facts
            if isinstance(recorded.body, SeatTaken) and recorded.body.anchor is not UNSET
        }
        for recorded in self._facts:
            if isinstance(recorded.body, SeatTaken) and recorded.body.seat not in own:
                seats.setdefault(recorded.body.seat, recorded.version)
        return tuple(seats.values())


def _take_back_versions(events: Sequence[RecordedEvent]) -> Iterator[int]:
    """Yield the version of each rewind by a seat that was not the GM at that time."""
    roles: dict[str, Role] = {}
    for recorded in events:
        if isinstance(recorded.body, SeatTaken):
            roles[recorded.body.seat] = recorded.body.role
        elif isinstance(recorded.body, Rewound) and roles.get(recorded.seat) is not Role.GM:
            yield recorded.version


def _draw_grades(events: Sequence[RecordedEvent]) -> Iterator[DrawGrade]:
    """Yield the grade of each roll, with the version of the event that contains its values."""
    info, asker, is_secret = SessionInfo("", "", "", {}, "", {}, False), "", False
    then = info
    opened = {recorded.body.k for recorded in events if isinstance(recorded.body, SealOpened)}
    for recorded in events:
        match recorded.body:
            case Opened(format=int(log_format)):
                info = replace(info, log_format=log_format)
            case Declared(values=values) if values is not UNSET:
                yield DrawGrade(recorded.version, "D")
            case Declared(draw=draw) if draw is not UNSET:
                asker, then, is_secret = recorded.seat, info, draw.blind is not UNSET
            case Drawn() as drawn:
                others = {given.seat for given in drawn.contributions} - {HOUSE}
                found = grade_of(drawn, asker, then)
                by_entropy = not others and found == "B"
                alone = others == {asker} or by_entropy
                unopened = is_secret and drawn.k not in opened
                yield DrawGrade(recorded.version, found, alone, by_entropy, unopened)
            case SeatTaken(seat=seat) | SeatLeft(seat=seat) | PresenceSet(seat=seat):
                if (
                    isinstance(recorded.body, SeatTaken) or seat in info.seats
                ):  # otherwise, an earlier level has failed at this event
                    info = evolve_info(info, recorded.body)
