"""Keys or an origin that are not those of the log are told by doctor, and by a backup that could not act for it."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.cli.main import cli
from service.ops.backup import BackupManifest, back_up
from service.ops.health import HealthFinding, check_keys, check_signatures
from service.platform import keys as signing
from service.platform.keys import (
    FOLLOWED,
    HOUSE,
    LOG,
    MISSING_KEY,
    NEXT,
    UNLINKED_KEY,
    make_keys,
    read_keys,
)
from service.platform.settings import Settings
from service.sessions.deletion import delete
from service.sessions.log_files import export_log, import_log
from tests.support.processes import run
from tests.support.server import TestServer, settings_in

Happens = Callable[[TestServer], object]


def found(house: TestServer) -> HealthFinding:
    """By a process that starts now."""
    house.restart()
    return check_signatures(house.app)


def another(key: str) -> Happens:
    """The file of a key of another server, in the place of ours."""

    def put(house: TestServer) -> None:
        strange = house.settings.data / "of another"
        make_keys(strange)
        (strange / key).replace(house.settings.keys / key)

    return put


def rotate(house: TestServer) -> None:
    signing.rotate_log_key(house.settings.keys)
    house.restart()


def lose(name: str) -> Happens:
    return lambda house: (house.settings.keys / name).unlink()


def rotate_and_open(house: TestServer) -> None:
    rotate(house)
    house.open()


def back_over(happens: Happens) -> Happens:
    """The keys of before a rotation come back, over what happened behind it."""

    def over(house: TestServer) -> None:
        evening, keys = house.open(), house.settings.keys
        before = {file: file.read_bytes() for file in keys.iterdir()}
        rotate(house)
        happens(house)
        assert evening.post("gm", "/close", {"carry_over": False}).status_code == 201
        (keys / FOLLOWED).unlink()
        for file, content in before.items():
            file.write_bytes(content)

    return over


def open_with(wrong: Happens) -> Happens:
    """A session more, after that."""

    def then(house: TestServer) -> None:
        wrong(house)
        house.restart()
        house.open()

    return then


def deleted_again(house: TestServer, key: str) -> None:
    """A session that was opened with another key, and that key, are gone again."""
    right = (house.settings.keys / key).read_bytes()
    open_with(another(key))(house)
    delete(house.app, house.app.index.page(1, 1)[0].session)
    (house.settings.keys / key).write_bytes(right)


def follow_half(house: TestServer) -> None:
    """The first advice of somebody in a hurry: the right log.key, without what leads to it."""
    rotate_and_open(house)
    (house.settings.keys / FOLLOWED).unlink()


def delete_all(house: TestServer) -> None:
    for session in {entry.session for entry in house.app.index.page(0, 10)}:
        delete(house.app, session)


def fork(house: TestServer) -> None:
    parent = house.open()
    assert parent.post("gm", "/forks", {"version": parent.version()}).status_code == 201


def import_one(house: TestServer) -> None:
    with closing(TestServer(settings_in(house.settings.data / "elsewhere"))) as other:
        import_log(house.app, list(export_log(other.app, other.open().session)))


def spoil_the_index(house: TestServer) -> None:
    house.app.recorder.write(("UPDATE index_entries SET note=?", [("x",)]))


HOLDS: dict[str, list[Happens]] = {
    "as it was": [],
    "another key follows": [rotate],
    "four follow, and the last opens": [rotate, rotate, rotate, rotate_and_open],
    "all sessions deleted": [delete_all],
    "a fork": [fork],
    "a session of another server": [import_one],
    "only such": [import_one, delete_all],
    "what was opened with another log.key is deleted": [lambda house: deleted_again(house, LOG)],
    "what was opened with another house.key is deleted": [
        lambda house: deleted_again(house, HOUSE)
    ],
}
STRANGE: dict[str, tuple[list[Happens], str]] = {
    "another log.key": ([another(LOG)], "move the current key files"),
    "keys of before a rotation": ([back_over(TestServer.open)], "move the current key files"),
    "the same, and nothing was opened since": (
        [back_over(TestServer.restart)],
        "move the current key files",
    ),
    "what leads to the key is lost": ([follow_half], "move the current key files"),
    "a session was opened with another log.key": (
        [open_with(another(LOG))],
        "move the current key files",
    ),
    "a session was opened with another house.key": (
        [open_with(another(HOUSE))],
        "move the current key files",
    ),
    "another house.key": ([another(HOUSE)], "move the current key files"),
    "an index that nobody wrote": ([spoil_the_index], "restore the log"),
}


@pytest.mark.parametrize("happens", HOLDS.values(), ids=HOLDS)
def test_keys_that_can_sign_for_every_session_are_said_to(
    house: TestServer, happens: list[Happens]
) -> None:
    house.open()
    for each in happens:
        each(house)
    assert found(house).todo == ""


@pytest.mark.parametrize(("happens", "todo"), STRANGE.values(), ids=STRANGE)
def test_keys_that_the_log_was_not_signed_with_are_told(
    house: TestServer, happens: list[Happens], todo: str
) -> None:
    house.open()
    for each in happens:
        each(house)
    assert found(house).todo.startswith(todo)


def test_before_the_first_session_there_is_nothing_to_be_strange_to(house: TestServer) -> None:
    assert found(house).todo == ""


@pytest.mark.parametrize(
    ("opened_as", "now", "todo"),
    [
        (["a.example"], "a.example", ""),
        ([], "a.example", ""),
        (["a.example"], "b.example", "set FAIRLOG_ORIGIN=a.example"),
        (["a.example", "b.example"], "a.example", ""),  # a mistake that was mended
        (["a.example", "b.example"], "b.example", ""),  # tried out under another one first
        (["a.example", "b.example"], "c.example", "set FAIRLOG_ORIGIN=b.example"),
    ],
)
def test_an_origin_that_no_end_of_the_log_has_is_told(
    tmp_path: Path, opened_as: list[str], now: str, todo: str
) -> None:
    for origin in opened_as:
        with closing(TestServer(settings_in(tmp_path, FAIRLOG_ORIGIN=origin))) as house:
            house.open()
    with closing(TestServer(settings_in(tmp_path, FAIRLOG_ORIGIN=now))) as house:
        _, said = check_keys(house.app)
    assert (said.todo.startswith(todo), bool(said.todo)) == (True, bool(todo))


@pytest.mark.parametrize(
    ("happens", "told"),
    [
        (
            another(LOG),
            "1 session used a key that is not in log.key or log.followed, for example session {session}: move the current",
        ),
        (lose(LOG), f"cannot use {{keys}}/log.key: {MISSING_KEY}"),
        (lose(HOUSE), f"cannot use {{keys}}/house.key: {MISSING_KEY}"),
    ],
)
def test_a_backup_is_written_and_says_so(tmp_path: Path, happens: Happens, told: str) -> None:
    with closing(TestServer(settings_in(tmp_path / "data"))) as house:
        evening = house.open()
        happens(house)
    file = tmp_path / "b.tar"
    said, doctor = (
        run(house.settings.data, "backup", str(file)),
        run(house.settings.data, "doctor", COLUMNS="200"),
    )
    with tarfile.open(file) as packed:
        assert packed.getnames()[-1] == "events.db"
    assert (said.returncode, said.stdout, doctor.returncode) == (1, "", 1)
    words = told.format(session=evening.session, keys=house.settings.keys)
    assert said.stderr.startswith(f"Error: {file} was written, but it may be unusable: {words}")
    assert said.stderr.endswith(". Correct this, then back up again.\n")


def test_what_comes_back_to_another_origin_says_so(house: TestServer, tmp_path: Path) -> None:
    house.open()
    back_up(house.settings, tmp_path / "b.tar")
    for origin in ("fairlog.local", "dice.example"):
        said = run(tmp_path / origin, "restore", str(tmp_path / "b.tar"), FAIRLOG_ORIGIN=origin)
        told = "origin: dice.example, but the sessions' origin is fairlog.local: set FAIRLOG_ORIGIN=fairlog.local"
        assert (said.returncode, told in said.stdout) == (0, origin == "dice.example")


def test_a_backup_over_which_a_key_followed_holds(
    house: TestServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the copy and the look at its keys another process rotates them, and opens a session."""
    house.open()

    def meanwhile(settings: Settings, file: Path) -> BackupManifest:
        about = back_up(settings, file)
        rotate_and_open(house)
        return about

    monkeypatch.setattr("service.ops.backup.back_up", meanwhile)
    before = read_keys(house.settings.keys).log.public
    said = CliRunner().invoke(
        cli, ["backup", str(tmp_path / "b.tar")], env=house.settings.environ()
    )
    assert (said.exit_code, said.stderr) == (0, "")
    assert read_keys(house.settings.keys).log.public != before


def test_a_key_that_did_not_follow_the_one_before_is_named(tmp_path: Path) -> None:
    with closing(TestServer(settings_in(tmp_path))) as house:
        house.open()
        rotate(house)
        keys = house.settings.keys
        assert (keys / FOLLOWED).exists()
        another(LOG)(house)
        for stray in ("", "11" * 32):  # what a rotation left that ended before it counted
            if stray:
                (keys / NEXT).write_text(stray)
            with pytest.raises(OSError, match="differs from this key"):
                read_keys(keys)
    for command in (["serve"], ["export", "0" * 32]):
        said = run(tmp_path, *command)
        assert (said.returncode, said.stderr) == (
            1,
            f"Error: cannot use {tmp_path}/keys/{LOG}: {UNLINKED_KEY}\n",
        )
    doctor = run(tmp_path, "doctor", COLUMNS="200")
    assert doctor.returncode == 1
    assert [
        word for word in UNLINKED_KEY.replace(":", "").split() if word not in doctor.stdout
    ] == []
