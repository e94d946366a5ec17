"""Who may command what: the player of a PC, another player, the GM."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.chance import Enumerated
from domain.decider import By, Refused
from domain.ruleset import Message
from domain.rulesets.dhextiny import messages as m
from domain.rulesets.dhextiny import ruleset
from domain.rulesets.dhextiny.rules import Status
from tests.domain.rulesets.dhextiny.people import (
    AUDITOR,
    GM,
    HOUSE,
    P1,
    P2,
    SPECTATOR,
    TABLE,
    aflame,
    checked,
    dying,
    rolled_abilities,
)
from tests.domain.rulesets.given import after

OPEN = checked("ana", 0, 4)
BURNING, FALLEN, UNNAMED = [aflame("ben", 2)], dying("ana", 0), [rolled_abilities("ana", 8)]
R = "for a reason"

WHO: list[tuple[Message, Sequence[Message], str]] = [
    # when, beside the table, its player · another player · the GM
    (m.CreatePc("cleo", "Cleo", "p1"), [], "may not-yours may"),
    (m.RollAbilities("ana"), [], "may not-yours may"),
    (m.NameAbility("ana", "climbing"), UNNAMED, "may not-yours may"),
    (m.Check("ana", "locks"), [], "may not-yours may"),
    (m.Attack("ana", "ben", "locks"), [], "may not-yours may"),
    (m.PutOut("ana", "ben"), BURNING, "may not-yours may"),
    (m.Alter("ana", "locks", 1), [OPEN], "may not-yours not-yours"),
    (m.AlterToF("ana", "locks"), [OPEN], "may not-yours not-yours"),
    (m.Settle("ana"), [OPEN], "may not-yours may"),
    (m.DeathCheck("ana"), FALLEN, "may not-yours may"),
    (m.CreateNpc("warden", "The warden"), [], "gm-only gm-only may"),
    (m.CreateCreature("hound", "The hound", 9), [], "gm-only gm-only may"),
    (m.RollAbilities("tobin"), [], "not-yours not-yours may"),
    (m.NameAbility("rat", "hiding", 5), [], "not-yours not-yours may"),
    (m.Check("tobin", "gossip"), [], "not-yours not-yours may"),
    (m.Attack("rat", "ana"), [], "not-yours not-yours may"),
    (m.Alter("rat", "gnawing", 1), [checked("rat", 0, 4)], "not-yours not-yours may"),
    (m.AlterToF("tobin", "gossip"), [checked("tobin", 0, 4)], "not-yours not-yours may"),
    (m.Settle("rat"), [checked("rat", 0, 4)], "not-yours not-yours may"),
    (m.DeathCheck("rat"), dying("rat", 0), "not-yours not-yours may"),
    (m.SetAflame("ana"), [], "gm-only gm-only may"),
    (m.EndRound(), BURNING, "gm-only gm-only may"),
    (m.Burn("ben", 1), BURNING, "gm-only gm-only may"),
    (m.Rest("ana"), [], "gm-only gm-only may"),
    (m.Kill("ana", R), [], "gm-only gm-only may"),
    (m.AdjustAp("ana", 3, R), [], "gm-only gm-only may"),
    (m.AdjustApMax("ana", 13, R), [], "gm-only gm-only may"),
    (m.AdjustLp("ana", 3, R), [], "gm-only gm-only may"),
    (m.AdjustAmx("ana", "locks", 4, R), [], "gm-only gm-only may"),
    (m.AdjustStatus("ana", Status.DEAD, R), [], "gm-only gm-only may"),
    (m.MoveToken(3, R), [], "gm-only gm-only may"),
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


def test_a_gm_with_a_pc_of_the_own_spends_its_ap() -> None:
    played_by_the_gm = By("p1", GM.role)
    assert answer(m.Alter("ana", "locks", 1), [OPEN], played_by_the_gm) == "may"


def test_who_was_gm_before_keeps_no_creature() -> None:
    assert answer(m.Check("rat"), [], By("gm", P1.role)) == "not-yours"
