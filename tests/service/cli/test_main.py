"""The `fairlog` command: helps that say what is next, statuses, one line for what is wrong, logs that move."""

from __future__ import annotations

import gzip
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from domain.codec import encode
from domain.decider import Role
from domain.proof.signed_note import ED25519, Vkey, vkey_text
from domain.recorded_event import leaf_of
from domain.rulesets import RULESETS
from domain.session.messages import Close, Declare, Narrate, Narrated, Open, TakeSeat
from service.cli.main import COMMANDS, cli
from service.jobs.status import QUEUE_AWAY
from service.ops.migrate import prepare
from service.platform import clock
from service.platform.settings import Settings
from service.sessions.app import App, build
from service.sessions.checkpoints import imported_checkpoints
from service.sessions.command_handler import handle, open_session
from service.sessions.idempotency import RequestIdentity
from service.sessions.log_files import LogImportError, export_log, import_log
from tests.support.example import EXAMPLE, to_draw
from tests.support.processes import ROOT, Running, eventually, run
from tests.support.scale import LONG

WITH_EXAMPLE = [
    name for name in COMMANDS if name not in ("sit", "verify", "tell", "docs", "witness", "stats")
]


def app_in(data: Path) -> App:
    settings = Settings.read({"FAIRLOG_DATA": str(data)})
    prepare(settings)
    return build(settings)


def asked() -> RequestIdentity:
    return RequestIdentity("gm", clock.random_session_id(), b"")


def opened(app: App) -> str:
    """A session of the first room, with a turn that draws, a narration and the close."""
    session, ruleset = clock.random_session_id(), RULESETS[0]
    origin = f"{app.settings.origin}/sessions/{session}"
    key = vkey_text(Vkey(origin, ED25519, app.keys.log.public))
    open_session(
        app,
        session,
        Open(ruleset.name, ruleset.edition, "Friday", {}, key),
        TakeSeat("gm", Role.GM, "Mo"),
        asked(),
    )
    for wish in (EXAMPLE.guest, *(command for _, command in to_draw(entity="rat"))):
        handle(app, session, Declare(msgspec.Raw(encode(wish))), asked())
    handle(app, session, Narrate("Squeak."), asked())
    handle(app, session, Close(carry_over=True), asked())
    return session


@pytest.fixture
def played(tmp_path: Path) -> Iterator[tuple[App, str]]:
    with closing(app_in(tmp_path / "played")) as app:
        yield app, opened(app)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[App]:
    with closing(app_in(tmp_path / "empty")) as app:
        yield app


@pytest.mark.parametrize("name", COMMANDS)
def test_help(name: str) -> None:
    said = CliRunner().invoke(cli, [name, "--help"], prog_name="fairlog")
    assert said.exit_code == 0
    assert f"Usage: fairlog {name}" in said.output


@pytest.mark.parametrize("name", WITH_EXAMPLE)
def test_help_says_what_to_type_and_what_is_next(name: str) -> None:
    said = CliRunner().invoke(cli, [name, "--help"], prog_name="fairlog").output
    assert f"fairlog {name}" in said.partition("Example:")[2]
    assert "Next:" in said or "and then" in said


def test_the_list_is_whole() -> None:
    said = CliRunner().invoke(cli, [], prog_name="fairlog").output
    assert [name for name in COMMANDS if f"\n  {name} " not in said] == []


def test_verify_loads_no_server() -> None:
    heavy = ("eventsourcing", "flask", "psycopg", "redis", "rq", "scipy", "service.store.event_log")
    program = f"""
import sys
from service.cli.main import cli
cli(["verify", "--help"], standalone_mode=False)
print([name for name in {heavy} if name in sys.modules])"""
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert said.stdout.splitlines()[-1] == "[]"


