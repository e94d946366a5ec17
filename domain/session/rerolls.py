"""Rerolls: rolls that a rewind undid, and the rolls that replaced them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from domain.chance import Values
from domain.codec import decode_fields
from domain.recorded_event import RecordedEvent
from domain.session.messages import Declared, Drawn, Rewound, SealOpened


class Reroll(msgspec.Struct, frozen=True):
    """A roll that a rewind undid, and the roll that was made instead, if any.

    The roll made instead is the next one for the same kind of command and the same entity, no
    matter which seat makes it. For a roll whose command is secret, it is the next such roll by the
    same seat.
    """

    undone: Annotated[
        int, Meta(description="the version of the event that declared the undone roll")
    ]
    next: (
        Annotated[
            int,
            Meta(
                description="the version of the event that declared the roll made instead; "
                "absent if there is none"
            ),
        ]
        | UnsetType
    ) = UNSET
    declared: Annotated[
        bool, Meta(description="true if the roll at `next` was made with physical dice")
    ] = False
    undone_values: (
        Annotated[
            Values,
            Meta(
                description="the values of the roll at `undone`, in the order in which the rules "
                "asked for them; each is a pair of the number of possible values, such as 6 for a "
                "d6, and the value, from 1 to that number; absent if they are secret"
            ),
        ]
        | UnsetType
    ) = UNSET
    next_values: (
        Annotated[
            Values,
            Meta(
                description="the values of the roll at `next`, in the order in which the rules "
                "asked for them; each is a pair of the number of possible values, such as 6 for a "
                "d6, and the value, from 1 to that number; absent if they are secret or if `next` "
                "is absent"
            ),
        ]
        | UnsetType
    ) = UNSET


RollPurpose = tuple[str, bytes, bytes]
"""A command's kind and entity. If the command is secret, only its seat."""


class DeclaredRoll(msgspec.Struct, frozen=True, gc=False):
    """A roll made by a declared command.

    `purpose` is equal for rolls that can replace each other. `declared` is True if the command used
    physical dice. While the turn is secret, `values` is UNSET.
    """

    version: int
    purpose: RollPurpose
    declared: bool
    values: Values | UnsetType


def rerolls(events: Sequence[RecordedEvent], head: int) -> tuple[Reroll, ...]:
    """Return the rolls that are undone at version `head`, each with its replacement, if any.

    `events` are the events that the viewer may see, sorted by version.
    """
    known = [recorded for recorded in events if recorded.version <= head]
    if not any(isinstance(recorded.body, Rewound) for recorded in known):
        return ()
    open_draws = _open_values(known)
    drawn = {recorded.body.k for recorded in known if isinstance(recorded.body, Drawn)}
    branches = _Branches()
    for recorded in known:
        if isinstance(recorded.body, Rewound):
            branches.rewind(recorded.version, recorded.body.to)
        elif isinstance(recorded.body, Declared) and _has_values(recorded.body, drawn):
            branches.add(_roll(recorded, recorded.body, open_draws))
    return tuple(
        _reroll(branches.rolls[undone], branches.next[undone]) for undone in sorted(branches.next)
    )


def _has_values(command: Declared, drawn: Collection[int]) -> bool:
    """Return True if the command used physical dice or if its draw was completed."""
    return command.values is not UNSET or (command.draw is not UNSET and command.draw.k in drawn)


class _Branches:
    """The rolls of a session, and the branches that rewinds create.

    Rolls and rewinds must be added in the order of their versions. A roll is identified by its
    index in `rolls`. `next` maps each undone roll to the roll that replaced it, or to None.
    """

    def __init__(self) -> None:
        self.rolls: list[DeclaredRoll] = []
        self.next: dict[int, DeclaredRoll | None] = {}
        self._below: list[int] = []  # for each roll, the roll before it on its branch, or -1
        # From version _versions[i] on, the last roll on the current branch is _tops[i].
        self._versions, self._tops = [0], [-1]
        self._waiting: dict[RollPurpose, list[int]] = {}

    def add(self, roll: DeclaredRoll) -> None:
        for undone in self._waiting.pop(roll.purpose, ()):
            self.next[undone] = roll
        self._below.append(self._tops[-1])
        self.rolls.append(roll)
        self._set_top(roll.version, len(self.rolls) - 1)

    def rewind(self, version: int, to: int) -> None:
        """Undo the rolls that are only on the old branch, and redo those only on the new one.

        The method follows both branches back until they meet. Each step goes back from the roll
        with the higher index, because a roll always has a higher index than its predecessor.
        """
        top, other = self._tops[-1], self._tops[max(0, bisect_right(self._versions, to) - 1)]
        self._set_top(version, other)
        while top != other:
            if top > other:
                self._undo(top)
                top = self._below[top]
            else:
                self._redo(other)
                other = self._below[other]

    def _set_top(self, version: int, top: int) -> None:
        self._versions.append(version)
        self._tops.append(top)

    def _undo(self, nth: int) -> None:
        roll = self.rolls[nth]
        self.next[nth] = None
        self._waiting.setdefault(roll.purpose, []).append(nth)

    def _redo(self, nth: int) -> None:
        roll = self.rolls[nth]
        if self.next.pop(nth) is None:
            self._waiting[roll.purpose].remove(nth)


def _open_values(events: Sequence[RecordedEvent]) -> dict[int, tuple[Raw | UnsetType, Values]]:
    """Return the visible values of each draw, and the command if the draw was secret."""
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
) -> DeclaredRoll:
    command, values = declared.command, declared.values
    if declared.draw is not UNSET:
        secret, values = opened.get(declared.draw.k, (UNSET, UNSET))
        command = secret if command is UNSET else command
    purpose = _purpose(recorded.seat, command)
    return DeclaredRoll(recorded.version, purpose, declared.dice is not UNSET, values)


def _purpose(seat: str, command: Raw | UnsetType) -> RollPurpose:
    if command is UNSET:
        return seat, b"", b""
    fields = decode_fields(command)
    return "", bytes(fields["kind"]), bytes(fields.get("entity", b""))


def command_kind(command: Raw | UnsetType) -> bytes:
    return b"" if command is UNSET else bytes(decode_fields(command)["kind"])


def _reroll(undone: DeclaredRoll, replacement: DeclaredRoll | None) -> Reroll:
    if replacement is None:
        return Reroll(undone.version, undone_values=undone.values)
    return Reroll(
        undone.version, replacement.version, replacement.declared, undone.values, replacement.values
    )
