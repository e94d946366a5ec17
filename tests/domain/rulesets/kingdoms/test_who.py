"""Who may command what: the player of a PC, another player, the GR."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.chance import Enumerated
from domain.decider import By, Refused
from domain.ruleset import Message
from domain.rulesets.kingdoms import messages as m
from domain.rulesets.kingdoms import ruleset
from domain.rulesets.kingdoms.rules import Being
from tests.domain.rulesets.given import after
from tests.domain.rulesets.kingdoms.people import (
    AUDITOR,
    BASIC,
    CON,
    EXTENDED,
    GM,
    HOUSE,
    P1,
    P2,
    SPECTATOR,
    TABLE,
    declared,
    extended,
    pooled,
    ready,
    rolled,
)

CALLED, POOLED, READY = [declared("ana")], [declared("ana"), pooled("ana", 4)], ready("ana", 1, 6)
FALLEN = [*READY, rolled("ana", 6, [7], (1, 0, 1, 0))]
R = "for a reason"

WHO: list[tuple[Message, Sequence[Message], str]] = [
    # when, beside the table, its player · another player · the GR
    (m.CreatePc("cleo", "Cleo", 1, 2, "p1"), [], "may not-yours may"),
    (m.NameStat("ana", "INT", 3), [], "may not-yours may"),
    (m.AssemblePool("ana"), CALLED, "may not-yours may"),
    (m.RollTest("ana"), READY, "may not-yours may"),
    (m.RollDice("ana", 2, 8, "damage"), [], "may not-yours may"),
    (m.CreateNpc("imp", "The imp", 1, 1), [], "gm-only gm-only may"),
    (m.NameStat("ork", "INT", 0), [], "not-yours not-yours may"),
    (m.AssemblePool("ork"), [declared("ork", "AC")], "not-yours not-yours may"),
    (m.RollTest("ork"), ready("ork", 1, 6), "not-yours not-yours may"),
    (m.RollDice("ork", 1, 12), [], "not-yours not-yours may"),
    (m.DeclareTest("ana", BASIC, ("STR",)), [], "gm-only gm-only may"),
    (m.DeclareTest("ana", EXTENDED, ("STR", "CHA"), CON), [], "gm-only gm-only may"),
    (m.GrantDice("ana", "high ground", 1), CALLED, "gm-only gm-only may"),
    (m.SetDt("ana", 6), POOLED, "gm-only gm-only may"),
    (m.DetermineDt("ana", "ork", ("AC",), ("STR",)), POOLED, "gm-only gm-only may"),
    (m.Interpret("ana", "so"), FALLEN, "gm-only gm-only may"),
    (m.EndTest("ana"), [extended("ana")], "gm-only gm-only may"),
    (m.AdjustStat("ana", "STR", 5, R), [], "gm-only gm-only may"),
    (m.AdjustPool("ana", 5, R), POOLED, "gm-only gm-only may"),
    (m.DropTest("ana", R), CALLED, "gm-only gm-only may"),
]


def answer(when: Message, given: Sequence[Message], by: By) -> str:
    try:
        ruleset.decider.decide(after(when, [*TABLE, *given]), when, by, Enumerated(()))  # type: ignore[arg-type]
    except Refused as refused:
        return refused.rule
    return "may"


@pytest.mark.parametrize(("when", "given", "answers"), WHO)
def test_who_may(when: Message, given: Sequence[Message], answers: str) -> None:
    assert [answer(when, given, by) for by in (P1, P2, GM)] == answers.split()


@pytest.mark.parametrize(("when", "given"), [row[:2] for row in WHO])
@pytest.mark.parametrize("by", [SPECTATOR, AUDITOR, HOUSE])
def test_nobody_else_plays(when: Message, given: Sequence[Message], by: By) -> None:
    assert answer(when, given, by) == "not-playing"


def test_the_table_has_every_command() -> None:
    assert {type(when) for when, *_ in WHO} == set(ruleset.commands)


def test_who_was_gm_before_keeps_no_npc() -> None:
    assert answer(m.RollDice("ork", 1, 6), [], By("gm", P1.role)) == "not-yours"


def test_a_pc_of_the_gms_own_seat_is_played_by_the_gm() -> None:
    own = m.EntityCreated("mo", "Mo", Being.PC, "gm", 1, 1)
    assert answer(m.RollDice("mo", 1, 6), [own], GM) == "may"
