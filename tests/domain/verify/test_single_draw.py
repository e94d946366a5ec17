"""The proof of one roll: every draw of any evening gives one, it says what the log says, and no byte of it bends."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, Raw
from msgspec.structs import replace

from domain.codec import encode
from domain.log_file import EventOpening
from domain.proof import merkle_tree, signed_note
from domain.recorded_event import commitment, leaf, leaf_of
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.messages import (
    EVENTS,
    Declared,
    Drawn,
    DrawVoided,
    LogFormat,
    OpenSeal,
    SealOpened,
    SeatTaken,
)
from domain.verify.single_draw import ProvedEvent, RollFile, RollReport, SeenSize, verify_roll
from service.platform.ed25519 import verify as ed25519
from tests.domain import broken_logs as b
from tests.domain.receipts import proofs
from tests.domain.secret_sessions import intrigue
from tests.golden.play import Play
from tests.golden.table import TablePlay
from tests.support.example import EXAMPLE, to_draw
from tests.support.scale import SCALED_RULESETS
from tests.support.sessions import ScriptedSession, TableSession, play_table, wish_of

ENTROPY = "a1" * 32
MOST = 64 << 10
"""Bytes of a proof at a table of four."""
every_ruleset = pytest.mark.parametrize(
    "ruleset", SCALED_RULESETS, ids=lambda ruleset: ruleset.name
)


def holds(evening: ScriptedSession) -> list[RollReport]:
    """Every draw's proof holds, and says what the log says."""
    rolls, openings = (
        list[RollReport](),
        {f.body.k: f.body for f in evening.facts if isinstance(f.body, SealOpened)},
    )
    for whole in (True, False):
        for declared, end, raw in proofs(evening, whole=whole):
            roll = verify_roll(raw, ed25519, signed_note.parse_vkey(evening.session.info.log_key))
            assert roll.failure is None
            assert (roll.version, roll.seat, roll.session) == (
                end.version,
                declared.seat,
                evening.id,
            )
            assert len(raw) < MOST
            if isinstance(end.body, DrawVoided):
                assert roll.missing == end.body.missing
            else:
                assert isinstance(end.body, Drawn)
                opened = openings[roll.k].values if roll.k in openings else UNSET
                assert roll.values == (end.body.values or opened)
                assert roll.told
            rolls.append(roll)
    return rolls


@every_ruleset
def test_every_draw_of_a_golden_evening_is_proved(ruleset: AnyRuleset) -> None:
    assert {roll.grade for roll in holds(Play(ruleset).evening)} == {"C"}


@pytest.mark.parametrize(
    ("log_format", "grades"), [(1, {"C", "B or better"}), (2, {"B", "C", "B or better"})]
)
def test_every_draw_of_the_golden_table_is_proved(log_format: LogFormat, grades: set[str]) -> None:
    evening = TablePlay(RULESETS[0], log_format=log_format).evening
    assert {roll.grade for roll in holds(evening) if roll.grade} == grades


@every_ruleset
def test_every_draw_of_a_random_table_is_proved(ruleset: AnyRuleset) -> None:
    log_format: LogFormat = 2 if SCALED_RULESETS.index(ruleset) % 2 else 1
    holds(play_table(ruleset, seed=3, turns=50, log_format=log_format))


def test_a_roll_that_others_gave_to_is_b_or_better() -> None:
    assert {
        roll.grade for roll in holds(play_table(RULESETS[0], seed=3, turns=50)) if roll.values
    } >= {"B or better"}


@pytest.mark.parametrize("seed", range(2))
def test_secrets_are_proved_as_far_as_they_are_open(seed: int) -> None:
    holds(intrigue(RULESETS[0], seed, 150))


@cache
def table(log_format: LogFormat = 1) -> TableSession:
    """A roll that was given up, and a secret one that was opened; in format 2, that one has entropy."""
    played = TableSession(7, log_format=log_format)
    played.do("p1", EXAMPLE.bring)
    for seat, command in to_draw()[:-1]:
        played.do(seat, command)
    played.ask("p1", wish_of(EXAMPLE.draw), silent=("p2",))
    secret = wish_of(EXAMPLE.draw, "self")
    played.ask("p1", secret if log_format == 1 else replace(secret, entropy=ENTROPY))
    played.do("p1", OpenSeal(played.session.turn))
    return played


