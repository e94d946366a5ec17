"""Another key follows the log's: whatever was signed before holds, what is signed from now on leads there."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.proof.signed_note import Vkey, open_checkpoint, parse_note, parse_vkey
from domain.verify import Evidence, verify
from domain.verify.single_draw import verify_roll
from service.platform import keys
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import FOLLOWED, LOG, NEXT, read_keys
from service.sessions.log_files import export_log, import_log
from tests.support.example import over
from tests.support.processes import run
from tests.support.server import SessionClient, TestServer, settings_in


def rotated(evening: SessionClient) -> Vkey:
    """The server goes on under another key; that key, as of this session."""
    house = evening.house
    made = keys.rotate_log_key(house.settings.keys)
    house.restart()
    return Vkey(own(evening).name, 1, bytes.fromhex(made.new))


def own(evening: SessionClient) -> Vkey:
    """The key that the session was opened under."""
    return parse_vkey(evening.house.app.log.read(evening.session).session.info.log_key)


@pytest.mark.parametrize(
    "content", [b"{", b"[" * 100_000, b'{"old":"00","new":"00","signature":"00"}', b"\xff"]
)
def test_a_file_that_does_not_say_which_keys_followed_is_named(
    content: bytes, tmp_path: Path
) -> None:
    keys.make_keys(tmp_path)
    (tmp_path / FOLLOWED).write_bytes(content)
    with pytest.raises(OSError, match=f"from a backup.*{FOLLOWED}"):
        read_keys(tmp_path)


def test_a_session_goes_on_and_is_checked_under_either_key(evening: SessionClient) -> None:
    before = list(export_log(evening.house.app, evening.session))
    second = rotated(evening)
    evening.go(*over())
    third = rotated(evening)
    after = list(export_log(evening.house.app, evening.session))
    for lines in (before, after):
        assert verify(lines, ed25519, Evidence(own(evening))).failure is None
    for key in (second, third):
        assert verify(after, ed25519, Evidence(key)).failure is None
        failure = verify(before, ed25519, Evidence(key)).failure
        assert failure
        assert failure.code == "E_UNTRUSTED_LOG"


def test_every_way_to_a_checkpoint_leads_to_the_new_key(evening: SessionClient) -> None:
    kept = evening.get("p1", "/checkpoint").text
    rotated(evening)
    key = own(evening)
    now = evening.get("p1", "/checkpoint").text
    assert open_checkpoint(kept, key, ed25519) == open_checkpoint(now, key, ed25519)
    assert len(parse_note(now).signatures) == 2
    proof = evening.get("p1", "/proofs/inclusion?version=3", Accept="text/plain").text
    assert open_checkpoint(proof.partition("\n\n")[2], key, ed25519).size == evening.version()
    roll = verify_roll(evening.get("p1", "/draws/0/proof").data, ed25519, key)
    assert roll.failure is None


def test_the_index_leads_there_too(evening: SessionClient) -> None:
    index = evening.house.app.index
    before = parse_vkey(index.log_key)
    rotated(evening)
    other = evening.house.open()
    client = evening.house.client
    assert open_checkpoint(client.get("/v1/index/checkpoint").text, before, ed25519).size == 2
    entries = client.get("/v1/index/entries").json["entries"]
    for entry, key in zip(entries, (own(evening), own(other)), strict=True):
        assert open_checkpoint(entry["note"], key, ed25519).size == entry["size"]
    assert own(other).public_key == evening.house.app.keys.log.public


def test_a_session_of_an_older_key_is_imported_with_its_lines(
    evening: SessionClient, tmp_path: Path
) -> None:
    rotated(evening)
    lines = list(export_log(evening.house.app, evening.session))
    other = TestServer(settings_in(tmp_path / "other"))
    import_log(other.app, lines)
    assert list(export_log(other.app, evening.session)) == lines
    other.close()


@pytest.mark.parametrize("ended", ["the next key is written", "what follows what is written"])
def test_a_rotation_that_ended_half_way_is_gone_on_with(evening: SessionClient, ended: str) -> None:
    folder = evening.house.settings.keys
    old = (folder / LOG).read_text()
    made = keys.rotate_log_key(folder)
    (folder / NEXT).write_text((folder / LOG).read_text())
    (folder / LOG).write_text(old)
    if ended == "the next key is written":
        (folder / FOLLOWED).unlink()
        assert read_keys(folder).log.public.hex() == made.old
    else:
        assert read_keys(folder).log.public.hex() == made.new
    evening.house.restart()
    evening.go(*over())
    rotated(evening)
    assert not (folder / NEXT).exists()
    lines = list(export_log(evening.house.app, evening.session))
    assert verify(lines, ed25519, Evidence(own(evening))).failure is None


def test_the_command_says_both_keys_and_deletes_the_old_one(evening: SessionClient) -> None:
    folder = evening.house.settings.keys
    old, private = read_keys(folder).log.public.hex(), (folder / LOG).read_text()
    said = run(evening.house.settings.data, "keys", "rotate")
    new = read_keys(folder).log.public.hex()
    assert (said.returncode, said.stderr) == (0, "")
    assert old in said.stdout
    assert new in said.stdout
    assert "Restart" in said.stdout
    assert [file.name for file in folder.iterdir() if private in file.read_text()] == []
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}
    shown = run(evening.house.settings.data, "keys").stdout
    assert shown.splitlines()[:2] == [f"signing key: {new}", f"earlier key: {old}"]
    assert private not in shown + said.stdout
    named = run(evening.house.settings.data, "keys", "--session", evening.session).stdout.strip()
    evening.house.restart()
    (folder.parent / "log.fairlog").write_bytes(
        b"".join(export_log(evening.house.app, evening.session))
    )
    checked = run(folder.parent, "verify", "--key", named, str(folder.parent / "log.fairlog"))
    assert checked.returncode == 0, checked.stdout
    assert "W_UNPINNED" not in checked.stdout
