"""One row or more for every refusal: its slug, what came before, who asks, and the command."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.rulesets.pentola import commands as c, events as e
from domain.rulesets.pentola.rules import Being, Die, Distance, Finding, Usable
from tests.domain.rulesets.pentola.people import (
    AUDITOR,
    BOD,
    DUEL,
    GM,
    HARD,
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
    moves,
    opposed,
    ordered,
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
SKIPPED = [*REACTED, e.ReactionDropped("toph", 2, "a dodge", "tarasi")]
CONTEST = [*called("toph"), opposed("toph", "guard")]
HALF = [*CONTEST, rolled("toph", "toph", 36, 0, 50)]
EMPTY = e.UsageDieAdjusted("toph", "herbs", Die.D8, Die.EXPENDED, 0, 0, "a leak")
GONE = [e.Retired("toph", "an old wound")]
SLAIN = [e.Retired("guard", "slain"), *called("toph")]
HERBS = e.UsableAdded("tarasi", "Herbs", Usable.ITEM, Die.D8)
DEMANDED = [e.TestDemanded("toph", BOD, NORMAL)]
HEXED = e.ConditionSet("toph", "hexed", 3)
CURSES = [e.ConditionSet("toph", f"curse {nth}") for nth in range(20)]
FAR_OFF = apart("toph", "spire", Distance.FAR)
HELPED = [
    *(started("toph", "guard", "tarasi"), ordered("toph", "guard", "tarasi")),
    *(acts(1, "tarasi"), slot("guard"), reacts(2, "guard", "tarasi", 1)),
    *(slot("toph"), reacts(3, "toph", "tarasi", 1), turn(1, "tarasi")),
    *(called("tarasi")[1], e.OpponentNamed("tarasi", "toph", BOD, NORMAL, 3)),
]
KICKING = [*HIS_SLOT, acts(2, "toph"), turn(2, "toph")]
HERBAL = [*HIS_SLOT, acts(2, "toph", "a tea", uses="herbs")]
TEA = [*HERBAL, turn(2, "toph", "a tea")]
DRUNK = [*TEA, e.ItemUsed("toph", "herbs", 1, 2)]
DROPPED = [*TEA, e.Withdrawn("toph", "win", "a tea", 2), turn(1, "tarasi")]
WINDED = [*HIS_SLOT, reacts(2, "toph", "tarasi", 1, uses="second wind"), turn(1, "tarasi")]
DODGED = [*REACTED, called("tarasi")[1], e.OpponentNamed("tarasi", "toph", BOD, NORMAL, 2)]
WALKED = [*HIS_SLOT, moves(2, "toph", "spire"), turn(2, "toph", "move", "get close")]
OX = e.CharacterCreated("ox", "Ox", Being.PC, "p1", 12, 13, UNSET, 12)
DEAD = [OX, e.Harmed("ox", 12, 0, 12, "a fall")]
HER_SLOT = [OX, started("ox", "tarasi"), ordered("ox", "tarasi"), acts(1, "tarasi"), slot("ox")]
DYING = [*HER_SLOT, e.Harmed("ox", 12, 0, 12, "a kick")]
FOUND, LOST = Finding.CANNOT_FAIL, Finding.CANNOT_SUCCEED
FULL_SHEET = [e.UsableAdded("toph", f"item {nth}", Usable.ITEM, Die.D4) for nth in range(35)]
FULL_TARASI = [e.UsableAdded("tarasi", f"item {nth}", Usable.ITEM, Die.D4) for nth in range(39)]
FULL_TABLE = [e.ThingCreated(f"thing-{nth}", "A thing", "gm") for nth in range(95)]
RATS = [e.CharacterCreated(f"rat-{nth}", "A rat", Being.NPC, "gm", 1, 1) for nth in range(20)]
MANY = [*RATS, *called("toph"), *(opposed("toph", f"rat-{nth}") for nth in range(19))]


def act(entity: str = "toph", *flags: bool) -> c.DeclareAction:
    focus, extra = (*flags, False, False)[:2]
    return c.DeclareAction(entity, "win", "a kick", focus, extra)


def react(against: str, which: int = 1) -> c.DeclareReaction:
    return c.DeclareReaction("toph", "a dodge", against, which)


def flee(sprint: bool | UnsetType = UNSET) -> c.DeclareMove:
    return c.DeclareMove("toph", "spire", sprint, away=True)


REFUSALS: list[tuple[object, ...]] = [
    # slug, events after those of TABLE, who, when
    ("entity-exists", [], P1, c.CreatePc("toph", "Another", 10, 10)),
    ("entity-exists", [], GM, c.CreateNpc("guard", "Another", 10, 10)),
    ("entity-exists", [], GM, c.CreateThing("spire", "Another")),
    ("no-such-entity", [], P1, c.DeclareIntent("tohp", "win")),
    ("no-such-entity", [], GM, c.SetDistance("toph", "spier", Distance.NEAR)),
    ("no-such-entity", called("toph"), GM, c.Oppose("toph", "gaurd", BOD, NORMAL)),
    ("no-such-entity", [], GM, c.StartMoment(("toph", "gaurd"))),
    ("retired", GONE, P1, c.DeclareIntent("toph", "win")),
    ("retired", GONE, GM, c.SetDistance("guard", "toph", Distance.NEAR)),
    ("retired", GONE, GM, c.StartMoment(("toph", "guard"))),
    ("retired", GONE, P1, c.Retire("toph", "again")),
    ("retired", SLAIN, GM, c.Oppose("toph", "guard", BOD, NORMAL)),
    ("retired", [e.Retired("tarasi", "a cart")], P1, c.GiveItem("toph", "herbs", "tarasi")),
    ("no-such-characteristic", [intends("toph")], GM, c.CallTest("toph", POW, NORMAL)),
    ("no-such-characteristic", called("toph"), GM, c.Oppose("toph", "guard", POW, NORMAL)),
    ("no-such-characteristic", [], GM, c.AdjustCharacteristic("toph", POW, 10, "a vision")),
    ("no-such-bonus", called("toph"), P1, c.RollTest("toph", ("fecning",))),
    ("no-such-bonus", called("toph"), P1, c.RollTest("toph", ("herbs",))),
    ("no-such-bonus", [], GM, c.RuleBonus("toph", "fecning", False)),
    ("no-such-bonus", [], GM, c.AdjustBonus("toph", "fecning", 50, "a typo")),
    ("no-such-bonus", [started("guard")], GM, c.RollRest(("fencing",))),
    ("not-held", [], P1, c.UseItem("toph", "hebrs")),
    ("not-held", HIS_SLOT, P1, c.DeclareAction("toph", "win", "a tea", uses="hebrs")),
    ("not-held", HIS_SLOT, P1, c.DeclareReaction("toph", "a dodge", "tarasi", uses="hebrs")),
    ("not-held", [], P1, c.UseAbility("toph", "fencing")),
    ("not-held", [], GM, c.AdjustUsageDie("toph", "hebrs", Die.D6, "a typo")),
    ("name-taken", [], P1, c.AddBonus("toph", "fencing", SKILL, 50)),
    ("name-taken", [], P1, c.AddItem("toph", "fencing", Die.D6)),
    ("name-taken", [], P1, c.AddAbility("toph", "BOD", Die.D6)),
    ("name-taken", [], P1, c.AddBonus("toph", " Fencing", SKILL, 50)),
    ("name-taken", [], P1, c.AddItem("toph", "second  wind", Die.D6)),
    ("name-taken", [], P1, c.AddAbility("toph", "bod", Die.D6)),
    ("name-taken", [HERBS], P1, c.GiveItem("toph", "herbs", "tarasi")),
    ("sheet-full", FULL_SHEET, P1, c.AddBonus("toph", "one too many", RELATIONSHIP, 1)),
    ("sheet-full", FULL_TARASI, P1, c.GiveItem("toph", "herbs", "tarasi")),
    ("too-many-entities", FULL_TABLE, GM, c.CreateThing("one-too-many", "A thing")),
    ("blank-text", [], P1, c.CreatePc("cleo", "  ", 10, 10)),
    ("blank-text", [], P1, c.AddItem("toph", " ", Die.D6)),
    ("blank-text", [], P1, c.DeclareIntent("toph", "win", "\u3000")),
    ("blank-text", [], GM, c.SetCondition("toph", " ")),
    ("blank-text", [], GM, c.EndCondition("toph", " ", "a priest")),
    ("blank-text", called("toph"), P1, c.RollTest("toph", UNSET, " ")),
    ("not-yours", [], P1, c.CreatePc("cleo", "Cleo", 10, 10, UNSET, "p3")),
    ("not-yours", [intends("toph")], P2, c.Withdraw("toph")),
    ("pc-needs-a-seat", [], GM, c.CreatePc("cleo", "Cleo", 10, 10)),
    ("not-yours", [], P1, c.Retire("spire", "an earthquake")),
    ("not-yours", REACTED, P2, c.DropReaction("toph")),
    ("gm-only", [], P1, c.CreateNpc("cleo", "Cleo", 10, 10)),
    ("gm-only", [intends("toph")], P1, c.RuleAutomatic("toph", FOUND)),
    ("not-a-character", [], GM, c.DeclareIntent("spire", "stand")),
    ("not-a-character", [], GM, c.AddBonus("spire", "height", SKILL, 10)),
    ("not-a-character", [], GM, c.CallTest("spire", BOD, NORMAL)),
    ("not-a-character", [], GM, c.StartMoment(("toph", "spire"))),
    ("action-open", [intends("toph")], P1, c.DeclareIntent("toph", "something else")),
    ("action-open", [intends("toph")], GM, c.StartMoment(("toph", "guard"))),
    ("action-open", [intends("toph")], P1, c.Retire("toph", "a better idea")),
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
    ("no-test", [intends("toph")], GM, c.ChangeTest("toph", BOD, HARD, "a slip")),
    ("no-test", [intends("toph")], GM, c.CallOff("toph", "a slip")),
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
    ("in-a-test", DEMANDED, GM, c.DemandTest("toph", INT, NORMAL)),
    ("in-a-test", DEMANDED, GM, c.Oppose("toph", "guard", BOD, NORMAL)),
    ("in-a-test", [*DEMANDED, intends("toph")], GM, c.CallTest("toph", BOD, NORMAL)),
    ("in-a-test", DEMANDED, P1, c.Retire("toph", "a fall")),
    ("rolled-already", HALF, P1, c.RollTest("toph")),
    ("rolled-already", HALF, P1, c.Withdraw("toph")),
    ("rolled-already", HALF, GM, c.Oppose("toph", "tarasi", BOD, NORMAL)),
    ("rolled-already", HALF, GM, c.ChangeTest("guard", INT, NORMAL, "a slip")),
    ("rolled-already", HALF, GM, c.CallOff("guard", "a slip")),
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
    ("not-oneself", [], P1, c.GiveItem("toph", "herbs", "toph")),
    ("not-oneself", [], GM, c.SetDistance("toph", "toph", Distance.FAR)),
    ("not-oneself", HIS_SLOT, P1, c.DeclareMove("toph", "toph")),
    ("not-oneself", HIS_SLOT, P1, c.DeclareMove("toph", "toph", away=True)),
    ("too-many-sides", MANY, GM, c.Oppose("toph", "rat-19", BOD, NORMAL)),
    ("too-many-sides", RATS, GM, c.StartMoment()),
    ("expended", [EMPTY], P1, c.UseItem("toph", "herbs")),
    ("expended", [], P1, c.AddItem("toph", "an empty flask", Die.EXPENDED)),
    ("expended", [EMPTY], P1, c.GiveItem("toph", "herbs", "tarasi")),
    ("not-such-a-use", [], P1, c.UseAbility("toph", "herbs")),
    ("not-such-a-use", [], P1, c.UseItem("toph", "second wind")),
    ("not-such-a-use", [], P1, c.RollUsage("toph", "second wind")),
    ("not-such-a-use", [], P1, c.GiveItem("toph", "second wind", "tarasi")),
    ("minute-not-over", [e.ItemUsed("toph", "herbs", 1)], P1, c.RollUsage("toph", "herbs")),
    ("nothing-used", [], P1, c.RollUsage("toph", "herbs")),
    ("nothing-used", [], GM, c.PassMinute()),
    ("nothing-used", [e.ConditionSet("toph", "hexed")], GM, c.PassMinute(100_000)),
    ("too-many-rolls", [e.ItemUsed("toph", "herbs", 20)], P1, c.UseItem("toph", "herbs")),
    ("moment-running", DUEL, GM, c.StartMoment()),
    ("moment-running", [e.ItemUsed("toph", "herbs", 1), *DUEL], GM, c.PassMinute()),
    ("no-moment", [], GM, c.EndMoment("nothing happens")),
    ("no-moment", [], P1, c.RollInitiative("toph")),
    ("no-moment", [], P1, act()),
    ("no-moment", [], GM, c.SetOrder(("toph",), "a guess")),
    ("no-moment", [], P1, c.DropReaction("toph")),
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
    ("no-reaction", ACTING, P1, c.DropReaction("toph")),
    ("no-reaction", SKIPPED, P1, c.DropReaction("toph")),
    ("no-reaction", HIS_SLOT, P1, c.DropReaction("toph")),
    ("reaction-waits", [*REACTED, called("tarasi")[1]], P2, c.RollTest("tarasi")),
    ("reaction-waits", HELPED, P1, c.RollTest("toph")),
    ("use-not-declared", DUEL, P1, c.UseItem("toph", "herbs")),
    (
        "not-in-the-moment",
        [e.UsableAdded("guard", "whistle", Usable.ITEM, Die.D8), *DUEL],
        GM,
        c.UseItem("guard", "whistle"),
    ),
    ("use-not-declared", HERBAL, P1, c.UseItem("toph", "herbs")),
    ("use-not-declared", KICKING, P1, c.UseItem("toph", "herbs")),
    ("use-not-declared", KICKING, P1, c.GiveItem("toph", "herbs", "tarasi")),
    ("use-not-declared", TEA, P1, c.UseAbility("toph", "second wind")),
    ("use-not-declared", ACTING, P1, c.GiveItem("toph", "herbs", "tarasi")),
    ("use-not-declared", WINDED, P1, c.UseAbility("toph", "second wind")),
    ("use-not-declared", DODGED, P1, c.UseAbility("toph", "second wind")),
    ("use-not-declared", DRUNK, P1, c.UseItem("toph", "herbs")),
    ("use-not-declared", DROPPED, P1, c.UseItem("toph", "herbs")),
    ("use-not-declared", WALKED, P1, c.UseItem("toph", "herbs")),
    ("in-a-moment", DUEL, P1, c.DeclareIntent("toph", "sneak away")),
    ("in-a-moment", DUEL, P1, c.Retire("toph", "a better place")),
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
        c.DeclareMove("toph", "spire"),
    ),
    ("distance-unknown", HIS_SLOT, P1, c.DeclareMove("toph", "spire")),
    (
        "already-close",
        [*HIS_SLOT, apart("toph", "spire", Distance.CLOSE)],
        P1,
        c.DeclareMove("toph", "spire"),
    ),
    ("no-farther", [*HIS_SLOT, FAR_OFF], P1, flee(True)),
    ("no-farther", [*HIS_SLOT, FAR_OFF], P1, flee()),
    ("no-farther", [*HIS_SLOT, apart("toph", "spire", Distance.DISTANT)], P1, flee()),
    ("distance-unknown", HIS_SLOT, P1, flee()),
    ("one-duration", [], GM, c.SetCondition("toph", "hexed", 3, 3)),
    ("too-many-conditions", CURSES, GM, c.SetCondition("toph", "one too many")),
    ("no-such-condition", [], GM, c.EndCondition("toph", "hexed", "a priest")),
    ("no-such-condition", [HEXED], GM, c.EndCondition("guard", "hexed", "a priest")),
    ("nothing-changes", [HEXED], GM, c.SetCondition("toph", "HEXED ", 3)),
    ("nothing-changes", [FAR_OFF], GM, c.SetDistance("spire", "toph", Distance.FAR)),
    ("nothing-changes", [], GM, c.AdjustCharacteristic("toph", BOD, 12, "a slip")),
    ("nothing-changes", [], GM, c.AdjustBonus("toph", "fencing", 43, "a slip")),
    ("nothing-changes", [], GM, c.AdjustUsageDie("toph", "herbs", Die.D8, "a slip")),
    ("nothing-changes", [], GM, c.RuleBonus("toph", "fencing", True)),
    ("nothing-changes", [started("toph")], GM, c.SetInitiative("toph", NORMAL)),
    ("nothing-changes", called("toph"), GM, c.ChangeTest("toph", BOD, NORMAL, "a slip")),
    ("no-hit-points", [], GM, c.Harm("toph", 1, "a kick")),
    ("no-hit-points", [], GM, c.Heal("toph", 1, "a rest")),
    ("dead", DEAD, P1, c.DeclareIntent("ox", "win")),
    ("dead", [*DEAD, intends("ox")], GM, c.CallTest("ox", BOD, NORMAL)),
    ("dead", DEAD, GM, c.DemandTest("ox", BOD, NORMAL)),
    ("dead", [*DEAD, *called("toph")], GM, c.Oppose("toph", "ox", BOD, NORMAL)),
    (
        "dead",
        [*DEAD, e.UsableAdded("ox", "rope", Usable.ITEM, Die.D8)],
        P1,
        c.UseItem("ox", "rope"),
    ),
    (
        "dead",
        [*DEAD, e.UsableAdded("ox", "roar", Usable.ABILITY, Die.D8)],
        P1,
        c.UseAbility("ox", "roar"),
    ),
    (
        "dead",
        [*DEAD, e.UsableAdded("ox", "rope", Usable.ITEM, Die.D8)],
        P1,
        c.GiveItem("ox", "rope", "toph"),
    ),
    ("dead", DEAD, GM, c.StartMoment(("ox", "toph"))),
    ("dead", DEAD, GM, c.Harm("ox", 1, "another kick")),
    ("dead", DYING, P1, c.DeclareAction("ox", "win", "a kick")),
    ("dead", [*DYING, apart("ox", "spire", Distance.NEAR)], P1, c.DeclareMove("ox", "spire")),
    ("dead", DYING, P1, c.DeclareReaction("ox", "a dodge", "tarasi")),
    ("not-a-character", [], GM, c.Harm("spire", 1, "an earthquake")),
    ("nothing-changes", [OX], GM, c.Heal("ox", 1, "a rest")),
    ("not-playing", [], SPECTATOR, c.DeclareIntent("toph", "win")),
    ("not-playing", [], AUDITOR, c.PassMinute()),
    ("not-playing", [], HOUSE, c.StartMoment()),
]
