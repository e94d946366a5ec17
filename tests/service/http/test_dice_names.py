"""The names of physical dice over HTTP: they are stored and shown with the faces, or refused with a reason."""

from __future__ import annotations

from typing import Any

import pytest

from domain.verify import verify
from service.http.routes import sessions
from service.platform.ed25519 import verify as ed25519
from service.sessions.log_files import export_log
from tests.support.example import EXAMPLE, FACES, as_json, over, to_draw
from tests.support.server import SessionClient, TestServer, laid, rule

DRAW, RED = as_json(EXAMPLE.draw), "the red d6"


def ready(house: TestServer) -> SessionClient:
    """A session that allows physical dice, in which p1 is ready to roll."""
    session = laid(house, options={"declared_dice": True})
    session.go(*over(), *to_draw()[:-1])
    return session


def roll(session: SessionClient, name: object = RED, path: str = "/commands", **fields: Any) -> Any:
    body = {"command": DRAW, "faces": FACES, "dice_name": name} | fields
    return session.post("p1", path, body)


def test_the_name_of_dice_is_stored_and_shown(house: TestServer) -> None:
    session = ready(house)
    sent = roll(session)
    assert sent.status_code == 201
    declared, *_ = sent.json["events"]
    assert declared["body"]["dice_name"] == RED
    assert declared["text"].endswith(", with the red d6, grade D.")
    [read] = session.get("p2", f"/events?after={declared['version'] - 1}&limit=1").json["events"]
    assert (read["body"], read["text"]) == (declared["body"], declared["text"])
    report = verify(export_log(session.house.app, session.session), ed25519)
    assert report.failure is None


def test_the_name_of_dice_is_optional(house: TestServer) -> None:
    body = {"command": DRAW, "faces": FACES}
    declared, *_ = ready(house).post("p1", "/commands", body).json["events"]
    assert "dice_name" not in declared["body"]
    assert declared["text"].endswith(", with physical dice, grade D.")


def test_the_name_of_dice_is_stored_in_its_composed_form(house: TestServer) -> None:
    declared, *_ = roll(ready(house), "Jose\u0301's d6").json["events"]
    assert declared["body"]["dice_name"] == "Jos\u00e9's d6"


def test_the_name_of_secret_dice_is_as_secret_as_their_values(house: TestServer) -> None:
    session = ready(house)
    assert roll(session, audience="self").status_code == 201
    for seat, sees in (("p1", True), ("gm", False), ("p2", False)):
        assert (RED in session.get(seat, "/events?limit=500").text) is sees


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "Use at least one letter"),
        ("x" * 41, "Length must be between 1 and 40."),
        (" red", "Remove the whitespace"),
        ("\u3164", "Remove the character U+3164"),
        ("red\u202e", "Remove the character U+202E"),
        ("red\nd6", "Remove the character U+000A"),
        (6, "Not a valid string."),
        (None, "Field may not be null."),
    ],
)
def test_a_name_that_dice_cannot_have_is_malformed(
    house: TestServer, name: object, reason: str
) -> None:
    errors = refused_fields(roll(ready(house), name))
    assert errors.keys() == {"#/dice_name"}
    assert any(detail.startswith(reason) for detail in errors["#/dice_name"])


@pytest.mark.parametrize("path", ["/commands", "/commands/dry-run"])
def test_a_name_without_faces_is_malformed(house: TestServer, path: str) -> None:
    answer = ready(house).post("p1", path, {"command": DRAW, "dice_name": RED})
    assert refused_fields(answer) == {"#/dice_name": ["Requires `faces`."]}


def refused_fields(answer: Any) -> dict[str, list[str]]:
    """Return the details of the errors of a malformed request, by field."""
    assert (answer.status_code, answer.json["code"]) == (422, "malformed")
    found: dict[str, list[str]] = {}
    for error in answer.json["errors"]:
        found.setdefault(error["pointer"], []).append(error["detail"])
    return found


def test_a_session_of_format_1_refuses_a_name(
    house: TestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "NEWEST_FORMAT", 1)
    session = ready(house)
    tried = roll(session, path="/commands/dry-run").json
    assert (tried["allowed"], tried["rule"]) == (False, "dice-name-in-format-1")
    before = session.version()
    refused = roll(session)
    assert rule(refused) == (409, "dice-name-in-format-1")
    assert "Send the command without `dice_name`." in refused.json["detail"]
    assert session.version() == before
    assert session.post("p1", "/commands", {"command": DRAW, "faces": FACES}).status_code == 201
