"""Evenings in memory: a script or a seed in, a log out, for every test that needs one and no server.

evening = ScriptedSession(seed=7)                          # opened; gm, p1, p2, p3 sit; bytes follow from the seed
evening.do("p1", Check("ana"))                     # a room's or a frame's command; Refused comes through
facts = play(seed=7, turns=200)                    # random: refusals, rewinds, declared dice, comings and goings
log = MemoryLog(); play(1, 50, log=log); play(2, 50, log=log)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from time import sleep

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.chance import NeedsDrawError, UndrawnChance
from domain.codec import encode
from domain.decider import By, Refused, Role
from domain.proof import merkle_tree
from domain.proof.hash_chain import links
from domain.proof.signed_note import ED25519, Vkey, vkey_text
from domain.recorded_event import LogRow, RecordedEvent, leaf_of
from domain.ruleset import AnyRuleset, Message, Option
from domain.rulesets import RULESETS
from domain.session.contributions import (
    SeatEvent,
    check_contribution,
    contribution_of,
    seat_event_of,
)
from domain.session.evolve import evolve
from domain.session.messages import (
    AnchorChain,
    Anchored,
    Audience,
    BringChain,
    ChainAnchored,
    Contribution,
    Declare,
    Draws,
    DrawVoided,
    HandOver,
    LeaveSeat,
    LogFormat,
    NameSeat,
    Narrate,
    Open,
    OpenSeal,
    PresenceSet,
    Rewind,
    SeatLeft,
    SeatTaken,
    SetPresence,
    StoredSecret,
    TakeSeat,
)
from domain.session.state import HOUSE, History, Session, initial, ruleset_of
from domain.session.turns import (
    LEAST_HOUSE_LENGTH,
    DecidedTurn,
    Head,
    TurnContext,
    complete_draw,
    decide_turn,
    judge,
    must_anchor,
    void_draw,
)
from domain.verify import tree_check
from fairlog.testing.random_commands import random_kind, random_wish
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import Signer
from service.sessions.house import House

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


class ScriptedSession:
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
        log_format: LogFormat = 1,
        extensions: tuple[str, ...] = (),
    ) -> None:
        self.log_format, self.extensions = log_format, extensions
        self.random = random.Random(f"{ruleset.name} {seed}")
        self.ruleset, self.log = ruleset, log or MemoryLog()
        if extensions:
            self.ruleset = ruleset_of(ruleset.name, ruleset.edition, extensions)
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
        if must_anchor(self.session):
            chain = self.session.chains[HOUSE]
            self._turn(
                self._house.next_chain(self.session, self._link(chain.number + 1)), self._by_house
            )

    def _open(self, options: dict[str, Option], title: str, seats: Seats) -> None:
        self._by_house = By(HOUSE, Role.HOUSE)
        vkey = vkey_text(Vkey(self.origin, ED25519, self.log_key.public))
        opening = Open(
            self.ruleset.name,
            self.ruleset.edition,
            title,
            options,
            vkey,
            draws=self.draws,
            log_format=self.log_format,
            extensions=self.extensions or UNSET,
        )
        self._turn(opening, self._by_house)
        self._turn(self._house.first_chain(self.id, self._link(0), self.log_format), self._by_house)
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
            self._house.blind if self.log_format > 1 else self._random_blind,
            self._house.sign,
            ed25519,
            History(self._states.__getitem__, lambda after, upto: self.facts[after:upto]),
            self._root_at,
        )

    def _random_blind(self, _: str, k: int) -> bytes:
        """A blind of format 1: the golden logs have random ones."""
        return self.random.randbytes(32)

    def _root_at(self, size: int) -> bytes:
        hashes = [merkle_tree.leaf_hash(leaf_of(fact)) for fact in self.facts[:size]]
        return tree_check.compute_roots(hashes, {size})[size]

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
    evening = ScriptedSession(seed, ruleset, log=log)
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


def _try(evening: ScriptedSession, act: Callable[[], object]) -> None:
    """Until it is allowed, or seems never to be: so that no kind of turn crowds out the others."""
    for _ in range(TRIES):
        try:
            act()
        except Refused:
            continue
        return


def _random_rewind(evening: ScriptedSession) -> Rewind:
    """Mostly a few turns back; sometimes anywhere, also into a branch that is undone already."""
    head = evening.session.version
    back = evening.random.randint(1, 12 if evening.random.random() < 0.85 else head)
    return Rewind(max(1, head - back), "we had forgotten a rule")


def _random_frame_command(evening: ScriptedSession) -> tuple[str, Message]:
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


def _random_turn(evening: ScriptedSession, command: type) -> None:
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


OWN = ("gm", "p1", "p2")
Steps = Sequence[tuple[str, Message]]
Nobody: Collection[str] = ()


class Device:
    """What a seat keeps to itself: its key, and the links of its chains by number."""

    def __init__(self, secret: bytes) -> None:
        self.signer = Signer(secret)
        self.chains: dict[int, tuple[bytes, ...]] = {}


class TableSession(ScriptedSession):
    """An evening at which the seats in `own` hold a key and chains of `links` links; the others are custodial."""

    draws: Draws = "table"

    def __init__(
        self,
        seed: int = 0,
        ruleset: AnyRuleset = RULESETS[0],
        options: dict[str, Option] | None = None,
        log: MemoryLog | None = None,
        length: int = 4096,
        title: str | None = None,
        seats: Seats = FOUR,
        own: Sequence[str] = OWN,
        links: int = 200,
        log_format: LogFormat = 1,
        extensions: tuple[str, ...] = (),
    ) -> None:
        self.links, self.devices = links, dict[str, Device]()
        self._own = own
        super().__init__(seed, ruleset, options, log, length, title, seats, log_format, extensions)

    def do(
        self, seat: str, command: Message, faces: tuple[int, ...] | None = None
    ) -> tuple[RecordedEvent, ...]:
        """As an evening's; what a seat with a chain says of itself is signed, and a draw is given to by all."""
        if faces is not None:
            return super().do(seat, command, faces)
        if isinstance(command, self.ruleset.commands):
            return self.ask(seat, wish_of(command))
        if isinstance(command, Declare):
            return self.ask(seat, command)
        if isinstance(command, OpenSeal):
            command = OpenSeal(command.turn, self.kept.get(command.turn, UNSET))
        return super().do(seat, self.signed(seat, command))

    def ask(
        self,
        seat: str,
        wish: Declare,
        silent: Collection[str] = Nobody,
        garbled: Collection[str] = Nobody,
        between: Steps = (),
    ) -> tuple[RecordedEvent, ...]:
        """A wish and all that comes of it. `between` is done when half of the seats have given. Raises Refused.

        Who is `garbled` gives what is refused, and so is as good as silent.
        """
        facts = self.declare(seat, wish)
        if self.session.pending is None:
            return facts
        asked = [
            each for each, _, _ in self.session.pending.contributors if each not in (HOUSE, *silent)
        ]
        half, came = len(asked) // 2, list[Contribution]()
        came += self._came(asked[:half], garbled)
        for other, command in between:
            facts += self.do(other, command)
        came += self._came(asked[half:], garbled)
        return facts + self.end(came)

    def declare(self, seat: str, wish: Declare) -> tuple[RecordedEvent, ...]:
        """The declaration, which may wait; the whole turn where it does not. Raises Refused."""
        by = self.session.by(seat)
        self._roll_house()
        return self._turn(wish, by)

    def end(self, given: Sequence[Contribution]) -> tuple[RecordedEvent, ...]:
        """The draw that waits is made or, where not all gave, given up; then the house says who is not there."""
        pending = self.session.pending
        assert pending is not None
        declared = self.facts[pending.version - 1]
        is_whole = len(given) + 1 == len(pending.contributors)
        if not is_whole and self.log_format > 1:
            deadline = int(self.session.info.options["deadline"])
            self.at = max(self.at, declared.at + 1000 * deadline)
        means = self._means()
        if is_whole:
            return self._keep(
                complete_draw(self.head, declared, self.kept.get(declared.turn), given, means)
            )
        facts = self._keep(void_draw(self.head, declared, given, means))
        voided = facts[0].body
        assert isinstance(voided, DrawVoided)
        for seat in voided.missing:
            facts += self._turn(SetPresence(seat, present=False), self._by_house)
        return facts

    def give(self, seat: str, /, **bent: object) -> Contribution:
        """What a seat gives to the draw that waits, checked as the house does. Raises Refused."""
        given = replace(self.contribution(seat), **bent)
        declared = (
            self.facts[self.session.pending.version - 1] if self.session.pending else self.facts[-1]
        )
        root = merkle_tree.root(self.head.frontier, self.session.version)
        check_contribution(self.session, declared, given, root, ed25519)
        return given

    def contribution(self, seat: str) -> Contribution:
        """A seat's own: its next link, signed under the tree as it stands."""
        pending = self.session.pending
        assert pending is not None
        chain, position = next((nth, at) for each, nth, at in pending.contributors if each == seat)
        root = merkle_tree.root(self.head.frontier, self.session.version).hex()
        link = self.devices[seat].chains[chain][position].hex()
        unsigned = Contribution(chain, link, position, seat, root, self.session.version, "")
        return self.sign_contribution(unsigned)

    def sign_contribution(self, given: Contribution) -> Contribution:
        """With its seat's signature for the draw that waits."""
        assert self.session.pending is not None
        request = merkle_tree.leaf_hash(leaf_of(self.facts[self.session.pending.version - 1])).hex()
        message = contribution_of(self.id, self.session.pending.k, request, given)
        return replace(given, signature=self.devices[given.seat].signer.sign(message).hex())

    def roll(
        self, seat: str, *, show: bool = True, length: int | None = None
    ) -> tuple[RecordedEvent, ...]:
        """A seat anchors its next chain, and shows the next link of the old one where there is one left.

        In format 2, it shows the last link that was asked of it, if it is not known.
        """
        chain = self.session.chains[seat]
        previous: str | UnsetType = UNSET
        if self.log_format > 1:
            previous = self.unknown_link(seat)
        elif show and chain.position < chain.length:
            previous = self.devices[seat].chains[chain.number][chain.position + 1].hex()
        count = length or self.links
        anchor = self._next(seat, chain.number + 1, count)
        unsigned = ChainAnchored(anchor, chain.number + 1, count, seat, "", previous)
        return self._turn(
            AnchorChain(count, anchor, self.sign(unsigned), previous), self.session.by(seat)
        )

    def bring(self, seat: str) -> tuple[RecordedEvent, ...]:
        """A seat that had no chain brings its first."""
        by = self.session.by(seat)
        return self._turn(BringChain(self.anchored(seat, by.role)), by)

    def signed(self, seat: str, command: Message) -> Message:
        """The command with the signature of its seat, where that has a key; who sits down brings a chain."""
        held = self.session.info.seats.get(seat) if seat in self.devices else None
        match command:
            case TakeSeat(role=role, chain=UnsetType()) if (
                seat in self._own or seat in self.devices
            ):
                return replace(command, chain=self.anchored(seat, role))
            case LeaveSeat(seat=whose, signature=UnsetType()) if (
                held and whose == seat and held.public_key
            ):
                left = SeatLeft(held.nth + 1, seat, UNSET, *self.seen)
                root, size = self.seen
                signature = self.sign(left)
                return replace(command, signature=signature, seen_root=root, seen_size=size)
            case SetPresence(seat=whose, present=present) if (
                held and whose == seat and held.public_key
            ):
                moved = PresenceSet(held.nth + 1, present, seat, UNSET, *self.seen)
                root, size = self.seen
                signature = self.sign(moved)
                return replace(command, signature=signature, seen_root=root, seen_size=size)
        return command

    @property
    def seen(self) -> tuple[str | UnsetType, int | UnsetType]:
        """The root and size of the tree as it stands, which a seat signs in format 2."""
        if self.log_format == 1:
            return UNSET, UNSET
        version = self.session.version
        return merkle_tree.root(self.head.frontier, version).hex(), version

    def unknown_link(self, seat: str) -> str | UnsetType:
        """The last link that was asked of a seat, if it was never shown."""
        chain = self.session.chains.get(seat)
        if chain is None or chain.shown == chain.position:
            return UNSET
        return self.devices[seat].chains[chain.number][chain.position].hex()

    def anchored(self, seat: str, role: Role) -> Anchored:
        """A seat's next chain, as it brings it."""
        device = self.devices.setdefault(seat, Device(self.random.randbytes(32)))
        number = self.session.chains[seat].number + 1 if seat in self.session.chains else 0
        key, anchor = device.signer.public.hex(), self._next(seat, number, self.links)
        previous = UNSET if self.log_format == 1 else self.unknown_link(seat)
        unsigned = SeatTaken(role, seat, anchor, number, self.links, key, previous_link=previous)
        return Anchored(key, self.links, anchor, self.sign(unsigned), previous)

    def sign(self, event: SeatEvent) -> str:
        """The signature of the event's seat."""
        return self.devices[event.seat].signer.sign(seat_event_of(self.id, event)).hex()

    def _next(self, seat: str, number: int, length: int) -> str:
        """The anchor of a fresh chain."""
        made = links(bytes.fromhex(self.id), seat, number, self.random.randbytes(32), length)
        self.devices[seat].chains[number] = made
        return made[0].hex()

    def _came(self, asked: Sequence[str], garbled: Collection[str]) -> list[Contribution]:
        """What the house takes of what they give."""
        came = []
        for seat in asked:
            try:
                came.append(self.give(seat, **({"link": "00" * 32} if seat in garbled else {})))
            except Refused:
                assert seat in garbled
        return came


