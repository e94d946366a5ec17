"""An evening at which the table draws, in the first room: gm, p1 and p2 hold chains, p3 none; each time the same."""

from __future__ import annotations

from msgspec.structs import replace

from domain.decider import Role
from domain.ruleset import AnyRuleset, Message, Option
from domain.session.messages import (
    Close,
    Declare,
    HandOver,
    LeaveSeat,
    LogFormat,
    NameSeat,
    Narrate,
    OpenSeal,
    Rewind,
    SetPresence,
    TakeSeat,
)
from domain.session.turns import LEAST_HOUSE_LENGTH
from tests.golden.play import Play
from tests.support.example import EXAMPLE, FACES, of, over, seated, to_draw
from tests.support.sessions import TableSession, wish_of

DRAW = wish_of(EXAMPLE.draw)


class TablePlay(Play):
    """Draws of all grades, voids, next chains, secrets, absences, comings and goings, a rewind, a hand-over.

    In format 2, every second draw has entropy.
    """

    def __init__(self, ruleset: AnyRuleset, seed: int = 2026, log_format: LogFormat = 1) -> None:
        self.ruleset, self.refused = ruleset, []
        options: dict[str, Option] = {"declared_dice": True, "take_back": True}
        self.table = self.evening = TableSession(
            seed,
            ruleset,
            options,
            title="The table draws",
            length=90 if log_format == 1 else LEAST_HOUSE_LENGTH,
            links=20,
            log_format=log_format,
        )
        self._first_draws()
        self._given_up()
        self._secrets()
        self._undone()
        if log_format > 1:
            self._left_out()
        self._chains()
        self._do(("gm", Narrate("Until next week.")), ("gm", Close(carry_over=True)))

    def _do(self, *steps: tuple[str, Message]) -> None:
        for seat, command in steps:
            self.evening.do(seat, self._brought(DRAW) if command == EXAMPLE.draw else command)

    def _brought(self, command: Declare) -> Declare:
        """Return the command, with entropy if the next draw is to have some."""
        k = self.table.session.k
        if self.table.log_format == 1 or k % 2 == 0:
            return command
        return replace(command, entropy=self.table.random.randbytes(32).hex(), k=k)

    def _first_draws(self) -> None:
        """With a custodial player at the table, and while somebody speaks and sits down."""
        self._do(
            ("p1", EXAMPLE.bring),
            ("gm", EXAMPLE.guest),
            *to_draw(),
            *over(),
            *seated(EXAMPLE.ready),
        )
        newcomer = ("s1", TakeSeat("s1", Role.SPECTATOR, "Sam"))
        between = [("p3", Narrate("What was that noise?")), newcomer, ("p2", NameSeat("p2", "Pip"))]
        self.table.ask("p1", self._brought(DRAW), between=between)
        self._do(*over(), ("p3", LeaveSeat("p3")), *to_draw(), *over())

    def _given_up(self) -> None:
        """One seat is silent, then two; then the dice are thrown at the table; then p3 brings a chain."""
        self._do(*seated(EXAMPLE.ready))
        self.table.ask("p1", self._brought(DRAW), silent=("p2",))
        self.table.ask(
            "p1",
            self._brought(DRAW),
            garbled=("gm",),
            between=[("p3", TakeSeat("p3", Role.PLAYER))],
        )
        self.evening.do("p1", EXAMPLE.draw, FACES)
        self._do(*over(), *((seat, SetPresence(seat, present=True)) for seat in ("gm", "p2")))
        self.table.bring("p3")
        self._do(*to_draw(), *over())

    def _secrets(self) -> None:
        """For the GM's eyes: one given up and opened, one drawn and opened; one for the asker's that stays sealed."""
        self._do(*seated(EXAMPLE.ready, "gm", "rat"))
        secret = wish_of(of("rat", EXAMPLE.draw), "gm")
        self.table.ask("gm", self._brought(secret), silent=("p1",))
        self._do(("p1", SetPresence("p1", present=True)))
        self.table.ask(
            "gm", self._brought(secret), between=[("p2", Narrate("A whisper.", audience="gm"))]
        )
        given_up, drawn, whispered = self.evening.session.secrets.seals
        self._do(
            *(("gm", OpenSeal(turn)) for turn in (drawn, given_up, whispered)), *over("gm", "rat")
        )
        self._do(*seated(EXAMPLE.ready))
        before = self.evening.session.version
        self.table.ask("p1", self._brought(wish_of(EXAMPLE.draw, "self")))
        self._do(("gm", Rewind(before, "in the open, please")))

    def _undone(self) -> None:
        self._do(("p1", EXAMPLE.draw), *over())
        before = self.evening.session.version
        self._do(*to_draw(), *over(), ("gm", Rewind(before, "the wrong door")), *to_draw(), *over())

    def _left_out(self) -> None:
        """A seat is made to leave after a void, and comes back with the link that it owes."""
        self._do(*seated(EXAMPLE.ready))
        self.table.ask("p1", self._brought(DRAW), silent=("p2",))
        self._do(
            ("gm", LeaveSeat("p2")),
            ("p1", EXAMPLE.draw),
            *over(),
            ("p2", TakeSeat("p2", Role.PLAYER)),
            *to_draw(),
            *over(),
        )

    def _chains(self) -> None:
        """The next chain behind a void shows what that would have been; at the end no seat has links left."""
        self._do(*seated(EXAMPLE.ready))
        self.table.ask("p1", self._brought(DRAW), silent=("p2",))
        self.table.roll("p2")
        self.table.roll("gm", show=False)
        self._do(
            ("p2", SetPresence("p2", present=True)),
            ("p3", LeaveSeat("p3")),
            ("p1", EXAMPLE.draw),
            *over(),
        )
        self._do(
            ("p3", TakeSeat("p3", Role.PLAYER)), ("gm", HandOver("p3")), ("p3", HandOver("gm"))
        )
        self._do(
            ("p1", SetPresence("p1", present=False)),
            *to_draw(),
            *over(),
            ("p1", SetPresence("p1", present=True)),
        )
        self._do(*(step for _ in range(26) for step in (*to_draw(), *over())))
