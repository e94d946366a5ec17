"""The check of a fork against its parent's log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from domain.codec import encode
from domain.recorded_event import RecordedEvent
from domain.session.messages import Forked, Inherited, Opened
from domain.session.state import Session
from domain.verify.bytes_check import FileEvent
from domain.verify.report import ForkOrigin, VerificationError
from domain.verify.tree_check import compute_roots


class ParentLog(NamedTuple):
    """The verified log of a parent session.

    `sessions` and `sealed` are empty if the ruleset is not installed.
    """

    session: str
    lines: Sequence[FileEvent]
    hashes: Sequence[bytes]
    sessions: Sequence[Session]
    sealed: Sequence[bool]


def origin_of(lines: Sequence[FileEvent]) -> ForkOrigin | None:
    """Return the parent named in the log's first event, or None if the log is not a fork."""
    parent = (
        lines[0].body.parent
        if isinstance(lines[0], RecordedEvent) and isinstance(lines[0].body, Opened)
        else UNSET
    )
    return None if parent is UNSET else ForkOrigin(parent.session, parent.version, parent.root)


def check_origin(origin: ForkOrigin | None, parent: ParentLog) -> ForkOrigin:
    """Check that `parent` is the fork's parent and has the root recorded in the fork.

    Return `origin` with `checked` set. Raises VerificationError if a check fails.
    """
    if origin is None or origin.session != parent.session:
        raise VerificationError(
            1,
            "E_SESSION",
            "a log that is not a fork" if origin is None else origin.session,
            parent.session,
        )
    if origin.version > len(parent.lines):
        raise VerificationError(
            1,
            "E_TRUNCATED",
            f"{len(parent.lines)} events in the parent's log",
            f"at least {origin.version} events",
        )
    root = compute_roots(parent.hashes, {origin.version})[origin.version].hex()
    if origin.root != root:
        raise VerificationError(1, "E_ROOT", origin.root, root)
    return replace(origin, checked=True)


def check_table(
    origin: ForkOrigin, session: str, lines: Sequence[FileEvent], parent: ParentLog
) -> ForkOrigin:
    """Check that the parent's log records the fork, and that the tables match.

    The inherited table is compared with the parent's table only if both are readable. Return
    `origin`, with `table` set if they were compared. Raises VerificationError if a check fails.
    """
    forked = Forked(session, origin.version)
    if not any(isinstance(line, RecordedEvent) and line.body == forked for line in parent.lines):
        found = (
            f"no such event in the parent's log ({len(parent.lines)} events). Export that log again"
        )
        raise VerificationError(1, "E_LINEAGE", found, encode(forked).decode())
    inherited = lines[1].body if isinstance(lines[1], RecordedEvent) else None
    if not isinstance(inherited, Inherited) or not parent.sessions or parent.sealed[origin.version]:
        return origin
    table = encode(parent.sessions[origin.version].table)
    if bytes(inherited.table) != table:
        raise VerificationError(2, "E_OUTCOME", bytes(inherited.table).decode(), table.decode())
    return replace(origin, table=True)
