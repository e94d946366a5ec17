"""The event log and the rows that are stored in the same transaction, on SQLite or PostgreSQL.

`event_log` is the entry point; `recorder` is the interface that `sqlite` and `postgres` implement.
May import `platform`, `projections` and `domain`.
"""
