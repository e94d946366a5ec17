"""The tamper table: what is bent, by whom, and the rung, code and version that must say so."""
# ruff: noqa: E501 a row is a line

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace as replaced
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec import UNSET, Raw
from msgspec.structs import replace

from domain.bundle import Entry, emit
from domain.codec import encode
from domain.decider import Role
from domain.fact import Fact
from domain.proof.chain import seed, value
from domain.proof.note import COSIGNATURE, vkey_text
from domain.rulesets.dhextiny.messages.events import Checked, EntityCreated, Settled
from domain.session.messages import (
    ChainAnchored,
    Closed,
    Declared,
    Draw,
    Drawn,
    Narrated,
    Opened,
    Rewound,
    SeatLeft,
    SeatNamed,
    SeatTaken,
)
from domain.session.telling import tell
from domain.verify import Known, Tallied, Told, Views
from domain.verify.meanings import FAILURES
from tests.domain import bending as b
from tests.domain.bending import STRANGER, bundle, changed, drawn, facts, find, host, lines, wish

Lines = list[bytes]
SIZE = len(facts())
BYTES, TREE, DRAWS, RULES, VIEWS = "bytes", "tree", "draws", "rules", "views"

NARRATED, CHECKED, SETTLED = find(Narrated), find(Checked), find(Settled)
DRAW = b.declared_with_draw(1)  # a check of the first chain
LAST_DRAW = b.declared_with_draw(4)
DICE = next(fact.version for fact in facts() if isinstance(fact.body, Declared) and fact.body.dice is not UNSET)
REWOUND, ROLLOVER, LEFT, CLOSED = find(Rewound), find(ChainAnchored), find(SeatLeft), find(Closed)


class Row(NamedTuple):
    what: str
    bent: Callable[[], Lines]
    rung: str
    code: str
    version: int
    known: Callable[[], Known] = Known


def text(version: int, old: bytes, new: bytes) -> Lines:
    """One line with other text, and nothing hashed anew."""
    given = lines()
    assert old in given[version]
    given[version] = given[version].replace(old, new)
    return given


def hosted(given: Sequence[Fact], sign: bool = True) -> Lines:
    """Everything hashed and signed anew."""
    return lines(host(given, sign))


def without(*versions: int) -> list[Fact]:
    return [fact for fact in facts() if fact.version not in versions]


def moved(version: int, behind: int) -> list[Fact]:
    """One event behind another one."""
    fact = facts()[version - 1]
    given = without(version)
    at = next(nth for nth, other in enumerate(given) if other.version == behind) + 1
    return [*given[:at], fact, *given[at:]]


def with_entries(edit: Callable[[list[Entry]], None]) -> Lines:
    entries = list(bundle().entries)
    edit(entries)
    return list(emit(b.resigned(replace(bundle(), entries=tuple(entries)))))


def unopened(*versions: int) -> Lines:
    """Without the openings of these events: the leaves stay."""
    entries = tuple(
        Entry(entry.leaf) if version in versions else entry for version, entry in enumerate(bundle().entries, 1)
    )
    return list(emit(replace(bundle(), entries=entries)))


def leaf_text(version: int, old: str, new: str) -> Lines:
    """A leaf that says something else, signed anew."""

    def edit(entries: list[Entry]) -> None:
        entry = entries[version - 1]
        assert old in entry.leaf
        entries[version - 1] = replace(entry, leaf=entry.leaf.replace(old, new))

    return with_entries(edit)


def body(version: int, old: bytes, new: bytes) -> Lines:
    return b.raw_body(version, lambda raw: raw.replace(old, new))


def noted(*notes: str) -> Lines:
    return list(emit(replace(bundle(), checkpoints=notes)))


def note_text(old: str, new: str) -> Lines:
    note = bundle().checkpoints[-1]
    assert old in note
    return noted(note.replace(old, new))


def manifest(**fields: str) -> Lines:
    return list(emit(replace(bundle(), manifest=replace(bundle().manifest, **fields))))


def declared(version: int, **fields: object) -> list[Fact]:
    return changed(facts(), version, replace(wish(version), **fields))


def draw(version: int, **fields: object) -> list[Fact]:
    known = wish(version).draw
    assert known is not UNSET
    return declared(version, draw=replace(known, **fields))


