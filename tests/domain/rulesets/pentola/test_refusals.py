"""Every refusal, raised by a row and found in RULES.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import UNSET

import domain.rulesets.pentola as room
from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.pentola.messages.commands import moments as m
from domain.rulesets.pentola.messages.commands import play as p
from domain.rulesets.pentola.messages.events.play import (
    BonusRuled,
    CharacterCreated,
    ItemUsed,
    ThingCreated,
    UsableAdded,
    UsageDieAdjusted,
)
from domain.rulesets.pentola.rules import Being, Die, Distance, Finding, Usable
from tests.domain.rulesets.given import check
from tests.domain.rulesets.pentola.people import (
    AUDITOR,
    BOD,
    DUEL,
    GM,
    HOUSE,
    INT,
    NORMAL,
    P1,
    P2,
    POW,
    RELATIONSHIP,
    SKILL,
    SPECTATOR,
    TABLE,
    acts,
    apart,
    called,
    initiative,
    intends,
    opposed,
    reacts,
    rolled,
    ruled,
    slot,
    started,
    turn,
)

FOLDER = Path(room.__file__).parent
HIS_SLOT = [*DUEL, acts(1, "tarasi"), slot("toph")]
TWO = [*HIS_SLOT, acts(2, "toph"), acts(3, "toph", things=2)]
THREE = [*TWO, acts(4, "toph", things=3)]
FOCUSED = [*HIS_SLOT, acts(2, "toph", focus=True)]
ACTING = [*HIS_SLOT, turn(1, "tarasi")]
REACTED = [*HIS_SLOT, reacts(2, "toph", "tarasi", 1), turn(1, "tarasi")]
CONTEST = [*called("toph"), opposed("toph", "guard")]
HALF = [*CONTEST, rolled("toph", "toph", 36, 0, 50)]
EMPTY = UsageDieAdjusted("toph", "herbs", Die.D8, Die.EXPENDED, 0, 0, "a leak")
FOUND, LOST = Finding.CANNOT_FAIL, Finding.CANNOT_SUCCEED
FULL_SHEET = [UsableAdded("toph", f"item {nth}", Usable.ITEM, Die.D4) for nth in range(35)]
FULL_TABLE = [ThingCreated(f"thing-{nth}", "A thing", "gm") for nth in range(95)]
RATS = [CharacterCreated(f"rat-{nth}", "A rat", Being.NPC, "gm", 1, 1) for nth in range(20)]
MANY = [*RATS, *called("toph"), *(opposed("toph", f"rat-{nth}") for nth in range(19))]


def act(entity: str = "toph", *flags: bool) -> m.DeclareAction:
    focus, extra = (*flags, False, False)[:2]
    return m.DeclareAction(entity, "win", "a kick", focus, extra)


def react(against: str, which: int = 1) -> m.DeclareReaction:
    return m.DeclareReaction("toph", "a dodge", against, which)


REFUSALS: list[tuple[str, Sequence[Message], By, Message]] = [
    # slug, beside the table, who, when
    ("entity-exists", [], P1, p.CreatePc("toph", "Another", 10, 10)),
    ("entity-exists", [], GM, p.CreateNpc("guard", "Another", 10, 10)),
    ("entity-exists", [], GM, p.CreateThing("spire", "Another")),
    ("no-such-entity", [], P1, p.DeclareIntent("tohp", "win")),
    ("no-such-entity", [], GM, p.SetDistance("toph", "spier", Distance.NEAR)),
    ("no-such-entity", called("toph"), GM, p.Oppose("toph", "gaurd", BOD, NORMAL)),
    ("no-such-entity", [], GM, m.StartMoment(("toph", "gaurd"))),
    ("no-such-characteristic", [intends("toph")], GM, p.CallTest("toph", POW, NORMAL)),
    ("no-such-characteristic", called("toph"), GM, p.Oppose("toph", "guard", POW, NORMAL)),
    ("no-such-characteristic", [], GM, p.AdjustCharacteristic("toph", POW, 10, "a vision")),
    ("no-such-bonus", called("toph"), P1, p.RollTest("toph", ("fecning",))),
    ("no-such-bonus", called("toph"), P1, p.RollTest("toph", ("herbs",))),
    ("no-such-bonus", [], GM, p.RuleBonus("toph", "fecning", False)),
    ("no-such-bonus", [], GM, p.AdjustBonus("toph", "fecning", 50, "a typo")),
    ("no-such-bonus", [started("guard")], GM, m.RollRest(("fencing",))),
    ("not-held", [], P1, p.UseItem("toph", "hebrs")),
    ("not-held", [], P1, p.UseAbility("toph", "fencing")),
    ("not-held", [], GM, p.AdjustUsageDie("toph", "hebrs", Die.D6, "a typo")),
    ("name-taken", [], P1, p.AddBonus("toph", "fencing", SKILL, 50)),
    ("name-taken", [], P1, p.AddItem("toph", "fencing", Die.D6)),
    ("name-taken", [], P1, p.AddAbility("toph", "BOD", Die.D6)),
    ("sheet-full", FULL_SHEET, P1, p.AddBonus("toph", "one too many", RELATIONSHIP, 1)),
    ("too-many-entities", FULL_TABLE, GM, p.CreateThing("one-too-many", "A thing")),
    ("not-yours", [], P1, p.CreatePc("cleo", "Cleo", 10, 10, UNSET, "p3")),
    ("not-yours", [intends("toph")], P2, p.Withdraw("toph")),
    ("pc-needs-a-seat", [], GM, p.CreatePc("cleo", "Cleo", 10, 10)),
    ("gm-only", [], P1, p.CreateNpc("cleo", "Cleo", 10, 10)),
    ("gm-only", [intends("toph")], P1, p.RuleAutomatic("toph", FOUND)),
    ("not-a-character", [], GM, p.DeclareIntent("spire", "stand")),
    ("not-a-character", [], GM, p.AddBonus("spire", "height", SKILL, 10)),
    ("not-a-character", [], GM, p.CallTest("spire", BOD, NORMAL)),
    ("not-a-character", [], GM, m.StartMoment(("toph", "spire"))),
    ("action-open", [intends("toph")], P1, p.DeclareIntent("toph", "something else")),
    ("action-open", [intends("toph")], GM, m.StartMoment(("toph", "guard"))),
    ("approach-explained", [intends("toph")], P1, p.ExplainApproach("toph", "otherwise")),
    ("no-intent", [], P1, p.ExplainApproach("toph", "somehow")),
    ("no-intent", [], GM, p.RuleAutomatic("toph", FOUND)),
    ("no-intent", [], GM, p.CallTest("toph", BOD, NORMAL)),
    ("no-intent", [], P1, p.Withdraw("toph")),
    ("no-intent", ACTING, GM, p.CallTest("toph", BOD, NORMAL)),
    ("no-approach", [intends("toph", UNSET)], GM, p.RuleAutomatic("toph", FOUND)),
    ("no-approach", [intends("toph", UNSET)], GM, p.CallTest("toph", BOD, NORMAL)),
    (
        "no-test-needed",
        [intends("toph"), ruled("toph", FOUND)],
        GM,
        p.CallTest("toph", BOD, NORMAL),
    ),
    ("no-test-needed", [intends("toph"), ruled("toph", LOST)], GM, p.CallTest("toph", BOD, NORMAL)),
    (
        "no-test-needed",
        [intends("toph"), ruled("toph", Finding.NO_CONSEQUENCES)],
        GM,
        p.CallTest("toph", BOD, NORMAL),
    ),
    ("ruled-already", [intends("toph"), ruled("toph", FOUND)], GM, p.RuleAutomatic("toph", LOST)),
    ("test-called", called("toph"), GM, p.CallTest("toph", INT, NORMAL)),
    ("test-called", called("toph"), GM, p.RuleAutomatic("toph", FOUND)),
    ("no-test", [], P1, p.RollTest("toph")),
    ("no-test", [intends("toph")], GM, p.Oppose("toph", "guard", BOD, NORMAL)),
    (
        "bonus-barred",
        [*called("toph"), BonusRuled("toph", "fencing", False)],
        P1,
        p.RollTest("toph", ("fencing",)),
    ),
    ("in-a-test", [*CONTEST, intends("guard")], GM, p.CallTest("guard", BOD, NORMAL)),
    ("in-a-test", [*CONTEST, *called("tarasi")], GM, p.Oppose("tarasi", "guard", BOD, NORMAL)),
    ("in-a-test", CONTEST, GM, p.Oppose("guard", "tarasi", BOD, NORMAL)),
    ("in-a-test", CONTEST, GM, m.StartMoment(("guard", "tarasi"))),
    ("rolled-already", HALF, P1, p.RollTest("toph")),
    ("rolled-already", HALF, P1, p.Withdraw("toph")),
    ("rolled-already", HALF, GM, p.Oppose("toph", "tarasi", BOD, NORMAL)),
    (
        "rolled-already",
        [started("toph", "tarasi"), initiative("toph", 31)],
        P1,
        m.RollInitiative("toph"),
    ),
    (
        "rolled-already",
        [started("toph", "tarasi"), initiative("toph", 31)],
        GM,
        m.SetInitiative("toph", NORMAL),
    ),
    ("not-oneself", called("toph"), GM, p.Oppose("toph", "toph", BOD, NORMAL)),
    ("not-oneself", [], GM, p.SetDistance("toph", "toph", Distance.FAR)),
    ("too-many-sides", MANY, GM, p.Oppose("toph", "rat-19", BOD, NORMAL)),
    ("too-many-sides", RATS, GM, m.StartMoment()),
    ("expended", [EMPTY], P1, p.UseItem("toph", "herbs")),
    ("expended", [], P1, p.AddItem("toph", "an empty flask", Die.EXPENDED)),
    ("not-such-a-use", [], P1, p.UseAbility("toph", "herbs")),
    ("not-such-a-use", [], P1, p.UseItem("toph", "second wind")),
    ("not-such-a-use", [], P1, p.RollUsage("toph", "second wind")),
    ("minute-not-over", [ItemUsed("toph", "herbs", 1)], P1, p.RollUsage("toph", "herbs")),
    ("nothing-used", [], P1, p.RollUsage("toph", "herbs")),
    ("nothing-used", [], GM, p.PassMinute()),
    ("too-many-rolls", [ItemUsed("toph", "herbs", 20)], P1, p.UseItem("toph", "herbs")),
    ("moment-running", DUEL, GM, m.StartMoment()),
    ("no-moment", [], GM, m.EndMoment("nothing happens")),
    ("no-moment", [], P1, m.RollInitiative("toph")),
    ("no-moment", [], P1, act()),
    ("no-moment", [], GM, m.SetOrder(("toph",), "a guess")),
    ("not-declaring", [started("toph", "tarasi")], P1, act()),
    ("not-declaring", ACTING, P1, act()),
    ("not-your-slot", DUEL, P1, act()),
    ("not-your-slot", HIS_SLOT, P2, m.EndDeclaration("tarasi")),
    ("not-lower", [*DUEL, slot("toph")], P1, react("toph")),
    ("not-lower", DUEL, P2, m.DeclareReaction("tarasi", "a dodge", "toph")),
    ("not-declared", [*DUEL, slot("toph")], P1, react("tarasi")),
    ("not-declared", HIS_SLOT, P1, react("tarasi", 2)),
    ("over-budget", THREE, P1, act("toph", False, True)),
    ("extra-not-said", TWO, P1, act()),
    ("nothing-extra", HIS_SLOT, P1, act("toph", False, True)),
    ("focus-is-one-thing", FOCUSED, P1, act()),
    ("focus-is-one-thing", [*HIS_SLOT, acts(2, "toph")], P1, act("toph", True)),
    (
        "focus-is-one-thing",
        [*HIS_SLOT, apart("toph", "spire", Distance.NEAR)],
        P1,
        m.DeclareMove("toph", "spire", True, True),
    ),
    ("no-reaction", [*ACTING, called("tarasi")[1]], GM, p.Oppose("tarasi", "toph", BOD, NORMAL)),
    ("no-reaction", [*REACTED, called("tarasi")[1]], GM, p.Oppose("tarasi", "guard", BOD, NORMAL)),
    ("in-a-moment", DUEL, P1, p.DeclareIntent("toph", "sneak away")),
    ("nobody-takes-part", [], GM, m.StartMoment(())),
    ("named-twice", [], GM, m.StartMoment(("toph", "toph"))),
    ("named-twice", DUEL, GM, m.SetOrder(("toph", "toph"), "a slip")),
    ("not-in-the-moment", [started("toph")], GM, m.RollInitiative("guard")),
    ("not-in-the-moment", HIS_SLOT, GM, act("guard")),
    ("not-in-the-moment", HIS_SLOT, P1, react("guard")),
    ("not-a-skill-or-vocation", [started("toph")], P1, m.RollInitiative("toph", ("the guild",))),
    ("players-roll-first", [started("toph", "guard")], GM, m.RollRest()),
    ("initiative-is-over", DUEL, P1, m.RollInitiative("toph")),
    ("initiative-is-over", DUEL, GM, m.RollRest()),
    ("not-the-participants", DUEL, GM, m.SetOrder(("toph", "guard"), "a slip")),
    ("declared-already", HIS_SLOT, GM, m.SetOrder(("tarasi", "toph"), "too late")),
    ("declared-already", [*DUEL, slot("toph")], GM, m.SetOrder(("tarasi", "toph"), "too late")),
    (
        "out-of-reach",
        [*HIS_SLOT, apart("toph", "spire", Distance.DISTANT)],
        P1,
        m.DeclareMove("toph", "spire"),
    ),
    (
        "out-of-reach",
        [*HIS_SLOT, apart("toph", "spire", Distance.FAR)],
        P1,
        m.DeclareMove("toph", "spire", True),
    ),
    ("distance-unknown", HIS_SLOT, P1, m.DeclareMove("toph", "spire")),
    (
        "already-close",
        [*HIS_SLOT, apart("toph", "spire", Distance.CLOSE)],
        P1,
        m.DeclareMove("toph", "spire"),
    ),
    ("not-playing", [], SPECTATOR, p.DeclareIntent("toph", "win")),
    ("not-playing", [], AUDITOR, p.PassMinute()),
    ("not-playing", [], HOUSE, m.StartMoment()),
]


@pytest.mark.parametrize(("slug", "given", "by", "when"), REFUSALS)
def test_refused(slug: str, given: Sequence[Message], by: By, when: Message) -> None:
    check(given=[*TABLE, *given], when=when, by=by, then=slug)


def test_an_empty_table_has_nobody_to_take_part() -> None:
    check(given=[], when=m.StartMoment(), by=GM, then="nobody-takes-part")


def test_every_refusal_stands_in_the_rules_and_has_a_row() -> None:
    raised = {
        slug
        for file in FOLDER.rglob("*.py")
        for slug in re.findall(r'Refused\("([a-z-]+)"', file.read_text())
    }
    ruled_by = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", (FOLDER / "RULES.md").read_text())) - {
        "backticks"
    }
    assert raised == ruled_by
    assert raised == {slug for slug, *_ in REFUSALS}
