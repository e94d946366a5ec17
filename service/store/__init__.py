"""The event log, and rows stored in the same transactions: SQLite or PostgreSQL.

`event_log` is the entry point; `recorder` is the interface that `sqlite` and `postgres` implement.
May import `platform`, `projections` and `domain`.
"""