def contributed(given: Sequence[Fact], version: int, **fields: object) -> list[Fact]:
    known = given[version - 1].body
    assert isinstance(known, Drawn)
    return changed(given, version, replace(known, contributions=(replace(known.contributions[0], **fields),)))


def seeing(version: int, **fields: object) -> Lines:
    """A contribution made under another tree, and signed so."""
    given = contributed(facts(), version, **fields)
    known = given[version - 1].body
    assert isinstance(known, Drawn)
    request = b.tree.leaf_hash(b.leaf_of(given[version - 2])).hex()
    message = b.contribution_of(b.evening().id, known.k, request, known.contributions[0])
    return lines(contributed(given, version, signature=b.evening().house_key.sign(message).hex()))


def second_chain(**fields: object) -> Lines:
    known = facts()[ROLLOVER - 1].body
    assert isinstance(known, ChainAnchored)
    return hosted(changed(facts(), ROLLOVER, b.seat_signed(replace(known, **fields))))


def outcome(version: int, **fields: object) -> Lines:
    return hosted(changed(facts(), version, replace(facts()[version - 1].body, **fields)))


def one_value_more() -> list[Fact]:
    """A second value, as the seed has it, which nobody asked for."""
    known = drawn(DRAW + 1)
    given = known.contributions[0]
    seeded = seed(
        bytes.fromhex(b.evening().id), known.k, [("house", given.chain, given.position, bytes.fromhex(given.link))]
    )
    return changed(facts(), DRAW + 1, replace(known, values=(*known.values, (20, value(seeded, 1, 20)))))


def undrawn() -> list[Fact]:
    """The last draw, as if the rules had asked for none."""
    given = changed(facts(), LAST_DRAW, replace(wish(LAST_DRAW), draw=UNSET))
    return [fact for fact in given if fact.version != LAST_DRAW + 1]


def pinned(size: int, signer: b.Signer | None = None, other: bool = False) -> Callable[[], Known]:
    """A checkpoint that was kept: of this log, or of another one that the host showed."""

    def known() -> Known:
        shown = host(changed(facts(), NARRATED, Narrated("Nothing."))) if other else facts()
        return Known(checkpoints=(b.note_of(shown, size, signer),))

    return known


def views(*told: Told, tallies: tuple[Tallied, ...] = ()) -> Callable[[], Known]:
    return lambda: Known(views=Views(told, tallies))


def trusting(signer: b.Signer | None = None) -> Callable[[], Known]:
    return lambda: Known(key=b.vkey(signer))


def by_stranger() -> Lines:
    """The whole log as a stranger's own: key in the manifest, in Opened and under the checkpoints."""
    opened = facts()[0].body
    assert isinstance(opened, Opened)
    return list(emit(bundle(host(changed(facts(), 1, replace(opened, log_key=b.stranger_key()))), STRANGER)))


def by_witness() -> Lines:
    """The whole log under a key of the kind that only cosigns."""
    opened = facts()[0].body
    assert isinstance(opened, Opened)
    key = vkey_text(replaced(b.vkey(), kind=COSIGNATURE))
    return lines(host(changed(facts(), 1, replace(opened, log_key=key))))


def swapped(given: Lines, one: int, other: int) -> Lines:
    given[one], given[other] = given[other], given[one]
    return given


def swapped_openings(one: int, other: int) -> Lines:
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


def settle() -> Raw:
    return Raw(encode({"kind": "dhextiny.Settle", "entity": "ana"}))


def swapped_facts(one: int, other: int) -> list[Fact]:
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
    return tell(b.evening().room, facts()[0])


