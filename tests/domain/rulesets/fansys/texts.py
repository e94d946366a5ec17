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
    Applies,
    Being,
    Energy,
    Gauge,
    Layer,
    Length,
    Mode,
    RollPurpose,
    Scene,
    Skill,
    Status,
    Term,
    ThresholdPart,
    TiedGrant,
    Unit,
    Why,
)
from domain.tally import Attempted, Counts, Owned, Probability, Rolled, Settled, Ticked, reduce
from tests.domain.rulesets.fansys.people import (
    ANNOUNCED,
    BASE,
    HOLY,
    NATURAL,
    SAFE,
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
    save,
    throw,
    tied,
)

A, POINTS = full(), Term("points", 2)
SKILL, ABILITY, SAVE = RollPurpose.SKILL, RollPurpose.ABILITY, RollPurpose.SAVE
LESS = replace(A, sp=24, hp=13)
DICED = full(sp_dice=4, mp_dice=2)

WITH_ADVANTAGE = {-2: 1, 1: 3, 2: 3, 3: 3, 4: 7, 5: 12, 6: 19, 7: 27, 8: 37, 9: 48, 10: 61}
WITH_ADVANTAGE |= {11: 72, 12: 88, 13: 108, 14: 115, 15: 120, 16: 130, 17: 132, 18: 130, 19: 123}
WITH_ADVANTAGE |= {20: 112, 21: 96, 22: 76, 23: 51, 24: 57, 25: 63, 28: 34}
TWO_D8: dict[str, Probability] = {
    str(total): reduce(8 - abs(total - 9), 64) for total in range(2, 17)
}
THREE_D6 = (1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1)
HIGH_IS_BAD: dict[str, Probability] = {
    str(total): reduce(ways, 216) for total, ways in zip(range(18, 2, -1), THREE_D6, strict=True)
}


def throws(use: str, *faces: int) -> tuple[Rolled, ...]:
    return tuple(Rolled("ana", "d12", str(face), use) for face in faces)


def damage(
    who: str, sides: int, chances: dict[str, Probability], *faces: int
) -> tuple[Rolled | Attempted, ...]:
    """Return the counts of the damage dice and of their sum."""
    rolls = (Rolled(who, f"d{sides}", str(face), "damage") for face in faces)
    value = " + ".join(map(str, faces))
    return *rolls, Attempted(who, "damage dice", value, str(sum(faces)), chances, stakes="harm")


def attempt(
    use: str, value: str, outcome: str, ways: tuple[int, int], given: dict[str, int | str]
) -> tuple[Attempted, Settled]:
    """Return the counts of a throw against a threshold. `ways` are failures and successes."""
    failures, successes = ways
    whole = failures + successes
    attempted = Attempted(
        "ana",
        use,
        value,
        outcome,
        {"failure": (failures, whole), "success": (successes, whole)},
        ("success",),
        stakes="" if use == "skill" else "harm",
        is_save=use == "save",
        given=given,
    )
    return attempted, Settled("ana", use, outcome, outcome)


def given(
    kept: str, modifier: int = 0, threshold: int | None = None, twist: str = "plain"
) -> dict[str, int | str]:
    of: dict[str, int | str] = {"twist": twist, "kept": kept, "modifier": modifier}
    return of if threshold is None else of | {"threshold": threshold}


