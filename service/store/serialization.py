"""The storage format for events and heads.

A row's topic is an event kind or HEAD_TOPIC, never the path of a Python class.
"""

from __future__ import annotations

from typing import Any

import msgspec
from eventsourcing.persistence import Mapper, StoredEvent

from domain.codec import decode, kind
from domain.recorded_event import RecordedEvent
from domain.rulesets import RULESETS_BY_EDITION
from domain.session.state import (
    NO_COMMAND,
    NO_SECRETS,
    Chain,
    LastCommand,
    Pending,
    Secrets,
    Session,
    SessionInfo,
)
from domain.session.turns import Head
from service.store.recorder import StoredRow

HEAD_TOPIC = "session.Head.2"


class _EventFormat(msgspec.Struct, frozen=True, array_like=True):
    """The storage format for an event.

    Fields are stored by position, so add new fields only at the end.
    """

    at: int
    seat: str
    turn: int
    salt: bytes
    body: msgspec.Raw
    sealed: bool = False


class _RedactedEventFormat(_EventFormat, frozen=True, array_like=True):
    """The storage format for a redacted event, which also contains a commitment."""

    committed: bytes = b""


class _HeadFormat(msgspec.Struct, frozen=True, array_like=True):
    """The storage format for a snapshot.

    Fields are stored by position, so add new fields only at the end.
    """

    turn: int
    k: int
    chains: dict[str, Chain]
    info: SessionInfo
    table: msgspec.Raw
    frontier: tuple[bytes, ...]
    last_command: LastCommand = NO_COMMAND
    secrets: Secrets = NO_SECRETS
    tables_by_seat: dict[str, msgspec.Raw] = {}
    pending: Pending | None = None
    at: int = 0
    next_chain: Chain | None = None
    next_blind: str = ""


_decode_event = msgspec.json.Decoder(_RedactedEventFormat).decode
_decode_head = msgspec.json.Decoder(_HeadFormat).decode
_encode = msgspec.json.encode


class EventMapper(Mapper[str]):
    """Converts events and heads to rows and back, for the eventsourcing library.

    Heads are stored as snapshots.
    """

    def __init__(self) -> None:
        """Create the mapper without the library's transcoding, compression and encryption."""

    def to_stored_event(self, domain_event: Any) -> Any:
        if isinstance(domain_event, Head):
            return head_to_row(domain_event)
        return event_to_row(domain_event)

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        row: Any = stored_event  # our recorders return plain tuples
        session, version, topic, state = row
        if topic == HEAD_TOPIC:
            return _row_to_head(session, version, state)
        wire = _decode_event(state)
        body, raw = decode(wire.body), bytes(wire.body)
        return RecordedEvent(
            session,
            version,
            wire.turn,
            wire.at,
            wire.seat,
            wire.salt,
            body,
            raw,
            wire.sealed,
            wire.committed,
        )


def event_to_row(event: RecordedEvent) -> Any:
    parts = event.at, event.seat, event.turn, event.salt, msgspec.Raw(event.raw), event.sealed
    state = _encode(
        _RedactedEventFormat(*parts, event.committed) if event.committed else _EventFormat(*parts)
    )
    return StoredRow(event.session, event.version, kind(event.body), state)


def head_to_row(head: Head) -> Any:
    state = head.session
    tables_by_seat = {
        seat: msgspec.Raw(_encode(table)) for seat, table in state.tables_by_seat.items()
    }
    wire = _HeadFormat(
        state.turn,
        state.k,
        state.chains,
        state.info,
        msgspec.Raw(_encode(state.table)),
        head.frontier,
        state.last_command,
        state.secrets,
        tables_by_seat,
        state.pending,
        state.at,
        state.next_chain,
        state.next_blind,
    )
    return StoredRow(state.id, state.version, HEAD_TOPIC, _encode(wire))


def _row_to_head(session: str, version: int, state: bytes) -> Head:
    wire = _decode_head(state)
    ruleset = RULESETS_BY_EDITION[wire.info.ruleset, wire.info.edition]
    tables = {
        bytes(raw): msgspec.json.decode(raw, type=ruleset.state)
        for raw in (wire.table, *wire.tables_by_seat.values())
    }
    tables_by_seat = {
        seat: tables[bytes(raw)] for seat, raw in wire.tables_by_seat.items()
    }  # seats with equal tables share one object
    kept = Session(
        session,
        version,
        wire.turn,
        wire.k,
        wire.chains,
        wire.info,
        tables[bytes(wire.table)],
        wire.last_command,
        wire.secrets,
        tables_by_seat,
        wire.pending,
        wire.at,
        wire.next_chain,
        wire.next_blind,
    )
    return Head(kept, wire.frontier)
