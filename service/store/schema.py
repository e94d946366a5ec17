"""The log's schema in SQLite's dialect: tables, and statements that write to them.

`fairlog migrate` creates missing tables but never changes an existing one. A changed `CREATE TABLE`
therefore has no effect on an old database: add a table rather than a column.
"""

from __future__ import annotations

PROOF_TABLES = (
    """CREATE TABLE IF NOT EXISTS index_entries (number INTEGER PRIMARY KEY, session TEXT NOT NULL,
    size INTEGER NOT NULL, note TEXT NOT NULL, UNIQUE (session, size))""",
    """CREATE TABLE IF NOT EXISTS cosignatures (
    session TEXT, seat TEXT, vkey TEXT, size INTEGER NOT NULL,
    at INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (session, seat, vkey)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS witnesses (
    vkey TEXT PRIMARY KEY, url TEXT NOT NULL, size INTEGER NOT NULL,
    at INTEGER NOT NULL, line TEXT NOT NULL) WITHOUT ROWID""",
)
# Entries are never deleted and only one transaction writes at a time, so numbers have no gaps.
INDEX_ENTRIES_INSERT = (
    "INSERT INTO index_entries (number, session, size, note)"
    " SELECT COALESCE(MAX(number), 0) + 1, ?, ?, ? FROM index_entries"
)
# Inserts NULL, and therefore fails, if the index already contains the session. Otherwise, a client
# could open a deleted session again with the same idempotency key, while caches still hold the
# deleted one.
OPENING_ENTRY_INSERT = (
    "INSERT INTO index_entries (number, session, size, note)"
    " SELECT COALESCE(MAX(number), 0) + 1, ?, ?,"
    " CASE WHEN EXISTS (SELECT 1 FROM index_entries WHERE session=?) THEN NULL ELSE ? END"
    " FROM index_entries"
)
# Replaces a cosignature only with a newer one, because requests may arrive in any order.
COSIGNATURES_UPSERT = (
    "INSERT INTO cosignatures (session, seat, vkey, size, at, line) VALUES (?,?,?,?,?,?)"
    " ON CONFLICT (session, seat, vkey) DO UPDATE SET size=excluded.size, at=excluded.at,"
    " line=excluded.line"
    " WHERE (excluded.size, excluded.at) > (cosignatures.size, cosignatures.at)"
)
WITNESSES_UPSERT = (
    "INSERT INTO witnesses (vkey, url, size, at, line) VALUES (?,?,?,?,?)"
    " ON CONFLICT (vkey) DO UPDATE SET url=excluded.url, size=excluded.size, at=excluded.at,"
    " line=excluded.line"
    " WHERE (excluded.size, excluded.at) > (witnesses.size, witnesses.at)"
)


# AUTOINCREMENT ensures that no position is assigned twice, even after a deletion.
EVENTS_TABLE = """CREATE TABLE IF NOT EXISTS stored_events (
    position INTEGER PRIMARY KEY AUTOINCREMENT, originator_id TEXT NOT NULL,
    originator_version INTEGER NOT NULL, topic TEXT NOT NULL, state BLOB NOT NULL,
    UNIQUE (originator_id, originator_version))"""
SNAPSHOTS_TABLE = """CREATE TABLE IF NOT EXISTS stored_snapshots (
    originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB,
    PRIMARY KEY (originator_id, originator_version)) WITHOUT ROWID"""
