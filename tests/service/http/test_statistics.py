"""Statistics over HTTP: each viewer's own, as of a version, and never what is hidden by now."""

from __future__ import annotations

from typing import Any

import pytest

from projections.results import STATISTICS, JobResult
from tests.support.example import EXAMPLE, brought, of, over, seated, to_draw
from tests.support.server import SessionClient
from tests.workers.test_viewpoints import dice_of_a_draw
from workers.jobs import compute_statistics

SEES = {
    # audience, asker: the seats that see the facts
    ("gm", "p2"): {"gm", "p2", "judge"},
    ("blind", "p2"): {"gm", "judge"},
    ("self", "p2"): {"p2", "judge"},
    ("self", "gm"): {"gm", "judge"},
}
DICE = dice_of_a_draw()
SEATS = ("gm", "p1", "p2", "watcher", "judge", None)
LOOKING = {
    # who looks as whom: what is for which audience of p2's is seen
    ("gm", "p2"): {"gm"},
    ("gm", "p1"): set[str](),
    ("gm", "judge"): {"gm", "blind"},
    ("judge", "p2"): {"gm", "self"},
    ("judge", "gm"): {"gm", "blind"},
}


@pytest.fixture
def table(evening: SessionClient) -> SessionClient:
    """With an auditor; the rat and Ben may draw."""
    evening.go(*over())
    evening.seat("judge", "auditor")
    ready(evening)
    return evening


def ready(table: SessionClient) -> None:
    table.go(*seated(EXAMPLE.ready, "p2", "ben"), *seated(EXAMPLE.ready, "gm", "rat"))


def secretly(table: SessionClient, asker: str, audience: str) -> int:
    """The turn of a draw."""
    command = of("ben" if asker == "p2" else "rat", EXAMPLE.draw)
    return int(table.secretly(asker, command, audience)["turn"])


def compute(table: SessionClient) -> None:
    """What a worker does."""
    compute_statistics(table.house.app, table.session)


def told(table: SessionClient, seat: str | None, query: str = "") -> Any:
    answer = table.get(seat, f"/statistics{query}")
    assert answer.status_code == 200, answer.text
    return answer.json


def draws(table: SessionClient, seat: str | None, query: str = "") -> float:
    """How many draws have shown their dice."""
    faces = told(table, seat, query)["figures"]["faces"]["drawn"].values()
    return sum(of_die["draws"] for of_die in faces) / DICE


@pytest.mark.parametrize(("audience", "asker"), SEES, ids=lambda each: str(each))
def test_a_secret_counts_for_those_who_see_it(house: Any, audience: str, asker: str) -> None:
    table = listed(house)
    before = draws_of_all(table)
    turn = secretly(table, asker, audience)
    compute(table)
    assert told(table, "p1")["current"] is True
    assert draws_of_all(table) == {
        seat: before[seat] + (seat in SEES[audience, asker]) for seat in SEATS
    }
    opener = asker if asker in SEES[audience, asker] else "gm"
    assert table.post(opener, "/open-secret", {"turn": turn}).status_code == 201
    assert told(table, "watcher")["current"] is False
    compute(table)
    assert draws_of_all(table) == {seat: before[seat] + 1 for seat in SEATS}
    assert len({str(told(table, seat)) for seat in SEATS}) == 1


def listed(house: Any) -> SessionClient:
    """A session that those without a seat may look at, too."""
    table: SessionClient = house.open(options={"listed": True})
    for seat, role in (
        ("p1", "player"),
        ("p2", "player"),
        ("watcher", "spectator"),
        ("judge", "auditor"),
    ):
        table.seat(seat, role)
    table.go(
        ("p2", brought("ben", "Ben")),
        ("gm", EXAMPLE.guest),
        *to_draw("p2", "ben"),
        *over("p2", "ben"),
    )
    ready(table)
    compute(table)
    return table


def draws_of_all(table: SessionClient) -> dict[str | None, float]:
    return {seat: draws(table, seat) for seat in SEATS}


@pytest.mark.parametrize(("seat", "through"), LOOKING, ids=lambda each: str(each))
def test_looking_as_a_seat_shows_what_both_may_see(
    table: SessionClient, seat: str, through: str
) -> None:
    compute(table)
    before, version = draws(table, "watcher"), table.version()
    for audience in ("gm", "blind", "self"):
        secretly(table, "p2", audience)
        assert (
            table.post("gm", "/rewind", {"to": version, "reason": "another one"}).status_code == 201
        )
    compute(table)
    query = f"?as={through}"
    opened = len(LOOKING[seat, through])
    assert told(table, seat, query)["figures"]["secret"] == {"p2": {"draws": 3, "open": opened}}
    assert draws(table, seat, query) == before, "what is open may have been chosen"


