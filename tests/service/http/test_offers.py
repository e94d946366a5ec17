"""What can be done before it is: commands with examples, dry runs, odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from domain.odds import odds
from domain.ruleset import Message
from domain.rulesets.dhextiny import messages as dhextiny
from domain.rulesets.kingdoms import messages as kingdoms
from tests.support.example import EXAMPLE, FIRST, as_json, kind, over, seated
from tests.support.server import SessionClient, TestServer


def test_what_can_be_done_is_judged_for_each_seat(evening: SessionClient) -> None:
    def said(seat: str) -> dict[str, Any]:
        return {line["kind"]: line for line in evening.get(seat, "/commands").json["commands"]}

    player, other = said("p1"), said("p2")
    evening.go(*over())
    gm = said("gm")
    plain, override = kind(EXAMPLE.plain), kind(EXAMPLE.override)
    assert (player[plain]["kind"], player[plain]["allowed"]) == (plain, True)
    assert player[plain]["example"] | {"kind": plain, "entity": "ana"} == player[plain]["example"]
    assert other[plain].get("example", {}).get("entity") != "ana"
    assert player[override].pop("detail").endswith("Ask the GM to do it.")
    assert player[override] == {
        "kind": override,
        "allowed": False,
        "rule": "gm-only",
        "facts": {"role": "player"},
    }
    assert gm[override]["allowed"] is True
    assert {line["rule"] for line in said("watcher").values()} == {"role-may-not"}


def test_only_failures_and_successes_are_ranked(evening: SessionClient) -> None:
    lines = evening.get("p1", "/commands").json["commands"]
    assert all("odds" in line for line in lines if line.get("ranked"))
    plain = next(line for line in lines if line["kind"] == kind(EXAMPLE.plain))
    assert plain.get("ranked", False) is (plain.get("odds") is not None)


@pytest.mark.parametrize("seat", ["gm", "p1", "p2"])
def test_every_example_is_allowed_by_a_dry_run(evening: SessionClient, seat: str) -> None:
    before = evening.house.log()
    for line in evening.get(seat, "/commands").json["commands"]:
        if line["allowed"]:
            tried = evening.post(seat, "/commands/dry-run", {"command": line["example"]}).json
            assert tried["allowed"] is True, line
    assert evening.house.log() == before


@pytest.mark.parametrize("seat", ["gm", "p1"])
def test_each_listed_value_is_allowed(evening: SessionClient, seat: str) -> None:
    listed = 0
    for line in evening.get(seat, "/commands?values=true").json["commands"]:
        assert ("values" in line) is line["allowed"]
        for field, values in line.get("values", {}).items():
            for value in values:
                command = {**line["example"], field: value}
                tried = evening.post(seat, "/commands/dry-run", {"command": command}).json
                assert tried["allowed"] is True, command
                listed += 1
    assert listed > 2


def test_the_gm_can_ask_for_one_entity(evening: SessionClient) -> None:
    evening.go(*over())
    found = evening.get("gm", "/commands?entity=ben&values=true").json["commands"]
    acting = {line["example"].get("entity", "ben") for line in found if line["allowed"]}
    assert acting == {"ben", "new"}, "and entities that do not exist yet"
    of_ana = evening.get("p2", "/commands?entity=ana").json["commands"]
    assert not any(line["example"].get("entity") == "ana" for line in of_ana if line["allowed"])


def test_a_dry_run_says_what_would_change(evening: SessionClient) -> None:
    before = evening.get("p1", "").json["table"]
    tried = evening.post("p1", "/commands/dry-run", {"command": as_json(EXAMPLE.plain)}).json
    evening.go(("p1", EXAMPLE.plain))
    changed = evening.get("p1", f"/compare?from={evening.version() - 2}").json["changes"]
    assert tried["changes"] == changed != []
    assert evening.get("p1", "").json["table"] != before


def test_a_dry_run_says_what_would_be(evening: SessionClient) -> None:
    version = evening.version()

    def tried(seat: str, command: Message) -> Any:
        return evening.post(seat, "/commands/dry-run", {"command": as_json(command)}).json

    plain = tried("p1", EXAMPLE.plain)
    assert plain.pop("changes")
    plain.pop("level", None)
    assert plain == {"version": version, "allowed": True, "draws": False}
    assert tried("p2", EXAMPLE.plain) == {
        "version": version,
        "allowed": False,
        "rule": "not-yours",
        "facts": {"entity": "ana", "seat": "p1"},
        "detail": "Only the player of Ana or the GM can do that. Ask that player or the GM to do it.",
    }
    assert evening.version() == version
    evening.go(*over(), *seated(EXAMPLE.ready))
    assert tried("p1", EXAMPLE.draw) == {
        "version": evening.version(),
        "allowed": True,
        "draws": True,
    }


def test_odds_are_exact(evening: SessionClient) -> None:
    evening.go(*over(), *seated(EXAMPLE.ready))
    session = evening.house.app.log.read(evening.session).session
    outcomes = evening.post("p1", "/odds", {"command": as_json(EXAMPLE.draw)}).json["outcomes"]
    exact = {
        name: Fraction(said["numerator"], said["denominator"]) for name, said in outcomes.items()
    }
    assert exact == odds(FIRST, session.table, EXAMPLE.draw, session.by("p1"))
    assert {name: said["percent"] for name, said in outcomes.items()} == {
        name: round(float(100 * chance), 2) for name, chance in exact.items()
    }


def test_an_ability_can_be_named_as_often_as_the_offer_says(house: TestServer) -> None:
    table = house.open(ruleset="dhextiny")
    table.seat("p1")

    def offer() -> dict[str, Any]:
        found = table.get("p1", "/commands?entity=ana").json["commands"]
        return next(each for each in found if each["kind"] == "dhextiny.NameAbility")

    table.go(("p1", dhextiny.CreatePc("ana", "Ana")))
    assert "times" not in offer()
    table.go(("p1", dhextiny.RollAbilities("ana")))
    times = offer()["times"]
    for nth in range(times):
        assert offer()["times"] == times - nth
        table.go(("p1", dhextiny.NameAbility("ana", f"trade {nth}")))
    assert times >= 3
    assert offer()["rule"] == "no-ability-left"


def test_a_basic_test_of_kingdoms_has_a_chance_to_succeed(house: TestServer) -> None:
    """With 2 dice against DT 6, 46 of 144 throws have more successes than failures."""
    table = house.open(ruleset="kingdoms")
    table.do("gm", kingdoms.CreateNpc("ork", "Ork", 2, 0))
    command = as_json(kingdoms.RunBasicTest("ork", ("CON",), 6))
    answer = table.post("gm", "/odds", {"command": command}).json
    assert answer["success"] == {"numerator": 23, "denominator": 72, "percent": 31.94}
    listed = {line["kind"]: line for line in table.get("gm", "/commands").json["commands"]}
    offered = listed[kind(kingdoms.RunBasicTest)]
    again = table.post("gm", "/odds", {"command": offered["example"]}).json
    assert offered["success"] == again["success"]
    assert "success" not in listed[kind(kingdoms.RollDice)]


def test_the_odds_of_dhextiny_do_not_say_what_success_is(house: TestServer) -> None:
    table = house.open(ruleset="dhextiny")
    table.do("gm", dhextiny.CreateCreature("rat", "Rat", 6))
    answer = table.post("gm", "/odds", {"command": as_json(dhextiny.Check("rat"))}).json
    assert set(answer) == {"version", "outcomes"}


def test_a_dry_run_says_how_good_the_result_would_be(house: TestServer) -> None:
    evening = house.open(ruleset="dhextiny")
    evening.seat("p1")
    evening.go(("p1", dhextiny.CreatePc("pia", "Pia")), ("p1", dhextiny.Check("pia")))
    command = as_json(dhextiny.Settle("pia"))
    tried = evening.post("p1", "/commands/dry-run", {"command": command}).json
    assert tried["level"] in range(1, 5)
