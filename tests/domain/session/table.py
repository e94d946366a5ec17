"""A table for tests of the frame: a GM, two players and a spectator, none of them named."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from domain.codec import encode
from domain.decider import By, Role
from domain.ruleset import Message, Option
from domain.session.messages import Declare
from domain.session.state import HOUSE, Session
from tests.evenings import Evening

GM, ANA, BEN, SAM = By("gm", Role.GM), By("ana", Role.PLAYER), By("ben", Role.PLAYER), By("sam", Role.SPECTATOR)
THE_HOUSE = By(HOUSE, Role.HOUSE)


def wish(kind: str, /, **fields: str | int) -> Declare:
    """A wish of the first room."""
    return Declare(msgspec.Raw(encode({"kind": f"dhextiny.{kind}", **fields})))


CREATE = wish("CreateCreature", entity="rat", name="Rat", lp=6)
CHECK, SETTLE = wish("Check", entity="rat"), wish("Settle", entity="rat")


class FrameTable(Evening):
    """An evening whose commands come as the frame takes them."""

    def __init__(self, length: int = 200, **options: Option) -> None:
        seats = [(by.seat, by.role, UNSET) for by in (GM, ANA, BEN, SAM)]
        super().__init__(options=options, length=length, seats=seats)

    def ask(self, command: Message, by: By = GM) -> tuple[Message, ...]:
        """The events of one accepted command; Refused and nothing changed otherwise."""
        return tuple(fact.body for fact in self._turn(command, by))

    def past(self, version: int) -> Session:
        return self._states[version]
