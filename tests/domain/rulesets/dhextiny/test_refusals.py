"""Every refusal, raised by a row and found in RULES.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import domain.rulesets.dhextiny as room
from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.dhextiny import messages as m
from domain.rulesets.dhextiny.rules import PF, Being, Status, Use
from tests.domain.rulesets.dhextiny.people import (
    AUDITOR,
    GM,
    HOUSE,
    P1,
    P2,
    SPECTATOR,
    TABLE,
    aflame,
    amx,
    ap,
    checked,
    dead,
    dying,
    rolled_abilities,
)
from tests.domain.rulesets.given import check

FOLDER = Path(room.__file__).parent
OPEN = checked("ana", 0, 4)  # Ana stands on PS before PF
ALTERED = m.Altered("ana", "locks", start=4, steps=1, point=5, result=PF, moved=5, cost=1, ap=11)
ON_BEN = checked("ana", 0, 4, Use.ATTACK, "locks", "ben")

REFUSALS: list[tuple[str, Sequence[Message], By, Message]] = [
    # slug, beside the table, who, when
    ("entity-exists", [], P1, m.CreatePc("ana", "Another Ana")),
    ("entity-exists", [], GM, m.CreateNpc("ana", "Another Ana")),
    ("entity-exists", [], GM, m.CreateCreature("rat", "Another rat", 3)),
    (
        "too-many-entities",
        [m.EntityCreated(f"n{n}", "N", Being.NPC, "gm", 12, 6) for n in range(100)],
        GM,
        m.CreateNpc("one-more", "One more"),
    ),
    (
        "too-many-abilities",
        [amx("rat", f"trick {n}", 1) for n in range(40)],
        GM,
        m.NameAbility("rat", "one more"),
    ),
    ("no-such-entity", [], P1, m.Check("anna")),
    ("no-such-entity", [], P1, m.Attack("ana", "anna")),
    ("no-such-entity", [], P1, m.PutOut("ana", "anna")),
    ("no-such-entity", [], GM, m.Kill("anna", "a typo")),
    ("not-yours", [], P1, m.CreatePc("cleo", "Cleo", "p3")),
    ("pc-needs-a-seat", [], GM, m.CreatePc("cleo", "Cleo")),
    ("gm-only", [], P1, m.CreateNpc("warden", "The warden")),
    ("abilities-rolled", [rolled_abilities("ana", 3)], P1, m.RollAbilities("ana")),
    ("creatures-do-not-roll", [], GM, m.RollAbilities("rat")),
    ("abilities-not-rolled", [], P1, m.NameAbility("ana", "climbing")),
    (
        "no-ability-left",
        [rolled_abilities("ana", 3), amx("ana", "a", 3), amx("ana", "b", 3)],
        P1,
        m.NameAbility("ana", "c"),
    ),
    ("ability-exists", [rolled_abilities("ana", 3)], P1, m.NameAbility("ana", "locks")),
    ("amx-starts-at-three", [rolled_abilities("ana", 3)], P1, m.NameAbility("ana", "climbing", 4)),
    ("no-such-ability", [], P1, m.Check("ana", "lcoks")),
    ("no-such-ability", [OPEN], P1, m.Alter("ana", "lcoks", 1)),
    ("no-such-ability", [], GM, m.AdjustAmx("ana", "lcoks", 4, "a typo")),
    ("check-open", [OPEN], P1, m.Check("ana")),
    ("check-open", [OPEN], P2, m.Check("ben")),
    ("check-open", [OPEN], GM, m.Attack("rat", "ana")),
    ("check-open", [OPEN, *dying("ben", 0)], P2, m.DeathCheck("ben")),
    ("check-open", [OPEN], GM, m.MoveToken(0, "a bump")),
    ("no-check-open", [], P1, m.Settle("ana")),
    ("no-check-open", [], P1, m.Alter("ana", "locks", 1)),
    ("no-check-open", [], P1, m.AlterToF("ana", "locks")),
    ("not-its-check", [OPEN], P2, m.Settle("ben")),
    ("not-its-check", [OPEN], P2, m.AlterToF("ben", "sword")),
    ("dead", [dead("ana")], P1, m.Check("ana")),
    ("dead", [dead("ben")], P1, m.Attack("ana", "ben")),
    ("dead", [OPEN, dead("ana")], P1, m.Alter("ana", "locks", 1)),
    ("dead", [dead("ana")], GM, m.Rest("ana")),
    ("dead", [dead("ana"), aflame("ana", 2)], GM, m.Burn("ana", 1)),
    ("dead", [dead("ana")], GM, m.Kill("ana", "again")),
    ("dying", dying("ana", 0), P1, m.Check("ana")),
    ("dying", dying("ana", 0), P1, m.Attack("ana", "ben")),
    ("dying", [*dying("ana", 0), aflame("ana", 2)], P1, m.PutOut("ana", "ana")),
    ("dying", [OPEN, *dying("ana", 0)], P1, m.Alter("ana", "locks", 1)),
    ("dying", dying("ana", 0), GM, m.Rest("ana")),
    ("already-at-f", [checked("ana", 0, 6)], P1, m.AlterToF("ana", "locks")),
    ("over-amx", [checked("ana", 1, 6)], P1, m.Alter("ana", "locks", 2)),
    ("over-ap", [ap("ana", 2), checked("ana", 0, 2)], P1, m.Alter("ana", "locks", 1)),
    ("one-ability", [amx("ana", "climbing", 3), ON_BEN], P1, m.Alter("ana", "climbing", 1)),
    ("altered-already", [OPEN, ALTERED], P1, m.Alter("ana", "locks", 1)),
    ("altered-already", [OPEN, ALTERED], P1, m.AlterToF("ana", "locks")),
    ("not-dying", [], P1, m.DeathCheck("ana")),
    ("not-dying", [dead("ana")], P1, m.DeathCheck("ana")),
    ("already-aflame", [aflame("ana", 2)], GM, m.SetAflame("ana")),
    ("nothing-aflame", [], GM, m.EndRound()),
    ("not-aflame", [], P1, m.PutOut("ana", "ben")),
    ("not-aflame", [], GM, m.Burn("ana", 2)),
    ("over-ap-max", [], GM, m.AdjustAp("ana", 13, "greed")),
    ("over-starting-lp", [], GM, m.AdjustLp("ana", 7, "greed")),
    ("status-against-lp", [], GM, m.AdjustStatus("ana", Status.DYING, "a swoon")),
    ("status-against-lp", dying("ana", 0), GM, m.AdjustStatus("ana", Status.OK, "a miracle")),
    ("not-playing", [], SPECTATOR, m.Check("ana")),
    ("not-playing", [], AUDITOR, m.Check("ana")),
    ("not-playing", [], HOUSE, m.EndRound()),
]


@pytest.mark.parametrize(("slug", "given", "by", "when"), REFUSALS)
def test_refused(slug: str, given: Sequence[Message], by: By, when: Message) -> None:
    check(given=[*TABLE, *given], when=when, by=by, then=slug)


def test_every_refusal_stands_in_the_rules_and_has_a_row() -> None:
    raised = {
        slug
        for file in FOLDER.rglob("*.py")
        for slug in re.findall(r'Refused\(\s*"([a-z-]+)"', file.read_text())
    }
    ruled = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", (FOLDER / "RULES.md").read_text())) - {
        "backticks",
        "point",
    }
    assert raised == ruled
    assert raised == {slug for slug, *_ in REFUSALS}
