"""Evenings of a campaign over HTTP: its statistics, the exported logs, and who sees what.

A real server with its worker and its follower computes the statistics. The exported files must give
the same ones.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from domain.session.state import HOUSE
from tests.service.http.campaign_evenings import (
    GM,
    PLAYERS,
    Api,
    Campaign,
    Reply,
)
from tests.support.processes import Running, environ, run
from tests.support.scale import scale

pytestmark = pytest.mark.long

SESSIONS = scale(2, 30)
SETTINGS = {
    "FAIRLOG_SYNCHRONOUS": "NORMAL",
    "FAIRLOG_RATE_TOKEN": "100000",
    "FAIRLOG_RATE_ADDRESS": "1000000",
    "FAIRLOG_OPENINGS": "1000",
}
"""Limits that the script does not reach."""
REMOVED = scale(1, 7)
LEAVES, FORGOTTEN = "ana", "cleo"
UNKNOWN = "0123456789abcdef" * 2
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS")
OF_THE_MOMENT = ("Date", "RateLimit", "X-Request-Id")
"""Headers that differ between two requests of the same kind."""
DECKS = ("deckahedron",)
ROLLS = {
    "deckahedron.Flipped",
    "dhextiny.Checked",
    "dhextiny.CheckedAside",
    "fansys.CheckRolled",
    "fansys.DamageRolled",
    "kingdoms.TestRolled",
    "open.DiceRolled",
    "pentola.RolledTest",
}
PLAIN_ROLLS = {"deckahedron.NumberFlipped", "kingdoms.DiceRolled"}
"""Rolls that have no luck, because no outcome is better than another."""


class Event(NamedTuple):
    """An event of an exported file. `body` is {} if it is sealed."""

    version: int
    turn: int
    seat: str
    body: dict[str, Any]

    @property
    def kind(self) -> str:
        return str(self.body.get("kind", ""))


class Count:
    """What the public files say, counted without the code of the product."""

    def __init__(self) -> None:
        self.events = self.draws = 0
        self.turns: Counter[str] = Counter()
        self.sessions: Counter[str] = Counter()
        self.rolls: Counter[str] = Counter()
        self.luck: dict[str, Counter[str]] = defaultdict(Counter)
        self.drawn: Counter[str] = Counter()
        self.declared: Counter[str] = Counter()

    def add(self, events: list[Event], people: Mapping[str, str]) -> None:
        """Add a session. `people` has the person of each seat."""
        self.events += len(events)
        declared = {each.turn: each for each in events if each.kind == "session.Declared"}
        for each in declared.values():
            self.turns[people[each.seat]] += 1
        self.sessions.update({people[each.seat] for each in declared.values()})
        left_out = _left_out(events, declared)
        live, owners = _lineage(events), dict[str, str]()
        for each in events:
            owners |= _owners(each)
            if each.turn in declared and each.turn not in left_out:
                self._roll(each, declared[each.turn], owners, people, is_live=each.version in live)
        self._count_values(events, declared, left_out)

    def _roll(
        self,
        event: Event,
        asked: Event,
        owners: Mapping[str, str],
        people: Mapping[str, str],
        *,
        is_live: bool,
    ) -> None:
        if is_live and event.kind in ROLLS | PLAIN_ROLLS:
            person = people[owners.get(event.body["entity"], event.seat)]
            self.rolls[person] += 1
            if event.kind in ROLLS:
                origin = "declared" if "dice" in asked.body else "drawn"
                self.luck[origin][person] += 1

    def _count_values(
        self, events: list[Event], declared: Mapping[int, Event], left_out: set[int]
    ) -> None:
        """Count the values that were drawn or typed in, also those that the rewind undid."""
        opened = {
            each.body["k"]: each.body["values"]
            for each in events
            if each.kind == "session.SealOpened" and "k" in each.body
        }
        ruleset = events[0].body["ruleset"]
        for each in events:
            if each.kind == "session.Drawn":
                self.draws += 1
                givers = {part["seat"] for part in each.body["contributions"]}
                assert givers == {"gm", *PLAYERS, HOUSE}, (each.version, givers)
                if each.turn not in left_out:
                    values = each.body["values"] or opened[each.body["k"]]
                    self.drawn.update(_source(ruleset, sides) for sides, _ in values)
            elif each.body.get("dice") == "declared":
                name = each.body.get("dice_name")
                for sides, _ in each.body["values"]:
                    source = _source(ruleset, sides)
                    self.declared[f"{source} ({name})" if name else source] += 1


def _source(ruleset: str, sides: int) -> str:
    return "cards" if ruleset in DECKS else f"d{sides}"


def _left_out(events: list[Event], declared: Mapping[int, Event]) -> set[int]:
    """Return the turns whose secret values do not count.

    If one secret draw of a seat stays hidden, the seat may have chosen which ones it opens. So none
    of them count.
    """
    opened = {each.body["k"] for each in events if each.kind == "session.SealOpened"}
    secret = {turn: each for turn, each in declared.items() if "audience" in each.body}
    hidden = {each.seat for each in secret.values() if each.body["draw"]["k"] not in opened}
    return {turn for turn, each in secret.items() if each.seat in hidden}


def _lineage(events: list[Event]) -> set[int]:
    """Return the versions that no rewind undid."""
    live: list[int] = []
    for each in events:
        if each.kind == "session.Rewound":
            live = [version for version in live if version <= each.body["to"]]
        live.append(each.version)
    return set(live)


def _owners(event: Event) -> dict[str, str]:
    """Return the seats of the entities that the event creates, or that a fork begins with."""
    if event.kind == "session.Inherited":
        table = event.body["table"]
        entities = table["characters"] if "characters" in table else table["entities"]
        return {entity: of["seat"] for entity, of in entities.items() if "seat" in of}
    if event.kind.endswith("Created") and "seat" in event.body:
        return {event.body["entity"]: event.body["seat"]}
    return {}


def events_of(file: Path) -> list[Event]:
    """Return the events of an exported file."""
    found = []
    for line in map(json.loads, file.read_text().splitlines()):
        if "leaf" in line:
            leaf, opening = json.loads(line["leaf"]), line.get("opening", {"body": {}})
            found.append(Event(leaf["version"], leaf["turn"], leaf["seat"], opening["body"]))
    return found


def figures_of(files: list[Path], manifest: Path) -> Any:
    """Return the statistics that `fairlog stats` prints for the files."""
    command = [sys.executable, "-m", "service", "stats", *map(str, files)]
    printed = subprocess.run(
        [*command, "--campaign", str(manifest), "--json"],
        env=environ(manifest.parent),
        capture_output=True,
        text=True,
        check=False,
    )
    assert printed.returncode == 0, printed.stderr
    return json.loads(printed.stdout)


def differences(found: Any, expected: Any, place: str = "") -> Iterator[str]:
    """Yield each place where two JSON values differ. Floats may differ by a millionth of them."""
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in sorted(found.keys() | expected.keys()):
            if key in found and key in expected:
                yield from differences(found[key], expected[key], f"{place}/{key}")
            else:
                yield f"{place}/{key} is only in one"
    elif isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        for nth, each in enumerate(found):
            yield from differences(each, expected[nth], f"{place}/{nth}")
    elif isinstance(found, float) and isinstance(expected, int | float):
        if not math.isclose(found, expected, rel_tol=1e-6):
            yield f"{place}: {found} and {expected}"
    elif type(found) is not type(expected) or found != expected:
        yield f"{place}: {found!r} and {expected!r}"


def check_files(campaign: Campaign, files: list[Path], figures: Any) -> Any:
    """Check that the files and a new manifest give the same statistics. Return the manifest."""
    manifest = campaign.folder / "manifest.json"
    exported = campaign.ask("GET", "/manifest")
    manifest.write_text(json.dumps(exported))
    assert list(differences(figures, figures_of(files, manifest))) == []
    return exported


def check_count(figures: Any, count: Count) -> None:
    """Check the statistics against the count of the events."""
    people = figures["people"]
    assert figures["turns"] == count.turns.total()
    assert {person: of["turns"] for person, of in people.items()} == count.turns
    assert {person: of["sessions"] for person, of in people.items()} == count.sessions
    rolls = {
        person: sum(use["rolls"] for use in of["uses"].values()) for person, of in people.items()
    }
    assert rolls == count.rolls
    for origin, luck in count.luck.items():
        draws = {
            person: of["luck"][origin]["draws"]
            for person, of in people.items()
            if origin in of["luck"]
        }
        assert draws == luck, origin
    for origin, sources in (("drawn", count.drawn), ("declared", count.declared)):
        found: Counter[str] = Counter()
        for source, of in figures["dice"][origin].items():
            found[source.replace("deck D", "cards")] += of["draws"]
        assert found == sources, origin
    red = figures["dice"]["declared"]["d6 (the red d6)"]
    assert sum(face["seen"] for face in red["values"].values()) == red["draws"] > 0


class Outsiders:
    """Everyone who is no member of the campaign, with every request to its routes."""

    def __init__(self, campaign: Campaign, tokens: Mapping[str, str]) -> None:
        self.campaign, self.tokens = campaign, tokens
        self.api = campaign.api
        document = self.api.ask("GET", "/openapi.json")
        self.routes = {path: of for path, of in document["paths"].items() if "{campaign}" in path}
        session = campaign.tables[-1].session
        self.places = [
            {"campaign": campaign.id, "session": session, "person": person, "seat": seat}
            for person, seat in ((GM, "gm"), (LEAVES, LEAVES))
        ]

    def bodies(self, method: str, path: str) -> list[object]:
        """Return the bodies to send: valid ones if the operation has one, and an empty one."""
        if "requestBody" not in self.routes[path].get(method.lower(), {}):
            return [None]
        part = path.removeprefix("/v1/campaigns/{campaign}")
        if (method, part) == ("PUT", "/sessions/{session}"):
            token = self.campaign.tables[-1].clients[GM].data.token
            return [{"session_token": token}, {}]
        return [*VALID[method, part], {}]

    def check(self) -> int:
        """Check that each gets what they get for an unknown campaign. Return the requests."""
        sent = 0
        for who, token in self.tokens.items():
            for path, method in product(self.routes, METHODS):
                for body, query, place in self.variants(method, path):
                    known, unknown = (
                        self.api.send(method, path.format(**each) + query, token, body)
                        for each in (place, place | {"campaign": UNKNOWN})
                    )
                    assert told(known) == told(unknown), (who, method, path, body)
                    if body != {} and method.lower() in self.routes[path]:
                        assert known.status in (401, 404), (who, method, path, known.body)
                    assert known.status >= 400 or method == "OPTIONS", (who, method, path)
                    sent += 2
        return sent

    def variants(self, method: str, path: str) -> Iterator[tuple[object, str, dict[str, str]]]:
        """Yield the bodies, queries and places with which the request is sent."""
        places = self.places if "{person}" in path or "{seat}" in path else self.places[:1]
        queries = ("", "?forget=true") if path.endswith("{person}") else ("",)
        yield from product(self.bodies(method, path), queries, places)


VALID: dict[tuple[str, str], list[object]] = {
    ("POST", "/hand-over"): [{"person": "ben"}],
    ("POST", "/people"): [{"person": "eve", "name": "Eve"}],
    ("POST", "/sessions"): [{"title": "Mine"}, {"title": "Mine", "ruleset": "open"}],
    ("POST", "/sessions/{session}/join"): [{}, {"seat": "ana"}],
    ("PUT", "/sessions/{session}/seats/{seat}"): [{"person": "ben"}, {"person": GM}],
}
"""Bodies that a member could send."""


def told(reply: Reply) -> tuple[int, dict[str, str], str]:
    """Return the reply without what differs between any two requests."""
    headers = {name: value for name, value in reply.headers.items() if name not in OF_THE_MOMENT}
    id_of_request = reply.headers.get("X-Request-Id", "")
    return reply.status, headers, reply.body.decode().replace(id_of_request, "")


@pytest.mark.timeout(scale(240, 1800))
def test_evenings_of_a_campaign(tmp_path: Path) -> None:
    running = Running(tmp_path / "data", "serve", **SETTINGS)
    try:
        _play(Campaign(Api(running.url()), tmp_path))
    finally:
        running.stop()


def _play(campaign: Campaign) -> None:
    began = time.monotonic()
    campaign.play(SESSIONS)
    seconds = time.monotonic() - began
    figures = campaign.statistics()
    waited = time.monotonic() - began - seconds
    files = [
        table.export(campaign.folder / f"{number}.fairlog")
        for number, table in enumerate(campaign.tables, 1)
    ]
    manifest = check_files(campaign, files, figures)
    people = {each["session"]: each["seats"] for each in manifest["sessions"]}
    count = Count()
    for table, file in zip(campaign.tables, files, strict=True):
        count.add(events_of(file), people[table.session])
    print(
        f"{SESSIONS} sessions with {count.events:,} events and {count.draws:,} draws in"
        f" {seconds:.0f} s; statistics {waited:.1f} s later"
    )
    check_count(figures, count)
    for file in files:
        verdict = run(campaign.folder, "verify", str(file))
        assert (verdict.returncode, verdict.stdout.partition(" ")[0].strip(",")) == (0, "VALID")
    _leave(campaign, figures)
    _remove_sessions(campaign, files)


def _leave(campaign: Campaign, before: Any) -> None:
    """Remove one person, forget another one, and check that no outsider sees anything.

    The files are those of the GM, which contain more, but give the same statistics in any order.
    """
    files = [
        table.export(campaign.folder / f"{number}.gm.fairlog", GM)
        for number, table in enumerate(campaign.tables, 1)
    ]
    old, key = campaign.tokens[FORGOTTEN], "the-key-of-a-renewed-token"
    renewal = f"/people/{FORGOTTEN}/token"
    renewed = campaign.api.ask("POST", campaign.path + renewal, old, key=key)
    campaign.tokens[FORGOTTEN] = renewed["token"]
    campaign.ask("DELETE", f"/people/{LEAVES}", person=LEAVES)
    campaign.ask("DELETE", f"/people/{FORGOTTEN}?forget=true")
    reply = campaign.ask("GET", "/statistics")
    assert "figures" not in reply or not mentions(reply["figures"], FORGOTTEN)
    figures = campaign.statistics()
    assert not mentions(figures, FORGOTTEN)
    assert mentions(figures, LEAVES)
    for part in ("sessions", "turns", "minutes"):
        assert figures[part] == before[part]
    assert figures["people"].keys() == before["people"].keys() - {FORGOTTEN}
    check_files(campaign, files[::-1], figures)
    others = Campaign(campaign.api, campaign.folder)
    seats = campaign.tables[-1].clients
    tokens = {
        "a person who left": campaign.tokens[LEAVES],
        "a forgotten person": campaign.tokens[FORGOTTEN],
        "a forgotten person's old token": old,
        "the GM of another campaign": others.tokens[GM],
        "a player of another campaign": others.tokens["ben"],
        "the GM's seat": seats[GM].data.token,
        "the seat of a player": seats["ben"].data.token,
        "the seat of a person who left": seats[LEAVES].data.token,
        "a stranger": "",
        "a stranger with an invented token": "flc_" + "x" * 43,
    }
    seen = campaign.ask("GET"), campaign.ask("GET", "/manifest"), others.ask("GET")
    began = time.monotonic()
    sent = Outsiders(campaign, tokens).check()
    print(f"{sent:,} requests of outsiders in {time.monotonic() - began:.0f} s")
    assert seen == (campaign.ask("GET"), campaign.ask("GET", "/manifest"), others.ask("GET"))
    _check_repeat(campaign, renewal, old, None, key)
    path, key = campaign.joined[LEAVES]
    _check_repeat(campaign, path, campaign.tokens[LEAVES], {}, key)
    for person in (LEAVES, FORGOTTEN):
        campaign.add(person)
    again = campaign.statistics()
    assert list(differences(again, figures)) == []  # who was forgotten gets nothing back


def _remove_sessions(campaign: Campaign, files: list[Path]) -> None:
    """Remove the sessions with the rarest rolls, one after the other."""
    file_of = {table.session: file for table, file in zip(campaign.tables, files, strict=True)}
    figures = campaign.statistics()
    for _ in range(REMOVED):
        session = figures["records"]["rarest"]["session"]
        campaign.ask("DELETE", f"/sessions/{session}")
        del file_of[session]
        figures = campaign.statistics()
    check_files(campaign, list(file_of.values()), figures)


def _check_repeat(campaign: Campaign, path: str, token: str, body: object, key: str) -> None:
    """Check that a former member who repeats an earlier request does not get its response."""
    known, unknown = (
        campaign.api.send("POST", f"/v1/campaigns/{each}{path}", token, body, key)
        for each in (campaign.id, UNKNOWN)
    )
    assert told(known) == told(unknown)
    assert known.status in (401, 404)


def mentions(figures: Any, person: str) -> bool:
    """Return True if the statistics attribute anything to the person.

    The moments of records are left out: the ids in them are those of the session's seats.
    """
    records = {
        kind: {name: part for name, part in of.items() if name != "moment"}
        for kind, of in figures["records"].items()
    }
    return person in json.dumps(figures | {"records": records})
