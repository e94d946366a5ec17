"""The edges: what answers carry, what is never logged, how the server does without its queue, views and log."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from structlog.testing import capture_logs

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.state import SessionOptions
from domain.session.turns import LEAST_HOUSE_LENGTH, USUAL_AHEAD
from projections.stores.errors import is_of_storage
from service.http.docs_command import docs
from service.http.errors import PROBLEMS
from service.jobs.embedded_server import EmbeddedQueueServer
from tests.support.example import EXAMPLE, kind, over, to_draw
from tests.support.server import KEY, SessionClient, TestServer, laid, settings_in


def test_every_answer_carries_its_headers(evening: SessionClient) -> None:
    client = evening.house.client
    asks = [
        client.get("/livez"),
        client.get("/nothing"),
        client.get("/docs"),
        evening.get("p1", ""),
        evening.get(None, ""),
        evening.post("p1", "/commands", {}),
        client.options("/v1/sessions"),
    ]
    for answer in asks:
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert len(answer.headers["X-Request-Id"]) == 32
    assert [answer.headers.get("Cache-Control") for answer in asks[3:6]] == ["no-store"] * 3


def test_a_request_id_is_kept_where_it_is_one(house: TestServer) -> None:
    kept = house.client.get("/livez", headers={"X-Request-Id": "a-request-0001"})
    made = house.client.get("/livez", headers={"X-Request-Id": "a b\tc"})
    assert kept.headers["X-Request-Id"] == "a-request-0001"
    assert len(made.headers["X-Request-Id"]) == 32


def test_the_page_of_the_api_is_served_from_our_own_files(house: TestServer) -> None:
    page = house.client.get("/docs")
    assert page.mimetype == "text/html"
    assert page.headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert "http" not in page.text.replace("http-equiv", "")
    assert "<script>" not in page.text
    for file in ("swagger-ui.css", "swagger-ui-bundle.js", "start.js"):
        answer = house.client.get(f"/docs/{file}")
        assert answer.status_code == 200
        answer.close()
    assert house.client.get("/docs/../wsgi.py").status_code == 404
    assert house.client.get("/docs/%2e%2e/__init__.py").status_code == 404


def test_the_root_says_where_to_look(house: TestServer) -> None:
    said = house.client.get("/").json
    assert said.pop("name") == "Fairlog"
    for address in said.values():
        assert house.client.get(address).status_code == 200
    assert set(said.values()) == {"/docs", "/openapi.json", "/readyz"}


def test_a_row_in_the_way_is_no_lost_database() -> None:
    wrapped = RuntimeError()
    for cause, away in (
        (sqlite3.OperationalError(), True),
        (sqlite3.DatabaseError(), True),
        (sqlite3.IntegrityError(), False),
        (sqlite3.ProgrammingError(), False),
    ):
        wrapped.__cause__ = cause
        assert (is_of_storage(cause), is_of_storage(wrapped)) == (away, away)


def test_an_empty_list_is_named_where_the_game_wants_one_entry(house: TestServer) -> None:
    command = {"kind": "open.ReturnCards", "deck": "omens", "cards": []}
    answer = house.open(ruleset="open").post("gm", "/commands", {"command": command})
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json["errors"]] == ["#/command/cards"]


def test_a_database_that_goes_while_a_refusal_is_described_is_a_503(
    evening: SessionClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr("service.http.refusals.visible_session", gone)
        answer = evening.post("p1", "/rewind", {"to": 1, "reason": "too far"})
    assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
    assert answer.headers["Retry-After"]
    refused = evening.post("p1", "/rewind", {"to": 1, "reason": "too far"})
    assert refused.status_code == 409


def test_a_turns_number_is_the_commands_also_where_the_house_anchors_its_next_chain(
    tmp_path: Path,
) -> None:
    house = TestServer(settings_in(tmp_path, FAIRLOG_CHAIN_LENGTH=f"{LEAST_HOUSE_LENGTH}"))
    evening, anchored = laid(house), 0
    for seat, command in (*over(), *to_draw()) * (LEAST_HOUSE_LENGTH - USUAL_AHEAD):
        said = evening.do(seat, command)
        anchors = said["events"][0]["kind"] == "session.ChainAnchored"
        assert said["turn"] == said["events"][-1]["turn"] == said["events"][0]["turn"] + anchors
        anchored += anchors
    assert anchored == 1
    house.close()


def test_options_stand_in_one_order(house: TestServer) -> None:
    evening = house.open(
        options={EXAMPLE.option.name: EXAMPLE.option.default, "listed": True, "declared_dice": True}
    )
    for now in (evening.get("gm", ""), evening.get("gm", "?version=1")):
        assert list(now.json["options"]) == sorted(now.json["options"])
    house.restart()
    assert evening.get("gm", "").json["options"] == now.json["options"]
    assert list(evening.get("gm", "").json["options"]) == list(now.json["options"])


def test_head_and_options_answer_without_a_body(evening: SessionClient) -> None:
    head = evening.house.client.head(evening.path, headers=evening.headers("p1"))
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["ETag"] == f'"{evening.version()}"'
    options = evening.house.client.options(f"{evening.path}/commands")
    assert options.status_code == 200
    assert {"GET", "POST", "HEAD", "OPTIONS"} == set(options.headers["Allow"].split(", "))
    wrong = evening.house.client.put(f"{evening.path}/commands", headers=evening.headers("p1"))
    assert (wrong.status_code, set(wrong.headers["Allow"].split(", "))) == (
        405,
        {"GET", "POST", "HEAD", "OPTIONS"},
    )


def test_one_line_a_request_and_no_secret_in_it(house: TestServer) -> None:
    with capture_logs() as lines:
        evening = laid(house)
        code = evening.invite()
        house.client.get(f"/v1/invitations/{code}?why={code}")
        house.client.post("/v1/seats", json={"code": code})
        evening.post("p1", "/narrate", {"text": "a whispered marker"}, Idempotency_Key=KEY)
        house.client.get(
            f"{evening.path}?token={evening.tokens['p1']}",
            headers={"Authorization": f"Bearer {code}"},
        )
    text = repr(lines)
    assert {line["event"] for line in lines} == {"request"}
    assert [
        secret for secret in (*evening.tokens.values(), code, KEY, "marker") if secret in text
    ] == []
    assert {"id", "method", "rule", "status", "ms", "session"} <= set(lines[-1])


def test_docs_prints_the_api_and_names_no_ruleset() -> None:
    page = CliRunner().invoke(docs, []).output
    paths = json.loads(CliRunner().invoke(docs, ["--json"]).output)["paths"]
    assert [path for path in paths if f" {path}\n" not in page] == []
    assert [code for code in PROBLEMS if f"`{code}`" not in page] == []


@pytest.mark.parametrize(
    "ruleset", RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
def test_docs_prints_every_command_and_option_of_a_ruleset(ruleset: AnyRuleset) -> None:
    page = CliRunner().invoke(docs, [ruleset.name]).output
    names = [kind(command) for command in ruleset.commands]
    assert [name for name in names if f"### {name}\n" not in page] == []
    options = (*ruleset.options.__struct_fields__, *SessionOptions.__struct_fields__)
    assert [name for name in options if f"`{name}`" not in page] == []


def test_without_a_queue_play_goes_on_and_ready_says_degraded(evening: SessionClient) -> None:
    answer = evening.house.client.get("/readyz")
    assert answer.status_code == 200
    assert (answer.json["status"], answer.json["log"], answer.json["queue"]) == (
        "degraded",
        "ok",
        "away",
    )
    assert evening.post("p1", "/narrate", {"text": "x"}).status_code == 201


def test_with_everything_there_ready_says_ok(tmp_path: Path) -> None:
    queue = EmbeddedQueueServer(settings_in(tmp_path))
    queue.start()
    house = TestServer(settings_in(tmp_path, REDIS_URL=queue.address))
    try:
        answer = house.client.get("/readyz")
        assert (answer.status_code, answer.json["status"], answer.json["queue"]) == (
            200,
            "ok",
            "ok",
        )
        house.open()
        assert set(house.client.get("/readyz").json["views"]) == {
            "tables",
            "timeline",
            "tallies",
            "sessions",
            "totals",
        }
        assert min(house.client.get("/readyz").json["views"].values()) == 4
    finally:
        house.close()
        queue.stop()


def execute(house: TestServer, place: str, *statements: str) -> None:
    """Run statements in the log or in the views, as somebody's clumsy hand would."""
    settings = house.settings
    if settings.is_on_postgres:
        with psycopg.connect(settings.database) as connection:
            connection.execute(f"SET search_path TO {place}".encode())
            for statement in statements:
                connection.execute(statement.encode())
        return
    with closing(
        sqlite3.connect({"fairlog": settings.log_file}.get(place, settings.views_file))
    ) as file:
        for statement in statements:
            file.execute(statement)
        file.commit()


