"""Whether keys and FAIRLOG_ORIGIN are those of the log: its index says what it was signed with last, and as what."""

from __future__ import annotations

from domain.proof import note
from domain.proof.note import ED25519, Note, Vkey
from domain.session.state import HOUSE
from service.bootstrap import App
from service.database import Finding
from service.gamelog import Unknown

PART = "signatures"


def belonging(app: App) -> Finding:
    """By the last entry of the index. A key that was followed by the present one is one of these keys."""
    for entry in app.index.page(app.index.size() - 1, 1):
        signed = note.parse_note(entry.note)
        name = note.parse_checkpoint(signed.text).origin
        if name != f"{app.settings.origin}/sessions/{entry.session}":
            origin = name.partition("/")[0]
            return Finding(
                PART, f"its last session was signed as {origin}", f"set FAIRLOG_ORIGIN={origin}, and restart what runs"
            )
        if strange := _strange(app, name, signed, entry.session):
            todo = f"put the {strange} of a backup there, and restart what runs"
            return Finding(PART, f"its last session was signed with another {strange}", todo)
        return Finding(PART, f"with these keys, as {app.settings.origin}")
    return Finding(PART, "nothing yet")


def _strange(app: App, name: str, signed: Note, session: str) -> str:
    """The key that is not the one of this entry, by its file's name; "" where both are."""
    ours = (app.keys.log.public, *(bytes.fromhex(each.old) for each in app.keys.successions))
    if not any(line for key in ours for line in note.signatures_by(signed, Vkey(name, ED25519, key))):
        return "log.key"
    try:
        seat = app.log.read(session).session.frame.seats[HOUSE]
    except Unknown:  # it was deleted; the index keeps its entry
        return ""
    return "" if seat.public_key == app.keys.house.public.hex() else "house.key"
