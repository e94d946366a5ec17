"""Pages of other origins: they may use bearer tokens, and never the cookie."""

from __future__ import annotations

from service.http.auth import COOKIE
from tests.support.server import SessionClient

ORIGIN = "https://overlay.example"


def test_a_preflight_is_answered(evening: SessionClient) -> None:
    answer = evening.house.client.options(
        f"{evening.path}/commands",
        headers={
            "Origin": ORIGIN,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, content-type, idempotency-key",
        },
    )
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "POST" in answer.headers["Access-Control-Allow-Methods"]
    allowed = answer.headers["Access-Control-Allow-Headers"].lower()
    assert {"authorization", "content-type", "idempotency-key"} <= set(allowed.split(", "))
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_page_is_not_open_to_other_origins(evening: SessionClient) -> None:
    asked = {"Origin": ORIGIN, "Access-Control-Request-Method": "GET"}
    answer = evening.house.client.options(f"/s/{evening.session}", headers=asked)
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_bearer_token_works_from_another_origin(evening: SessionClient) -> None:
    answer = evening.get("p1", "", Origin=ORIGIN, Sec_Fetch_Site="cross-site")
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (200, "*")
    assert "ETag" in answer.headers["Access-Control-Expose-Headers"]


def test_the_cookie_never_works_from_another_origin(evening: SessionClient) -> None:
    client = evening.house.client
    client.set_cookie(COOKIE, evening.tokens["gm"])
    assert client.get(f"{evening.path}/tokens").status_code == 200
    for sent in (
        {"Origin": ORIGIN},
        {"Origin": ORIGIN, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"},
    ):
        assert client.get(f"{evening.path}/tokens", headers=sent).status_code == 401, sent
        answer = client.post(f"{evening.path}/narrate", json={"text": "Hm."}, headers=sent)
        assert answer.status_code == 401, sent
