"""Tables of what is proven beside the events: the index of checkpoints, and who cosigned which."""

from __future__ import annotations

PROOFS = (
    """CREATE TABLE IF NOT EXISTS index_entries (number INTEGER PRIMARY KEY, session TEXT NOT NULL,
    size INTEGER NOT NULL, note TEXT NOT NULL, UNIQUE (session, size))""",
    """CREATE TABLE IF NOT EXISTS cosignatures (session TEXT, seat TEXT, vkey TEXT, size INTEGER NOT NULL,
    at INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (session, seat, vkey)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS witnesses (vkey TEXT PRIMARY KEY, url TEXT NOT NULL, size INTEGER NOT NULL,
    at INTEGER NOT NULL, line TEXT NOT NULL) WITHOUT ROWID""",
)
# Nothing is ever deleted here, and one transaction writes at a time: the next number leaves no gap.
ENTER = (
    "INSERT INTO index_entries (number, session, size, note)"
    " SELECT COALESCE(MAX(number), 0) + 1, ?, ?, ? FROM index_entries"
)
COSIGN = (
    "INSERT INTO cosignatures (session, seat, vkey, size, at, line) VALUES (?,?,?,?,?,?)"
    " ON CONFLICT (session, seat, vkey) DO UPDATE SET size=excluded.size, at=excluded.at, line=excluded.line"
    " WHERE (excluded.size, excluded.at) > (cosignatures.size, cosignatures.at)"
)
WITNESS = (
    "INSERT INTO witnesses (vkey, url, size, at, line) VALUES (?,?,?,?,?)"
    " ON CONFLICT (vkey) DO UPDATE SET url=excluded.url, size=excluded.size, at=excluded.at, line=excluded.line"
    " WHERE (excluded.size, excluded.at) > (witnesses.size, witnesses.at)"
)
