"""Forks over HTTP: a new session from any version, told in both logs, or not at all."""

from __future__ import annotations

import pytest

from domain.proof import merkle_tree
from domain.verify import Evidence, verify
from service.platform.ed25519 import verify as ed25519
from tests.support.example import EXAMPLE, guest, of, over, seated
from tests.support.server import SessionClient

WOLF = guest("wolf", "A wolf")


def forked(evening: SessionClient, seat: str, version: int, **more: object) -> SessionClient:
    answer = evening.post(seat, "/forks", {"version": version, **more})
    assert answer.status_code == 201, answer.text
    return SessionClient(evening.house, answer.json["session"], {"gm": answer.json["token"]})


def test_a_fork_begins_with_the_table_of_its_version(evening: SessionClient) -> None:
    version = evening.version()
    before = evening.get("gm", "").json["table"]
    child = forked(evening, "p1", version, title="What if", name="Ana's player")
    assert child.get("gm", "").json["table"] == before
    opened, inherited, *_ = child.get("gm", "/events").json["events"]
    root = merkle_tree.root_of(
        [*evening.house.app.log.leaf_hashes(evening.session, 0, version)]
    ).hex()
    assert opened["body"]["parent"] == {
        "root": root,
        "session": evening.session,
        "version": version,
    }
    assert inherited["kind"] == "session.Inherited"
    told = evening.get("gm", "/events?limit=200").json["events"][-1]
    assert told["body"] == {"child": child.session, "kind": "session.Forked", "version": version}
    child.do("gm", WOLF)
    assert evening.get("gm", "").json["table"] == before
    assert evening.version() == version + 1


def test_both_files_are_valid(evening: SessionClient) -> None:
    child = forked(evening, "gm", evening.version())
    child.do("gm", WOLF)
    for each in (evening, child):
        assert verify(
            each.get("gm", "/export").data.splitlines(keepends=True), ed25519, Evidence()
        ).whole


def test_a_closed_evening_goes_on_in_a_fork(evening: SessionClient) -> None:
    evening.go(*over())
    closed = evening.post("gm", "/close", {"carry_over": True}).json["version"]
    child = forked(evening, "gm", closed, title="The next week")
    child.go(*seated(EXAMPLE.ready, "gm", "rat"))
    assert child.do("gm", of("rat", EXAMPLE.draw))["version"] == child.version()


def test_a_fork_of_a_fork_and_of_what_was_undone(evening: SessionClient) -> None:
    evening.go(*over())
    undone = evening.version()
    evening.post("gm", "/rewind", {"to": 6, "reason": "we had forgotten a rule"})
    child = forked(evening, "gm", undone)
    assert (
        child.get("gm", "").json["table"] == evening.get("gm", f"?version={undone}").json["table"]
    )
    grandchild = forked(child, "gm", child.version())
    assert grandchild.get("gm", "").json["table"] == child.get("gm", "").json["table"]


def test_a_repeat_is_the_same_fork(evening: SessionClient) -> None:
    key = {"Idempotency-Key": "fork-once-and-only-once"}
    first = evening.post("gm", "/forks", {"version": 8}, **key)
    again = evening.post("gm", "/forks", {"version": 8}, **key)
    assert first.json == again.json
    assert evening.post("gm", "/forks", {"version": 7}, **key).json["code"] == "key-reused"


REFUSED = [
    # who, the body, status, rule or code
    ("gm", {"version": 10_000}, 409, "fork-beyond-end"),
    ("gm", {"version": 1}, 409, None),
    ("gm", {"version": 0}, 422, None),
    ("gm", {"version": "x"}, 422, None),
]


@pytest.mark.parametrize(("seat", "body", "status", "rule"), REFUSED, ids=lambda each: str(each))
def test_what_is_no_version_to_fork(
    evening: SessionClient, seat: str, body: dict[str, object], status: int, rule: str | None
) -> None:
    before = evening.house.log()
    answer = evening.post(seat, "/forks", body)
    if rule is None and status == 409:  # version 1 lies between two turns
        assert answer.status_code == 201
        return
    assert (answer.status_code, answer.json.get("rule")) == (status, rule)
    assert evening.house.log() == before


def test_inside_a_turn_there_is_no_fork(evening: SessionClient) -> None:
    answer = evening.post("gm", "/forks", {"version": evening.version() - 1})
    assert (answer.status_code, answer.json["rule"]) == (409, "fork-inside-turn")


def test_a_secret_cannot_be_taken_along(evening: SessionClient) -> None:
    evening.go(*over())
    evening.go(*seated(EXAMPLE.ready, "gm", "rat"))
    secret = evening.secretly("gm", of("rat", EXAMPLE.draw), "gm")
    before = evening.house.log()
    refused = evening.post("p1", "/forks", {"version": secret["version"]})
    assert (refused.status_code, refused.json["rule"]) == (409, "fork-of-a-secret")
    assert evening.house.log() == before
    child = forked(evening, "gm", secret["version"])
    child.seat("p9")
    assert child.get("gm", "").json["table"] == evening.get("gm", "").json["table"]
    assert "entities" not in child.get("p9", "").json["table"]  # the new GM's secret
    assert child.get("p9", "/events").json["events"][1]["sealed"]
    assert child.post("gm", "/open-secret", {"turn": 1}).status_code == 201
    assert child.get("p9", "").json["table"] == child.get("gm", "").json["table"]
    evening.post("gm", "/open-secret", {"turn": secret["turn"]})
    assert forked(evening, "p1", secret["version"]).table("gm") == evening.table("gm")


def test_the_parents_version_is_minded(evening: SessionClient) -> None:
    late = evening.post("gm", "/forks", {"version": 3}, **{"If-Match": '"3"'})
    assert (late.status_code, late.json["version"]) == (412, evening.version())


def test_an_invitation_to_a_fork_says_who_plays_what(evening: SessionClient) -> None:
    seat = next(iter(evening.get("gm", "").json["table"]["entities"].values()))["seat"]
    evening.post("gm", f"/seats/{seat}/name", {"name": "Ana"})
    child = forked(evening, "gm", evening.version())
    code = child.invite(seat=seat)
    said = evening.house.client.get(f"/v1/invitations/{code}").json
    assert said["name"] == "Ana"
    entities = child.get("gm", "").json["table"]["entities"].values()
    assert said["characters"] == [each["name"] for each in entities if each.get("seat") == seat]
    assert said["characters"]
    assert seat not in said["seats"]
