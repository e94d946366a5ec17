"""The FanSys commands and the limits on their fields.

JSON schemas, forms and command-line options are generated from these classes.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.equipment import Item
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import (
    Applies,
    Energy,
    Gauge,
    Layer,
    Length,
    Mode,
    ModifierOrigin,
    Nature,
    Reach,
    RollPurpose,
    Scene,
    Size,
    Stat,
    Taking,
    ThresholdPart,
    Unit,
)

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # `$` alone would also match before a final line break
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"

NewEntityId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="a new id: a lowercase letter,"
        " then up to 31 lowercase letters, digits or hyphens",
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
        description="the seat that will play the PC (omit it to return the character to the GM)",
        extra={"of": "seat"},
    ),
]
Name = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="the name shown to everyone")
]
Reason = Annotated[
    str,
    Meta(min_length=1, max_length=200, pattern=TEXT, description="the reason, recorded in the log"),
]
NewThing = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="a name that you choose")
]
SkillName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="the skill's name",
        extra={"of": "skill"},
    ),
]
AttackName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="the name of an attack on the entity's sheet",
        extra={"of": "attack", "likely": True},
    ),
]
SheetName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="the name of a skill or an attack on the entity's sheet",
        extra={"of": "ability"},
    ),
]
SomeStat = Annotated[Stat, Meta(description="the stat whose bonus is used")]
SecondStat = Annotated[
    Stat, Meta(description="a second stat (the bonus is then based on the mean of both scores)")
]
ValidSave = Annotated[Stat, Meta(description="the stat to save with")]
SecondSave = Annotated[
    Stat, Meta(description="a second stat that the saving entity may choose instead")
]
Score = Annotated[
    int, Meta(ge=0, le=60, description="the score in this stat, or 0 if the character lacks it")
]
Threshold = Annotated[
    int, Meta(ge=-50, le=200, description="the total that a roll must reach (12 is fairly tough)")
]
Owned = Annotated[
    int, Meta(ge=0, le=360, description="the number of dice owned, including spent dice")
]
SomeEnergy = Annotated[Energy, Meta(description="SP or MP")]
SomeNature = Annotated[
    Nature, Meta(description="natural (linked to SP) or supernatural (linked to MP)")
]
DamageDice = Annotated[int, Meta(ge=0, le=20, description="the number of damage dice")]
Sides = Annotated[int, Meta(ge=2, le=20, description="the number of sides on each damage die")]
Spiritual = Annotated[
    bool,
    Meta(
        description="whether the damage is spiritual, so that it harms bodiless beings"
        " but not beings with 0 CHA (default: no)"
    ),
]
Half = Annotated[
    bool, Meta(description="whether the damage is halved and rounded down (default: no)")
]
Aim = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=TEXT,
        description='what the roll is for, such as "pick the lock"',
    ),
]
ConditionText = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=60,
        pattern=TEXT,
        description='a custom condition that fits after "is", such as "hexed" or "on fire"',
    ),
]
AnyCondition = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=60,
        pattern=TEXT,
        description="the name of one of the game's conditions or of a custom condition",
        extra={"of": "condition"},
    ),
]


class Create(Message, frozen=True, tag="fansys.Create"):
    """Create a character with full pools.

    Players create PCs, and the GM creates NPCs.
    """

    entity: NewEntityId
    name: Name
    level: Annotated[
        int,
        Meta(ge=1, le=100, description="how experienced the character is, from 1 for a beginner"),
    ]
    strength: Annotated[Score, Meta(description="how hard it strikes and how much it lifts")]
    dexterity: Annotated[Score, Meta(description="how quick and nimble it is")]
    constitution: Annotated[Score, Meta(description="how much its body endures")]
    intelligence: Annotated[Score, Meta(description="how well it sees through what is complex")]
    wisdom: Annotated[Score, Meta(description="how much it notices")]
    charisma: Annotated[Score, Meta(description="how strong its will and its presence are")]
    sp_dice: Annotated[
        Owned,
        Meta(
            title="Stamina dice (SP dice)",
            description="how often it can do great feats of the body",
        ),
    ]
    mp_dice: Annotated[
        Owned,
        Meta(title="Magic dice (MP dice)", description="how often it can use powerful magic"),
    ]
    entity_type: Annotated[
        NewThing,
        Meta(title="Kind of being", description="for example humanoid, beast or spirit"),
    ]
    race: Annotated[NewThing, Meta(title="People", description="for example human, elf or dwarf")]
    size: Annotated[Size, Meta(description="how big it is (a grown human is medium)")]
    bodiless: (
        Annotated[
            bool,
            Meta(
                title="Has no body",
                description="its strength, dexterity and constitution must be 0 (default: no)",
            ),
        ]
        | UnsetType
    ) = UNSET
    mindless: (
        Annotated[
            bool,
            Meta(
                title="Has no mind",
                description="what is meant for a mind does not work on it (default: no)",
            ),
        ]
        | UnsetType
    ) = UNSET
    looks: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=4000,
                pattern=TEXT,
                description="how it looks and sounds, in your own words",
            ),
        ]
        | UnsetType
    ) = UNSET


class HandOver(Message, frozen=True, tag="fansys.HandOver"):
    """Assign a character to a seat as a PC, or return it to the GM as an NPC."""

    entity: EntityId
    reason: Reason
    seat: SeatId | UnsetType = UNSET


class Retire(Message, frozen=True, tag="fansys.Retire"):
    """Let a character leave the story for good."""

    entity: EntityId
    reason: Reason


class LevelUp(Message, frozen=True, tag="fansys.LevelUp"):
    """Raise a character by one level."""

    entity: EntityId
    reason: Reason


class TrainDice(Message, frozen=True, tag="fansys.TrainDice"):
    """Set how many SP or MP dice a character owns, up to the character's capacity."""

    entity: EntityId
    energy: SomeEnergy
    owned: Owned


