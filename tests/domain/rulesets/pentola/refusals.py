"""One row or more for every refusal: its slug, what came before, who asks, and the command."""

from __future__ import annotations

from msgspec import UNSET

from domain.rulesets.pentola import commands as c, events as e
from domain.rulesets.pentola.rules import Being, Die, Distance, Finding, Usable
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

HIS_SLOT = [*DUEL, acts(1, "tarasi"), slot("toph")]
TWO = [*HIS_SLOT, acts(2, "toph"), acts(3, "toph", things=2)]
THREE = [*TWO, acts(4, "toph", things=3)]
FOCUSED = [*HIS_SLOT, acts(2, "toph", focus=True)]
ACTING = [*HIS_SLOT, turn(1, "tarasi")]
REACTED = [*HIS_SLOT, reacts(2, "toph", "tarasi", 1), turn(1, "tarasi")]
CONTEST = [*called("toph"), opposed("toph", "guard")]
HALF = [*CONTEST, rolled("toph", "toph", 36, 0, 50)]
EMPTY = e.UsageDieAdjusted("toph", "herbs", Die.D8, Die.EXPENDED, 0, 0, "a leak")
FOUND, LOST = Finding.CANNOT_FAIL, Finding.CANNOT_SUCCEED
FULL_SHEET = [e.UsableAdded("toph", f"item {nth}", Usable.ITEM, Die.D4) for nth in range(35)]
FULL_TABLE = [e.ThingCreated(f"thing-{nth}", "A thing", "gm") for nth in range(95)]
RATS = [e.CharacterCreated(f"rat-{nth}", "A rat", Being.NPC, "gm", 1, 1) for nth in range(20)]
MANY = [*RATS, *called("toph"), *(opposed("toph", f"rat-{nth}") for nth in range(19))]


def act(entity: str = "toph", *flags: bool) -> c.DeclareAction:
    focus, extra = (*flags, False, False)[:2]
    return c.DeclareAction(entity, "win", "a kick", focus, extra)


def react(against: str, which: int = 1) -> c.DeclareReaction:
    return c.DeclareReaction("toph", "a dodge", against, which)