def wish_of(command: Message, audience: Audience | UnsetType = UNSET) -> Declare:
    return Declare(msgspec.Raw(encode(command)), audience=audience)


AUDIENCES: tuple[Audience | UnsetType, ...] = (UNSET, UNSET, UNSET, UNSET, "gm", "blind", "self")


def play_table(
    ruleset: AnyRuleset,
    seed: int,
    turns: int,
    log: MemoryLog | None = None,
    log_format: LogFormat = 1,
) -> TableSession:
    """A random evening, hardly longer than so many turns; chains are short, and not all seats roll over in time."""
    options: dict[str, Option] = {"declared_dice": True, "take_back": True}
    length = 90 if log_format == 1 else LEAST_HOUSE_LENGTH
    table = TableSession(
        seed, ruleset, options, log, length=length, links=12, log_format=log_format
    )
    while table.session.turn < turns:
        [step] = table.random.choices(list(STEPS), list(STEPS.values()))
        _try_random_tables(table, step)
    return table


def _try_random_tables(table: TableSession, step: Callable[[TableSession], object]) -> None:
    """Until it is allowed, or seems never to be."""
    for _ in range(TRIES):
        try:
            step(table)
        except Refused:
            continue
        return


def _wish(table: TableSession) -> None:
    """In one of five some seat is silent or gives what is refused; now and then somebody speaks while all wait."""
    chosen, seats = table.random, list(table.session.info.seats)
    seat = chosen.choice((table.gm, *seats))
    wish = _drawing(table, seat) if chosen.random() < 0.6 else _random(table)
    if chosen.random() < 0.1:
        table.do(seat, wish, (chosen.randint(1, 6),))
        return
    quiet = [chosen.choice(seats)] if chosen.random() < 0.2 else []
    silent, garbled = (quiet, []) if chosen.random() < 0.6 else ([], quiet)
    between = (
        [(table.gm, Narrate("Wait.", audience=chosen.choice(AUDIENCES)))]
        if chosen.random() < 0.3
        else []
    )
    asked = wish_of(wish, chosen.choice(AUDIENCES))
    if table.log_format > 1 and chosen.random() < 0.7:
        entropy = chosen.randbytes(32).hex()
        asked = replace(asked, entropy=entropy, k=table.session.k)
    table.ask(seat, asked, silent, garbled, between)


