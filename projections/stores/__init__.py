"""Databases that store the read models: SQLite and PostgreSQL."""
