"""Colours of seats: chosen when one sits down and later, by whom, and what they must not change."""

from __future__ import annotations

from typing import Any

import pytest

from service.sessions.deletion import delete
from tests.support.server import KEY, SessionClient, TestServer


def colours(evening: SessionClient, seat: str | None = "gm") -> dict[str, str]:
    seats: dict[str, Any] = evening.get(seat, "").json["seats"]
    return {each: held["colour"] for each, held in seats.items() if "colour" in held}


def choose(evening: SessionClient, by: str | None, seat: str, colour: object) -> tuple[int, str]:
    answer = evening.house.client.put(
        f"{evening.path}/seats/{seat}/colour", json={"colour": colour}, headers=evening.headers(by)
    )
    return answer.status_code, "" if answer.status_code == 204 else answer.json["code"]


def test_a_seat_has_no_colour_until_it_chooses_one(evening: SessionClient) -> None:
    assert colours(evening) == {}
    version = evening.version()
    assert choose(evening, "p1", "p1", "teal") == (204, "")
    assert colours(evening) == {"p1": "teal"} == colours(evening, "watcher")
    assert choose(evening, "p1", "p1", "gold") == (204, "")
    assert choose(evening, "gm", "p2", "blue") == (204, "")
    assert colours(evening) == {"p1": "gold", "p2": "blue"}
    assert evening.version() == version
    evening.house.restart()
    assert colours(evening) == {"p1": "gold", "p2": "blue"}


def test_colours_are_chosen_while_one_sits_down(house: TestServer) -> None:
    evening = house.open(colour="slate")
    code = evening.invite(max_uses=2)
    body = {"code": code, "name": "Pia", "colour": "gold"}
    for _ in range(2):  # a repeat gets the same seat
        answer = house.client.post("/v1/seats", json=body, headers={"Idempotency-Key": KEY})
        assert answer.json["seat"] == "player-1"
    assert colours(evening) == {"gm": "slate", "player-1": "gold"}


def test_who_takes_a_seat_over_may_keep_its_colour(evening: SessionClient) -> None:
    choose(evening, "p1", "p1", "teal")
    evening.seat("p1")
    assert colours(evening) == {"p1": "teal"}
    evening.seat("p1", colour="red")
    assert colours(evening) == {"p1": "red"}


@pytest.mark.parametrize(
    ("by", "seat", "colour", "answer"),
    [
        ("p2", "p1", "teal", (409, "refused")),
        ("watcher", "p1", "teal", (409, "refused")),
        ("gm", "nobody", "teal", (409, "refused")),
        ("p1", "p1", "#ff0000", (422, "malformed")),
        ("p1", "p1", None, (422, "malformed")),
        (None, "p1", "teal", (401, "token-missing")),
    ],
)
def test_what_is_not_allowed_changes_nothing(
    evening: SessionClient, by: str | None, seat: str, colour: object, answer: tuple[int, str]
) -> None:
    assert choose(evening, by, seat, colour) == answer
    assert colours(evening) == {}


def test_a_new_colour_has_a_new_tag_that_still_names_the_version(evening: SessionClient) -> None:
    before = evening.get("p1", "").headers["ETag"]
    choose(evening, "p1", "p1", "teal")
    answer = evening.get("p1", "", If_None_Match=before)
    assert answer.status_code == 200
    tag = answer.headers["ETag"]
    assert tag != before
    assert evening.get("p1", "", If_None_Match=tag).status_code == 304
    assert evening.post("p1", "/narrate", {"text": "x"}, If_Match=tag).status_code == 201
    assert evening.post("p1", "/narrate", {"text": "x"}, If_Match=tag).status_code == 412


@pytest.mark.parametrize("by", ["gm", "p1"])
def test_a_fork_has_the_colours_of_its_parent(evening: SessionClient, by: str) -> None:
    """The seat that forks becomes the GM, and its colour with it."""
    chosen = {"gm": "gold", "p1": "teal", "p2": "red"}
    for seat, colour in chosen.items():
        choose(evening, seat, seat, colour)
    made = evening.post(by, "/forks", {"version": evening.version()}, Idempotency_Key=KEY)
    assert made.status_code == 201, made.text
    fork = SessionClient(evening.house, made.json["session"], {"gm": made.json["token"]})
    assert colours(fork) == {"gm": chosen[by]}
    fork.seat("p2")
    assert colours(fork) == {"gm": chosen[by], "p2": "red"}
    fork.seat("p2", colour="blue")
    assert colours(fork)["p2"] == "blue"
    assert colours(evening) == chosen


def test_the_list_of_sessions_has_them(house: TestServer) -> None:
    evening = house.open(options={"listed": True}, colour="green")
    house.follow()
    [line] = house.client.get("/v1/sessions").json["sessions"]
    assert line["seats"]["gm"]["colour"] == "green"
    [line] = house.client.get("/v1/sessions", headers=evening.headers("gm")).json["sessions"]
    assert line["seats"]["gm"]["colour"] == "green"


def test_they_go_with_the_session(evening: SessionClient) -> None:
    choose(evening, "p1", "p1", "teal")
    delete(evening.house.app, evening.session)
    assert evening.house.app.recorder.query("SELECT * FROM seat_colours") == []
