"""One row or more for every refusal: its slug, what came before, who asks, and the command."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from domain.rulesets.fansys import commands as c, events as e
from domain.rulesets.fansys.rules.dice import ADVANTAGE, Twist
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
    RollPurpose,
    Size,
    Skill,
    Status,
    Taking,
    ThresholdPart,
    Unit,
)
from tests.domain.rulesets.fansys.people import (
    ANNOUNCED,
    AUDITOR,
    COMBAT,
    EVEN,
    GM,
    HOUSE,
    MELEE,
    NATURAL,
    P1,
    P2,
    QUIET,
    SAFE,
    SPECTATOR,
    SUPERNATURAL,
    SWORD,
    ability,
    created,
    defence,
    full,
    has_hit,
    hexed,
    is_now,
    left,
    modifier,
    opened,
    proficient,
    save,
    throw,
)

DEAD, DOWN = left("ben", hp=-26), left("ana", hp=0)
WALKS = e.SpeedSet("ana", Mode.WALK, 0, 30)
OPEN, PRONE = opened("ana"), ConditionName.PRONE
MISS = e.AttackRolled("ana", "ben", SWORD, throw(2, 3), 10, False, 0)
ACTLESS = (
    ConditionName.DYING,
    ConditionName.HELPLESS,
    ConditionName.PARALYSED,
    ConditionName.CATATONIC,
    ConditionName.INCAPACITATED,
    ConditionName.STUNNED,
)


def without(stat: object) -> e.StatAdjusted:
    return e.StatAdjusted("ana", stat, 11, 0, "a curse", full(), full(), Status.OK)  # type: ignore[arg-type]


def create(entity: str) -> c.Create:
    return c.Create(entity, "Somebody", 1, *EVEN, 0, 0, "humanoid", "human", Size.SMALL)


def skill(name: str, points: int = 1, background: bool = False) -> c.LearnSkill:
    return c.LearnSkill("ana", name, points, DEX, UNSET, background)


def sets(origin: ModifierOrigin) -> c.SetModifier:
    return c.SetModifier("ana", "bless", origin, SUPERNATURAL, "holy", Applies.ALL, 2)


def teeth(applies: Applies, value: int = 1) -> c.SetModifier:
    """Return a modifier limited to a bite, which is not on the sheet."""
    return c.SetModifier(
        "ana", "teeth", ModifierOrigin.EQUIPMENT, NATURAL, "x", applies, value, "bite"
    )


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
    ("not-yours", [], P2, c.SpendDice("ana", Energy.SP, 1, "a leap"), PLAIN),
    ("not-yours", [OPEN], P2, c.FailWillingly("ana"), PLAIN),
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
    (
        "no-such-attack",
        [],
        GM,
        c.Grant("ana", ADVANTAGE, "height", RollPurpose.ATTACK, "bite"),
        PLAIN,
    ),
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
    ("retired", [e.Retired("ana", "an inn")], P1, c.OpenCheck("ana", "locks"), PLAIN),
    ("retired", [e.Retired("ben", "an inn")], P1, c.Attack("ana", "ben"), PLAIN),
    ("still-open", [OPEN], P1, c.Retire("ana", "an inn"), PLAIN),
    ("still-open", [ANNOUNCED], P1, c.Retire("ana", "an inn"), PLAIN),
    ("still-open", [ANNOUNCED], P2, c.Retire("ben", "an inn"), PLAIN),
    ("still-open", [has_hit()], GM, c.Retire("ben", "an inn"), PLAIN),
    ("still-open", [opened("ben"), opened("ana", against="ben")], P2, c.Retire("ben", "x"), PLAIN),
    (
        "sprint-takes-all",
        [WALKS, e.Moved("ana", Mode.WALK, 40, True)],
        P1,
        c.Attack("ana", "ben"),
        PLAIN,
    ),
    (
        "sprint-takes-all",
        [COMBAT, WALKS, e.Moved("ana", Mode.WALK, 40, True)],
        P1,
        c.ForceSave("ana", "ben", NATURAL, STR, STR),
        PLAIN,
    ),
    ("sprint-takes-all", [WALKS, MISS], P1, c.Move("ana", Mode.WALK, 40, True), PLAIN),
    (
        "sprint-takes-all",
        [WALKS, left("ana", sp_dice=3, sp_owned=3), e.Moved("ana", Mode.WALK, 40, True)],
        P1,
        c.SpendDice("ana", Energy.SP, 1, "a leap"),
        PLAIN,
    ),
    ("sprint-takes-all", [WALKS, ANNOUNCED], P1, c.Move("ana", Mode.WALK, 40, True), PLAIN),
    (
        "over-speed",
        [WALKS, *[e.Moved("ana", Mode.WALK, 10, False)] * 3],
        P1,
        c.Move("ana", Mode.WALK, 1),
        PLAIN,
    ),
    *(
        ("cannot-act", [is_now("ana", condition)], P1, act, PLAIN)
        for condition in ACTLESS
        for act in (c.Attack("ana", "ben"), c.ForceSave("ana", "ben", NATURAL, STR, STR))
    ),
    ("cannot-act", [ANNOUNCED, DOWN], P1, c.RollAttack("ana"), PLAIN),
    ("attacks-itself", [], P1, c.Attack("ana", "ana"), PLAIN),
    ("attack-announced", [ANNOUNCED], P1, c.AnnounceAttack("ana", "rat"), PLAIN),
    ("attack-announced", [ANNOUNCED], P1, c.Attack("ana", "rat"), PLAIN),
    ("no-attack-announced", [], GM, c.SetAttackTerms("ana"), PLAIN),
    ("no-attack-announced", [], P1, c.RollAttack("ana"), PLAIN),
    ("no-attack-announced", [], GM, c.RuleAttack("ana", True, "of course"), PLAIN),
    ("announce-first", [], P1, c.Attack("ana", "ben"), Options(announce_attacks=True)),
    ("terms-first", [ANNOUNCED], P1, c.RollAttack("ana"), Options(announce_attacks=True)),
    ("name-the-roll", [], GM, c.Grant("ana", ADVANTAGE, "height", only="sword"), PLAIN),
    (
        "name-the-roll",
        [],
        GM,
        c.Grant("ana", ADVANTAGE, "height", RollPurpose.SAVE, "locks"),
        PLAIN,
    ),
    (
        "name-the-roll",
        [],
        GM,
        c.Grant("ana", ADVANTAGE, "height", RollPurpose.ABILITY, "sword"),
        PLAIN,
    ),
    ("name-the-roll", [], GM, c.Grant("ana", ADVANTAGE, "height", target="ben"), PLAIN),
    (
        "name-the-roll",
        [],
        GM,
        c.Grant("ana", ADVANTAGE, "height", RollPurpose.SAVE, target="ben"),
        PLAIN,
    ),
    *(
        ("name-the-roll", [], GM, teeth(applies), PLAIN)
        for applies in (Applies.ABILITY, Applies.SAVE, Applies.DC)
    ),
    ("name-one-condition", [], GM, c.SetCondition("ana"), PLAIN),
    ("name-one-condition", [], GM, c.SetCondition("ana", PRONE, name="hexed"), PLAIN),
    ("one-duration", [], GM, c.SetCondition("ana", UNSET, 3, "hexed", 3), PLAIN),
    ("no-note-on-a-preset", [], GM, c.SetCondition("ana", PRONE, note="on the floor"), PLAIN),
    ("no-note-on-a-preset", [], GM, c.SetCondition("ana", name=" Prone", note="flat"), PLAIN),
    (
        "too-many-conditions",
        [e.ConditionSet("ana", f"hexed {n} times") for n in range(20)],
        GM,
        c.SetCondition("ana", name="hexed"),
        PLAIN,
    ),
    ("no-such-condition", [], GM, c.EndCondition("ana", "hexed", "a cure"), PLAIN),
    ("no-such-condition", [hexed("ben")], GM, c.EndCondition("ana", "hexed", "a cure"), PLAIN),
    ("no-such-condition", [], GM, c.EndCondition("ana", "prone", "a hand"), PLAIN),
    ("blank-text", [], GM, c.SetCondition("ana", name="  "), PLAIN),
    ("blank-text", [], GM, c.EndCondition("ana", " ", "a cure"), PLAIN),
    ("blank-text", [], P1, c.Roll("ana", aim=" "), PLAIN),
    ("blank-text", [], P1, skill("  "), PLAIN),
    ("blank-text", [], P1, c.OpenCheck("ana", " ", STR), PLAIN),
    (
        "blank-text",
        [],
        GM,
        c.Grant("ana", ADVANTAGE, "height", RollPurpose.SKILL, " "),
        PLAIN,
    ),
    (
        "blank-text",
        [],
        GM,
        c.SetModifier(
            "ana", "teeth", ModifierOrigin.EQUIPMENT, NATURAL, "x", Applies.SKILL, 1, " "
        ),
        PLAIN,
    ),
    ("blank-text", [], P1, c.SetProficiency("ana", " ", True), PLAIN),
    ("blank-text", [], P1, c.LearnAttack("ana", " ", STR, NATURAL, MELEE, 1, 6, 0), PLAIN),
    ("blank-text", [], P1, c.Create("cleo", " ", 1, *EVEN, 0, 0, "elf", "elf", Size.SMALL), PLAIN),
    ("almost-the-same", [], P1, skill(" locks"), PLAIN),
    ("almost-the-same", [], P1, skill("Locks"), PLAIN),
    ("almost-the-same", [], P1, c.OpenCheck("ana", "Locks", STR), PLAIN),
    (
        "almost-the-same",
        [],
        GM,
        c.Oppose("ana", "ben", " locks", keeper_stat=DEX, challenger_stat=WIS),
        PLAIN,
    ),
    (
        "almost-the-same",
        [],
        GM,
        c.Grant("ana", ADVANTAGE, "height", RollPurpose.SKILL, "LOCKS"),
        PLAIN,
    ),
    (
        "almost-the-same",
        [],
        P1,
        c.LearnAttack("ana", "Sword", STR, NATURAL, MELEE, 1, 6, 0),
        PLAIN,
    ),
    ("almost-the-same", [], P1, c.SetProficiency("ana", "dex", True), PLAIN),
    (
        "almost-the-same",
        [defence("ana", 2, ThresholdPart.CIRCUMSTANCE, source="cover")],
        GM,
        c.SetDefence("ana", ThresholdPart.CIRCUMSTANCE, Layer.STATIC, "cover ", 2),
        PLAIN,
    ),
    ("almost-the-same", [modifier(2, "Bless")], GM, sets(ModifierOrigin.EQUIPMENT), PLAIN),
    ("same-stat-twice", [], GM, c.OpenSave("ana", DEX, 12, DEX), PLAIN),
    ("same-stat-twice", [], P1, c.OpenCheck("ana", stat=CHA, second_stat=CHA), PLAIN),
    ("same-stat-twice", [], P1, c.LearnSkill("ana", "knots", 1, DEX, DEX), PLAIN),
    ("same-stat-twice", [], P1, c.ForceSave("ana", "ben", NATURAL, STR, STR, STR), PLAIN),
    ("nothing-changes", [], GM, c.AdjustPool("ana", Gauge.HP, 26, "nothing"), PLAIN),
    ("nothing-changes", [], GM, c.AdjustStat("ana", STR, 11, "nothing"), PLAIN),
    ("nothing-changes", [], GM, c.HandOver("ana", "nothing", "p1"), PLAIN),
    ("nothing-changes", [], GM, c.Harm("ana", NATURAL, 0, "a sneeze"), PLAIN),
    ("nothing-changes", [], GM, c.Grant("ana", Twist.PLAIN, "nothing"), PLAIN),
    (
        "nothing-changes",
        [],
        GM,
        c.SetDefence("ana", ThresholdPart.DODGE, Layer.STATIC, "grace", 0),
        PLAIN,
    ),
    ("nothing-changes", [], GM, teeth(Applies.ATTACK, 0), PLAIN),
    ("no-such-attack", [], GM, teeth(Applies.ATTACK), PLAIN),
    ("no-such-attack", [], GM, teeth(Applies.DAMAGE), PLAIN),
    (
        "no-body-no-stat",
        [],
        GM,
        c.Create("wisp", "Wisp", 1, *EVEN, 0, 0, "spirit", "wisp", Size.SMALL, True),
        PLAIN,
    ),
    ("destroyed", [DEAD], GM, c.SetCondition("ben", name="on fire"), PLAIN),
    ("destroyed", [DEAD], GM, c.Grant("ben", ADVANTAGE, "spite"), PLAIN),
    ("destroyed", [has_hit(), DEAD], P1, c.RollDamage("ana"), PLAIN),
    ("cannot-move", [without(DEX)], P1, c.Attack("ana", "ben"), PLAIN),
    ("cannot-move", [ANNOUNCED, without(DEX)], P1, c.RollAttack("ana"), PLAIN),
    ("no-cha-save", [OPEN], GM, c.SetTerms("ana", may_yield=True), PLAIN),
    ("no-cha-save", [ability("ana", CHA)], GM, c.SetTerms("ana", 12, may_yield=True), PLAIN),
    ("no-cha-save", [save("ana", STR, DEX)], GM, c.SetTerms("ana", may_yield=False), PLAIN),
    *(
        ("cannot-act", [unconscious, save("ana", WIS)], P1, c.FailWillingly("ana"), PLAIN)
        for unconscious in (is_now("ana", ConditionName.UNCONSCIOUS), without(WIS))
    ),
    *(
        ("almost-the-same", [], GM, replace(teeth(applies), only=only), PLAIN)
        for applies, only in (
            (Applies.SKILL, "LOCKS"),
            (Applies.SKILL, "dex"),
            (Applies.ALL, "Locks"),
            (Applies.ALL, "Sword"),
            (Applies.ALL, "dex"),
        )
    ),
]