class LearnSkill(Message, frozen=True, tag="fansys.LearnSkill"):
    """Add a skill to a character's sheet, replacing any skill with the same name."""

    entity: EntityId
    skill: Annotated[NewThing, Meta(description="the skill's name")]
    points: Annotated[
        int,
        Meta(
            ge=0,
            le=50,
            description="the number of skill points, at most half the level (rounded up)",
        ),
    ]
    stat: SomeStat
    second_stat: SecondStat | UnsetType = UNSET
    background: (
        Annotated[bool, Meta(description="whether this is a background skill (default: no)")]
        | UnsetType
    ) = UNSET


class SetProficiency(Message, frozen=True, tag="fansys.SetProficiency"):
    """Add a proficiency to a character's sheet or remove one.

    For proficiency in a save, give the name of the stat, for example DEX.
    """

    entity: EntityId
    proficiency: Annotated[NewThing, Meta(description="the name of the proficiency")]
    known: Annotated[bool, Meta(description="whether the character has this proficiency")]


class LearnAttack(Message, frozen=True, tag="fansys.LearnAttack"):
    """Add an attack to a character's sheet, replacing any attack with the same name."""

    entity: EntityId
    attack: Annotated[NewThing, Meta(description="the attack's name")]
    stat: SomeStat
    nature: SomeNature
    reach: Annotated[Reach, Meta(description="melee or ranged")]
    dice: DamageDice
    sides: Sides
    bonus: Annotated[
        int, Meta(ge=-50, le=99, description="flat damage that is added once to the damage dice")
    ]
    second_stat: SecondStat | UnsetType = UNSET
    proficiency: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=80,
                pattern=TEXT,
                description="the proficiency that applies (default: the attack's name)",
            ),
        ]
        | UnsetType
    ) = UNSET
    spiritual: Spiritual | UnsetType = UNSET


class Equip(Message, frozen=True, tag="fansys.Equip"):
    """Equip a weapon or piece of armour from the game's equipment tables."""

    entity: EntityId
    item: Annotated[Item, Meta(description="the weapon or piece of armour to equip")]
    two_hands: (
        Annotated[bool, Meta(description="whether the weapon is held with two hands (default: no)")]
        | UnsetType
    ) = UNSET


class SetSpeed(Message, frozen=True, tag="fansys.SetSpeed"):
    """Set a character's speed for one mode of movement."""

    entity: EntityId
    mode: Annotated[Mode, Meta(description="the mode of movement")]
    speed: Annotated[
        int,
        Meta(
            ge=0,
            le=9999,
            description="the speed in feet per round, or 0 if the character cannot move this way",
        ),
    ]


