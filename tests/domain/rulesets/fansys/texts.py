"""One row or more for every event: its text."""

from __future__ import annotations

from msgspec.structs import replace

from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.rules.dice import ADVANTAGE, DISADVANTAGE, PLAIN
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import (
    DEX,
    INT,
    STR,
    Being,
    Energy,
    Layer,
    Length,
    Mode,
    RollPurpose,
    Skill,
    Status,
    Term,
    ThresholdPart,
    Unit,
    Why,
)
from tests.domain.rulesets.fansys.people import (
    BASE,
    NATURAL,
    SAFE,
    SUPERNATURAL,
    SWORD,
    ability,
    created,
    defence,
    full,
    has_hit,
    is_now,
    left,
    modifier,
    opened,
    save,
    throw,
)

A, POINTS = full(), Term("points", 2)
SKILL, SAVE = RollPurpose.SKILL, RollPurpose.SAVE
LESS = replace(A, sp=24, hp=13)

TEXTS: list[tuple[e.Event, str]] = [
    (
        created("ana"),
        "{ana} comes to the table: human humanoid, level 3, with 26 HP, 36 SP and 33 MP.",
    ),
    (
        e.HandedOver("ana", Being.PC, "gm", "p2", "late"),
        "{ana} is played by {p2} from now on as PC (late).",
    ),
    (e.LevelGained("ana", 4, "the bridge", A, A), "{ana} is now of level 4 (the bridge)."),
    (e.DiceTrained("ana", Energy.SP, 21, A, A), "{ana} owns 0 SP dice of 21 at most."),
    (
        e.SkillLearned("ana", Skill("locks", 1, (DEX, INT), True)),
        "{ana} has the background skill locks (DEX and INT) with 1 point.",
    ),
    (
        e.SkillLearned("ana", Skill("knots", 2, (DEX,), False)),
        "{ana} has the skill knots (DEX) with 2 points.",
    ),
    (e.ProficiencySet("ana", "CON", True, 2), "{ana} is proficient with CON saves."),
    (
        e.ProficiencySet("ana", "CON", True, 3),
        "{ana} is proficient with CON saves (its 3 saves are more than the 2 advised).",
    ),
    (e.ProficiencySet("ana", "swords", False, 3), "{ana} is no longer proficient with swords."),
    (e.AttackLearned("ana", SWORD), "{ana} has the attack sword: natural, melee, damage 1d8 +2."),
    (
        e.AttackLearned("ana", replace(SWORD, dice=0, bonus=1)),
        "{ana} has the attack sword: natural, melee, damage 1.",
    ),
    (e.SpeedSet("ana", Mode.WALK, 0, 30), "{ana} has a walk speed of 30."),
    (defence("ana", 4), "{ana} has +4 armour from thing (static): HiT 14."),
    (
        defence("ana", 0, ThresholdPart.DODGE, Layer.MP),
        "{ana} has no dodge bonus from thing (MP ability): HiT 10.",
    ),
    (
        modifier(2, only="locks"),
        "{ana} has +2 to all (locks) from luck (natural, circumstance; circumstance).",
    ),
    (modifier(0), "{ana} has no modifier to all from luck (natural, circumstance; circumstance)."),
    (opened("ana"), "{ana} is to roll locks (DEX)."),
    (opened("ana", threshold=16), "{ana} is to roll locks (DEX) against 16 (quite tough)."),
    (save("ana", STR, DEX), "{ana} is to make a STR or DEX save against 12 (fairly tough)."),
    (
        ability("ana", STR, against="ben"),
        "{ana} is to make a STR check against {ben}, who keeps the status quo and rolls first.",
    ),
    (
        ability("ana", STR, threshold=15, against="ben"),
        "{ana} is to make a STR check against {ben}, who keeps the status quo: 15 (fairly tough).",
    ),
    (
        e.TermsSet("ana", threshold=16),
        "{ana}'s check is on these terms: threshold 16 (quite tough).",
    ),
    (
        e.TermsSet("ana", routine=True, tries=20, seconds=60, may_yield=False),
        "{ana}'s check is on these terms: a routine task, time and material for 20 tries, 60 seconds a try,"
        " it may not be failed willingly.",
    ),
    (
        e.SaveForced("ana", "ben", SUPERNATURAL, (BASE, Term("INT", 4)), 17),
        "{ana} forces a save on {ben} by supernatural means: save DC 12 +1 Base +4 INT = 17.",
    ),
    (
        e.CheckRolled("ana", SKILL, "locks", throw(12, 7, terms=(BASE, POINTS)), 16, True),
        "{ana} rolls locks: 12 and 7, sum 21 +1 Base +2 points = 24 against 16 (quite tough), a success.",
    ),
    (
        e.CheckRolled("ana", SKILL, "locks", throw(12, 7, terms=(BASE,), capped=True)),
        "{ana} rolls locks: 12 and 7, sum 12 (untrained) +1 Base = 13.",
    ),
    (
        e.CheckRolled("ana", SAVE, "DEX", throw(3, 9, 12, twist=DISADVANTAGE), 13, False),
        "{ana} rolls a DEX save with disadvantage: 3, 9 and 12, keeping 3 and 9, sum 12"
        " against 13 (fairly tough), a failure.",
    ),
    (
        e.CheckRolled("ana", SAVE, "DEX", throw(1, 1), 13, False),
        "{ana} rolls a DEX save: 1 and 1, sum -2 against 13 (fairly tough), a failure by snake eyes.",
    ),
    (
        e.Taken("ana", SKILL, "locks", 24, (BASE,), 25, 100, 24, True),
        "{ana} takes 24 for locks: 24 +1 Base = 25 against 24 (very difficult), a success, at the cost of 100 tries.",
    ),
    (
        e.Taken("ana", RollPurpose.ABILITY, "DEX", 13, (), 13, 1),
        "{ana} takes 13 for a DEX check: 13.",
    ),
    (
        e.CheckSettled("ana", SAVE, "CON", True, Why.BODILESS),
        "{ana} succeeds at a CON save without a roll (no physical form).",
    ),
    (
        e.CheckSettled("ana", SKILL, "locks", False, Why.RULED, "no lock there"),
        "{ana} fails at locks without a roll (the GM's ruling, no lock there).",
    ),
    (e.Dropped("ana", "a slip"), "What {ana} was about to roll is called off (a slip)."),
    (
        has_hit(),
        "{ana} attacks {ben} with sword: 9 and 8, sum 17 +1 Base = 18 against HiT 10, a hit.",
    ),
    (
        e.AttackRolled("ana", "ben", SWORD, throw(12, 12), 99, True, 3),
        "{ana} attacks {ben} with sword: 12 and 12, sum 28 against HiT 99, a hit by double twelve,"
        " the damage dice three times.",
    ),
    (
        e.AttackRolled("ana", "ben", SWORD, throw(1, 1), 10, False, 0),
        "{ana} attacks {ben} with sword: 1 and 1, sum -2 against HiT 10, a miss by snake eyes.",
    ),
    (
        e.DamageRolled("ana", "ben", 8, (5, 8), 2, False, 15, "sword"),
        "{ana}'s damage with sword to {ben}: 2d8 (5 and 8) +2 = 15.",
    ),
    (
        e.DamageRolled("ben", "ben", 6, (3, 6, 2), 0, True, 5),
        "Damage to {ben}: 3d6 (3, 6 and 2), halved = 5.",
    ),
    (e.DamageRolled("ben", "ben", 2, (), 7, False, 7), "Damage to {ben}: 7."),
    (
        e.Harmed("ben", NATURAL, 25, 12, "sword", A, LESS, Status.HURT),
        "{ben} takes 25 natural damage (sword): 12 from SP, 13 from HP; HP 13, hurt.",
    ),
    (e.Moved("ana", Mode.WALK, 30, False), "{ana} moves 30 feet (walk)."),
    (e.Moved("ana", Mode.SWIM, 20, True), "{ana} sprints 20 feet (swim)."),
    (
        e.DiceSpent("ana", Energy.MP, 2, "a flame", A, A),
        "{ana} spends 2 dice of MP on a flame; MP 33, MP dice 0.",
    ),
    (
        e.Rested("ana", Length.LONG, True, A, A, Status.OK),
        "{ana} takes a long rest with care; HP 26, SP 36, SP dice 0, MP 33, MP dice 0, ok.",
    ),
    (
        e.Granted("ana", (ADVANTAGE,), ADVANTAGE, "height"),
        "{ana} has advantage on the next roll (height).",
    ),
    (
        e.Granted("ana", (), PLAIN, "fog"),
        "{ana} has neither advantage nor disadvantage on the next roll (fog).",
    ),
    (is_now("ana", ConditionName.PRONE), "{ana} is prone."),
    (is_now("ana", ConditionName.STUNNED, 1), "{ana} is stunned for 1 round."),
    (e.ConditionTicked("ana", ConditionName.STUNNED, 2), "{ana} is stunned for 2 rounds more."),
    (e.ConditionTicked("ana", ConditionName.STUNNED, 0), "{ana} is no longer stunned."),
    (e.ConditionLifted("ana", ConditionName.STUNNED, 2), "{ana} is no longer stunned."),
    (e.TimePassed(60, 60, 1, Unit.MINUTE), "1 minute passes."),
    (e.TimePassed(18, 60, 3, Unit.ROUND), "3 rounds pass."),
    (e.TimePassed(500, 500), "That takes 500 seconds."),
    (SAFE, "The scene goes from tense to safe (as the example begins)."),
    (left("ana", hp=3), "The GM sets the HP of {ana} from 26 to 3 (as the example begins); hurt."),
    (
        e.StatAdjusted("ana", STR, 11, 12, "a girdle", A, A, Status.OK),
        "The GM sets the STR of {ana} from 11 to 12 (a girdle).",
    ),
]
