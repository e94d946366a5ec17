"""`bench.raw:app`: the application with one more route, the floor: a checked body and one row."""

from __future__ import annotations

import sqlite3
import threading
from typing import Protocol

import psycopg
from flask import Response, request

from bench.servers import RAW_PATH
from domain.codec import encode
from service.http import models, validation
from service.platform.settings import Settings
from service.wsgi import app, settings


class Raw(Protocol):
    def store(self, row: bytes) -> None: ...


class InFile:
    """A connection per thread. Writers share a lock, which is cheaper than SQLite's own waiting."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._own, self._writing = settings, threading.local(), threading.Lock()
        self._connection().execute(
            "CREATE TABLE IF NOT EXISTS bench_raw (number INTEGER PRIMARY KEY, row BLOB)"
        )

    def store(self, row: bytes) -> None:
        connection = self._connection()
        with self._writing:
            connection.execute("INSERT INTO bench_raw (row) VALUES (?)", (row,))

    def _connection(self) -> sqlite3.Connection:
        if not hasattr(self._own, "connection"):
            self._own.connection = sqlite3.connect(self._settings.log_file, isolation_level=None)
            self._own.connection.execute(f"PRAGMA synchronous={self._settings.synchronous}")
        held: sqlite3.Connection = self._own.connection
        return held


class OnPostgres:
    """A connection per thread, with a prepared statement."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._own = settings, threading.local()
        self._connection().execute(
            "CREATE TABLE IF NOT EXISTS bench_raw"
            " (number BIGINT GENERATED ALWAYS AS IDENTITY, row BYTEA)"
        )

    def store(self, row: bytes) -> None:
        self._connection().execute("INSERT INTO bench_raw (row) VALUES (%s)", (row,), prepare=True)

    def _connection(self) -> psycopg.Connection:
        if not hasattr(self._own, "connection"):
            self._own.connection = psycopg.connect(self._settings.database, autocommit=True)
        held: psycopg.Connection = self._own.connection
        return held


raw: Raw = OnPostgres(settings) if settings.is_on_postgres else InFile(settings)


@app.post(RAW_PATH)
def store() -> Response:
    """Store the body of a request to /v1/sessions/{id}/commands."""
    body = validation.read_body(models.CommandRequest, request.get_data())
    raw.store(encode(body.command))
    return Response(b"{}", 201, content_type="application/json")
