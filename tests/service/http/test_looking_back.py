"""Looking back on a session of Dhextiny: branches, lineage, search, repeated rolls, single events."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from domain.rulesets.dhextiny import messages as m
from tests.support.example import as_json
from tests.support.server import SessionClient, TestServer, settings_in

TURNS = [
    "opened", "house", "gm", "p1", "p2", "watcher", "ana", "ben", "rat", "abilities", "locks", "first", "settled",
    "rain", "second", "taken", "third", "done", "wound", "back", "redo", "promote", "ended", "fourth", "last",
    "secret", "whisper",
]  # fmt: skip
"""The evening's turns, in order: up to `first` it is laid by playing.py."""
VIEWERS = ("gm", "p1", "p2", "watcher", None)
Span = tuple[int, int]


def laid(house: TestServer, **more: Any) -> SessionClient:
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


class Reviewed:
    """An evening with a take-back, a rewind, its redo, a branch that is promoted, and two secrets for the GM."""

    def __init__(self, house: TestServer) -> None:
        self.table = laid(house, options={"take_back": True, "listed": True})
        self.as_told: dict[int, list[dict[str, Any]]] = {}
        self._play()
        self.turns: dict[str, list[dict[str, Any]]] = {}
        for event in self.events("gm"):
            self.turns.setdefault(TURNS[event["turn"] - 1], []).append(event)
        assert list(self.turns) == TURNS

    def _play(self) -> None:
        table = self.table
        self._do("p1", "commands", Settle="ana")
        before = self._do("gm", "narrate", text="It rains.")
        second = self._do("p1", "commands", Check="ana")
        self._do("p1", "rewind", to=before, reason="a slip")
        self._do("p1", "commands", Check="ana")
        self._do("p1", "commands", Settle="ana")
        table.do("gm", m.AdjustLp("rat", 2, "it was wounded before"))
        wound = table.version()
        self._do("gm", "rewind", to=before - 1, reason="a rule")
        self._do("gm", "rewind", to=wound, reason="as it was")
        self._do("gm", "rewind", to=second, reason="as it was at first")
        self._do("p1", "commands", Settle="ana")
        self._do("p1", "commands", Check="ana")
        self._do("p1", "commands", Settle="ana")
        self._do("gm", "commands", Check="rat", audience="gm")
        self._do("p2", "narrate", text="I keep the coin.", audience="gm")

    def _do(self, seat: str, path: str, **body: Any) -> int:
        """A wish, and what p1 is told from then on; the version after it."""
        for kind in (m.Check, m.Settle):
            if kind.__name__ in body:
                body["command"] = as_json(kind(body.pop(kind.__name__)))
        answer = self.table.post(seat, f"/{path}", body)
        assert answer.status_code == 201, answer.text
        version: int = answer.json["version"]
        self.as_told[version] = self.events("p1")
        return version

    def get(self, path: str, seat: str | None = "p1") -> Any:
        answer = self.table.get(seat, path)
        assert answer.status_code == 200, answer.text
        return answer.json

    def events(self, seat: str | None) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.get("/events?limit=200", seat)["events"]
        return found

    def span(self, first: str, last: str) -> Span:
        """From the first event of a turn to the last of another."""
        return self.turns[first][0]["version"], self.turns[last][-1]["version"]

    def last(self, turn: str) -> int:
        return self.span(turn, turn)[1]

    def named(self, events: list[dict[str, Any]]) -> str:
        """The events as their turns' names, each with its place in the turn."""
        names = [TURNS[event["turn"] - 1] for event in events]
        places = [
            event["version"] - self.span(name, name)[0]
            for name, event in zip(names, events, strict=True)
        ]
        return " ".join(f"{name}.{place}" for name, place in zip(names, places, strict=True))

    def paged(self, path: str, part: str, seat: str | None = "p1") -> list[Any]:
        """Everything in pages of one, by the addresses that the answers name."""
        found: list[Any] = []
        address = f"{self.table.path}{path}limit=1"
        while address:
            answer = self.table.house.client.get(address, headers=self.table.headers(seat))
            assert len(answer.json[part]) <= 1
            found += answer.json[part]
            assert ("next" in answer.json) is ("Link" in answer.headers)
            address = answer.headers.get("Link", "<>").partition(">")[0][1:]
        return found


def spans(found: list[dict[str, int]]) -> list[Span]:
    return [(span["first"], span["last"]) for span in found]


def value_pairs(values: list[dict[str, int]]) -> list[list[int]]:
    return [[value["sides"], value["face"]] for value in values]


@contextmanager
def played(folder: Path, *, followed: bool) -> Iterator[Reviewed]:
    house = TestServer(settings_in(folder))
    made = Reviewed(house)
    if followed:
        house.follow()
    yield made
    house.close()


