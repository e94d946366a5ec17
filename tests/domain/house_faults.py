"""The faults of logs whose draws the house makes alone: what is bent, and the code that must say so."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace as replaced

from msgspec import UNSET, Raw
from msgspec.structs import replace

from domain.chance import Values
from domain.codec import encode
from domain.decider import Role
from domain.log_file import EventLine, emit
from domain.proof.hash_chain import seed, value
from domain.proof.signed_note import COSIGNATURE, succession_line, succession_message, vkey_text
from domain.recorded_event import RecordedEvent
from domain.session.descriptions import describe
from domain.session.messages import (
    ChainAnchored,
    Closed,
    Declared,
    Draw,
    Drawn,
    Forked,
    Narrated,
    Opened,
    Redacted,
    Rewound,
    SealOpened,
    SeatLeft,
    SeatNamed,
    SeatTaken,
)
from domain.verify import Evidence
from domain.verify.views_check import DescribedEvent, ServerViews, TalliedEvent
from tests.domain import broken_logs as b, broken_secrets as s
from tests.domain.broken_logs import (
    BYTES,
    DICE,
    DRAWN,
    DRAWS,
    LOG,
    NARRATED,
    OVERRIDE,
    PLAIN,
    REWOUND,
    ROLLOVER,
    RULES,
    SIZE,
    STRANGER,
    TREE,
    VIEWS,
    Fault,
    bundle,
    changed,
    drawn,
    facts,
    find,
    host,
    lines,
    turn,
    wish,
)
from tests.domain.broken_secrets import (
    LAST_SEALED,
    OPENED,
    PROMISE,
    SEALED,
    SECRET_DRAW,
    SECRET_FACT,
    SETTLED,
    TAKEN_BACK,
    WHISPER,
    WHISPER_OPENED,
)
from tests.support.example import EXAMPLE, FIRST, kind

LEFT, CLOSED = find(SeatLeft), find(Closed)
FIRST_DRAW, DRAW, THIRD_DRAW, UNDONE_DRAW, LAST_DRAW = (
    b.declared_with_draw(nth) for nth in range(5)
)
CLEO = UNDONE_DRAW - 2 * len(EXAMPLE.ready) - 1  # undone, and brought anew
BROUGHT = next(fact.version for fact in facts() if isinstance(fact.body, Declared)) + 1


WHISPERED = ("gm", Narrated("Not a word.", audience="gm"))
NEXT = b.Signer(bytes([77]) * 32)
"""A key that the log goes on under."""


def text(version: int, old: bytes, new: bytes) -> list[bytes]:
    """One line with other text, and nothing hashed anew."""
    given = lines()
    assert old in given[version]
    given[version] = given[version].replace(old, new)
    return given


def number(version: int) -> list[bytes]:
    """One line with another number, and nothing hashed anew."""
    given = lines()
    given[version] = b.other_number(given[version])
    return given


def hosted(given: Sequence[RecordedEvent], sign: bool = True) -> list[bytes]:
    """Everything hashed and signed anew."""
    return lines(host(given, sign))


def moved(version: int, behind: int) -> list[RecordedEvent]:
    """One event behind another one."""
    fact = facts()[version - 1]
    given = LOG.without(version)
    at = next(nth for nth, other in enumerate(given) if other.version == behind) + 1
    return [*given[:at], fact, *given[at:]]


def with_entries(edit: Callable[[list[EventLine]], None]) -> list[bytes]:
    entries = list(bundle().entries)
    edit(entries)
    return list(emit(b.resigned(replace(bundle(), entries=tuple(entries)))))


def unopened(*versions: int) -> list[bytes]:
    """Without the openings of these events: the leaves stay."""
    entries = tuple(
        EventLine(entry.leaf) if version in versions else entry
        for version, entry in enumerate(bundle().entries, 1)
    )
    return list(emit(replace(bundle(), entries=entries)))


def leaf_text(version: int, old: str, new: str) -> list[bytes]:
    """A leaf that says something else, signed anew."""

    def edit(entries: list[EventLine]) -> None:
        entry = entries[version - 1]
        assert old in entry.leaf
        entries[version - 1] = replace(entry, leaf=entry.leaf.replace(old, new))

    return with_entries(edit)


def body(version: int, old: bytes, new: bytes) -> list[bytes]:
    return b.raw_body(version, lambda raw: raw.replace(old, new))


def noted(*notes: str) -> list[bytes]:
    return list(emit(replace(bundle(), checkpoints=notes)))


def other_heir() -> list[bytes]:
    """The line hands over to the stranger, under the signature that was for another key."""
    old, [line] = b.evening().log_key, b.handed_over(NEXT)
    signature = old.sign(succession_message(old.public, NEXT.public))
    bent = succession_line(b.evening().origin, old.public, STRANGER.public, signature)
    assert bent != line
    return noted(b.note_of(facts(), None, STRANGER) + bent)


def two_heirs() -> list[bytes]:
    return noted(
        b.note_of(facts(), None, NEXT) + "".join((*b.handed_over(NEXT), *b.handed_over(STRANGER)))
    )


def note_text(old: str, new: str) -> list[bytes]:
    note = bundle().checkpoints[-1]
    assert old in note
    return noted(note.replace(old, new))


def manifest(**fields: str) -> list[bytes]:
    return list(emit(replace(bundle(), manifest=replace(bundle().manifest, **fields))))


def contributed(
    given: Sequence[RecordedEvent], version: int, **fields: object
) -> list[RecordedEvent]:
    known = given[version - 1].body
    assert isinstance(known, Drawn)
    return changed(
        given, version, replace(known, contributions=(replace(known.contributions[0], **fields),))
    )


def seeing(version: int, **fields: object) -> list[bytes]:
    """A contribution made under another tree, and signed so."""
    given = contributed(facts(), version, **fields)
    known = given[version - 1].body
    assert isinstance(known, Drawn)
    request = b.merkle_tree.leaf_hash(b.leaf_of(given[version - 2])).hex()
    message = b.contribution_of(b.evening().id, known.k, request, known.contributions[0])
    return lines(contributed(given, version, signature=b.evening().house_key.sign(message).hex()))


def second_chain(**fields: object) -> list[bytes]:
    known = facts()[ROLLOVER - 1].body
    assert isinstance(known, ChainAnchored)
    return hosted(changed(facts(), ROLLOVER, b.seat_signed(replace(known, **fields))))


def outcome(version: int, **fields: object) -> list[bytes]:
    return hosted(changed(facts(), version, replace(facts()[version - 1].body, **fields)))


def one_value_more() -> list[RecordedEvent]:
    """A second value, as the seed has it, which nobody asked for."""
    known = drawn(DRAW + 1)
    given = known.contributions[0]
    seeded = seed(
        bytes.fromhex(b.evening().id),
        known.k,
        [("house", given.chain, given.position, bytes.fromhex(given.link))],
    )
    further = 20, value(seeded, len(known.values), 20)
    return changed(facts(), DRAW + 1, replace(known, values=(*known.values, further)))


def undrawn() -> list[RecordedEvent]:
    """The last draw, as if the rules had asked for none."""
    given = changed(facts(), LAST_DRAW, replace(wish(LAST_DRAW), draw=UNSET))
    return [fact for fact in given if fact.version != LAST_DRAW + 1]


def pinned(
    size: int, signer: b.Signer | None = None, other: bool = False
) -> Callable[[], Evidence]:
    """A checkpoint that was kept: of this log, or of another one that the host showed."""

    def known() -> Evidence:
        shown = host(changed(facts(), NARRATED, Narrated("Nothing."))) if other else facts()
        return Evidence(checkpoints=(b.note_of(shown, size, signer),))

    return known


def views(*told: DescribedEvent, tallies: tuple[TalliedEvent, ...] = ()) -> Callable[[], Evidence]:
    return lambda: Evidence(views=ServerViews(told, tallies))


def trusting(signer: b.Signer | None = None) -> Callable[[], Evidence]:
    return lambda: Evidence(key=b.vkey(signer))


def witnessed() -> Evidence:
    return Evidence(witnesses=(b.witness("p2"), b.witness()))


def by_stranger() -> list[bytes]:
    """The whole log as a stranger's own: key in the manifest, in Opened and under the checkpoints."""
    opened = facts()[0].body
    assert isinstance(opened, Opened)
    return list(
        emit(bundle(host(changed(facts(), 1, replace(opened, log_key=b.stranger_key()))), STRANGER))
    )


