"""Whether keys and FAIRLOG_ORIGIN are those of the log: of every session that was opened here, and of its index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.decider import Role
from domain.fact import Fact
from domain.proof import Broken, note
from domain.proof.note import ED25519, Vkey, parse_vkey
from domain.session.messages import Opened, SeatTaken
from service.bootstrap import App
from service.database import Finding
from service.house import chain_name
from service.settings import Settings
from service.words import counted

BACK = "of the newest backup there, keep those that are there now, and restart what runs"


def opened(app: App) -> list[tuple[str, Vkey]]:
    """The sessions that were opened here and are here still, each with its log's key, the oldest first."""
    here = app.recorder.query("SELECT session FROM secrets WHERE name=?", (chain_name(0),))
    facts = sorted((fact for (session,) in here for fact in app.log.facts(session, 0, 1)), key=lambda fact: fact.at)
    return [(fact.session, parse_vkey(fact.body.log_key)) for fact in facts if isinstance(fact.body, Opened)]


def signatures(app: App, sessions: Sequence[tuple[str, Vkey]]) -> Finding:
    """Whether the keys can go on signing for these sessions, and are those that signed last."""
    part = "signatures"
    strange = [session for session, key in sessions if app.keys.lines(key.name, key.public_key) is None]
    if strange:
        found = f"another log.key was there when {counted(len(strange), 'session')} opened, as {strange[-1]}"
        return Finding(part, found, f"put log.key and log.followed {BACK}")
    try:
        if not _signed_last(app):
            found = "another log.key signed the last entry of the index"
            return Finding(part, found, f"put log.key and log.followed {BACK}")
    except Broken:
        return Finding(part, "the last entry of the index cannot be read", "restore the log from a backup")
    for session, _ in sessions[-1:]:
        if app.keys.house.public.hex() not in _houses(app.log.facts(session, 0, 3)):  # of a fork it is the third
            return Finding(part, f"another house.key was there when {session} opened", f"put house.key {BACK}")
    return Finding(part, f"these keys' for {counted(len(sessions), 'session')}")


def origin(settings: Settings, sessions: Sequence[tuple[str, Vkey]]) -> Finding:
    """Whether it is that of the first or of the last session: one that was wrong for a while is not asked for again."""
    names = [key.name.partition("/")[0] for _, key in sessions]
    if names and settings.origin not in (names[0], names[-1]):
        todo = f"set FAIRLOG_ORIGIN={names[-1]}, and restart what runs"
        return Finding("origin", f"{settings.origin}, and the sessions are of {names[-1]}", todo)
    return Finding("origin", settings.origin)


def _signed_last(app: App) -> bool:
    ours = (app.keys.log.public, *(bytes.fromhex(each.old) for each in app.keys.successions))
    for entry in app.index.page(app.index.size() - 1, 1):
        signed = note.parse_note(entry.note)
        name = note.parse_checkpoint(signed.text).origin
        return any(line for key in ours for line in note.signatures_by(signed, Vkey(name, ED25519, key)))
    return True


def _houses(facts: Iterable[Fact]) -> set[object]:
    """The key that the house sat down with."""
    return {fact.body.public_key for fact in facts if isinstance(fact.body, SeatTaken) and fact.body.role is Role.HOUSE}
