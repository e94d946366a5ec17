"""Evenings in memory: a script or a seed in, a log out, for every test that needs one and no server.

evening = Evening(seed=7)                          # opened; gm, p1, p2, p3 sit; bytes follow from the seed
evening.do("p1", Check("ana"))                     # a room's or a frame's command; Refused comes through
facts = play(seed=7, turns=200)                    # random: refusals, rewinds, declared dice, comings and goings
log = MemoryLog(); play(1, 50, log=log); play(2, 50, log=log)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from time import sleep

import msgspec

from domain.codec import encode
from domain.decider import By, Refused, Role
from domain.proof.signed_note import ED25519, Vkey, vkey_text
from domain.recorded_event import LogRow, RecordedEvent
from domain.ruleset import AnyRuleset, Message, Option
from domain.rulesets import RULESETS
from domain.session.evolve import evolve
from domain.session.messages import (
    Declare,
    Draws,
    LeaveSeat,
    NameSeat,
    Narrate,
    Open,
    Rewind,
    StoredSecret,
    TakeSeat,
)
from domain.session.state import HOUSE, History, Session, initial
from domain.session.turns import ANCHOR_MARGIN, DecidedTurn, Head, TurnContext, decide_turn
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import Signer
from service.sessions.house import House
from tests.support.commands import random_kind, random_wish

EIGHT_O_CLOCK = 1_767_297_600_000
PLAYERS = ("p1", "p2", "p3")
Seats = Sequence[tuple[str, Role, str | msgspec.UnsetType]]
FOUR: Seats = (
    ("gm", Role.GM, "Grace"),
    *((seat, Role.PLAYER, f"Player {seat[1:]}") for seat in PLAYERS),
)
TRIES = 12
"""A seat, its command, and the faces of physical dice where it declares them."""


def alone(version: int) -> Session:
    """For lines of logs in which no seats draw together."""
    raise AssertionError(version)


class MemoryLog:
    """The facts of all sessions in the order they were appended: what projections and workers read of a GameLog."""

    def __init__(self) -> None:
        self._rows: list[LogRow] = []
        self._states: dict[str, list[Session]] = {}
        self._facts: dict[str, list[RecordedEvent]] = {}

    def append(self, facts: Sequence[RecordedEvent]) -> None:
        for fact in facts:
            states = self._states.setdefault(fact.session, [initial(fact.session)])
            facts = self._facts.setdefault(fact.session, [])
            facts.append(fact)
            states.append(
                evolve(
                    states[-1],
                    fact,
                    History(states.__getitem__, lambda after, upto: facts[after:upto]),
                )
            )
            self._rows.append(LogRow(len(self._rows) + 1, fact))

    def rows(self, after: int, limit: int) -> list[LogRow]:
        return self._rows[after : after + limit]

    def at(self, session: str, version: int) -> Session:
        return self._states[session][version]

    def end(self) -> int:
        return len(self._rows)

    def wait(self, after: int, timeout: float) -> None:
        if len(self._rows) <= after:
            sleep(timeout)

    def read_events(
        self, session: str, after: int = 0, upto: int | None = None
    ) -> list[RecordedEvent]:
        """One session's facts after a version, up to one where it is named."""
        own = [row.event for row in self._rows if row.event.session == session]
        return own[after:upto]

    def head(self, session: str) -> Session:
        return self._states[session][-1]

    def sessions(self) -> list[str]:
        return list(self._states)


