"""The tables of the log, and the statements that both databases take."""

from __future__ import annotations

from service.storage.proofs import PROOFS

# AUTOINCREMENT: a position is never given twice, whatever is deleted (storage.md, trap 8).
EVENTS_TABLE = """CREATE TABLE IF NOT EXISTS stored_events (
    position INTEGER PRIMARY KEY AUTOINCREMENT, originator_id TEXT NOT NULL, originator_version INTEGER NOT NULL,
    topic TEXT NOT NULL, state BLOB NOT NULL, UNIQUE (originator_id, originator_version))"""
SNAPSHOTS_TABLE = """CREATE TABLE IF NOT EXISTS stored_snapshots (originator_id TEXT, originator_version INTEGER,
    topic TEXT, state BLOB, PRIMARY KEY (originator_id, originator_version)) WITHOUT ROWID"""
BESIDE_TABLES = (
    """CREATE TABLE IF NOT EXISTS answers (session TEXT, seat TEXT, key TEXT, request BLOB NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (session, seat, key)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS secrets (session TEXT, name TEXT, value BLOB NOT NULL,
    PRIMARY KEY (session, name)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS tokens (hash BLOB PRIMARY KEY, session TEXT NOT NULL, seat TEXT NOT NULL,
    at INTEGER NOT NULL, revoked INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS tokens_by_seat ON tokens (session, seat)",
    """CREATE TABLE IF NOT EXISTS invitations (id TEXT PRIMARY KEY, hash BLOB NOT NULL UNIQUE, session TEXT NOT NULL,
    role TEXT NOT NULL, seat TEXT NOT NULL DEFAULT '', uses INTEGER NOT NULL, expires INTEGER NOT NULL,
    at INTEGER NOT NULL, revoked INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID""",
)
READINGS = (
    """CREATE TABLE IF NOT EXISTS readings (number INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL,
    seat TEXT NOT NULL, at INTEGER NOT NULL, what TEXT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS readings_by_session ON readings (session, number)",
)
WAITING = (
    """CREATE TABLE IF NOT EXISTS waiting (session TEXT PRIMARY KEY, k INTEGER NOT NULL, deadline INTEGER NOT NULL)
    WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS contributions (session TEXT, k INTEGER, seat TEXT, given BLOB NOT NULL,
    PRIMARY KEY (session, k, seat)) WITHOUT ROWID""",
)
TABLES = (EVENTS_TABLE, *BESIDE_TABLES, *READINGS, *WAITING, *PROOFS)
"""All but the snapshots', which save time and nothing else."""
KEPT = {
    "stored_events": "position, originator_id, originator_version, topic, state",
    "answers": "session, seat, key, request, first, last",
    "secrets": "session, name, value",
    "tokens": "hash, session, seat, at, revoked",
    "invitations": "id, hash, session, role, seat, uses, expires, at, revoked",
    "readings": "number, session, seat, at, what",
    "waiting": "session, k, deadline",
    "contributions": "session, k, seat, given",
    "index_entries": "number, session, size, note",
    "cosignatures": "session, seat, vkey, size, at, line",
    "witnesses": "vkey, url, size, at, line",
}
"""Each of these tables with its columns: all that a log is."""

OUTDATED = "DELETE FROM stored_snapshots WHERE topic='session.Head'"
"""Of a shape from before seats held chains.

A snapshot saves time and nothing else: the log makes it again.
"""
INSERT = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, state) VALUES (?,?,?,?)"
)
KEEP = (
    "INSERT INTO stored_snapshots (originator_id, originator_version, topic, state) VALUES (?,?,?,?)"
    " ON CONFLICT DO NOTHING"
)
ANSWERED = "INSERT INTO answers (session, seat, key, request, first, last) VALUES (?,?,?,?,?,?)"
OPENING = "SELECT position FROM stored_events WHERE originator_id=? AND originator_version=1"
OF_KIND = (
    "SELECT originator_id, originator_version, topic, state FROM stored_events"
    " WHERE originator_id=? AND originator_version>? AND topic=? ORDER BY originator_version"
)
