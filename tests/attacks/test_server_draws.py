"""A patched server that draws alone tries to choose what is rolled (docs/fairness.md, Entropy)."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec import Raw
from msgspec.structs import replace
from scipy.stats import chisquare

from domain.codec import encode
from domain.proof.hash_chain import links, seed, value
from domain.recorded_event import RecordedEvent
from domain.session import evolve
from domain.session.contributions import contributors, house_chain
from domain.session.messages import ChainAnchored, Declare, Drawn, LogFormat, Rewind, SeatTaken
from domain.session.state import HOUSE, Session
from domain.session.turns import EntropyOutdatedError
from domain.verify import Report, verify
from service.platform.ed25519 import verify as ed25519
from service.sessions.house import House
from tests.domain.broken_table_draws import lines
from tests.support.example import EXAMPLE, seated
from tests.support.sessions import ScriptedSession

SIDES, WANTED = EXAMPLE.dice[0], EXAMPLE.dice[0]
ROLLS = 20


class Server(ScriptedSession):
    """A session at which p1 rolls again and again, each time on the same table.

    `brings` says whether p1 brings entropy. The patched server sees it before it draws.
    """

    def __init__(self, log_format: LogFormat, *, brings: bool, length: int = 256) -> None:
        super().__init__(seed=7, length=length, log_format=log_format)
        for seat, step in (("p1", EXAMPLE.bring), *seated(EXAMPLE.ready)):
            self.do(seat, step)
        self._brings, self._before = brings, self.session.version

    def ask(self) -> Declare:
        """The next command of p1."""
        command = Declare(Raw(encode(EXAMPLE.draw)))
        if not self._brings:
            return command
        return replace(command, entropy=self.random.randbytes(32).hex(), k=self.session.k)

    def roll(self, command: Declare) -> int:
        """The first value that the command draws. The GM then rewinds to the table before it."""
        facts = self._turn(command, self.session.by("p1"))
        [drawn] = [fact.body for fact in facts if isinstance(fact.body, Drawn)]
        self.do("gm", Rewind(self._before, "again"))
        return drawn.values[0][1]

    def start_chain(self, last: bytes) -> None:
        number = self.session.chains[HOUSE].number + 1
        self._last_links[f"chain:{number}"] = last
        self._turn(self._house.next_chain(self.session, last), self._by_house)

    def checked(self) -> Report:
        return verify(lines(self.facts, self), ed25519)  # type: ignore[arg-type]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server uses a next chain at once, as in format 1."""
    anchor = evolve._anchor

    def at_once(
        session: Session, recorded: RecordedEvent, event: ChainAnchored | SeatTaken
    ) -> Session:
        after = anchor(session, recorded, event)
        if after.next_chain is None:
            return after
        return replace(after, chains=after.chains | {HOUSE: after.next_chain}, next_chain=None)

    monkeypatch.setattr(evolve, "_anchor", at_once)


def ground_link(server: Server, command: Declare) -> bytes:
    """The last link of a next chain whose first link gives the value that the server wants."""
    session, number = bytes.fromhex(server.id), server.session.chains[HOUSE].number + 1
    entropy = bytes.fromhex(command.entropy) if command.entropy else b""
    while True:
        last = server.random.randbytes(32)
        first = links(session, HOUSE, number, last, 256)[1]
        drawn = seed(
            session,
            server.session.k,
            [(HOUSE, number, 1, first)],
            entropy=None if server.log_format == 1 else entropy,
        )
        if value(drawn, 0, SIDES) == WANTED:
            return last


def test_in_format_1_a_server_could_choose_each_roll() -> None:
    server, rolled = Server(1, brings=False), list[int]()
    for _ in range(ROLLS):
        command = server.ask()
        server.start_chain(ground_link(server, command))
        rolled.append(server.roll(command))
    report = server.checked()
    assert rolled == [WANTED] * ROLLS
    assert report.valid
    assert {"W_FORMAT_1", "W_ROLLOVER"} <= {warning.code for warning in report.warnings}


@pytest.mark.parametrize("brings", [False, True])
@pytest.mark.usefixtures("impatient")
def test_in_format_2_the_same_server_is_found_out(*, brings: bool) -> None:
    server = Server(2, brings=brings)
    command = server.ask()
    server.start_chain(ground_link(server, command))
    assert server.roll(command) == WANTED
    failure = server.checked().failure
    assert failure is not None
    assert (failure.level, failure.code) == ("draws", "E_ANCHOR")


@pytest.mark.parametrize("count", [200, pytest.param(1000, marks=pytest.mark.long)])
def test_with_entropy_a_ground_chain_gives_nothing(count: int) -> None:
    """The server grinds each chain it may anchor, for the entropy that it knows at that time."""
    server, rolled = Server(2, brings=True), Counter[int]()
    for _ in range(count):
        command = server.ask()
        chain = server.session.chains[HOUSE]
        if server.session.next_chain is None and chain.length - chain.position == 128:
            server.start_chain(ground_link(server, command))
        rolled[server.roll(command)] += 1
    report = server.checked()
    assert report.valid
    assert set(report.letters) == {"B"}
    assert chisquare([rolled[face] for face in range(1, SIDES + 1)]).pvalue > 0.01


def test_a_server_cannot_try_both_links_of_two_draws() -> None:
    """Entropy is for one number: a draw in between makes the command fail, and is in the log."""
    server = Server(2, brings=True)
    command = server.ask()
    other = server.ask()
    server.roll(other)
    with pytest.raises(EntropyOutdatedError):
        server.roll(command)


# Secret draws: the server also makes the blind.


def roll_in_secret(server: Server, command: Declare) -> int:
    """The first value of a secret draw whose blind the server chose for the entropy."""
    session = server.session
    (seat, number, position), *_ = contributors(session)
    link = (seat, number, position, server._house.link(session, house_chain(session), position))
    entropy = bytes.fromhex(command.entropy or "")

    def is_wanted(blind: bytes) -> bool:
        drawn = seed(bytes.fromhex(server.id), session.k, [link], blind, entropy)
        return value(drawn, 0, SIDES) == WANTED

    ground = next(
        blind for blind in iter(lambda: server.random.randbytes(32), b"") if is_wanted(blind)
    )
    honest = server._house.blind
    server._house.blind = lambda now, k: ground if k == session.k else honest(now, k)  # type: ignore[method-assign]
    (declared, *_) = server._turn(replace(command, audience="gm"), session.by("p1"))
    server._house.blind = honest  # type: ignore[method-assign]
    return server.kept[declared.turn].values[0][1]


def test_a_server_that_chooses_the_blind_of_a_secret_draw_is_found_out() -> None:
    server = Server(2, brings=True)
    assert roll_in_secret(server, server.ask()) == WANTED
    failure = server.checked().failure
    assert failure is not None
    assert (failure.level, failure.code) == ("draws", "E_BLIND")


def test_without_commitments_to_blinds_the_report_says_that_the_server_could_choose(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first_chain = House.first_chain
    monkeypatch.setattr(
        House, "first_chain", lambda house, session, last, _: first_chain(house, session, last, 1)
    )
    server = Server(2, brings=True)
    before = len(server.checked().grades)
    assert roll_in_secret(server, server.ask()) == WANTED
    report = server.checked()
    assert report.failure is None
    [rolled] = report.grades[before:]
    assert rolled.grade == "C"
    [cautioned] = [each for each in report.warnings if each.code == "W_HOUSE_ONLY"]
    assert rolled.version in cautioned.versions
