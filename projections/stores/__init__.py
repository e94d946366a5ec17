"""Stores for the read models, in SQLite or PostgreSQL."""
