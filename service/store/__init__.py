"""Storage for the event log and related rows, in SQLite or PostgreSQL.

`event_log` is the entry point. `recorder` is the interface that `sqlite` and `postgres` implement.
This package may import `platform`, `projections` and `domain`.
"""
