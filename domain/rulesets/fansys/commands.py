"""Commands of FanSys and the limits of their fields.

JSON schemas, forms and command-line options are generated from these classes.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.equipment import Item
from domain.rulesets.fansys.rules.modifiers import Condition
from domain.rulesets.fansys.rules.vocabulary import (
    Applies,
    Energy,
    Gauge,
    Layer,
    Length,
    Mode,
    Nature,
    Part,
    Reach,
    Scene,
    Size,
    Source,
    Stat,
    Taking,
    Unit,
)

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # `$` alone would also match before a final line break
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"

NewEntityId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="a new id: a lowercase letter, then lowercase letters, digits, hyphens",
    ),
]
EntityId = Annotated[str, Meta(pattern=ID, description="the entity's id", extra={"of": "entity"})]
TargetId = Annotated[
    str, Meta(pattern=ID, description="the target entity's id", extra={"of": "entity"})
]
SeatId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="the seat that plays the PC; absent: the GM plays an NPC",
        extra={"of": "seat"},
    ),
]
Name = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="the name shown to everyone")
]
Reason = Annotated[
    str,
    Meta(
        min_length=1, max_length=200, pattern=TEXT, description="the reason, which the log records"
    ),
]
NewThing = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="a name of your choice")
]
SkillName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="the skill's name",
        extra={"of": "ability"},
    ),
]
AttackName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="the name of an attack on the sheet",
        extra={"of": "ability"},
    ),
]
SomeStat = Annotated[Stat, Meta(description="the stat")]
SecondStat = Annotated[Stat, Meta(description="a second stat; the bonus uses the mean of both")]
ValidSave = Annotated[Stat, Meta(description="the stat to save with")]
SecondSave = Annotated[Stat, Meta(description="another stat; the saving entity chooses one")]
Score = Annotated[int, Meta(ge=0, le=60, description="the stat's score; 0 if the stat is missing")]
Threshold = Annotated[
    int, Meta(ge=-50, le=200, description="the total to reach (12 is fairly tough)")
]
Owned = Annotated[int, Meta(ge=0, le=360, description="number of dice owned, including spent dice")]
SomeEnergy = Annotated[Energy, Meta(description="SP or MP")]
SomeNature = Annotated[
    Nature, Meta(description="natural (absorbed by SP) or supernatural (absorbed by MP)")
]
DamageDice = Annotated[int, Meta(ge=0, le=20, description="number of damage dice")]
Sides = Annotated[int, Meta(ge=2, le=20, description="sides of each damage die")]
Spiritual = Annotated[
    bool, Meta(description="whether it harms beings without a physical form; absent: no")
]


class Create(Message, frozen=True, tag="fansys.Create"):
    """Create a character with full pools: a player creates a PC, the GM an NPC."""

    entity: NewEntityId
    name: Name
    level: Annotated[int, Meta(ge=1, le=100, description="character level")]
    strength: Score
    dexterity: Score
    constitution: Score
    intelligence: Score
    wisdom: Score
    charisma: Score
    sp_dice: Owned
    mp_dice: Owned
    entity_type: NewThing
    race: NewThing
    size: Annotated[Size, Meta(description="size category")]
    bodiless: (
        Annotated[
            bool,
            Meta(description="whether it lacks a physical form (STR, DEX, CON are 0); absent: no"),
        ]
        | UnsetType
    ) = UNSET
    mindless: (
        Annotated[bool, Meta(description="whether it is mindless; absent: no")] | UnsetType
    ) = UNSET
    looks: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=200,
                pattern=TEXT,
                description="appearance and voice, which have no effect on play",
            ),
        ]
        | UnsetType
    ) = UNSET


class HandOver(Message, frozen=True, tag="fansys.HandOver"):
    """Assign a character to a seat as a PC, or return it to the GM as an NPC."""

    entity: EntityId
    reason: Reason
    seat: SeatId | UnsetType = UNSET


class LevelUp(Message, frozen=True, tag="fansys.LevelUp"):
    """Raise a character by one level."""

    entity: EntityId
    reason: Reason


class TrainDice(Message, frozen=True, tag="fansys.TrainDice"):
    """Set how many SP or MP dice a character owns, up to its capacity."""

    entity: EntityId
    energy: SomeEnergy
    owned: Owned


class LearnSkill(Message, frozen=True, tag="fansys.LearnSkill"):
    """Add a skill to a character's sheet, or replace one with the same name."""

    entity: EntityId
    skill: NewThing
    points: Annotated[int, Meta(ge=0, le=50, description="skill points, at most half the level")]
    stat: SomeStat
    second_stat: SecondStat | UnsetType = UNSET
    background: (
        Annotated[bool, Meta(description="whether it is a background skill; absent: no")]
        | UnsetType
    ) = UNSET


