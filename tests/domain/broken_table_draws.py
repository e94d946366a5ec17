"""A scripted evening at which the table draws, and the tools to bend it: with the keys of the host, or of all seats."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache

from msgspec import UNSET, Raw
from msgspec.structs import replace

from domain.codec import encode
from domain.log_file import EventLine, EventOpening, LogFile, Manifest, emit
from domain.proof import merkle_tree
from domain.proof.signed_note import ED25519, Vkey, sign_checkpoint, vkey_text
from domain.recorded_event import RecordedEvent, leaf_of
from domain.ruleset import Message
from domain.session.contributions import SeatEvent, contribution_of, seat_event_of
from domain.session.messages import (
    ChainAnchored,
    Contribution,
    Declared,
    Drawn,
    DrawVoided,
    LeaveSeat,
    Narrate,
    OpenSeal,
    PresenceSet,
    Rewind,
    SeatLeft,
    SeatTaken,
    SetPresence,
    TakeSeat,
)
from domain.session.state import HOUSE
from service.platform.keys import Signer
from tests.domain.broken_logs import Log, with_body
from tests.support.example import EXAMPLE, of, over, seated, to_draw
from tests.support.sessions import TableSession, wish_of

EVERYONE = (HOUSE, "gm", "p1", "p2")
SIGNED = SeatTaken | SeatLeft | PresenceSet | ChainAnchored


@cache
def evening() -> TableSession:
    """Nine draws of gm, p1 and p2, two of them given up, one of them secret and one both; p3 holds no chain."""
    played = TableSession(seed=5, options={"declared_dice": True}, links=90)
    for step in (
        ("p1", EXAMPLE.bring),
        ("gm", EXAMPLE.guest),
        *to_draw(),
        *over(),
        *seated(EXAMPLE.ready),
    ):
        played.do(*step)
    played.ask("p1", wish_of(EXAMPLE.draw), silent=("p2",))
    go(
        played,
        ("p1", EXAMPLE.draw),
        *over(),
        ("p2", SetPresence("p2", present=True)),
        *seated(EXAMPLE.ready),
    )
    played.ask("p1", wish_of(EXAMPLE.draw), between=[("p3", Narrate("What was that noise?"))])
    go(played, *over(), ("p3", LeaveSeat("p3")), *seated(EXAMPLE.ready, "gm", "rat"))
    secret = wish_of(of("rat", EXAMPLE.draw), "gm")
    played.ask("gm", secret, silent=("p1", "p2"))
    go(played, *((seat, SetPresence(seat, present=True)) for seat in ("p1", "p2")))
    played.ask("gm", secret)
    for turn in list(played.session.secrets.seals):
        played.do("gm", OpenSeal(turn))
    before = played.session.version
    go(played, *over("gm", "rat"), *to_draw(), *over(), ("gm", Rewind(before, "the wrong door")))
    go(played, *over("gm", "rat"), ("p2", SetPresence("p2", present=False)))
    played.roll("p2")
    go(played, ("p2", SetPresence("p2", present=True)), ("p1", LeaveSeat("p1")))
    go(played, ("p1", TakeSeat("p1", played.session.info.seats["p1"].role)), *to_draw(), *over())
    return played


def go(played: TableSession, *steps: tuple[str, Message]) -> None:
    for seat, command in steps:
        played.do(seat, command)


LOG = Log(evening)
facts, find, body, changed = LOG.facts, LOG.find, LOG.body, LOG.changed
drawing, by_seat, behind, without = LOG.drawing, LOG.by_seat, LOG.behind, LOG.without


def declared_at(k: int) -> int:
    return next(
        fact.version
        for fact in facts()
        if isinstance(fact.body, Declared) and fact.body.draw is not UNSET and fact.body.draw.k == k
    )


def ended_at(k: int) -> int:
    return find((Drawn, DrawVoided), k=k)


def note_of(
    given: Sequence[RecordedEvent], size: int | None = None, of: TableSession | None = None
) -> str:
    """The checkpoint of the first `size` facts."""
    hashes, by = [merkle_tree.leaf_hash(leaf_of(fact)) for fact in given[:size]], of or evening()
    return sign_checkpoint(
        by.origin, len(hashes), merkle_tree.root_of(hashes), by.log_key.public, by.log_key.sign
    )


def lines(
    given: Sequence[RecordedEvent] | None = None, of: TableSession | None = None
) -> list[bytes]:
    """The file of these facts, signed by the log's key."""
    by, known = of or evening(), facts() if given is None else given
    key = vkey_text(vkey(by))
    manifest = Manifest(by.ruleset.edition, key, by.origin, by.ruleset.name, by.id, by.log_format)
    entries = tuple(
        EventLine(leaf_of(fact).decode(), EventOpening(Raw(fact.raw), fact.salt.hex()))
        for fact in known
    )
    return list(emit(LogFile(manifest, entries, (note_of(known, None, by),))))