ACCESS_TABLES = (
    """CREATE TABLE IF NOT EXISTS answers (session TEXT, seat TEXT, key TEXT, request BLOB NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL,
    PRIMARY KEY (session, seat, key)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS secrets (session TEXT, name TEXT, value BLOB NOT NULL,
    PRIMARY KEY (session, name)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS tokens (
    hash BLOB PRIMARY KEY, session TEXT NOT NULL, seat TEXT NOT NULL,
    at INTEGER NOT NULL, revoked INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS tokens_by_seat ON tokens (session, seat)",
    """CREATE TABLE IF NOT EXISTS named_tokens (
    hash BLOB PRIMARY KEY, session TEXT NOT NULL, name TEXT NOT NULL, scopes TEXT NOT NULL,
    expires INTEGER NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS invitations (
    id TEXT PRIMARY KEY, hash BLOB NOT NULL UNIQUE, session TEXT NOT NULL, role TEXT NOT NULL,
    seat TEXT NOT NULL DEFAULT '', uses INTEGER NOT NULL, expires INTEGER NOT NULL,
    at INTEGER NOT NULL, revoked INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS offers (
    invitation TEXT PRIMARY KEY, session TEXT NOT NULL, parent TEXT NOT NULL,
    inviter TEXT NOT NULL, key TEXT NOT NULL) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS offers_by_parent ON offers (parent)",
    """CREATE TABLE IF NOT EXISTS roll_links (
    hash BLOB PRIMARY KEY, session TEXT NOT NULL, k INTEGER NOT NULL, seat TEXT NOT NULL,
    at INTEGER NOT NULL, revoked INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS roll_links_by_session ON roll_links (session, k)",
    """CREATE TABLE IF NOT EXISTS seat_colours (
    session TEXT, seat TEXT, colour TEXT NOT NULL, PRIMARY KEY (session, seat)) WITHOUT ROWID""",
)
WEBHOOKS_TABLE = (
    """CREATE TABLE IF NOT EXISTS webhooks (
    id TEXT PRIMARY KEY, session TEXT NOT NULL, url TEXT NOT NULL, format TEXT NOT NULL,
    seat TEXT NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL, delivered INTEGER NOT NULL,
    failures INTEGER NOT NULL, failing_since INTEGER NOT NULL, due INTEGER NOT NULL,
    problem TEXT NOT NULL, claim TEXT NOT NULL DEFAULT '',
    lease INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS webhooks_by_session ON webhooks (session)",
)
# Each change of a campaign's people, sessions or seats raises its `revision`. `forgotten` is the
# revision after the last change that deleted a name or a session. `hash` is that of the personal
# token, issued at `issued`. `renewed` is the hash of the token that the person replaced with it.
CAMPAIGN_TABLES = (
    """CREATE TABLE IF NOT EXISTS campaigns (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, at INTEGER NOT NULL, revision INTEGER NOT NULL,
    forgotten INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS campaign_people (
    campaign TEXT, person TEXT, name TEXT NOT NULL, role TEXT NOT NULL, hash BLOB UNIQUE,
    renewed BLOB, issued INTEGER NOT NULL, joined INTEGER NOT NULL,
    ended INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (campaign, person)) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS campaign_people_by_renewed ON campaign_people (renewed)",
    """CREATE TABLE IF NOT EXISTS campaign_sessions (
    session TEXT PRIMARY KEY, campaign TEXT NOT NULL, number INTEGER NOT NULL,
    at INTEGER NOT NULL, UNIQUE (campaign, number)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS campaign_seats (
    session TEXT, seat TEXT, campaign TEXT NOT NULL, person TEXT NOT NULL,
    PRIMARY KEY (session, seat)) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS campaign_seats_by_person ON campaign_seats (campaign, person)",
)
READINGS_TABLE = (
    """CREATE TABLE IF NOT EXISTS readings (
    number INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, seat TEXT NOT NULL,
    at INTEGER NOT NULL, what TEXT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS readings_by_session ON readings (session, number)",
)
PENDING_DRAW_TABLES = (
    """CREATE TABLE IF NOT EXISTS waiting (
    session TEXT PRIMARY KEY, k INTEGER NOT NULL, deadline INTEGER NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS contributions (
    session TEXT, k INTEGER, seat TEXT, given BLOB NOT NULL,
    PRIMARY KEY (session, k, seat)) WITHOUT ROWID""",
)
CONNECTIONS_TABLE = """CREATE TABLE IF NOT EXISTS connections (
    session TEXT, seat TEXT, process TEXT, seen INTEGER NOT NULL,
    PRIMARY KEY (session, seat, process)) WITHOUT ROWID"""
"""The seats that are connected now. No backup contains it."""
TABLES = (
    EVENTS_TABLE,
    *ACCESS_TABLES,
    *WEBHOOKS_TABLE,
    *CAMPAIGN_TABLES,
    *READINGS_TABLE,
    *PENDING_DRAW_TABLES,
    CONNECTIONS_TABLE,
    *PROOF_TABLES,
)
"""All tables except the snapshots table, which only makes reading faster."""
COLUMNS_BY_TABLE = {
    "stored_events": "position, originator_id, originator_version, topic, state",
    "answers": "session, seat, key, request, first, last",
    "secrets": "session, name, value",
    "tokens": "hash, session, seat, at, revoked",
    "named_tokens": "hash, session, name, scopes, expires",
    "invitations": "id, hash, session, role, seat, uses, expires, at, revoked",
    "offers": "invitation, session, parent, inviter, key",
    "roll_links": "hash, session, k, seat, at, revoked",
    "seat_colours": "session, seat, colour",
    "webhooks": (
        "id, session, url, format, seat, at, state, delivered, failures, failing_since, due,"
        " problem, claim, lease"
    ),
    "campaigns": "id, title, at, revision, forgotten",
    "campaign_people": ("campaign, person, name, role, hash, renewed, issued, joined, ended"),
    "campaign_sessions": "session, campaign, number, at",
    "campaign_seats": "session, seat, campaign, person",
    "readings": "number, session, seat, at, what",
    "waiting": "session, k, deadline",
    "contributions": "session, k, seat, given",
    "index_entries": "number, session, size, note",
    "cosignatures": "session, seat, vkey, size, at, line",
    "witnesses": "vkey, url, size, at, line",
}
"""The columns of each table that a backup contains."""

OUTDATED_SNAPSHOTS_DELETE = "DELETE FROM stored_snapshots WHERE topic='session.Head'"
"""Deletes snapshots in an old format. New snapshots are created from the log."""
# Inserts NULL, and therefore fails, if the preceding version is missing. Otherwise, a writer that
# read a session just before it was deleted would store events of a session whose first events are
# gone.
STORED_EVENTS_INSERT = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, state)"
    " SELECT CASE WHEN ?2=1 OR EXISTS (SELECT 1 FROM stored_events"
    " WHERE originator_id=?1 AND originator_version=?2-1) THEN ?1 END, ?2, ?3, ?4"
)
STORED_SNAPSHOTS_INSERT = (
    "INSERT INTO stored_snapshots (originator_id, originator_version, topic, state)"
    " VALUES (?,?,?,?)"
    " ON CONFLICT DO NOTHING"
)
ANSWERS_INSERT = (
    "INSERT INTO answers (session, seat, key, request, first, last) VALUES (?,?,?,?,?,?)"
)
OPENING_POSITION_SELECT = (
    "SELECT position FROM stored_events WHERE originator_id=? AND originator_version=1"
)
EVENTS_SELECT = "SELECT originator_id, originator_version, topic, state FROM stored_events"
EVENTS_OF_KIND_SELECT = (
    f"{EVENTS_SELECT}"
    " WHERE originator_id=? AND originator_version>? AND topic=? ORDER BY originator_version"
)