class SetProficiency(Message, frozen=True, tag="fansys.SetProficiency"):
    """Add or remove a proficiency; each save's proficiency is named after its stat."""

    entity: EntityId
    proficiency: NewThing
    known: Annotated[bool, Meta(description="whether the character is proficient")]


class LearnAttack(Message, frozen=True, tag="fansys.LearnAttack"):
    """Add an attack to a character's sheet, or replace one with the same name."""

    entity: EntityId
    attack: NewThing
    stat: SomeStat
    nature: SomeNature
    reach: Annotated[Reach, Meta(description="melee or ranged")]
    dice: DamageDice
    sides: Sides
    bonus: Annotated[
        int, Meta(ge=-50, le=99, description="flat damage, added once to the damage dice")
    ]
    second_stat: SecondStat | UnsetType = UNSET
    proficiency: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=80,
                pattern=TEXT,
                description="the proficiency that applies; absent: the attack's own name",
            ),
        ]
        | UnsetType
    ) = UNSET
    spiritual: Spiritual | UnsetType = UNSET


class Equip(Message, frozen=True, tag="fansys.Equip"):
    """Equip a weapon or piece of armour from the tables in the game's repository."""

    entity: EntityId
    item: Annotated[Item, Meta(description="the weapon or armour")]
    two_hands: (
        Annotated[bool, Meta(description="whether the weapon is held in two hands; absent: no")]
        | UnsetType
    ) = UNSET


class SetSpeed(Message, frozen=True, tag="fansys.SetSpeed"):
    """Set a character's speed per round for one mode of movement."""

    entity: EntityId
    mode: Annotated[Mode, Meta(description="the mode of movement")]
    speed: Annotated[int, Meta(ge=0, le=9999, description="feet per round; 0 if impossible")]


class SetDefence(Message, frozen=True, tag="fansys.SetDefence"):
    """Set a bonus or penalty to one part of the hit threshold; 0 removes it."""

    entity: EntityId
    part: Annotated[Part, Meta(description="the part of the hit threshold")]
    layer: Annotated[
        Layer,
        Meta(description="static bonus, SP ability (added) or MP ability (replaces the part)"),
    ]
    source: NewThing
    bonus: Annotated[int, Meta(ge=-50, le=50, description="the bonus, or a penalty if negative")]


class SetModifier(Message, frozen=True, tag="fansys.SetModifier"):
    """Set a modifier for a character's rolls or save DC; 0 removes it."""

    entity: EntityId
    source: NewThing
    origin: Annotated[Source, Meta(description="the origin of the modifier")]
    nature: SomeNature
    type: NewThing
    applies: Annotated[Applies, Meta(description="the rolls that it modifies, or the save DC")]
    value: Annotated[int, Meta(ge=-50, le=50, description="the bonus, or a penalty if negative")]
    only: (
        Annotated[AttackName, Meta(description="the only skill, attack or stat that it applies to")]
        | UnsetType
    ) = UNSET


KeeperId = Annotated[
    str,
    Meta(pattern=ID, description="the side that defends the status quo", extra={"of": "entity"}),
]
ChallengerId = Annotated[
    str,
    Meta(pattern=ID, description="the side that challenges the status quo", extra={"of": "entity"}),
]
HiddenId = Annotated[
    str,
    Meta(
        pattern=ID, description="the hidden entity, if one side is hiding", extra={"of": "entity"}
    ),
]
Chosen = Annotated[Stat, Meta(description="the stat to save with; required if there are two")]
Routine = Annotated[bool, Meta(description="whether the task is routine, autonomous or habitual")]
MayYield = Annotated[bool, Meta(description="whether the entity may choose to fail a CHA save")]


