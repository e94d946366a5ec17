"""A table for tests of the frame: a GM, two players and a spectator, none of them named."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from domain.codec import encode
from domain.decider import By, Role
from domain.ruleset import Message, Option
from domain.session.messages import Declare
from domain.session.state import HOUSE, Session
from tests.domain.rulesets.example import Steps
from tests.support.example import EXAMPLE, of, seated
from tests.support.sessions import ScriptedSession

GM, ANA, BEN, SAM = (
    By("gm", Role.GM),
    By("ana", Role.PLAYER),
    By("ben", Role.PLAYER),
    By("sam", Role.SPECTATOR),
)
THE_HOUSE = By(HOUSE, Role.HOUSE)


def wish(command: Message) -> Declare:
    return Declare(msgspec.Raw(encode(command)))


def about_the_rat(steps: Steps) -> tuple[Declare, ...]:
    return tuple(wish(command) for _, command in seated(steps, entity="rat"))


CREATE, DRAW = wish(EXAMPLE.guest), wish(of("rat", EXAMPLE.draw))
READY, OVER = about_the_rat(EXAMPLE.ready), about_the_rat(EXAMPLE.over)


class FrameTable(ScriptedSession):
    """An evening whose commands come as the frame takes them."""

    def __init__(self, length: int = 200, **options: Option) -> None:
        seats = [(by.seat, by.role, UNSET) for by in (GM, ANA, BEN, SAM)]
        super().__init__(options=options, length=length, seats=seats)

    def ask(self, command: Message, by: By = GM) -> tuple[Message, ...]:
        """The events of one accepted command; Refused and nothing changed otherwise."""
        return tuple(fact.body for fact in self._turn(command, by))

    def bring(self) -> None:
        """The rat comes, and may draw."""
        for command in (CREATE, *READY):
            self.ask(command)

    def past(self, version: int) -> Session:
        return self._states[version]