class Evening:
    """One session at the table; every byte of it follows from the seed."""

    draws: Draws = "house"

    def __init__(
        self,
        seed: int = 0,
        ruleset: AnyRuleset = RULESETS[0],
        options: dict[str, Option] | None = None,
        log: MemoryLog | None = None,
        length: int = 4096,
        title: str | None = None,
        seats: Seats = FOUR,
    ) -> None:
        self.random = random.Random(f"{ruleset.name} {seed}")
        self.ruleset, self.log = ruleset, log or MemoryLog()
        self.id, self.at = self.random.randbytes(16).hex(), EIGHT_O_CLOCK
        self.log_key, self.house_key = (
            Signer(self.random.randbytes(32)),
            Signer(self.random.randbytes(32)),
        )
        self.origin = f"test.example/sessions/{self.id}"
        self.head = Head(initial(self.id), ())
        self.facts: list[RecordedEvent] = []
        self._states = [self.head.session]
        self._last_links: dict[str, bytes] = {}
        self.kept: dict[int, StoredSecret] = {}
        self._house = House(self.house_key, length, lambda _, name: self._last_links[name])
        self._open(
            {"declared_dice": True} if options is None else options,
            title or f"Evening {self.id[:4]}",
            seats,
        )

    @property
    def session(self) -> Session:
        return self.head.session

    @property
    def gm(self) -> str:
        return next(seat for seat, held in self.session.info.seats.items() if held.role is Role.GM)

    def then(self, version: int) -> Session:
        """The session after a version."""
        return self._states[version]

    def do(
        self, seat: str, command: Message, faces: tuple[int, ...] | None = None
    ) -> tuple[RecordedEvent, ...]:
        """One command of a seat and its facts. Raises Refused."""
        by = By(seat, command.role) if isinstance(command, TakeSeat) else self.session.by(seat)
        if not isinstance(command, self.ruleset.commands):
            return self._turn(command, by)
        self._roll_house()
        dice = msgspec.UNSET if faces is None else faces
        return self._turn(Declare(msgspec.Raw(encode(command)), dice), by)

    def _roll_house(self) -> None:
        """The house's next chain, where the one in use has few links left."""
        chain = self.session.chains[HOUSE]
        if chain.length - chain.position <= ANCHOR_MARGIN:
            self._turn(
                self._house.next_chain(self.session, self._link(chain.number + 1)), self._by_house
            )

    def _open(self, options: dict[str, Option], title: str, seats: Seats) -> None:
        self._by_house = By(HOUSE, Role.HOUSE)
        vkey = vkey_text(Vkey(self.origin, ED25519, self.log_key.public))
        opening = Open(
            self.ruleset.name, self.ruleset.edition, title, options, vkey, draws=self.draws
        )
        self._turn(opening, self._by_house)
        self._turn(self._house.first_chain(self.id, self._link(0)), self._by_house)
        for seat, role, name in seats:
            self.do(seat, TakeSeat(seat, role, name))

    def _link(self, chain: int) -> bytes:
        return self._last_links.setdefault(f"chain:{chain}", self.random.randbytes(32))

    def _turn(self, command: Message, by: By) -> tuple[RecordedEvent, ...]:
        return self._keep(decide_turn(self.head, command, by, self._means()))

    def _means(self) -> TurnContext:
        self.at += self.random.randint(5_000, 180_000)
        return TurnContext(
            self.at,
            lambda: self.random.randbytes(32),
            self._house.link,
            self._house.sign,
            ed25519,
            History(self._states.__getitem__, lambda after, upto: self.facts[after:upto]),
        )

    def _keep(self, taken: DecidedTurn) -> tuple[RecordedEvent, ...]:
        """What came of a turn is in the log."""
        self.head, facts, kept = taken
        if kept is not None:
            self.kept[facts[0].turn] = kept
        self.log.append(facts)
        self.facts += facts
        self._states += [self.log.at(self.id, fact.version) for fact in facts]
        return facts


def play(
    seed: int,
    turns: int,
    ruleset: AnyRuleset = RULESETS[0],
    log: MemoryLog | None = None,
    rewinds: float = 0.04,
) -> list[RecordedEvent]:
    """The facts of a random evening: so many turns behind its opening, and refused commands that leave nothing."""
    evening = Evening(seed, ruleset, log=log)
    while evening.session.turn < turns + 3 + len(PLAYERS):
        throw = evening.random.random()
        if throw < rewinds:
            _try(evening, lambda: evening.do("gm", _random_rewind(evening)))
        elif throw < rewinds + 0.08:
            _try(evening, lambda: evening.do(*_random_frame_command(evening)))
        else:
            command = random_kind(evening.random, ruleset)
            _try(evening, lambda command=command: _random_turn(evening, command))  # type: ignore[misc]
    return evening.facts


def _try(evening: Evening, act: Callable[[], object]) -> None:
    """Until it is allowed, or seems never to be: so that no kind of turn crowds out the others."""
    for _ in range(TRIES):
        try:
            act()
        except Refused:
            continue
        return


def _random_rewind(evening: Evening) -> Rewind:
    """Mostly a few turns back; sometimes anywhere, also into a branch that is undone already."""
    head = evening.session.version
    back = evening.random.randint(1, 12 if evening.random.random() < 0.85 else head)
    return Rewind(max(1, head - back), "we had forgotten a rule")


def _random_frame_command(evening: Evening) -> tuple[str, Message]:
    seat = evening.random.choice(PLAYERS)
    if not evening.session.info.seats[seat].present:
        return seat, TakeSeat(seat, Role.PLAYER)
    return evening.random.choice(
        [
            ("gm", Narrate("It rains.", evening.random.randint(1, evening.session.version))),
            (seat, Narrate("Was that a {gm}?")),
            (seat, NameSeat(seat, f"Player {evening.random.randint(1, 99)}")),
            (seat, LeaveSeat(seat)),
        ]
    )


def _random_turn(evening: Evening, command: type) -> None:
    """A wish of the room; where dice are declared, as many faces as it turns out to ask for."""
    seat = evening.random.choice(("gm", *PLAYERS))
    wish = random_wish(evening.random, evening.ruleset, evening.session.table, command)
    faces: tuple[int, ...] = ()
    declares = evening.random.random() < 0.2
    while declares:
        try:
            evening.do(seat, wish, faces)
            return
        except Refused as refused:
            if refused.rule != "faces-missing":
                raise
            faces += (evening.random.randint(1, int(str(refused.facts["die"]))),)
    evening.do(seat, wish)
