"""Keys or an origin that are not those of the log are told by doctor, and by a backup that could not act for it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from service import signing
from service.belonging import belonging
from service.deleting import delete
from service.signing import ANOTHER, FOLLOWED, HOUSE, LOG, make_keys, read_keys
from tests.running import run
from tests.service.http.playing import House, settings_in


def another(key: str) -> Callable[[House], None]:
    """The file of a key of another server, in the place of ours."""

    def put(house: House) -> None:
        make_keys(house.settings.data / "of another")
        (house.settings.data / "of another" / key).replace(house.settings.keys / key)

    return put


def follow(house: House) -> None:
    signing.rotate(house.settings.keys)


def forget_the_session(house: House) -> None:
    [session] = {entry.session for entry in house.app.index.page(0, 10)}
    delete(house.app, session)


@pytest.mark.parametrize(
    ("happens", "origin", "found", "todo"),
    [
        (lambda house: None, "fairlog.local", "with these keys, as fairlog.local", ""),
        (follow, "fairlog.local", "with these keys, as fairlog.local", ""),
        (forget_the_session, "fairlog.local", "with these keys, as fairlog.local", ""),
        (another(LOG), "fairlog.local", "another log.key", "put the log.key of a backup there"),
        (another(HOUSE), "fairlog.local", "another house.key", "put the house.key of a backup there"),
        (lambda house: None, "dice.example", "as fairlog.local", "set FAIRLOG_ORIGIN=fairlog.local"),
    ],
)
def test_what_the_log_was_not_signed_with_is_told(
    tmp_path: Path, happens: Callable[[House], None], origin: str, found: str, todo: str
) -> None:
    with closing(House(settings_in(tmp_path))) as house:
        house.open()
        happens(house)
    with closing(House(settings_in(tmp_path, FAIRLOG_ORIGIN=origin))) as house:
        said = belonging(house.app)
        assert (found in said.found, said.todo[: len(todo)], bool(said.todo)) == (True, todo, bool(todo))


def test_doctor_and_backup_say_so(tmp_path: Path) -> None:
    with closing(House(settings_in(tmp_path))) as house:
        house.open()
        another(LOG)(house)
    doctor = run(tmp_path, "doctor", COLUMNS="200")
    backup = run(tmp_path, "backup", str(tmp_path / "b.tar"))
    assert (tmp_path / "b.tar").exists()
    for said in (doctor.stdout, backup.stderr):
        assert "its last session was signed with another log.key" in said
        assert "put the log.key of a backup there" in said
    assert (doctor.returncode, backup.returncode, backup.stdout) == (1, 1, "")


def test_a_key_that_did_not_follow_the_one_before_is_named(tmp_path: Path) -> None:
    with closing(House(settings_in(tmp_path))) as house:
        house.open()
        follow(house)
        assert (house.settings.keys / FOLLOWED).exists()
        another(LOG)(house)
        with pytest.raises(OSError, match="followed the log's keys before"):
            read_keys(house.settings.keys)
    for command in (["serve"], ["export", "0" * 32]):
        said = run(tmp_path, *command)
        assert (said.returncode, said.stderr) == (1, f"Error: cannot use {tmp_path}/keys/{LOG}: {ANOTHER}\n")
    doctor = run(tmp_path, "doctor", COLUMNS="200")
    found, _, todo = ANOTHER.partition(": ")
    assert (doctor.returncode, found in doctor.stdout, todo in doctor.stdout) == (1, True, True)


def test_before_the_first_session_there_is_nothing_to_be_strange_to(tmp_path: Path) -> None:
    with closing(House(settings_in(tmp_path))) as house:
        assert belonging(house.app).todo == ""
