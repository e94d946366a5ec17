"""The page's modules against Python's truth: patches, told lines, and the store of what a long session was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from domain.merge_patch import Document, Json, apply, diff
from domain.session.descriptions import fill
from service.sessions.feed import SEGMENT_VERSIONS
from service.web.changed import GRADES
from tests.domain.test_merge_patch import DIFFERENCES, RFC_7396_APPENDIX_A
from tests.js.node import checked
from tests.service.http.test_feed import GHOST, WOLF, grown, opened, rewound, secretly
from tests.support.example import EXAMPLE, rest
from tests.support.scale import scale
from tests.support.server import TestServer, laid, settings_in

FIELDS = (
    "a",
    "b",
    "ana.ap",
    "constructor",
    "toString",
    "__proto__",
    "9",
    "10",
    "Ä",
    "\U0001f600",
    "",
)
LEAVES: tuple[Json, ...] = (None, True, False, 0, -1, 2**40, 0.5, "", "x", [], [1, {"a": None}], {})
PIECES = (
    "{",
    "}",
    "{{",
    "}}",
    "{ana}",
    "{@gm}",
    "{constructor}",
    "{@toString}",
    "{ben}",
    "{Ana}",
    "{}",
    "{@}",
    " 4 ",
    "$&",
)
NAMES = {"ana": "Ana {ben} $&", "@gm": "Mo", "ben": "", "a" * 32: "long"}
SEATS = ("gm", "p1", "p2", "watcher")


def ask(what: str, given: object) -> Any:
    return checked("page.mjs", {"what": what, "given": given})


def document(random: Random, depth: int = 4) -> Json:
    if depth == 0 or random.random() < 0.3:
        return random.choice(LEAVES)
    return {random.choice(FIELDS): document(random, depth - 1) for _ in range(random.randrange(5))}


def without_nulls(document: Json) -> Document:
    return {
        name: without_nulls(value) if isinstance(value, dict) else value
        for name, value in (document.items() if isinstance(document, dict) else ())
        if value is not None
    }


def test_a_patch_merges_as_the_server_merges_it() -> None:
    random = Random(7396)
    published = [
        (json.loads(original), json.loads(patch)) for original, patch, _ in RFC_7396_APPENDIX_A
    ]
    pairs = published + [(before, patch) for before, _, patch, _ in DIFFERENCES]
    pairs += [(document(random), document(random)) for _ in range(scale(500, 60_000))]
    for _ in range(scale(200, 20_000)):
        one, other = without_nulls(document(random)), without_nulls(document(random))
        pairs.append((one, diff(one, other)))
    merged = ask("merge", pairs)
    assert [came for came, _ in merged] == [apply(original, patch) for original, patch in pairs]
    assert all(stayed for _, stayed in merged)


def test_a_line_is_filled_as_the_server_fills_it() -> None:
    random = Random(9)
    lines = [
        "".join(random.choices(PIECES, k=random.randrange(8))) for _ in range(scale(500, 60_000))
    ]
    lines += ["{" + "a" * 32 + "}", "{" + "a" * 33 + "}", "{-a}", "{a-1}", "{@1}", "{a_b}", "{é}"]
    pairs = [(line, random.choice([NAMES, {}])) for line in lines]
    assert ask("fill", pairs) == [fill(line, names) for line, names in pairs]


def test_a_grade_means_what_the_server_says_of_it() -> None:
    assert ask("grades", None) == GRADES


class Kept:
    """A long session with secrets, some opened much later, and rewinds: each seat's table as it was at its version."""

    def __init__(self, house: TestServer) -> None:
        self.evening = laid(house)
        self.then: dict[str, dict[int, Any]] = {seat: {} for seat in SEATS}
        self._play()
        self.head = self.evening.version()

    def _play(self) -> None:
        evening = self.evening
        mine = secretly(evening, EXAMPLE.plain, "self", "p1")
        evening.go(*rest())
        self.note()
        ghost = secretly(evening, GHOST, "gm")
        self.note()
        grown(evening, SEGMENT_VERSIONS - 60)
        wolf = secretly(evening, WOLF, "gm")
        free = self.note()
        grown(evening, 2 * SEGMENT_VERSIONS - 200)
        rewound(evening, free)
        self.note()
        opened(evening, wolf)
        free = self.note()
        grown(evening, 2 * SEGMENT_VERSIONS + 100)
        rewound(evening, free)
        self.note()
        opened(evening, ghost)
        self.note()
        assert evening.post("p1", "/open-secret", {"turn": mine}).status_code == 201
        self.note()
        grown(evening, 2 * SEGMENT_VERSIONS + 500)
        self.note()

    def note(self) -> int:
        """What every seat sees now; the version."""
        for seat in SEATS:
            self.then[seat][self.evening.version()] = self.evening.table(seat)
        return self.evening.version()

    def folded(self, seat: str) -> dict[int, Any]:
        """The table of every version, from all segments from the first on."""
        table: Json = {}
        tables: dict[int, Any] = {0: table}
        for event in self.events(seat):
            table = apply(table, event.get("patch", {}))
            tables[event["version"]] = table
        return tables

    def events(self, seat: str) -> Iterator[dict[str, Any]]:
        for nth in range((self.head - 1) // SEGMENT_VERSIONS + 1):
            yield from self.evening.get(seat, f"/feed/{nth}").json["events"]

    def answers(self, seat: str) -> dict[str, str]:
        """Every address that a store may ask."""
        last = (self.head - 1) // SEGMENT_VERSIONS
        paths = [f"/feed/{nth}" for nth in range(last + 1)] + [
            f"?version={nth * SEGMENT_VERSIONS}" for nth in range(1, last + 1)
        ]
        return {f"{self.evening.path}{path}": self.evening.get(seat, path).text for path in paths}

    def store(self, seat: str, asked: list[list[int]]) -> Any:
        given = {
            "path": self.evening.path,
            "head": self.head,
            "answers": self.answers(seat),
            "asked": asked,
        }
        return ask("store", given)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    house = TestServer(settings_in(tmp_path_factory.mktemp("long"), FAIRLOG_CHAIN_LENGTH="60000"))
    yield Kept(house)
    house.close()


def test_the_session_has_what_makes_it_hard(kept: Kept) -> None:
    assert kept.head > 2 * SEGMENT_VERSIONS + 500
    marks = [event.get("highlight") for event in kept.events("p2")]
    assert marks.count("rewind") == 2
    assert marks.count("opened") == 3
    assert min(len(versions) for versions in kept.then.values()) == 9


@pytest.mark.parametrize("seat", SEATS)
def test_a_version_is_what_its_seat_saw_then(kept: Kept, seat: str) -> None:
    """From whichever segment the store begins, and however late a secret was opened."""
    folded, events = kept.folded(seat), list(kept.events(seat))
    assert {version: folded[version] for version in kept.then[seat]} == kept.then[seat]
    random = Random(seat)
    versions = [
        0,
        1,
        SEGMENT_VERSIONS - 1,
        SEGMENT_VERSIONS,
        SEGMENT_VERSIONS + 1,
        2 * SEGMENT_VERSIONS,
        2 * SEGMENT_VERSIONS + 1,
        kept.head,
        *kept.then[seat],
    ]
    versions += random.sample(range(kept.head + 1), scale(60, 600))
    for _ in range(4):
        random.shuffle(versions)
        told = kept.store(seat, [[version] for version in versions])
        for version, (found,) in zip(versions, (each["found"] for each in told), strict=True):
            assert found == {"version": version, "table": folded[version]} | (
                {"event": events[version - 1]} if version else {}
            )


def test_a_segment_is_fetched_once_and_with_the_table_that_it_begins_with(kept: Kept) -> None:
    path = kept.evening.path
    last, again, first, before = kept.store(
        "p1",
        [
            [kept.head, kept.head - 1],
            [2 * SEGMENT_VERSIONS + 1],
            [5, 7],
            [SEGMENT_VERSIONS + 1, 2 * SEGMENT_VERSIONS],
        ],
    )
    assert last["fetched"] == [f"{path}?version={2 * SEGMENT_VERSIONS}", f"{path}/feed/2"]
    assert (last["before"], again["before"], again["fetched"]) == ([False, False], [True], [])
    assert first["fetched"] == [f"{path}/feed/0"]
    assert before["fetched"] == [f"{path}/feed/1"]


def test_what_is_not_there_is_said(kept: Kept) -> None:
    beyond, nowhere = kept.store("p1", [[kept.head + 1], [9 * SEGMENT_VERSIONS]])
    assert beyond["found"] == [f"RangeError: version {kept.head + 1} is not there yet"]
    assert nowhere["found"] == [f"Error: nobody answers at {kept.evening.path}/feed/8"]
