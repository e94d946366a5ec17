"""Every refusal, raised by a row and found in RULES.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import domain.rulesets.kingdoms as room
from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.kingdoms import messages as m
from domain.rulesets.kingdoms.rules import MAX_ENTITIES, MAX_SOURCES, MAX_STATS, Being, Options
from tests.domain.rulesets.given import check
from tests.domain.rulesets.kingdoms.people import (
    AUDITOR,
    BASIC,
    CHA,
    CON,
    EXTENDED,
    GM,
    HOUSE,
    MANY_ROLLS,
    P1,
    P2,
    SPECTATOR,
    TABLE,
    declared,
    dt,
    extended,
    pooled,
    ready,
    rolled,
    stat,
)

FOLDER = Path(room.__file__).parent
R = "for a reason"
CALLED = [declared("ana")]
POOLED = [*CALLED, pooled("ana", 4)]
READY = [*POOLED, dt("ana", 6)]
FALLEN = [*READY, rolled("ana", 6, [7, 7, 7, 7], (4, 0, 4, 0))]
IN_COMBAT = [*ready("ana", 2, 6, CON)]
STRUCK = [*IN_COMBAT, rolled("ana", 6, [7, 1], (1, 2, -1, 1), EXTENDED)]
CROWD = [m.EntityCreated(f"n{n}", "N", Being.NPC, "gm", 0, 0) for n in range(MAX_ENTITIES)]
GRANTED = [m.DiceGranted("ana", f"bonus {n}", 1) for n in range(MAX_SOURCES)]
GIANT = [stat("ana", f"s{n}", 99) for n in range(3)]

REFUSALS: list[tuple[str, Sequence[Message], By, Message]] = [
    # slug, beside the table, who, when
    ("entity-exists", [], P1, m.CreatePc("ana", "Another Ana", 1, 1)),
    ("entity-exists", [], GM, m.CreateNpc("ork", "Another ork", 1, 1)),
    ("too-many-entities", CROWD, GM, m.CreateNpc("one-more", "One more", 1, 1)),
    ("pc-needs-a-seat", [], GM, m.CreatePc("cleo", "Cleo", 1, 1)),
    ("not-yours", [], P1, m.CreatePc("cleo", "Cleo", 1, 1, "p3")),
    ("not-yours", [], P1, m.NameStat("ben", "INT", 9)),
    ("not-yours", READY, P2, m.RollTest("ana")),
    ("not-yours", [], P1, m.RollDice("ork", 1, 6)),
    ("gm-only", [], P1, m.CreateNpc("imp", "Imp", 1, 1)),
    ("gm-only", CALLED, P1, m.GrantDice("ana", "charm", 3)),
    ("gm-only", POOLED, P1, m.SetDt("ana", 1)),
    ("gm-only", FALLEN, P1, m.Interpret("ana", "a triumph")),
    ("no-such-entity", [], P1, m.RollTest("anna")),
    ("no-such-entity", [], GM, m.DeclareTest("anna", BASIC, ("STR",))),
    ("no-such-entity", POOLED, GM, m.DetermineDt("ana", "orc", ("AC",))),
    ("no-such-entity", [], GM, m.DropTest("anna", R)),
    ("stat-exists", [], P1, m.NameStat("ana", "STR", 9)),
    ("stat-exists", [], P1, m.NameStat("ana", "CON", 9)),
    (
        "too-many-stats",
        [stat("ana", f"s{n}", 1) for n in range(MAX_STATS)],
        P1,
        m.NameStat("ana", "one more", 1),
    ),
    ("no-such-stat", [], GM, m.DeclareTest("ana", BASIC, ("STR", "AC"))),
    ("no-such-stat", POOLED, GM, m.DetermineDt("ana", "ork", ("DEX",))),
    ("no-such-stat", POOLED, GM, m.DetermineDt("ana", "ork", ("AC",), ("AC",))),
    ("no-such-stat", [], GM, m.AdjustStat("ana", "AC", 3, R)),
    ("no-stats", [], GM, m.DeclareTest("ana", BASIC, ())),
    ("no-stats", POOLED, GM, m.DetermineDt("ana", "ork", ())),
    ("stat-twice", [], GM, m.DeclareTest("ana", BASIC, ("STR", "CON", "STR"))),
    ("stat-twice", POOLED, GM, m.DetermineDt("ana", "ork", ("AC", "AC"))),
    ("stat-twice", POOLED, GM, m.DetermineDt("ana", "ork", ("AC",), ("CON", "CON"))),
    ("test-open", CALLED, GM, m.DeclareTest("ana", BASIC, ("CON",))),
    ("test-open", IN_COMBAT, GM, m.DeclareTest("ana", EXTENDED, ("CON",), CHA)),
    ("refill-missing", [], GM, m.DeclareTest("ana", EXTENDED, ("STR",))),
    ("refill-only-extended", [], GM, m.DeclareTest("ana", BASIC, ("STR",), CON)),
    ("no-test-open", [], GM, m.GrantDice("ana", "high ground", 1)),
    ("no-test-open", [], P1, m.AssemblePool("ana")),
    ("no-test-open", [], GM, m.SetDt("ana", 6)),
    ("no-test-open", [], GM, m.DetermineDt("ana", "ork", ("AC",))),
    ("no-test-open", [], P1, m.RollTest("ana")),
    ("no-test-open", [], GM, m.Interpret("ana", "so")),
    ("no-test-open", [], GM, m.EndTest("ana")),
    ("no-test-open", [], GM, m.AdjustPool("ana", 3, R)),
    ("no-test-open", [], GM, m.DropTest("ana", R)),
    ("no-test-open", [*FALLEN, m.TestEnded("ana", BASIC, 1, 4, 4)], P1, m.RollTest("ana")),
    ("source-exists", CALLED, GM, m.GrantDice("ana", "STR", 1)),
    (
        "source-exists",
        [*CALLED, m.DiceGranted("ana", "rope", 1)],
        GM,
        m.GrantDice("ana", "rope", 1),
    ),
    ("too-many-sources", [*CALLED, *GRANTED], GM, m.GrantDice("ana", "one more", 1)),
    ("pool-assembled", POOLED, P1, m.AssemblePool("ana")),
    ("pool-assembled", POOLED, GM, m.GrantDice("ana", "high ground", 1)),
    ("dice-per-source", CALLED, P1, m.AssemblePool("ana", ())),
    ("dice-per-source", CALLED, P1, m.AssemblePool("ana", (4, 1))),
    ("over-source", CALLED, P1, m.AssemblePool("ana", (5,))),
    ("over-source", [declared("ana", "fear")], P1, m.AssemblePool("ana", (0,))),
    ("under-source", CALLED, P1, m.AssemblePool("ana", (3,))),
    ("under-source", [declared("ana", "fear")], P1, m.AssemblePool("ana", (-3,))),
    ("too-many-dice", [*GIANT, declared("ana", "s0", "s1", "s2")], P1, m.AssemblePool("ana")),
    ("too-many-dice", POOLED, GM, m.AdjustPool("ana", 201, R)),
    ("pool-first", CALLED, GM, m.SetDt("ana", 6)),
    ("pool-first", CALLED, GM, m.DetermineDt("ana", "ork", ("AC",))),
    ("pool-first", CALLED, P1, m.RollTest("ana")),
    ("pool-first", CALLED, GM, m.AdjustPool("ana", 3, R)),
    ("dt-first", POOLED, P1, m.RollTest("ana")),
    ("dt-out-of-range", POOLED, GM, m.SetDt("ana", 13)),
    ("dt-out-of-range", POOLED, GM, m.SetDt("ana", 0)),
    ("dt-out-of-range", POOLED, GM, m.SetDt("ana", -1)),
    ("not-an-opponent", POOLED, GM, m.DetermineDt("ana", "ana", ("STR",))),
    ("interpret-first", FALLEN, P1, m.RollTest("ana")),
    ("interpret-first", FALLEN, GM, m.SetDt("ana", 6)),
    ("interpret-first", STRUCK, P1, m.RollTest("ana")),
    ("interpret-first", STRUCK, GM, m.DetermineDt("ana", "ork", ("AC",))),
    ("interpret-first", STRUCK, GM, m.EndTest("ana")),
    ("interpret-first", STRUCK, GM, m.AdjustPool("ana", 9, R)),
    ("not-rolled", READY, GM, m.Interpret("ana", "so")),
    ("not-rolled", [*STRUCK, m.Interpreted("ana", 1, "so")], GM, m.Interpret("ana", "so, again")),
    ("not-extended", READY, GM, m.EndTest("ana")),
    ("not-extended", FALLEN, GM, m.EndTest("ana")),
    (
        "too-many-rolls",
        [*IN_COMBAT, *MANY_ROLLS, m.Interpreted("ana", 40, "so")],
        P1,
        m.RollTest("ana"),
    ),
    ("no-such-die", [], P1, m.RollDice("ana", 1, 7)),
    ("no-such-die", [], P1, m.RollDice("ana", 1, 2)),
    ("not-playing", READY, SPECTATOR, m.RollTest("ana")),
    ("not-playing", [], AUDITOR, m.RollDice("ana", 1, 6)),
    ("not-playing", [], HOUSE, m.DropTest("ana", R)),
]


@pytest.mark.parametrize(("slug", "given", "by", "when"), REFUSALS)
def test_refused(slug: str, given: Sequence[Message], by: By, when: Message) -> None:
    check(given=[*TABLE, *given], when=when, by=by, then=slug)


@pytest.mark.parametrize(
    ("slug", "given", "dice"),
    [
        ("over-source", extended("ana"), (5,)),
        ("under-source", declared("ana"), (-1,)),
        ("under-source", declared("ana", "fear"), (-3,)),
        ("over-source", declared("ana", "fear"), (-1,)),
    ],
)
def test_refused_also_where_dice_may_be_left_out(
    slug: str, given: Message, dice: tuple[int, ...]
) -> None:
    loose = Options(whole_stats=False)
    check(given=[*TABLE, given], when=m.AssemblePool("ana", dice), by=P1, then=slug, options=loose)


def test_every_refusal_stands_in_the_rules_and_has_a_row() -> None:
    raised = {
        slug
        for file in FOLDER.rglob("*.py")
        for slug in re.findall(r'Refused\(\s*"([a-z-]+)"', file.read_text())
    }
    ruled = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", (FOLDER / "RULES.md").read_text())) - {
        "backticks"
    }
    assert raised == ruled
    assert raised == {slug for slug, *_ in REFUSALS}