def _random(table: TableSession) -> Message:
    return random_wish(
        table.random, table.ruleset, table.session.table, random_kind(table.random, table.ruleset)
    )


def _drawing(table: TableSession, seat: str) -> Message:
    """A wish that needs chance, if one is found soon."""
    by = table.session.by(seat)
    for _ in range(4 * TRIES):
        wish = _random(table)
        try:
            judge(table.session, wish_of(wish), by, UndrawnChance())
        except NeedsDrawError:
            return wish
        except Refused:
            continue
    return wish


def _roll(table: TableSession) -> None:
    seat = table.random.choice([each for each in table.session.chains if each != HOUSE])
    if table.session.chains[seat].position < 6 and table.random.random() < 0.8:
        return
    table.roll(seat, show=table.random.random() < 0.9)


def _presence(table: TableSession) -> None:
    """Mostly somebody comes back."""
    seats = table.session.info.seats
    away = [seat for seat, held in seats.items() if held.away and held.present]
    if away and table.random.random() < 0.8:
        table.do(seat := table.random.choice(away), SetPresence(seat, present=True))
    else:
        table.do(seat := table.random.choice(list(seats)), SetPresence(seat, present=False))


def _coming_or_going(table: TableSession) -> None:
    seat = table.random.choice(["p1", "p2", "p3", "p4", "s1"])
    held = table.session.info.seats.get(seat)
    if held is None:
        table.do(seat, TakeSeat(seat, Role.SPECTATOR if seat == "s1" else Role.PLAYER))
    elif held.present and held.public_key is UNSET and table.random.random() < 0.3:
        table.bring(seat)
    else:
        table.do(seat, LeaveSeat(seat) if held.present else TakeSeat(seat, held.role))


def _rewind(table: TableSession) -> None:
    """Mostly a few turns back; sometimes anywhere, or a take-back."""
    head, deed = table.session.version, table.session.last_command
    if table.random.random() < 0.2 and deed.seat:
        table.do(deed.seat, Rewind(max(1, deed.before), "oops"))
    back = table.random.randint(1, 12 if table.random.random() < 0.8 else head)
    table.do(table.gm, Rewind(max(1, head - back), "we had forgotten a rule"))


def _opening(table: TableSession) -> None:
    turns = [*table.session.secrets.seals, table.session.turn]
    table.do(
        table.random.choice(list(table.session.info.seats)), OpenSeal(table.random.choice(turns))
    )


def _hand_over(table: TableSession) -> None:
    table.do(table.gm, HandOver(table.random.choice(("gm", "p1", "p2", "p3"))))


STEPS: dict[Callable[[TableSession], object], float] = {
    _wish: 0.7, _roll: 0.06, _presence: 0.07, _coming_or_going: 0.05, _rewind: 0.05, _opening: 0.05, _hand_over: 0.02,
}  # fmt: skip