def by_witness() -> list[bytes]:
    """The whole log under a key of the kind that only cosigns."""
    opened = facts()[0].body
    assert isinstance(opened, Opened)
    key = vkey_text(replaced(b.vkey(), kind=COSIGNATURE))
    return lines(host(changed(facts(), 1, replace(opened, log_key=key))))


def swapped(given: list[bytes], one: int, other: int) -> list[bytes]:
    given[one], given[other] = given[other], given[one]
    return given


def swapped_openings(one: int, other: int) -> list[bytes]:
    entries = list(bundle().entries)
    openings = entries[one - 1].opening, entries[other - 1].opening
    entries[one - 1] = replace(entries[one - 1], opening=openings[1])
    entries[other - 1] = replace(entries[other - 1], opening=openings[0])
    return list(emit(replace(bundle(), entries=tuple(entries))))


def other_root() -> str:
    parts = bundle().checkpoints[-1].split("\n")
    return "\n".join([*parts[:2], bundle().checkpoints[0].split("\n")[2], *parts[3:]])


def other_signature() -> str:
    halves = [note.split("— ") for note in bundle().checkpoints]
    return f"{halves[1][0]}— {halves[0][1]}"


def other_order(raw: bytes) -> bytes:
    kind, told = raw[1:-1].split(b",", 1)
    return b"{" + told + b"," + kind + b"}"


def plain() -> Raw:
    return Raw(encode(EXAMPLE.plain))


def with_float(raw: bytes) -> bytes:
    return re.sub(rb":(\d+)", rb":\1.0", raw, count=1)


def other_faces() -> tuple[tuple[int, int], ...]:
    """What the seed does not have."""
    return tuple((sides, face % sides + 1) for sides, face in drawn(DRAW + 1).values)


def declared_faces(more_sides: int, *others: int) -> tuple[tuple[int, int], ...]:
    """Physical dice with more sides, the first faces others."""
    known = wish(DICE).values
    assert known is not UNSET
    return tuple(
        (sides + more_sides, others[nth] if nth < len(others) else face)
        for nth, (sides, face) in enumerate(known)
    )


def once_more(first: int, last: int) -> list[RecordedEvent]:
    """These versions again behind the plain turn, as a turn of their own."""
    end = end_of(PLAIN)
    return [
        *facts()[:end],
        *(replace(fact, turn=90) for fact in facts()[first - 1 : last]),
        *facts()[end:],
    ]


def end_of(version: int) -> int:
    return max(fact.version for fact in facts() if fact.turn == turn(version))


def secret_fact_twice() -> list[RecordedEvent]:
    given = s.facts()
    return [*given[:SECRET_FACT], given[SECRET_FACT - 1], *given[SECRET_FACT:]]


def opened_values() -> Values:
    opened = s.body(OPENED)
    assert isinstance(opened, SealOpened)
    assert opened.values is not UNSET
    return opened.values


def other_values() -> Values:
    return tuple((sides, face % sides + 1) for sides, face in opened_values())


def before_its_turn(version: int) -> int:
    return next(fact.version for fact in s.facts() if fact.turn == s.turn(version)) - 1


def swapped_facts(one: int, other: int) -> list[RecordedEvent]:
    given = facts()
    given[one - 1], given[other - 1] = given[other - 1], given[one - 1]
    return given


def first_seat() -> SeatTaken:
    taken = facts()[1].body
    assert isinstance(taken, SeatTaken)
    return taken


def drawn_only() -> dict[str, bool | int | str]:
    opened = facts()[0].body
    assert isinstance(opened, Opened)
    return opened.options | {"declared_dice": False}


def first_line() -> str:
    return describe(b.evening().ruleset, facts()[0], b.evening().then)


