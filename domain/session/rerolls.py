"""Rerolls: rolls that a rewind undid, with the roll that the same seat made instead."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence

import msgspec
from msgspec import UNSET, Raw, UnsetType

from domain.chance import Values
from domain.recorded_event import RecordedEvent
from domain.session.messages import Declared, Drawn, Rewound, SealOpened

_fields = msgspec.json.Decoder(dict[str, Raw]).decode


class Reroll(msgspec.Struct, frozen=True):
    """A roll that a rewind undid, and the same seat's next of its kind if any; `declared`: that
    fell on the table.

    The values of either are [sides, face] each, absent where they are not open.
    """

    undone: int
    next: int | UnsetType = UNSET
    declared: bool = False
    undone_values: Values | UnsetType = UNSET
    next_values: Values | UnsetType = UNSET


class Roll(msgspec.Struct, frozen=True, gc=False):
    """A declaration with its values, if they are open.

    Secret draws that nobody opened are of one kind: unknown.
    """

    version: int
    seat: str
    kind: bytes
    declared: bool
    values: Values | UnsetType


def rerolls(events: Sequence[RecordedEvent], head: int) -> tuple[Reroll, ...]:
    """Every roll that is undone at version `head`, beside the one that came for it after it was
    last undone.

    `facts` by version, only those that are open to whoever asks.
    """
    known = [recorded for recorded in events if recorded.version <= head]
    if not any(isinstance(recorded.body, Rewound) for recorded in known):
        return ()
    opened = _opened(known)
    drawn = {recorded.body.k for recorded in known if isinstance(recorded.body, Drawn)}
    live = _Live()
    for recorded in known:
        if isinstance(recorded.body, Rewound):
            live.rewind(recorded.version, recorded.body.to)
        elif isinstance(recorded.body, Declared) and _gave(recorded.body, drawn):
            live.add(_roll(recorded, recorded.body, opened))
    return tuple(_reroll(live.rolls[undone], live.next[undone]) for undone in sorted(live.next))


def _gave(command: Declared, drawn: Collection[int]) -> bool:
    """Return True if the roll has values: typed in, or of a draw that was completed."""
    return command.values is not UNSET or (command.draw is not UNSET and command.draw.k in drawn)


class _Live:
    """The rolls by their place in `rolls`; `next` has the undone ones of them, with what was made
    for each since.
    """

    def __init__(self) -> None:
        self.rolls: list[Roll] = []
        self.next: dict[int, Roll | None] = {}
        self._below: list[int] = []  # for each roll the one before it on its branch, -1 for none
        self._versions, self._tops = (
            [0],
            [-1],
        )  # the last roll that led to the table, from each version on
        self._waiting: dict[tuple[str, bytes], list[int]] = {}

    def add(self, roll: Roll) -> None:
        for undone in self._waiting.pop((roll.seat, roll.kind), ()):
            self.next[undone] = roll
        self._below.append(self._tops[-1])
        self.rolls.append(roll)
        self._turn(roll.version, len(self.rolls) - 1)

    def rewind(self, version: int, to: int) -> None:
        """Down from both tops to where the branches meet: a roll has a higher place than the one
        below it.
        """
        top, other = self._tops[-1], self._tops[max(0, bisect_right(self._versions, to) - 1)]
        self._turn(version, other)
        while top != other:
            if top > other:
                self._undo(top)
                top = self._below[top]
            else:
                self._redo(other)
                other = self._below[other]

    def _turn(self, version: int, top: int) -> None:
        self._versions.append(version)
        self._tops.append(top)

    def _undo(self, nth: int) -> None:
        roll = self.rolls[nth]
        self.next[nth] = None
        self._waiting.setdefault((roll.seat, roll.kind), []).append(nth)

    def _redo(self, nth: int) -> None:
        roll = self.rolls[nth]
        if self.next.pop(nth) is None:
            self._waiting[roll.seat, roll.kind].remove(nth)


def _opened(events: Sequence[RecordedEvent]) -> dict[int, tuple[Raw | UnsetType, Values]]:
    """Return the values of every open draw, and the commands of secret ones."""
    opened: dict[int, tuple[Raw | UnsetType, Values]] = {}
    for recorded in events:
        match recorded.body:
            case Drawn(k=k, values=values) if values:
                opened[k] = UNSET, values
            case SealOpened(k=int(k), command=command, values=values) if values:
                opened[k] = command, values
    return opened


def _roll(
    recorded: RecordedEvent, declared: Declared, opened: dict[int, tuple[Raw | UnsetType, Values]]
) -> Roll:
    command, values = declared.command, declared.values
    if declared.draw is not UNSET:
        secret, values = opened.get(declared.draw.k, (UNSET, UNSET))
        command = secret if command is UNSET else command
    return Roll(recorded.version, recorded.seat, _kind(command), declared.dice is not UNSET, values)


def _kind(command: Raw | UnsetType) -> bytes:
    return b"" if command is UNSET else bytes(_fields(command)["kind"])


def _reroll(undone: Roll, again: Roll | None) -> Reroll:
    if again is None:
        return Reroll(undone.version, undone_values=undone.values)
    return Reroll(undone.version, again.version, again.declared, undone.values, again.values)
