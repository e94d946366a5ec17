"""Six seats at a table over HTTP: every draw is the table's, and none is given up."""

from __future__ import annotations

import signal
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.client.tables import PLAYERS, Table, listening, served, valid
from tests.support.processes import Running, eventually
from tests.support.scale import scale

DRAWS = scale(4, 200)


def drawn(table: Table, k: int) -> bool:
    return table.gm.watcher.open_draw is None and table.gm.watcher.k == k + 1


def test_every_draw_of_six_seats_is_graded_a(tmp_path: Path) -> None:
    with served(tmp_path / "data") as url, closing(Table(url, tmp_path)) as table:
        for seat in PLAYERS:
            table.join(seat)
        table.bring()
        times = []
        with listening(*table.sittings.values()) as raised:
            for k in range(DRAWS):
                began = time.monotonic()
                assert table.ask()["waiting"]["number"] == k
                assert eventually(partial(drawn, table, k)), raised
                times.append(time.monotonic() - began)
                table.settle()
        median, most = 1000 * sorted(times)[DRAWS // 2], 1000 * max(times)
        print(f"{DRAWS} draws of six seats: median {median:.0f} ms, most {most:.0f} ms")
        assert raised == []
        assert {(table.state(k)["status"], *table.grades(k)) for k in range(DRAWS)} == {
            ("drawn", "A")
        }
        assert valid(table)


@pytest.mark.long
def test_a_seat_that_is_killed_costs_one_draw_and_comes_back_from_its_file(tmp_path: Path) -> None:
    with served(tmp_path / "data") as url, closing(Table(url, tmp_path, deadline=1)) as table:
        table.join("p1")
        table.join("p3")
        table.bring()
        link = f"{url}/join#{table.invite('p2')}"
        process = Running(tmp_path, "sit", link, "--file", str(table.file("p2")))
        with listening(*table.sittings.values()) as raised:
            process.until_said("^taking part as")
            table.ask()
            assert eventually(partial(drawn, table, 0)), raised
            table.settle()
            process.process.send_signal(signal.SIGSTOP)
            table.ask()
            assert eventually(lambda: set(table.state(1)["contributed"]) == {"gm", "p1", "p3"}), (
                raised
            )
            process.kill()
            assert eventually(lambda: table.state(1)["status"] == "void"), raised
            assert table.state(1)["missing"] == ["p2"]
            table.ask()
            assert eventually(partial(drawn, table, 2)), raised
            table.settle()
            again = Running(tmp_path, "sit", url, "--file", str(table.file("p2")))
            again.until_said("^taking part as")
            table.ask()
            assert eventually(partial(drawn, table, 3)), raised
            again.until_said("grade A")
            again.stop(signal.SIGINT)
            assert eventually(lambda: not table.gm.watcher.chains.state_of("p2").can_contribute), (
                raised
            )
        assert (raised, again.process.returncode) == ([], 0)
        assert [table.state(k)["status"] for k in range(4)] == ["drawn", "void", "drawn", "drawn"]
        assert [each["seat"] for each in table.state(2)["contributors"]] == [
            "gm",
            "house",
            "p1",
            "p3",
        ]
        assert [each["seat"] for each in table.state(3)["contributors"]] == [
            "gm",
            "house",
            "p1",
            "p2",
            "p3",
        ]
        # p2 is absent from draw 2 by the server's word, not by its own.
        assert [grade for k in range(4) for grade in table.grades(k)] == ["A", "B", "A"]
        assert valid(table)
