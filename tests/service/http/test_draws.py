"""Draws that seats give to, over HTTP: declared and waiting, with their proofs, made, and asked for again."""

from __future__ import annotations

import pytest

from domain.proof import merkle_tree, signed_note
from domain.verify import verify
from service.platform import ed25519
from tests.support.example import EXAMPLE, as_json, over, to_draw
from tests.support.server import KEY, SEATS, Clock, DrawTable, TestServer, ask, laid, names, rule


def test_a_draw_waits_for_the_seats_and_is_made_with_the_last(circle: DrawTable) -> None:
    declared = ask(circle)
    assert declared.status_code == 202
    assert declared.headers["Location"] == f"{circle.evening.path}/draws/0"
    assert names(declared) == ["Declared"]
    waits = declared.json["waiting"]
    assert (waits["number"], waits["contributors"]) == (0, ["gm", "house", "p1", "p2"])
    circle.give("p1", "gm")
    assert circle.kinds()[-1] == "Declared"
    circle.give("p2")
    whole = ask(circle)
    assert (whole.status_code, whole.json["repeated"], "waiting" in whole.json) == (
        201,
        True,
        False,
    )
    assert names(whole)[:2] == ["Declared", "Drawn"]
    assert len(whole.json["events"]) > 2
    assert {event["turn"] for event in whole.json["events"]} == {declared.json["turn"]}
    assert whole.json["events"][1]["grade"] == "A"
    assert whole.json["version"] == circle.evening.version()


def test_a_repeat_while_it_waits_is_answered_the_same(asked: DrawTable) -> None:
    before = asked.house.log()
    first, again = ask(asked), ask(asked)
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json == again.json
    assert asked.house.log() == before


def test_a_repeat_shows_the_turn_alone_where_others_stand_between(asked: DrawTable) -> None:
    for nth in range(20):
        asked.evening.post("p2", "/narrate", {"text": f"Well? {nth}"})
    asked.give(*SEATS)
    whole = ask(asked)
    assert "Narrated" not in names(whole)
    assert names(whole)[:2] == ["Declared", "Drawn"]
    drawn = whole.json["events"][1]["version"]
    detail = asked.evening.get("p1", f"/events/{drawn}").json
    assert (detail["turn"]["first"], detail["draw"]["declared_version"]) == (
        whole.json["events"][0]["version"],
    ) * 2
    assert detail["turn"]["last"] == whole.json["version"]


def test_the_draw_that_waits_comes_under_a_checkpoint_with_its_leaf_among_the_events(
    asked: DrawTable,
) -> None:
    version = asked.evening.version()
    asked.evening.post("p2", "/narrate", {"text": "waiting"})
    waits = asked.waiting("p1")
    checkpoint = signed_note.parse_checkpoint(signed_note.parse_note(waits["checkpoint"]).text)
    events = asked.evening.get("p1", "/events?leaves=true&limit=200").json["events"]
    hashes = [merkle_tree.leaf_hash(event["leaf"].encode()) for event in events]
    assert (waits["version"], waits["size"], checkpoint.size) == (version, *(version + 1,) * 2)
    assert merkle_tree.root_of(hashes) == checkpoint.root
    assert events[version - 1]["body"]["draw"]["contributors"] == [
        [place["seat"], place["chain"], place["position"]] for place in waits["contributors"]
    ]


def test_no_draw_waits_before_and_after(circle: DrawTable) -> None:
    assert rule(circle.evening.get("p1", "/draws/pending")) == (404, "not-found")
    assert rule(circle.evening.get("p1", "/draws/0")) == (404, "not-found")
    ask(circle)
    circle.give(*SEATS)
    assert rule(circle.evening.get("p1", "/draws/pending")) == (404, "not-found")
    assert circle.evening.get("p1", "/draws/0").json["status"] == "drawn"


def test_a_draw_says_how_it_stands(asked: DrawTable) -> None:
    def state() -> tuple[str, list[str], list[str], int]:
        told = asked.evening.get("watcher", "/draws/0").json
        return told["status"], told["contributed"], told["missing"], len(told["events"])

    assert state() == ("waiting", [], ["gm", "p1", "p2"], 1)
    asked.give("p2")
    assert state() == ("waiting", ["p2"], ["gm", "p1"], 1)
    asked.give("gm", "p1")
    status, came, missing, events = state()
    assert (status, came, missing) == ("drawn", ["gm", "house", "p1", "p2"], [])
    assert events == len(ask(asked).json["events"])


def test_a_draw_of_the_house_is_told_alike(house: TestServer) -> None:
    evening = laid(house)
    told = evening.get("p1", "/draws/0").json
    assert (told["status"], told["contributed"], "deadline" in told) == ("drawn", ["house"], False)
    assert [event["kind"] for event in told["events"]][:2] == ["session.Declared", "session.Drawn"]


