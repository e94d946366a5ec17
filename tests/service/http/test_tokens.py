"""A seat's tokens from the first to the last: listed, renewed, ended, too old; the same under a repeat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.server import KEY, Clock, SessionClient, TestServer, laid, settings_in

DAY = 86_400_000


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
    first = evening.post("p1", "/tokens", None, Idempotency_Key=KEY)
    assert (first.status_code, first.json["seat"]) == (201, "p1")
    again = evening.post("p1", "/tokens", None, Idempotency_Key=KEY)
    assert (again.status_code, again.json) == (201, first.json), "by the token that has just died"
    assert evening.post("p1", "/tokens", None, Idempotency_Key=f"{KEY}-other").status_code == 401
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


def test_a_token_ends_when_its_days_are_over(tmp_path: Path, clock: Clock) -> None:
    house = TestServer(settings_in(tmp_path, FAIRLOG_TOKEN_DAYS="30"))
    evening = laid(house)
    given = listed(evening, "p1")[0]
    assert given["given"][:4] <= given["expires"][:4]
    clock.ahead += 29 * DAY
    renewed = evening.post("p2", "/tokens", None)
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
