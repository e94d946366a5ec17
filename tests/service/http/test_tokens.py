"""A seat's tokens from the first to the last: listed, renewed, ended, too old; the same under a repeat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from service.http import auth
from tests.support.databases.places import AT_LENGTH
from tests.support.example import EXAMPLE, as_json
from tests.support.server import KEY, Clock, SessionClient, TestServer, aside, laid, settings_in

DAY, HOUR = 86_400_000, 3_600_000


def listed(evening: SessionClient, seat: str) -> list[dict[str, Any]]:
    answer = evening.get(seat, "/tokens")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json["tokens"]
    return found


def test_the_gm_sees_all_and_others_their_own(evening: SessionClient) -> None:
    everyone = listed(evening, "gm")
    assert sorted(each["seat"] for each in everyone) == ["gm", "p1", "p2", "watcher"]
    assert [each["seat"] for each in everyone if each.get("current")] == ["gm"]
    assert [each["seat"] for each in listed(evening, "p1")] == ["p1"]
    text = evening.get("gm", "/tokens").text
    assert [token for token in evening.tokens.values() if token in text] == []
    assert evening.get(None, "/tokens").status_code == 401


def test_a_token_is_renewed_and_the_old_one_dies(evening: SessionClient) -> None:
    old = evening.tokens["p1"]
    first = evening.post("p1", "/tokens/current/renew", None, Idempotency_Key=KEY)
    assert (first.status_code, first.json["seat"]) == (201, "p1")
    again = evening.post("p1", "/tokens/current/renew", None, Idempotency_Key=KEY)
    assert (again.status_code, again.json) == (201, first.json), "by the token that has just died"
    assert (
        evening.post(
            "p1", "/tokens/current/renew", None, Idempotency_Key=f"{KEY}-other"
        ).status_code
        == 401
    )
    assert evening.get("p1", "").status_code == 401
    evening.tokens["p1"] = first.json["token"]
    assert evening.tokens["p1"] != old
    assert evening.get("p1", "").status_code == 200
    assert evening.post("p1", "/narrate", {"text": "x"}).status_code == 201
    assert [each["seat"] for each in listed(evening, "p1")] == ["p1"]


@pytest.mark.parametrize(
    ("by", "of", "status"), [("gm", "p1", 204), ("p1", "p1", 204), ("p2", "p1", 404)]
)
def test_a_token_is_ended_by_its_id(evening: SessionClient, by: str, of: str, status: int) -> None:
    [token] = listed(evening, of)
    assert evening.delete(by, f"/tokens/{token['id']}").status_code == status
    assert evening.get(of, "").status_code == (401 if status == 204 else 200)
    assert evening.delete("gm", f"/tokens/{token['id']}").status_code == (
        404 if status == 204 else 204
    )


def test_a_token_that_ended_meanwhile_is_not_said_to_end_now(
    evening: SessionClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = evening.house.flask.extensions["fairlog"].access
    listed = access.issued_tokens(evening.session)
    monkeypatch.setattr(access, "issued_tokens", lambda session: listed)
    path = f"/tokens/{next(each.id for each in listed if each.seat == 'p1')}"
    assert evening.delete("gm", path).status_code == 204
    assert evening.delete("gm", path).status_code == 404


def test_a_token_ends_when_its_days_are_over(tmp_path: Path, clock: Clock) -> None:
    house = TestServer(settings_in(tmp_path, FAIRLOG_TOKEN_DAYS="30"))
    evening = laid(house)
    given = listed(evening, "p1")[0]
    assert given["created_at"][:4] <= given["expires_at"][:4]
    clock.ahead += 29 * DAY
    renewed = evening.post("p2", "/tokens/current/renew", None)
    assert evening.get("p1", "").status_code == 200
    clock.ahead += 2 * DAY
    assert evening.get("p1", "").status_code == 401
    evening.tokens["p2"] = renewed.json["token"]
    assert evening.get("p2", "").status_code == 200
    assert [each["seat"] for each in listed(evening, "p2")] == ["p2"]
    house.close()


def test_a_stream_ends_with_its_token(tmp_path: Path, clock: Clock) -> None:
    house = TestServer(settings_in(tmp_path, FAIRLOG_TOKEN_DAYS="30"))
    evening = laid(house)
    dead = house.flask.extensions["fairlog"].access.invalid_tokens
    assert dead(evening.tokens.values()) == set()
    clock.ahead += 31 * DAY
    assert dead(evening.tokens.values()) == set(evening.tokens.values())
    house.close()


def taken_over(evening: SessionClient) -> None:
    evening.seat("p1")


def taken_over_and_named(evening: SessionClient) -> None:
    evening.seat("p1", name="The new holder")


def removed(evening: SessionClient) -> None:
    assert evening.delete("gm", "/seats/p1").status_code == 200


def revoked_by_the_gm(evening: SessionClient) -> None:
    [token] = (each for each in listed(evening, "gm") if each["seat"] == "p1")
    assert evening.delete("gm", f"/tokens/{token['id']}").status_code == 204


def revoked_by_itself(evening: SessionClient) -> None:
    assert evening.delete("p1", "/tokens/current").status_code == 204


def renewed(evening: SessionClient) -> None:
    evening.tokens["p1"] = evening.post("p1", "/tokens/current/renew", None).json["token"]


ENDS: dict[Callable[[SessionClient], None], int] = {
    taken_over: 200,
    taken_over_and_named: 200,
    removed: 401,
    revoked_by_the_gm: 401,
    revoked_by_itself: 401,
    renewed: 200,
}
"""What ends a token, with the status that the seat's newest token gets afterwards."""