@cache
def drawn(log_format: LogFormat = 1) -> RollFile:
    """The secret roll, opened: everything that a proof may hold."""
    *_, (_, _, raw) = proofs(table(log_format))
    return msgspec.json.decode(raw, type=RollFile)


@cache
def voided() -> RollFile:
    (_, _, raw), *_ = proofs(table())
    return msgspec.json.decode(raw, type=RollFile)


def check(file: RollFile) -> RollReport:
    return verify_roll(msgspec.json.encode(file), ed25519)


def test_what_is_bent_below_holds_as_it_is() -> None:
    assert check(drawn()).failure is None
    assert check(drawn(2)).failure is None
    assert check(voided()).failure is None
    assert check(voided()).missing == ("p2",)


def at(file: RollFile, kind: type) -> int:
    """The place among the entries of the first event of a kind."""
    name = str(kind.__struct_config__.tag)
    return next(
        nth
        for nth, entry in enumerate(file.entries)
        if entry.opening and msgspec.json.decode(entry.opening.body)["kind"] == name
    )


def entries(file: RollFile, nth: int, *new: ProvedEvent) -> RollFile:
    """The file with other entries in place of one."""
    return replace(file, entries=(*file.entries[:nth], *new, *file.entries[nth + 1 :]))


def resigned(file: RollFile) -> RollFile:
    """As a host signs it that has the log's key: the bent entries among the others of the evening."""
    evening = table(file.manifest.v)
    signer, size = evening.log_key, len(evening.facts)
    leaves = {fact.version: merkle_tree.leaf_hash(leaf_of(fact)) for fact in evening.facts}
    leaves |= {entry.version: merkle_tree.leaf_hash(entry.leaf.encode()) for entry in file.entries}
    nodes = merkle_tree.GrowingTree()
    nodes.extend(leaves[version] for version in range(1, size + 1))
    signed = signed_note.sign_checkpoint(
        evening.origin, size, nodes.root(size), signer.public, signer.sign
    )
    bent = tuple(
        replace(
            entry, inclusion=tuple(node.hex() for node in nodes.inclusion(entry.version - 1, size))
        )
        for entry in file.entries
    )
    sizes = {each.size: nodes.consistency(each.size, size) for each in file.seen}
    seen = tuple(
        SeenSize(tuple(node.hex() for node in proof), each) for each, proof in sizes.items()
    )
    return replace(file, checkpoint=signed, entries=bent, seen=seen)


def rewritten(
    file: RollFile, kind: type, edit: Callable[[dict[str, Any]], object], **of_leaf: Any
) -> RollFile:
    """Another body for the first event of a kind, committed to and signed by the host."""
    nth = at(file, kind)
    entry = file.entries[nth]
    assert entry.opening is not UNSET
    told, body = msgspec.json.decode(entry.leaf), msgspec.json.decode(entry.opening.body)
    edit(body)
    raw = encode(body)
    told |= {"body": commitment(bytes.fromhex(entry.opening.salt), raw).hex(), **of_leaf}
    text = leaf(
        told["session"], told["version"], told["turn"], told["at"], told["seat"], told["body"]
    ).decode()
    return resigned(
        entries(
            file, nth, replace(entry, leaf=text, opening=EventOpening(Raw(raw), entry.opening.salt))
        )
    )


def first(body: dict[str, Any], **changed: object) -> None:
    body["contributions"][0] |= changed


def another_opening(file: RollFile) -> RollFile:
    nth = at(file, Drawn)
    entry = file.entries[nth]
    assert entry.opening is not UNSET
    return entries(file, nth, replace(entry, opening=replace(entry.opening, salt="00" * 32)))


def with_facts_behind_a_void() -> RollFile:
    """The void of the evening, and in its turn an event of the room, with the host's signature over both."""
    file = voided()
    last = max(file.entries, key=lambda entry: entry.version)
    told, salt = msgspec.json.decode(last.leaf), "11" * 32
    raw = next(fact.raw for fact in table().facts if not isinstance(fact.body, EVENTS))
    body = commitment(bytes.fromhex(salt), raw).hex()
    version = last.version + 1
    text = leaf(told["session"], version, told["turn"], told["at"], "p1", body).decode()
    added = ProvedEvent(
        inclusion=(), leaf=text, opening=EventOpening(Raw(raw), salt), version=version
    )
    return resigned(replace(file, entries=(*file.entries, added)))


