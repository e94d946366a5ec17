"""Free rolls over HTTP: offered, tried, drawn, shown and counted in the session of any ruleset."""

from __future__ import annotations

import pytest

from domain.rulesets import RULESETS
from domain.verify import verify
from domain.verify.report import Level
from service.platform.ed25519 import verify as ed25519
from service.sessions.log_files import export_log
from tests.support.server import SessionClient, TestServer, names, rule

ROLL = {"kind": "rolls.Roll", "notation": "2d6+1", "aim": "Does the rope hold?"}


def opened(house: TestServer, ruleset: str = RULESETS[0].name) -> SessionClient:
    session = house.open(ruleset=ruleset, free_rolls=True)
    session.seat("p1", name="Ana's player")
    session.seat("p2")
    return session


@pytest.mark.parametrize("ruleset", [each.name for each in RULESETS])
def test_any_dice_are_rolled_in_every_ruleset(house: TestServer, ruleset: str) -> None:
    session = opened(house, ruleset)
    for seat in ("gm", "p1"):
        sent = session.post(seat, "/commands", {"command": ROLL})
        assert sent.status_code == 201
        assert names(sent) == ["Declared", "Drawn", "DiceRolled"]
    report = verify(export_log(house.app, session.session), ed25519)
    assert (report.failure, report.reached, report.whole) == (None, Level.VIEWS, True)


def test_free_rolls_are_offered_with_odds(house: TestServer) -> None:
    session = opened(house)
    offered = {each["kind"]: each for each in session.get("p1", "/commands").json["commands"]}
    assert offered["rolls.Roll"]["allowed"]
    tried = session.post("p1", "/commands/dry-run", {"command": ROLL}).json
    assert (tried["allowed"], tried["draws"]) == (True, True)
    odds = session.post("p1", "/odds", {"command": ROLL}).json["outcomes"]
    assert next(iter(odds)) == "3"
    assert len(odds) == 11


def test_a_free_roll_is_one_turn_with_its_result(house: TestServer) -> None:
    session = opened(house)
    session.post("p1", "/commands", {"command": ROLL})
    turn = session.get("p2", "/turns").json["turns"][-1]
    assert (turn["seat"], turn["kind"], turn["grade"]) == ("p1", "rolls.Roll", "C")
    assert [value["source"] for value in turn["values"]] == ["d6", "d6"]
    assert turn["cards"][0]["action"] == "rolls 2d6 + 1"
    [outcome] = turn["outcomes"]
    assert int(outcome["outcome"]) == 1 + sum(int(each["value"]) for each in turn["values"])
    assert "rank" not in outcome
    [line] = turn["texts"]
    assert line.startswith("Does the rope hold?: Ana's player rolls 2d6+1: ")


def test_a_secret_free_roll_is_hidden_until_it_is_opened(house: TestServer) -> None:
    session = opened(house)
    session.post("p1", "/commands", {"command": ROLL, "audience": "gm"})
    assert "rope" not in session.get("p2", "/events?limit=500").text
    assert "rope" in session.get("gm", "/events?limit=500").text
    turn = session.get("p1", "/turns").json["turns"][-1]["turn"]
    assert session.post("p1", "/open-secret", {"turn": turn}).status_code == 201
    assert "rope" in session.get("p2", "/events?limit=500").text


def test_a_wrong_notation_is_refused_with_its_place(house: TestServer) -> None:
    sent = opened(house).post("p1", "/commands", {"command": ROLL | {"notation": "2d6+"}})
    assert rule(sent) == (409, "bad-notation")
    assert "2d6+" in sent.json["detail"]


def test_a_session_without_free_rolls_knows_no_such_command(house: TestServer) -> None:
    session = house.open()
    assert "rolls.Roll" not in session.get("gm", "/commands").text
    assert rule(session.post("gm", "/commands", {"command": ROLL})) == (422, "malformed")


def test_a_fork_has_free_rolls_too(house: TestServer) -> None:
    session = opened(house)
    session.post("p1", "/commands", {"command": ROLL})
    version = session.get("gm", "").json["version"]
    made = session.post("gm", "/forks", {"version": version})
    assert made.status_code == 201, made.json
    fork = SessionClient(house, made.json["session"], {"gm": made.json["token"]})
    assert fork.post("gm", "/commands", {"command": ROLL}).status_code == 201
