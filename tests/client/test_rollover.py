"""The next chain of a seat, also where it comes a moment too late, or behind a draw that was given up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from service.client import contributions
from service.client.api import ApiConnection
from service.client.join import join, resume
from service.client.seat import SeatClient
from tests.client.tables import Table, play, served, valid, with_links
from tests.support.processes import eventually

pytestmark = pytest.mark.long


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


def shown(table: Table) -> list[bool]:
    """Of each next chain of p2, whether it came with a link of the chain before it."""
    table.gm.catch_up()
    facts = (msgspec.json.decode(event.body) for event in table.heard["gm"] if event.body)
    return [
        "previous_link" in fact
        for fact in facts
        if fact["kind"] == "session.ChainAnchored" and fact["seat"] == "p2"
    ]


@pytest.mark.smoke
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


def test_a_chain_left_behind_a_void_shows_the_link_that_it_asked_for(table: Table) -> None:
    seat = with_links(table, 65)
    given_up(table, 0)
    seat.poll()
    seat.poll()
    assert (seat.watcher.chains.state_of("p2").chain, shown(table)) == (1, [True])
    play(table, "p2", "p1", "gm")
    assert valid(table)


def test_a_next_chain_that_comes_too_late_costs_no_draw(table: Table) -> None:
    seat = with_links(table, 65)
    play(table, "p2", "p1", "gm")
    seat.catch_up()
    table.ask()
    assert too_late(seat) == "chain"
    assert all(table.sittings[each].poll() for each in ("p2", "p1", "gm"))
    table.settle()
    seat.poll()
    assert (seat.watcher.chains.state_of("p2").chain, shown(table)) == (1, [False])
    play(table, "p2", "p1", "gm")
    assert valid(table)


def test_a_seat_that_left_behind_a_void_comes_back_with_the_link(table: Table) -> None:
    seat = with_links(table, 65)
    given_up(table, 0)
    seat.catch_up()
    seat.leave()
    seat.close()
    code = table.invite("p2")
    table.sittings["p2"] = again = join(table.url, code, table.file("p2"))
    assert again.watcher.chains.state_of("p2").chain == 1
    play(table, "p2", "p1", "gm")
    assert valid(table)


def test_a_link_that_an_older_client_showed_is_given_to_no_draw(table: Table) -> None:
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
    assert again.watcher.chains.state_of("p2").chain == 1
    play(table, "p2", "p1", "gm")
    assert valid(table)