def test_without_views_everything_but_statistics_is_answered_from_the_log(
    evening: SessionClient,
) -> None:
    before = evening.get("p1", "/events").json
    tables = ("timeline", "timeline_rewinds", "sessions", "results", "tracking")
    execute(evening.house, "fairlog_views", *(f"DROP TABLE {table}" for table in tables))
    assert evening.get("p1", "/events").json == before
    said = evening.post("p1", "/narrate", {"text": "x"}, Idempotency_Key=KEY)
    assert said.status_code == 201
    assert (
        evening.post("p1", "/narrate", {"text": "x"}, Idempotency_Key=KEY).json["repeated"] is True
    )
    assert (
        len(
            evening.house.client.get("/v1/sessions", headers=evening.headers("p1")).json["sessions"]
        )
        == 1
    )
    assert evening.get("p1", "/statistics").status_code == 202
    assert evening.house.client.get("/readyz").json["status"] == "degraded"


def test_without_its_log_the_server_is_down_and_says_so(evening: SessionClient) -> None:
    execute(evening.house, "fairlog", "ALTER TABLE stored_events RENAME TO lost")
    for answer in (evening.get("p1", ""), evening.post("p1", "/narrate", {"text": "x"})):
        assert (answer.status_code, answer.json["code"]) == (503, "unavailable")
        assert answer.headers["Retry-After"]
    ready = evening.house.client.get("/readyz")
    assert (ready.status_code, ready.json["status"], ready.json["log"]) == (503, "down", "down")
    assert evening.house.client.get("/livez").status_code == 200


def test_what_nobody_meant_is_a_500_without_a_word_too_many(
    evening: SessionClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("a detail for the operator")

    monkeypatch.setattr(type(evening.house.app.log), "read", fail)
    answer = evening.get("p1", "")
    assert (answer.status_code, answer.json["code"]) == (500, "internal")
    assert "detail for" not in answer.text


@pytest.mark.long
def test_the_wsgi_application_is_built_from_the_environment(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, FAIRLOG_LOG="info")
    house = TestServer(settings)
    house.close()
    program = "from service.wsgi import app; print(app.test_client().get('/livez').json)"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **settings.environ()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "{'status': 'ok'}" in ran.stdout
    assert '"event": "request"' in ran.stdout
