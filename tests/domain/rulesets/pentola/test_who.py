"""Who may command what: the player of a PC, another player, the referee."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import UNSET

from domain.chance import Enumerated
from domain.decider import By, Refused
from domain.ruleset import Message
from domain.rulesets.pentola import ruleset
from domain.rulesets.pentola.messages.commands import moments as m
from domain.rulesets.pentola.messages.commands import play as p
from domain.rulesets.pentola.messages.events.play import ItemUsed, RollsDue
from domain.rulesets.pentola.rules import Die, Distance, Finding
from tests.domain.rulesets.given import after
from tests.domain.rulesets.pentola.people import (
    AUDITOR,
    BOD,
    DUEL,
    GM,
    HARD,
    HOUSE,
    NORMAL,
    P1,
    P2,
    SKILL,
    SPECTATOR,
    TABLE,
    acts,
    apart,
    called,
    initiative,
    intends,
    slot,
    started,
)

HIS_SLOT = [*DUEL, acts(1, "tarasi"), slot("toph")]
NEAR = apart("toph", "spire", Distance.NEAR)
GUARDED = [started("guard", "toph"), initiative("toph", 31)]
R = "for a reason"

WHO: list[tuple[Message, Sequence[Message], str]] = [
    # when, beside the table, its player · another player · the referee
    (p.CreatePc("cleo", "Cleo", 10, 10, UNSET, "p1"), [], "may not-yours may"),
    (p.CreateNpc("cleo", "Cleo", 10, 10), [], "gm-only gm-only may"),
    (p.CreateThing("door", "A door"), [], "gm-only gm-only may"),
    (p.AddBonus("toph", "climbing", SKILL, 10), [], "may not-yours may"),
    (p.AddItem("toph", "rope", Die.D6), [], "may not-yours may"),
    (p.AddAbility("toph", "battle cry", Die.D6), [], "may not-yours may"),
    (p.AddBonus("guard", "watching", SKILL, 10), [], "not-yours not-yours may"),
    (p.DeclareIntent("toph", "win"), [], "may not-yours may"),
    (p.DeclareIntent("guard", "win"), [], "not-yours not-yours may"),
    (p.ExplainApproach("toph", "by wit"), [intends("toph", UNSET)], "may not-yours may"),
    (p.Withdraw("toph"), [intends("toph")], "may not-yours may"),
    (p.RuleAutomatic("toph", Finding.CANNOT_FAIL), [intends("toph")], "gm-only gm-only may"),
    (p.CallTest("toph", BOD, NORMAL), [intends("toph")], "gm-only gm-only may"),
    (p.Oppose("toph", "guard", BOD, NORMAL), called("toph"), "gm-only gm-only may"),
    (p.RuleBonus("toph", "fencing", False), [], "gm-only gm-only may"),
    (p.RollTest("toph"), called("toph"), "may not-yours may"),
    (p.RollTest("guard"), called("guard"), "not-yours not-yours may"),
    (p.UseAbility("toph", "second wind"), [], "may not-yours may"),
    (p.UseItem("toph", "herbs"), [], "may not-yours may"),
    (p.PassMinute(), [ItemUsed("toph", "herbs", 1)], "gm-only gm-only may"),
    (p.RollUsage("toph", "herbs"), [RollsDue("toph", "herbs", 1)], "may not-yours may"),
    (p.RollUsage("toph", "herbs"), [ItemUsed("toph", "herbs", 1)], "minute-not-over not-yours may"),
    (m.StartMoment(), [], "gm-only gm-only may"),
    (m.SetInitiative("toph", HARD), [started("toph")], "gm-only gm-only may"),
    (m.RollInitiative("toph"), [started("toph")], "may not-yours may"),
    (m.RollInitiative("guard"), [started("guard")], "not-yours not-yours may"),
    (m.RollRest(), GUARDED, "gm-only gm-only may"),
    (m.SetOrder(("tarasi", "toph"), R), DUEL, "gm-only gm-only may"),
    (m.DeclareAction("toph", "win", "a kick"), HIS_SLOT, "may not-yours may"),
    (m.DeclareMove("toph", "spire"), [*HIS_SLOT, NEAR], "may not-yours may"),
    (m.DeclareReaction("toph", "a dodge", "tarasi"), HIS_SLOT, "may not-yours may"),
    (m.EndDeclaration("toph"), HIS_SLOT, "may not-yours may"),
    (m.EndMoment(R), DUEL, "gm-only gm-only may"),
    (p.SetDistance("toph", "spire", Distance.FAR), [], "gm-only gm-only may"),
    (p.AdjustCharacteristic("toph", BOD, 14, R), [], "gm-only gm-only may"),
    (p.AdjustBonus("toph", "fencing", 46, R), [], "gm-only gm-only may"),
    (p.AdjustUsageDie("toph", "herbs", Die.D12, R), [], "gm-only gm-only may"),
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


def test_who_was_referee_before_keeps_no_npc() -> None:
    assert answer(p.DeclareIntent("guard", "win"), [], By("gm", P1.role)) == "not-yours"
