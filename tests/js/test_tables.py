"""Draws of a whole table in JavaScript: the vectors' own session, and tables that hold in both formats."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from domain.proof.hash_chain import value
from domain.verify import verify
from service.platform.ed25519 import verify as ed25519
from tests.domain.format_2_faults import EXTENDED, HOLDS
from tests.js.node import Job, climb
from tests.js.sound_tables import SOUND, Sound
from tests.js.tables import Table, jcs

CASES = [*SOUND, *HOLDS]
PLAYED = json.loads((Path(__file__).parents[1] / "vectors" / "fairlog.json").read_bytes())[
    "session"
]


def vector() -> bytes:
    """The vectors' session as a file."""
    opened = PLAYED["events"][0]["opening"]["body"]
    manifest = {name: opened[name] for name in ("edition", "log_key", "ruleset")} | {
        "origin": PLAYED["origin"],
        "v": 1,
    }
    lines = [manifest | {"session": PLAYED["origin"].rpartition("/")[2]}]
    lines += [
        {name: event[name] for name in ("leaf", "opening") if event[name]}
        for event in PLAYED["events"]
    ]
    lines += [{"checkpoint": PLAYED[name]} for name in ("checkpoint_6", "checkpoint_final")]
    return b"".join(jcs(line) + b"\n" for line in lines)


def test_the_vectors_session_holds(tmp_path: Path) -> None:
    receipts, witnesses = tuple(PLAYED["receipts_draw_0"]), (PLAYED["witness_vkey"],)
    job = Job(vector(), PLAYED["log_vkey"], receipts=receipts, witnesses=witnesses)
    native, slow = climb(tmp_path, [job, job._replace(native=False)])
    assert native == slow
    assert native["witnesses"] == [{"key": PLAYED["witness_vkey"], "size": 22, "at": 1767225700}]
    assert (native["failure"], native["reached"]) == (None, "draws")
    assert [(draw["status"], draw.get("grade")) for draw in native["draws"]] == [
        ("drawn", "A"),
        ("drawn", "A"),
        ("void", None),
        ("drawn", "A"),
    ]
    first, secret, void, last = native["draws"]
    assert [draw["values"] for draw in (first, secret, last)] == [[[6, 3]], [[20, 7]], [[6, 4]]]
    assert void["missing"] == ["p2"]
    assert value(bytes.fromhex(void["shadow"]), 0, 6) == PLAYED["voided_draw_2_shadow_d6"]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, dict[str, Any]]:
    cases = [*CASES, *EXTENDED]
    reports = climb(tmp_path_factory.mktemp("sound"), (Job(case.play().file()) for case in cases))
    told = {case.what: report for case, report in zip(cases, reports, strict=True)}
    assert len(told) == len(cases)
    return told


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_tables_hold(case: Sound, sound: Mapping[str, dict[str, Any]]) -> None:
    report = sound[case.what]
    assert (report["failure"], report["reached"]) == (None, "draws")
    assert [(draw["status"], draw.get("grade")) for draw in report["draws"]] == case.draws


@pytest.mark.parametrize("case", EXTENDED, ids=lambda case: case.what)
def test_a_log_with_an_unknown_extension_is_checked_up_to_the_tree(
    case: Sound, sound: Mapping[str, dict[str, Any]]
) -> None:
    report = sound[case.what]
    assert (report["failure"], report["reached"], report["draws"]) == (None, "tree", [])
    used = case.play().events[0][2]["extensions"]
    assert report["extensions"] == [name for name in used if name != "rolls"]


def test_a_log_without_an_extension_names_none(sound: Mapping[str, dict[str, Any]]) -> None:
    assert {tuple(sound[case.what]["extensions"]) for case in CASES} == {()}


SHADOWS = {
    "a void, and the link shown later": {0: True},
    "a void alone changes nothing": {0: True},
    "two voids, and the next chain": {0: True, 1: True},
    "a device that was lost": {0: False},
    "a secret void that is opened": {0: True},
    "a next chain with the link that is owed": {0: True},
    "a next chain with the second of two links that are owed": {0: True, 1: True},
    "a next chain with the last link that there is": {1: True},
    "a seat comes back with the link that it owes": {0: True},
    "a seat that was made to leave comes back with the link": {0: True},
    "a void at the deadline": {0: False},
    "no link in format 1": {0: False},
}


@pytest.mark.parametrize("what", list(SHADOWS))
def test_a_void_shows_its_shadow_once_the_links_are_known(
    what: str, sound: Mapping[str, dict[str, Any]]
) -> None:
    for k, is_known in SHADOWS[what].items():
        assert ("shadow" in sound[what]["draws"][k]) is is_known


def test_a_shadow_is_the_seed_of_what_all_would_have_given(
    sound: Mapping[str, dict[str, Any]],
) -> None:
    table = Table()
    seed = table.seed(table.declare("p1"))
    assert sound["a void, and the link shown later"]["draws"][0]["shadow"] == seed.hex()


def test_a_voided_result_of_format_2_is_computed_with_the_entropy(
    sound: Mapping[str, dict[str, Any]],
) -> None:
    table = Table(log_format=2)
    void = sound["a void with entropy, and a later draw"]["draws"][0]
    seed = table.seed(table.declare("p1", entropy=void["entropy"]))
    assert void["shadow"] == seed.hex() != Table(log_format=2).seed(table.declare("p1")).hex()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_tables_hold_in_python(case: Sound) -> None:
    report = verify(case.play().file().splitlines(keepends=True), ed25519)
    assert report.failure is None
    graded = [grade for status, grade in case.draws if status == "drawn"]
    assert [each.grade for each in report.grades if each.grade != "D"] == graded
