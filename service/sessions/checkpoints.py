"""Session checkpoints: signing them, storing seats' cosignatures, and exporting signed logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from domain.decider import Refused
from domain.log_file import Manifest, write
from domain.proof import ProofError, merkle_tree, signed_note
from domain.proof.signed_note import COSIGNATURE, Checkpoint, Vkey
from domain.recorded_event import RecordedEvent
from domain.session.state import SessionInfo
from domain.session.turns import Head
from domain.visibility import Viewer, is_visible
from service.platform import clock
from service.platform.ed25519 import verify as ed25519
from service.sessions.app import App
from service.store.schema import COSIGNATURES_UPSERT

MAX_KEYS_PER_SEAT = 4
MAX_CLOCK_SKEW_SECONDS = 3600


class SeatCosignature(NamedTuple):
    """The newest cosignature made with one of a seat's keys.

    `size` is the size of the cosigned checkpoint, `at` is the time in POSIX seconds, and `line` is
    the signature line in the note.
    """

    seat: str
    vkey: str
    size: int
    at: int
    line: str


def cosigner_key_name(origin: str, seat: str) -> str:
    return f"{origin}/w/{seat}"


def cosignatures(app: App, session: str) -> list[SeatCosignature]:
    """Return the newest cosignature made with each key, grouped by seat.

    Within a group, cosignatures on larger checkpoints come first.
    """
    statement = (
        "SELECT seat, vkey, size, at, line FROM cosignatures"
        " WHERE session=? ORDER BY seat, size DESC, at DESC, vkey"
    )
    return [SeatCosignature(*row) for row in app.recorder.query(statement, (session,))]


def newest_cosignatures(app: App, session: str) -> list[SeatCosignature]:
    by_seat: dict[str, SeatCosignature] = {}
    for each in cosignatures(app, session):
        by_seat.setdefault(each.seat, each)
    return list(by_seat.values())


def store_cosignature(app: App, head: Head, seat: str, vkey: str, text: str) -> SeatCosignature:
    """Verify and store a seat's cosignature on a checkpoint of this session.

    `text` is the cosigned checkpoint as a signed note, and `vkey` is the seat's public key. Raises
    Refused if the note, the key or the cosignature is not acceptable.
    """
    session, key = head.session.id, _parse_cosigner_key(head, seat, vkey)
    checkpoint = _parse_own_checkpoint(app, head, text)
    line, seconds = _verified_line(text, key)
    if seconds > clock.now() + MAX_CLOCK_SKEW_SECONDS:
        raise Refused("cosigned-ahead", at=seconds)
    taken = SeatCosignature(seat, vkey, checkpoint.size, seconds, line)
    _check_newer(taken, [each for each in cosignatures(app, session) if each.seat == seat])
    app.recorder.write((COSIGNATURES_UPSERT, [(session, *taken)]))
    return taken


def _parse_cosigner_key(head: Head, seat: str, text: str) -> Vkey:
    try:
        key = signed_note.parse_vkey(text)
    except ProofError as broken:
        raise Refused("cosigner-key", expected=broken.expected) from None
    if key.kind != COSIGNATURE:
        raise Refused("cosigner-key", expected="type 4")
    name = cosigner_key_name(signed_note.parse_vkey(head.session.info.log_key).name, seat)
    if key.name != name:
        raise Refused("cosigner-name", expected=name)
    return key


def _parse_own_checkpoint(app: App, head: Head, text: str) -> Checkpoint:
    """Return the checkpoint in the note `text` if it matches this session's log.

    Raises Refused if it does not.
    """
    try:
        checkpoint = signed_note.parse_checkpoint(signed_note.parse_note(text).text)
    except ProofError as broken:
        raise Refused("not-a-checkpoint", expected=broken.expected) from None
    origin, version = signed_note.parse_vkey(head.session.info.log_key).name, head.session.version
    if checkpoint.origin != origin:
        raise Refused("other-log", origin=origin)
    if checkpoint.size > version:
        raise Refused("other-log", version=version)
    if app.trees.at(head.session.id, checkpoint.size).root(checkpoint.size) != checkpoint.root:
        raise Refused("other-log", size=checkpoint.size)
    return checkpoint


def _verified_line(text: str, key: Vkey) -> tuple[str, int]:
    """Return the newest signature line made with `key`, and its time in POSIX seconds.

    Lines signed with other keys are ignored. Raises Refused if there is no such line or its
    signature is invalid.
    """
    try:
        seconds = signed_note.cosignature_time(text, key, ed25519)
    except ProofError:
        raise Refused("cosignature-bad") from None
    if seconds is None:
        raise Refused("cosignature-missing", key=key.name)
    lines = (line for line in signed_note.signatures_by(signed_note.parse_note(text), key))
    return next(
        signed_note.signature_line(line) for line in lines if _cosigned_at(line) == seconds
    ), seconds


def _cosigned_at(line: signed_note.Signature) -> int:
    return int.from_bytes(line.payload[:8], "big")


def _check_newer(taken: SeatCosignature, known: Sequence[SeatCosignature]) -> None:
    others = [each for each in known if each.vkey != taken.vkey]
    if len(others) >= MAX_KEYS_PER_SEAT:
        raise Refused("too-many-keys", most=MAX_KEYS_PER_SEAT)
    for each in known:
        if each.vkey == taken.vkey and (each.size, each.at) > (taken.size, taken.at):
            raise Refused("cosigned-later", size=each.size, at=each.at)


IMPORTED_CHECKPOINTS = "notes"
"""The name of the row in the `secrets` table that stores an imported session's checkpoints."""
PAGE_EVENTS = 1000


