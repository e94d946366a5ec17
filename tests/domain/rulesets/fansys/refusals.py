"""One row or more for every refusal: its slug, what came before, who asks, and the command."""

from __future__ import annotations

from msgspec import UNSET

from domain.rulesets.fansys import commands as c, events as e
from domain.rulesets.fansys.rules.equipment import Item
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import (
    CHA,
    CON,
    DEX,
    STR,
    WIS,
    Applies,
    BaseOnSkills,
    Energy,
    Gauge,
    Layer,
    Length,
    Mode,
    ModifierOrigin,
    Options,
    Size,
    Skill,
    Status,
    Taking,
    ThresholdPart,
    Unit,
)
from tests.domain.rulesets.fansys.people import (
    AUDITOR,
    COMBAT,
    EVEN,
    GM,
    HOUSE,
    NATURAL,
    P1,
    P2,
    QUIET,
    SAFE,
    SPECTATOR,
    SUPERNATURAL,
    ability,
    created,
    defence,
    full,
    has_hit,
    is_now,
    left,
    modifier,
    opened,
    proficient,
    save,
)

DEAD, DOWN = left("ben", hp=-26), left("ana", hp=0)
WALKS = e.SpeedSet("ana", Mode.WALK, 0, 30)
OPEN = opened("ana")


def without(stat: object) -> e.StatAdjusted:
    return e.StatAdjusted("ana", stat, 11, 0, "a curse", full(), full(), Status.OK)  # type: ignore[arg-type]


def create(entity: str) -> c.Create:
    return c.Create(entity, "Somebody", 1, *EVEN, 0, 0, "humanoid", "human", Size.SMALL)


def skill(name: str, points: int = 1, background: bool = False) -> c.LearnSkill:
    return c.LearnSkill("ana", name, points, DEX, UNSET, background)


def sets(origin: ModifierOrigin) -> c.SetModifier:
    return c.SetModifier("ana", "bless", origin, SUPERNATURAL, "holy", Applies.ALL, 2)