FOLLOWED = {"from the log": False, "followed": True}


@pytest.fixture(scope="module", params=FOLLOWED.values(), ids=FOLLOWED)
def reviewed(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Reviewed]:
    """One session for all tests that only read it."""
    with played(tmp_path_factory.mktemp("read"), followed=request.param) as made:
        yield made


@pytest.fixture(params=FOLLOWED.values(), ids=FOLLOWED)
def continued(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Reviewed]:
    """A session of its own for a test that continues it."""
    with played(tmp_path, followed=request.param) as made:
        yield made


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestServer]:
    served = TestServer(settings_in(tmp_path))
    yield served
    served.close()


def test_every_rewind_is_a_branch(reviewed: Reviewed) -> None:
    span, left = reviewed.span, reviewed.span("taken", "wound")
    rows = [
        # rewind, by, to, left, back, turns, fate, take-back
        (
            "taken",
            "p1",
            "rain",
            [span("second", "second")],
            [span("second", "second")],
            1,
            "redone",
            True,
        ),
        (
            "back",
            "gm",
            "settled",
            [span("rain", "rain"), left],
            [span("rain", "rain")],
            5,
            "partly",
            False,
        ),
        ("redo", "gm", "wound", [span("back", "back")], [], 1, "undone", False),
        ("promote", "gm", "second", [left, span("redo", "redo")], [], 5, "undone", False),
    ]
    answer = reviewed.get("/branches")
    assert spans(answer["lineage"]) == [
        (1, reviewed.last("second")),
        span("promote", "whisper"),
    ]
    for found, (name, seat, to, gone, back, turns, fate, take_back) in zip(
        answer["branches"], rows, strict=True
    ):
        [rewound] = reviewed.turns[name]
        assert (found["version"], found["at"], found["seat"]) == (
            rewound["version"],
            rewound["at"],
            seat,
        ), name
        assert (found["to"], found["reason"]) == (reviewed.last(to), rewound["body"]["reason"]), (
            name
        )
        assert spans(found["undone_spans"]) == gone, name
        assert spans(found.get("restored_spans", [])) == back, name
        assert (found["events"], found["turns"]) == (
            sum(last - first + 1 for first, last in gone),
            turns,
        ), name
        assert (found["status"], found.get("is_take_back", False)) == (fate, take_back), name


def test_a_take_back_stays_a_players_when_the_role_is_handed_over(continued: Reviewed) -> None:
    for heir, giver in (("p1", "gm"), ("p2", "p1")):
        assert continued.table.post(giver, "/hand-over", {"seat": heir}).status_code == 201
        taken = [each.get("is_take_back", False) for each in continued.get("/branches")["branches"]]
        assert taken == [True, False, False, False]


def test_the_lineage_of_any_version(reviewed: Reviewed) -> None:
    span = reviewed.span
    rows = {
        "second": [span("opened", "second")],
        "taken": [span("opened", "rain"), span("taken", "taken")],
        "wound": [span("opened", "rain"), span("taken", "wound")],
        "back": [span("opened", "settled"), span("back", "back")],
        "redo": [span("opened", "rain"), span("taken", "wound"), span("redo", "redo")],
        "whisper": [span("opened", "second"), span("promote", "whisper")],
    }
    for turn, then in rows.items():
        answer = reviewed.get(f"/lineage?version={reviewed.last(turn)}")
        assert spans(answer["lineage"]) == then, turn
    assert reviewed.get("/lineage") == reviewed.get(f"/lineage?version={reviewed.last('whisper')}")


