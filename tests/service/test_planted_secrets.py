"""Planted secrets: a marker under every seal is found nowhere it should not be, and everywhere it should."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

import pytest

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from tests.service.pages_walk import found, read_at
from tests.service.planted_secrets import READERS, Field
from tests.support.scale import LONG
from tests.support.server import TestServer, settings_in

rulesets = pytest.mark.parametrize(
    "ruleset",
    RULESETS if LONG else RULESETS[:1],
    ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}",
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestServer]:
    served = TestServer(settings_in(tmp_path, FAIRLOG_STREAM_SECONDS="0.1"))
    yield served
    served.close()


VALUES = re.compile(rb'"values":\[[\[{]')


def leaks(
    field: Field, answers: Iterable[tuple[str, Iterable[tuple[str, bytes]]]]
) -> Iterator[str]:
    """Who finds which marker, and where, without being in its audience."""
    for reader, answered in answers:
        for asked, said in answered:
            for planted in field.planted:
                if reader not in planted.seen_by and planted.marker.encode() in said.lower():
                    yield f"{reader} finds what is for {sorted(planted.seen_by)}: {asked}"
            if (
                reader not in ("gm", "judge")
                and VALUES.search(said)
                and re.search(field.rolls, asked)
            ):
                yield f"{reader} is told the values of a secret draw: {asked}"


@rulesets
def test_a_secret_is_found_by_its_audience_and_by_nobody_else(
    house: TestServer, ruleset: AnyRuleset
) -> None:
    field = Field(house, ruleset)
    assert [planted for planted in field.planted if not planted.turns] == []
    assert any(planted.plays for planted in field.planted)
    readers = READERS if LONG else ("gm", "p1", "p2", "nobody")
    answers = {reader: list(found(field, reader)) for reader in readers}
    assert list(leaks(field, answers.items())) == []
    told = [
        asked
        for asked, said in answers["gm"]
        if re.search(field.rolls, asked) and VALUES.search(said)
    ]
    assert all(any(part in asked for asked in told) for part in ("/rerolls", "/events/"))
    for reader, planted in product(readers, field.planted):
        if reader in planted.seen_by:
            expected = {"events", "search", "stream", "transcript"} | (
                {field.evening.session} if planted.plays else set()
            )
            assert expected <= places(answers[reader], planted.marker), (reader, planted)


def places(answered: list[tuple[str, bytes]], marker: str) -> set[str]:
    """The last parts of the addresses whose answers hold the marker, also with a capital letter."""
    return {
        asked.partition("?")[0].rpartition("/")[2]
        for asked, said in answered
        if marker.encode() in said.lower()
    }


@rulesets
def test_what_is_opened_is_found_by_everyone(house: TestServer, ruleset: AnyRuleset) -> None:
    field = Field(house, ruleset)
    field.open_all()
    for reader in READERS:
        if reader != "stranger":
            said = b"".join(
                said
                for asked, said in read_at(field, reader, "/events?limit=200", "/search?text=zq")
            )
            assert all(planted.marker.encode() in said for planted in field.planted), reader


def test_the_check_notices_a_disabled_visibility_filter(
    house: TestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    field = Field(house, RULESETS[0])
    events = "/events?limit=200"
    assert list(leaks(field, [("p1", read_at(field, "p1", events))])) == []
    monkeypatch.setattr("service.http.presenters.is_visible", lambda *_: True)
    assert list(leaks(field, [("p1", read_at(field, "p1", events))])) != []
