"""Verification of a log, and read models catching up, against the minimum work for their bytes."""

from __future__ import annotations

import hashlib
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from bench.measurement import Measurement, timed
from bench.sessions import fresh_app, lengthen, open_bench_session
from domain import log_file
from domain.proof import merkle_tree, signed_note
from domain.session.contributions import contribution_of
from domain.session.messages import Drawn
from domain.verify import verify
from domain.verify.report import Level
from projections.registry import ReadModels
from projections.runner import catch_up as catch_up_view
from service.platform.ed25519 import verify as ed25519
from service.sessions.app import App


def checking(events: int = 10_000) -> Measurement:
    """Measure all levels of `verify` against decoding, hashing and signature checks alone."""
    with fresh_app(FAIRLOG_SYNCHRONOUS="NORMAL") as app:
        lines = _exported(app, events)
    ours = min(timed(lambda: _valid(lines)) for _ in range(3))
    floor = min(timed(lambda: _least(lines)) for _ in range(3))
    return Measurement(
        f"verify {events:,} events, all levels",
        ours * 1e3,
        floor * 1e3,
        "ms",
        ours / floor,
        2.0,
        least=False,
    )


def _exported(app: App, events: int) -> list[bytes]:
    session = open_bench_session(app)
    lengthen(app, session, events)
    head, public = app.log.read(session), app.keys.log.public
    origin = f"bench.example/sessions/{session}"
    key = signed_note.vkey_text(signed_note.Vkey(origin, signed_note.ED25519, public))
    size = head.session.version
    signed = signed_note.sign_checkpoint(
        origin, size, merkle_tree.root(head.frontier, size), public, app.keys.log.sign
    )
    log_format = head.session.info.log_format
    manifest = log_file.Manifest("1", key, origin, "dhextiny", session, log_format)
    return list(log_file.write(manifest, app.log.read_events(session), [signed]))


def scaling(events: int = 100_000, few: int = 10_000) -> Measurement:
    """Measure `verify` of a long log against a short one, per event, with each level's share."""
    with fresh_app(FAIRLOG_SYNCHRONOUS="NORMAL") as app:
        short, long = _exported(app, few), _exported(app, events)
    floor = min(timed(lambda: _valid(short)) for _ in range(3)) / (len(short) - 2)
    shares = Shares()
    ours = timed(lambda: _valid(long, shares)) / (len(long) - 2)
    name = f"verify an event of {events:,} / of {few:,}"
    return Measurement(
        name, ours * 1e6, floor * 1e6, "us", ours / floor, 1.2, least=False, said=shares.describe()
    )


class Shares:
    """The start time of each level of a verification."""

    def __init__(self) -> None:
        self._began: dict[Level, float] = {}

    def __call__(self, level: Level, done: int, of: int) -> None:
        self._began.setdefault(level, time.perf_counter())

    def describe(self) -> str:
        """Return each level's share of the time."""
        times = [*self._began.values(), self._end]
        shares = ((after - begun) / (times[-1] - times[0]) for begun, after in pairwise(times))
        return ", ".join(
            f"{level} {share:.0%}" for level, share in zip(self._began, shares, strict=True)
        )

    def stop(self) -> None:
        self._end = time.perf_counter()


def _valid(lines: Sequence[bytes], shares: Shares | None = None) -> None:
    report = verify(lines, ed25519) if shares is None else verify(lines, ed25519, progress=shares)
    if shares:
        shares.stop()
    assert report.valid, report.failure


def _least(lines: Sequence[bytes]) -> None:
    """Do what every verification has to do: JSON, two hashes per leaf, one signature per draw."""
    signatures = []
    for line in lines[1:-1]:
        entry = msgspec.json.decode(line)
        leaf, opening = entry["leaf"].encode(), entry["opening"]
        raw = msgspec.json.encode(opening["body"])
        hashlib.sha256(raw + bytes.fromhex(opening["salt"])).digest()
        hashlib.sha256(b"\0" + leaf).digest()
        msgspec.json.decode(leaf)
        if opening["body"]["kind"] == "session.Drawn":
            signatures.append(msgspec.json.decode(raw, type=Drawn))
        elif opening["body"].get("role") == "house":
            key = bytes.fromhex(opening["body"]["public_key"])
    for drawn in signatures:
        given = drawn.contributions[0]
        message = contribution_of("0" * 32, drawn.k, "0" * 64, given)
        ed25519(key, message, bytes.fromhex(given.signature))


def catch_up(events: int = 20_000) -> Measurement:
    """Measure all read models catching up, against writing the same rows from memory."""
    with fresh_app(FAIRLOG_SYNCHRONOUS="NORMAL") as app:
        for _ in range(4):
            lengthen(app, open_bench_session(app), events // 4)
        end = app.log.end()
        ours = timed(lambda: [catch_up_view(app.log, view) for view in app.read_models.followed])
        floor = _upserted(app.read_models)
    mine, least = end / ours / 1e3, end / floor / 1e3
    return Measurement(
        f"catch up {events:,} events, all views",
        mine,
        least,
        "k events/s",
        mine / least,
        0.1,
        least=True,
    )


def _upserted(views: ReadModels) -> float:
    """Return the seconds to write the rows of the read models into an empty file."""
    tables = {name: columns for view in views.followed for name, columns in view.tables.items()}
    rows: dict[str, list[tuple[Any, ...]]] = {
        name: [tuple(row) for row in views.store.select(f"SELECT * FROM {name}")] for name in tables
    }
    with tempfile.TemporaryDirectory(prefix="fairlog-bench-") as folder:
        raw = sqlite3.connect(Path(folder) / "raw.db", isolation_level=None)
        raw.execute("PRAGMA journal_mode=WAL")
        for name, columns in tables.items():
            raw.execute(f"CREATE TABLE {name} {columns}")
        taken = timed(lambda: _write(raw, rows))
        raw.close()
    return taken


def _write(raw: sqlite3.Connection, rows: dict[str, list[tuple[Any, ...]]]) -> None:
    for name, values in rows.items():
        for start in range(0, len(values), 1000):
            batch = values[start : start + 1000]
            raw.execute("BEGIN")
            raw.executemany(f"INSERT INTO {name} VALUES ({','.join('?' * len(batch[0]))})", batch)
            raw.execute("COMMIT")