SEARCHES = [
    # who, what is asked, what is found: turns, and places in them
    ("p1", "kind=Rewound", "taken.0 back.0 redo.0 promote.0"),
    ("p1", "kind=session.Rewound&seat=p1", "taken.0"),
    ("p1", "kind=Rew", ""),
    ("p1", "kind=dhextiny.Settled", "settled.1 done.1 ended.1 last.1"),
    ("p1", "kind=Settled&undone=false", "settled.1 ended.1 last.1"),
    ("p1", "kind=Settled&undone=true", "done.1"),
    ("p1", "seat=gm&undone=true", "wound.0 wound.1"),
    ("p1", "kind=dhextiny&entity=rat", "rat.1 wound.1"),
    ("gm", "kind=dhextiny&entity=rat", "rat.1 wound.1 secret.2"),
    ("gm", "kind=dhextiny&entity=rat&as=p1", "rat.1 wound.1"),
    (None, "entity=rat", "rat.0 rat.1 wound.0 wound.1"),
    ("p1", "entity=kind", ""),
    ("p1", "entity=locks", "locks.0 locks.1 first.0 first.2"),
    ("p1", "text=IT+rains", "rain.0"),
    ("p1", "text=mo: it", "rain.0"),
    ("gm", "text=rat rolls", "secret.2"),
    ("p1", "text=rat rolls", ""),
    ("p2", "text=coin", "whisper.0"),
    ("gm", "text=coin", "whisper.0"),
    ("gm", "text=coin&as=p1", ""),
    ("watcher", "text=coin", ""),
    ("gm", "kind=Narrated", "rain.0 whisper.0"),
    ("p1", "kind=Narrated", "rain.0"),
    ("gm", "die=d6&kind=session", "abilities.1 first.1 second.1 third.1 fourth.1"),
    ("gm", "die=D6&kind=Checked", "first.2 second.2 third.2 fourth.2 secret.2"),
    ("p1", "die=D6&kind=Checked", "first.2 second.2 third.2 fourth.2"),
    ("gm", "die=d20", ""),
    ("p1", "highlighted=true", "taken.0 wound.1 back.0 redo.0 promote.0 secret.0"),
    ("gm", "highlighted=true", "taken.0 wound.1 back.0 redo.0 promote.0 secret.0 whisper.0"),
    ("p1", "highlighted=true&undone=false&seat=gm", "back.0 redo.0 promote.0 secret.0"),
    ("p1", "seat=p2", "p2.0 ben.0 ben.1 whisper.0"),
    ("p1", "seat=p2&undone=false", "p2.0 ben.0 ben.1 whisper.0"),
    ("p1", "seat=p2&highlighted=false", "p2.0 ben.0 ben.1"),
    ("p1", "seat=p2&kind=session", "p2.0 ben.0"),
    ("p1", "kind=Opened&since=2020-01-01T00:00:00Z&until=2999-12-31", "opened.0"),
    ("p1", "until=2020-01-01T00:00:00Z", ""),
    ("p1", "since=2999-01-01", ""),
    ("p1", "kind=Rewound&after=0&limit=2", "taken.0 back.0"),
]


def test_a_search_finds_what_meets_every_condition(reviewed: Reviewed) -> None:
    for seat, query, then in SEARCHES:
        address = f"/search?{quote(query, safe='=&+')}"
        assert reviewed.named(reviewed.get(address, seat)["events"]) == then, (seat, query)


def test_times_are_both_included(reviewed: Reviewed) -> None:
    events = reviewed.events("p1")
    for at in (events[0]["at"], events[9]["at"], events[-1]["at"]):
        since = [event for event in events if event["at"] >= at]
        until = [event for event in events if event["at"] <= at]
        assert reviewed.get(f"/search?limit=200&since={at}")["events"] == since
        assert reviewed.get(f"/search?limit=200&until={at}")["events"] == until
        later = f"{at[:-1]}001Z"  # by a part of what events are timed in
        assert reviewed.get(f"/search?limit=200&until={later}")["events"] == until
        assert reviewed.get(f"/search?limit=200&since={later}")["events"] == events[len(until) :]


def test_pages_follow_each_other(reviewed: Reviewed) -> None:
    assert reviewed.paged("/branches?", "branches") == reviewed.get("/branches")["branches"]
    assert (
        reviewed.paged("/search?kind=Rewound&", "events")
        == reviewed.get("/search?kind=Rewound")["events"]
    )
    asked = "/search?entity=rat&as=p1&"
    assert reviewed.named(reviewed.paged(asked, "events", "gm")) == "rat.0 rat.1 wound.0 wound.1"
    at = f"/events?version={reviewed.last('back')}&as=p1&"
    assert reviewed.paged(at, "events", "gm") == reviewed.get(at + "limit=200", "gm")["events"]


def test_the_log_as_it_was_told_at_every_version(reviewed: Reviewed) -> None:
    assert len(reviewed.as_told) == len(TURNS) - 13
    for version, told in reviewed.as_told.items():
        answer = reviewed.get(f"/events?limit=200&version={version}")
        assert answer["events"] == told
        assert (answer["version"], answer.get("next")) == (version, None)
    wound = reviewed.last("wound")
    undone = {
        event["undone"]
        for event in reviewed.get(f"/events?version={wound}&after={wound - 2}")["events"]
    }
    assert undone == {False}


def test_a_roll_stands_beside_the_one_that_came_for_it(reviewed: Reviewed) -> None:
    for seat in VIEWERS:
        [pair] = reviewed.get("/rerolls", seat)["rerolls"]
        assert pair["seat"] == "p1"
        for name, roll in (("third", pair["undone"]), ("fourth", pair["again"])):
            assert roll["version"] == reviewed.span(name, name)[0]
            assert value_pairs(roll["values"]) == reviewed.turns[name][1]["body"]["values"]
            assert [event["text"] for event in roll["events"]] == [
                event["text"] for event in reviewed.turns[name]
            ]


