"""What the answers say: the session at any version, events, what can be done, odds, proofs, the file to take home."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from domain.proof import tree
from domain.proof.note import open_checkpoint, parse_tlog_proof, parse_vkey
from domain.rulesets import RULESETS
from domain.verify import Known, verify
from projections.results import STATISTICS, Result
from service.verifier import ed25519
from tests.service.http.playing import Evening, House, laid

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def log_key(evening: Evening) -> str:
    body: dict[str, Any] = evening.get("gm", "/events?limit=1").json["events"][0]["body"]
    return str(body["log_key"])


def test_opening_says_what_its_gm_needs(house: House) -> None:
    answer = house.client.post("/v1/sessions", json={"ruleset": "dhextiny", "title": "x", "seat": "mo", "name": "Mo"})
    said = answer.json
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/v1/sessions/{said['session']}")
    assert answer.headers["ETag"] == f'"{said["version"]}"' == '"4"'
    assert (said["seat"], said["role"]) == ("mo", "gm")
    assert said["origin"] == f"fairlog.local/sessions/{said['session']}"
    assert parse_vkey(said["log_key"]).name == said["origin"]


def test_a_session_at_a_version_is_as_it_was(evening: Evening) -> None:
    now = evening.get("p2", "")
    assert now.headers["ETag"] == f'"{now.json["version"]}"'
    assert TIME.fullmatch(now.json["at"])
    assert now.json["seats"]["p1"] == {"role": "player", "present": True, "name": "Ana's player"}
    assert now.json["names"] | {"ana": "Ana", "@gm": "Mo"} == now.json["names"]
    assert set(now.json["table"]) == {"entities", "boards", "pools", "tasks"}
    first = evening.get("p2", "?at=1").json
    assert (first["version"], first["turn"], first["seats"], set(first["table"])) == (1, 1, {}, {"boards"})
    assert evening.get("p2", f"?at={now.json['version']}").json == now.json


def test_a_turn_tells_its_events(evening: Evening) -> None:
    said = evening.do("p1", "Settle", entity="ana")
    assert [event["kind"] for event in said["events"][:2]] == ["session.Declared", "dhextiny.Settled"]
    assert said["events"][-1]["version"] == said["version"] == evening.version()
    assert {event["turn"] for event in said["events"]} == {said["turn"]}
    assert "Ana" in said["events"][1]["told"]
    checked = evening.do("p2", "Check", entity="ben")["events"]
    assert [event["kind"] for event in checked] == ["session.Declared", "session.Drawn", "dhextiny.Checked"]
    assert [event.get("grade") for event in checked] == ["C", None, None]


def test_physical_dice_are_typed_in_where_the_options_say_so(house: House) -> None:
    evening = laid(house, options={"declared_dice": True})
    evening.do("p1", "Settle", entity="ana")
    body = {"command": {"kind": "dhextiny.Check", "entity": "ben"}, "faces": [5]}
    said = evening.post("p2", "/commands", body).json["events"]
    assert [event.get("grade") for event in said] == ["D", None]
    assert said[1]["body"]["face"] == 5


def test_events_come_in_pages_without_a_gap(evening: Evening) -> None:
    whole = evening.get("p1", "/events").json
    pages, address = [], "/events?limit=5"
    while address:
        answer = evening.get("p1", address)
        pages += answer.json["events"]
        link = answer.headers.get("Link", "")
        address = link.partition(evening.path)[2].partition(">")[0]
        assert bool(address) is ("next" in answer.json)
    assert pages == whole["events"]
    assert [event["version"] for event in pages] == list(range(1, whole["version"] + 1))
    assert evening.get("p1", f"/events?after={whole['version']}").json == {"version": whole["version"], "events": []}


def test_events_come_as_lines_too(evening: Evening) -> None:
    answer = evening.get("p1", "/events", Accept="application/x-ndjson")
    assert answer.content_type == "application/x-ndjson"
    assert [json.loads(line) for line in answer.data.splitlines()] == evening.get("p1", "/events").json["events"]


def test_a_page_is_never_longer_than_the_server_gives(evening: Evening) -> None:
    limit = evening.house.settings.page
    for _ in range(limit):
        evening.post("p1", "/narrate", {"text": "x"})
    answer = evening.get("p1", "/events?limit=10000").json
    assert (len(answer["events"]), answer["next"]) == (limit, limit)


def rewound(evening: Evening) -> None:
    version = evening.version()
    evening.do("gm", "AdjustAp", entity="ana", ap=version % 7, reason="a gift")
    evening.post("gm", "/rewind", {"to": version, "reason": "That was a slip."})
    evening.do("gm", "AdjustAp", entity="ana", ap=1, reason="a smaller gift")


@pytest.mark.parametrize("then", [lambda _: None, rewound], ids=["at the head", "behind the head"])
def test_the_timeline_and_the_log_tell_the_same(evening: Evening, then: Callable[[Evening], None]) -> None:
    rewound(evening)
    from_log = evening.get("p1", "/events").json
    assert any(event["undone"] for event in from_log["events"])
    evening.house.follow()
    assert evening.get("p1", "/events").json == from_log
    then(evening)
    behind = evening.get("p1", "/events").json
    evening.house.follow()
    assert evening.get("p1", "/events").json == behind


def test_readers_see_their_own_write_while_the_views_lag(evening: Evening) -> None:
    evening.house.follow()
    said = evening.do("p1", "Settle", entity="ana")
    assert evening.get("p2", "/events?limit=100").json["events"][-1] == said["events"][-1]
    headers = evening.headers("p2")
    listed = evening.house.client.get("/v1/sessions", headers=headers).json["sessions"]
    assert [line["version"] for line in listed] == [said["version"]]


def test_what_can_be_done_is_judged_for_each_seat(evening: Evening) -> None:
    def said(seat: str) -> dict[str, Any]:
        return {line["kind"]: line for line in evening.get(seat, "/commands").json["commands"]}

    player, gm, other = said("p1"), said("gm"), said("p2")
    assert player["dhextiny.Settle"] == {
        "kind": "dhextiny.Settle", "allowed": True, "example": {"kind": "dhextiny.Settle", "entity": "ana"},
    }  # fmt: skip
    assert other["dhextiny.Settle"]["rule"] == "not-its-check"
    assert player["dhextiny.EndRound"] == {
        "kind": "dhextiny.EndRound", "allowed": False, "rule": "gm-only", "facts": {"role": "player"},
    }  # fmt: skip
    assert gm["dhextiny.EndRound"]["rule"] == "nothing-aflame"
    assert {line["rule"] for line in said("watcher").values()} == {"role-may-not"}


@pytest.mark.parametrize("seat", ["gm", "p1", "p2"])
def test_every_example_is_allowed_by_a_dry_run(evening: Evening, seat: str) -> None:
    before = evening.house.log()
    for line in evening.get(seat, "/commands").json["commands"]:
        if line["allowed"]:
            tried = evening.post(seat, "/commands/dry-run", {"command": line["example"]}).json
            assert tried["allowed"] is True, line
    assert evening.house.log() == before


def test_a_dry_run_says_what_would_be(evening: Evening) -> None:
    version = evening.version()

    def tried(seat: str, kind: str, **body: Any) -> Any:
        command = {"kind": f"dhextiny.{kind}", **body}
        return evening.post(seat, "/commands/dry-run", {"command": command}).json

    assert tried("p1", "Settle", entity="ana") == {"version": version, "allowed": True, "draws": False}
    assert tried("gm", "SetAflame", entity="rat") == {"version": version, "allowed": True, "draws": True}
    assert tried("p2", "Settle", entity="ana") == {
        "version": version, "allowed": False, "rule": "not-yours", "facts": {"entity": "ana", "seat": "p1"},
    }  # fmt: skip


def test_odds_are_exact(evening: Evening) -> None:
    evening.do("p1", "Settle", entity="ana")
    outcomes = evening.post("p1", "/odds", {"command": {"kind": "dhextiny.Check", "entity": "ana"}}).json["outcomes"]
    assert {name: Fraction(*said["chance"]) for name, said in outcomes.items()} == {
        "F": Fraction(1, 6), "PF": Fraction(1, 3), "PS": Fraction(1, 3), "S": Fraction(1, 6),
    }  # fmt: skip
    assert outcomes["S"]["percent"] == 16.67


def test_the_checkpoint_is_the_logs_own(evening: Evening) -> None:
    note = evening.get("p1", "/checkpoint")
    assert note.mimetype == "text/plain"
    checkpoint = open_checkpoint(note.text, parse_vkey(log_key(evening)), ed25519)
    assert checkpoint.size == evening.version()


@pytest.mark.parametrize("version", [1, 7, 12])
def test_inclusion_is_proved_under_any_later_size(evening: Evening, version: int) -> None:
    for size in range(version, evening.version() + 1):
        said = evening.get("p1", f"/proofs/inclusion?version={version}&size={size}").json
        proof, root = [bytes.fromhex(node) for node in said["proof"]], bytes.fromhex(said["root"])
        leaf = tree.leaf_hash(said["leaf"].encode())
        assert leaf.hex() == said["leaf_hash"]
        tree.check_inclusion(leaf, version - 1, size, proof, root)


def test_inclusion_as_text_is_a_tlog_proof(evening: Evening) -> None:
    text = evening.get("p1", "/proofs/inclusion?version=3&size=9", Accept="text/plain").text
    proof = parse_tlog_proof(text)
    signed = open_checkpoint(proof.checkpoint, parse_vkey(log_key(evening)), ed25519)
    leaf = bytes.fromhex(evening.get("p1", "/proofs/inclusion?version=3").json["leaf_hash"])
    assert (proof.index, signed.size) == (2, 9)
    tree.check_inclusion(leaf, 2, 9, proof.path, signed.root)


def test_consistency_is_proved_between_any_two_sizes(evening: Evening) -> None:
    for newer in range(1, evening.version() + 1):
        for older in range(1, newer + 1):
            said = evening.get("p1", f"/proofs/consistency?from={older}&to={newer}").json
            proof = [bytes.fromhex(node) for node in said["proof"]]
            roots = bytes.fromhex(said["from_root"]), bytes.fromhex(said["to_root"])
            tree.check_consistency(older, newer, *roots, proof)


@pytest.mark.parametrize("zipped", [False, True])
def test_the_log_goes_home_and_holds(house: House, zipped: bool) -> None:
    evening = laid(house, title='An "evening"/Ä')
    answer = evening.get("watcher", "/export", Accept_Encoding="gzip" if zipped else "identity")
    assert answer.content_type == "application/x-fairlog"
    assert answer.headers.get("Content-Encoding") == ("gzip" if zipped else None)
    assert ".fairlog" in answer.headers["Content-Disposition"]
    raw = gzip.decompress(answer.data) if zipped else answer.data
    report = verify(iter(raw.splitlines(keepends=True)), ed25519, Known(parse_vkey(log_key(evening))))
    assert report.failure is None, report


def test_statistics_wait_for_their_job_and_say_how_old_they_are(evening: Evening) -> None:
    waiting = evening.get("p1", "/statistics")
    assert (waiting.status_code, waiting.headers["Retry-After"], waiting.json["head"]) == (202, "2", evening.version())
    head = evening.version()
    evening.house.app.views.results.put(Result(evening.session, STATISTICS, head, '{"a":1}'))
    assert evening.get("p1", "/statistics").json == {
        "session": evening.session, "version": head, "head": head, "current": True, "figures": {"a": 1},
    }  # fmt: skip
    evening.post("p1", "/narrate", {"text": "x"})
    later = evening.get("p1", "/statistics").json
    assert (later["version"], later["head"], later["current"]) == (head, head + 1, False)


def test_a_ruleset_says_its_commands_options_and_rules(house: House) -> None:
    lines = house.client.get("/v1/rulesets").json["rulesets"]
    assert [(line["name"], line["edition"]) for line in lines] == [(room.name, room.edition) for room in RULESETS]
    assert {"name": "dhextiny", "edition": "1", "title": "Dhextiny"} in lines
    said = house.client.get("/v1/rulesets/dhextiny").json
    assert said["commands"]["dhextiny.Alter"]["properties"]["steps"]["maximum"] == 5
    assert {"listed", "declared_dice", "point"} <= set(said["options"]["properties"])
    assert said["options"]["properties"]["listed"]["default"] is False
    assert said["rules"].startswith("# Dhextiny")