def test_nobody_else_looks_as_a_seat(table: SessionClient) -> None:
    refused = table.get("p1", "/statistics?as=p2")
    assert (refused.status_code, refused.json["rule"]) == (409, "gm-only")


def test_who_is_no_longer_gm_gets_no_figures_of_the_gms_secrets(table: SessionClient) -> None:
    public = draws_now(table, "p1")
    secretly(table, "p2", "gm")
    assert draws_now(table, "gm") == public + 1
    assert table.post("gm", "/hand-over", {"seat": "p1"}).status_code == 201
    late = told(table, "gm")
    assert (late["current"], draws(table, "gm"), draws(table, "p1")) == (False, public, public + 1)
    assert (draws_now(table, "gm"), draws_now(table, "p1")) == (public, public + 1)


def draws_now(table: SessionClient, seat: str) -> float:
    compute(table)
    return draws(table, seat)


def test_a_new_secret_leaves_the_older_figures_readable(table: SessionClient) -> None:
    before = draws_now(table, "watcher")
    version = table.version()
    secretly(table, "p2", "self")
    for seat in ("p2", "watcher"):
        late = told(table, seat)
        assert (late["version"], late["current"], draws(table, seat)) == (version, False, before)


def test_figures_newer_than_the_session_as_it_was_read_wait(table: SessionClient) -> None:
    """They may be of a secret that it does not know of yet."""
    table.house.app.read_models.results.put(
        JobResult(table.session, STATISTICS, table.version() + 1, '"newer"')
    )
    assert table.get("p1", "/statistics").status_code == 202


def test_what_was_undone_counts_for_those_who_see_it(table: SessionClient) -> None:
    """For the faces, which cover every draw; luck is that of the draws that count in the end."""
    before, version = draws_now(table, "p1"), table.version()
    luck = told(table, "gm")["figures"]["luck"]
    secretly(table, "p2", "gm")
    assert (
        table.post("gm", "/rewind", {"to": version, "reason": "the wrong door"}).status_code == 201
    )
    compute(table)
    assert {seat: draws(table, seat) - before for seat in ("gm", "p1")} == {"gm": 1, "p1": 0}
    figures = {seat: told(table, seat)["figures"] for seat in ("gm", "p1")}
    assert all(figure["luck"] == luck for figure in figures.values())
    assert len(figures["gm"]["rewinds"]["draws"]) == 1
    assert "draws" not in figures["p1"]["rewinds"]
    assert figures["p1"]["secret"] == {"p2": {"draws": 1, "open": 0}}


def test_secret_draws_are_counted_for_those_who_see_some_of_them(table: SessionClient) -> None:
    """None of them is compared with chance, because those that one sees may have been chosen."""
    before = draws_now(table, "gm")
    for audience in ("gm", "self"):
        secretly(table, "p2", audience)
        table.go(*over("p2", "ben"))
        ready(table)
    compute(table)
    assert {seat: draws(table, seat) - before for seat in ("gm", "p1", "p2")} == {
        "gm": 0,
        "p1": 0,
        "p2": 2,
    }
    secret = {seat: told(table, seat)["figures"]["secret"] for seat in ("gm", "p1", "p2")}
    assert secret == {
        "gm": {"p2": {"draws": 2, "open": 1}},
        "p1": {"p2": {"draws": 2, "open": 0}},
        "p2": {},
    }


@pytest.mark.parametrize("query", ["?undone=true", "?undone=", "?done=true"])
def test_there_is_no_option_for_what_was_undone(table: SessionClient, query: str) -> None:
    answer = table.get("p1", f"/statistics{query}")
    assert (answer.status_code, answer.json["code"]) == (422, "malformed")


def test_the_verdict_is_final_after_the_close(table: SessionClient) -> None:
    secretly(table, "gm", "self")
    for is_closed in (False, True):
        compute(table)
        verdicts = told(table, "gm")["figures"]["verdicts"].values()
        assert {verdict["final"] for verdict in verdicts} == {is_closed}
        if not is_closed:
            assert table.post("gm", "/close", {"carry_over": True}).status_code == 201