def vkey(of: TableSession | None = None) -> Vkey:
    by = of or evening()
    return Vkey(by.origin, ED25519, by.log_key.public)


def contributed(version: int, whose: str, **fields: object) -> list[RecordedEvent]:
    """The facts with fields of one seat's contribution changed."""
    given = tuple(
        replace(each, **fields) if each.seat == whose else each
        for each in body(version).contributions
    )
    return changed(version, contributions=given)


def host(
    given: Sequence[RecordedEvent], keys: Collection[str] = (HOUSE,), of: TableSession | None = None
) -> list[RecordedEvent]:
    """What who holds these seats' keys, and the log's, can make of facts: renumbered, hashed and signed anew."""
    by = of or evening()
    done, hashes = list[RecordedEvent](), list[bytes]()
    turns, request, at = dict[int, int](), "", 0
    for version, fact in enumerate(given, 1):
        at = max(at, fact.at) if by.log_format > 1 else fact.at
        turn = turns.setdefault(fact.turn, len(turns) + 1)
        told = replace(fact, version=version, turn=turn, at=at)
        done.append(with_body(told, _signed(by, told.body, keys, hashes, request)))
        hashes.append(merkle_tree.leaf_hash(leaf_of(done[-1])))
        if isinstance(told.body, Declared) and told.body.draw is not UNSET:
            request = hashes[-1].hex()
    return done


def _signed(
    by: TableSession, event: Message, keys: Collection[str], hashes: Sequence[bytes], request: str
) -> Message:
    if isinstance(event, Drawn | DrawVoided):
        seen = merkle_tree.root_of(hashes).hex(), len(hashes)
        given = (
            _given(by, event.k, request, each, seen) if each.seat in keys else each
            for each in event.contributions
        )
        return replace(event, contributions=tuple(given))
    if isinstance(event, SIGNED) and event.signature is not UNSET and event.seat in keys:
        if isinstance(event, SeatLeft | PresenceSet) and event.seen_size is not UNSET:
            root = merkle_tree.root_of(hashes).hex()
            event = replace(event, seen_root=root, seen_size=len(hashes))
        return seat_signed(event, by)
    return event


def _given(
    by: TableSession, k: int, request: str, given: Contribution, seen: tuple[str, int]
) -> Contribution:
    unsigned = replace(given, seen_root=seen[0], seen_size=seen[1])
    message = contribution_of(by.id, k, request, unsigned)
    return replace(unsigned, signature=signer(by, given.seat).sign(message).hex())


def seat_signed(event: SeatEvent, of: TableSession | None = None) -> SeatEvent:
    by = of or evening()
    return replace(event, signature=signer(by, event.seat).sign(seat_event_of(by.id, event)).hex())


def signer(of: TableSession, seat: str) -> Signer:
    return of.house_key if seat == HOUSE else of.devices[seat].signer


def raw(version: int, edit: Callable[[bytes], bytes]) -> bytes:
    return edit(encode(body(version)))
