"""Who may command what: the player of a PC, another player, the GM."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.chance import Enumerated
from domain.decider import By, Refused
from domain.ruleset import Message
from domain.rulesets.dhextiny import ruleset
from domain.rulesets.dhextiny.messages.commands import (
    AdjustAmx,
    AdjustAp,
    AdjustApMax,
    AdjustLp,
    AdjustStatus,
    Alter,
    AlterToF,
    Attack,
    Burn,
    Check,
    CreateCreature,
    CreateNpc,
    CreatePc,
    DeathCheck,
    EndRound,
    Kill,
    MoveToken,
    NameAbility,
    PutOut,
    Rest,
    RollAbilities,
    SetAflame,
    Settle,
)
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
    (CreatePc("cleo", "Cleo", "p1"), [], "may not-yours may"),
    (RollAbilities("ana"), [], "may not-yours may"),
    (NameAbility("ana", "climbing"), UNNAMED, "may not-yours may"),
    (Check("ana", "locks"), [], "may not-yours may"),
    (Attack("ana", "ben", "locks"), [], "may not-yours may"),
    (PutOut("ana", "ben"), BURNING, "may not-yours may"),
    (Alter("ana", "locks", 1), [OPEN], "may not-yours not-yours"),
    (AlterToF("ana", "locks"), [OPEN], "may not-yours not-yours"),
    (Settle("ana"), [OPEN], "may not-yours may"),
    (DeathCheck("ana"), FALLEN, "may not-yours may"),
    (CreateNpc("warden", "The warden"), [], "gm-only gm-only may"),
    (CreateCreature("hound", "The hound", 9), [], "gm-only gm-only may"),
    (RollAbilities("tobin"), [], "not-yours not-yours may"),
    (NameAbility("rat", "hiding", 5), [], "not-yours not-yours may"),
    (Check("tobin", "gossip"), [], "not-yours not-yours may"),
    (Attack("rat", "ana"), [], "not-yours not-yours may"),
    (Alter("rat", "gnawing", 1), [checked("rat", 0, 4)], "not-yours not-yours may"),
    (AlterToF("tobin", "gossip"), [checked("tobin", 0, 4)], "not-yours not-yours may"),
    (Settle("rat"), [checked("rat", 0, 4)], "not-yours not-yours may"),
    (DeathCheck("rat"), dying("rat", 0), "not-yours not-yours may"),
    (SetAflame("ana"), [], "gm-only gm-only may"),
    (EndRound(), BURNING, "gm-only gm-only may"),
    (Burn("ben", 1), BURNING, "gm-only gm-only may"),
    (Rest("ana"), [], "gm-only gm-only may"),
    (Kill("ana", R), [], "gm-only gm-only may"),
    (AdjustAp("ana", 3, R), [], "gm-only gm-only may"),
    (AdjustApMax("ana", 13, R), [], "gm-only gm-only may"),
    (AdjustLp("ana", 3, R), [], "gm-only gm-only may"),
    (AdjustAmx("ana", "locks", 4, R), [], "gm-only gm-only may"),
    (AdjustStatus("ana", Status.DEAD, R), [], "gm-only gm-only may"),
    (MoveToken(3, R), [], "gm-only gm-only may"),
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
    assert answer(Alter("ana", "locks", 1), [OPEN], played_by_the_gm) == "may"


def test_who_was_gm_before_keeps_no_creature() -> None:
    assert answer(Check("rat"), [], By("gm", P1.role)) == "not-yours"
