"""Decisions about earlier versions: rewinds, narrations, secrets, redactions, forks, the close."""

from __future__ import annotations

from collections import Counter

from msgspec import UNSET, UnsetType

from domain.decider import By, Refused, Role
from domain.ruleset import Message
from domain.session.decider.seats import gm_only
from domain.session.messages import (
    Audience,
    Close,
    Closed,
    Fork,
    Forked,
    Narrate,
    Narrated,
    OpenSeal,
    Redact,
    Redacted,
    Rewind,
    Rewound,
    SealOpened,
    SeatNamed,
)
from domain.session.sights import fold, hidden_from, is_for, sight
from domain.session.state import (
    PUBLIC,
    History,
    Session,
)


def rewind(session: Session, command: Rewind, by: By, past: History) -> tuple[Message, ...]:
    if not by.is_gm:
        _check_take_back(session, command, by, past)
    if command.to == session.version:
        raise Refused("rewind-to-present", to=command.to)
    if command.to > session.version:
        raise Refused("rewind-beyond-end", to=command.to, version=session.version)
    if _is_inside_turn(session, command.to, past):
        raise Refused("rewind-inside-turn", to=command.to, turn=past.state(command.to).turn)
    return (Rewound(command.reason, command.to),)


def _check_take_back(session: Session, command: Rewind, by: By, past: History) -> None:
    """Raise Refused unless a player takes back their own last command while it is unsettled."""
    if by.role is not Role.PLAYER or session.frame.options.get("take_back") is not True:
        raise Refused("gm-only", role=by.role.value)
    if session.last_command.seat != by.seat or session.last_command.before != command.to:
        raise Refused("take-back-not-yours", by=by.seat, to=command.to)
    before, now = (
        session.room.show(sight(each, by.seat)).tasks for each in (past.state(command.to), session)
    )
    if not any(task.seat == by.seat and before.get(name) != task for name, task in now.items()):
        raise Refused("take-back-settled", by=by.seat)


def _is_inside_turn(session: Session, version: int, past: History) -> bool:
    """Return True if a turn has events on both sides of the version."""
    then = past.state(version) if version < session.version else session
    return then.pending is not None or (
        version < session.version and then.turn == past.state(version + 1).turn
    )


def narrate(session: Session, command: Narrate, by: By) -> tuple[Message, ...]:
    if by.role is Role.AUDITOR:
        raise Refused("role-may-not", role=by.role.value)
    if command.about is not UNSET and command.about > session.version:
        raise Refused("about-nowhere", about=command.about, version=session.version)
    check_audience(session, command.audience)
    return (Narrated(command.text, command.about, command.audience),)


def redact(session: Session, command: Redact, by: By, past: History) -> tuple[Message, ...]:
    """Return the redaction.

    The text's own seat, the GM, or the house for the operator may ask for it.
    """
    if by.role is Role.AUDITOR:
        raise Refused("role-may-not", role=by.role.value)
    if command.of > session.version:
        raise Refused("redact-nowhere", of=command.of, version=session.version)
    for fact in past.facts(
        command.of - 1, command.of
    ):  # none where a check has a line without opening there
        if fact.committed or not isinstance(fact.body, Narrated | SeatNamed):
            raise Refused("no-words-there", of=command.of)
        said_by = fact.body.seat if isinstance(fact.body, SeatNamed) else fact.seat
        if by.seat not in (said_by, fact.seat) and by.role not in (Role.GM, Role.HOUSE):
            raise Refused("words-not-yours", of=command.of)
    return (Redacted(command.of, command.reason),)


def check_audience(session: Session, audience: Audience | UnsetType) -> None:
    """Raise Refused if no seat could see the secret."""
    if audience in ("gm", "blind") and not any(
        held.role is Role.GM for held in session.frame.seats.values()
    ):
        raise Refused("audience-empty", audience=str(audience))


def open_seal(session: Session, command: OpenSeal, by: By) -> tuple[Message, ...]:
    seal = session.secrets.seals.get(command.turn)
    if seal is None:
        raise Refused("nothing-sealed", turn=command.turn)
    if by.role not in (Role.GM, Role.PLAYER, Role.SPECTATOR):
        raise Refused("role-may-not", role=by.role.value)
    if not is_for(session, seal, by.seat):
        raise Refused("seal-not-yours", turn=command.turn, audience=seal.audience)
    if seal.k is UNSET:
        return (SealOpened(turn=command.turn),)
    kept = command.kept
    if kept is UNSET:
        raise Refused("imported")
    return (SealOpened(kept.blind, kept.command, seal.k, kept.salt, values=kept.values),)


def fork(session: Session, command: Fork, by: By, past: History) -> tuple[Message, ...]:
    if by.role not in (Role.GM, Role.PLAYER, Role.SPECTATOR):
        raise Refused("role-may-not", role=by.role.value)
    if command.version > session.version:
        raise Refused("fork-beyond-end", at=command.version, version=session.version)
    if _is_inside_turn(session, command.version, past):
        raise Refused("fork-inside-turn", at=command.version, turn=past.state(command.version).turn)
    if hides(session, by.seat, command.version, past):
        raise Refused("fork-of-a-secret", at=command.version)
    return (Forked(command.child, command.version),)


def hides(session: Session, seat: str, version: int, past: History) -> bool:
    """Return True if the table of the version holds something that the seat may not see now."""
    return fold(session, hidden_from(session, seat), version, past) != past.state(version).table


def close(session: Session, command: Close, by: By) -> tuple[Message, ...]:
    """What is carried over is for everyone, and so of what everyone sees."""
    gm_only(by)
    unopened = Counter(seal.seat for seal in session.secrets.seals.values())
    return (
        Closed(
            dict(session.room.carry(sight(session, PUBLIC))) if command.carry else {},
            dict(unopened),
        ),
    )