class SetDefence(Message, frozen=True, tag="fansys.SetDefence"):
    """Set the bonus or penalty for one part of a character's hit threshold.

    A value of 0 removes it.
    """

    entity: EntityId
    part: Annotated[ThresholdPart, Meta(description="the part of the hit threshold to change")]
    layer: Annotated[
        Layer,
        Meta(
            description="a static bonus, an SP ability (adds to static bonuses)"
            " or an MP ability (replaces all other bonuses)"
        ),
    ]
    source: Annotated[NewThing, Meta(description="the source of the bonus or penalty")]
    bonus: Annotated[int, Meta(ge=-50, le=50, description="the bonus, or a penalty if negative")]


class SetModifier(Message, frozen=True, tag="fansys.SetModifier"):
    """Set a bonus or penalty to a character's rolls or save DC.

    Set it to 0 to remove it.
    """

    entity: EntityId
    source: Annotated[NewThing, Meta(description="the source of the modifier")]
    origin: Annotated[ModifierOrigin, Meta(description="the kind of source, for example equipment")]
    nature: SomeNature
    type: Annotated[NewThing, Meta(description="the type (bonuses of the same type do not stack)")]
    applies: Annotated[
        Applies, Meta(description="the rolls that the modifier applies to, or the save DC")
    ]
    value: Annotated[int, Meta(ge=-50, le=50, description="the bonus, or a penalty if negative")]
    only: (
        Annotated[
            SheetName,
            Meta(description="the one skill, attack or stat that it applies to (default: all)"),
        ]
        | UnsetType
    ) = UNSET


KeeperId = Annotated[
    str,
    Meta(pattern=ID, description="the entity that defends the status quo", extra={"of": "entity"}),
]
ChallengerId = Annotated[
    str,
    Meta(
        pattern=ID, description="the entity that challenges the status quo", extra={"of": "entity"}
    ),
]
HiddenId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="the entity that is hiding, if any (only the keeper can hide)",
        extra={"of": "entity"},
    ),
]
Chosen = Annotated[Stat, Meta(description="the stat to save with, required if the save allows two")]
Routine = Annotated[bool, Meta(description="whether the task is routine, autonomous or habitual")]
MayYield = Annotated[bool, Meta(description="whether the entity may choose to fail a CHA save")]


class OpenCheck(Message, frozen=True, tag="fansys.OpenCheck"):
    """Open a skill check or an ability check.

    Only the GM may set its threshold.
    """

    entity: EntityId
    skill: SkillName | UnsetType = UNSET
    stat: SomeStat | UnsetType = UNSET
    second_stat: SecondStat | UnsetType = UNSET
    threshold: Threshold | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class OpenSave(Message, frozen=True, tag="fansys.OpenSave"):
    """Open a save against a threshold, for example to avoid a trap."""

    entity: EntityId
    save: ValidSave
    threshold: Threshold
    second_save: SecondSave | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class SetTerms(Message, frozen=True, tag="fansys.SetTerms"):
    """Set the threshold and other terms of an open check.

    Omitted terms do not change.
    """

    entity: EntityId
    threshold: Threshold | UnsetType = UNSET
    routine: Routine | UnsetType = UNSET
    tries: (
        Annotated[
            int,
            Meta(ge=1, le=1000, description="the number of tries that time and materials allow"),
        ]
        | UnsetType
    ) = UNSET
    seconds: (
        Annotated[
            int, Meta(ge=1, le=86_400, description="the number of seconds that each try takes")
        ]
        | UnsetType
    ) = UNSET
    may_yield: MayYield | UnsetType = UNSET