def overtake(
    evening: SessionClient, monkeypatch: pytest.MonkeyPatch, end: Callable[[SessionClient], None]
) -> list[Callable[[SessionClient], None]]:
    """Let `end` happen between the check of the next request's token and its write; empty when it has happened."""
    check, steps = auth.require_seat_or_repeat, [end]

    def overtaken(session: str) -> str:
        seat = check(session)
        if steps:
            aside(steps.pop(), evening)
        return seat

    monkeypatch.setattr(auth, "require_seat_or_repeat", overtaken)
    return steps


@pytest.mark.parametrize("database", AT_LENGTH, indirect=True)
@pytest.mark.parametrize(("end", "newest"), ENDS.items(), ids=[end.__name__ for end in ENDS])
def test_a_renewal_in_flight_fails_if_its_token_ends(
    evening: SessionClient,
    monkeypatch: pytest.MonkeyPatch,
    end: Callable[[SessionClient], None],
    newest: int,
) -> None:
    """The token ends after the server has checked it and before the renewal is stored."""
    steps = overtake(evening, monkeypatch, end)
    answer = evening.post("p1", "/tokens/current/renew", None, Idempotency_Key=KEY)
    if end is removed:
        assert (answer.status_code, answer.json["rule"]) == (409, "seat-unknown")
    else:
        assert (answer.status_code, answer.json["code"]) == (401, "token-invalid")
    assert steps == []
    assert evening.get("p1", "").status_code == newest
    left = [each for each in listed(evening, "gm") if each["seat"] == "p1"]
    assert len(left) == (1 if newest == 200 else 0), "the old holder has none"


@pytest.mark.parametrize("database", AT_LENGTH, indirect=True)
@pytest.mark.parametrize("end", [taken_over, taken_over_and_named])
def test_a_leave_in_flight_fails_if_its_token_ends(
    evening: SessionClient, monkeypatch: pytest.MonkeyPatch, end: Callable[[SessionClient], None]
) -> None:
    """Else the former holder could end the new holder's token."""
    steps = overtake(evening, monkeypatch, end)
    answer = evening.delete("p1", "/seats/p1")
    assert (answer.status_code, answer.json["code"], steps) == (401, "token-invalid", [])
    assert evening.get("p1", "").status_code == 200
    assert evening.delete("p1", "/seats/p1").status_code == 200


@pytest.mark.parametrize("database", AT_LENGTH, indirect=True)
def test_the_transaction_of_a_renewal_fails_if_its_token_ends(evening: SessionClient) -> None:
    """Also for a seat that leaves after the renewal has read the session."""
    access = evening.house.flask.extensions["fairlog"].access
    old = evening.tokens["p1"]
    assert not access.holder(old).revoked
    renewal = access.renewal(evening.session, "p1", old, "flt_the-old-holders")
    removed(evening)
    assert not access.write(*renewal)
    evening.seat("p1")
    assert not access.write(*renewal)
    assert access.holder("flt_the-old-holders") is None
    assert evening.get("p1", "").status_code == 200
    own = access.renewal(evening.session, "p1", evening.tokens["p1"], "flt_the-new-holders")
    assert access.write(*own)
    assert evening.get("p1", "").status_code == 401
    assert not access.holder("flt_the-new-holders").revoked


@pytest.mark.parametrize("path", ["/tokens/current/renew", "/audits"])
def test_a_seat_that_has_left_renews_no_token_and_asks_for_no_audit(
    evening: SessionClient, path: str
) -> None:
    """No token should be left to such a seat, but databases of earlier versions may hold one."""
    access = evening.house.flask.extensions["fairlog"].access
    removed(evening)
    evening.tokens["p1"] = "flt_of-an-earlier-version"
    assert access.write(access.grant(evening.session, "p1", evening.tokens["p1"]))
    answer = evening.post("p1", path, None)
    assert (answer.status_code, answer.json["rule"]) == (409, "seat-unknown")
    assert [each["seat"] for each in listed(evening, "gm")].count("p1") == 1


