"""The next chain of a seat, also where it comes a moment too late, or behind a draw that was given up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from service.client import contributions
from service.client.api import ApiConnection
from service.client.join import resume
from service.client.seat import SeatClient
from tests.client.tables import Table, play, served, valid, with_links
from tests.support.processes import eventually


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("rollovers")) as served_at:
        yield served_at


@pytest.fixture
def table(url: str, tmp_path: Path) -> Iterator[Table]:
    with closing(Table(url, tmp_path, deadline=1)) as laid:
        laid.join("p1")
        laid.bring()
        yield laid


def given_up(table: Table, k: int) -> None:
    """A draw that p2 does not give to."""
    table.ask()
    table.sittings["p1"].poll()
    table.gm.poll()
    assert eventually(lambda: table.state(k)["status"] == "void")


def too_late(seat: SeatClient) -> str:
    """What the seat needs next is posted behind a declaration that it has not read; what it was."""
    needed = contributions.next_request(seat.file, seat.watcher)
    assert needed is not None
    with closing(ApiConnection(seat.data.server, seat.data.token)) as player:
        answer = player.post(f"{seat.path}/seats/{seat.data.seat}/{needed[0]}", needed[1])
    assert answer.json["rule"] == "draw-waits"
    return needed[0]


def shown(seat: SeatClient) -> list[int]:
    """The numbers of the chains whose next link left with a next chain."""
    return [
        chain.number
        for chain in seat.data.chains
        if chain.request == contributions.ROLLOVER_REQUEST
    ]


def test_with_64_links_left_it_anchors_its_next_chain(table: Table) -> None:
    seat = with_links(table, 67)
    play(table, "p2", "p1", "gm")
    given_up(table, 1)
    seat.poll()
    play(table, "p2", "p1", "gm")
    assert seat.watcher.chains.state_of("p2").chain == 0
    play(table, "p2", "p1", "gm")
    seat.poll()
    assert (
        seat.watcher.chains.state_of("p2").chain,
        seat.watcher.chains.state_of("p2").position,
    ) == (1, 0)
    play(table, "p2", "p1", "gm")
    assert valid(table)


def test_a_chain_left_behind_a_void_shows_what_that_would_have_been(table: Table) -> None:
    seat = with_links(table, 65)
    given_up(table, 0)
    seat.poll()
    assert [chain.request for chain in seat.data.chains] == ["rolled over", ""]
    seat.poll()
    play(table, "p2", "p1", "gm")
    assert valid(table)


def test_a_next_chain_that_comes_too_late_costs_no_draw(table: Table) -> None:
    seat = with_links(table, 65)
    play(table, "p2", "p1", "gm")
    seat.catch_up()
    table.ask()
    assert (too_late(seat), shown(seat)) == ("chain", [])
    assert all(table.sittings[each].poll() for each in ("p2", "p1", "gm"))
    table.settle()
    seat.poll()
    assert seat.watcher.chains.state_of("p2").chain == 1
    play(table, "p2", "p1", "gm")
    assert valid(table)


def test_a_present_seat_with_a_void_shows_nothing(table: Table) -> None:
    seat = with_links(table, 65)
    given_up(table, 0)
    seat.set_presence(present=True)
    table.ask()
    assert (too_late(seat), shown(seat)) == ("presence", [])
    assert all(table.sittings[each].poll() for each in ("p2", "p1", "gm"))
    table.settle()
    play(table, "p1", "gm", "p2")
    assert valid(table)


def test_it_goes_absent_to_show_what_a_void_would_have_been(table: Table) -> None:
    seat = with_links(table, 65)
    given_up(table, 0)
    seat.set_presence(present=True)
    seat.poll()
    held = seat.watcher.chains.state_of("p2")
    assert (held.chain, held.is_away, held.nth, shown(seat)) == (1, False, 4, [0])
    play(table, "p2", "p1", "gm")
    assert valid(table)


def test_an_absent_seat_whose_link_was_shown_brings_its_chain_before_it_is_back(
    table: Table,
) -> None:
    seat = with_links(table, 65)
    given_up(table, 0)
    seat.catch_up()
    table.ask()
    assert (too_late(seat), shown(seat)) == ("chain", [0])
    assert all(table.sittings[each].poll() for each in ("p1", "gm"))
    table.settle()
    seat.set_presence(present=True)
    assert seat.watcher.chains.state_of("p2").chain == 1
    play(table, "p2", "p1", "gm")
    assert valid(table)


def test_a_link_that_was_shown_is_given_to_no_draw(table: Table) -> None:
    seat = with_links(table, 65)
    seat.file.release_link(seat.file.ensure_chain(0), 1, contributions.ROLLOVER_REQUEST)
    table.ask()
    assert not seat.poll()
    assert all(table.sittings[each].poll() for each in ("p1", "gm"))
    assert eventually(lambda: table.state(0)["status"] == "void")
    seat.poll()
    play(table, "p2", "p1", "gm")
    assert valid(table)


def test_a_seat_that_goes_on_knows_what_it_has_given(table: Table) -> None:
    seat = with_links(table, 65)
    play(table, "p2", "p1", "gm")
    seat.close()
    table.sittings["p2"] = again = resume(table.file("p2"))
    assert (again.watcher.chains.state_of("p2").chain, shown(again)) == (1, [])
    play(table, "p2", "p1", "gm")
    assert valid(table)