REFUSALS: list[tuple[object, ...]] = [
    # slug, events after those of TABLE, who, when
    ("entity-exists", [], P1, c.CreatePc("toph", "Another", 10, 10)),
    ("entity-exists", [], GM, c.CreateNpc("guard", "Another", 10, 10)),
    ("entity-exists", [], GM, c.CreateThing("spire", "Another")),
    ("no-such-entity", [], P1, c.DeclareIntent("tohp", "win")),
    ("no-such-entity", [], GM, c.SetDistance("toph", "spier", Distance.NEAR)),
    ("no-such-entity", called("toph"), GM, c.Oppose("toph", "gaurd", BOD, NORMAL)),
    ("no-such-entity", [], GM, c.StartMoment(("toph", "gaurd"))),
    ("no-such-characteristic", [intends("toph")], GM, c.CallTest("toph", POW, NORMAL)),
    ("no-such-characteristic", called("toph"), GM, c.Oppose("toph", "guard", POW, NORMAL)),
    ("no-such-characteristic", [], GM, c.AdjustCharacteristic("toph", POW, 10, "a vision")),
    ("no-such-bonus", called("toph"), P1, c.RollTest("toph", ("fecning",))),
    ("no-such-bonus", called("toph"), P1, c.RollTest("toph", ("herbs",))),
    ("no-such-bonus", [], GM, c.RuleBonus("toph", "fecning", False)),
    ("no-such-bonus", [], GM, c.AdjustBonus("toph", "fecning", 50, "a typo")),
    ("no-such-bonus", [started("guard")], GM, c.RollRest(("fencing",))),
    ("not-held", [], P1, c.UseItem("toph", "hebrs")),
    ("not-held", [], P1, c.UseAbility("toph", "fencing")),
    ("not-held", [], GM, c.AdjustUsageDie("toph", "hebrs", Die.D6, "a typo")),
    ("name-taken", [], P1, c.AddBonus("toph", "fencing", SKILL, 50)),
    ("name-taken", [], P1, c.AddItem("toph", "fencing", Die.D6)),
    ("name-taken", [], P1, c.AddAbility("toph", "BOD", Die.D6)),
    ("sheet-full", FULL_SHEET, P1, c.AddBonus("toph", "one too many", RELATIONSHIP, 1)),
    ("too-many-entities", FULL_TABLE, GM, c.CreateThing("one-too-many", "A thing")),
    ("not-yours", [], P1, c.CreatePc("cleo", "Cleo", 10, 10, UNSET, "p3")),
    ("not-yours", [intends("toph")], P2, c.Withdraw("toph")),
    ("pc-needs-a-seat", [], GM, c.CreatePc("cleo", "Cleo", 10, 10)),
    ("gm-only", [], P1, c.CreateNpc("cleo", "Cleo", 10, 10)),
    ("gm-only", [intends("toph")], P1, c.RuleAutomatic("toph", FOUND)),
    ("not-a-character", [], GM, c.DeclareIntent("spire", "stand")),
    ("not-a-character", [], GM, c.AddBonus("spire", "height", SKILL, 10)),
    ("not-a-character", [], GM, c.CallTest("spire", BOD, NORMAL)),
    ("not-a-character", [], GM, c.StartMoment(("toph", "spire"))),
    ("action-open", [intends("toph")], P1, c.DeclareIntent("toph", "something else")),
    ("action-open", [intends("toph")], GM, c.StartMoment(("toph", "guard"))),
    ("approach-explained", [intends("toph")], P1, c.ExplainApproach("toph", "otherwise")),
    ("no-intent", [], P1, c.ExplainApproach("toph", "somehow")),
    ("no-intent", [], GM, c.RuleAutomatic("toph", FOUND)),
    ("no-intent", [], GM, c.CallTest("toph", BOD, NORMAL)),
    ("no-intent", [], P1, c.Withdraw("toph")),
    ("no-intent", ACTING, GM, c.CallTest("toph", BOD, NORMAL)),
    ("no-approach", [intends("toph", UNSET)], GM, c.RuleAutomatic("toph", FOUND)),
    ("no-approach", [intends("toph", UNSET)], GM, c.CallTest("toph", BOD, NORMAL)),
    (
        "no-test-needed",
        [intends("toph"), ruled("toph", FOUND)],
        GM,
        c.CallTest("toph", BOD, NORMAL),
    ),
    ("no-test-needed", [intends("toph"), ruled("toph", LOST)], GM, c.CallTest("toph", BOD, NORMAL)),
    (
        "no-test-needed",
        [intends("toph"), ruled("toph", Finding.NO_CONSEQUENCES)],
        GM,
        c.CallTest("toph", BOD, NORMAL),
    ),
    ("ruled-already", [intends("toph"), ruled("toph", FOUND)], GM, c.RuleAutomatic("toph", LOST)),
    ("test-called", called("toph"), GM, c.CallTest("toph", INT, NORMAL)),
    ("test-called", called("toph"), GM, c.RuleAutomatic("toph", FOUND)),
    ("no-test", [], P1, c.RollTest("toph")),
    ("no-test", [intends("toph")], GM, c.Oppose("toph", "guard", BOD, NORMAL)),
    (
        "bonus-barred",
        [*called("toph"), e.BonusRuled("toph", "fencing", False)],
        P1,
        c.RollTest("toph", ("fencing",)),
    ),
    ("in-a-test", [*CONTEST, intends("guard")], GM, c.CallTest("guard", BOD, NORMAL)),
    ("in-a-test", [*CONTEST, *called("tarasi")], GM, c.Oppose("tarasi", "guard", BOD, NORMAL)),
    ("in-a-test", CONTEST, GM, c.Oppose("guard", "tarasi", BOD, NORMAL)),
    ("in-a-test", CONTEST, GM, c.StartMoment(("guard", "tarasi"))),
    ("rolled-already", HALF, P1, c.RollTest("toph")),
    ("rolled-already", HALF, P1, c.Withdraw("toph")),
    ("rolled-already", HALF, GM, c.Oppose("toph", "tarasi", BOD, NORMAL)),
    (
        "rolled-already",
        [started("toph", "tarasi"), initiative("toph", 31)],
        P1,
        c.RollInitiative("toph"),
    ),
    (
        "rolled-already",
        [started("toph", "tarasi"), initiative("toph", 31)],
        GM,
        c.SetInitiative("toph", NORMAL),
    ),
    ("not-oneself", called("toph"), GM, c.Oppose("toph", "toph", BOD, NORMAL)),
    ("not-oneself", [], GM, c.SetDistance("toph", "toph", Distance.FAR)),
    ("too-many-sides", MANY, GM, c.Oppose("toph", "rat-19", BOD, NORMAL)),
    ("too-many-sides", RATS, GM, c.StartMoment()),
    ("expended", [EMPTY], P1, c.UseItem("toph", "herbs")),
    ("expended", [], P1, c.AddItem("toph", "an empty flask", Die.EXPENDED)),
    ("not-such-a-use", [], P1, c.UseAbility("toph", "herbs")),
    ("not-such-a-use", [], P1, c.UseItem("toph", "second wind")),
    ("not-such-a-use", [], P1, c.RollUsage("toph", "second wind")),
    ("minute-not-over", [e.ItemUsed("toph", "herbs", 1)], P1, c.RollUsage("toph", "herbs")),
    ("nothing-used", [], P1, c.RollUsage("toph", "herbs")),
    ("nothing-used", [], GM, c.PassMinute()),
    ("too-many-rolls", [e.ItemUsed("toph", "herbs", 20)], P1, c.UseItem("toph", "herbs")),
    ("moment-running", DUEL, GM, c.StartMoment()),
    ("no-moment", [], GM, c.EndMoment("nothing happens")),
    ("no-moment", [], P1, c.RollInitiative("toph")),
    ("no-moment", [], P1, act()),
    ("no-moment", [], GM, c.SetOrder(("toph",), "a guess")),
    ("not-declaring", [started("toph", "tarasi")], P1, act()),
    ("not-declaring", ACTING, P1, act()),
    ("not-your-slot", DUEL, P1, act()),
    ("not-your-slot", HIS_SLOT, P2, c.EndDeclaration("tarasi")),
    ("not-lower", [*DUEL, slot("toph")], P1, react("toph")),
    ("not-lower", DUEL, P2, c.DeclareReaction("tarasi", "a dodge", "toph")),
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
        c.DeclareMove("toph", "spire", True, True),
    ),
    ("no-reaction", [*ACTING, called("tarasi")[1]], GM, c.Oppose("tarasi", "toph", BOD, NORMAL)),
    ("no-reaction", [*REACTED, called("tarasi")[1]], GM, c.Oppose("tarasi", "guard", BOD, NORMAL)),
    ("in-a-moment", DUEL, P1, c.DeclareIntent("toph", "sneak away")),
    ("nobody-takes-part", [], GM, c.StartMoment(())),
    ("named-twice", [], GM, c.StartMoment(("toph", "toph"))),
    ("named-twice", DUEL, GM, c.SetOrder(("toph", "toph"), "a slip")),
    ("not-in-the-moment", [started("toph")], GM, c.RollInitiative("guard")),
    ("not-in-the-moment", HIS_SLOT, GM, act("guard")),
    ("not-in-the-moment", HIS_SLOT, P1, react("guard")),
    ("not-a-skill-or-vocation", [started("toph")], P1, c.RollInitiative("toph", ("the guild",))),
    ("players-roll-first", [started("toph", "guard")], GM, c.RollRest()),
    ("initiative-is-over", DUEL, P1, c.RollInitiative("toph")),
    ("initiative-is-over", DUEL, GM, c.RollRest()),
    ("not-the-participants", DUEL, GM, c.SetOrder(("toph", "guard"), "a slip")),
    ("declared-already", HIS_SLOT, GM, c.SetOrder(("tarasi", "toph"), "too late")),
    ("declared-already", [*DUEL, slot("toph")], GM, c.SetOrder(("tarasi", "toph"), "too late")),
    (
        "out-of-reach",
        [*HIS_SLOT, apart("toph", "spire", Distance.DISTANT)],
        P1,
        c.DeclareMove("toph", "spire"),
    ),
    (
        "out-of-reach",
        [*HIS_SLOT, apart("toph", "spire", Distance.FAR)],
        P1,
        c.DeclareMove("toph", "spire", True),
    ),
    ("distance-unknown", HIS_SLOT, P1, c.DeclareMove("toph", "spire")),
    (
        "already-close",
        [*HIS_SLOT, apart("toph", "spire", Distance.CLOSE)],
        P1,
        c.DeclareMove("toph", "spire"),
    ),
    ("not-playing", [], SPECTATOR, c.DeclareIntent("toph", "win")),
    ("not-playing", [], AUDITOR, c.PassMinute()),
    ("not-playing", [], HOUSE, c.StartMoment()),
]