def test_secret_rolls_are_beside_each_other_for_those_who_may_see_both(continued: Reviewed) -> None:
    table = continued.table
    table.seat("judge", "auditor")
    table.post("gm", "/rewind", {"to": continued.last("last"), "reason": "not yet"})
    again = table.secretly("gm", m.Check("rat"), "gm")

    def pairs() -> dict[str | None, tuple[int, ...]]:
        rows = {seat: continued.get("/rerolls", seat)["rerolls"] for seat in (*VIEWERS, "judge")}
        return {
            seat: tuple(row["undone"]["version"] for row in found) for seat, found in rows.items()
        }

    everyone, few = continued.span("third", "third")[0], continued.span("secret", "secret")[0]
    both = everyone, few
    only = dict.fromkeys(VIEWERS, (everyone,))
    assert pairs() == only | {"gm": both, "judge": both}
    assert len(continued.get("/rerolls?as=p1", "gm")["rerolls"]) == 1
    seen = continued.get("/rerolls", "gm")["rerolls"][1]
    faces = [event["body"]["face"] for event in seen["undone"]["events"] if "face" in event["body"]]
    assert [value["face"] for value in seen["undone"]["values"]] == faces
    table.post("gm", "/open-secret", {"turn": TURNS.index("secret") + 1})
    assert pairs() == only | {"gm": both, "judge": both}
    table.post("gm", "/open-secret", {"turn": again["turn"]})
    assert pairs() == dict.fromkeys((*VIEWERS, "judge"), both)


def test_every_event_alone(reviewed: Reviewed) -> None:
    for seat in VIEWERS:
        for event in reviewed.events(seat):
            turn = TURNS[event["turn"] - 1]
            first, last = reviewed.span(turn, turn)
            detail = reviewed.get(f"/events/{event['version']}", seat)
            assert detail["event"] == event
            assert detail["turn"] == {"first": first, "last": last}
            [drawn] = [
                other["body"] for other in reviewed.turns[turn] if other["kind"] == "session.Drawn"
            ] or [{}]
            assert detail.get("draw", {}).get("contributions") == drawn.get("contributions")


def test_the_links_of_an_event_lead_there(reviewed: Reviewed) -> None:
    table, [declared, drawn, checked] = reviewed.table, reviewed.turns["third"]
    links = reviewed.get(f"/events/{drawn['version']}")["links"]
    found = {
        name: table.house.client.get(address, headers=table.headers("p1")).json
        for name, address in links.items()
    }
    assert found["inclusion"]["version"] == found["after"]["version"] == drawn["version"]
    assert found["before"]["version"] == drawn["version"] - 1
    assert (found["first"]["event"]["version"], found["last"]["event"]["version"]) == (
        declared["version"],
        checked["version"],
    )
    assert "before" not in reviewed.get("/events/1")["links"]
    looking = reviewed.get("/events/1?as=p1", "gm")["links"]
    assert all(link.endswith("as=p1") for name, link in looking.items() if name != "inclusion")


def test_the_values_of_a_secret_draw_are_for_its_audience(continued: Reviewed) -> None:
    turn = TURNS.index("secret") + 1
    address = f"/events/{continued.span('secret', 'secret')[0]}"
    assert {seat for seat in VIEWERS if "values" in continued.get(address, seat)["draw"]} == {"gm"}
    assert "values" not in continued.get(f"{address}?as=p1", "gm")["draw"]
    seen = continued.get(address, "gm")["draw"]
    opened = continued.table.post("gm", "/open-secret", {"turn": turn}).json["events"][0]
    assert opened["highlight"] == "opened"
    assert value_pairs(seen["values"]) == opened["body"]["values"]
    assert all(continued.get(address, seat)["draw"] == seen for seat in VIEWERS)


def test_a_turn_of_many_events_is_found_from_anywhere_in_it(house: TestServer) -> None:
    evening = laid(house)
    for nth in range(40):
        evening.do("gm", m.CreateCreature(f"wolf-{nth}", "Wolf", 2))
        evening.do("gm", m.SetAflame(f"wolf-{nth}"))
    told = evening.do("gm", m.EndRound())["events"]
    assert len(told) > 40
    for event in (told[0], told[20], told[-1]):
        detail = evening.get("p1", f"/events/{event['version']}").json
        assert detail["turn"] == {"first": told[0]["version"], "last": told[-1]["version"]}
