"""Connected seats: those that have an open event stream, in whichever process serves it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from service.sessions.connections import EXPIRE_MS, Connections, SeatKey
from service.sessions.deletion import delete
from service.sessions.live_streams import MAX_SILENCE_MS, limit_silence
from tests.service.http.test_stream import follow
from tests.support.processes import eventually
from tests.support.server import Clock, SessionClient, TestServer, laid, settings_in


@pytest.fixture
def lasting(tmp_path: Path) -> Iterator[SessionClient]:
    with closing(TestServer(settings_in(tmp_path, FAIRLOG_STREAM_SECONDS="60"))) as house:
        yield laid(house)


def connected(evening: SessionClient, seat: str | None = "p1") -> list[str]:
    seats: list[str] = evening.get(seat, "/connections").json["seats"]
    return seats


def test_a_seat_is_connected_while_it_has_a_stream(lasting: SessionClient) -> None:
    assert connected(lasting) == []
    with closing(follow(lasting, "p1")), closing(follow(lasting, "gm")):
        assert eventually(lambda: connected(lasting, "watcher") == ["gm", "p1"])
        assert connected(laid(lasting.house), "gm") == []
    assert eventually(lambda: connected(lasting) == [])


def test_processes_tell_each_other_and_a_dead_one_is_ignored(
    evening: SessionClient, clock: Clock
) -> None:
    here, there = set[SeatKey](), set[SeatKey]()
    store = evening.house.app.recorder
    processes = [Connections(store, lambda: here), Connections(store, lambda: there)]
    here.add((evening.session, "p1"))
    there |= {(evening.session, "p1"), (evening.session, "p2")}
    for each in processes:
        each.look(0)
    assert connected(evening) == ["p1", "p2"]
    here.clear()
    there.remove((evening.session, "p2"))
    for each in processes:
        each.look(2)
    assert connected(evening) == ["p1", "p2"]  # p2 may be changing to another page
    for each in processes:
        each.look(10)
    assert connected(evening) == ["p1"]
    clock.ahead = EXPIRE_MS + 1
    assert connected(evening) == []
    processes[1].look(21)
    assert connected(evening) == ["p1"]
    delete(evening.house.app, evening.session)
    assert store.query("SELECT * FROM connections") == []


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux has it")
def test_a_connection_that_acknowledges_nothing_is_closed() -> None:
    with socket.socket() as wire:
        limit_silence(wire)
        assert wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == MAX_SILENCE_MS
    here, there = socket.socketpair()
    with here, there:
        limit_silence(here)  # of another kind: nothing happens