TEXTS: list[tuple[e.Event, str] | tuple[e.Event, str, Counts]] = [
    (
        created("ana"),
        "{ana} joins the game: a level 3 human (humanoid) with 26 HP, 36 SP and 33 MP.",
        (Owned("ana", "p1"),),
    ),
    (
        e.HandedOver("ana", Being.PC, "gm", "p2", "late"),
        "{@p2} now plays {ana} as a PC (late).",
        (Owned("ana", "p2"),),
    ),
    (
        e.HandedOver("ana", Being.NPC, "p2", "gm", "gone"),
        "{@gm} now plays {ana} as an NPC (gone).",
        (Owned("ana", "gm"),),
    ),
    (e.LevelGained("ana", 4, "the bridge", A, A), "{ana} reaches level 4 (the bridge)."),
    (e.DiceTrained("ana", Energy.SP, 21, A, A), "{ana} now has 0 of a possible 21 SP dice."),
    (
        e.DiceTrained("ana", Energy.MP, 20, A, full(mp_dice=1)),
        "{ana} now has 1 of a possible 20 MP dice.",
    ),
    (
        e.SkillLearned("ana", Skill("locks", 1, (DEX, INT), True)),
        "{ana} now has 1 point in locks, a background skill (DEX and INT).",
    ),
    (
        e.SkillLearned("ana", Skill("knots", 2, (DEX,), False)),
        "{ana} now has 2 points in knots (DEX).",
    ),
    (e.ProficiencySet("ana", "CON", True, 2), "{ana} is now proficient in CON saves."),
    (
        e.ProficiencySet("ana", "CON", True, 3),
        "{ana} is now proficient in CON saves (3 saves, more than the 2 advised).",
    ),
    (e.ProficiencySet("ana", "swords", False, 3), '{ana} is no longer proficient with "swords".'),
    (
        e.ProficiencySet("ana", "longsword", True, 0),
        "{ana} is now proficient with the longsword.",
    ),
    (
        e.AttackLearned("ana", SWORD),
        "{ana} has a new attack: sword, 1d8 +2 natural damage in melee.",
    ),
    (
        e.AttackLearned("ana", replace(SWORD, dice=0, bonus=1)),
        "{ana} has a new attack: sword, 1 natural damage in melee.",
    ),
    (
        e.AttackLearned("ana", HOLY),
        "{ana} has a new attack: holy oil, 1d4 natural spiritual damage at range.",
    ),
    (
        e.AttackLearned("ana", SWORD, replace(SWORD, bonus=0)),
        "{ana} now has this attack: sword, 1d8 +2 natural damage in melee.",
    ),
    (e.SpeedSet("ana", Mode.WALK, 0, 30), "{ana}'s walking speed is now 30 feet per round."),
    (e.SpeedSet("ana", Mode.FLIGHT, 0, 1), "{ana}'s flying speed is now 1 foot per round."),
    (defence("ana", 4), '"thing" gives {ana} +4 to armour: HiT 14.'),
    (
        defence("ana", 8, source="half plate"),
        "the half plate gives {ana} +8 to armour: HiT 18.",
    ),
    (
        defence("ana", 4, ThresholdPart.DEFLECT, source="shield of 4"),
        "the shield gives {ana} +4 to deflect: HiT 14.",
    ),
    (
        defence("ana", 3, ThresholdPart.DODGE, Layer.SP),
        '"thing" gives {ana} +3 to dodge (from an SP ability): HiT 13.',
    ),
    (
        defence("ana", -2, ThresholdPart.CIRCUMSTANCE, source="fatigue"),
        '"fatigue" gives {ana} -2 to HiT (a circumstance penalty): HiT 8.',
    ),
    (
        defence("ana", 2, ThresholdPart.CIRCUMSTANCE, Layer.SP, "whirl"),
        '"whirl" gives {ana} +2 to HiT (a circumstance bonus from an SP ability): HiT 12.',
    ),
    (
        defence("ana", 0, ThresholdPart.DODGE, Layer.MP),
        '"thing" gives {ana} no bonus to dodge (from an MP ability): HiT 10.',
    ),
    (
        replace(defence("ana", 0), old=-2),
        '"thing" no longer gives {ana} -2 to armour: HiT 10.',
    ),
    (
        modifier(2, only="locks"),
        '"luck" gives {ana} +2 to all rolls with locks (natural circumstance bonus).',
    ),
    (
        modifier(-1, nature=SUPERNATURAL, type_="curse", applies=Applies.DC),
        '"luck" gives {ana} -1 to the save DC (supernatural curse penalty from circumstances).',
    ),
    (modifier(0), '"luck" gives {ana} no bonus to all rolls.'),
    (
        replace(modifier(0, applies=Applies.SAVE), old=-2),
        '"luck" no longer gives {ana} -2 to saves.',
    ),
    (opened("ana"), '{ana} has to make a "locks" check (DEX).'),
    (
        opened("ana", threshold=16),
        '{ana} has to make a "locks" check (DEX) against 16 (quite tough).',
    ),
    (save("ana", STR, DEX), "{ana} has to make a STR or DEX save against 12 (fairly tough)."),
    (save("ana", INT), "{ana} has to make an INT save against 12 (fairly tough)."),
    (
        ability("ana", STR, against="ben"),
        "{ana} has to make a STR check against {ben}, who rolls first.",
    ),
    (
        ability("ana", STR, threshold=15, against="ben"),
        "{ana} has to make a STR check against {ben}'s 15 (fairly tough).",
    ),
    (e.TermsSet("ana", threshold=16), "{ana}'s check is against 16 (quite tough)."),
    (
        e.TermsSet("ana", routine=True, tries=20, seconds=60, may_yield=False),
        "{ana}'s CHA save is routine, allows 20 tries and takes 1 minute per try."
        " {ana} may not fail it on purpose.",
    ),
    (
        e.TermsSet("ana", threshold=24, tries=1),
        "{ana}'s check is against 24 (very difficult) and allows 1 try.",
    ),
    (
        e.TermsSet("ana", routine=False, may_yield=True),
        "{ana}'s CHA save is not routine. {ana} may fail it on purpose.",
    ),
    (
        e.TermsSet("ana", threshold=7, seconds=2, may_yield=False),
        "{ana}'s CHA save is against 7 (almost impossible to fail) and takes 2 seconds per try. {ana} may not fail it on purpose.",
    ),
    (e.TermsSet("ana", may_yield=True), "{ana} may fail the CHA save on purpose."),
    (
        e.TermsSet("ana", threshold=18, may_yield=True),
        "{ana}'s CHA save is against 18 (quite tough). {ana} may fail it on purpose.",
    ),
    (
        e.SaveForced("ana", "ben", SUPERNATURAL, (BASE, Term("INT", 4)), 17),
        "{ana} forces {ben} to save against a supernatural ability: DC 12 +1 Base +4 INT = 17.",
    ),
    (
        e.SaveForced("ana", "ben", NATURAL, (), 12),
        "{ana} forces {ben} to save against a natural ability: DC 12.",
    ),
    (
        e.SaveForced("ana", "ana", NATURAL, (), 12),
        "{ana} uses a natural ability and has to save against it: DC 12.",
    ),
    (
        e.CheckRolled("ana", SKILL, "locks", throw(12, 7, terms=(BASE, POINTS)), 16, True),
        "{ana} rolls locks: 12 and 7 = 19, +2 for the 12 = 21, +1 Base +2 points = 24,"
        " a success against 16 (quite tough).",
        (
            *throws("skill", 12, 7),
            *attempt("skill", "12 + 7", "success", (66, 78), given("12 7", 3, 16)),
        ),
    ),
    (
        e.CheckRolled("ana", SKILL, "locks", throw(12, 7, terms=(BASE,), capped=True)),
        "{ana} rolls locks: 12 and 7 = 19, +2 for the 12 = 21, counted as 12 (untrained),"
        " +1 Base = 13.",
    ),
    (
        e.CheckRolled("ana", SKILL, "locks", throw(6, 5, capped=True)),
        "{ana} rolls locks: 6 and 5 = 11.",
    ),
    (
        e.CheckRolled("ana", ABILITY, "INT", throw(3, 12, 9, twist=ADVANTAGE)),
        "{ana} rolls an INT check with advantage: 3, 12 and 9; keeps 12 and 9 = 21,"
        " +2 for the 12 = 23.",
        (
            *throws("ability", 3, 12, 9),
            Attempted(
                "ana",
                "ability",
                "3 + 12 + 9",
                "23",
                {str(total): (ways, 1728) for total, ways in WITH_ADVANTAGE.items()},
                given=given("12 9", twist="advantage"),
            ),
        ),
    ),
    (
        e.CheckRolled("ana", SAVE, "DEX", throw(3, 9, 12, twist=DISADVANTAGE), 13, False),
        "{ana} rolls a DEX save with disadvantage: 3, 9 and 12; keeps 3 and 9 = 12,"
        " a failure against 13 (fairly tough).",
        (
            *throws("save", 3, 9, 12),
            *attempt(
                "save",
                "3 + 9 + 12",
                "failure",
                (1239, 489),
                given("3 9", 0, 13, "disadvantage"),
            ),
        ),
    ),
    (
        e.CheckRolled("ana", SAVE, "DEX", throw(1, 1), 13, False),
        "{ana} rolls a DEX save: 1 and 1 = 2, -4 for the two 1s = -2,"
        " a failure on snake eyes against 13 (fairly tough).",
    ),
    (
        e.Taken("ana", SKILL, "locks", 24, (BASE,), 25, 100, 24, True),
        "{ana} takes 24 on locks, using up 100 tries: 24 +1 Base = 25,"
        " a success against 24 (very difficult).",
    ),
    (e.Taken("ana", ABILITY, "DEX", 13, (), 13, 1), "{ana} takes 13 on a DEX check."),
    (
        e.Taken("ana", SKILL, "locks", 13, (BASE, Term("points", 1)), 15, 1),
        "{ana} takes 13 on locks: 13 +1 Base +1 point = 15.",
    ),
    (
        e.CheckSettled("ana", SAVE, "CON", True, Why.BODILESS),
        "{ana} has no physical form and passes the CON save without a roll.",
    ),
    (
        e.CheckSettled("ana", SAVE, "INT", True, Why.MINDLESS),
        "{ana} is mindless and unaffected by anything that calls for an INT save.",
    ),
    (
        e.CheckSettled("ana", SAVE, "STR or DEX", False, Why.WILLING),
        "{ana} chooses to fail the save.",
    ),
    (
        e.CheckSettled("ana", SAVE, "STR", False, Why.CONDITION),
        "{ana} is in no condition to make the STR save and fails.",
    ),
    (
        e.CheckSettled("ana", SKILL, "locks", False, Why.NO_STAT),
        "{ana} lacks the stat for the locks check and fails.",
    ),
    (
        e.CheckSettled("ana", SKILL, "locks", False, Why.CANNOT_ACT),
        "{ana} cannot act and fails the locks check.",
    ),
    (
        e.CheckSettled("ana", ABILITY, "STR", True, Why.SURE),
        "{ana} cannot fail the STR check: even the lowest roll is enough.",
    ),
    (
        e.CheckSettled("ana", ABILITY, "STR", False, Why.SURE),
        "{ana} cannot pass the STR check: even the highest roll is too low.",
    ),
    (
        e.CheckSettled("ana", SKILL, "locks", False, Why.WILLING),
        "{ana} chooses to fail the locks check.",
    ),
    (
        e.CheckSettled("ana", ABILITY, "WIS", True, Why.UNOPPOSED),
        "{ana} passes the WIS check unopposed.",
    ),
    (
        e.CheckSettled("ana", ABILITY, "WIS", False, Why.UNOPPOSED),
        "{ana} fails the WIS check, because the other side succeeds.",
    ),
    (
        e.CheckSettled("ana", SKILL, "locks", False, Why.RULED, "no lock there"),
        "The GM rules that {ana} fails the locks check (no lock there).",
    ),
    (
        e.CheckSettled("ana", ABILITY, "STR", True, Why.RULED, "a low wall", aim="climb"),
        "Climb: the GM rules that {ana} passes the STR check (a low wall).",
    ),
    (e.Dropped("ana", "a slip"), "The GM calls off {ana}'s roll (a slip)."),
    (
        has_hit(),
        "{ana} attacks {ben} (sword): 9 and 8 = 17, +1 Base = 18, a hit against HiT 10.",
        (
            *throws("attack", 9, 8),
            *attempt("attack", "9 + 8", "success", (32, 112), given("9 8", 1, 10)),
        ),
    ),
    (
        e.AttackRolled("ana", "ben", SWORD, throw(3, 9, 12, twist=DISADVANTAGE), 13, False, 0),
        "{ana} attacks {ben} with disadvantage (sword): 3, 9 and 12; keeps 3 and 9 = 12,"
        " a miss against HiT 13.",
    ),
    (
        e.AttackRolled("ana", "ben", SWORD, throw(3, 9), 13, False, 4),
        "{ana} attacks {ben} (sword): 3 and 9 = 12, a miss against HiT 13.",
    ),
    (
        e.AttackRolled("ana", "ben", SWORD, throw(12, 12), 99, True, 3),
        "{ana} attacks {ben} (sword): 12 and 12 = 24, +4 for the two 12s = 28,"
        " a hit on a double twelve against HiT 99; the damage dice are rolled three times.",
        (
            *throws("attack", 12, 12),
            *attempt("attack", "12 + 12", "success", (143, 1), given("12 12", 0, 99)),
        ),
    ),
    (
        e.AttackRolled("ana", "ben", replace(SWORD, dice=0), throw(12, 1), 10, True, 2),
        "{ana} attacks {ben} (sword): 12 and 1 = 13, +2 for the 12, -2 for the 1 = 13,"
        " a hit against HiT 10.",
    ),
    (
        e.AttackRolled("ana", "ben", SWORD, throw(1, 1), 10, False, 0),
        "{ana} attacks {ben} (sword): 1 and 1 = 2, -4 for the two 1s = -2,"
        " a miss on snake eyes against HiT 10.",
    ),
    (
        e.DamageRolled("ana", "ben", 8, (5, 8), 2, False, 15, "sword"),
        "{ana} rolls damage against {ben} (sword): 2d8 (5 and 8) +2 = 15.",
        (*damage("ana", 8, TWO_D8, 5, 8), Settled("ana", "damage", "15")),
    ),
    (
        e.DamageRolled("ana", "ben", 2, (), 1, False, 1, "strike"),
        "{ana} deals {ben} 1 damage (strike).",
        (Settled("ana", "damage", "1"),),
    ),
    (
        e.DamageRolled("ben", "ben", 6, (3, 6, 2), 0, True, 5),
        "The GM rolls damage against {ben}: 3d6 (3, 6 and 2) = 11, halved to 5.",
        # A trap's damage is its victim's luck, for whom a low sum is good.
        (*damage("ben", 6, HIGH_IS_BAD, 3, 6, 2), Settled("ben", "damage", "5")),
    ),
    (e.DamageRolled("ben", "ben", 2, (), 7, False, 7), "The GM deals {ben} 7 damage."),
    (e.DamageRolled("ben", "ben", 2, (), 7, True, 3), "The GM deals {ben} 7 damage, halved to 3."),
    (
        e.Harmed("ben", NATURAL, 25, 12, "sword", A, LESS, Status.HURT),
        "{ben} loses 12 SP and 13 HP to natural damage (sword): SP 24, HP 13, hurt.",
    ),
    (
        e.Harmed("ben", SUPERNATURAL, 5, 5, "flame", A, replace(A, mp=28), Status.OK),
        "{ben} loses 5 MP to supernatural damage (flame): MP 28, HP 26.",
    ),
    (e.Harmed("ben", NATURAL, 0, 0, "sneeze", A, A, Status.OK), "{ben} takes no damage (sneeze)."),
    (e.Moved("ana", Mode.WALK, 30, False), "{ana} walks 30 feet."),
    (e.Moved("ana", Mode.FLIGHT, 1, False), "{ana} flies 1 foot."),
    (e.Moved("ana", Mode.COSMIC, 40, False), "{ana} moves 40 feet (cosmic)."),
    (e.Moved("ana", Mode.WALK, 120, True), "{ana} sprints 120 feet."),
    (e.Moved("ana", Mode.SWIM, 20, True), "{ana} sprints 20 feet (swim)."),
    (
        e.DiceSpent("ana", Energy.MP, 2, "a flame", DICED, replace(DICED, mp=33, mp_dice=0)),
        '{ana} spends 2 MP dice on "a flame": MP 33 (0 dice left).',
    ),
    (
        e.DiceSpent("ana", Energy.MP, 1, "a flame", DICED, replace(DICED, mp=35, mp_dice=1)),
        '{ana} spends 1 MP die on "a flame": MP 35 (1 die left).',
    ),
    (
        e.Rested(
            "ana", Length.LONG, True, replace(DICED, hp=24, sp=19, sp_dice=3), DICED, Status.OK
        ),
        "{ana} takes a long rest with medical care and gets back 2 HP, 25 SP and 1 SP die:"
        " HP 26, SP 44 (4 dice left), MP 37 (2 dice left).",
    ),
    (
        e.Rested("ana", Length.REST, False, LESS, replace(A, hp=13), Status.HURT),
        "{ana} takes a rest and gets back 12 SP: HP 13, SP 36, MP 33, hurt.",
    ),
    (
        e.Rested("ana", Length.REST, False, A, A, Status.OK),
        "{ana} takes a rest but gets nothing back: HP 26, SP 36, MP 33.",
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
    (is_now("ana", ConditionName.APHONIA, 2), "{ana} has aphonia for 2 rounds."),
    (e.ConditionTicked("ana", ConditionName.STUNNED, 2), "{ana} is stunned for 2 more rounds."),
    (e.ConditionTicked("ana", ConditionName.APHONIA, 1), "{ana} has aphonia for 1 more round."),
    (
        e.ConditionTicked("ana", ConditionName.STUNNED, 0),
        "{ana} is no longer stunned.",
        (Ticked("ana", "stunned", 0),),
    ),
    (
        e.ConditionLifted("ana", ConditionName.STUNNED, 2),
        "{ana} is no longer stunned.",
        (Ticked("ana", "stunned", 0, is_set=True),),
    ),
    (e.ConditionLifted("ana", ConditionName.APHONIA), "{ana} no longer has aphonia."),
    (e.TimePassed(60, 60, 1, Unit.MINUTE), "Time passes: 1 minute."),
    (e.TimePassed(18, 60, 3, Unit.ROUND), "Time passes: 3 rounds."),
    (e.TimePassed(500, 500), "That takes 8 minutes and 20 seconds."),
    (e.TimePassed(90_061, 90_061), "That takes 1 day, 1 hour, 1 minute and 1 second."),
    (SAFE, "The scene changes from tense to safe (as the example begins)."),
    (
        e.SceneSet(Scene.TENSE, Scene.TENSE, "something moved"),
        "The scene stays tense (something moved).",
    ),
    (
        left("ana", hp=3),
        "The GM changes {ana}'s HP from 26 to 3 (as the example begins), which leaves {ana} hurt.",
    ),
    (
        e.PoolAdjusted("ana", Gauge.SP, "a climb", A, replace(A, sp=20), Status.OK),
        "The GM changes {ana}'s SP from 36 to 20 (a climb).",
    ),
    (
        e.StatAdjusted("ana", STR, 11, 12, "a girdle", A, A, Status.OK),
        "The GM changes {ana}'s STR from 11 to 12 (a girdle).",
    ),
    (e.Retired("ana", "an inn of her own"), "{ana} leaves the story (an inn of her own)."),
    (
        opened("ana", threshold=16, aim="pick the lock"),
        'Pick the lock: {ana} has to make a "locks" check (DEX) against 16 (quite tough).',
    ),
    (
        e.CheckRolled("ana", SKILL, "locks", throw(9, 7), 16, True, "öffne das Schloss"),
        "Öffne das Schloss: {ana} rolls locks: 9 and 7 = 16, a success against 16 (quite tough).",
    ),
    (
        e.CheckRolled("ana", ABILITY, "STR", throw(9, 7), aim=" "),
        "{ana} rolls a STR check: 9 and 7 = 16.",
    ),
    (
        e.Taken("ana", ABILITY, "DEX", 13, (), 13, 1, aim="walk the wall"),
        "Walk the wall: {ana} takes 13 on a DEX check.",
    ),
    (
        e.CheckSettled("ana", ABILITY, "STR", False, Why.SURE, aim="jump to the moon"),
        "Jump to the moon: {ana} cannot pass the STR check: even the highest roll is too low.",
    ),
    (
        e.CheckSettled("ana", ABILITY, "STR", True, Why.UNOPPOSED, against="ben"),
        "{ben} cannot oppose {ana}, who passes the STR check.",
    ),
    (
        replace(has_hit(), aim="drive him off"),
        "Drive him off: {ana} attacks {ben} (sword): 9 and 8 = 17, +1 Base = 18,"
        " a hit against HiT 10.",
    ),
    (ANNOUNCED, "{ana} is about to attack {ben} (sword)."),
    (
        replace(ANNOUNCED, aim="a feint"),
        "A feint: {ana} is about to attack {ben} (sword).",
    ),
    (e.AttackTermsSet("ana"), "The GM lets {ana}'s attack go ahead as announced."),
    (
        e.AttackTermsSet("ana", DISADVANTAGE, -2, 4, "fog"),
        "The GM sets terms for {ana}'s attack: disadvantage, -2 to hit"
        " and +4 to the target's HiT (fog).",
    ),
    (
        e.AttackTermsSet("ana", ADVANTAGE, 0, 0),
        "The GM sets terms for {ana}'s attack: advantage.",
    ),
    (
        e.AttackTermsSet("ana", bonus=0, reason="the fog lifts"),
        "The GM sets no bonus or penalty for {ana}'s attack (the fog lifts).",
    ),
    (
        e.AttackTermsSet("ana", cover=0),
        "The GM sets no bonus or penalty for {ana}'s attack.",
    ),
    (
        e.AttackTermsSet("ana", PLAIN),
        "The GM sets terms for {ana}'s attack: no advantage or disadvantage.",
    ),
    (
        e.AttackRuled("ana", "ben", SWORD, True, "he sleeps"),
        "The GM rules that {ana} hits {ben} (sword): he sleeps.",
        (Settled("ana", "attack", "success"),),
    ),
    (
        e.AttackRuled("ana", "ben", SWORD, False, "out of reach", "a feint"),
        "A feint: the GM rules that {ana} misses {ben} (sword): out of reach.",
        (Settled("ana", "attack", "failure"),),
    ),
    (
        e.DamageRolled("ana", "ben", 8, (5,), 2, True, 5, "sword", (Term("STR", 3),), "no blood"),
        "No blood: {ana} rolls damage against {ben} (sword): 1d8 (5) +2 +3 STR = 10, halved to 5.",
    ),
    (
        e.DamageRolled("ana", "ben", 2, (), 1, False, 4, "strike", (Term("STR", 3),)),
        "{ana} deals {ben} 4 damage (strike): 1 +3 STR = 4.",
    ),
    (
        modifier(2, applies=Applies.DAMAGE),
        '"luck" gives {ana} +2 to damage (natural circumstance bonus).',
    ),
    (
        e.Rested("ana", Length.REST, False, A, A, Status.OK, 3600, 3600),
        "{ana} takes a rest but gets nothing back: HP 26, SP 36, MP 33.",
    ),
    (e.TimePassed(86_400, 86_400), "That takes 1 day."),
    (
        tied(TiedGrant(ADVANTAGE, RollPurpose.ATTACK, "sword", "ben")),
        "{ana} has advantage on the next sword attack against {ben} (height).",
    ),
    (
        tied(TiedGrant(ADVANTAGE, RollPurpose.SAVE, "DEX")),
        "{ana} has advantage on the next DEX save (height).",
    ),
    (
        tied(TiedGrant(DISADVANTAGE, RollPurpose.SKILL), twist=DISADVANTAGE),
        "{ana} has disadvantage on the next skill check (height).",
    ),
    (
        replace(is_now("ana", ConditionName.PRONE), condition="on fire", note="1d6 a round"),
        "{ana} is on fire (1d6 a round).",
        (),
    ),
    (hexed("ana", 3), "{ana} is hexed for 3 rounds.", (Ticked("ana", "hexed", 3, is_set=True),)),
    (hexed("ana", minutes=1), "{ana} is hexed for 1 minute.", ()),
    (e.ConditionTicked("ana", "hexed", minutes=9), "{ana} is hexed for 9 more minutes.", ()),
    (hexed("ana", minutes=120), "{ana} is hexed for 2 hours.", ()),
    (
        e.ConditionTicked("ana", "hexed", minutes=470),
        "{ana} is hexed for another 7 hours and 50 minutes.",
        (),
    ),
    (e.ConditionTicked("ana", "hexed", minutes=0), "{ana} is no longer hexed.", ()),
    (
        e.ConditionEnded("ana", "hexed", "the moth is free", 2),
        "{ana} is no longer hexed (the moth is free).",
        (Ticked("ana", "hexed", 0, is_set=True),),
    ),
    (
        e.ConditionEnded("ana", "aphonia", "a song"),
        "{ana} no longer has aphonia (a song).",
        (),
    ),
]