def test_without_postgresql_its_driver_is_not_loaded(empty: App) -> None:
    program = """
import sys
from service.ops.migrate import find_missing, prepare
from service.sessions.app import build
from service.platform.settings import Settings
settings = Settings.read({"FAIRLOG_DATA": sys.argv[1]})
prepare(settings)
assert not find_missing(settings)
build(settings).close()
print("psycopg" in sys.modules)"""
    command = [sys.executable, "-c", program, str(empty.settings.data)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["nothing"], 2),
        (["serve", "--only", "mail"], 2),
        (["serve", "--only", "web", "--demo"], 2),
        (["export"], 2),
        (["import", "nowhere.fairlog"], 2),
        (["verify"], 3),
        (["tell"], 3),
        (["stats"], 3),
    ],
)
def test_wrong_usage(arguments: list[str], status: int) -> None:
    assert CliRunner().invoke(cli, arguments).exit_code == status


@pytest.mark.parametrize("name", ["serve", "worker", "follow", "doctor", "migrate"])
def test_a_bad_setting_is_one_line(name: str, tmp_path: Path) -> None:
    said = run(tmp_path / "data", name, FAIRLOG_PORT="99999")
    assert said.returncode == 2
    assert (
        said.stderr
        == "Error: FAIRLOG_PORT is '99999', but must be a whole number from 0 to 65535\n"
    )
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("arguments", [["rebuild"], ["export", "0" * 32], ["import", __file__]])
def test_without_a_log_there_is_one_line(arguments: list[str], tmp_path: Path) -> None:
    said = run(tmp_path / "data", *arguments)
    assert said.returncode == 1
    assert "there is no log" in said.stderr
    assert len(said.stderr.splitlines()) == 1
    assert not (tmp_path / "data").exists()


def test_migrate_makes_what_is_missing_and_no_more(tmp_path: Path) -> None:
    assert run(tmp_path, "migrate").returncode == 0
    key = (tmp_path / "keys" / "log.key").read_text()
    assert run(tmp_path, "migrate").returncode == 0
    assert (tmp_path / "keys" / "log.key").read_text() == key


def test_a_taken_port_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = run(tmp_path, "serve", FAIRLOG_PORT=str(taken.getsockname()[1]))
    assert said.returncode == 1
    assert "cannot listen" in said.stderr
    assert "Traceback" not in said.stderr


def test_jobs_of_a_queue_that_is_away_say_what_to_do(empty: App) -> None:
    said = run(empty.settings.data, "jobs", REDIS_URL="redis://127.0.0.1:1/0")
    assert (said.returncode, said.stdout) == (1, "")
    assert said.stderr == (
        f"Error: {QUEUE_AWAY} (Error 111 connecting to 127.0.0.1:1. Connection refused.)\n"
    )


def test_it_says_which_version_it_is(tmp_path: Path) -> None:
    assert run(tmp_path, "--version").stdout == f"fairlog {version('fairlog')}\n"


def test_doctor_on_nothing_changes_nothing(tmp_path: Path) -> None:
    said = run(tmp_path / "data", "doctor")
    assert said.returncode == 1
    assert "does not exist" in said.stdout
    assert not (tmp_path / "data").exists()


def test_doctor_sees_a_broken_log_and_open_keys(empty: App) -> None:
    data = empty.settings.data
    empty.settings.log_file.write_bytes(b"not a database, for sure")
    (data / "keys" / "log.key").chmod(0o644)
    said = run(data, "doctor", COLUMNS="200")
    assert said.returncode == 1
    assert "not a database" in said.stdout
    assert "restore the file from a backup" in said.stdout
    assert "chmod 600" in said.stdout


def test_doctor_sees_what_is_behind_and_away(played: tuple[App, str]) -> None:
    app, _ = played
    said = run(app.settings.data, "doctor", COLUMNS="200")
    assert said.returncode == 1
    behind = app.log.end()
    assert said.stdout.count(f"{behind} events behind") == len(app.read_models.followed)
    assert "correct REDIS_URL" in said.stdout
    assert run(app.settings.data, "rebuild").returncode == 0
    healthy = run(app.settings.data, "doctor", COLUMNS="200").stdout
    assert healthy.count("up to date with the log") == len(app.read_models.followed)


