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
    table.sittings["p1"].look()
    table.gm.look()
    assert eventually(lambda: table.state(k)["status"] == "void")


def too_late(seat: SeatClient) -> str:
    """What the seat needs next is posted behind a declaration that it has not read; what it was."""
    needed = contributions.needed(seat.keeping, seat.watch)
    assert needed is not None
    with closing(ApiConnection(seat.kept.server, seat.kept.token)) as player:
        answer = player.post(f"{seat.path}/seats/{seat.kept.seat}/{needed[0]}", needed[1])
    assert answer.json["rule"] == "draw-waits"
    return needed[0]


def shown(seat: SeatClient) -> list[int]:
    """The numbers of the chains whose next link left with a next chain."""
    return [chain.number for chain in seat.kept.chains if chain.request == contributions.ROLLED]


def test_with_64_links_left_it_anchors_its_next_chain(table: Table) -> None:
    seat = with_links(table, 67)
    play(table, "p2", "p1", "gm")
    given_up(table, 1)
    seat.look()
    play(table, "p2", "p1", "gm")
    assert seat.watch.chains.of("p2").chain == 0
    play(table, "p2", "p1", "gm")
    seat.look()
    assert (seat.watch.chains.of("p2").chain, seat.watch.chains.of("p2").position) == (1, 0)
    play(table, "p2", "p1", "gm")
    assert valid(table)


def test_a_chain_left_behind_a_void_shows_what_that_would_have_been(table: Table) -> None:
    seat = with_links(table, 65)
    given_up(table, 0)
    seat.look()
    assert [chain.request for chain in seat.kept.chains] == ["rolled over", ""]
    seat.look()
    play(table, "p2", "p1", "gm")
    assert valid(table)


def test_a_next_chain_that_comes_too_late_costs_no_draw(table: Table) -> None:
    seat = with_links(table, 65)
    play(table, "p2", "p1", "gm")
    seat.catch_up()
    table.ask()
    assert (too_late(seat), shown(seat)) == ("chain", [])
    assert all(table.sittings[each].look() for each in ("p2", "p1", "gm"))
    table.settle()
    seat.look()
    assert seat.watch.chains.of("p2").chain == 1
    play(table, "p2", "p1", "gm")
    assert valid(table)


def test_a_present_seat_with_a_void_shows_nothing(table: Table) -> None:
    seat = with_links(table, 65)
    given_up(table, 0)
    seat.be(present=True)
    table.ask()
    assert (too_late(seat), shown(seat)) == ("presence", [])
    assert all(table.sittings[each].look() for each in ("p2", "p1", "gm"))
    table.settle()
    play(table, "p1", "gm", "p2")
    assert valid(table)


def test_it_goes_absent_to_show_what_a_void_would_have_been(table: Table) -> None:
    seat = with_links(table, 65)
    given_up(table, 0)
    seat.be(present=True)
    seat.look()
    held = seat.watch.chains.of("p2")
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
    assert all(table.sittings[each].look() for each in ("p1", "gm"))
    table.settle()
    seat.be(present=True)
    assert seat.watch.chains.of("p2").chain == 1
    play(table, "p2", "p1", "gm")
    assert valid(table)


def test_a_link_that_was_shown_is_given_to_no_draw(table: Table) -> None:
    seat = with_links(table, 65)
    seat.keeping.give(seat.keeping.chain(0), 1, contributions.ROLLED)
    table.ask()
    assert not seat.look()
    assert all(table.sittings[each].look() for each in ("p1", "gm"))
    assert eventually(lambda: table.state(0)["status"] == "void")
    seat.look()
    play(table, "p2", "p1", "gm")
    assert valid(table)


def test_a_seat_that_goes_on_knows_what_it_has_given(table: Table) -> None:
    seat = with_links(table, 65)
    play(table, "p2", "p1", "gm")
    seat.close()
    table.sittings["p2"] = again = resume(table.file("p2"))
    assert (again.watch.chains.of("p2").chain, shown(again)) == (1, [])
    play(table, "p2", "p1", "gm")
    assert valid(table)
