"""Every route of both applications: what each answer carries, and that no other site's page can change anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from werkzeug.routing import Rule

from service.http import app, cors
from service.web.app import create_app
from tests.support.browsers import PEOPLE
from tests.support.example import FIRST
from tests.support.server import SessionClient, TestServer, settings_in

FILLED = {
    "seat": "p1", "invitation": "0" * 16, "code": "fli_x", "ruleset": FIRST.name, "segment": "0", "version": "12",
    "plot": "luck", "job": "merge-x-1-1", "file": "nothing.js", "filename": "favicon-32x32.png", "moment": "newest",
}  # fmt: skip


def addresses(flask: Flask, evening: SessionClient) -> list[tuple[str, str]]:
    """(method, address) of all that there is, with ids that are there where they can be."""
    found = []
    for rule in flask.url_map.iter_rules():
        assert isinstance(rule, Rule)
        adapter = flask.url_map.bind("localhost")
        values = {name: FILLED.get(name, "1") for name in rule.arguments} | (
            {"session": evening.session} if "session" in rule.arguments else {}
        )
        found += [
            (method, adapter.build(rule.endpoint, values, method=method))
            for method in rule.methods or ()
        ]
    return sorted(set(found))


@pytest.mark.parametrize("made", [app.create_app, create_app], ids=["api", "pages"])
@pytest.mark.parametrize("accept", ["text/html", "application/json"])
def test_every_answer_carries_its_headers(
    evening: SessionClient, made: object, accept: str
) -> None:
    flask = evening.house.flask if made is create_app else app.create_app(evening.house.app)
    walked = addresses(flask, evening)
    assert len(walked) > 100
    for method, address in walked:
        for seat in ("gm", None):
            head = evening.headers(seat, Accept=accept)
            answer = flask.test_client().open(address, method=method, headers=head)
            answer.close()
            seen = answer.headers
            assert answer.status_code < 500 or "/stream" in address or "away" in answer.text, (
                method,
                address,
            )
            assert seen["X-Content-Type-Options"] == "nosniff", (method, address)
            assert seen["X-Frame-Options"] == "DENY", (method, address)
            assert seen["Referrer-Policy"] in ("no-referrer", "same-origin"), (method, address)
            assert seen["X-Request-Id"], (method, address)
            policy = dict(
                ([*part.split(" ", 1), ""])[:2]
                for part in seen["Content-Security-Policy"].split("; ")
            )
            assert policy["frame-ancestors"] == "'none'", (method, address)
            assert policy["default-src"] in ("'none'", "'self'"), (method, address)
            assert not {"'unsafe-inline'", "'unsafe-eval'", "*"} & set(
                policy.get("script-src", policy["default-src"]).split()
            ), (method, address)
            is_open = address.startswith(cors.PREFIXES)
            assert ("Access-Control-Allow-Origin" in seen) is is_open, (method, address)
            assert "Access-Control-Allow-Credentials" not in seen, (method, address)


@pytest.mark.parametrize(
    "site", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}]
)
def test_no_other_site_changes_anything(evening: SessionClient, site: dict[str, str]) -> None:
    """With the cookies of the GM's browser, whatever its form says."""
    house, client = evening.house, evening.house.client
    body = {"token": evening.tokens["gm"]}
    assert client.post(f"/s/{evening.session}/sign-in", json=body).status_code == 204
    before = house.log(), house.app.recorder.query("SELECT COUNT(*) FROM invitations")
    form = {
        "role": "player",
        "to": "3",
        "reason": "x",
        "text": "x",
        "key": "a-form-of-some-length",
        "code": "x",
    }
    for method, address in addresses(house.flask, evening):
        for sent in ({"data": form}, {"json": form}) if method in ("POST", "DELETE") else ():
            answer = client.open(address, method=method, headers=site, **sent)  # type: ignore[arg-type]
            assert answer.status_code in (400, 401, 403, 404, 405, 409, 415, 422), (
                method,
                address,
                answer.status,
            )
    assert (house.log(), house.app.recorder.query("SELECT COUNT(*) FROM invitations")) == before
    assert client.get(f"/s/{evening.session}").status_code == 200, "and the browser is still in"


@pytest.mark.parametrize(
    ("host", "settings", "fits"),
    [
        ("127.0.0.1:8000", {}, True),
        ("[::1]:8000", {}, True),
        ("192.168.1.7:8000", {}, True),
        ("localhost:8000", {}, True),
        ("evil.example", {}, False),
        ("evil_site.example", {}, False),
        ("\u00e9.example", {}, False),
        ("evil.example:8000", {"FAIRLOG_URL": "https://fairlog.example"}, False),
        ("fairlog.example", {"FAIRLOG_URL": "https://fairlog.example"}, True),
        ("fairlog.example.evil.example", {"FAIRLOG_URL": "https://fairlog.example"}, False),
        ("table.local", {"FAIRLOG_HOST": "table.local"}, True),
    ],
)
def test_a_name_that_is_not_the_servers_is_refused(
    tmp_path: Path, host: str, settings: dict[str, str], fits: bool
) -> None:
    house = TestServer(settings_in(tmp_path, **settings))
    for path in ("/v1/sessions", "/metrics", "/livez", "/docs"):
        answer = house.client.get(path, headers={"Host": host})
        assert (answer.status_code == 421) is not fits, path
        assert fits or answer.json["code"] == "host-unknown"
    page = house.client.get("/", headers=PEOPLE | {"Host": host})
    assert (page.status_code == 421) is not fits
    house.close()