@pytest.mark.long
def test_doctor_on_a_live_server(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    running = Running(tmp_path, "serve", FAIRLOG_PORT=port)
    try:
        running.url()
        assert eventually(lambda: run(tmp_path, "doctor", FAIRLOG_PORT=port).returncode == 0)
        said = run(tmp_path, "doctor", FAIRLOG_PORT=port, COLUMNS="200").stdout
        assert "1 running" in said
        assert f"ok at http://127.0.0.1:{port}" in said
        assert "✗" not in said
    finally:
        running.stop()
    assert running.children() == set()


NOWHERE = "/proc/nowhere"
"""Where nobody can make anything, not even root."""


@pytest.mark.parametrize(
    "command",
    ["migrate", "serve", "serve --demo", "serve --only web", "worker", "follow"]
    if LONG
    else ["serve"],
)
@pytest.mark.parametrize("place", ["{file}", "{file}/below", NOWHERE])
def test_a_data_directory_that_cannot_be_is_one_line(
    command: str, place: str, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.touch()
    said = run(Path(place.format(file=file)), *command.split())
    assert said.returncode == 1
    assert said.stdout == ""
    assert re.fullmatch(rf"Error: .*{place.format(file=file)}.*\n", said.stderr)


def test_a_broken_log_is_one_line(empty: App) -> None:
    empty.settings.log_file.write_bytes(b"not a database, for sure")
    for command in (["migrate"], ["rebuild"], ["export", "0" * 32], ["serve"]):
        said = run(empty.settings.data, *command)
        assert said.returncode == 1
        assert (
            said.stderr.strip()
            == "Error: cannot use the database in FAIRLOG_DATA: file is not a database"
        )


@pytest.mark.parametrize("place", ["{file}/below", NOWHERE, "{file}/no/such/folder"])
def test_an_export_that_cannot_be_written_is_one_line(
    place: str, played: tuple[App, str], tmp_path: Path
) -> None:
    app, session = played
    (tmp_path / "file").touch()
    output = place.format(file=tmp_path / "file")
    said = run(app.settings.data, "export", session, "-o", output)
    assert said.returncode == 1
    assert re.fullmatch(rf"Error: cannot write {output}: .+\n", said.stderr)


def test_an_export_over_a_folder_is_wrong_usage_and_leaves_nothing(
    played: tuple[App, str], tmp_path: Path
) -> None:
    app, session = played
    (tmp_path / "folder").mkdir()
    before = set(tmp_path.iterdir())
    assert run(app.settings.data, "export", session, "-o", str(tmp_path / "folder")).returncode == 2
    assert set(tmp_path.iterdir()) == before


def test_logs_that_cannot_be_kept_are_one_line_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = run(tmp_path / "data", "demo", "--keep", str(tmp_path / "file" / "logs"))
    assert (said.returncode, said.stdout) == (1, "")
    assert re.fullmatch(r"Error: cannot use .+\n", said.stderr)


def test_rebuild_of_one_view_and_of_none_such(played: tuple[App, str]) -> None:
    app, _ = played
    assert (
        run(app.settings.data, "rebuild", "timeline").stdout
        == f"timeline: {app.log.end()} events applied\n"
    )
    assert run(app.settings.data, "rebuild", "timelines").returncode == 2


def test_export_and_verify(played: tuple[App, str], tmp_path: Path) -> None:
    app, session = played
    file = tmp_path / "friday.fairlog"
    file.touch(0o644)
    said = run(app.settings.data, "export", session, "-o", str(file))
    assert (said.returncode, said.stdout) == (0, "")
    assert said.stderr == f"{file} contains every secret of the session\n"
    assert file.read_bytes() == b"".join(export_log(app, session))
    assert file.stat().st_mode & 0o777 == 0o600
    said = run(app.settings.data, "export", session)
    assert said.stdout.encode() == file.read_bytes()
    assert said.stderr == "the output contains every secret of the session\n"
    key = app.log.read(session).session.info.log_key
    assert run(tmp_path / "none", "verify", str(file), "--key", key).returncode == 0
    assert "Squeak" in run(tmp_path / "none", "tell", str(file)).stdout


@pytest.mark.parametrize("session", ["0" * 32, "friday", "../keys"])
def test_export_of_no_session(session: str, empty: App, tmp_path: Path) -> None:
    said = run(empty.settings.data, "export", session, "-o", str(tmp_path / "file"))
    assert (said.returncode, said.stderr) == (
        1,
        f"Error: there is no session {session} on this server\n",
    )
    assert not (tmp_path / "file").exists()


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_log_moves_and_comes_back(
    pack: type[bytes], played: tuple[App, str], empty: App, tmp_path: Path
) -> None:
    app, session = played
    file = tmp_path / "friday.fairlog"
    file.write_bytes(pack(b"".join(export_log(app, session))))
    said = run(empty.settings.data, "import", str(file))
    assert (said.returncode, said.stderr.strip()) == (0, "")
    assert session in said.stdout
    ours, theirs = app.log.read_events(session), empty.log.read_events(session)
    assert theirs == ours
    assert [leaf_of(fact) for fact in theirs] == [leaf_of(fact) for fact in ours]
    assert empty.log.read(session).frontier == app.log.read(session).frontier
    assert b"".join(export_log(empty, session)) == b"".join(export_log(app, session))
    assert imported_checkpoints(empty, session)
    assert not imported_checkpoints(app, session)


def test_an_import_comes_once(played: tuple[App, str], empty: App) -> None:
    app, session = played
    lines = list(export_log(app, session))
    import_log(empty, lines)
    for log in (app, empty):
        with pytest.raises(LogImportError, match="already on this server"):
            import_log(log, lines)
    assert empty.log.end() == len(app.log.read_events(session))


BENT = {
    "a bent word": lambda lines: [line.replace(b"Squeak", b"Squawk") for line in lines],
    "a line gone": lambda lines: lines[:3] + lines[4:],
    "two lines changed about": lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]],
    "no checkpoint": lambda lines: lines[:-1],
    "half a line": lambda lines: [*lines[:-1], lines[-1][:20]],
    "nothing": lambda lines: [],
    "sealed": lambda lines: [_sealed(line) if b"Squeak" in line else line for line in lines],
}


