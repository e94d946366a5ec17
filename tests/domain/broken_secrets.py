"""A scripted evening with secrets, take-backs and a fork, under the keys of `bending`, and its secrets bent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from msgspec import UNSET, Raw
from msgspec.structs import replace

from domain.codec import encode
from domain.log_file import EventLine, emit
from domain.recorded_event import RecordedEvent
from domain.ruleset import Message, Option
from domain.session.messages import (
    Audience,
    Close,
    Closed,
    Declare,
    Drawn,
    Forked,
    Inherited,
    Narrate,
    Narrated,
    Opened,
    OpenSeal,
    Parent,
    Rewind,
    Rewound,
    SealOpened,
)
from domain.verify import Evidence
from tests.domain import broken_logs as b
from tests.domain.forks import Child, file_of
from tests.support.example import EXAMPLE, of, over, seated, to_draw, to_wait
from tests.support.sessions import ScriptedSession

FORKED_AT = 14


def evening() -> ScriptedSession:
    return _both()[0]


def child() -> ScriptedSession:
    """The fork, with its table and nothing done yet."""
    return _both()[1]


@cache
def _both() -> tuple[ScriptedSession, ScriptedSession]:
    """A whisper, a promise and two secrets that are opened, two that are not, a take-back, a fork, a close."""
    played = ScriptedSession(seed=5, options={"declared_dice": True, "take_back": True}, length=200)
    b.go(played, ("p1", EXAMPLE.bring), ("gm", EXAMPLE.guest))
    played.do("p2", Narrate("I keep the coin.", audience="gm"))
    played.do("gm", Narrate("The rat bites on S.", audience="self"))
    promised = played.session.version
    b.go(played, *seated(EXAMPLE.ready, "gm", "rat"))
    secretly(played, "gm", of("rat", EXAMPLE.draw), "gm", promised)
    secretly(played, "gm", of("rat", EXAMPLE.plain), "gm")
    b.go(played, *to_wait()[:-1])
    before = played.session.version
    b.go(played, ("p1", EXAMPLE.waits), ("p1", Rewind(before, "not this one")))
    b.go(played, *to_draw()[len(to_wait()) - 1 :], *over())
    whispered, promise, drawn, plain = played.session.secrets.seals
    for seat, turn in (("p2", whispered), ("gm", drawn), ("gm", plain), ("gm", promise)):
        played.do(seat, OpenSeal(turn, played.kept.get(turn, UNSET)))
    b.go(played, *seated(EXAMPLE.ready))
    secretly(played, "p1", EXAMPLE.draw, "self")
    secretly(played, "p1", EXAMPLE.plain, "self")
    forked = Child(played, FORKED_AT)
    played.do("gm", Close(carry_over=True))
    return played, forked


def secretly(
    played: ScriptedSession, seat: str, wish: Message, audience: Audience, target: int | None = None
) -> tuple[RecordedEvent, ...]:
    aim = UNSET if target is None else target
    return played.do(seat, Declare(Raw(encode(wish)), audience=audience, target=aim))


LOG = b.Log(evening)
facts, find, body, turn = LOG.facts, LOG.find, LOG.body, LOG.turn
fields, drawing, in_turn, behind = LOG.changed, LOG.drawing, LOG.in_turn, LOG.behind


def drawn() -> list[Drawn]:
    return [fact.body for fact in facts() if isinstance(fact.body, Drawn)]


def forked(version: int, /, **bent: object) -> list[bytes]:
    """The child's file with one event that says something else."""
    given = child().facts
    return of_child(b.changed(given, version, replace(given[version - 1].body, **bent)))


def of_child(given: Sequence[RecordedEvent]) -> list[bytes]:
    return file_of(child(), b.host(given, sign=False))


def options(**bent: bool) -> dict[str, Option]:
    opened = body(1)
    assert isinstance(opened, Opened)
    return opened.options | bent


def spaced_table() -> Raw:
    """The table with a space, which canonical JSON has not."""
    inherited = child().facts[1].body
    assert isinstance(inherited, Inherited)
    return Raw(bytes(inherited.table).replace(b'":', b'": ', 1))


def earlier_table() -> Raw:
    return Raw(encode(evening().log.at(evening().id, FORKED_AT - 2).table))


def parent_of(**bent: object) -> Parent:
    opened = child().facts[0].body
    assert isinstance(opened, Opened)
    assert opened.parent is not UNSET
    return replace(opened.parent, **bent)


def known(given: Sequence[RecordedEvent] | None = None) -> Callable[[], Evidence]:
    """The parent's file, whole or bent."""
    return lambda: Evidence(parent=b.lines(facts() if given is None else given))


def hidden(given: Sequence[RecordedEvent], *versions: int) -> list[bytes]:
    """The file without the openings of these versions."""
    entries = [
        EventLine(e.leaf) if nth in versions else e
        for nth, e in enumerate(b.bundle(given).entries, 1)
    ]
    return list(emit(replace(b.bundle(given), entries=tuple(entries))))


SIZE = len(facts())
WHISPER, PROMISE = find(Narrated), find(Narrated, 1)
SECRET_DRAW = find(Drawn) - 1
SECRET_FACT = SECRET_DRAW + 2
"""What came of it; the sealed wish and its fact follow."""
SEALED = SECRET_FACT + 1
TAKEN_BACK = find(Rewound)
WHISPER_OPENED, OPENED = find(SealOpened), find(SealOpened, 1)
SETTLED = WHISPER_OPENED - 1
"""The end of what was taken back, and then done."""
LAST_DRAW = find(Drawn, -1) - 1
"""That of `self`; its fact, another sealed wish and its fact follow."""
LAST_SEALED = LAST_DRAW + 3
FORK, CLOSED = find(Forked), find(Closed)
