"""Links to rolls: who can make them, what they show to anyone, and how they end."""

from __future__ import annotations

from domain.verify.single_draw import verify_roll
from service.platform import clock
from service.platform.ed25519 import verify as ed25519
from service.sessions.access import Access
from service.sessions.deletion import delete
from tests.support.example import EXAMPLE, over
from tests.support.server import SessionClient


def put(evening: SessionClient, seat: str | None, k: int = 0) -> tuple[int, dict[str, str]]:
    answer = evening.house.client.put(
        f"{evening.path}/draws/{k}/link", headers=evening.headers(seat)
    )
    return answer.status_code, answer.json


def shown(evening: SessionClient, code: str) -> int:
    found = [
        evening.house.client.get(path).status_code
        for path in (
            f"/v1/rolls/{code}",
            f"/v1/rolls/{code}/proof",
            f"/r/{code}",
            f"/r/{code}.png",
        )
    ]
    assert len(set(found)) == 1, found
    return found[0]


def test_a_link_shows_one_roll_of_a_private_session_to_anyone(evening: SessionClient) -> None:
    status, link = put(evening, "p1")
    assert status == 200
    code = link["code"]
    assert link["url"].endswith(f"/r/{code}")
    roll = evening.house.client.get(f"/v1/rolls/{code}").json
    assert roll["number"] == 0
    assert roll["turn"]["draw"] == 0
    assert "changes" not in roll["turn"] or roll["turn"]["changes"] == []
    assert roll["names"]["ana"] == "Ana"
    assert "ben" not in roll["names"]
    assert "@p2" not in roll["names"]
    proof = evening.house.client.get(f"/v1/rolls/{code}/proof").data
    report = verify_roll(proof, ed25519)
    assert (report.failure, report.k) == (None, 0)
    page = evening.house.client.get(f"/r/{code}").text
    assert f'/r/{code}.png"' in page
    assert evening.house.client.get(f"/r/{code}.png").headers["Cache-Control"] == "no-cache"
    assert shown(evening, code) == 200
    assert shown(evening, code[:-1] + ("A" if code[-1] != "A" else "B")) == 404


def test_each_seat_has_one_link_and_gets_it_again(evening: SessionClient) -> None:
    first, again = put(evening, "p1"), put(evening, "p1")
    assert first == again
    assert put(evening, "p2")[1]["code"] != first[1]["code"]
    stored = evening.house.app.recorder.query("SELECT hash FROM roll_links", ())
    assert all(first[1]["code"].encode() not in bytes(digest) for (digest,) in stored)


def test_a_revoked_link_shows_nothing_and_a_new_one_differs(evening: SessionClient) -> None:
    code = put(evening, "p1")[1]["code"]
    assert evening.delete("p2", "/draws/0/link").status_code == 404
    assert shown(evening, code) == 200
    assert evening.delete("p1", "/draws/0/link").status_code == 204
    assert evening.delete("p1", "/draws/0/link").status_code == 404
    assert shown(evening, code) == 404
    new = put(evening, "p1")[1]["code"]
    assert new != code
    assert (shown(evening, code), shown(evening, new)) == (404, 200)
    other = put(evening, "p2")[1]["code"]
    assert evening.delete("gm", "/draws/0/link").status_code == 204
    assert (shown(evening, new), shown(evening, other)) == (404, 404)


def test_a_secret_roll_cannot_be_shared_by_anyone(evening: SessionClient) -> None:
    evening.go(*over("p1"))
    turn = evening.secretly("p1", EXAMPLE.draw, "gm")["turn"]
    k = evening.get("gm", "").json["next_draw"] - 1
    for seat in ("gm", "p1", "p2", "watcher"):
        assert put(evening, seat, k)[0] == 404
    evening.post("gm", "/open-secret", {"turn": turn})
    status, link = put(evening, "p2", k)
    assert status == 200
    assert shown(evening, link["code"]) == 200


def test_no_link_without_a_seat_or_a_roll(evening: SessionClient) -> None:
    assert put(evening, None)[0] == 401
    assert put(evening, "p1", 99)[0] == 404


def test_links_end_with_their_session_and_with_all_tokens(evening: SessionClient) -> None:
    code = put(evening, "p1")[1]["code"]
    app = evening.house.app
    app.recorder.write(*Access(app.recorder, app.keys.secret, clock.now_ms).revoke_all())
    assert shown(evening, code) == 404
    delete(evening.house.app, evening.session)
    assert evening.house.app.recorder.query("SELECT hash FROM roll_links", ()) == []
