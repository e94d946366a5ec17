"""A scripted evening as a file, and the tools to bend it: with no key, the log's key, or every key of the host."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec import UNSET, Raw
from msgspec.structs import replace

from domain.codec import encode
from domain.log_file import EventLine, EventOpening, LogFile, Manifest, emit
from domain.proof import merkle_tree
from domain.proof.signed_note import (
    COSIGNATURE,
    ED25519,
    Vkey,
    cosign,
    sign_checkpoint,
    succession_line,
    succession_message,
    vkey_text,
)
from domain.recorded_event import RecordedEvent, commitment, leaf, leaf_of
from domain.ruleset import Message
from domain.session.contributions import contribution_of, seat_event_of
from domain.session.messages import (
    ChainAnchored,
    Close,
    Declared,
    Drawn,
    LeaveSeat,
    Narrate,
    Narrated,
    Opened,
    Rewind,
    Rewound,
    SeatTaken,
)
from domain.verify import Evidence, verify
from domain.verify.report import Report
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import Signer
from tests.support.example import EXAMPLE, FACES, FIRST, brought, over, rest, seated, to_draw
from tests.support.sessions import ScriptedSession

STRANGER = Signer(bytes(32))
WITNESS = Signer(bytes([7]) * 32)
SECONDS = 1_767_225_700
"""When the witness cosigns."""
CLEO = brought("cleo", "Cleo")
BYTES, TREE, DRAWS, RULES, VIEWS = "bytes", "tree", "draws", "rules", "views"


class Fault(NamedTuple):
    """A log that somebody bent, and the level, code and version that every verifier must name."""

    what: str
    bent: Callable[[], list[bytes]]
    level: str
    code: str
    version: int
    known: Callable[[], Evidence] = Evidence


@cache
def evening() -> ScriptedSession:
    """Five draws (the last two in the house's second chain), declared dice, an override, a rewind and a re-roll."""
    played = ScriptedSession(seed=5, length=67)
    go(played, ("p1", EXAMPLE.bring), *to_draw(), *over(), ("gm", EXAMPLE.guest))
    go(played, *to_draw(), ("p1", EXAMPLE.plain), *rest(), ("p2", Narrate("What was that noise?")))
    go(played, *to_draw(), *over(), ("gm", EXAMPLE.override), *seated(EXAMPLE.ready))
    played.do("p1", EXAMPLE.draw, FACES)
    go(played, *over())
    before = played.session.version
    go(played, ("p2", CLEO), *to_draw(), *over(), ("gm", Rewind(before, "the wrong door")))
    go(played, ("p2", CLEO), *to_draw(), *over(), ("p3", LeaveSeat("p3")))
    go(played, ("gm", Narrate("Until next week.", before)), ("gm", Close(carry_over=True)))
    return played


def go(played: ScriptedSession, *steps: tuple[str, Message]) -> None:
    for seat, command in steps:
        played.do(seat, command)


class Log:
    """The events of a scripted session, and copies of them in which something is bent."""

    def __init__(self, evening: Callable[[], ScriptedSession]) -> None:
        self._evening = evening

    def facts(self) -> list[RecordedEvent]:
        return list(self._evening().facts)

    def find(self, kind: type | tuple[type, ...], nth: int = 0, **fields: object) -> int:
        """Return the version of the nth event of this kind with these fields; from the end if nth < 0."""
        found = [
            fact.version
            for fact in self.facts()
            if isinstance(fact.body, kind)
            and all(getattr(fact.body, name) == value for name, value in fields.items())
        ]
        return found[nth]

    def body(self, version: int) -> Any:
        return self.facts()[version - 1].body

    def turn(self, version: int) -> int:
        return self.facts()[version - 1].turn

    def changed(self, version: int, /, **fields: object) -> list[RecordedEvent]:
        """Return the events with fields of one event changed."""
        bent = self.facts()
        bent[version - 1] = with_body(bent[version - 1], replace(self.body(version), **fields))
        return bent

    def drawing(self, version: int, /, **fields: object) -> list[RecordedEvent]:
        """Return the events with fields of a declaration's draw changed."""
        return self.changed(version, draw=replace(self.body(version).draw, **fields))

    def by_seat(self, version: int, seat: str) -> list[RecordedEvent]:
        """Return the events with one of them in another seat's name."""
        bent = self.facts()
        bent[version - 1] = replace(bent[version - 1], seat=seat)
        return bent

    def in_turn(self, version: int, seat: str) -> list[RecordedEvent]:
        """Return the events with a whole turn in another seat's name."""
        turn = self.turn(version)
        return [replace(fact, seat=seat) if fact.turn == turn else fact for fact in self.facts()]

    def behind(
        self, version: int, *events: tuple[str, Message], turn: int = 90_000
    ) -> list[RecordedEvent]:
        """Return the events with more of them after a version, in one turn of their own or in that one."""
        given = self.facts()
        like = replace(given[version - 1], turn=turn)
        more = [with_body(replace(like, seat=seat), event) for seat, event in events]
        return [*given[:version], *more, *given[version:]]

    def without(self, *versions: int) -> list[RecordedEvent]:
        return [fact for fact in self.facts() if fact.version not in versions]


LOG = Log(evening)
facts, find, turn = LOG.facts, LOG.find, LOG.turn


def note_of(
    given: Sequence[RecordedEvent], size: int | None = None, signer: Signer | None = None
) -> str:
    """The checkpoint of the first `size` facts."""
    hashes = [merkle_tree.leaf_hash(leaf_of(fact)) for fact in given[:size]]
    by = signer or evening().log_key
    return sign_checkpoint(
        evening().origin, len(hashes), merkle_tree.root_of(hashes), by.public, by.sign
    )


def handed_over(*signers: Signer, by: Signer | None = None, name: str = "") -> list[str]:
    """The lines by which the log's key is followed by these, one after another; `by`: who signs all of that."""
    keys = [evening().log_key, *signers]
    return [
        succession_line(
            name or evening().origin,
            old.public,
            new.public,
            (by or old).sign(succession_message(old.public, new.public)),
        )
        for old, new in pairwise(keys)
    ]


def followed(
    *signers: Signer, signer: Signer | None = None, size: int | None = None, **how: Any
) -> str:
    """The checkpoint under the last of the keys that followed the log's own, or under another."""
    return note_of(facts(), size, signer or signers[-1]) + "".join(handed_over(*signers, **how))


def witness(seat: str = "p1", signer: Signer | None = None) -> Vkey:
    return Vkey(f"{evening().origin}/w/{seat}", COSIGNATURE, (signer or WITNESS).public)


def cosigned(
    size: int, seat: str = "p1", seconds: int = SECONDS, signed_for: int | None = None
) -> str:
    """The checkpoint of the first `size` facts with that seat's cosignature below it."""
    signed = note_of(facts(), size)
    text = signed.partition("\n\n")[0] + "\n"
    line = cosign(text, witness(seat), signed_for or seconds, WITNESS.sign)
    if signed_for is not None:
        line = _at(line, seconds)
    return signed + line


def _at(line: str, seconds: int) -> str:
    """A cosignature with another time before it."""
    start, _, blob = line.rstrip("\n").rpartition(" ")
    known = b64decode(blob)
    return f"{start} {b64encode(known[:4] + seconds.to_bytes(8, 'big') + known[12:]).decode()}\n"


def bundle(given: Sequence[RecordedEvent] | None = None, signer: Signer | None = None) -> LogFile:
    """The file of these facts, signed; two checkpoints, one of them halfway."""
    known = facts() if given is None else given
    opened = known[0].body
    assert isinstance(opened, Opened)
    manifest = Manifest(
        FIRST.edition, opened.log_key, evening().origin, FIRST.name, evening().id, 1
    )
    entries = tuple(
        EventLine(leaf_of(fact).decode(), EventOpening(Raw(fact.raw), fact.salt.hex()))
        for fact in known
    )
    return LogFile(
        manifest, entries, (note_of(known, len(known) // 2, signer), note_of(known, None, signer))
    )


def lines(given: Sequence[RecordedEvent] | None = None) -> list[bytes]:
    return list(emit(bundle(given)))


def check(given: Iterable[bytes], known: Evidence | None = None) -> Report:
    return verify(given, ed25519, known or Evidence())


def vkey(signer: Signer | None = None) -> Vkey:
    return Vkey(evening().origin, ED25519, (signer or evening().log_key).public)


def with_body(fact: RecordedEvent, body: Message) -> RecordedEvent:
    return replace(fact, body=body, raw=encode(body))


def changed(
    given: Sequence[RecordedEvent],
    version: int,
    body: Message | None = None,
    seat: str | None = None,
) -> list[RecordedEvent]:
    """The facts with one of them changed."""
    bent = list(given)
    fact = bent[version - 1]
    bent[version - 1] = replace(with_body(fact, body or fact.body), seat=seat or fact.seat)
    return bent


def host(given: Sequence[RecordedEvent], sign: bool = True) -> list[RecordedEvent]:
    """What a host can make of facts: versions and turns renumbered, everything hashed anew, every draw signed anew."""
    done: list[RecordedEvent] = []
    hashes: list[bytes] = []
    turns: dict[int, int] = {}
    for version, fact in enumerate(given, 1):
        turn = turns.setdefault(fact.turn, len(turns) + 1)
        told = replace(fact, version=version, turn=turn)
        body = _signed(told.body, hashes) if sign else told.body
        done.append(with_body(told, body))
        hashes.append(merkle_tree.leaf_hash(leaf_of(done[-1])))
    return done


def _signed(body: Message, hashes: Sequence[bytes]) -> Message:
    if not isinstance(body, Drawn):
        return body
    given = tuple(
        replace(each, seen_root=merkle_tree.root_of(hashes).hex(), seen_size=len(hashes))
        for each in body.contributions
    )
    request = hashes[-1].hex()
    sign = evening().house_key.sign
    return replace(
        body,
        contributions=tuple(
            replace(
                each, signature=sign(contribution_of(evening().id, body.k, request, each)).hex()
            )
            for each in given
        ),
    )


def seat_signed(event: SeatTaken | ChainAnchored) -> SeatTaken | ChainAnchored:
    return replace(
        event, signature=evening().house_key.sign(seat_event_of(evening().id, event)).hex()
    )


def raw_body(
    version: int, edit: Callable[[bytes], bytes], among: Sequence[RecordedEvent] | None = None
) -> list[bytes]:
    """The lines with one body as other bytes, hashed and signed anew: what no struct would write."""
    given = facts() if among is None else among
    fact = given[version - 1]
    raw = edit(fact.raw)
    assert raw != fact.raw
    told = leaf(
        fact.session, version, fact.turn, fact.at, fact.seat, commitment(fact.salt, raw).hex()
    ).decode()
    whole = bundle(given)
    entries = [*whole.entries]
    entries[version - 1] = EventLine(told, EventOpening(Raw(raw), fact.salt.hex()))
    return list(emit(resigned(replace(whole, entries=tuple(entries)))))


def resigned(bent: LogFile, signer: Signer | None = None) -> LogFile:
    """The same leaves under a fresh checkpoint."""
    by = signer or evening().log_key
    root = merkle_tree.root_of(
        [merkle_tree.leaf_hash(entry.leaf.encode()) for entry in bent.entries]
    )
    note = sign_checkpoint(bent.manifest.origin, len(bent.entries), root, by.public, by.sign)
    return replace(bent, checkpoints=(note,))


def stranger_key() -> str:
    return vkey_text(vkey(STRANGER))


def other_number(line: bytes) -> bytes:
    """The line with the first number of its event one digit longer."""
    bent = re.sub(rb'("body":\{.*?":)(\d)', rb"\g<1>1\2", line, count=1)
    assert bent != line
    return bent


def declared_with_draw(nth: int = 0) -> int:
    """The version of the nth declaration that waits for a draw."""
    return [fact.version for fact in facts() if isinstance(fact.body, Drawn)][nth] - 1


def wish(version: int, given: Sequence[RecordedEvent] | None = None) -> Declared:
    body = (given or facts())[version - 1].body
    assert isinstance(body, Declared)
    return body


def drawn(version: int) -> Drawn:
    body = facts()[version - 1].body
    assert isinstance(body, Drawn)
    return body


SIZE = len(facts())
DRAWN = declared_with_draw(1) + 2
"""What came of the second draw."""
PLAIN = DRAWN + 2
"""What came of `plain`, behind its wish."""
NARRATED, REWOUND, ROLLOVER = find(Narrated), find(Rewound), find(ChainAnchored)
DICE = next(
    fact.version
    for fact in facts()
    if isinstance(fact.body, Declared) and fact.body.dice is not UNSET
)
OVERRIDE = DICE - 1 - 2 * len(EXAMPLE.ready)


UNDONE = next(fact.body.to for fact in facts() if isinstance(fact.body, Rewound)) + 1
"""The first version that the rewind undoes."""


TURNS = turn(SIZE)
