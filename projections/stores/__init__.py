"""The databases of the read models, on SQLite or PostgreSQL."""
