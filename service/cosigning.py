"""Checkpoints that seats cosign: taken in where they hold, the newest of each key kept, shown below checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from domain.decider import Refused
from domain.proof import Broken, note
from domain.proof.note import COSIGNATURE, Checkpoint, Vkey
from domain.session.draws import Head
from service import sources
from service.bootstrap import App
from service.ed25519 import verify as ed25519
from service.storage.proofs import COSIGN

MOST_KEYS = 4  # of one seat
AHEAD = 3600  # seconds that a clock may be fast


class Cosigned(NamedTuple):
    """The newest checkpoint that a key cosigned for a seat, at POSIX seconds, and its line below the checkpoint."""

    seat: str
    vkey: str
    size: int
    at: int
    line: str


def key_name(origin: str, seat: str) -> str:
    """How the key of a seat that cosigns is named."""
    return f"{origin}/w/{seat}"


def cosigned(app: App, session: str) -> list[Cosigned]:
    """The newest of every key, by seat, its newest key first."""
    statement = "SELECT seat, vkey, size, at, line FROM cosignatures WHERE session=? ORDER BY seat, size DESC, at DESC, vkey"
    return [Cosigned(*row) for row in app.recorder.query(statement, (session,))]


def newest(app: App, session: str) -> list[Cosigned]:
    """The newest of every seat."""
    by_seat: dict[str, Cosigned] = {}
    for each in cosigned(app, session):
        by_seat.setdefault(each.seat, each)
    return list(by_seat.values())


def take(app: App, head: Head, seat: str, vkey: str, text: str) -> Cosigned:
    """Keeps a seat's cosignature of a checkpoint of this session. Raises Refused."""
    session, key = head.session.id, _key(head, seat, vkey)
    checkpoint = _checkpoint(app, head, text)
    line, seconds = _line(text, key)
    if seconds > sources.now() + AHEAD:
        raise Refused("cosigned-ahead", at=seconds)
    taken = Cosigned(seat, vkey, checkpoint.size, seconds, line)
    _expect_newer(taken, [each for each in cosigned(app, session) if each.seat == seat])
    app.recorder.write((COSIGN, [(session, *taken)]))
    return taken


def _key(head: Head, seat: str, text: str) -> Vkey:
    try:
        key = note.parse_vkey(text)
    except Broken as broken:
        raise Refused("cosigner-key", expected=broken.expected) from None
    if key.kind != COSIGNATURE:
        raise Refused("cosigner-key", expected="type 4")
    name = key_name(note.parse_vkey(head.session.frame.log_key).name, seat)
    if key.name != name:
        raise Refused("cosigner-name", expected=name)
    return key


def _checkpoint(app: App, head: Head, text: str) -> Checkpoint:
    """The checkpoint of a note, where it is one of this log."""
    try:
        checkpoint = note.parse_checkpoint(note.parse_note(text).text)
    except Broken as broken:
        raise Refused("not-a-checkpoint", expected=broken.expected) from None
    origin, version = note.parse_vkey(head.session.frame.log_key).name, head.session.version
    if checkpoint.origin != origin:
        raise Refused("other-log", origin=origin)
    if checkpoint.size > version:
        raise Refused("other-log", version=version)
    if app.trees.at(head.session.id, checkpoint.size).root(checkpoint.size) != checkpoint.root:
        raise Refused("other-log", size=checkpoint.size)
    return checkpoint


def _line(text: str, key: Vkey) -> tuple[str, int]:
    """The key's newest line below the note, and its time. Lines of other keys are none of its business."""
    try:
        seconds = note.cosigned_at(text, key, ed25519)
    except Broken:
        raise Refused("cosignature-bad") from None
    if seconds is None:
        raise Refused("cosignature-missing", key=key.name)
    lines = (line for line in note.signatures_by(note.parse_note(text), key))
    return next(note.signature_line(line) for line in lines if _time(line) == seconds), seconds


def _time(line: note.Signature) -> int:
    return int.from_bytes(line.payload[:8], "big")


def _expect_newer(taken: Cosigned, known: Sequence[Cosigned]) -> None:
    others = [each for each in known if each.vkey != taken.vkey]
    if len(others) >= MOST_KEYS:
        raise Refused("too-many-keys", most=MOST_KEYS)
    for each in known:
        if each.vkey == taken.vkey and (each.size, each.at) > (taken.size, taken.at):
            raise Refused("cosigned-later", size=each.size, at=each.at)