class OpenCheck(Message, frozen=True, tag="fansys.OpenCheck"):
    """Open a skill or ability check; only the GM may set its threshold."""

    entity: EntityId
    skill: SkillName | UnsetType = UNSET
    stat: SomeStat | UnsetType = UNSET
    second_stat: SecondStat | UnsetType = UNSET
    threshold: Threshold | UnsetType = UNSET


class OpenSave(Message, frozen=True, tag="fansys.OpenSave"):
    """Open a save against a threshold, for example to avoid a trap."""

    entity: EntityId
    save: ValidSave
    threshold: Threshold
    second_save: SecondSave | UnsetType = UNSET


class SetTerms(Message, frozen=True, tag="fansys.SetTerms"):
    """Set the threshold and other terms of a check; omitted terms do not change."""

    entity: EntityId
    threshold: Threshold | UnsetType = UNSET
    routine: Routine | UnsetType = UNSET
    tries: (
        Annotated[
            int,
            Meta(ge=1, le=1000, description="how many tries the available time and material allow"),
        ]
        | UnsetType
    ) = UNSET
    seconds: (
        Annotated[int, Meta(ge=1, le=86_400, description="seconds that one try takes")] | UnsetType
    ) = UNSET
    may_yield: MayYield | UnsetType = UNSET


class ForceSave(Message, frozen=True, tag="fansys.ForceSave"):
    """Use an ability that makes the target save against the user's save DC."""

    entity: EntityId
    target: TargetId
    nature: SomeNature
    stat: SomeStat
    save: ValidSave
    second_save: SecondSave | UnsetType = UNSET


class Oppose(Message, frozen=True, tag="fansys.Oppose"):
    """Start an opposed check; the keeper of the status quo sets the threshold."""

    keeper: KeeperId
    challenger: ChallengerId
    keeper_skill: SkillName | UnsetType = UNSET
    challenger_skill: SkillName | UnsetType = UNSET
    hidden: HiddenId | UnsetType = UNSET
    static: (
        Annotated[
            bool, Meta(description="whether the keeper takes 13 + modifier; absent: only in combat")
        ]
        | UnsetType
    ) = UNSET
    keeper_stat: SomeStat | UnsetType = UNSET
    challenger_stat: SomeStat | UnsetType = UNSET


class Roll(Message, frozen=True, tag="fansys.Roll"):
    """Roll 2d12 for the entity's open check."""

    entity: EntityId
    stat: Chosen | UnsetType = UNSET


class Take(Message, frozen=True, tag="fansys.Take"):
    """Take 24, 20 or 13 as the dice result instead of rolling."""

    entity: EntityId
    number: Annotated[
        Taking, Meta(description="24 (uses 100 tries), 20 (uses 20 tries) or 13 (with care)")
    ]


class FailWillingly(Message, frozen=True, tag="fansys.FailWillingly"):
    """Fail the entity's open check on purpose, without a roll."""

    entity: EntityId
    stat: Chosen | UnsetType = UNSET


class RuleCheck(Message, frozen=True, tag="fansys.RuleCheck"):
    """Rule that an open check succeeds or fails without a roll."""

    entity: EntityId
    success: Annotated[bool, Meta(description="whether the check succeeds")]
    reason: Reason


class Drop(Message, frozen=True, tag="fansys.Drop"):
    """Cancel an entity's open check and its unrolled damage."""

    entity: EntityId
    reason: Reason


class Attack(Message, frozen=True, tag="fansys.Attack"):
    """Roll 2d12 to hit a target with an attack on the sheet or a bare-handed strike."""

    entity: EntityId
    target: TargetId
    attack: AttackName | UnsetType = UNSET


class RollDamage(Message, frozen=True, tag="fansys.RollDamage"):
    """Roll the damage for an attack that hit, and apply it to the target."""

    entity: EntityId


class Harm(Message, frozen=True, tag="fansys.Harm"):
    """Deal damage without an attack roll: fixed points, dice or both."""

    entity: EntityId
    nature: SomeNature
    points: Annotated[int, Meta(ge=0, le=999, description="points of damage, added to any dice")]
    cause: Annotated[
        str, Meta(min_length=1, max_length=200, pattern=TEXT, description="what causes the damage")
    ]
    dice: DamageDice | UnsetType = UNSET
    sides: Sides | UnsetType = UNSET
    half: (
        Annotated[bool, Meta(description="whether the damage is halved, rounded down; absent: no")]
        | UnsetType
    ) = UNSET
    spiritual: Spiritual | UnsetType = UNSET


