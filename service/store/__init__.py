"""The event log in SQLite or PostgreSQL, and rows stored together with events.

`event_log` is the entry point; `recorder` is the interface that `sqlite` and `postgres` implement.
This package may import `platform`, `projections` and `domain`.
"""