class ForceSave(Message, frozen=True, tag="fansys.ForceSave"):
    """Use an ability that forces a target to make a save.

    The target rolls against the save DC of the entity that uses the ability.
    """

    entity: EntityId
    target: TargetId
    nature: SomeNature
    stat: SomeStat
    save: ValidSave
    second_save: SecondSave | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class Oppose(Message, frozen=True, tag="fansys.Oppose"):
    """Start an opposed check between two entities.

    The keeper defends the status quo. The keeper's total becomes the challenger's threshold. Until
    the keeper has rolled, further challengers may be added, each with another command.
    """

    keeper: KeeperId
    challenger: ChallengerId
    keeper_skill: SkillName | UnsetType = UNSET
    challenger_skill: SkillName | UnsetType = UNSET
    hidden: HiddenId | UnsetType = UNSET
    static: (
        Annotated[
            bool,
            Meta(
                description="whether the keeper takes 13 instead of rolling"
                " (default: only in combat)"
            ),
        ]
        | UnsetType
    ) = UNSET
    keeper_stat: SomeStat | UnsetType = UNSET
    challenger_stat: SomeStat | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class Roll(Message, frozen=True, tag="fansys.Roll"):
    """Roll 2d12 for the entity's open check."""

    entity: EntityId
    stat: Chosen | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class Take(Message, frozen=True, tag="fansys.Take"):
    """Take 24, 20 or 13 as the dice result instead of rolling."""

    entity: EntityId
    number: Annotated[
        Taking,
        Meta(
            description='the number to take, as text: "24" (uses 100 tries), "20" (uses 20 tries)'
            ' or "13" (one careful try)'
        ),
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
    """Cancel an entity's open check, announced attack and unrolled damage."""

    entity: EntityId
    reason: Reason


class Attack(Message, frozen=True, tag="fansys.Attack"):
    """Roll 2d12 to hit a target with an attack from the sheet or with bare hands."""

    entity: EntityId
    target: TargetId
    attack: AttackName | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class AnnounceAttack(Message, frozen=True, tag="fansys.AnnounceAttack"):
    """Announce an attack, so that the GM can set its terms before it is rolled."""

    entity: EntityId
    target: TargetId
    attack: AttackName | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class SetAttackTerms(Message, frozen=True, tag="fansys.SetAttackTerms"):
    """Set the terms of an announced attack.

    Omitted terms do not change. A command without terms lets the attack go ahead as announced.
    """

    entity: EntityId
    twist: (
        Annotated[Twist, Meta(description="advantage, disadvantage, or plain for neither")]
        | UnsetType
    ) = UNSET
    bonus: (
        Annotated[
            int,
            Meta(ge=-50, le=50, description="a circumstance bonus to the roll, or a penalty"),
        ]
        | UnsetType
    ) = UNSET
    cover: (
        Annotated[
            int,
            Meta(
                ge=-50,
                le=50,
                description="a modifier to the target's hit threshold, for example for cover",
            ),
        ]
        | UnsetType
    ) = UNSET
    reason: Reason | UnsetType = UNSET


class RollAttack(Message, frozen=True, tag="fansys.RollAttack"):
    """Roll 2d12 for the entity's announced attack."""

    entity: EntityId
    aim: Aim | UnsetType = UNSET


class RuleAttack(Message, frozen=True, tag="fansys.RuleAttack"):
    """Rule that an announced attack hits or misses without a roll."""

    entity: EntityId
    success: Annotated[bool, Meta(description="whether the attack hits")]
    reason: Reason


class RollDamage(Message, frozen=True, tag="fansys.RollDamage"):
    """Roll the damage for an attack that hit, and apply it to the target."""

    entity: EntityId
    half: Half | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class Harm(Message, frozen=True, tag="fansys.Harm"):
    """Deal fixed damage, rolled damage, or both, without an attack roll."""

    entity: EntityId
    nature: SomeNature
    points: Annotated[
        int, Meta(ge=0, le=999, description="the fixed damage, which is added to any damage dice")
    ]
    cause: Annotated[
        str, Meta(min_length=1, max_length=200, pattern=TEXT, description="what causes the damage")
    ]
    dice: DamageDice | UnsetType = UNSET
    sides: Sides | UnsetType = UNSET
    half: Half | UnsetType = UNSET
    spiritual: Spiritual | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class Move(Message, frozen=True, tag="fansys.Move"):
    """Move a character during one round, using one mode of movement."""

    entity: EntityId
    mode: Annotated[Mode, Meta(description="the mode of movement")]
    distance: Annotated[int, Meta(ge=1, le=39_996, description="the distance in feet")]
    sprint: (
        Annotated[
            bool,
            Meta(
                description="whether to sprint, which allows four times the speed"
                " but no other action (default: no)"
            ),
        ]
        | UnsetType
    ) = UNSET


class SpendDice(Message, frozen=True, tag="fansys.SpendDice"):
    """Spend SP or MP dice on a powerful ability.

    Each SP die also costs 2 SP, and each MP die costs 2 MP. If fewer points are left, all of them
    are spent.
    """

    entity: EntityId
    energy: SomeEnergy
    dice: Annotated[int, Meta(ge=1, le=360, description="the number of dice to spend")]
    ability: Annotated[NewThing, Meta(description="the ability that the dice are spent on")]


class Rest(Message, frozen=True, tag="fansys.Rest"):
    """Let a character rest and recover dice, SP and MP.

    A long rest also restores HP. If several characters in succession take rests of the same kind
    and duration, the clock advances only once, unless other time passes in between.
    """

    entity: EntityId
    length: Annotated[Length, Meta(description="rest or long rest (about a day)")]
    care: (
        Annotated[
            bool,
            Meta(description="whether medical care is given throughout a long rest (default: no)"),
        ]
        | UnsetType
    ) = UNSET
    hours: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=72,
                description="how many hours the rest takes (default: 1, or 24 for a long rest)",
            ),
        ]
        | UnsetType
    ) = UNSET