BOT = {"name": "Dice bot", "scopes": ["read"]}
"""A token that may only read."""


def bot(evening: SessionClient, seat: str, **more: Any) -> str:
    """Create a named token for the seat, and return the name under which `evening` keeps it."""
    answer = evening.post(seat, "/tokens", BOT | more)
    assert answer.status_code == 201, answer.text
    evening.tokens["bot"] = answer.json["token"]
    return "bot"


def test_a_named_token_lives_beside_the_seats_own(evening: SessionClient) -> None:
    who = bot(evening, "p1")
    assert evening.get(who, "").status_code == evening.get("p1", "").status_code == 200
    evening.tokens["p1"] = evening.post("p1", "/tokens/current/renew", None).json["token"]
    assert evening.get(who, "").status_code == 200
    [own, named] = [each for each in listed(evening, "p1") if each["seat"] == "p1"]
    if "name" in own:
        own, named = named, own
    assert (named["name"], named["scopes"]) == ("Dice bot", ["read"])
    assert own["scopes"] == ["contribute", "manage", "play", "read"]
    assert evening.delete("p1", f"/tokens/{named['id']}").status_code == 204
    assert (evening.get(who, "").status_code, evening.get("p1", "").status_code) == (401, 200)


def test_a_repeated_request_gets_the_same_named_token(evening: SessionClient) -> None:
    first = evening.post("p1", "/tokens", BOT, Idempotency_Key=KEY)
    again = evening.post("p1", "/tokens", BOT, Idempotency_Key=KEY)
    assert (again.status_code, again.json) == (201, first.json)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    other = evening.post("p1", "/tokens", BOT | {"name": "Another"}, Idempotency_Key=KEY)
    assert (other.status_code, other.json["code"]) == (422, "key-reused")


REQUESTS: list[tuple[str, str, str, Any]] = [
    ("read", "get", "/events", None),
    ("read", "post", "/commands/dry-run", {"command": as_json(EXAMPLE.plain)}),
    ("play", "post", "/commands", {"command": as_json(EXAMPLE.plain)}),
    ("play", "post", "/narrate", {"text": "It rains."}),
    ("manage", "post", "/seats/p1/name", {"name": "Mo"}),
    ("manage", "post", "/tokens", BOT),
    ("manage", "post", "/tokens/current/renew", None),
    ("manage", "delete", "/seats/p1", None),
]  # fmt: skip


@pytest.mark.parametrize("scopes", [["read"], ["read", "play"], ["play"], ["contribute"]], ids=str)
@pytest.mark.parametrize(("needed", "method", "path", "body"), REQUESTS)
def test_a_named_token_allows_what_its_scopes_say(
    evening: SessionClient, scopes: list[str], needed: str, method: str, path: str, body: Any
) -> None:
    who = bot(evening, "p1", scopes=scopes)
    send = {
        "get": lambda: evening.get(who, path),
        "post": lambda: evening.post(who, path, body),
        "delete": lambda: evening.delete(who, path),
    }
    answer = send[method]()
    if needed in scopes:
        assert answer.status_code < 300, answer.text
    else:
        assert (answer.status_code, answer.json["code"]) == (403, "scope-missing")
        assert answer.headers["WWW-Authenticate"] == 'Bearer error="insufficient_scope"'


def test_a_named_token_expires(clock: Clock, evening: SessionClient) -> None:
    who = bot(evening, "p1", expires_in_hours=2)
    clock.ahead = 2 * HOUR - 60_000
    assert evening.get(who, "").status_code == 200
    clock.ahead = 2 * HOUR
    assert (evening.get(who, "").status_code, evening.get("p1", "").status_code) == (401, 200)
    assert [each["seat"] for each in listed(evening, "p1")] == ["p1"]


def test_taking_a_seat_over_revokes_its_named_tokens(evening: SessionClient) -> None:
    who = bot(evening, "p1")
    taken_over(evening)
    assert evening.get(who, "").status_code == 401


def test_a_token_says_what_it_belongs_to(evening: SessionClient) -> None:
    who = bot(evening, "p1", scopes=["read", "contribute"])
    client = evening.house.client
    mine = client.get("/v1/me", headers=evening.headers(who)).json
    assert (mine["session"], mine["seat"], mine["role"]) == (evening.session, "p1", "player")
    assert (mine["token"]["name"], mine["token"]["scopes"]) == ("Dice bot", ["contribute", "read"])
    assert client.get("/v1/me").status_code == 401
