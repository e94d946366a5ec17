"""What this server vouches for: checkpoints, signed here or kept from where a session came, and exported files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec

from domain.bundle import Manifest, write
from domain.fact import Fact
from domain.proof import note, tree
from domain.session.draws import Head
from domain.session.state import Frame
from domain.view import Viewer, opens
from service.bootstrap import App
from service.cosigning import newest

NOTES = "notes"
"""Among the secrets of a session that was stored from a file: the checkpoints of the server that it came from."""
PAGE = 1000


class NotSigned(Exception):
    """The session is signed by another server's key, and that server's checkpoints do not have this size."""


def origin_of(frame: Frame) -> str:
    """The origin of a session's log, as its first event pinned it."""
    return note.parse_vkey(frame.log_key).name


def notes_of(app: App, session: str) -> list[str]:
    """The checkpoints that came with a session from a file; none for one that is played here."""
    rows = app.recorder.query(
        "SELECT value FROM secrets WHERE session=? AND name=?", (session, NOTES)
    )
    return msgspec.json.decode(rows[0][0], type=list[str]) if rows else []


def checkpoint(app: App, frame: Frame, session: str, size: int, root: bytes) -> str:
    """The signed checkpoint of a size, with the lines of the seats that cosigned it last. Raises NotSigned."""
    for kept in notes_of(app, session):
        if note.parse_checkpoint(note.parse_note(kept).text).size == size:
            return kept
    key, own = note.parse_vkey(frame.log_key), app.keys.log
    followed = app.keys.lines(key.name, key.public_key)
    if followed is not None:
        signed = note.sign_checkpoint(key.name, size, root, own.public, own.sign) + followed
        return signed + "".join(each.line for each in newest(app, session) if each.size == size)
    raise NotSigned(frame.log_key)


def exported(app: App, head: Head, viewer: Viewer) -> Iterator[bytes]:
    """The lines of the session's .fairlog file, as open as it is to the viewer. Raises NotSigned before the first."""
    session, frame, size = head.session.id, head.session.frame, head.session.version
    signed = checkpoint(app, frame, session, size, tree.root(head.frontier, size))
    earlier = [kept for kept in notes_of(app, session) if kept != signed] or list(
        _cosigned(app, head)
    )
    manifest = Manifest(frame.edition, frame.log_key, origin_of(frame), frame.ruleset, session, 1)
    return write(
        manifest,
        _facts(app, session, size),
        [*earlier, signed],
        partial(opens, head.session, viewer),
    )


def _cosigned(app: App, head: Head) -> Iterator[str]:
    """The earlier checkpoints that a seat cosigned as its last."""
    session, frame = head.session.id, head.session.frame
    for size in sorted({each.size for each in newest(app, session)} - {head.session.version}):
        yield checkpoint(app, frame, session, size, app.trees.at(session, size).root(size))


def _facts(app: App, session: str, size: int) -> Iterator[Fact]:
    """Page by page, so that a long evening is never in memory at once."""
    for after in range(0, size, PAGE):
        yield from app.log.facts(session, after, min(after + PAGE, size))
