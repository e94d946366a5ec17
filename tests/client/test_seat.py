"""One seat over a longer time: its next chain, its way back, its secrets, its cosignature, and `fairlog sit`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from service.client.api import ApiConnection, RequestRefusedError
from service.client.join import join, sit
from service.client.seat import MalformedCommandError
from service.client.seat_file import SeatFile, WrongSeatFileError
from tests.client.lying_server import lying
from tests.client.tables import Table, play, served, valid
from tests.support.example import EXAMPLE, as_json, brought
from tests.support.processes import Running, eventually, run

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("seats")) as served_at:
        yield served_at


@pytest.fixture
def table(url: str, tmp_path: Path) -> Iterator[Table]:
    with closing(Table(url, tmp_path, deadline=1)) as laid:
        laid.join("p1")
        laid.bring()
        yield laid


@pytest.mark.smoke
def test_a_seat_that_left_comes_back_by_its_key_and_next_chain(table: Table) -> None:
    seat = table.join("p2")
    key = seat.file.public_key
    play(table, "p2", "p1", "gm")
    seat.leave()
    seat.close()
    play(table, "p1", "gm")
    table.sittings["p2"] = back = join(table.url, table.invite("p2"), table.file("p2"))
    assert (back.file.public_key, back.watcher.chains.state_of("p2").chain) == (key, 1)
    play(table, "p2", "p1", "gm")
    assert valid(table)


@pytest.mark.smoke
def test_a_program_that_is_killed_while_it_joins_gets_its_seat(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = table.invite("p2")
    with monkeypatch.context() as killed:
        killed.setattr(SeatFile, "save", interrupted)
        with pytest.raises(KeyboardInterrupt):
            join(table.url, code, table.file("p2"), name="Mo")
    assert not table.file("p2").exists()
    table.sittings["p2"] = seat = join(table.url, code, table.file("p2"), name="Mo")
    assert (seat.data.seat, sorted(file.name for file in table.folder.glob(".*"))) == ("p2", [])
    play(table, "p2", "p1", "gm")


def interrupted(_: SeatFile) -> None:
    raise KeyboardInterrupt


def test_a_ticket_that_was_used_continues_with_its_file_and_touches_no_other(table: Table) -> None:
    gm = table.gm.data
    ticket = {
        "session": gm.session,
        "seat": "gm",
        "token": gm.token,
        "log_key": gm.log_key,
        "origin": gm.origin,
    }
    table.gm.close()
    table.sittings["gm"] = again = sit(table.url, ticket, table.file("gm"))
    assert again.data.key == gm.key
    play(table, "p1", "gm")
    before = table.file("p1").read_bytes()
    with pytest.raises(WrongSeatFileError, match="belongs to seat p1"):
        sit(table.url, ticket, table.file("p1"))
    assert table.file("p1").read_bytes() == before


def test_a_malformed_command_is_not_sent(table: Table) -> None:
    for command in ({"kind": "nothing"}, as_json(EXAMPLE.draw) | {"more": 1}, None):
        with pytest.raises(MalformedCommandError, match="malformed"):
            table.sittings["p1"].command(command)
    assert table.sittings["p1"].data.asked == []


def test_a_refused_command_may_not_be_declared_later(table: Table) -> None:
    table.sittings["p1"].poll()
    with pytest.raises(RequestRefusedError) as caught:
        table.sittings["p1"].command(as_json(brought("ana", "Ana")))
    assert caught.value.rule
    assert table.sittings["p1"].data.asked == []


@pytest.mark.parametrize("audience", ["gm", "self", "blind"])
def test_a_secret_command_is_its_own(table: Table, audience: str) -> None:
    table.sittings["p1"].command(as_json(EXAMPLE.draw), audience=audience)
    for sitting in table.sittings.values():
        sitting.poll()
    assert table.state(0)["status"] == "drawn"
    assert table.sittings["p1"].data.asked == []


def test_it_cosigns_what_it_has_checked(table: Table) -> None:
    seat = table.sittings["p1"]
    seat.check_checkpoint()
    assert seat.cosign()
    player = ApiConnection(table.url, seat.data.token)
    [shown] = player.get(f"{seat.path}/cosignatures").json["cosignatures"]
    player.close()
    assert (shown["seat"], shown["size"]) == ("p1", seat.data.size)


def test_sit_ends_with_2_where_the_log_lies(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "p2.seat"
    notes: list[str] = []  # as the seat has seen them

    def stale(path: str, answer: Any) -> None:
        if path.endswith("/checkpoint"):
            notes.append(answer["note"])
        elif path.endswith("/draws/pending") and "number" in answer:
            answer["checkpoint"] = notes[-1]  # it does not cover the draw

    with lying(table.url) as liar:
        liar.bend = stale
        process = Running(
            tmp_path, "sit", f"{liar.url}/join/{table.invite('p2')}", "--file", str(file)
        )
        process.until_said("^taking part as")
        assert eventually(lambda: len(notes) > 1)  # the seat listens
        table.ask()
        process.until_said("^E_UNSIGNED: ")
        process.process.wait(20)
        process.stop()
    assert process.process.returncode == 2
    evidence = json.loads((tmp_path / "p2.seat.E_UNSIGNED.json").read_text())
    assert json.loads(evidence["answer"])["number"] == 0
    assert evidence["checkpoint"] == SeatFile.read(file).data.note
    assert table.state(0)["contributed"] == []


def test_sit_asks_again_while_the_server_cannot_answer(url: str, tmp_path: Path) -> None:
    with closing(Table(url, tmp_path, deadline=30)) as table, lying(url) as liar:
        table.join("p1")
        table.bring()
        file = str(tmp_path / "p2.seat")
        process = Running(tmp_path, "sit", f"{liar.url}/join/{table.invite('p2')}", "--file", file)
        process.until_said("^taking part as")
        liar.is_away = True
        table.ask()
        process.until_said("^the server is not responding")
        liar.is_away = False
        assert table.sittings["p1"].poll()
        assert table.gm.poll()
        assert eventually(lambda: table.state(0)["status"] == "drawn")
        process.stop()
        assert [each["seat"] for each in table.state(0)["contributors"]] == [
            "gm",
            "house",
            "p1",
            "p2",
        ]


@pytest.mark.parametrize(("host", "is_warned"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_sit_warns_of_plain_http_to_another_machine(
    url: str, tmp_path: Path, host: str, is_warned: bool
) -> None:
    with closing(Table(url, tmp_path)) as table:
        address = table.gm.data.server.replace("127.0.0.1", host)
        process = Running(
            tmp_path,
            "sit",
            f"{address}/join/{table.invite('p2')}",
            "--file",
            str(tmp_path / "p2.seat"),
        )
        process.until_said("^taking part as")
        process.stop()
        assert ("not encrypted" in "".join(process.heard + process.rest())) is is_warned


def test_sit_ends_with_3_where_there_is_no_seat(url: str, tmp_path: Path) -> None:
    file = str(tmp_path / "none.seat")
    assert run(tmp_path, "sit", url, "--file", file).returncode == 3
    assert run(tmp_path, "sit", url, "no-such-code", "--file", file).returncode == 3
    assert run(tmp_path, "sit", "nowhere").returncode == 3
