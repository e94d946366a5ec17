"""Two sessions that are alike but for their secrets: who may not see these gets the same answers, byte for byte.

Both servers draw the same random bytes and read the same clock, so that what differs comes from the secrets. What is
left to differ are hashes and signatures, over which the secrets are committed to.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.messages import Draws
from tests.service.pages_walk import found
from tests.service.planted_secrets import Field
from tests.support.scale import LONG
from tests.support.server import TestServer, settings_in

READERS = ("p1", "p2", "gm", "watcher", "nobody", "stranger") if LONG else ("p1",)
WANTED = 2500 if LONG else 100
"""Answers of each ruleset by each kind of draws; the long run compares 25,000 of five rulesets."""
BEGAN = 1_800_000_000_000
HASHES = re.compile(
    rb"[0-9a-f]{32,}|[A-Za-z0-9+/]{40,}={0,2}|X-Request-Id: [^\r\n]+|Content-Length: \d+"
)


class Same:
    """The clock and the random bytes of a server, the same for each that is made after `begin`."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.drawn, self.read = count(), count()

    def random_bytes(self) -> bytes:
        return hashlib.sha256(b"%d" % next(self.drawn)).digest()

    def random_session_id(self) -> str:
        return self.random_bytes()[:16].hex()

    def now_ms(self) -> int:
        return BEGAN + next(self.read)


@pytest.fixture
def same(monkeypatch: pytest.MonkeyPatch) -> Same:
    source = Same()
    for name in ("random_bytes", "random_session_id", "now_ms"):
        monkeypatch.setattr(f"service.platform.clock.{name}", getattr(source, name))
    monkeypatch.setattr("service.platform.keys.random_bytes", source.random_bytes)
    return source


def planted(
    folder: Path, same: Same, ruleset: AnyRuleset, draws: Draws, seed: int, other_for: str = ""
) -> Field:
    same.begin()
    house = TestServer(settings_in(folder, FAIRLOG_STREAM_SECONDS="0.1"))
    return Field(house, ruleset, seed, other_for, draws)


def shape(field: Field) -> list[object]:
    """What of the log everyone may know: by whom each event is and when, and what the public ones say."""
    return [
        (fact.turn, fact.seat, b"" if fact.sealed else type(fact.body).__name__)
        for fact in field.facts
    ]


def alike(answer: bytes) -> bytes:
    """An answer without hashes and signatures; an exported log is unpacked."""
    if answer.startswith(b"\x1f\x8b"):
        unpacking = zlib.decompressobj(31)
        answer = unpacking.decompress(answer) + unpacking.unused_data
    return HASHES.sub(b"#", answer)


def compared(one: Field, other: Field, same: Same, reader: str) -> Iterator[tuple[str, bool]]:
    """Every answer that the reader gets of both sessions, and whether it is the same."""
    answers = []
    for field in (one, other):
        same.begin()
        answers.append(
            [
                (HASHES.sub(b"#", asked.encode()).decode(), alike(said))
                for asked, said in found(field, reader)
            ]
        )
    for (asked, said), (_, said_other) in zip(*answers, strict=True):
        yield asked, said == said_other


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(
    "ruleset",
    RULESETS if LONG else RULESETS[:1],
    ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}",
)
@pytest.mark.parametrize("draws", ["house", "table"] if LONG else ["house"])
def test_no_answer_differs_by_a_secret_that_its_reader_may_not_see(
    tmp_path: Path, same: Same, ruleset: AnyRuleset, draws: Draws
) -> None:
    answers, differing = 0, list[str]()
    for seed in count():
        for reader in READERS:
            other_for = reader if reader in ("gm", "p2") else "p1"
            one = planted(tmp_path / f"{seed}-{reader}-1", same, ruleset, draws, seed)
            other = planted(tmp_path / f"{seed}-{reader}-2", same, ruleset, draws, seed, other_for)
            assert (one.table_draws > 0) == (draws == "table")
            assert {each.marker for each in one.planted} != {each.marker for each in other.planted}
            if shape(one) == shape(
                other
            ):  # other dice may have other effects: the number is public
                for asked, is_same in compared(one, other, same, reader):
                    answers += 1
                    if not is_same:
                        differing.append(f"{reader}: {asked}")
            other.house.close()
            one.house.close()
        if answers >= WANTED:
            break
        assert seed < 20, "these secrets are never alike"
    print(f"{answers} answers compared")
    assert differing == []
