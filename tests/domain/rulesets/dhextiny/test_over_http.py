"""Dhextiny over HTTP: what stands on its table, what each seat can do, its odds, and what its schemas refuse."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from domain.ruleset import Message
from domain.rulesets.dhextiny import messages as m
from tests.example import as_json
from tests.service.http.playing import KEY, Evening, House, settings_in, staged

ALTER = m.Alter("ana", "locks", 1)


def laid(house: House, **more: Any) -> Evening:
    """A table with two players, a spectator and an open check of p1's Ana."""
    evening = house.open(ruleset="dhextiny", **more)
    evening.seat("p1", name="Ana's player")
    evening.seat("p2")
    evening.seat("watcher", "spectator")
    evening.go(
        ("p1", m.CreatePc("ana", "Ana")),
        ("p2", m.CreatePc("ben", "Ben")),
        ("gm", m.CreateCreature("rat", "Rat", 3)),
        ("p1", m.RollAbilities("ana")),
        ("p1", m.NameAbility("ana", "locks")),
        ("p1", m.Check("ana", "locks")),
    )
    return evening


@pytest.fixture
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    served = House(settings_in(tmp_path), laid if "evening" in request.fixturenames else None)
    yield served
    served.close()


@pytest.fixture
def evening(house: House) -> Evening:
    return staged(house, laid)


def test_what_is_empty_is_not_on_the_table(evening: Evening) -> None:
    assert set(evening.get("p2", "").json["table"]) == {"entities", "boards", "pools", "tasks"}
    assert set(evening.get("p2", "?at=1").json["table"]) == {"boards"}


def test_a_turn_tells_its_events(evening: Evening) -> None:
    settled = evening.do("p1", m.Settle("ana"))["events"]
    assert [event["kind"] for event in settled[:2]] == ["session.Declared", "dhextiny.Settled"]
    assert "Ana" in settled[1]["told"]
    checked = evening.do("p2", m.Check("ben"))["events"]
    assert [event["kind"] for event in checked] == [
        "session.Declared",
        "session.Drawn",
        "dhextiny.Checked",
    ]


def test_physical_dice_show_the_face_that_was_typed_in(house: House) -> None:
    evening = laid(house, options={"declared_dice": True})
    evening.do("p1", m.Settle("ana"))
    said = evening.post("p2", "/commands", {"command": as_json(m.Check("ben")), "faces": [5]}).json[
        "events"
    ]
    assert [event.get("grade") for event in said] == ["D", None]
    assert said[1]["body"]["face"] == 5


def test_a_settled_check_stays_settled(evening: Evening) -> None:
    evening.do("p1", m.Settle("ana"))
    before = evening.house.log()
    answer = evening.command("p1", ALTER)
    assert (answer.status_code, answer.json["rule"]) == (409, "no-check-open")
    assert evening.house.log() == before


def test_nobody_settles_anothers_check_and_a_refusal_is_judged_again(evening: Evening) -> None:
    refused = evening.command("p2", m.Settle("ben"), Idempotency_Key=KEY)
    assert (refused.status_code, refused.json["rule"]) == (409, "not-its-check")
    evening.go(("p1", m.Settle("ana")), ("p2", m.Check("ben")))
    assert evening.command("p2", m.Settle("ben"), Idempotency_Key=KEY).status_code == 201


def test_what_can_be_done_is_judged_for_each_seat(evening: Evening) -> None:
    def said(seat: str) -> dict[str, Any]:
        return {line["kind"]: line for line in evening.get(seat, "/commands").json["commands"]}

    player, gm, other = said("p1"), said("gm"), said("p2")
    assert player["dhextiny.Settle"] == {
        "kind": "dhextiny.Settle",
        "allowed": True,
        "example": {"kind": "dhextiny.Settle", "entity": "ana"},
    }
    assert other["dhextiny.Settle"]["rule"] == "not-its-check"
    assert player["dhextiny.EndRound"] == {
        "kind": "dhextiny.EndRound",
        "allowed": False,
        "rule": "gm-only",
        "facts": {"role": "player"},
    }
    assert gm["dhextiny.EndRound"]["rule"] == "nothing-aflame"


