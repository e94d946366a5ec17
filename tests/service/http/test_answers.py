"""What the answers say: the session at any version, events, proofs, statistics, the file to take home."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace
from werkzeug.http import parse_options_header

from domain.proof import merkle_tree
from domain.proof.signed_note import open_checkpoint, parse_vkey
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.verify import Evidence, verify
from fairlog.testing.random_commands import builtins
from projections.results import STATISTICS, JobResult
from service.platform.ed25519 import verify as ed25519
from tests.support.example import (
    EXAMPLE,
    FACES,
    FIRST,
    as_json,
    example_of,
    kind,
    over,
    rest,
    to_draw,
)
from tests.support.server import SessionClient, TestServer, laid
from tests.support.tlog_proof import parse_tlog_proof

OWN = {kind(event) for event in FIRST.events}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def log_key(evening: SessionClient) -> str:
    body: dict[str, Any] = evening.get("gm", "/events?limit=1").json["events"][0]["body"]
    return str(body["log_key"])


def test_opening_says_what_its_gm_needs(house: TestServer) -> None:
    answer = house.client.post(
        "/v1/sessions", json={"ruleset": FIRST.name, "title": "x", "seat": "mo", "name": "Mo"}
    )
    said = answer.json
    assert (answer.status_code, answer.headers["Location"]) == (
        201,
        f"/v1/sessions/{said['session']}",
    )
    assert answer.headers["ETag"] == f'"{said["version"]}"' == '"4"'
    assert (said["seat"], said["role"]) == ("mo", "gm")
    assert said["origin"] == f"fairlog.local/sessions/{said['session']}"
    assert parse_vkey(said["log_key"]).name == said["origin"]


def table_at(evening: SessionClient, version: int) -> Any:
    """As the room shows it, without what is empty."""
    session = evening.house.app.log.at(evening.session, version)
    return builtins(FIRST.show(session.table))


def test_a_session_at_a_version_is_as_it_was(evening: SessionClient) -> None:
    now = evening.get("p2", "")
    assert now.headers["ETag"] == f'"{now.json["version"]}"'
    assert TIME.fullmatch(now.json["at"])
    assert now.json["seats"]["p1"] == {"role": "player", "occupied": True, "name": "Ana's player"}
    assert now.json["names"] | {"ana": "Ana", "@gm": "Mo"} == now.json["names"]
    assert now.json["table"] == table_at(evening, now.json["version"])
    assert set(now.json["table"]["entities"]) == {"ana", "ben", "rat"}
    first = evening.get("p2", "?version=1").json
    assert (first["version"], first["turn"], first["seats"]) == (1, 1, {})
    assert first["table"] == table_at(evening, 1)
    assert "entities" not in first["table"]
    assert evening.get("p2", f"?version={now.json['version']}").json == now.json


def test_a_turn_tells_its_events(evening: SessionClient) -> None:
    said = evening.do("p1", EXAMPLE.plain)
    declared, *facts = (event["kind"] for event in said["events"])
    assert (declared, [fact for fact in facts if fact not in OWN]) == ("session.Declared", [])
    assert said["events"][-1]["version"] == said["version"] == evening.version()
    assert {event["turn"] for event in said["events"]} == {said["turn"]}
    assert "Ana" in said["events"][1]["text"]
    *before, (seat, draw) = to_draw("p2", "ben")
    evening.go(*rest(), *before)
    events = evening.do(seat, draw)["events"]
    declared, drawn, fact = (event["kind"] for event in events)
    assert (declared, drawn, fact in OWN) == ("session.Declared", "session.Drawn", True)
    assert [event.get("grade") for event in events] == [None, "C", None]


def test_physical_dice_are_typed_in_where_the_options_say_so(house: TestServer) -> None:
    evening = laid(house, options={"declared_dice": True})
    *before, (seat, draw) = to_draw("p2", "ben")
    evening.go(*over(), *before)
    said = evening.post(seat, "/commands", {"command": as_json(draw), "faces": FACES}).json[
        "events"
    ]
    assert [event.get("grade") for event in said] == ["D", None]
    assert said[0]["body"]["values"] == [
        [sides, face] for sides, face in zip(EXAMPLE.dice, FACES, strict=True)
    ]


def test_events_come_in_pages_without_a_gap(evening: SessionClient) -> None:
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
    assert evening.get("p1", f"/events?after={whole['version']}").json == {
        "version": whole["version"],
        "events": [],
    }


def test_events_come_as_lines_too(evening: SessionClient) -> None:
    answer = evening.get("p1", "/events", Accept="application/x-ndjson")
    assert answer.content_type == "application/x-ndjson"
    assert [json.loads(line) for line in answer.data.splitlines()] == evening.get(
        "p1", "/events"
    ).json["events"]


def test_a_page_is_never_longer_than_the_server_gives(evening: SessionClient) -> None:
    limit = evening.house.settings.page
    for _ in range(limit):
        evening.post("p1", "/narrate", {"text": "x"})
    answer = evening.get("p1", "/events?limit=10000").json
    assert (len(answer["events"]), answer["next"]) == (limit, limit)


def rewound(evening: SessionClient, value: int = 1) -> None:
    version, sized = evening.version(), EXAMPLE.sized
    given = replace(sized.command, **{sized.field: value})
    evening.do("gm", given)
    evening.post("gm", "/rewind", {"to": version, "reason": "That was a slip."})
    evening.do("gm", replace(given, reason="a smaller gift"))


@pytest.mark.parametrize(
    "then", [lambda _: None, partial(rewound, value=2)], ids=["at the head", "behind the head"]
)
def test_the_timeline_and_the_log_tell_the_same(
    evening: SessionClient, then: Callable[[SessionClient], None]
) -> None:
    evening.go(*over())
    rewound(evening)
    from_log = evening.get("p1", "/events").json
    assert any(event["undone"] for event in from_log["events"])
    evening.house.follow()
    assert evening.get("p1", "/events").json == from_log
    then(evening)
    behind = evening.get("p1", "/events").json
    evening.house.follow()
    assert evening.get("p1", "/events").json == behind


def test_readers_see_their_own_write_while_the_views_lag(evening: SessionClient) -> None:
    evening.house.follow()
    said = evening.do("p1", EXAMPLE.plain)
    assert evening.get("p2", "/events?limit=100").json["events"][-1] == said["events"][-1]
    headers = evening.headers("p2")
    listed = evening.house.client.get("/v1/sessions", headers=headers).json["sessions"]
    assert [line["version"] for line in listed] == [said["version"]]


def test_the_checkpoint_is_the_logs_own(evening: SessionClient) -> None:
    note = evening.get("p1", "/checkpoint")
    assert note.mimetype == "text/plain"
    checkpoint = open_checkpoint(note.text, parse_vkey(log_key(evening)), ed25519)
    assert checkpoint.size == evening.version()


@pytest.mark.parametrize("version", [1, 7, 12])
def test_inclusion_is_proved_under_any_later_size(evening: SessionClient, version: int) -> None:
    for size in range(version, evening.version() + 1):
        said = evening.get("p1", f"/proofs/inclusion?version={version}&size={size}").json
        proof, root = [bytes.fromhex(node) for node in said["proof"]], bytes.fromhex(said["root"])
        leaf = merkle_tree.leaf_hash(said["leaf"].encode())
        assert leaf.hex() == said["leaf_hash"]
        merkle_tree.check_inclusion(leaf, version - 1, size, proof, root)


def test_inclusion_as_text_is_a_tlog_proof(evening: SessionClient) -> None:
    text = evening.get("p1", "/proofs/inclusion?version=3&size=9", Accept="text/plain").text
    proof = parse_tlog_proof(text)
    signed = open_checkpoint(proof.checkpoint, parse_vkey(log_key(evening)), ed25519)
    leaf = bytes.fromhex(evening.get("p1", "/proofs/inclusion?version=3").json["leaf_hash"])
    assert (proof.index, signed.size) == (2, 9)
    merkle_tree.check_inclusion(leaf, 2, 9, proof.path, signed.root)


def test_consistency_is_proved_between_any_two_sizes(evening: SessionClient) -> None:
    for newer in range(1, evening.version() + 1):
        for older in range(1, newer + 1):
            said = evening.get("p1", f"/proofs/consistency?from={older}&to={newer}").json
            proof = [bytes.fromhex(node) for node in said["proof"]]
            roots = bytes.fromhex(said["from_root"]), bytes.fromhex(said["to_root"])
            merkle_tree.check_consistency(older, newer, *roots, proof)


@pytest.mark.parametrize("zipped", [False, True])
def test_the_log_goes_home_and_holds(house: TestServer, zipped: bool) -> None:
    evening = laid(house, title='An "evening"/Ä')
    answer = evening.get("watcher", "/export", Accept_Encoding="gzip" if zipped else "identity")
    assert answer.content_type == "application/x-fairlog"
    assert answer.headers.get("Content-Encoding") == ("gzip" if zipped else None)
    assert ".fairlog" in answer.headers["Content-Disposition"]
    raw = gzip.decompress(answer.data) if zipped else answer.data
    report = verify(
        iter(raw.splitlines(keepends=True)), ed25519, Evidence(parse_vkey(log_key(evening)))
    )
    assert report.failure is None, report


def test_the_name_of_a_file_fits_into_a_header_whatever_the_title(house: TestServer) -> None:
    evening = laid(house, title="Тень/Ä 😀")
    said = evening.get("watcher", "/export").headers["Content-Disposition"]
    assert said.isascii()
    assert parse_options_header(said)[1]["filename"] == "Тень-Ä 😀.fairlog"


def test_statistics_wait_for_their_job_and_say_how_old_they_are(evening: SessionClient) -> None:
    waiting = evening.get("p1", "/statistics")
    assert (waiting.status_code, waiting.headers["Retry-After"], waiting.json["head"]) == (
        202,
        "2",
        evening.version(),
    )
    head = evening.version()
    evening.house.app.read_models.results.put(
        JobResult(evening.session, STATISTICS, head, '{"a":1}')
    )
    assert evening.get("p1", "/statistics").json == {
        "session": evening.session,
        "version": head,
        "head": head,
        "current": True,
        "figures": {"a": 1},
    }
    evening.post("p1", "/narrate", {"text": "x"})
    later = evening.get("p1", "/statistics").json
    assert (later["version"], later["head"], later["current"]) == (head, head + 1, False)


def test_the_rulesets_are_listed(house: TestServer) -> None:
    lines = house.client.get("/v1/rulesets").json["rulesets"]
    assert lines == [
        {name: getattr(ruleset, name) for name in ("name", "edition", "title", "summary", "shape")}
        for ruleset in RULESETS
    ]


@pytest.mark.parametrize(
    "ruleset", RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
def test_a_ruleset_says_its_commands_options_and_rules(
    house: TestServer, ruleset: AnyRuleset
) -> None:
    example, said = example_of(ruleset), house.client.get(f"/v1/rulesets/{ruleset.name}").json
    command, field, *bounds = example.sized
    assert set(said["commands"]) == {"rolls.Roll", *map(kind, ruleset.commands)}
    sized = said["commands"][kind(command)]["properties"][field]
    assert [sized["minimum"], sized["maximum"]] == bounds
    assert {"listed", "declared_dice", example.option.name} <= set(said["options"]["properties"])
    assert said["options"]["properties"]["listed"]["default"] is False
    assert said["rules"].startswith(f"# {ruleset.title}")