PLAIN = Options()
REFUSALS: list[tuple[object, ...]] = [
    # slug, events after those of TABLE, who, when, options
    *(
        ("not-playing", [], by, c.OpenCheck("ana", "locks"), PLAIN)
        for by in (SPECTATOR, AUDITOR, HOUSE)
    ),
    ("entity-exists", [], P1, create("ana"), PLAIN),
    ("too-many-entities", [created(f"n{n}") for n in range(96)], P1, create("one-more"), PLAIN),
    (
        "over-capacity",
        [],
        P1,
        c.Create("cleo", "Cleo", 1, *EVEN, 16, 0, "elf", "elf", Size.SMALL),
        PLAIN,
    ),
    ("over-capacity", [], P1, c.TrainDice("ana", Energy.MP, 21), PLAIN),
    ("no-such-entity", [], P1, c.OpenCheck("anna", "locks"), PLAIN),
    ("no-such-entity", [], P1, c.Attack("ana", "benn"), PLAIN),
    ("no-such-entity", [], GM, c.Oppose("ana", "benn"), PLAIN),
    ("not-yours", [], P2, c.OpenCheck("ana", "locks"), PLAIN),
    ("not-yours", [], GM, c.SpendDice("ana", Energy.SP, 1, "a leap"), PLAIN),
    ("not-yours", [OPEN], GM, c.FailWillingly("ana"), PLAIN),
    ("gm-only", [], P1, c.HandOver("ana", "gone"), PLAIN),
    ("gm-only", [], P1, c.OpenCheck("ana", "locks", threshold=4), PLAIN),
    ("gm-only", [], P1, c.SetDefence("ana", ThresholdPart.DODGE, Layer.SP, "whirl", 2), PLAIN),
    (
        "gm-only",
        [],
        P1,
        c.SetDefence("ana", ThresholdPart.CIRCUMSTANCE, Layer.STATIC, "cover", 2),
        PLAIN,
    ),
    (
        "over-level",
        [e.LevelGained("ana", 100, "long ago", full(), full())],
        GM,
        c.LevelUp("ana", "more"),
        PLAIN,
    ),
    ("in-combat", [COMBAT], P1, skill("knots"), PLAIN),
    ("in-combat", [COMBAT], P1, c.SetProficiency("ana", "STR", True), PLAIN),
    ("in-combat", [COMBAT], P1, c.SetSpeed("ana", Mode.WALK, 99), PLAIN),
    (
        "sheet-full",
        [e.SkillLearned("ana", Skill(f"s{n}", 0, (DEX,), False)) for n in range(39)],
        P1,
        skill("x"),
        PLAIN,
    ),
    (
        "sheet-full",
        [proficient("ana", f"p{n}") for n in range(40)],
        P1,
        c.SetProficiency("ana", "x", True),
        PLAIN,
    ),
    (
        "sheet-full",
        [defence("ana", 1, source=f"d{n}") for n in range(40)],
        P1,
        c.Equip("ana", Item.CUIRASS),
        PLAIN,
    ),
    (
        "sheet-full",
        [modifier(1, f"m{n}") for n in range(40)],
        GM,
        sets(ModifierOrigin.EQUIPMENT),
        PLAIN,
    ),
    ("no-body-no-stat", [], GM, c.AdjustStat("ghost", STR, 3, "a body"), PLAIN),
    ("over-skill-points", [], P1, skill("knots", 3), PLAIN),
    (
        "over-background",
        [e.SkillLearned("ana", Skill(f"s{n}", 0, (DEX,), True)) for n in range(3)],
        P1,
        skill("x", 0, True),
        Options(base_on_skills=BaseOnSkills.BACKGROUND),
    ),
    (
        "no-skill-points-left",
        [e.SkillLearned("ana", Skill(f"s{n}", 2, (DEX,), False)) for n in range(3)],
        P1,
        skill("x", 2),
        Options(source_skills=True),
    ),
    ("no-other-grip", [], P1, c.Equip("ana", Item.CLUB, True), PLAIN),
    ("no-other-grip", [], P1, c.Equip("ana", Item.BUCKLER, True), PLAIN),
    (
        "sp-leaves-armour",
        [],
        GM,
        c.SetDefence("ana", ThresholdPart.ARMOUR, Layer.SP, "iron skin", 2),
        PLAIN,
    ),
    ("active-ability", [], GM, sets(ModifierOrigin.ACTIVE), PLAIN),
    ("check-open", [OPEN], P1, c.OpenCheck("ana", stat=STR), PLAIN),
    ("check-open", [OPEN], GM, c.OpenSave("ana", STR, 12), PLAIN),
    ("check-open", [OPEN], P2, c.ForceSave("ben", "ana", NATURAL, STR, STR), PLAIN),
    ("check-open", [OPEN], GM, c.Oppose("ana", "ben", keeper_stat=STR, challenger_stat=STR), PLAIN),
    ("no-check-open", [], P1, c.Roll("ana"), PLAIN),
    ("no-check-open", [], P1, c.Take("ana", Taking.CARE), PLAIN),
    ("no-check-open", [], P1, c.FailWillingly("ana"), PLAIN),
    ("no-check-open", [], GM, c.SetTerms("ana", 12), PLAIN),
    ("no-check-open", [], GM, c.RuleCheck("ana", True, "of course"), PLAIN),
    ("nothing-open", [], GM, c.Drop("ana", "a slip"), PLAIN),
    ("nothing-to-set", [OPEN], GM, c.SetTerms("ana"), PLAIN),
    ("name-a-stat", [], P1, c.OpenCheck("ana", "juggling"), PLAIN),
    ("name-a-stat", [], P1, c.OpenCheck("ana"), PLAIN),
    ("name-a-stat", [], P1, c.OpenCheck("ana", second_stat=STR), PLAIN),
    ("name-a-stat", [], GM, c.Oppose("ana", "ben", "locks"), PLAIN),
    ("choose-a-save", [save("ana", STR, DEX)], P1, c.Roll("ana"), PLAIN),
    ("choose-a-save", [save("ana", STR, DEX)], P1, c.FailWillingly("ana"), PLAIN),
    ("not-a-valid-save", [save("ana", STR, DEX)], P1, c.Roll("ana", WIS), PLAIN),
    ("not-a-valid-save", [OPEN], P1, c.Roll("ana", DEX), PLAIN),
    ("not-takeable", [SAFE, save("ana", STR)], P1, c.Take("ana", Taking.BEST), PLAIN),
    ("not-safe", [opened("ana", tries=100)], P1, c.Take("ana", Taking.BEST), PLAIN),
    ("not-safe", [QUIET, opened("ana", tries=100)], P1, c.Take("ana", Taking.TWENTY), PLAIN),
    ("not-safe", [COMBAT, opened("ana", tries=100)], P1, c.Take("ana", Taking.BEST), PLAIN),
    ("too-few-tries", [SAFE, opened("ana", tries=99)], P1, c.Take("ana", Taking.BEST), PLAIN),
    ("too-few-tries", [SAFE, OPEN], P1, c.Take("ana", Taking.TWENTY), PLAIN),
    ("not-quiet", [opened("ana", routine=True)], P1, c.Take("ana", Taking.CARE), PLAIN),
    ("not-quiet", [COMBAT, OPEN], P1, c.Take("ana", Taking.CARE), PLAIN),
    ("not-routine", [QUIET, ability("ana", DEX)], P1, c.Take("ana", Taking.CARE), PLAIN),
    ("not-routine", [SAFE, opened("ana", name="juggling")], P1, c.Take("ana", Taking.CARE), PLAIN),
    ("autonomous", [save("ana", CON)], P1, c.FailWillingly("ana"), PLAIN),
    ("ask-the-gm", [save("ana", CHA)], P1, c.FailWillingly("ana"), PLAIN),
    (
        "needs-two-sides",
        [],
        GM,
        c.Oppose("ana", "ana", keeper_stat=STR, challenger_stat=STR),
        PLAIN,
    ),
    ("status-quo-first", [opened("ben"), opened("ana", against="ben")], P1, c.Roll("ana"), PLAIN),
    (
        "status-quo-first",
        [SAFE, opened("ben"), opened("ana", against="ben")],
        P1,
        c.Take("ana", Taking.CARE),
        PLAIN,
    ),
    ("hider-keeps-status-quo", [], GM, c.Oppose("ben", "ana", hidden="ana"), PLAIN),
    ("cannot-act", [DOWN], P1, c.Attack("ana", "ben"), PLAIN),
    ("cannot-act", [DOWN], P1, c.SpendDice("ana", Energy.SP, 1, "a leap"), PLAIN),
    ("cannot-act", [DOWN, WALKS], P1, c.Move("ana", Mode.WALK, 5), PLAIN),
    (
        "cannot-act",
        [is_now("ana", ConditionName.UNCONSCIOUS)],
        P1,
        c.ForceSave("ana", "ben", NATURAL, STR, STR),
        PLAIN,
    ),
    ("cannot-act", [without(WIS)], P1, c.Attack("ana", "ben"), PLAIN),
    ("destroyed", [DEAD], P1, c.Attack("ana", "ben"), PLAIN),
    ("destroyed", [DEAD], P2, c.Attack("ben", "ana"), PLAIN),
    ("destroyed", [DEAD], P2, c.OpenCheck("ben", stat=STR), PLAIN),
    ("destroyed", [opened("ben"), DEAD], P2, c.Roll("ben"), PLAIN),
    (
        "destroyed",
        [DEAD],
        GM,
        c.Oppose("ben", "ana", keeper_stat=STR, challenger_stat=STR, static=True),
        PLAIN,
    ),
    ("destroyed", [DEAD], GM, c.Harm("ben", NATURAL, 1, "insult"), PLAIN),
    ("destroyed", [DEAD], GM, c.Rest("ben", Length.LONG), PLAIN),
    ("no-strength", [without(STR)], P1, c.Attack("ana", "ben", "sword"), PLAIN),
    ("harmless", [], P1, c.Attack("ana", "ghost", "sword"), PLAIN),
    ("harmless", [], GM, c.Harm("ghost", NATURAL, 5, "a rockfall"), PLAIN),
    ("no-such-attack", [], P1, c.Attack("ana", "ben", "sowrd"), PLAIN),
    ("damage-waits", [has_hit()], P1, c.Attack("ana", "rat", "sword"), PLAIN),
    ("no-damage-to-roll", [], P1, c.RollDamage("ana"), PLAIN),
    ("dice-and-sides", [], GM, c.Harm("ana", NATURAL, 0, "a fire", 3), PLAIN),
    ("dice-and-sides", [], GM, c.Harm("ana", NATURAL, 0, "a fire", sides=6), PLAIN),
    (
        "cannot-move",
        [WALKS, is_now("ana", ConditionName.IMMOBILISED)],
        P1,
        c.Move("ana", Mode.WALK, 5),
        PLAIN,
    ),
    ("cannot-move", [WALKS, without(DEX)], P1, c.Move("ana", Mode.WALK, 5), PLAIN),
    ("no-such-mode", [WALKS], P1, c.Move("ana", Mode.FLIGHT, 5), PLAIN),
    ("over-speed", [WALKS], P1, c.Move("ana", Mode.WALK, 31), PLAIN),
    ("over-dice", [], P1, c.SpendDice("ana", Energy.SP, 1, "a leap"), PLAIN),
    ("care-takes-long", [], GM, c.Rest("ana", Length.REST, True), PLAIN),
    ("not-in-that-condition", [], GM, c.LiftCondition("ana", ConditionName.PRONE), PLAIN),
    ("below-zero", [], GM, c.AdjustPool("ana", Gauge.SP, -1, "debt"), PLAIN),
    ("over-the-most", [], GM, c.AdjustPool("ana", Gauge.HP, 27, "greed"), PLAIN),
    ("over-the-most", [], GM, c.AdjustPool("ana", Gauge.MP_DICE, 1, "greed"), PLAIN),
    ("end-of-time", [e.TimePassed(1, 10**12)], GM, c.PassTime(1, Unit.ROUND), PLAIN),
]
