"""Whether keys and FAIRLOG_ORIGIN are those of the log: of every session that was opened here, and of its index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from domain.decider import Role
from domain.fact import Fact
from domain.proof import Broken, note
from domain.proof.note import ED25519, Vkey, parse_vkey
from domain.session.messages import Opened, SeatTaken
from service.bootstrap import App
from service.database import Finding
from service.house import chain_name
from service.words import counted

PUT = "put those of the newest backup there, keep what is there now, and restart what runs"
LOG_KEYS, HOUSE_KEY = "log.key and log.followed", "house.key"
PART = "signatures"
LAST = 100
"""Entries of the index that are looked at."""


class Ours(NamedTuple):
    """A session that was opened here and is here still: its log's key, and the house's, in hex."""

    session: str
    key: Vkey
    house: str | UnsetType


def findings(app: App) -> Iterator[Finding]:
    """Of both, one after the other."""
    sessions = opened(app)
    yield signatures(app, sessions)
    yield origin(app, sessions)


def opened(app: App) -> list[Ours]:
    """The oldest first."""
    here = app.recorder.query("SELECT session FROM secrets WHERE name=?", (chain_name(0),))
    starts = (
        app.log.facts(session, 0, 3) for (session,) in here
    )  # of a fork the house's seat is the third
    return [_ours(facts) for facts in sorted(filter(None, starts), key=lambda facts: facts[0].at)]


def _ours(facts: Sequence[Fact]) -> Ours:
    opening, *rest = (fact.body for fact in facts)
    assert isinstance(opening, Opened)
    houses = (
        body.public_key for body in rest if isinstance(body, SeatTaken) and body.role is Role.HOUSE
    )
    return Ours(facts[0].session, parse_vkey(opening.log_key), next(houses, UNSET))


def signatures(app: App, sessions: Sequence[Ours]) -> Finding:
    """Whether the keys can go on signing for these sessions, and are those that signed last."""
    keys = app.keys
    strange = [each for each in sessions if keys.lines(each.key.name, each.key.public_key) is None]
    if strange:
        return _other(LOG_KEYS, strange)
    if strange := [each for each in sessions if each.house != keys.house.public.hex()]:
        return _other(HOUSE_KEY, strange)
    try:
        if not _signed_last(app, {each.session for each in sessions}):
            return Finding(PART, f"another {LOG_KEYS} when the index was signed last", PUT)
    except Broken:
        return Finding(
            PART, "the last entry of the index cannot be read", "restore the log from a backup"
        )
    return Finding(PART, f"by these keys for {counted(len(sessions), 'session')}")


def _other(key: str, sessions: Sequence[Ours]) -> Finding:
    said = f"{counted(len(sessions), 'session')} opened, as {sessions[-1].session}"
    return Finding(PART, f"another {key} when {said}", PUT)


def origin(app: App, sessions: Sequence[Ours]) -> Finding:
    """Whether it is that of the first or of the last session: one that was wrong for a while is not asked for again."""
    now, names = app.settings.origin, [each.key.name.partition("/")[0] for each in sessions]
    if names and now not in (names[0], names[-1]):
        todo = f"set FAIRLOG_ORIGIN={names[-1]}, and restart what runs"
        return Finding("origin", f"{now}, and the sessions are of {names[-1]}", todo)
    return Finding("origin", now)


def _signed_last(app: App, sessions: Set[str]) -> bool:
    """Whether the newest entry of these sessions, among the last of the index, is signed with one of our keys."""
    ours = (app.keys.log.public, *(bytes.fromhex(each.old) for each in app.keys.successions))
    for entry in reversed(app.index.page(app.index.size() - LAST, LAST)):
        if entry.session in sessions:
            signed = note.parse_note(entry.note)
            name = note.parse_checkpoint(signed.text).origin
            return any(
                line
                for key in ours
                for line in note.signatures_by(signed, Vkey(name, ED25519, key))
            )
    return True
