"""Turns over HTTP: each event in one turn, whole pages, what a turn changed, and nothing that is hidden."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from domain.ruleset import AnyRuleset
from tests.support.example import EXAMPLE, as_json, guest, kind, over, to_draw
from tests.support.scale import SCALED_RULESETS, scale
from tests.support.server import DrawTable, SessionClient, TestServer

MARKER = "zqx-hidden"
every_ruleset = pytest.mark.parametrize(
    "ruleset", SCALED_RULESETS, ids=lambda ruleset: ruleset.name
)


def played(house: TestServer, ruleset: AnyRuleset) -> SessionClient:
    """Open a session, and send commands that its rules allow, with a rewind and a narration."""
    evening, chosen = house.open(ruleset=ruleset.name), random.Random(4)
    evening.seat("p1")
    for step in range(scale(40, 60)):
        seat = chosen.choice(("gm", "p1"))
        choices = evening.get(seat, "/commands").json["commands"]
        examples = [each["example"] for each in choices if each["allowed"]]
        if examples:
            command = {"command": chosen.choice(examples)}
            assert evening.post(seat, "/commands", command).status_code == 201
        if step == 20:
            ends = {turn["last"] for turn in evening.get("gm", "/turns").json["turns"]}
            body = {"to": sorted(ends)[-3], "reason": "again"}
            assert evening.post("gm", "/rewind", body).status_code == 201
    return evening


def turns(evening: SessionClient, seat: str | None, limit: int = 10_000) -> list[dict[str, Any]]:
    """Every turn, page by page from the newest."""
    found: list[dict[str, Any]] = []
    query = f"?limit={limit}"
    while True:
        page = evening.get(seat, f"/turns{query}").json
        found = page["turns"] + found
        if "before" not in page:
            return found
        query = f"?limit={limit}&before={page['before']}"


def changed(table: dict[str, Any], changes: list[dict[str, Any]]) -> None:
    """Make the changes to a table."""
    for change in changes:
        *above, name = change["path"]
        part = table
        for key in above:
            part = part.setdefault(key, {})
        if "after" in change:
            part[name] = change["after"]
        else:
            del part[name]


def without_empty(table: Any) -> Any:
    if not isinstance(table, dict):
        return table
    inner = {name: without_empty(value) for name, value in table.items()}
    return {name: value for name, value in inner.items() if value != {}}


@every_ruleset
def test_every_event_is_in_one_turn_and_the_changes_make_the_table(
    house: TestServer, ruleset: AnyRuleset
) -> None:
    evening = played(house, ruleset)
    whole = turns(evening, "gm")
    events = evening.get("gm", "/events?limit=10000").json["events"]
    in_turns = {turn["turn"]: (turn["first"], turn["last"]) for turn in whole}
    assert [turn["turn"] for turn in whole] == sorted(in_turns)
    for event in events:
        first, last = in_turns[event["turn"]]
        assert first <= event["version"] <= last
    assert sum(turn["last"] - turn["first"] + 1 for turn in whole) == len(events)
    table: dict[str, Any] = {}
    for turn in whole:
        changed(table, turn.get("changes", []))
    assert without_empty(table) == without_empty(evening.get("gm", "").json["table"])


@every_ruleset
def test_turns_of_the_game_say_what_the_transcript_says_and_name_the_gm(
    house: TestServer, ruleset: AnyRuleset
) -> None:
    evening = played(house, ruleset)
    name = evening.get("gm", "").json["names"]["@gm"]
    told = {turn["turn"]: turn for turn in evening.get("gm", "/transcript").json["turns"]}
    for turn in turns(evening, "gm"):
        of_turn = told[turn["turn"]]
        if not turn["kind"].startswith("session."):
            lines = [re.sub(rf"^The {ruleset.gm_title}\b", name, each) for each in of_turn["lines"]]
            assert turn["texts"] == lines
        assert turn.get("undone", False) == of_turn.get("undone", False)
        assert (f"grade {turn.get('grade')}" in of_turn.get("note", "")) is ("grade" in turn)


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_pages_have_whole_turns(evening: SessionClient, limit: int) -> None:
    evening.go(*over())
    assert turns(evening, "gm", limit) == turns(evening, "gm")


def test_a_page_can_begin_anywhere(evening: SessionClient) -> None:
    whole = turns(evening, "gm")
    for before in range(1, evening.version() + 2):
        page = evening.get("gm", f"/turns?before={before}&limit=10000").json
        assert page["turns"] == [turn for turn in whole if turn["last"] < before]


def test_a_roll_has_its_values_its_outcome_and_what_it_changed(evening: SessionClient) -> None:
    [turn] = [each for each in turns(evening, "p1") if "grade" in each]
    assert turn["kind"] == kind(EXAMPLE.draw)
    assert turn["command"] == as_json(EXAMPLE.draw)
    assert [(value["source"], value["entity"]) for value in turn["values"]] == [("d6", "ana")]
    [outcome] = turn["outcomes"]
    ranks = {"F": 1, "PF": 2, "PS": 3, "S": 4}
    assert (outcome["rank"], outcome["outcomes"]) == (ranks[outcome["outcome"]], 4)
    assert outcome["success"] == (outcome["outcome"] in ("PS", "S"))
    assert outcome["chance"]["numerator"] in (1, 2)
    assert turn["draw"] == 0
    assert "results" not in turn
    evening.go(*over())
    ended = [each for each in turns(evening, "p1") if each.get("results")]
    assert [each["results"][0]["rolled"] for each in ended] == [outcome["outcome"]]


def test_a_turn_that_a_rewind_undid_says_so(evening: SessionClient) -> None:
    before = evening.version()
    turn = evening.do("gm", guest("wolf", "Wolf"))["turn"]
    assert not any(each.get("undone") for each in turns(evening, "p2"))
    evening.post("gm", "/rewind", {"to": before, "reason": "again"})
    assert [each["turn"] for each in turns(evening, "p2") if each.get("undone")] == [turn]
    assert turns(evening, "p2")[-1]["highlight"] == "rewind"


def test_a_sealed_turn_that_a_rewind_passed_says_so(evening: SessionClient) -> None:
    """It says no more than the rewind: a secret narration, which is never undone, says the same."""
    before = evening.version()
    hidden = evening.secretly("gm", guest("ghost", MARKER), "gm")["turn"]
    said = {"text": MARKER, "audience": "gm"}
    whispered = evening.post("gm", "/narrate", said).json["turn"]
    evening.post("gm", "/rewind", {"to": before, "reason": "again"})
    undone = {
        seat: [each["turn"] for each in turns(evening, seat) if each.get("undone")]
        for seat in ("p1", "gm")
    }
    assert undone == {"p1": [hidden, whispered], "gm": [hidden]}


def test_a_secret_turn_is_sealed_until_it_is_opened(evening: SessionClient) -> None:
    turn = evening.secretly("gm", guest("ghost", MARKER), "gm")["turn"]
    shown = evening.get("p1", "/turns")
    assert MARKER not in shown.text.lower()
    assert {**shown.json["turns"][-1], "at": ""} == {
        "turn": turn,
        "first": evening.version() - 1,
        "last": evening.version(),
        "at": "",
        "seat": "gm",
        "sealed": True,
    }
    [seen] = [each for each in turns(evening, "gm") if each["turn"] == turn]
    assert (seen["audience"], MARKER in seen["texts"][0].lower()) == ("gm", True)
    assert evening.post("gm", "/open-secret", {"turn": turn}).status_code == 201
    [opened] = [each for each in turns(evening, "p1") if each["turn"] == turn]
    assert MARKER in opened["texts"][0].lower()


def test_a_narration_has_its_words_until_they_are_deleted(evening: SessionClient) -> None:
    said = evening.post("p1", "/narrate", {"text": f"It is {MARKER}."}).json["version"]
    assert turns(evening, "p2")[-1]["narration"] == f"It is {MARKER}."
    evening.post("p1", "/redact", {"version": said, "reason": "mine"})
    assert MARKER not in evening.get("p2", "/turns").text


def test_a_turn_whose_draw_is_pending_stays_whole(house: TestServer) -> None:
    table = DrawTable(house)
    evening = table.evening
    evening.go(*to_draw()[:-1])
    waiting = evening.command("p1", EXAMPLE.draw).json["turn"]
    evening.post("p2", "/narrate", {"text": "We hold our breath."})
    pending = [each["turn"] for each in turns(evening, "p1") if each.get("pending")]
    assert pending == [waiting]
    table.give(*table.holders)
    whole = turns(evening, "gm")
    [turn] = [each for each in whole if each["turn"] == waiting]
    assert (turn["grade"], len(turn["outcomes"]), "pending" in turn) == ("A", 1, False)
    for limit in (1, 2, 3):
        assert turns(evening, "gm", limit) == whole


def test_a_turn_has_its_roll_card_and_a_command_its_title(house: TestServer) -> None:
    evening = house.open(ruleset="dhextiny")
    evening.seat("p1")
    for command in (
        {"kind": "dhextiny.CreatePc", "entity": "ana", "name": "Ana"},
        {"kind": "dhextiny.Check", "entity": "ana", "aim": "Pick the lock"},
        {"kind": "dhextiny.Settle", "entity": "ana"},
    ):
        assert evening.post("p1", "/commands", {"command": command}).status_code == 201
    created, checked, settled = turns(evening, "p1")[-3:]
    assert created.get("cards", []) == []
    (card,) = checked["cards"]
    assert (card["entity"], card["action"]) == ("ana", "makes a check")
    assert card["detail"] == "Pick the lock"
    (path,) = card["drawings"]
    assert path["shape"] == "path"
    assert len(path["points"]) == 1 + int(card["big"])
    assert settled["cards"] == [
        {"entity": "ana", "result": card["result"], "level": card["level"], "continues": True}
    ]
    assert evening.get("p1", "").json["table"]["pools"]["ana.lp"]["kind"] == "health"
    rules = house.client.get("/v1/rulesets/dhextiny").json
    assert rules["commands"]["dhextiny.PutOut"]["title"] == "Put out flames"
    assert {each["command"] for each in rules["controls"]["pools"]} >= {"dhextiny.Harm"}


def test_an_opened_turn_has_no_audience(house: TestServer) -> None:
    evening = house.open(ruleset="dhextiny")
    evening.seat("p1")
    command = {"kind": "dhextiny.CreateNpc", "entity": "rat", "name": "Rat"}
    sent = evening.post("gm", "/commands", {"command": command, "audience": "gm"})
    assert sent.status_code == 201
    assert turns(evening, "gm")[-1]["audience"] == "gm"
    number = turns(evening, "gm")[-1]["turn"]
    assert evening.post("gm", "/open-secret", {"turn": number}).status_code == 201
    for seat in ("gm", "p1"):
        (opened,) = [turn for turn in turns(evening, seat) if turn["turn"] == number]
        assert "audience" not in opened


def test_a_session_says_which_entities_are_hidden(house: TestServer) -> None:
    evening = house.open(ruleset="dhextiny")
    evening.seat("p1")
    command = {"kind": "dhextiny.CreateNpc", "entity": "rat", "name": "Rat"}
    evening.post("gm", "/commands", {"command": command, "audience": "gm"})
    assert evening.get("gm", "").json["hidden"] == ["rat"]
    assert "hidden" not in evening.get("p1", "").json
    number = turns(evening, "gm")[-1]["turn"]
    evening.post("gm", "/open-secret", {"turn": number})
    assert "hidden" not in evening.get("gm", "").json


def test_commands_that_a_turn_made_possible_are_marked(house: TestServer) -> None:
    evening = house.open(ruleset="dhextiny")
    evening.seat("p1")
    command = {"kind": "dhextiny.CreatePc", "entity": "ana", "name": "Ana"}
    evening.post("p1", "/commands", {"command": command})
    evening.post("p1", "/commands", {"command": {"kind": "dhextiny.Check", "entity": "ana"}})
    since = turns(evening, "p1")[-1]["first"] - 1
    found = evening.get("p1", f"/commands?entity=ana&since={since}").json["commands"]
    opened = {each["kind"] for each in found if each.get("opened")}
    assert "dhextiny.Settle" in opened
    assert not opened & {each["kind"] for each in found if not each["allowed"]}
    assert "dhextiny.RollAbilities" not in opened