class Move(Message, frozen=True, tag="fansys.Move"):
    """Move a character within one round, using one mode of movement."""

    entity: EntityId
    mode: Annotated[Mode, Meta(description="the mode of movement")]
    distance: Annotated[int, Meta(ge=1, le=39_996, description="the distance in feet")]
    sprint: (
        Annotated[
            bool,
            Meta(description="whether to do nothing but move, at four times the speed; absent: no"),
        ]
        | UnsetType
    ) = UNSET


class SpendDice(Message, frozen=True, tag="fansys.SpendDice"):
    """Spend SP or MP dice on a strong ability; each die also costs 2 SP or 2 MP."""

    entity: EntityId
    energy: SomeEnergy
    dice: Annotated[int, Meta(ge=1, le=360, description="number of dice to spend")]
    ability: NewThing


class Rest(Message, frozen=True, tag="fansys.Rest"):
    """Let a character rest and recover dice, SP and MP; a long rest also restores HP."""

    entity: EntityId
    length: Annotated[Length, Meta(description="a rest, or a long rest of about a day")]
    care: (
        Annotated[
            bool,
            Meta(description="whether medical care is given throughout a long rest; absent: no"),
        ]
        | UnsetType
    ) = UNSET


class Grant(Message, frozen=True, tag="fansys.Grant"):
    """Grant advantage or disadvantage on an entity's next roll; grants do not stack."""

    entity: EntityId
    twist: Annotated[Twist, Meta(description="what to grant; plain removes all earlier grants")]
    reason: Reason


class SetCondition(Message, frozen=True, tag="fansys.SetCondition"):
    """Apply a condition to an entity, for some rounds or until it is lifted."""

    entity: EntityId
    condition: Annotated[Condition, Meta(description="the condition")]
    rounds: (
        Annotated[int, Meta(ge=1, le=9999, description="number of rounds; absent: until lifted")]
        | UnsetType
    ) = UNSET


class LiftCondition(Message, frozen=True, tag="fansys.LiftCondition"):
    """Remove a condition from an entity."""

    entity: EntityId
    condition: Annotated[Condition, Meta(description="the condition")]


class PassTime(Message, frozen=True, tag="fansys.PassTime"):
    """Advance the clock; conditions with a limited number of rounds may run out."""

    amount: Annotated[int, Meta(ge=1, le=1000, description="number of units")]
    unit: Annotated[Unit, Meta(description="rounds, minutes, hours or days")]


class SetScene(Message, frozen=True, tag="fansys.SetScene"):
    """Set how safe the scene is; some scenes forbid taking numbers or editing sheets."""

    scene: Annotated[Scene, Meta(description="safe, quiet (relatively safe), tense, or combat")]
    reason: Reason


class AdjustPool(Message, frozen=True, tag="fansys.AdjustPool"):
    """Set a character's current HP, SP, MP, SP dice or MP dice."""

    entity: EntityId
    gauge: Annotated[Gauge, Meta(description="the value to set")]
    now: Annotated[
        int, Meta(ge=-999, le=9999, description="the new value; only HP may be negative")
    ]
    reason: Reason


class AdjustStat(Message, frozen=True, tag="fansys.AdjustStat"):
    """Set a character's stat; the maxima of its pools change accordingly."""

    entity: EntityId
    stat: SomeStat
    score: Score
    reason: Reason


Command = (
    Create
    | HandOver
    | LevelUp
    | TrainDice
    | LearnSkill
    | SetProficiency
    | LearnAttack
    | Equip
    | SetSpeed
    | SetDefence
    | SetModifier
    | OpenCheck
    | OpenSave
    | SetTerms
    | ForceSave
    | Oppose
    | Roll
    | Take
    | FailWillingly
    | RuleCheck
    | Drop
    | Attack
    | RollDamage
    | Harm
    | Move
    | SpendDice
    | Rest
    | Grant
    | SetCondition
    | LiftCondition
    | AdjustPool
    | AdjustStat
    | PassTime
    | SetScene
)
