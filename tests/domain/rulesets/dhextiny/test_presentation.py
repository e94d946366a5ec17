"""The table as players see it."""

from __future__ import annotations

import msgspec

from domain.ruleset import Message
from domain.rulesets.dhextiny import messages as m, odds, ruleset
from domain.rulesets.dhextiny.rules import PF, RollPurpose
from domain.session.descriptions import describe, fill, names
from tests.domain.rulesets.dhextiny.people import TABLE, aflame, ap, at, checked, dying
from tests.domain.rulesets.given import after
from tests.support.sessions import ScriptedSession


def test_show_a_table_in_the_middle_of_a_check() -> None:
    given = [
        *TABLE,
        ap("ana", 9),
        *dying("rat", 0),
        aflame("ben", 3),
        checked("ana", 0, 4, RollPurpose.ATTACK, "locks", "rat"),
    ]
    shown = msgspec.json.decode(msgspec.json.encode(ruleset.show(after(given[0], given))))
    assert shown["entities"]["ana"] == {
        "name": "Ana",
        "seat": "p1",
        "kind": "PC",
        "status": "ok",
        "sheet": {"locks": "AMX 3"},
        "summary": "locks 3",
    }
    assert shown["entities"]["rat"]["status"] == "dying"
    assert shown["boards"] == {
        "ring": {
            "shape": "ring",
            "points": ["F", "PF", "PS", "S", "PS", "PF"],
            "index": 4,
            "levels": [1, 2, 3, 4, 3, 2],
        }
    }
    assert shown["pools"]["ana.ap"] == {
        "entity": "ana",
        "label": "AP",
        "now": 9,
        "max": 12,
        "meaning": "ability points",
    }
    assert shown["pools"]["rat.lp"] == {
        "entity": "rat",
        "label": "LP",
        "now": 0,
        "max": 4,
        "kind": "health",
        "meaning": "life points",
    }
    assert shown["conditions"] == {"ben.aflame": {"entity": "ben", "label": "Aflame", "rounds": 3}}
    sheet = {"entity": "ana", "result": "PS", "moved": "4", "ability": "locks", "target": "rat"}
    task = {"seat": "p1", "label": "attack", "waits": "alter or settle", "sheet": sheet}
    waits = "a death check at the next opportunity"
    death = {"seat": "", "label": "death check", "waits": waits, "sheet": {"entity": "rat"}}
    assert shown["tasks"] == {"check": task, "rat.death": death}


def test_show_waits_to_settle_what_is_altered() -> None:
    given: list[Message] = [
        *TABLE,
        checked("ana", 0, 4),
        m.Altered("ana", "locks", 4, 1, 5, PF, 5, 1, 11),
    ]
    (task,) = ruleset.show(after(given[0], given)).tasks.values()
    assert (task.waits, task.sheet["result"], task.sheet["moved"]) == ("settle", "PF", "5")


def test_show_a_check_of_an_unknown_entity() -> None:
    (task,) = ruleset.show(after(at(0), [checked("ana", 0, 4)])).tasks.values()
    assert task.seat == ""


def test_an_empty_table_shows_the_ring_alone() -> None:
    assert list(msgspec.to_builtins(ruleset.show(after(at(0), [])))) == ["boards"]


def test_odds_are_enumerated() -> None:
    assert odds(after(at(0), []), m.Check("ana")) is None


def test_commands_are_described_by_their_fields_and_braces_stay_text() -> None:
    evening = ScriptedSession(ruleset=ruleset)
    told = [
        fill(describe(ruleset, fact, evening.then), names(evening.session))
        for seat, command in (
            ("gm", m.CreateCreature("rat", "Rat", 6)),
            ("gm", m.Check("rat")),
            ("p1", m.CreatePc("ana", "{rat} {@gm} {")),
        )
        for fact in evening.do(seat, command)
    ]
    created, _, declared, _, _, wished, _ = told
    assert created == "Grace requests: create creature (entity rat, lp 6, name Rat)."
    assert declared == "Grace requests: check (entity Rat)."
    assert "name {rat} {@gm} {" in wished
    assert fill(
        describe(ruleset, evening.facts[-1], evening.then), names(evening.session)
    ).startswith("{rat} {@gm} { joins the game")