class Grant(Message, frozen=True, tag="fansys.Grant"):
    """Grant advantage or disadvantage on an entity's next roll, or on its next roll of one kind.

    Multiple grants of the same kind do not stack.
    """

    entity: EntityId
    twist: Annotated[
        Twist, Meta(description="advantage or disadvantage, or plain to remove earlier grants")
    ]
    reason: Reason
    roll: (
        Annotated[
            RollPurpose, Meta(description="the kind of roll that is affected (default: any roll)")
        ]
        | UnsetType
    ) = UNSET
    only: (
        Annotated[SheetName, Meta(description="the only skill, attack or stat that is affected")]
        | UnsetType
    ) = UNSET
    target: (
        Annotated[
            TargetId, Meta(description="affect only attacks on this target (default: any target)")
        ]
        | UnsetType
    ) = UNSET


class SetCondition(Message, frozen=True, tag="fansys.SetCondition"):
    """Apply a condition to an entity for a time, or until it is lifted.

    Choose one of the game's conditions, or write a name for a condition of your own.
    Setting a condition again replaces its duration and note.
    """

    entity: EntityId
    condition: (
        Annotated[ConditionName, Meta(description="which of the game's conditions to apply")]
        | UnsetType
    ) = UNSET
    rounds: (
        Annotated[
            int,
            Meta(ge=1, le=10_000, description="the duration in rounds (default: until lifted)"),
        ]
        | UnsetType
    ) = UNSET
    name: ConditionText | UnsetType = UNSET
    minutes: (
        Annotated[
            int,
            Meta(ge=1, le=100_000, description="the duration in minutes (default: until lifted)"),
        ]
        | UnsetType
    ) = UNSET
    note: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=200,
                pattern=TEXT,
                description="what the custom condition does",
            ),
        ]
        | UnsetType
    ) = UNSET


class LiftCondition(Message, frozen=True, tag="fansys.LiftCondition"):
    """Remove a condition from an entity."""

    entity: EntityId
    condition: Annotated[ConditionName, Meta(description="the condition to remove")]


class EndCondition(Message, frozen=True, tag="fansys.EndCondition"):
    """End one of an entity's conditions, either one of the game's or a custom one."""

    entity: EntityId
    name: AnyCondition
    reason: Reason


class PassTime(Message, frozen=True, tag="fansys.PassTime"):
    """Advance the clock.

    Conditions that last for a limited number of rounds may end.
    """

    amount: Annotated[int, Meta(ge=1, le=1000, description="the number of time units")]
    unit: Annotated[Unit, Meta(description="round, minute, hour or day")]


class SetScene(Message, frozen=True, tag="fansys.SetScene"):
    """Set how safe the scene is.

    In combat, players cannot edit their sheets. Taking a number instead of rolling usually requires
    a safe or quiet scene.
    """

    scene: Annotated[Scene, Meta(description="safe, quiet (relatively safe), tense or combat")]
    reason: Reason


class AdjustPool(Message, frozen=True, tag="fansys.AdjustPool"):
    """Set a character's current HP, SP, MP, SP dice or MP dice."""

    entity: EntityId
    gauge: Annotated[Gauge, Meta(description="the value to set")]
    now: Annotated[
        int, Meta(ge=-999, le=9999, description="the new value (only HP may be negative)")
    ]
    reason: Reason


class AdjustStat(Message, frozen=True, tag="fansys.AdjustStat"):
    """Set a character's score in a stat.

    The maximum values of the character's pools change accordingly.
    """

    entity: EntityId
    stat: Annotated[SomeStat, Meta(description="the stat to set")]
    score: Score
    reason: Reason


Command = (
    Create
    | HandOver
    | Retire
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
    | AnnounceAttack
    | SetAttackTerms
    | RollAttack
    | RuleAttack
    | RollDamage
    | Harm
    | Move
    | SpendDice
    | Rest
    | Grant
    | SetCondition
    | LiftCondition
    | EndCondition
    | AdjustPool
    | AdjustStat
    | PassTime
    | SetScene
)