def _sealed(line: bytes) -> bytes:
    return line[: line.index(b',"opening"')] + b"}\n"


@pytest.mark.parametrize("name", BENT)
def test_what_does_not_hold_is_not_stored(name: str, played: tuple[App, str], empty: App) -> None:
    app, session = played
    with pytest.raises(LogImportError):
        import_log(empty, BENT[name](list(export_log(app, session))))
    assert empty.log.end() == 0
    assert not imported_checkpoints(empty, session)


def test_a_bent_file_is_one_line(played: tuple[App, str], empty: App, tmp_path: Path) -> None:
    app, session = played
    [squeak] = [
        fact.version for fact in app.log.read_events(session) if isinstance(fact.body, Narrated)
    ]
    file = tmp_path / "bent.fairlog"
    file.write_bytes(b"".join(export_log(app, session)).replace(b"Squeak", b"Squawk"))
    said = run(empty.settings.data, "import", str(file))
    assert said.returncode == 1
    assert f"version {squeak} (level bytes) with the error E_BODY" in said.stderr
    assert "Traceback" not in said.stderr


WITHOUT_EXTRAS = """
import sys
for name in ("eventsourcing", "flask", "marshmallow", "redis", "rq", "scipy", "structlog"):
    sys.modules[name] = None
from service.cli.main import main
main()
"""


@pytest.mark.parametrize(
    ("arguments", "status", "expected"),
    [
        (["--help"], 0, "  jobs     (needs `pip install 'fairlog[server]'`)"),
        (["serve"], 1, "Error: the command serve needs the package"),
        (["jobs", "list"], 1, "Error: the command jobs needs the package"),
        (["verify", "nothing.fairlog"], 3, "nothing.fairlog"),
    ],
)
def test_without_the_extras_each_command_says_what_it_needs(
    arguments: list[str], status: int, expected: str, tmp_path: Path
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS, *arguments],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == status, ran.stderr
    assert expected in ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr
