"""Seats and what opens them: invitations with uses, expiry and withdrawal; tokens that die when they should."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from werkzeug.test import TestResponse

from service.platform.clock import now_ms
from tests.support.example import FIRST
from tests.support.server import KEY, SessionClient

HOUR = 3_600_000


class Clock:
    """The server's time, which a test can move."""

    def __init__(self) -> None:
        self.ahead = 0
        self._now_ms = now_ms

    def now_ms(self) -> int:
        return self._now_ms() + self.ahead


@pytest.fixture
def clock(evening: SessionClient, monkeypatch: pytest.MonkeyPatch) -> Clock:
    moved = Clock()
    monkeypatch.setattr("service.platform.clock.now_ms", moved.now_ms)
    evening.house.restart()
    return moved


def take(evening: SessionClient, code: str, *, key: str = "", **body: str) -> TestResponse:
    headers = {"Idempotency-Key": key} if key else {}
    return evening.house.client.post("/v1/seats", json={"code": code, **body}, headers=headers)


def alive(evening: SessionClient, token: str) -> bool:
    answer = evening.house.client.get(evening.path, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code in (200, 401)
    return answer.status_code == 200


def test_an_invitation_seats_as_many_as_it_says(evening: SessionClient) -> None:
    code = evening.invite(max_uses=2)
    taken = [take(evening, code) for _ in range(3)]
    assert [answer.status_code for answer in taken] == [201, 201, 404]
    assert [answer.json["seat"] for answer in taken[:2]] == ["player-1", "player-2"]
    assert evening.house.client.get(f"/v1/invitations/{code}").status_code == 404


def test_an_invitation_says_what_it_is_for(evening: SessionClient) -> None:
    code = evening.invite(role="spectator", seat="guest")
    said = evening.house.client.get(f"/v1/invitations/{code}").json
    expires = said.pop("expires_at")
    assert said == {
        "session": evening.session,
        "title": "The mint of Carrow",
        "ruleset": FIRST.name,
        "role": "spectator",
        "seat": "guest",
        "closed": False,
        "draws": "house",
        "seats": evening.get("gm", "").json["seats"],
    }
    [listed] = evening.get("gm", "/invitations").json["invitations"]
    assert expires == listed["expires_at"]
    assert take(evening, code, name="Gert").json["role"] == "spectator"


def test_an_invitation_expires(evening: SessionClient, clock: Clock) -> None:
    code = evening.invite(expires_in_hours=1)
    clock.ahead = HOUR - 60_000
    assert evening.house.client.get(f"/v1/invitations/{code}").status_code == 200
    clock.ahead = HOUR + 1
    assert evening.house.client.get(f"/v1/invitations/{code}").status_code == 404
    assert take(evening, code).status_code == 404
    assert evening.get("gm", "/invitations").json == {"invitations": []}


def test_an_invitation_is_withdrawn(evening: SessionClient) -> None:
    made = evening.post("gm", "/invitations", {"role": "player"}).json
    listed = evening.get("gm", "/invitations").json["invitations"]
    assert listed == [{name: value for name, value in made.items() if name not in ("code", "url")}]
    assert evening.delete("p1", f"/invitations/{made['id']}").json["rule"] == "gm-only"
    assert evening.delete("gm", f"/invitations/{made['id']}").status_code == 204
    assert take(evening, made["code"]).status_code == 404
    assert evening.delete("gm", "/invitations/" + "0" * 16).status_code == 404


def test_a_repeated_invitation_is_the_same(evening: SessionClient) -> None:
    first = evening.post("gm", "/invitations", {"role": "player"}, Idempotency_Key=KEY)
    again = evening.post("gm", "/invitations", {"role": "player"}, Idempotency_Key=KEY)
    other = evening.post("gm", "/invitations", {"role": "spectator"}, Idempotency_Key=KEY)
    assert first.json == again.json
    assert other.json["code"] == "key-reused"
    assert len(evening.get("gm", "/invitations").json["invitations"]) == 1


def test_a_repeated_taking_gives_the_same_token_and_uses_nothing(evening: SessionClient) -> None:
    code = evening.invite(max_uses=1)
    first = take(evening, code, key=KEY)
    evening.house.restart()
    again = take(evening, code, key=KEY)
    assert (again.status_code, again.json["token"], again.json["seat"]) == (
        201,
        first.json["token"],
        first.json["seat"],
    )
    assert take(evening, code, key=KEY + "other").status_code == 404


def test_the_last_use_is_not_shared(evening: SessionClient) -> None:
    code, start = evening.invite(max_uses=1), Barrier(4)

    def sit(nth: int) -> int:
        start.wait()
        return take(evening, code, seat=f"q{nth}").status_code

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(sit, range(4))) == [201, 404, 404, 404]


def test_the_same_taking_twice_at_once_is_one(evening: SessionClient) -> None:
    code, start = evening.invite(max_uses=3, seat="p1"), Barrier(4)

    def sit(_: int) -> TestResponse:
        start.wait()
        return take(evening, code, key=KEY, name="Someone")

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(sit, range(4)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json["token"] for answer in answers}) == 1
    assert alive(evening, answers[0].json["token"])
    assert evening.get("gm", "/invitations").json["invitations"][0]["remaining_uses"] == 2


def test_a_refused_taking_gives_its_use_back(evening: SessionClient) -> None:
    code = evening.invite()
    refused = take(evening, code, seat="p1")
    assert (refused.status_code, refused.json["rule"]) == (409, "seat-held")
    assert take(evening, code, seat="p3").status_code == 201


def test_another_seat_than_the_invitations_is_refused(evening: SessionClient) -> None:
    assert take(evening, evening.invite(seat="p3"), seat="p4").json["rule"] == "not-your-seat"


def test_a_held_seat_invited_anew_kills_the_old_token(evening: SessionClient) -> None:
    old, version = evening.tokens["p1"], evening.version()
    code = evening.invite(seat="p1")
    assert alive(evening, old)  # until it is taken
    fresh = take(evening, code, key=KEY)
    assert (fresh.status_code, fresh.json["seat"], fresh.json["version"]) == (201, "p1", version)
    assert not alive(evening, old)
    assert alive(evening, fresh.json["token"])
    again = take(evening, code, key=KEY)
    assert again.json == fresh.json
    assert alive(evening, fresh.json["token"])


def test_another_invitation_never_gives_the_token_of_a_lost_phone(evening: SessionClient) -> None:
    """Also to a client that always sends the same key."""
    tokens = [take(evening, evening.invite(seat="p1"), key=KEY).json["token"] for _ in range(3)]
    assert [alive(evening, token) for token in tokens] == [False, False, True]


def test_a_seat_that_changes_hands_may_take_a_new_name(evening: SessionClient) -> None:
    take(evening, evening.invite(seat="p1"), name="Someone else")
    assert evening.get("gm", "").json["seats"]["p1"]["name"] == "Someone else"


def test_a_seat_is_invited_in_its_own_role(evening: SessionClient) -> None:
    answer = evening.post("gm", "/invitations", {"role": "spectator", "seat": "p1"})
    assert answer.json["rule"] == "role-differs"
    assert (
        evening.post("gm", "/invitations", {"role": "player", "seat": "gm"}).json["rule"]
        == "role-differs"
    )


def test_who_leaves_loses_every_token_and_can_come_back(evening: SessionClient) -> None:
    old = evening.tokens["p2"]
    left = evening.delete("p2", "/seats/p2", Idempotency_Key=KEY)
    assert (left.status_code, left.json["events"][0]["kind"]) == (200, "session.SeatLeft")
    assert evening.delete("p2", "/seats/p2", Idempotency_Key=KEY).json == {
        **left.json,
        "repeated": True,
    }
    assert evening.delete("p2", "/seats/p2", Idempotency_Key=KEY + "2").status_code == 401
    assert not alive(evening, old)
    evening.seat("p2")
    assert not alive(evening, old)
    assert alive(evening, evening.tokens["p2"])


def test_a_seat_that_was_left_goes_only_to_whom_the_gm_invites_to_it(
    evening: SessionClient,
) -> None:
    secret = evening.post("p2", "/narrate", {"text": "Only for me.", "audience": "self"})
    assert evening.delete("gm", "/seats/p2").status_code == 200
    refused = take(evening, evening.invite(max_uses=5), seat="p2")
    assert (refused.status_code, refused.json["rule"]) == (409, "seat-held")
    evening.seat("p2")
    assert "Only for me." in evening.get("p2", f"/events/{secret.json['version']}").text


def test_the_gm_removes_a_seat(evening: SessionClient) -> None:
    assert evening.delete("p1", "/seats/p2").json["rule"] == "not-your-seat"
    assert evening.delete("gm", "/seats/p2").status_code == 200
    assert not alive(evening, evening.tokens["p2"])
    assert evening.delete("gm", "/seats/p2").json["rule"] == "seat-unknown"
    assert evening.delete("gm", "/seats/gm").json["rule"] == "gm-stays"


def test_the_gms_role_is_handed_over_with_the_tokens_in_place(evening: SessionClient) -> None:
    answer = evening.post("gm", "/hand-over", {"seat": "p1"})
    assert answer.status_code == 201
    seats = evening.get("p1", "").json["seats"]
    assert (seats["p1"]["role"], seats["gm"]["role"]) == ("gm", "player")
    assert evening.post("p1", "/invitations", {"role": "player"}).status_code == 201
    assert evening.post("gm", "/invitations", {"role": "player"}).json["rule"] == "gm-only"


def test_a_seat_is_named(evening: SessionClient) -> None:
    assert evening.post("p2", "/seats/p2/name", {"name": "Ben's player"}).status_code == 201
    assert evening.post("gm", "/seats/p1/name", {"name": "Somebody"}).status_code == 201
    assert {"@p2": "Ben's player", "@p1": "Somebody"}.items() <= evening.get("gm", "").json[
        "names"
    ].items()


def test_no_secret_stands_in_any_file_of_the_server(evening: SessionClient) -> None:
    code = evening.invite()
    secrets = [*evening.tokens.values(), code, take(evening, code, key=KEY).json["token"], KEY]
    with sqlite3.connect(evening.house.settings.log_file) as connection:
        dump = "\n".join(connection.iterdump())
    connection.close()
    assert [secret for secret in secrets if secret in dump] == []
    assert [secret[:4] for secret in secrets[:-1]] == [
        *["flt_"] * len(evening.tokens),
        "fli_",
        "flt_",
    ]