def without(file: RollFile, kind: type) -> RollFile:
    return entries(file, at(file, kind))


TAMPERED: list[tuple[str, Callable[[], RollFile], str]] = [
    (
        "another checkpoint's signature",
        lambda: replace(drawn(), checkpoint=drawn().checkpoint.replace("\n", "\n1", 1)),
        "E_CHECKPOINT_SIG",
    ),
    (
        "a proof cut short",
        lambda: entries(
            drawn(), 0, replace(drawn().entries[0], inclusion=drawn().entries[0].inclusion[1:])
        ),
        "E_INCLUSION",
    ),
    (
        "an edited leaf",
        lambda: entries(
            drawn(),
            1,
            replace(drawn().entries[1], leaf=drawn().entries[1].leaf.replace('"at":1', '"at":2')),
        ),
        "E_INCLUSION",
    ),
    ("another salt", lambda: another_opening(drawn()), "E_BODY"),
    ("entries out of order", lambda: replace(drawn(), entries=drawn().entries[::-1]), "E_VERSION"),
    (
        "an entry of another version",
        lambda: entries(drawn(), 1, replace(drawn().entries[1], version=5)),
        "E_VERSION",
    ),
    (
        "another session in the manifest",
        lambda: replace(drawn(), manifest=replace(drawn().manifest, session="00" * 16)),
        "E_SESSION",
    ),
    (
        "another edition in the manifest",
        lambda: replace(drawn(), manifest=replace(drawn().manifest, edition="1")),
        "E_FORMAT",
    ),
    ("no first event", lambda: replace(drawn(), entries=drawn().entries[1:]), "E_FORMAT"),
    ("no anchor", lambda: entries(drawn(), 2), "E_ANCHOR"),
    ("facts behind a void", with_facts_behind_a_void, "E_OUTCOME"),
    ("no declaration", lambda: without(drawn(), Declared), "E_ORDER"),
    ("no end", lambda: without(drawn(), Drawn), "E_ORDER"),
    ("no proof of what was seen", lambda: replace(drawn(), seen=()), "E_FORK"),
    ("another draw", lambda: replace(drawn(), k=0), "E_DRAW_INDEX"),
    (
        "another index at the end",
        lambda: rewritten(drawn(), Drawn, lambda body: body.update(k=9)),
        "E_DRAW_INDEX",
    ),
    (
        "another turn at the end",
        lambda: rewritten(drawn(), Drawn, lambda body: None, turn=1),
        "E_TURN",
    ),
    (
        "a link of nobody",
        lambda: rewritten(drawn(), Drawn, lambda body: first(body, link="00" * 32)),
        "E_CHAIN",
    ),
    (
        "another position",
        lambda: rewritten(drawn(), Drawn, lambda body: first(body, position=9)),
        "E_POSITION",
    ),
    (
        "a position beyond the chain",
        lambda: rewritten(
            drawn(), Declared, lambda body: body["draw"]["contributors"][0].__setitem__(2, 10**6)
        ),
        "E_POSITION",
    ),
    (
        "a seat's link left out",
        lambda: rewritten(drawn(), Drawn, lambda body: body["contributions"].pop()),
        "E_CONTRIBUTORS",
    ),
    (
        "a contributor twice",
        lambda: rewritten(
            drawn(),
            Declared,
            lambda body: body["draw"]["contributors"].append(body["draw"]["contributors"][0]),
        ),
        "E_CONTRIBUTORS",
    ),
    (
        "another seat's signature",
        lambda: rewritten(
            drawn(),
            Drawn,
            lambda body: first(body, signature=body["contributions"][1]["signature"]),
        ),
        "E_SIGNATURE",
    ),
    (
        "another declaration",
        lambda: rewritten(drawn(), Declared, lambda body: body.update(target=1)),
        "E_SIGNATURE",
    ),
    (
        "seen before it was asked",
        lambda: rewritten(drawn(), Drawn, lambda body: first(body, seen_size=1)),
        "E_SIGNATURE",
    ),
    (
        "values in a secret draw",
        lambda: rewritten(drawn(), Drawn, lambda body: body.update(values=[[6, 1]])),
        "E_VALUES",
    ),
    (
        "other values when opened",
        lambda: rewritten(drawn(), SealOpened, other_face),
        "E_VALUES",
    ),
    (
        "another blind when opened",
        lambda: rewritten(drawn(), SealOpened, lambda body: body.update(blind="00" * 32)),
        "E_BLIND",
    ),
    (
        "another salt when opened",
        lambda: rewritten(drawn(), SealOpened, lambda body: body.update(salt="00" * 32)),
        "E_BODY",
    ),
    (
        "nobody missing",
        lambda: rewritten(voided(), DrawVoided, lambda body: body.update(missing=[])),
        "E_CONTRIBUTORS",
    ),
    (
        "another one missing",
        lambda: rewritten(voided(), DrawVoided, lambda body: body.update(missing=["p3"])),
        "E_CONTRIBUTORS",
    ),
]


