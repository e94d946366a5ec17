"""Who may command what: the player of a PC, another player, the GR."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.chance import Enumerated
from domain.decider import By, Refused
from domain.ruleset import Message
from domain.rulesets.kingdoms import ruleset
from domain.rulesets.kingdoms.messages import events as e
from domain.rulesets.kingdoms.messages.commands import (
    AdjustPool,
    AdjustStat,
    AssemblePool,
    CreateNpc,
    CreatePc,
    DeclareTest,
    DetermineDt,
    DropTest,
    EndTest,
    GrantDice,
    Interpret,
    NameStat,
    RollDice,
    RollTest,
    SetDt,
)
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
    (CreatePc("cleo", "Cleo", 1, 2, "p1"), [], "may not-yours may"),
    (NameStat("ana", "INT", 3), [], "may not-yours may"),
    (AssemblePool("ana"), CALLED, "may not-yours may"),
    (RollTest("ana"), READY, "may not-yours may"),
    (RollDice("ana", 2, 8, "damage"), [], "may not-yours may"),
    (CreateNpc("imp", "The imp", 1, 1), [], "gm-only gm-only may"),
    (NameStat("ork", "INT", 0), [], "not-yours not-yours may"),
    (AssemblePool("ork"), [declared("ork", "AC")], "not-yours not-yours may"),
    (RollTest("ork"), ready("ork", 1, 6), "not-yours not-yours may"),
    (RollDice("ork", 1, 12), [], "not-yours not-yours may"),
    (DeclareTest("ana", BASIC, ("STR",)), [], "gm-only gm-only may"),
    (DeclareTest("ana", EXTENDED, ("STR", "CHA"), CON), [], "gm-only gm-only may"),
    (GrantDice("ana", "high ground", 1), CALLED, "gm-only gm-only may"),
    (SetDt("ana", 6), POOLED, "gm-only gm-only may"),
    (DetermineDt("ana", "ork", ("AC",), ("STR",)), POOLED, "gm-only gm-only may"),
    (Interpret("ana", "so"), FALLEN, "gm-only gm-only may"),
    (EndTest("ana"), [extended("ana")], "gm-only gm-only may"),
    (AdjustStat("ana", "STR", 5, R), [], "gm-only gm-only may"),
    (AdjustPool("ana", 5, R), POOLED, "gm-only gm-only may"),
    (DropTest("ana", R), CALLED, "gm-only gm-only may"),
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
    assert answer(RollDice("ork", 1, 6), [], By("gm", P1.role)) == "not-yours"


def test_a_pc_of_the_gms_own_seat_is_played_by_the_gm() -> None:
    own = e.EntityCreated("mo", "Mo", Being.PC, "gm", 1, 1)
    assert answer(RollDice("mo", 1, 6), [own], GM) == "may"