def test_nobody_learns_a_link_before_the_draw(asked: DrawTable) -> None:
    link = asked.holders["p1"].links[1].hex()
    asked.give("p1")
    for seat in (*SEATS, "watcher"):
        for path in ("", "/events", "/draws/pending", "/draws/0", "/export"):
            assert link not in asked.evening.get(seat, path).text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"deadline": 0}, (422, "malformed")),
        ({"deadline": 601}, (422, "malformed")),
        ({"deadline": 600}, (201, None)),
    ],
)
def test_the_deadline_is_an_option(
    house: TestServer, options: dict[str, int], said: tuple[int, str | None]
) -> None:
    body = {
        "ruleset": EXAMPLE.bring.__struct_config__.tag.partition(".")[0],
        "title": "x",
        "options": options,
    }
    answer = house.client.post("/v1/sessions", json={**body, "draws": "table"})
    assert (answer.status_code, answer.json.get("code")) == said


def test_the_house_alone_waits_for_nobody(house: TestServer) -> None:
    body = {"ruleset": EXAMPLE.bring.__struct_config__.tag.partition(".")[0], "title": "x"}
    answer = house.client.post("/v1/sessions", json={**body, "options": {"deadline": 8}})
    assert rule(answer) == (409, "deadline-of-the-house")
    answer = house.client.post("/v1/sessions", json={**body, "draws": "nobody"})
    assert rule(answer) == (422, "malformed")


def test_a_fork_draws_as_its_parent_does(circle: DrawTable) -> None:
    ticket = circle.evening.post("gm", "/forks", {"version": circle.evening.version()}).json
    session = circle.house.app.log.read(ticket["session"]).session
    assert (session.info.draws, session.info.options["deadline"]) == ("table", 600)


def test_where_nothing_waits_nothing_is_read_of_what_waits(house: TestServer) -> None:
    evening, statements = laid(house), list[str]()
    house.app.recorder.threads.connection().set_trace_callback(statements.append)
    evening.go(*over(), *to_draw())
    evening.get("p1", "")
    assert any("INSERT INTO stored_events" in said for said in statements)
    assert [said for said in statements if "FROM waiting" in said or "contributions" in said] == []


@pytest.mark.parametrize("audience", ["gm", "self", "blind"])
def test_a_secret_draw_waits_openly_and_tells_its_audience_alone(
    circle: DrawTable, audience: str
) -> None:
    body = {"command": as_json(EXAMPLE.draw), "audience": audience}
    first = circle.evening.post("p1", "/commands", body, Idempotency_Key=KEY)
    assert first.status_code == 202
    version = circle.waiting("p2")["version"]
    declared = circle.evening.get("p2", f"/events?after={version - 1}&limit=1").json["events"][0]
    assert "command" not in declared["body"]
    assert "blind" in declared["body"]["draw"]
    circle.give(*SEATS)
    told = {
        seat: circle.evening.get(seat, "/draws/0").json["events"] for seat in (*SEATS, "watcher")
    }
    sealed = {
        seat: [event.get("sealed", False) for event in events] for seat, events in told.items()
    }
    opens_to = {"gm": ("gm", "p1"), "self": ("p1",), "blind": ("gm",)}[audience]
    assert {events[1]["body"]["values"] == [] for events in told.values()} == {True}
    for seat, is_sealed in sealed.items():
        assert is_sealed[:2] == [False, False]
        assert set(is_sealed[2:]) == {seat not in opens_to}, seat
    again = circle.evening.post("p1", "/commands", body, Idempotency_Key=KEY)
    assert again.status_code == 201
    assert again.json["events"] == told["p1"]


def test_a_draw_that_cannot_be_ended_is_said_to_whoever_plays_on(
    asked: DrawTable, clock: Clock
) -> None:
    house, evening = asked.evening.house, asked.evening
    house.app.recorder.write(("DELETE FROM secrets WHERE session=?", [(evening.session,)]))
    house.restart()  # nor is its chain kept
    clock.ahead = 600_000
    answer = evening.post("p1", "/narrate", {"text": "Where is everybody?"})
    assert (answer.status_code, answer.json["rule"]) == (409, "imported")


def test_what_came_of_it_verifies(asked: DrawTable, clock: Clock) -> None:
    """A draw of all, one given up, one without the missing, and one of all again on a new chain, in one file."""
    evening, holders = asked.evening, asked.holders
    asked.give(*SEATS)
    evening.go(*over(), *to_draw()[:-1])
    assert evening.command("p1", EXAMPLE.draw).status_code == 202
    asked.give("gm", "p1")
    evening.seat("late")
    clock.ahead = 600_000
    assert evening.get("gm", "/draws/1").json["missing"] == ["p2"]
    holders["p2"].position += 1
    assert evening.command("p1", EXAMPLE.draw).status_code == 202
    asked.give("gm", "p1")
    evening.go(*over(), *to_draw()[:-1])
    assert holders["p2"].anchor(1, shows=True).status_code == 201
    assert holders["p2"].present(2, True).status_code == 201
    assert (
        evening.post(
            "p1", "/commands", {"command": as_json(EXAMPLE.draw), "audience": "gm"}
        ).status_code
        == 202
    )
    asked.give(*SEATS)
    statuses = [evening.get("gm", f"/draws/{k}").json["status"] for k in range(4)]
    assert statuses == ["drawn", "void", "drawn", "drawn"]
    report = verify(evening.get("gm", "/export").data.splitlines(keepends=True), ed25519.verify)
    assert (report.failure, report.counts.events) == (None, evening.version())