def drawn_otherwise(log_format: LogFormat = 2, **fields: object) -> RollFile:
    """The roll with other fields in Drawn; None leaves one out."""

    def edit(body: dict[str, Any]) -> None:
        body.update(fields)
        for name in [name for name, value in body.items() if value is None]:
            del body[name]

    return rewritten(drawn(log_format), Drawn, edit)


def other_face(body: dict[str, Any]) -> None:
    sides, face = body["values"][0]
    body["values"][0] = [sides, 1 + face % sides]


def without_entropy(body: dict[str, Any]) -> None:
    del body["draw"]["entropy"]


TAMPERED += [
    ("a manifest of format 1", lambda: replace(drawn(2), manifest=replace(drawn(2).manifest, v=1)), "E_FORMAT"),
    ("a manifest of format 2", lambda: replace(drawn(), manifest=replace(drawn().manifest, v=2)), "E_FORMAT"),
    ("entropy in format 1", lambda: drawn_otherwise(1, entropy=ENTROPY), "E_FORMAT"),
    ("other entropy at the end", lambda: drawn_otherwise(entropy="00" * 32), "E_VALUES"),
    ("no entropy at the end", lambda: drawn_otherwise(entropy=None), "E_VALUES"),
    ("no entropy declared", lambda: rewritten(drawn(2), Declared, without_entropy), "E_SIGNATURE"),
    ("other values with entropy when opened", lambda: rewritten(drawn(2), SealOpened, other_face), "E_VALUES"),
    ("a chain of the server with 255 links", lambda: rewritten(drawn(2), SeatTaken, lambda body: body.update(length=255)), "E_ANCHOR"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("bend", "code"), [case[1:] for case in TAMPERED], ids=[case[0] for case in TAMPERED]
)
def test_what_is_bent_is_caught(bend: Callable[[], RollFile], code: str) -> None:
    failure = check(bend()).failure
    assert failure is not None
    assert failure.code == code


def test_a_key_that_is_pinned_must_be_the_logs() -> None:
    failure = verify_roll(
        msgspec.json.encode(drawn()), ed25519, signed_note.parse_vkey(b.stranger_key())
    ).failure
    assert failure is not None
    assert failure.code == "E_UNTRUSTED_LOG"


UNREADABLE = [
    (b"", "E_FORMAT"),
    (b"[" * 10_000, "E_FORMAT"),
    (b"{}", "E_FORMAT"),
    (b" " * (2 << 20), "E_FORMAT"),
]


@pytest.mark.parametrize(
    ("raw", "code"), [*UNREADABLE, (msgspec.json.encode(drawn()) + b" \n", "E_NONCANONICAL")]
)
def test_what_no_server_writes_is_not_read(raw: bytes, code: str) -> None:
    failure = verify_roll(raw, ed25519).failure
    assert failure is not None
    assert failure.code == code


@pytest.mark.parametrize("nth", range(0, 6000, 97))
def test_no_byte_can_be_turned(nth: int) -> None:
    """Whatever byte is another one, the check says so, and never raises."""
    raw = bytearray(msgspec.json.encode(drawn()))
    raw[nth % len(raw)] ^= 1
    assert verify_roll(bytes(raw), ed25519).failure is not None