class ForeignLogKeyError(Exception):
    """This server cannot provide the checkpoint.

    It does not have the log's key, and no checkpoint of the requested size was imported with the
    session.
    """


def log_origin(info: SessionInfo) -> str:
    return signed_note.parse_vkey(info.log_key).name


def imported_checkpoints(app: App, session: str) -> list[str]:
    """Return the checkpoints imported with the session, or [] if it was not imported."""
    rows = app.recorder.query(
        "SELECT value FROM secrets WHERE session=? AND name=?", (session, IMPORTED_CHECKPOINTS)
    )
    return msgspec.json.decode(rows[0][0], type=list[str]) if rows else []


def signed_checkpoint(app: App, info: SessionInfo, session: str, size: int, root: bytes) -> str:
    """Return the signed checkpoint of size `size`, with the seats' cosignatures.

    If the session was imported with a checkpoint of this size, return that checkpoint. Raises
    ForeignLogKeyError if there is none and this server does not have the log's key.
    """
    for kept in imported_checkpoints(app, session):
        if signed_note.parse_checkpoint(signed_note.parse_note(kept).text).size == size:
            return kept
    key, own = signed_note.parse_vkey(info.log_key), app.keys.log
    followed = app.keys.lines(key.name, key.public_key)
    if followed is not None:
        signed = signed_note.sign_checkpoint(key.name, size, root, own.public, own.sign) + followed
        return signed + "".join(
            each.line for each in newest_cosignatures(app, session) if each.size == size
        )
    raise ForeignLogKeyError(info.log_key)


def export_lines(app: App, head: Head, viewer: Viewer) -> Iterator[bytes]:
    """Return the lines of the session's .fairlog file.

    Events that the viewer may not see are sealed in the file. Raises ForeignLogKeyError when
    called, not when the first line is read.
    """
    session, info, size = head.session.id, head.session.info, head.session.version
    signed = signed_checkpoint(app, info, session, size, merkle_tree.root(head.frontier, size))
    earlier = [kept for kept in imported_checkpoints(app, session) if kept != signed] or list(
        _cosigned_checkpoints(app, head)
    )
    return _lines(app, head, viewer, [*earlier, signed])


def unsigned_lines(app: App, head: Head, viewer: Viewer) -> Iterator[bytes]:
    """Return the lines of the session's .fairlog file, without its checkpoints."""
    return _lines(app, head, viewer, [])


def _lines(app: App, head: Head, viewer: Viewer, notes: Sequence[str]) -> Iterator[bytes]:
    session, info = head.session.id, head.session.info
    manifest = Manifest(
        info.edition, info.log_key, log_origin(info), info.ruleset, session, info.log_format
    )
    events = _events(app, session, head.session.version)
    return write(manifest, events, notes, partial(is_visible, head.session, viewer))


def _cosigned_checkpoints(app: App, head: Head) -> Iterator[str]:
    """Yield the newest checkpoint that each seat has cosigned, smallest first.

    The checkpoint at the session's current version is left out.
    """
    session, info = head.session.id, head.session.info
    for size in sorted(
        {each.size for each in newest_cosignatures(app, session)} - {head.session.version}
    ):
        yield signed_checkpoint(app, info, session, size, app.trees.at(session, size).root(size))


def _events(app: App, session: str, size: int) -> Iterator[RecordedEvent]:
    """Yield the session's events, reading them in pages to limit memory use."""
    for after in range(0, size, PAGE_EVENTS):
        yield from app.log.read_events(session, after, min(after + PAGE_EVENTS, size))
