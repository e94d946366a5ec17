"""What is played in a session of each game: by whom, which command, and how its form is filled in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec.structs import fields

from domain.ruleset import AnyRuleset
from tests.support.example import kind

Value = str | int | bool | tuple[str, ...]


class Step(NamedTuple):
    """A command of the game's: by whom, how its form is filled in, and the faces of real dice."""

    by: str
    kind: str
    says: Mapping[str, Value]
    faces: tuple[int, ...]


def does(by: str, kind: str, /, *faces: int, **says: Value) -> Step:
    return Step(by, kind, says, faces)


class Tap(NamedTuple):
    """A press on something of a character's card, such as a bar or "+", and then on a choice beside it.

    Without a character, it is a counter of the table.
    """

    by: str
    name: str
    on: str
    choice: str


class Turn(NamedTuple):
    """One player's: what comes before the roll, the roll, and what ends it."""

    ready: tuple[Step, ...]
    roll: Step
    over: tuple[Step, ...]


class Plot(NamedTuple):
    """What is played in this order; Ben's roll is undone and comes back, and the secret begins with a roll.

    `ticks` and `choices` are the options of the session by their labels on the page. `rest` and `taps` are the main
    actions that the others leave.
    """

    ticks: tuple[str, ...]
    choices: Mapping[str, str]
    bring: tuple[Step, ...]
    ana: Turn
    ben: Turn
    secret: tuple[Step, ...]
    rest: tuple[Step, ...]
    taps: tuple[Tap, ...]


SHEET = {
    "fansys": (
        "TrainDice",
        "LearnSkill",
        "SetProficiency",
        "LearnAttack",
        "Equip",
        "SetSpeed",
        "SetDefence",
        "SetModifier",
    )
}
"""By game, commands that only write the sheet of a character. A session need not contain them."""


def main_actions(ruleset: AnyRuleset) -> set[str]:
    """Return the commands that a session has to contain.

    These are all but the overrides and what only writes the sheet, and those beside bars, conditions and dice.
    """
    plain = {
        kind(command)
        for command in ruleset.commands
        if not any(field.name == "reason" and field.required for field in fields(command))
    }
    controls = ruleset.controls
    beside = (*controls.pools, *controls.conditions, *controls.rolls)
    sheet = {f"{ruleset.name}.{name}" for name in SHEET.get(ruleset.name, ())}
    return plain - sheet | {control.command for control in beside}


LESS = "\N{MINUS SIGN}1"