NO_KEY = [
    Fault("edited text", lambda: text(NARRATED, b"noise", b"voice"), BYTES, "E_BODY", NARRATED),
    Fault("edited die", lambda: number(DRAWN), BYTES, "E_BODY", DRAWN),
    Fault("edited salt", lambda: text(5, b'"salt":"', b'"salt":"00'), BYTES, "E_FORMAT", 5),
    Fault(
        "another salt",
        lambda: text(5, facts()[4].salt.hex().encode(), b"00" * 32),
        BYTES,
        "E_BODY",
        5,
    ),
    Fault("another opening", lambda: swapped_openings(4, 6), BYTES, "E_BODY", 4),
    Fault(
        "another seat in a leaf",
        lambda: text(5, rb'"seat\":\"p1', rb'"seat\":\"p2'),
        TREE,
        "E_ROOT",
        SIZE // 2,
    ),
    Fault(
        "a removed line",
        lambda: lines()[:NARRATED] + lines()[NARRATED + 1 :],
        BYTES,
        "E_VERSION",
        NARRATED,
    ),
    Fault("the first event removed", lambda: lines()[:1] + lines()[2:], BYTES, "E_VERSION", 1),
    Fault(
        "a doubled line",
        lambda: lines()[: NARRATED + 1] + lines()[NARRATED:],
        BYTES,
        "E_VERSION",
        NARRATED + 1,
    ),
    Fault(
        "swapped lines",
        lambda: swapped(lines(), NARRATED, NARRATED + 1),
        BYTES,
        "E_VERSION",
        NARRATED,
    ),
    Fault("the end cut off", lambda: lines()[:-12] + lines()[-1:], TREE, "E_TRUNCATED", SIZE - 9),
    Fault(
        "the end cut off, a kept checkpoint",
        lambda: lines(facts()[:-9]),
        TREE,
        "E_TRUNCATED",
        SIZE - 8,
        pinned(SIZE - 5),
    ),
    Fault("no checkpoint", lambda: lines()[:-2], TREE, "E_UNSIGNED", 1),
    Fault("a checkpoint of half", lambda: lines()[:-1], TREE, "E_UNSIGNED", SIZE // 2 + 1),
    Fault(
        "checkpoints in the wrong order",
        lambda: swapped(lines(), -2, -1),
        TREE,
        "E_UNSIGNED",
        SIZE // 2 + 1,
    ),
    Fault(
        "an event behind the checkpoints", lambda: [*lines(), lines()[5]], BYTES, "E_FORMAT", SIZE
    ),
    Fault("no manifest", lambda: lines()[1:], BYTES, "E_FORMAT", 0),
    Fault("an empty file", lambda: [], BYTES, "E_FORMAT", 0),
    Fault("no event", lambda: lines()[:1], BYTES, "E_FORMAT", 1),
    Fault("an empty line", lambda: [*lines()[:5], b"\n", *lines()[5:]], BYTES, "E_FORMAT", 5),
    Fault("no line end", lambda: [*lines()[:-1], lines()[-1][:-1]], BYTES, "E_NONCANONICAL", SIZE),
    Fault("a space", lambda: text(5, b'"body":{', b'"body": {'), BYTES, "E_NONCANONICAL", 5),
    Fault(
        "a space in a leaf",
        lambda: text(5, rb"{\"at\":", rb"{ \"at\":"),
        BYTES,
        "E_NONCANONICAL",
        5,
    ),
    Fault(
        "a doubled key", lambda: text(5, b'{"leaf":', b'{"leaf":"","leaf":'), BYTES, "E_FORMAT", 5
    ),
    Fault(
        "line ends of two signs",
        lambda: [line[:-1] + b"\r\n" for line in lines()],
        BYTES,
        "E_NONCANONICAL",
        0,
    ),
    Fault("a line end of two signs", lambda: text(5, b"\n", b"\r\n"), BYTES, "E_NONCANONICAL", 5),
    Fault(
        "an unknown field",
        lambda: text(5, b'{"leaf":', b'{"fair":true,"leaf":'),
        BYTES,
        "E_FORMAT",
        5,
    ),
    Fault(
        "bytes that are no text",
        lambda: text(NARRATED, b"noise", b"\xff\xfe"),
        BYTES,
        "E_FORMAT",
        NARRATED,
    ),
    Fault(
        "endless nesting",
        lambda: text(5, b'"body":{', b'"body":' + b"[" * 99_999),
        BYTES,
        "E_FORMAT",
        5,
    ),
    Fault(
        "another size",
        lambda: note_text(f"\n{SIZE}\n", f"\n{SIZE - 1}\n"),
        TREE,
        "E_CHECKPOINT_SIG",
        SIZE - 1,
    ),
    Fault(
        "a size with a zero",
        lambda: note_text(f"\n{SIZE}\n", f"\n0{SIZE}\n"),
        TREE,
        "E_NOTE_FORMAT",
        SIZE,
    ),
    Fault("another root", lambda: noted(other_root()), TREE, "E_CHECKPOINT_SIG", SIZE),
    Fault("another signature", lambda: noted(other_signature()), TREE, "E_CHECKPOINT_SIG", SIZE),
    Fault(
        "another origin",
        lambda: note_text("test.example", "fair.example"),
        TREE,
        "E_UNTRUSTED_LOG",
        SIZE,
    ),
    Fault("no signature", lambda: noted("no note\n"), TREE, "E_NOTE_FORMAT", SIZE),
    Fault(
        "no line of a signature",
        lambda: noted(bundle().checkpoints[-1].split("— ")[0]),
        TREE,
        "E_NOTE_FORMAT",
        SIZE,
    ),
    Fault(
        "signed by a stranger",
        lambda: noted(b.note_of(facts(), None, STRANGER)),
        TREE,
        "E_UNTRUSTED_LOG",
        SIZE,
    ),
    Fault(
        "all of it by a stranger, a trusted key",
        by_stranger,
        TREE,
        "E_UNTRUSTED_LOG",
        1,
        trusting(),
    ),
    Fault("a stranger's key trusted", lines, TREE, "E_UNTRUSTED_LOG", 1, trusting(STRANGER)),
    Fault(
        "a kept checkpoint by a stranger", lines, TREE, "E_UNTRUSTED_LOG", 30, pinned(30, STRANGER)
    ),
    Fault(
        "followed by a stranger's word",
        lambda: noted(b.followed(NEXT, by=STRANGER)),
        TREE,
        "E_CHECKPOINT_SIG",
        SIZE,
    ),
    Fault("followed by another key than was signed", other_heir, TREE, "E_CHECKPOINT_SIG", SIZE),
    Fault("followed by two keys", two_heirs, TREE, "E_CHECKPOINT_SIG", SIZE),
    Fault(
        "followed by itself again",
        lambda: noted(b.followed(NEXT, b.evening().log_key)),
        TREE,
        "E_CHECKPOINT_SIG",
        SIZE,
    ),
    Fault(
        "followed, and the old key signs on",
        lambda: noted(b.followed(NEXT, signer=b.evening().log_key)),
        TREE,
        "E_UNTRUSTED_LOG",
        SIZE,
    ),
    Fault(
        "followed, and nobody may know by whom",
        lambda: noted(b.note_of(facts(), None, NEXT)),
        TREE,
        "E_UNTRUSTED_LOG",
        SIZE,
    ),
    Fault(
        "followed in another log's name",
        lambda: noted(b.followed(NEXT, name="fair.example")),
        TREE,
        "E_UNTRUSTED_LOG",
        SIZE,
    ),
    Fault(
        "a key trusted that follows in no line", lines, TREE, "E_UNTRUSTED_LOG", 1, trusting(NEXT)
    ),
    Fault(
        "a key trusted that is followed itself by a stranger's word",
        lambda: noted(b.followed(NEXT, STRANGER, by=STRANGER)),
        TREE,
        "E_UNTRUSTED_LOG",
        1,
        trusting(NEXT),
    ),
    Fault(
        "a cosignature's time changed",
        lambda: noted(b.cosigned(SIZE, signed_for=b.SECONDS - 1)),
        TREE,
        "E_COSIG",
        SIZE,
        witnessed,
    ),
    Fault(
        "a cosignature of another size",
        lambda: noted(
            b.note_of(facts(), 30) + b.cosigned(31).splitlines(True)[-1], b.note_of(facts())
        ),
        TREE,
        "E_COSIG",
        30,
        witnessed,
    ),
    Fault(
        "another session in the manifest",
        lambda: manifest(session="00" * 16),
        BYTES,
        "E_SESSION",
        0,
    ),
    Fault(
        "another origin in the manifest",
        lambda: manifest(origin="fair.example"),
        BYTES,
        "E_SESSION",
        0,
    ),
    Fault("no key in the manifest", lambda: manifest(log_key="none"), BYTES, "E_KEY", 0),
    Fault(
        "a stranger's key in the manifest",
        lambda: manifest(log_key=b.stranger_key()),
        BYTES,
        "E_FORMAT",
        1,
    ),
    Fault(
        "another ruleset in the manifest", lambda: manifest(ruleset="chess"), BYTES, "E_FORMAT", 1
    ),
    Fault("another edition in the manifest", lambda: manifest(edition="1"), BYTES, "E_FORMAT", 1),
    Fault(
        "a later format in the manifest", lambda: text(0, b'"v":1', b'"v":3'), BYTES, "E_FORMAT", 0
    ),
    Fault("a version that is not open", lambda: unopened(1), BYTES, "E_FORMAT", 1),
    Fault(
        "a declaration hidden before its draw", lambda: unopened(DRAW), DRAWS, "E_ORDER", DRAW + 1
    ),
    Fault("a draw hidden", lambda: unopened(DRAW + 1), DRAWS, "E_ORDER", DRAW + 1),
    Fault(
        "the house's seat hidden", lambda: unopened(2), DRAWS, "E_ANCHOR", b.declared_with_draw()
    ),
    Fault(
        "a rollover hidden", lambda: unopened(ROLLOVER), DRAWS, "E_ANCHOR", b.declared_with_draw(3)
    ),
    Fault("a player's seat hidden", lambda: unopened(5), RULES, "E_ROLE", 5),
]


LOG_KEY = [
    Fault("a leaf of another session", lambda: leaf_text(9, b.evening().id, "00" * 16), BYTES, "E_SESSION", 9),
    Fault("a leaf of another format", lambda: leaf_text(9, '"v":1', '"v":2'), BYTES, "E_FORMAT", 9),
    Fault("a leaf of no seat", lambda: leaf_text(9, '"seat":"p3"', '"seat":"P3"'), BYTES, "E_FORMAT", 9),
    Fault("a leaf of a seat with a quotation mark", lambda: leaf_text(9, '"seat":"p3"', r'"seat":"p\"3"'), BYTES, "E_FORMAT", 9),
    Fault("a leaf of a session with one", lambda: leaf_text(9, '"session":"', r'"session":"\"'), BYTES, "E_SESSION", 9),
    Fault("a leaf with a letter escaped", lambda: leaf_text(9, '"seat":"p3"', r'"seat":"\u00703"'), BYTES, "E_NONCANONICAL", 9),
    Fault("a version left out", lambda: leaf_text(9, '"version":9', '"version":10'), BYTES, "E_VERSION", 9),
    Fault("a turn left out", lambda: leaf_text(9, '"turn":6', '"turn":7'), BYTES, "E_TURN", 9),
    Fault("a turn of the past", lambda: leaf_text(9, '"turn":6', '"turn":4'), BYTES, "E_TURN", 9),
    Fault("a turn before the first", lambda: leaf_text(1, '"turn":1', '"turn":0'), BYTES, "E_TURN", 1),
    Fault("a turn too large", lambda: leaf_text(9, '"turn":6', f'"turn":{2**53}'), BYTES, "E_FORMAT", 9),
    Fault("a version too large", lambda: leaf_text(9, '"version":9', f'"version":{2**53}'), BYTES, "E_FORMAT", 9),
    Fault("half a letter in a leaf", lambda: leaf_text(9, '"seat":"p3"', r'"seat":"\ud800"'), BYTES, "E_FORMAT", 9),
    Fault("half a letter", lambda: body(NARRATED, b"noise", rb"\ud800"), BYTES, "E_FORMAT", NARRATED),
    Fault("a float", lambda: b.raw_body(DRAWN, with_float), BYTES, "E_FORMAT", DRAWN),
    Fault("a null", lambda: body(NARRATED, b'"kind"', b'"about":null,"kind"'), BYTES, "E_FORMAT", NARRATED),
    Fault("a number too large", lambda: body(NARRATED, b'{"k', b'{"about":9007199254740992,"k'), BYTES, "E_FORMAT", NARRATED),
    Fault("an unknown field in a body", lambda: body(NARRATED, b'{"kind"', b'{"all":1,"kind"'), BYTES, "E_FORMAT", NARRATED),
    Fault("an unknown kind", lambda: body(NARRATED, b"session.Narrated", b"session.Sung"), BYTES, "E_FORMAT", NARRATED),
    Fault("an event of no room here", lambda: body(DRAWN, f'"kind":"{FIRST.name}.'.encode(), b'"kind":"chess.'), BYTES, "E_FORMAT", DRAWN),
    Fault("a doubled key in a body", lambda: body(NARRATED, b'{"kind', b'{"text":"","kind'), BYTES, "E_FORMAT", NARRATED),
    Fault("keys in another order", lambda: b.raw_body(NARRATED, other_order), BYTES, "E_NONCANONICAL", NARRATED),
    Fault("escaped letters", lambda: body(NARRATED, b"noise", rb"\u006eoise"), BYTES, "E_NONCANONICAL", NARRATED),
    Fault("a wish with a space", lambda: body(DRAW, b'"command":{', b'"command":{ '), BYTES, "E_NONCANONICAL", DRAW),
    Fault("a wish of no rule", lambda: body(DRAW, kind(EXAMPLE.draw).encode(), f"{FIRST.name}.Cheat".encode()), BYTES, "E_FORMAT", DRAW),
    Fault("a link with a line end", lambda: body(DRAW + 1, b'","position"', rb'\n","position"'), BYTES, "E_FORMAT", DRAW + 1),
    Fault("a secret draw that says its command", lambda: body(DRAW, b'{"command"', b'{"audience":"gm","command"'), DRAWS, "E_FORMAT", DRAW),
    Fault("an audience that there is not", lambda: body(DRAW, b'{"command"', b'{"audience":"all","command"'), BYTES, "E_FORMAT", DRAW),
    Fault("opened twice", lambda: hosted([*facts(), replace(facts()[0], turn=99)]), BYTES, "E_FORMAT", SIZE + 1),
    Fault("another log shown, the same version", lines, TREE, "E_SPLIT_VIEW", SIZE, pinned(SIZE, other=True)),
    Fault("another log shown, another version", lines, TREE, "E_INCONSISTENT", SIZE - 2, pinned(SIZE - 2, other=True)),
    Fault("two roots of one version", lambda: noted(b.note_of(host(changed(facts(), NARRATED, Narrated("No.")))), b.note_of(facts())), TREE, "E_SPLIT_VIEW", SIZE),
    Fault("the key of a witness for the log's", by_witness, TREE, "E_KEY", SIZE // 2),
    Fault("a signed root of nothing", lambda: noted(b.note_of(host(changed(facts(), NARRATED, Narrated("No."))))), TREE, "E_ROOT", SIZE),
    Fault("words before a draw changed", lambda: lines(changed(facts(), 4, SeatNamed("Gus", "gm"))), DRAWS, "E_FORK", FIRST_DRAW + 1),
    Fault("a declaration changed behind its draw", lambda: lines(changed(facts(), DRAW, replace(wish(DRAW), command=plain()))), DRAWS, "E_SIGNATURE", DRAW + 1),
]  # fmt: skip


EVERY_KEY = [
    Fault("a bent die", lambda: hosted(changed(facts(), DRAW + 1, replace(drawn(DRAW + 1), values=other_faces()))), DRAWS, "E_VALUES", DRAW + 1),
    Fault("a die of no sides", lambda: hosted(changed(facts(), DRAW + 1, replace(drawn(DRAW + 1), values=((0, 0),)))), DRAWS, "E_VALUES", DRAW + 1),
    Fault("no values", lambda: hosted(changed(facts(), DRAW + 1, replace(drawn(DRAW + 1), values=()))), DRAWS, "E_VALUES", DRAW + 1),
    Fault("another link", lambda: hosted(contributed(facts(), DRAW + 1, link="ab" * 32)), DRAWS, "E_CHAIN", DRAW + 1),
    Fault("the link before, again", lambda: hosted(contributed(facts(), DRAW + 1, link=drawn(FIRST_DRAW + 1).contributions[0].link)), DRAWS, "E_CHAIN", DRAW + 1),
    Fault("the next link at once", lambda: hosted(contributed(facts(), DRAW + 1, link=drawn(THIRD_DRAW + 1).contributions[0].link)), DRAWS, "E_CHAIN", DRAW + 1),
    Fault("a position skipped", lambda: hosted(LOG.drawing(DRAW, contributors=(("house", 0, 3),))), DRAWS, "E_POSITION", DRAW),
    Fault("a position used again", lambda: hosted(LOG.drawing(DRAW, contributors=(("house", 0, 1),))), DRAWS, "E_POSITION", DRAW),
    Fault("the old chain used on", lambda: hosted(LOG.drawing(UNDONE_DRAW, contributors=(("house", 0, 4),))), DRAWS, "E_POSITION", UNDONE_DRAW),
    Fault("a position of another draw", lambda: hosted(contributed(facts(), DRAW + 1, position=3)), DRAWS, "E_POSITION", DRAW + 1),
    Fault("a draw's number skipped", lambda: hosted(LOG.drawing(DRAW, k=2)), DRAWS, "E_DRAW_INDEX", DRAW),
    Fault("a draw's number used again", lambda: hosted(LOG.drawing(DRAW, k=0)), DRAWS, "E_DRAW_INDEX", DRAW),
    Fault("values of another draw", lambda: hosted(changed(facts(), DRAW + 1, replace(drawn(DRAW + 1), k=0))), DRAWS, "E_DRAW_INDEX", DRAW + 1),
    Fault("a draw left out", lambda: hosted(LOG.without(DRAW, DRAW + 1, DRAW + 2)), DRAWS, "E_DRAW_INDEX", THIRD_DRAW - 3),
    Fault("nobody contributes", lambda: hosted(LOG.drawing(DRAW, contributors=())), DRAWS, "E_CONTRIBUTORS", DRAW),
    Fault("a player said to contribute", lambda: hosted(LOG.drawing(DRAW, contributors=(("house", 0, 2), ("p1", 0, 1)))), DRAWS, "E_CONTRIBUTORS", DRAW),
    Fault("a player for the house", lambda: hosted(contributed(facts(), DRAW + 1, seat="p1")), DRAWS, "E_CONTRIBUTORS", DRAW + 1),
    Fault("a draw without contributions", lambda: hosted(changed(facts(), DRAW + 1, replace(drawn(DRAW + 1), contributions=()))), DRAWS, "E_CONTRIBUTORS", DRAW + 1),
    Fault("a contribution that nobody signed", lambda: lines(contributed(facts(), DRAW + 1, signature="00" * 64)), DRAWS, "E_SIGNATURE", DRAW + 1),
    Fault("a contribution under another tree", lambda: seeing(DRAW + 1, seen_root="00" * 32), DRAWS, "E_FORK", DRAW + 1),
    Fault("a contribution before its request", lambda: seeing(DRAW + 1, seen_size=DRAW - 1), DRAWS, "E_FORK", DRAW + 1),
    Fault("a contribution from the future", lambda: seeing(DRAW + 1, seen_size=2**52), DRAWS, "E_FORK", DRAW + 1),
    Fault("the anchor late", lambda: hosted(moved(2, behind=FIRST_DRAW + 2)), DRAWS, "E_ANCHOR", FIRST_DRAW - 1),
    Fault("no anchor", lambda: hosted(LOG.without(2)), DRAWS, "E_ANCHOR", FIRST_DRAW - 1),
    Fault("the second anchor late", lambda: hosted(moved(ROLLOVER, behind=UNDONE_DRAW + 2)), DRAWS, "E_ANCHOR", UNDONE_DRAW - 1),
    Fault("an anchor used again", lambda: second_chain(anchor=first_seat().anchor), DRAWS, "E_ANCHOR", ROLLOVER),
    Fault("the house seated twice", lambda: hosted([*facts(), replace(facts()[1], turn=99)]), DRAWS, "E_ANCHOR", SIZE + 1),
    Fault("a chain of a player", lambda: second_chain(seat="p1"), DRAWS, "E_ANCHOR", ROLLOVER),
    Fault("a chain of no links", lambda: second_chain(length=0), DRAWS, "E_POSITION", b.declared_with_draw(3)),
    Fault("a chain longer than any", lambda: second_chain(length=2**16 + 1), RULES, "E_FORMAT", ROLLOVER),
    Fault("a chain's number again", lambda: second_chain(chain=0), DRAWS, "E_CHAIN", ROLLOVER),
    Fault("an anchor that nobody signed", lambda: hosted(changed(facts(), 2, replace(first_seat(), signature="00" * 64))), DRAWS, "E_SIGNATURE", 2),
    Fault("a shorter chain than signed", lambda: hosted(changed(facts(), 2, replace(first_seat(), length=2))), DRAWS, "E_SIGNATURE", 2),
    Fault("a chain too short", lambda: hosted(changed(facts(), 2, b.seat_signed(replace(first_seat(), length=1)))), DRAWS, "E_POSITION", DRAW),
    Fault("a player with the key of the house", lambda: hosted(changed(facts(), 5, replace(first_seat(), seat="p1", role=Role.PLAYER))), DRAWS, "E_ANCHOR", 5),
    Fault("another way of drawing", lambda: outcome(1, draws="table"), RULES, "E_OUTCOME", 1),
    Fault("a draw that nobody declared", lambda: hosted(LOG.changed(DRAW, draw=UNSET)), DRAWS, "E_ORDER", DRAW + 1),
    Fault("a draw without its values", lambda: hosted(LOG.without(DRAW + 1)), DRAWS, "E_ORDER", DRAW + 1),
    Fault("a draw's values twice", lambda: hosted([*facts()[: DRAW + 1], *facts()[DRAW:]]), DRAWS, "E_ORDER", DRAW + 2),
    Fault("the end on a waiting draw", lambda: hosted(facts()[:LAST_DRAW]), DRAWS, "E_ORDER", LAST_DRAW + 1),
    Fault("dice declared without values", lambda: hosted(LOG.changed(DICE, values=UNSET)), DRAWS, "E_FORMAT", DICE),
    Fault("dice both declared and drawn", lambda: hosted(LOG.changed(DICE, draw=Draw((("house", 1, 1),), 3))), DRAWS, "E_FORMAT", DICE),
    Fault("a value that nobody asked for", lambda: hosted(one_value_more()), RULES, "E_OUTCOME", DRAW + 1),
    Fault("a wish without the draw it needs", lambda: hosted(undrawn()), RULES, "E_OUTCOME", LAST_DRAW),
    Fault("another outcome", lambda: outcome(DRAWN, **EXAMPLE.bent.drawn), RULES, "E_OUTCOME", DRAWN),
    Fault("another fact", lambda: outcome(PLAIN, **EXAMPLE.bent.plain), RULES, "E_OUTCOME", PLAIN),
    Fault("other points to start with", lambda: outcome(BROUGHT, **EXAMPLE.bent.brought), RULES, "E_OUTCOME", BROUGHT),
    Fault("a fact left out", lambda: hosted(LOG.without(DRAWN)), RULES, "E_OUTCOME", DRAWN),
    Fault("a fact added", lambda: hosted([*facts()[:PLAIN], facts()[PLAIN - 1], *facts()[PLAIN:]]), RULES, "E_OUTCOME", PLAIN + 1),
    Fault("a fact before its draw", lambda: hosted(swapped_facts(DRAW, DRAW + 1)), DRAWS, "E_ORDER", DRAW),
    Fault("a fact before its wish", lambda: hosted(swapped_facts(PLAIN - 1, PLAIN)), RULES, "E_OUTCOME", PLAIN - 1),
    Fault("a fact without a wish", lambda: hosted(LOG.without(PLAIN - 1)), RULES, "E_OUTCOME", PLAIN - 1),
    Fault("a fact by another seat", lambda: hosted(changed(facts(), PLAIN, seat="p2")), RULES, "E_OUTCOME", PLAIN),
    Fault("a frame's event in a room's turn", lambda: hosted([*facts()[:PLAIN], replace(facts()[NARRATED - 1], turn=turn(PLAIN)), *facts()[PLAIN:]]), RULES, "E_OUTCOME", PLAIN + 1),
    Fault("a wish in another seat's name", lambda: hosted(LOG.in_turn(PLAIN, "p2")), RULES, "E_OUTCOME", PLAIN - 1),
    Fault("a wish of who is not here", lambda: hosted(changed(facts(), PLAIN - 1, seat="p9")), RULES, "E_ROLE", PLAIN - 1),
    Fault("a redaction of what was rolled", lambda: hosted(changed(facts(), NARRATED, Redacted(DRAW + 1, "x"))), RULES, "E_OUTCOME", NARRATED),
    Fault("a redaction of what never was", lambda: hosted(changed(facts(), NARRATED, Redacted(SIZE, "x"))), RULES, "E_OUTCOME", NARRATED),
    Fault("a redaction of somebody else's name", lambda: hosted(changed(facts(), NARRATED, Redacted(find(SeatNamed), "x"), seat="p2")), RULES, "E_ROLE", NARRATED),
    Fault("a redaction without a reason", lambda: hosted(changed(facts(), NARRATED, Redacted(find(SeatNamed), ""))), RULES, "E_FORMAT", NARRATED),
    Fault("a wish of the house", lambda: hosted(changed(facts(), PLAIN - 1, seat="house")), RULES, "E_ROLE", PLAIN - 1),
    Fault("a wish that the rules refuse", lambda: hosted(once_more(BROUGHT - 1, BROUGHT)), RULES, "E_OUTCOME", end_of(PLAIN) + 1),
    Fault("a player's override", lambda: hosted(LOG.in_turn(OVERRIDE, "p1")), RULES, "E_ROLE", OVERRIDE - 1),
    Fault("a face off the die", lambda: hosted(LOG.changed(DICE, values=declared_faces(0, EXAMPLE.dice[0] + 1))), RULES, "E_OUTCOME", DICE),
    Fault("a die of more sides", lambda: hosted(LOG.changed(DICE, values=declared_faces(2))), RULES, "E_OUTCOME", DICE),
    Fault("faces too many", lambda: hosted(LOG.changed(DICE, values=(*declared_faces(0), (6, 2)))), RULES, "E_OUTCOME", DICE),
    Fault("dice where none may be declared", lambda: outcome(1, options=drawn_only()), RULES, "E_OUTCOME", DICE),
    Fault("an unknown option", lambda: outcome(1, options={"luck": True}), RULES, "E_OUTCOME", 1),
    Fault("a player's rewind", lambda: hosted(changed(facts(), REWOUND, seat="p1")), RULES, "E_ROLE", REWOUND),
    Fault("a rewind into a turn", lambda: outcome(REWOUND, to=DRAW), RULES, "E_LINEAGE", REWOUND),
    Fault("a rewind to the present", lambda: outcome(REWOUND, to=REWOUND - 1), RULES, "E_LINEAGE", REWOUND),
    Fault("a rewind into the future", lambda: outcome(REWOUND, to=REWOUND + 3), RULES, "E_LINEAGE", REWOUND),
    Fault("a rewind before the beginning", lambda: outcome(REWOUND, to=-3), RULES, "E_FORMAT", REWOUND),
    Fault("a rewind elsewhere", lambda: outcome(REWOUND, to=CLEO), RULES, "E_OUTCOME", REWOUND + 1),
    Fault("a rewind left out", lambda: hosted(LOG.without(REWOUND)), RULES, "E_OUTCOME", REWOUND),
    Fault("a seat taken for another", lambda: hosted(changed(facts(), 9, seat="p2")), RULES, "E_ROLE", 9),
    Fault("a second GM", lambda: outcome(9, role=Role.GM), RULES, "E_ROLE", 9),
    Fault("a seat taken twice", lambda: hosted([*facts()[:10], replace(facts()[8], turn=90), *facts()[10:]]), RULES, "E_OUTCOME", 11),
    Fault("a seat of the house taken", lambda: hosted(changed(facts(), 9, SeatTaken(Role.HOUSE, "p3"))), DRAWS, "E_FORMAT", 9),
    Fault("a player opens", lambda: hosted(changed(facts(), 1, seat="p1")), RULES, "E_ROLE", 1),
    Fault("who left speaks", lambda: hosted(changed(facts(), LEFT + 1, seat="p3")), RULES, "E_ROLE", LEFT + 1),
    Fault("who left leaves again", lambda: outcome(LEFT, nth=2), RULES, "E_OUTCOME", LEFT),
    Fault("a player sends another away", lambda: hosted(changed(facts(), LEFT, seat="p1")), RULES, "E_ROLE", LEFT),
    Fault("a control character", lambda: outcome(NARRATED, text="\x1b[2J"), RULES, "E_FORMAT", NARRATED),
    Fault("words without end", lambda: outcome(NARRATED, text="a" * 5000), RULES, "E_FORMAT", NARRATED),
    Fault("words about the future", lambda: outcome(NARRATED, about=SIZE), RULES, "E_OUTCOME", NARRATED),
    Fault("another carry", lambda: outcome(CLOSED, carry={"luck": 3}), RULES, "E_OUTCOME", CLOSED),
    Fault("a player closes", lambda: hosted(changed(facts(), CLOSED, seat="p1")), RULES, "E_ROLE", CLOSED),
    Fault("played on behind the end", lambda: hosted([*facts(), *(replace(fact, turn=99) for fact in facts()[PLAIN - 2 : PLAIN])]), RULES, "E_OUTCOME", SIZE + 1),
    Fault("a line told otherwise", lines, VIEWS, "E_OUTCOME", DRAWN, views(DescribedEvent(DRAWN, "Nothing happens."))),
    Fault("a line not told", lines, VIEWS, "E_OUTCOME", 2, views(DescribedEvent(1, first_line()), DescribedEvent(3, "{gm} sits down as gm."))),
    Fault("a line too many", lines, VIEWS, "E_OUTCOME", SIZE + 1, views(DescribedEvent(SIZE + 1, "A surprise."))),
    Fault("a count left out", lines, VIEWS, "E_OUTCOME", DRAWN, views(tallies=(TalliedEvent(DRAWN, ()),))),
]  # fmt: skip


SECRET = [
    Fault("another command opened", lambda: hosted(s.fields(OPENED, command=plain())), DRAWS, "E_BODY", OPENED),
    Fault("another salt of the command", lambda: hosted(s.fields(OPENED, salt="00" * 32)), DRAWS, "E_BODY", OPENED),
    Fault("another commitment to the command", lambda: hosted(s.fields(SECRET_DRAW, command_commitment="00" * 32)), DRAWS, "E_BODY", OPENED),
    Fault("another blind opened", lambda: hosted(s.fields(OPENED, blind="00" * 32)), DRAWS, "E_BLIND", OPENED),
    Fault("another blind declared", lambda: hosted(s.drawing(SECRET_DRAW, blind="00" * 32)), DRAWS, "E_BLIND", OPENED),
    Fault("a secret draw without a blind", lambda: hosted(s.drawing(SECRET_DRAW, blind=UNSET)), DRAWS, "E_BLIND", SECRET_DRAW),
    Fault("a blind where nothing is secret", lambda: hosted(LOG.drawing(DRAW, blind="00" * 32)), DRAWS, "E_BLIND", DRAW),
    Fault("a commitment where nothing is secret", lambda: hosted(LOG.changed(DRAW, command_commitment="00" * 32)), DRAWS, "E_FORMAT", DRAW),
    Fault("a wish without its command", lambda: hosted(LOG.changed(PLAIN - 1, command=UNSET)), DRAWS, "E_FORMAT", PLAIN - 1),
    Fault("other values opened", lambda: hosted(s.fields(OPENED, values=other_values())), DRAWS, "E_VALUES", OPENED),
    Fault("no values opened", lambda: hosted(s.fields(OPENED, values=())), DRAWS, "E_VALUES", OPENED),
    Fault("values shown of a secret draw", lambda: hosted(s.fields(SECRET_DRAW + 1, values=opened_values())), DRAWS, "E_VALUES", SECRET_DRAW + 1),
    Fault("half an opening", lambda: hosted(s.fields(OPENED, salt=UNSET)), DRAWS, "E_FORMAT", OPENED),
    Fault("an opening of nothing said", lambda: hosted(s.behind(OPENED, ("gm", SealOpened()))), DRAWS, "E_FORMAT", OPENED + 1),
    Fault("an opening of a draw that was not made", lambda: hosted(s.fields(OPENED, k=9)), DRAWS, "E_DRAW_INDEX", OPENED),
    Fault("an opening of a draw that is not secret", lambda: hosted(s.fields(OPENED, k=1)), DRAWS, "E_ORDER", OPENED),
    Fault("an opening of a turn that is not secret", lambda: hosted(s.fields(OPENED + 1, turn=s.turn(SETTLED))), DRAWS, "E_ORDER", OPENED + 1),
    Fault("a draw opened without its values", lambda: hosted(s.behind(SETTLED, ("gm", SealOpened(turn=s.turn(SECRET_DRAW))))), DRAWS, "E_ORDER", WHISPER_OPENED),
    Fault("a draw opened without its values, after a secret narration in its turn", lambda: hosted(s.behind(SECRET_FACT, WHISPERED, ("gm", SealOpened(turn=s.turn(SECRET_DRAW))), turn=s.turn(SECRET_DRAW))), DRAWS, "E_ORDER", SECRET_FACT + 2),
    Fault("a draw opened after a secret narration in its turn, and again", lambda: hosted(s.behind(SECRET_FACT, WHISPERED, ("gm", s.body(OPENED)), turn=s.turn(SECRET_DRAW))), DRAWS, "E_ORDER", OPENED + 2),
    Fault("a draw opened twice", lambda: hosted(s.behind(OPENED, ("gm", s.body(OPENED)))), DRAWS, "E_ORDER", OPENED + 1),
    Fault("a turn opened twice", lambda: hosted(s.behind(WHISPER_OPENED, ("p2", s.body(WHISPER_OPENED)))), DRAWS, "E_ORDER", WHISPER_OPENED + 1),
    Fault("an opening before the secret", lambda: hosted(s.behind(WHISPER - 1, ("p2", s.body(WHISPER_OPENED)))), DRAWS, "E_ORDER", WHISPER),
    Fault("opened by who may not", lambda: hosted(b.changed(s.facts(), OPENED, seat="p1")), RULES, "E_ROLE", OPENED),
    Fault("a whisper opened by who did not hear it", lambda: hosted(b.changed(s.facts(), WHISPER_OPENED, seat="p3")), RULES, "E_ROLE", WHISPER_OPENED),
    Fault("what nobody may read opened by a third seat", lambda: s.hidden(host(b.changed(s.facts(), WHISPER_OPENED, seat="p3")), WHISPER), RULES, "E_ROLE", WHISPER_OPENED),
    Fault("opened by the house", lambda: hosted(b.changed(s.facts(), OPENED, seat="house")), RULES, "E_ROLE", OPENED),
    Fault("another audience", lambda: hosted(s.fields(WHISPER, audience="blind")), RULES, "E_ROLE", WHISPER_OPENED),
    Fault("an audience without a GM", lambda: hosted([*s.facts()[:2], replace(s.facts()[WHISPER - 1], seat="house", turn=90), *s.facts()[2:PROMISE]]), RULES, "E_OUTCOME", 3),
    Fault("an aim of the future", lambda: hosted(s.fields(SECRET_DRAW, target=SECRET_DRAW)), RULES, "E_OUTCOME", SECRET_DRAW),
    Fault("a secret outcome that the wish does not give", lambda: hosted(s.fields(SECRET_FACT, **EXAMPLE.bent.drawn)), RULES, "E_OUTCOME", SECRET_FACT),
    Fault("a secret outcome of somebody else", lambda: hosted(s.fields(SECRET_FACT, entity="ana")), RULES, "E_OUTCOME", SECRET_FACT),
    Fault("a secret fact left out", lambda: hosted([*s.facts()[: SECRET_FACT - 1], *s.facts()[SEALED + 1 : OPENED]]), RULES, "E_OUTCOME", SECRET_FACT),
    Fault("a secret fact added", lambda: hosted(secret_fact_twice()), RULES, "E_OUTCOME", SEALED),
    Fault("a hidden fact added", lambda: s.hidden(host(secret_fact_twice()), SECRET_FACT, SEALED), RULES, "E_OUTCOME", SEALED),
    Fault("a hidden fact of another seat", lambda: s.hidden(host(b.changed(s.facts(), SECRET_FACT, seat="p2")), SECRET_FACT), RULES, "E_OUTCOME", SECRET_FACT),
    Fault("a sealed outcome that the wish does not give", lambda: hosted(s.fields(SEALED + 1, **EXAMPLE.bent.plain)), RULES, "E_OUTCOME", SEALED + 1),
    Fault("a secret wish of who may not", lambda: hosted([replace(fact, seat="house") if fact.version in (SECRET_DRAW, SECRET_FACT) else fact for fact in s.facts()]), RULES, "E_ROLE", SECRET_DRAW),
    Fault("a hidden wish of who is not here", lambda: s.hidden(host(s.in_turn(SEALED, "p9")), SEALED, SEALED + 1), RULES, "E_ROLE", SEALED),
    Fault("a hidden wish behind the end", lambda: s.hidden(host([*s.facts(), *(replace(fact, turn=99) for fact in s.facts()[LAST_SEALED - 1 : LAST_SEALED + 1])]), s.SIZE + 1, s.SIZE + 2), RULES, "E_OUTCOME", s.SIZE + 1),
    Fault("words without opening of who is not here", lambda: s.hidden(host(b.changed(s.facts(), WHISPER, seat="p9")), WHISPER), RULES, "E_ROLE", WHISPER),
    Fault("another's wish taken back", lambda: hosted(b.changed(s.facts(), TAKEN_BACK, seat="p2")), RULES, "E_LINEAGE", TAKEN_BACK),
    Fault("more than the last wish taken back", lambda: hosted(s.fields(TAKEN_BACK, to=PROMISE)), RULES, "E_LINEAGE", TAKEN_BACK),
    Fault("taken back what is settled", lambda: hosted(s.behind(SETTLED, ("p1", Rewound("oops", before_its_turn(SETTLED))))), RULES, "E_LINEAGE", WHISPER_OPENED),
    Fault("taken back where nobody may", lambda: hosted(s.fields(1, options=s.options(take_back=False))), RULES, "E_ROLE", TAKEN_BACK),
    Fault("seals left out of the count", lambda: hosted(s.fields(s.CLOSED, unopened={})), RULES, "E_OUTCOME", s.CLOSED),
    Fault("a seal of nobody counted", lambda: hosted(s.fields(s.CLOSED, unopened={"p1": 2, "p2": 0})), RULES, "E_OUTCOME", s.CLOSED),
    Fault("more seals counted than may be, behind one", lambda: s.hidden(host(s.fields(s.CLOSED, unopened={"p1": 3})), LAST_SEALED, LAST_SEALED + 1), RULES, "E_OUTCOME", s.CLOSED),
    Fault("more carried over than everyone sees", lambda: hosted(s.fields(s.CLOSED, carry={"luck": 3})), RULES, "E_OUTCOME", s.CLOSED),
]  # fmt: skip


FORKED = [
    Fault("a fork of a version to come", lambda: hosted(s.fields(s.FORK, version=s.CLOSED)), RULES, "E_LINEAGE", s.FORK),
    Fault("a fork inside a turn", lambda: hosted(s.fields(s.FORK, version=s.FORKED_AT - 1)), RULES, "E_LINEAGE", s.FORK),
    Fault("a fork of a secret", lambda: hosted(s.behind(s.FORK - 1, ("gm", Forked("00" * 16, s.LAST_DRAW + 2)))), RULES, "E_LINEAGE", s.FORK),
    Fault("a fork by who may not", lambda: hosted(b.changed(s.facts(), s.FORK, seat="house")), RULES, "E_ROLE", s.FORK),
    Fault("a table that nobody left", lambda: s.forked(1, parent=UNSET), RULES, "E_OUTCOME", 2),
    Fault("a fork without its table", lambda: s.of_child([s.child().facts[0], *s.child().facts[2:]]), RULES, "E_OUTCOME", 2),
    Fault("a table of no room here", lambda: s.forked(2, table=Raw(b'{"kings":3}')), BYTES, "E_FORMAT", 2),
    Fault("a table with more than one way to write it", lambda: s.forked(2, table=s.spaced_table()), BYTES, "E_NONCANONICAL", 2),
    Fault("another root of the parent", lambda: s.forked(1, parent=s.parent_of(root="00" * 32)), TREE, "E_ROOT", 1, s.known()),
    Fault("another version of the parent", lambda: s.forked(1, parent=s.parent_of(version=s.FORKED_AT - 2)), TREE, "E_ROOT", 1, s.known()),
    Fault("another parent", lambda: s.forked(1, parent=s.parent_of(session="00" * 16)), TREE, "E_SESSION", 1, s.known()),
    Fault("no fork, but a parent", lines, TREE, "E_SESSION", 1, s.known()),
    Fault("a parent too short", lambda: s.forked(4), TREE, "E_TRUNCATED", 1, s.known(s.facts()[: s.FORKED_AT - 2])),
    Fault("a parent that knows of no fork", lambda: s.forked(4), RULES, "E_LINEAGE", 1, s.known(s.facts()[: s.FORK - 1])),
    Fault("another fork in the parent", lambda: s.forked(4), RULES, "E_LINEAGE", 1, s.known(host(s.fields(s.FORK, child="00" * 16)))),
    Fault("another table than the parent's", lambda: s.forked(2, table=s.earlier_table()), RULES, "E_OUTCOME", 2, s.known()),
    Fault("a parent that was bent", lambda: s.forked(4), RULES, "E_OUTCOME", s.FORKED_AT - 2, s.known(host(s.fields(s.FORKED_AT - 2, **EXAMPLE.bent.brought)))),
]  # fmt: skip


ROWS = NO_KEY + LOG_KEY + EVERY_KEY + SECRET + FORKED
