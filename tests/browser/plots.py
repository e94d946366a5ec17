"""What is played in a short evening of each game: by whom, which command, and how its form is filled in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

Value = str | int | bool | tuple[str, ...]


class Step(NamedTuple):
    """A command of the game's: by whom, and how the fields of its form are filled in."""

    by: str
    kind: str
    says: Mapping[str, Value]
    rolls: bool


def does(by: str, kind: str, /, **says: Value) -> Step:
    return Step(by, kind, says, rolls=False)


def rolls(by: str, kind: str, /, **says: Value) -> Step:
    """The same of a command that asks for chance."""
    return Step(by, kind, says, rolls=True)


class Turn(NamedTuple):
    """One player's: what comes before the roll, the roll, and what ends it."""

    ready: tuple[Step, ...]
    roll: Step
    over: tuple[Step, ...]


class Plot(NamedTuple):
    """Ana's turn is played twice; of Ben's the roll is undone and comes back; the GM's secret begins with a roll."""

    bring: tuple[Step, ...]
    ana: Turn
    ben: Turn
    secret: tuple[Step, ...]


PLOTS = {
    "open": Plot(
        bring=(
            does("p1", "CreateCharacter", entity="nora", name="Nora Vane"),
            does("p1", "SetBar", entity="nora", name="HP", now=9, max=12),
            does("p2", "CreateCharacter", entity="elmo", name="Elmo Wick"),
            does("p2", "SaveRoll", entity="elmo", name="longsword", notation="1d20+5"),
            does("gm", "CreateCharacter", entity="tooth", name="Old Tooth"),
        ),
        ana=Turn(
            ready=(),
            roll=rolls("p1", "Roll", entity="nora", notation="4d6+2"),
            over=(does("p1", "ChangeBar", entity="nora", name="HP", by=-1),),
        ),
        ben=Turn(
            ready=(),
            roll=rolls("p2", "Roll", entity="elmo", name="longsword"),
            over=(does("gm", "SetCondition", entity="tooth", name="bleeding", rounds=2),),
        ),
        secret=(rolls("gm", "Roll", entity="tooth", notation="1d20+4"),),
    ),
    "dhextiny": Plot(
        bring=(
            does("p1", "CreatePc", entity="ana", name="Ana Vell"),
            rolls("p1", "RollAbilities", entity="ana"),
            does("p1", "NameAbility", entity="ana", ability="sneaking"),
            does("p2", "CreatePc", entity="ben", name="Ben Orrin"),
            does("gm", "CreateCreature", entity="rats", name="The rat swarm", lp=9),
        ),
        ana=Turn(
            ready=(),
            roll=rolls("p1", "Check", entity="ana", ability="sneaking"),
            over=(
                does("p1", "Alter", entity="ana", steps=1),
                does("p1", "Settle", entity="ana"),
            ),
        ),
        ben=Turn(
            ready=(),
            roll=rolls("p2", "Attack", entity="ben", target="rats"),
            over=(does("p2", "Settle", entity="ben"),),
        ),
        secret=(rolls("gm", "Check", entity="rats"), does("gm", "Settle", entity="rats")),
    ),
    "pentola": Plot(
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
            roll=rolls("p1", "RollTest", entity="vesna", bonuses=("locks",)),
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
            roll=rolls("p2", "RollTest", entity="otho"),
            over=(rolls("gm", "RollTest", entity="captain"),),
        ),
        secret=(rolls("gm", "RollUsage", entity="otho", item="ripe cheese"),),
    ),
    "deckahedron": Plot(
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
            roll=rolls("p1", "Flip", entity="ida"),
            over=(does("gm", "Interpret", entity="ida", text="It moves by the width of a hand."),),
        ),
        ben=Turn(
            ready=(
                does("p2", "Attempt", entity="pim", aim="look round the corner unseen"),
                does("gm", "SetDifficulty", entity="pim", stat="Dexterity", difficulty="standard"),
            ),
            roll=rolls("p2", "Flip", entity="pim"),
            over=(does("gm", "Interpret", entity="pim", text="There is a second corner."),),
        ),
        secret=(rolls("gm", "FlipNumber", entity="pim", number="d4"),),
    ),
    "kingdoms": Plot(
        bring=(
            does("p1", "CreatePc", entity="ilse", name="Ilse of Ost", con=2, cha=4),
            does("p1", "NameStat", entity="ilse", stat="heraldry", value=2),
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
            roll=rolls("p1", "RollTest", entity="ilse"),
            over=(does("gm", "Interpret", entity="ilse", text="He greets her by a title, if not by hers."),),
        ),
        ben=Turn(
            ready=(
                does("gm", "DeclareTest", entity="bodo", test="basic", stats=("CON",)),
                does("p2", "AssemblePool", entity="bodo"),
                does("gm", "DetermineDt", entity="bodo", opponent="toll", stats=("CHA",)),
            ),
            roll=rolls("p2", "RollTest", entity="bodo"),
            over=(does("gm", "Interpret", entity="bodo", text="The stamp comes down, somewhere."),),
        ),
        secret=(rolls("gm", "RollDice", entity="toll", dice=3, sides=6, purpose="the toll, in silver"),),
    ),
    "fansys": Plot(
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
            roll=rolls("p1", "Roll", entity="anneke"),
            over=(),
        ),
        ben=Turn(
            ready=(
                does("gm", "Oppose", keeper="bo", challenger="anneke", keeper_skill="stealth", challenger_stat="WIS"),
            ),
            roll=rolls("p2", "Roll", entity="bo"),
            over=(rolls("p1", "Roll", entity="anneke"),),
        ),
        secret=(
            rolls(
                "gm", "Harm", entity="bo", nature="natural", points=0, cause="a loose stone", dice=1, sides=2,
            ),
        ),
    ),
}  # fmt: skip
"""By game. Whatever the rolls give, each step is possible."""