def test_a_dry_run_says_what_would_be(evening: Evening) -> None:
    def tried(seat: str, command: Message) -> Any:
        said = evening.post(seat, "/commands/dry-run", {"command": as_json(command)}).json
        assert said.pop("version") == evening.version()
        return said

    assert tried("p1", m.Settle("ana")) == {"allowed": True, "draws": False}
    assert tried("gm", m.SetAflame("rat")) == {"allowed": True, "draws": True}
    facts = {"entity": "ana", "seat": "p1"}
    assert tried("p2", m.Settle("ana")) == {"allowed": False, "rule": "not-yours", "facts": facts}


def test_what_hangs_on_somebody_unseen_is_refused_as_unseen(house: House) -> None:
    evening = laid(house, options={"declared_dice": True})
    evening.do("p1", m.Settle("ana"))
    evening.secretly("gm", m.CreateCreature("ghost", "Ghost", 6), "gm")
    point = evening.table("p1")["boards"]["ring"]["at"]
    onto_success = {"command": as_json(m.Attack("ana", "ghost")), "faces": [(3 - point) % 6 or 6]}
    assert evening.post("p1", "/commands", onto_success).status_code == 201
    assert (
        evening.post("p1", "/commands/dry-run", {"command": as_json(m.Settle("ana"))}).json["rule"]
        == "unseen"
    )
    listed = {line["kind"]: line for line in evening.get("p1", "/commands").json["commands"]}
    assert listed["dhextiny.Settle"] == {
        "kind": "dhextiny.Settle",
        "allowed": False,
        "rule": "unseen",
        "facts": {},
    }
    assert "Ghost" in str(evening.do("gm", m.Settle("ana")))


def test_odds_are_exact(evening: Evening) -> None:
    evening.do("p1", m.Settle("ana"))
    outcomes = evening.post("p1", "/odds", {"command": as_json(m.Check("ana"))}).json["outcomes"]
    assert {name: Fraction(*said["chance"]) for name, said in outcomes.items()} == {
        "F": Fraction(1, 6),
        "PF": Fraction(1, 3),
        "PS": Fraction(1, 3),
        "S": Fraction(1, 6),
    }
    assert outcomes["S"]["percent"] == 16.67


def test_there_are_no_odds_of_the_refused(evening: Evening) -> None:
    answer = evening.post("p1", "/odds", {"command": as_json(m.Check("ana"))})
    assert (answer.status_code, answer.json["code"]) == (409, "refused")


def test_the_ruleset_says_its_commands_options_and_rules(house: House) -> None:
    lines = house.client.get("/v1/rulesets").json["rulesets"]
    assert {"name": "dhextiny", "edition": "1", "title": "Dhextiny"} in lines
    said = house.client.get("/v1/rulesets/dhextiny").json
    assert said["commands"]["dhextiny.Alter"]["properties"]["steps"]["maximum"] == 5
    assert {"listed", "declared_dice", "point"} <= set(said["options"]["properties"])
    assert said["rules"].startswith("# Dhextiny")


CREATURE = as_json(m.CreateCreature("x", "x", 1))
MALFORMED = [
    *(
        as_json(ALTER) | {"steps": steps}
        for steps in (0, 6, -1, 10**30, 1.0, 1.5, "1", True, None, [1])
    ),
    *(as_json(ALTER) | {"ability": ability} for ability in ("", "x" * 81, "a\x00b")),
    *(CREATURE | {"death_rule": rule} for rule in ("yes", 1)),
]


@pytest.mark.parametrize("command", MALFORMED, ids=str)
def test_what_no_field_holds_is_malformed(evening: Evening, command: dict[str, Any]) -> None:
    before = evening.house.log()
    answer = evening.post("p1", "/commands", {"command": command})
    assert (answer.status_code, answer.json["code"]) == (422, "malformed")
    assert evening.house.log() == before


def test_errors_name_their_fields(evening: Evening) -> None:
    wrong = {"command": as_json(ALTER) | {"steps": 9, "entity": "Ana"}, "faces": [0]}
    errors = evening.post("p1", "/commands", wrong).json["errors"]
    assert set(errors) == {"command", "faces"}
    assert set(errors["command"]) == {"steps", "entity"}