NO_KEY = [
    Row("edited text", lambda: text(NARRATED, b"noise", b"voice"), BYTES, "E_BODY", NARRATED),
    Row("edited die", lambda: text(CHECKED, b'"face":', b'"face":1'), BYTES, "E_BODY", CHECKED),
    Row("edited salt", lambda: text(5, b'"salt":"', b'"salt":"00'), BYTES, "E_FORMAT", 5),
    Row("another salt", lambda: text(5, facts()[4].salt.hex().encode(), b"00" * 32), BYTES, "E_BODY", 5),
    Row("another opening", lambda: swapped_openings(4, 6), BYTES, "E_BODY", 4),
    Row(
        "another seat in a leaf", lambda: text(NARRATED, rb'"seat\":\"p2', rb'"seat\":\"p1'), TREE, "E_ROOT", SIZE // 2
    ),
    Row("a removed line", lambda: lines()[:NARRATED] + lines()[NARRATED + 1 :], BYTES, "E_VERSION", NARRATED),
    Row("the first event removed", lambda: lines()[:1] + lines()[2:], BYTES, "E_VERSION", 1),
    Row("a doubled line", lambda: lines()[: NARRATED + 1] + lines()[NARRATED:], BYTES, "E_VERSION", NARRATED + 1),
    Row("swapped lines", lambda: swapped(lines(), NARRATED, NARRATED + 1), BYTES, "E_VERSION", NARRATED),
    Row("the end cut off", lambda: lines()[:40] + lines()[-1:], TREE, "E_TRUNCATED", 40),
    Row("the end cut off, a kept checkpoint", lambda: lines(facts()[:40]), TREE, "E_TRUNCATED", 41, pinned(45)),
    Row("no checkpoint", lambda: lines()[:-2], TREE, "E_UNSIGNED", 1),
    Row("a checkpoint of half", lambda: lines()[:-1], TREE, "E_UNSIGNED", SIZE // 2 + 1),
    Row("checkpoints in the wrong order", lambda: swapped(lines(), -2, -1), TREE, "E_UNSIGNED", SIZE // 2 + 1),
    Row("an event behind the checkpoints", lambda: [*lines(), lines()[5]], BYTES, "E_FORMAT", SIZE),
    Row("no manifest", lambda: lines()[1:], BYTES, "E_FORMAT", 0),
    Row("an empty file", lambda: [], BYTES, "E_FORMAT", 0),
    Row("no event", lambda: lines()[:1], BYTES, "E_FORMAT", 1),
    Row("an empty line", lambda: [*lines()[:5], b"\n", *lines()[5:]], BYTES, "E_FORMAT", 5),
    Row("no line end", lambda: [*lines()[:-1], lines()[-1][:-1]], BYTES, "E_NONCANONICAL", SIZE),
    Row("a space", lambda: text(5, b'"body":{', b'"body": {'), BYTES, "E_NONCANONICAL", 5),
    Row("a space in a leaf", lambda: text(5, rb"{\"at\":", rb"{ \"at\":"), BYTES, "E_NONCANONICAL", 5),
    Row("a doubled key", lambda: text(5, b'{"leaf":', b'{"leaf":"","leaf":'), BYTES, "E_NONCANONICAL", 5),
    Row("an unknown field", lambda: text(5, b'{"leaf":', b'{"fair":true,"leaf":'), BYTES, "E_FORMAT", 5),
    Row("bytes that are no text", lambda: text(NARRATED, b"noise", b"\xff\xfe"), BYTES, "E_FORMAT", NARRATED),
    Row("endless nesting", lambda: text(5, b'"body":{', b'"body":' + b"[" * 99_999), BYTES, "E_FORMAT", 5),
    Row("another size", lambda: note_text(f"\n{SIZE}\n", f"\n{SIZE - 1}\n"), TREE, "E_CHECKPOINT_SIG", SIZE - 1),
    Row("a size with a zero", lambda: note_text(f"\n{SIZE}\n", f"\n0{SIZE}\n"), TREE, "E_NOTE_FORMAT", SIZE),
    Row("another root", lambda: noted(other_root()), TREE, "E_CHECKPOINT_SIG", SIZE),
    Row("another signature", lambda: noted(other_signature()), TREE, "E_CHECKPOINT_SIG", SIZE),
    Row("another origin", lambda: note_text("test.example", "fair.example"), TREE, "E_UNTRUSTED_LOG", SIZE),
    Row("no signature", lambda: noted("no note\n"), TREE, "E_NOTE_FORMAT", SIZE),
    Row("signed by a stranger", lambda: noted(b.note_of(facts(), None, STRANGER)), TREE, "E_UNTRUSTED_LOG", SIZE),
    Row("all of it by a stranger, a trusted key", by_stranger, TREE, "E_UNTRUSTED_LOG", 1, trusting()),
    Row("a stranger's key trusted", lines, TREE, "E_UNTRUSTED_LOG", 1, trusting(STRANGER)),
    Row("a kept checkpoint by a stranger", lines, TREE, "E_UNTRUSTED_LOG", 30, pinned(30, STRANGER)),
    Row("another session in the manifest", lambda: manifest(session="00" * 16), BYTES, "E_SESSION", 0),
    Row("another origin in the manifest", lambda: manifest(origin="fair.example"), BYTES, "E_SESSION", 0),
    Row("no key in the manifest", lambda: manifest(log_key="none"), BYTES, "E_KEY", 0),
    Row("a stranger's key in the manifest", lambda: manifest(log_key=b.stranger_key()), BYTES, "E_FORMAT", 1),
    Row("another ruleset in the manifest", lambda: manifest(ruleset="chess"), BYTES, "E_FORMAT", 1),
    Row("another edition in the manifest", lambda: manifest(edition="2"), BYTES, "E_FORMAT", 1),
    Row("a later format in the manifest", lambda: text(0, b'"v":1', b'"v":2'), BYTES, "E_FORMAT", 0),
    Row("a version that is not open", lambda: unopened(1), BYTES, "E_FORMAT", 1),
    Row("a declaration hidden before its draw", lambda: unopened(DRAW), DRAWS, "E_ORDER", DRAW + 1),
    Row("a draw hidden", lambda: unopened(DRAW + 1), DRAWS, "E_ORDER", DRAW + 1),
    Row("the house's seat hidden", lambda: unopened(2), DRAWS, "E_ANCHOR", b.declared_with_draw()),
    Row("a rollover hidden", lambda: unopened(ROLLOVER), DRAWS, "E_ANCHOR", b.declared_with_draw(3)),
    Row("a player's seat hidden", lambda: unopened(5), RULES, "E_ROLE", 5),
]


LOG_KEY = [
    Row("a leaf of another session", lambda: leaf_text(9, b.evening().id, "00" * 16), BYTES, "E_SESSION", 9),
    Row("a leaf of another format", lambda: leaf_text(9, '"v":1', '"v":2'), BYTES, "E_FORMAT", 9),
    Row("a leaf of no seat", lambda: leaf_text(9, '"seat":"p3"', '"seat":"P3"'), BYTES, "E_FORMAT", 9),
    Row("a version left out", lambda: leaf_text(9, '"version":9', '"version":10'), BYTES, "E_VERSION", 9),
    Row("a turn left out", lambda: leaf_text(9, '"turn":6', '"turn":7'), BYTES, "E_TURN", 9),
    Row("a turn of the past", lambda: leaf_text(9, '"turn":6', '"turn":4'), BYTES, "E_TURN", 9),
    Row("a turn before the first", lambda: leaf_text(1, '"turn":1', '"turn":0'), BYTES, "E_TURN", 1),
    Row("a float", lambda: body(CHECKED, b'"start":0', b'"start":0.0'), BYTES, "E_FORMAT", CHECKED),
    Row("a null", lambda: body(NARRATED, b'"kind"', b'"about":null,"kind"'), BYTES, "E_FORMAT", NARRATED),
    Row("a number too large", lambda: body(NARRATED, b'{"k', b'{"about":9007199254740992,"k'), BYTES, "E_FORMAT", NARRATED),
    Row("an unknown field in a body", lambda: body(NARRATED, b'{"kind"', b'{"all":1,"kind"'), BYTES, "E_FORMAT", NARRATED),
    Row("an unknown kind", lambda: body(NARRATED, b"session.Narrated", b"session.Sung"), BYTES, "E_FORMAT", NARRATED),
    Row("an event of no room here", lambda: body(CHECKED, b"dhextiny.Checked", b"chess.Checked"), BYTES, "E_FORMAT", CHECKED),
    Row("a doubled key in a body", lambda: body(NARRATED, b'{"kind', b'{"text":"","kind'), BYTES, "E_NONCANONICAL", NARRATED),
    Row("keys in another order", lambda: b.raw_body(NARRATED, other_order), BYTES, "E_NONCANONICAL", NARRATED),
    Row("escaped letters", lambda: body(NARRATED, b"noise", rb"\u006eoise"), BYTES, "E_NONCANONICAL", NARRATED),
    Row("a wish with a space", lambda: body(DRAW, b'"command":{', b'"command":{ '), BYTES, "E_NONCANONICAL", DRAW),
    Row("a wish of no rule", lambda: body(DRAW, b"dhextiny.Check", b"dhextiny.Cheat"), BYTES, "E_FORMAT", DRAW),
    Row("a link with a line end", lambda: body(DRAW + 1, b'","position"', rb'\n","position"'), BYTES, "E_FORMAT", DRAW + 1),
    Row("a secret turn, which comes later", lambda: body(DRAW, b'{"command"', b'{"audience":"gm","command"'), BYTES, "E_FORMAT", DRAW),
    Row("opened twice", lambda: hosted([*facts(), replace(facts()[0], turn=99)]), BYTES, "E_FORMAT", SIZE + 1),
    Row("another log shown, the same version", lines, TREE, "E_SPLIT_VIEW", SIZE, pinned(SIZE, other=True)),
    Row("another log shown, another version", lines, TREE, "E_INCONSISTENT", 30, pinned(30, other=True)),
    Row("two roots of one version", lambda: noted(b.note_of(host(changed(facts(), NARRATED, Narrated("No.")))), b.note_of(facts())), TREE, "E_SPLIT_VIEW", SIZE),
    Row("the key of a witness for the log's", by_witness, TREE, "E_KEY", SIZE // 2),
    Row("a signed root of nothing", lambda: noted(b.note_of(host(changed(facts(), NARRATED, Narrated("No."))))), TREE, "E_ROOT", SIZE),
    Row("words before a draw changed", lambda: lines(changed(facts(), 4, SeatNamed("Gus", "gm"))), DRAWS, "E_FORK", 14),
    Row("a declaration changed behind its draw", lambda: lines(changed(facts(), DRAW, replace(wish(DRAW), command=settle()))), DRAWS, "E_SIGNATURE", DRAW + 1),
]  # fmt: skip


EVERY_KEY = [
    Row("a bent die", lambda: hosted(changed(facts(), DRAW + 1, replace(drawn(DRAW + 1), values=((6, 6),)))), DRAWS, "E_VALUES", DRAW + 1),
    Row("a die of no sides", lambda: hosted(changed(facts(), DRAW + 1, replace(drawn(DRAW + 1), values=((0, 0),)))), DRAWS, "E_VALUES", DRAW + 1),
    Row("no values", lambda: hosted(changed(facts(), DRAW + 1, replace(drawn(DRAW + 1), values=()))), DRAWS, "E_VALUES", DRAW + 1),
    Row("another link", lambda: hosted(contributed(facts(), DRAW + 1, link="ab" * 32)), DRAWS, "E_CHAIN", DRAW + 1),
    Row("the link before, again", lambda: hosted(contributed(facts(), DRAW + 1, link=drawn(14).contributions[0].link)), DRAWS, "E_CHAIN", DRAW + 1),
    Row("the next link at once", lambda: hosted(contributed(facts(), DRAW + 1, link=drawn(27).contributions[0].link)), DRAWS, "E_CHAIN", DRAW + 1),
    Row("a position skipped", lambda: hosted(draw(DRAW, contributors=(("house", 0, 3),))), DRAWS, "E_POSITION", DRAW),
    Row("a position used again", lambda: hosted(draw(DRAW, contributors=(("house", 0, 1),))), DRAWS, "E_POSITION", DRAW),
    Row("the old chain used on", lambda: hosted(draw(38, contributors=(("house", 0, 4),))), DRAWS, "E_POSITION", 38),
    Row("a position of another draw", lambda: hosted(contributed(facts(), DRAW + 1, position=3)), DRAWS, "E_POSITION", DRAW + 1),
    Row("a draw's number skipped", lambda: hosted(draw(DRAW, k=2)), DRAWS, "E_DRAW_INDEX", DRAW),
    Row("a draw's number used again", lambda: hosted(draw(DRAW, k=0)), DRAWS, "E_DRAW_INDEX", DRAW),
    Row("values of another draw", lambda: hosted(changed(facts(), DRAW + 1, replace(drawn(DRAW + 1), k=0))), DRAWS, "E_DRAW_INDEX", DRAW + 1),
    Row("a draw left out", lambda: hosted(without(DRAW, DRAW + 1, DRAW + 2, DRAW + 3, DRAW + 4)), DRAWS, "E_DRAW_INDEX", 21),
    Row("nobody contributes", lambda: hosted(draw(DRAW, contributors=())), DRAWS, "E_CONTRIBUTORS", DRAW),
    Row("a player said to contribute", lambda: hosted(draw(DRAW, contributors=(("house", 0, 2), ("p1", 0, 1)))), DRAWS, "E_CONTRIBUTORS", DRAW),
    Row("a player for the house", lambda: hosted(contributed(facts(), DRAW + 1, seat="p1")), DRAWS, "E_CONTRIBUTORS", DRAW + 1),
    Row("a draw without contributions", lambda: hosted(changed(facts(), DRAW + 1, replace(drawn(DRAW + 1), contributions=()))), DRAWS, "E_CONTRIBUTORS", DRAW + 1),
    Row("a contribution that nobody signed", lambda: lines(contributed(facts(), DRAW + 1, signature="00" * 64)), DRAWS, "E_SIGNATURE", DRAW + 1),
    Row("a contribution under another tree", lambda: seeing(DRAW + 1, seen_root="00" * 32), DRAWS, "E_FORK", DRAW + 1),
    Row("a contribution before its request", lambda: seeing(DRAW + 1, seen_size=DRAW - 1), DRAWS, "E_FORK", DRAW + 1),
    Row("a contribution from the future", lambda: seeing(DRAW + 1, seen_size=2**52), DRAWS, "E_FORK", DRAW + 1),
    Row("the anchor late", lambda: hosted(moved(2, behind=15)), DRAWS, "E_ANCHOR", 12),
    Row("no anchor", lambda: hosted(without(2)), DRAWS, "E_ANCHOR", 12),
    Row("the second anchor late", lambda: hosted(moved(ROLLOVER, behind=40)), DRAWS, "E_ANCHOR", 37),
    Row("an anchor used again", lambda: second_chain(anchor=first_seat().anchor), DRAWS, "E_ANCHOR", ROLLOVER),
    Row("the house seated twice", lambda: hosted([*facts(), replace(facts()[1], turn=99)]), DRAWS, "E_ANCHOR", SIZE + 1),
    Row("a chain of a player", lambda: second_chain(seat="p1"), DRAWS, "E_ANCHOR", ROLLOVER),
    Row("a chain's number again", lambda: second_chain(chain=0), DRAWS, "E_CHAIN", ROLLOVER),
    Row("an anchor that nobody signed", lambda: hosted(changed(facts(), 2, replace(first_seat(), signature="00" * 64))), DRAWS, "E_SIGNATURE", 2),
    Row("a shorter chain than signed", lambda: hosted(changed(facts(), 2, replace(first_seat(), length=2))), DRAWS, "E_SIGNATURE", 2),
    Row("a chain too short", lambda: hosted(changed(facts(), 2, b.seat_signed(replace(first_seat(), length=1)))), DRAWS, "E_POSITION", DRAW),
    Row("a player with a chain, which comes later", lambda: hosted(changed(facts(), 5, replace(first_seat(), seat="p1"))), DRAWS, "E_FORMAT", 5),
    Row("a table's draws, which come later", lambda: outcome(1, draws="table"), DRAWS, "E_FORMAT", 1),
    Row("a draw that nobody declared", lambda: hosted(declared(DRAW, draw=UNSET)), DRAWS, "E_ORDER", DRAW + 1),
    Row("a draw without its values", lambda: hosted(without(DRAW + 1)), DRAWS, "E_ORDER", DRAW + 1),
    Row("a draw's values twice", lambda: hosted([*facts()[: DRAW + 1], *facts()[DRAW:]]), DRAWS, "E_ORDER", DRAW + 2),
    Row("the end on a waiting draw", lambda: hosted(facts()[:LAST_DRAW]), DRAWS, "E_ORDER", LAST_DRAW + 1),
    Row("dice declared without values", lambda: hosted(declared(DICE, values=UNSET)), DRAWS, "E_FORMAT", DICE),
    Row("dice both declared and drawn", lambda: hosted(declared(DICE, draw=Draw((("house", 1, 1),), 3))), DRAWS, "E_FORMAT", DICE),
    Row("a value that nobody asked for", lambda: hosted(one_value_more()), RULES, "E_OUTCOME", DRAW + 1),
    Row("a wish without the draw it needs", lambda: hosted(undrawn()), RULES, "E_OUTCOME", LAST_DRAW),
    Row("another point", lambda: outcome(CHECKED, point=3), RULES, "E_OUTCOME", CHECKED),
    Row("another result", lambda: outcome(SETTLED, result="S"), RULES, "E_OUTCOME", SETTLED),
    Row("more points to start with", lambda: outcome(find(EntityCreated), ap=13), RULES, "E_OUTCOME", find(EntityCreated)),
    Row("a fact left out", lambda: hosted(without(CHECKED)), RULES, "E_OUTCOME", CHECKED),
    Row("a fact added", lambda: hosted([*facts()[:SETTLED], facts()[SETTLED - 1], *facts()[SETTLED:]]), RULES, "E_OUTCOME", SETTLED + 1),
    Row("a fact before its draw", lambda: hosted(swapped_facts(DRAW, DRAW + 1)), DRAWS, "E_ORDER", DRAW),
    Row("a fact before its wish", lambda: hosted(swapped_facts(SETTLED - 1, SETTLED)), RULES, "E_OUTCOME", SETTLED - 1),
    Row("a fact without a wish", lambda: hosted(without(SETTLED - 1)), RULES, "E_OUTCOME", SETTLED - 1),
    Row("a fact by another seat", lambda: hosted(changed(facts(), SETTLED, seat="p2")), RULES, "E_OUTCOME", SETTLED),
    Row("a frame's event in a room's turn", lambda: hosted([*facts()[:SETTLED], replace(facts()[NARRATED - 1], turn=12), *facts()[SETTLED:]]), RULES, "E_OUTCOME", SETTLED + 1),
    Row("a wish in another seat's name", lambda: hosted([replace(fact, seat="p2") if fact.turn == 12 else fact for fact in facts()]), RULES, "E_OUTCOME", SETTLED - 1),
    Row("a wish of who is not here", lambda: hosted(changed(facts(), SETTLED - 1, seat="p9")), RULES, "E_ROLE", SETTLED - 1),
    Row("a wish of the house", lambda: hosted(changed(facts(), SETTLED - 1, seat="house")), RULES, "E_ROLE", SETTLED - 1),
    Row("a wish that the rules refuse", lambda: hosted([*facts()[:SETTLED], *(replace(fact, turn=90) for fact in facts()[SETTLED - 2 : SETTLED]), *facts()[SETTLED:]]), RULES, "E_OUTCOME", SETTLED + 1),
    Row("a player's override", lambda: hosted([replace(fact, seat="p1") if fact.turn == 17 else fact for fact in facts()]), RULES, "E_ROLE", 32),
    Row("a face off the die", lambda: hosted(declared(DICE, values=((6, 7),))), RULES, "E_OUTCOME", DICE),
    Row("a die of more sides", lambda: hosted(declared(DICE, values=((8, 2),))), RULES, "E_OUTCOME", DICE),
    Row("faces too many", lambda: hosted(declared(DICE, values=((6, 2), (6, 2)))), RULES, "E_OUTCOME", DICE),
    Row("dice where none may be declared", lambda: outcome(1, options=drawn_only()), RULES, "E_OUTCOME", DICE),
    Row("an unknown option", lambda: outcome(1, options={"luck": True}), RULES, "E_OUTCOME", 1),
    Row("a player's rewind", lambda: hosted(changed(facts(), REWOUND, seat="p1")), RULES, "E_ROLE", REWOUND),
    Row("a rewind into a turn", lambda: outcome(REWOUND, to=DRAW), RULES, "E_LINEAGE", REWOUND),
    Row("a rewind to the present", lambda: outcome(REWOUND, to=REWOUND - 1), RULES, "E_LINEAGE", REWOUND),
    Row("a rewind into the future", lambda: outcome(REWOUND, to=REWOUND + 3), RULES, "E_LINEAGE", REWOUND),
    Row("a rewind before the beginning", lambda: outcome(REWOUND, to=-3), RULES, "E_FORMAT", REWOUND),
    Row("a rewind elsewhere", lambda: outcome(REWOUND, to=SETTLED), RULES, "E_OUTCOME", LAST_DRAW + 2),
    Row("a rewind left out", lambda: hosted(without(REWOUND)), RULES, "E_OUTCOME", LAST_DRAW + 1),
    Row("a seat taken for another", lambda: hosted(changed(facts(), 9, seat="p2")), RULES, "E_ROLE", 9),
    Row("a second GM", lambda: outcome(9, role=Role.GM), RULES, "E_ROLE", 9),
    Row("a seat taken twice", lambda: hosted([*facts()[:10], replace(facts()[8], turn=90), *facts()[10:]]), RULES, "E_OUTCOME", 11),
    Row("a seat of the house taken", lambda: hosted(changed(facts(), 9, SeatTaken(Role.HOUSE, "p3"))), RULES, "E_ROLE", 9),
    Row("a player opens", lambda: hosted(changed(facts(), 1, seat="p1")), RULES, "E_ROLE", 1),
    Row("who left speaks", lambda: hosted(changed(facts(), LEFT + 1, seat="p3")), RULES, "E_ROLE", LEFT + 1),
    Row("who left leaves again", lambda: outcome(LEFT, nth=2), RULES, "E_OUTCOME", LEFT),
    Row("a player sends another away", lambda: hosted(changed(facts(), LEFT, seat="p1")), RULES, "E_ROLE", LEFT),
    Row("a control character", lambda: outcome(NARRATED, text="\x1b[2J"), RULES, "E_FORMAT", NARRATED),
    Row("words without end", lambda: outcome(NARRATED, text="a" * 5000), RULES, "E_FORMAT", NARRATED),
    Row("words about the future", lambda: outcome(NARRATED, about=SIZE), RULES, "E_OUTCOME", NARRATED),
    Row("another point carried over", lambda: outcome(CLOSED, carry={"point": 3}), RULES, "E_OUTCOME", CLOSED),
    Row("a player closes", lambda: hosted(changed(facts(), CLOSED, seat="p1")), RULES, "E_ROLE", CLOSED),
    Row("played on behind the end", lambda: hosted([*facts(), *(replace(fact, turn=99) for fact in facts()[46:48])]), RULES, "E_OUTCOME", SIZE + 1),
    Row("a line told otherwise", lines, VIEWS, "E_OUTCOME", CHECKED, views(Told(CHECKED, "Nothing happens."))),
    Row("a line not told", lines, VIEWS, "E_OUTCOME", 2, views(Told(1, first_line()), Told(3, "{gm} sits down as gm."))),
    Row("a line too many", lines, VIEWS, "E_OUTCOME", SIZE + 1, views(Told(SIZE + 1, "A surprise."))),
    Row("a count left out", lines, VIEWS, "E_OUTCOME", CHECKED, views(tallies=(Tallied(CHECKED, ()),))),
]  # fmt: skip


@pytest.mark.parametrize("row", NO_KEY + LOG_KEY + EVERY_KEY, ids=lambda row: row.what)
def test_whatever_is_bent_is_named(row: Row) -> None:
    found = b.check(row.bent(), row.known()).failure
    assert found is not None
    assert (found.rung, found.code, found.version) == (row.rung, row.code, row.version), found


def test_every_code_that_a_file_can_cause_is_caught_once() -> None:
    caught = {row.code for row in NO_KEY + LOG_KEY + EVERY_KEY}
    assert caught == set(FAILURES)


def test_the_page_of_the_format_says_on_which_rungs() -> None:
    caught: dict[str, set[str]] = {}
    for row in NO_KEY + LOG_KEY + EVERY_KEY:
        caught.setdefault(row.rung, set()).add(row.code)
    page = (Path(__file__).parents[2] / "docs" / "log-format.md").read_text()
    rows = re.findall(r"^\| (\w+) \| [^|]+ \| ((?:`E_\w+` ?)+) \|$", page, re.MULTILINE)
    assert {rung: set(codes.replace("`", "").split()) for rung, codes in rows} == caught