PLOTS = {
    "open": Plot(
        ticks=(),
        choices={},
        bring=(
            does("p1", "CreateCharacter", entity="nora", name="Nora Vane"),
            does("p1", "SetBar", entity="nora", name="HP", now=9, max=12),
            does("p2", "CreateCharacter", entity="elmo", name="Elmo Wick"),
            does("p2", "SaveRoll", entity="elmo", name="longsword", notation="1d20+5"),
            does("gm", "CreateCharacter", entity="tooth", name="Old Tooth"),
        ),
        ana=Turn(
            ready=(),
            roll=does("p1", "Roll", entity="nora", notation="4d6+2"),
            over=(does("p1", "ChangeBar", entity="nora", name="HP", by=-1),),
        ),
        ben=Turn(
            ready=(),
            roll=does("p2", "Roll", entity="elmo", name="longsword"),
            over=(does("gm", "SetCondition", entity="tooth", name="bleeding", rounds=2),),
        ),
        secret=(does("gm", "Roll", entity="tooth", notation="1d20+4"),),
        rest=(
            does("p1", "SetNumber", entity="nora", name="armour class", value=14),
            does("gm", "SetBar", entity="tooth", name="HP", now=26, max=26),
            does("p1", "RollInitiative", entity="nora", notation="1d20+1"),
            does("gm", "SetInitiative", entity="tooth", value=5),
            does("gm", "NextTurn"),
            does("gm", "EndInitiative"),
            does("gm", "EndRound"),
            does("p2", "SetCondition", entity="elmo", name="torch in hand", minutes=60),
            does("gm", "PassMinutes", minutes=10),
            does("p2", "EndCondition", entity="elmo", name="torch in hand"),
            does("gm", "CreateDeck", name="The omens", cards=("the Crow", "the Ford", "the Mill")),
            does("p2", "DrawCards", 1, 2, deck="the-omens", number=2, entity="elmo"),
            does("p2", "Discard", deck="the-omens", cards=("the Crow",)),
            does("p2", "ReturnCards", deck="the-omens", cards=("the Ford",)),
            does("gm", "Shuffle", deck="the-omens"),
            does("gm", "SetCounter", name="alarm", value=2),
            does("gm", "AddToCounter", name="alarm", by=1),
            does("p1", "Note", title="A letter", text="No flour since Monday."),
            does("gm", "Remove", entity="tooth"),
        ),
        taps=(
            Tap("p1", "Nora Vane", "HP", LESS),
            Tap("gm", "", "alarm", "+1"),
            Tap("p1", "Nora Vane", "+", "Prone"),
            Tap("p1", "Nora Vane", "Prone", "End Prone"),
        ),
    ),
    "dhextiny": Plot(
        ticks=(),
        choices={},
        bring=(
            does("p1", "CreatePc", entity="ana", name="Ana Vell"),
            does("p1", "RollAbilities", entity="ana"),
            does("p1", "NameAbility", entity="ana", ability="sneaking"),
            does("p2", "CreatePc", entity="ben", name="Ben Orrin"),
            does("gm", "CreateCreature", entity="rats", name="The rat swarm", lp=9),
        ),
        ana=Turn(
            ready=(),
            roll=does("p1", "Check", 1, entity="ana", ability="sneaking"),
            over=(
                does("p1", "AlterToF", entity="ana", ability="sneaking"),
                does("p1", "Settle", entity="ana"),
            ),
        ),
        ben=Turn(
            ready=(),
            roll=does("p2", "Attack", entity="ben", target="rats"),
            over=(does("p2", "Settle", entity="ben"),),
        ),
        secret=(does("gm", "Check", entity="rats"), does("gm", "Settle", entity="rats")),
        rest=(
            does("gm", "CreateNpc", entity="tobin", name="Tobin the watchman"),
            does("gm", "CheckAside", entity="tobin"),
            does("p1", "Check", entity="ana", ability="sneaking"),
            does("p1", "Alter", entity="ana", ability="sneaking", steps=1),
            does("p1", "Settle", entity="ana"),
            does("gm", "Interpret", entity="ana", text="Nobody looks up."),
            does("gm", "SetAflame", entity="ben"),
            does("gm", "Burn", entity="ben", points=1),
            does("p1", "PutOut", entity="ana", target="ben", ability="sneaking"),
            does("p1", "Settle", entity="ana"),
            does("gm", "SetCondition", entity="ben", name="singed", rounds=2),
            does("gm", "EndRound"),
            does("gm", "SetCondition", entity="tobin", name="coughing", minutes=10),
            does("gm", "PassMinutes", minutes=10),
            does("gm", "Rest", entity="ben"),
            does("gm", "RestAll"),
            does("gm", "AdjustLp", entity="ana", lp=0, reason="the lintel comes down on her"),
            does("p1", "DeathCheck", entity="ana"),
        ),
        taps=(
            Tap("gm", "Ben Orrin", "LP", LESS),
            Tap("gm", "Ben Orrin", "LP", "+1"),
            Tap("gm", "Ben Orrin", "AP", LESS),
            Tap("gm", "Ben Orrin", "+", "Prone"),
            Tap("gm", "Ben Orrin", "Prone", "End Prone"),
        ),
    ),
    "pentola": Plot(
        ticks=("Count hit points",),
        choices={},
        bring=(
            does("p1", "CreatePc", entity="vesna", name="Vesna Tarrow", body=11, intellect=14),
            does("p1", "AddBonus", entity="vesna", bonus="locks", source="skill", percent=38),
            does("p2", "CreatePc", entity="otho", name="Otho Grill", body=15, intellect=9),
            does("p2", "AddItem", entity="otho", item="ripe cheese", die="d20"),
            does("p2", "UseItem", entity="otho", item="ripe cheese"),
            does("gm", "CreateNpc", entity="captain", name="Captain Sforzo", body=13, intellect=12),
        ),
        ana=Turn(
            ready=(
                does("p1", "DeclareIntent", entity="vesna", intent="open the postern", approach="with two picks"),
                does("gm", "CallTest", entity="vesna", characteristic="INT", difficulty="normal"),
            ),
            roll=does("p1", "RollTest", entity="vesna", bonuses=("locks",)),
            over=(),
        ),
        ben=Turn(
            ready=(
                does("p2", "DeclareIntent", entity="otho", intent="be let in", approach="as the man with the cheese"),
                does("gm", "CallTest", entity="otho", characteristic="INT", difficulty="easy"),
                does(
                    "gm", "Oppose", entity="otho", opponent="captain", characteristic="INT", difficulty="normal"
                ),
            ),
            roll=does("p2", "RollTest", entity="otho"),
            over=(does("gm", "RollTest", entity="captain"),),
        ),
        secret=(does("gm", "RollUsage", entity="otho", item="ripe cheese"),),
        rest=(
            does("gm", "CreateThing", entity="belfry", name="The belfry"),
            does("gm", "SetDistance", entity="otho", other="belfry", distance="near"),
            does("p1", "AddAbility", entity="vesna", ability="hush", die="d12"),
            does("p1", "UseAbility", entity="vesna", ability="hush"),
            does("p2", "AddItem", entity="otho", item="rope", die="d8"),
            does("p2", "GiveItem", entity="otho", item="rope", to="vesna"),
            does("p2", "UseItem", entity="otho", item="ripe cheese"),
            does("gm", "PassMinute"),
            does("p1", "DeclareIntent", entity="vesna", intent="get past the chain"),
            does("p1", "ExplainApproach", entity="vesna", approach="lift it with an oar"),
            does("gm", "RuleAutomatic", entity="vesna", finding="cannot fail"),
            does("p2", "DeclareIntent", entity="otho", intent="slip in behind her"),
            does("p2", "Withdraw", entity="otho"),
            does("gm", "DemandTest", entity="vesna", characteristic="BOD", difficulty="hard"),
            does("gm", "RuleBonus", entity="vesna", bonus="locks", applies=False),
            does("p1", "RollTest", entity="vesna"),
            does("gm", "StartMoment", entities=("vesna", "otho", "captain")),
            does("gm", "SetInitiative", entity="captain", difficulty="easy"),
            does("p1", "RollInitiative", 40, entity="vesna"),
            does("p2", "RollInitiative", 70, entity="otho"),
            does("gm", "RollRest", 95),
            does("p2", "DeclareMove", entity="otho", target="belfry"),
            does("p2", "DeclareAction", entity="otho", intent="take his hat", approach="a lunge"),
            does("p2", "EndDeclaration", entity="otho"),
            does("gm", "DeclareReaction", entity="captain", approach="parry", against="otho"),
            does("gm", "EndDeclaration", entity="captain"),
            does("p1", "DeclareReaction", entity="vesna", approach="a tile at his feet", against="otho"),
            does("p1", "EndDeclaration", entity="vesna"),
            does("p1", "DropReaction", entity="vesna"),
            does("gm", "SetCondition", entity="vesna", name="out of breath", rounds=1),
        ),
        taps=(
            Tap("gm", "Otho Grill", "HP", LESS),
            Tap("gm", "Otho Grill", "HP", "+1"),
            Tap("gm", "Otho Grill", "+", "Prone"),
            Tap("gm", "Otho Grill", "Prone", "End Prone"),
        ),
    ),
    "deckahedron": Plot(
        ticks=(),
        choices={"Tied cards": "player", "Stamina mode": "heroic"},
        bring=(
            does("p1", "CreateCharacter", entity="ida", name="Ida Fenn"),
            does("p1", "DistributeRanks", entity="ida", strength=4, dexterity=1, intelligence=1),
            does("p2", "CreateCharacter", entity="pim", name="Pim Tallow"),
            does("p2", "DistributeRanks", entity="pim", strength=1, dexterity=3, intelligence=2),
            does("p2", "Introduce", entity="pim", motivation="to be home before the rain"),
        ),
        ana=Turn(
            ready=(
                does("p1", "Attempt", entity="ida", aim="lift the gate out of its track"),
                does("gm", "SetDifficulty", entity="ida", stat="Strength", difficulty="difficult"),
            ),
            roll=does("p1", "Flip", entity="ida"),
            over=(does("gm", "Interpret", entity="ida", text="It moves by the width of a hand."),),
        ),
        ben=Turn(
            ready=(
                does("p2", "Attempt", entity="pim", aim="look round the corner unseen"),
                does("gm", "SetDifficulty", entity="pim", stat="Dexterity", difficulty="standard"),
            ),
            roll=does("p2", "Flip", entity="pim"),
            over=(does("gm", "Interpret", entity="pim", text="There is a second corner."),),
        ),
        secret=(does("gm", "FlipNumber", entity="pim", number="d4"),),
        rest=(
            does("gm", "CreateNpc", entity="guard", name="The last guard"),
            does("p2", "Attempt", entity="pim", aim="walk through the little door"),
            does("gm", "TellOutcome", entity="pim", text="It is not locked."),
            does("p2", "Attempt", entity="pim", aim="climb the drainpipe"),
            does("p2", "Withdraw", entity="pim"),
            does("gm", "OpenTurn", entity="pim"),
            does("p2", "EndTurn", entity="pim"),
            does("p1", "Reshuffle", entity="ida"),
            does("p1", "Attempt", entity="ida", aim="take the door with her"),
            does("gm", "SetDifficulty", entity="ida", stat="Strength", difficulty="easy"),
            does("p1", "Flip", 12, 11, entity="ida"),
            does("p1", "Choose", entity="ida", card=11),
            does("gm", "Interpret", entity="ida", text="The door comes along."),
            does("p2", "LoseStamina", entity="pim", points=2),
            does("gm", "TakeInjury", entity="pim", injury="harm"),
            does("gm", "SetDifficulty", entity="pim", stat="Dexterity", difficulty="easy"),
            does("p2", "Flip", entity="pim"),
            does("p2", "TakeBreather", entity="pim"),
            does("gm", "Interpret", entity="pim", text="He sits down on the stair."),
            does("gm", "Recover", entity="pim", recovery="rest"),
            does("gm", "SetCounter", entity="pim", counter="crisps", value=2),
            does("gm", "SetCondition", entity="guard", name="winded", rounds=2),
            does("gm", "EndRound"),
            does("gm", "SetCondition", entity="pim", name="dusty", minutes=10),
            does("gm", "PassMinutes", minutes=10),
        ),
        taps=(
            Tap("gm", "Pim Tallow", "stamina", LESS),
            Tap("gm", "Pim Tallow", "harm", "+1"),
            Tap("gm", "Pim Tallow", "wounds", "+1"),
            Tap("gm", "Pim Tallow", "crisps", "+1"),
            Tap("gm", "Pim Tallow", "+", "Prone"),
            Tap("gm", "Pim Tallow", "Prone", "End Prone"),
        ),
    ),
    "kingdoms": Plot(
        ticks=("Stats added by players",),
        choices={},
        bring=(
            does("p1", "CreatePc", entity="ilse", name="Ilse of Ost", con=2, cha=4),
            does("p1", "NameStat", entity="ilse", stat="heraldry", value=2),
            does("gm", "ApproveStats", entity="ilse"),
            does("p2", "CreatePc", entity="bodo", name="Sir Bodo", con=3, cha=1),
            does("gm", "CreateNpc", entity="toll", name="Pribis the toll-keeper", con=2, cha=2),
            does("gm", "NameStat", entity="toll", stat="patience", value=5),
        ),
        ana=Turn(
            ready=(
                does("gm", "DeclareTest", entity="ilse", test="basic", stats=("CHA", "heraldry")),
                does("p1", "AssemblePool", entity="ilse"),
                does("gm", "SetDt", entity="ilse", dt=5),
            ),
            roll=does("p1", "RollTest", entity="ilse"),
            over=(does("gm", "Interpret", entity="ilse", text="He greets her by a title, if not by hers."),),
        ),
        ben=Turn(
            ready=(
                does("gm", "DeclareTest", entity="bodo", test="basic", stats=("CON",)),
                does("p2", "AssemblePool", entity="bodo"),
                does("gm", "DetermineDt", entity="bodo", opponent="toll", stats=("CHA",)),
            ),
            roll=does("p2", "RollTest", entity="bodo"),
            over=(does("gm", "Interpret", entity="bodo", text="The stamp comes down, somewhere."),),
        ),
        secret=(does("gm", "RollDice", entity="toll", dice=3, sides=6, purpose="the toll, in silver"),),
        rest=(
            does("gm", "DeclareTest", entity="ilse", test="extended", stats=("CHA",), refill="CHA"),
            does("gm", "GrantDice", entity="ilse", source="the King's letter", dice=2),
            does("p1", "AssemblePool", entity="ilse"),
            does("gm", "ComputeDt", entity="ilse", constant=8, less=("heraldry",)),
            does("p1", "RollTest", entity="ilse"),
            does("gm", "Interpret", entity="ilse", text="He is listening."),
            does("gm", "EndTest", entity="ilse"),
            does("gm", "RunBasicTest", entity="toll", stats=("CHA",), dt=5),
            does("gm", "SetCondition", entity="bodo", name="visor down", rounds=2),
            does("gm", "EndRound"),
            does("gm", "SetCondition", entity="toll", name="hungry", minutes=10),
            does("gm", "PassMinutes", minutes=10),
            does("gm", "DeclareTest", entity="bodo", test="extended", stats=("CON",), refill="CHA"),
            does("p2", "AssemblePool", entity="bodo"),
        ),
        taps=(
            Tap("gm", "Sir Bodo", "d12", "+1"),
            Tap("gm", "Sir Bodo", "+", "Prone"),
            Tap("gm", "Sir Bodo", "Prone", "End Prone"),
        ),
    ),
    "fansys": Plot(
        ticks=(),
        choices={},
        bring=(
            does(
                "p1", "Create", entity="anneke", name="Anneke Stonewall", level=6, strength=16, dexterity=12,
                constitution=14, intelligence=10, wisdom=11, charisma=12, sp_dice=12, mp_dice=0,
                entity_type="humanoid", race="highlander", size="medium",
            ),
            does(
                "p2", "Create", entity="bo", name="Bo Halfpenny", level=6, strength=11, dexterity=16,
                constitution=12, intelligence=13, wisdom=12, charisma=10, sp_dice=10, mp_dice=2,
                entity_type="humanoid", race="lowlander", size="small",
            ),
            does("p2", "LearnSkill", entity="bo", skill="stealth", points=2, stat="DEX"),
            does("gm", "SetScene", scene="safe", reason="the last inn before the pass, by daylight"),
        ),
        ana=Turn(
            ready=(
                does("p1", "OpenCheck", entity="anneke", stat="STR"),
                does("gm", "SetTerms", entity="anneke", threshold=14),
            ),
            roll=does("p1", "Roll", entity="anneke"),
            over=(),
        ),
        ben=Turn(
            ready=(
                does("gm", "Oppose", keeper="bo", challenger="anneke", keeper_skill="stealth", challenger_stat="WIS"),
            ),
            roll=does("p2", "Roll", entity="bo"),
            over=(does("p1", "Roll", entity="anneke"),),
        ),
        secret=(
            does(
                "gm", "Harm", entity="bo", nature="natural", points=0, cause="a loose stone", dice=1, sides=2,
            ),
        ),
        rest=(
            does("gm", "OpenCheck", entity="anneke", stat="CON", threshold=8),
            does("gm", "SetTerms", entity="anneke", routine=True),
            does("p1", "Take", entity="anneke", number="13"),
            does("p2", "SetSpeed", entity="bo", mode="walk", speed=30),
            does("gm", "SetScene", scene="combat", reason="a sow in the yard"),
            does("gm", "Create", entity="sow", name="The old sow", level=4, strength=18, dexterity=10, constitution=16, intelligence=2, wisdom=12, charisma=6, sp_dice=12, mp_dice=0, entity_type="beast", race="pig", size="large"),
            does("gm", "OpenSave", entity="bo", save="DEX", threshold=14),
            does("p2", "FailWillingly", entity="bo"),
            does("p1", "Attack", 12, 11, entity="anneke", target="sow"),
            does("p1", "RollDamage", entity="anneke"),
            does("p1", "AnnounceAttack", entity="anneke", target="sow"),
            does("gm", "SetAttackTerms", entity="anneke", cover=2),
            does("p1", "RollAttack", entity="anneke"),
            does("gm", "ForceSave", entity="sow", target="bo", nature="natural", stat="STR", save="DEX"),
            does("p2", "Roll", entity="bo"),
            does("p2", "Move", entity="bo", mode="walk", distance=5),
            does("p1", "SpendDice", entity="anneke", energy="SP", dice=1, ability="second wind"),
            does("gm", "SetCondition", entity="bo", condition="prone", rounds=2),
            does("gm", "LiftCondition", entity="bo", condition="prone"),
            does("gm", "PassTime", amount=1, unit="round"),
            does("gm", "Rest", entity="anneke", length="rest"),
        ),
        taps=(
            Tap("gm", "Anneke Stonewall", "SP dice", LESS),
            Tap("gm", "Anneke Stonewall", "HP", LESS),
            Tap("gm", "Anneke Stonewall", "+", "prone"),
            Tap("gm", "Anneke Stonewall", "prone", "End prone (C)"),
        ),
    ),
}  # fmt: skip
"""By game. Whatever the rolls give, each step is possible."""
