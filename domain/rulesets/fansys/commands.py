"""Commands of FanSys, with the bounds of their fields.

Schemas, forms and the options of the command line are derived from them.
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

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # `$` alone matches before a final line break
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"

NewEntityId = Annotated[
    str, Meta(pattern=ID, description="a new id: a small letter, then letters, digits, hyphens")
]
EntityId = Annotated[str, Meta(pattern=ID, description="the entity's id", extra={"of": "entity"})]
TargetId = Annotated[
    str, Meta(pattern=ID, description="the id of the entity it is done to", extra={"of": "entity"})
]
SeatId = Annotated[
    str,
    Meta(pattern=ID, description="the seat that plays it; absent: the GM's", extra={"of": "seat"}),
]
Name = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="the name that everyone reads")
]
Reason = Annotated[
    str, Meta(min_length=1, max_length=200, pattern=TEXT, description="why; it stands in the log")
]
NewThing = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="its name, in your words")
]
SkillName = Annotated[
    str,
    Meta(
        min_length=1, max_length=80, pattern=TEXT, description="the skill", extra={"of": "ability"}
    ),
]
AttackName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="one of the entity's attacks",
        extra={"of": "ability"},
    ),
]
SomeStat = Annotated[Stat, Meta(description="the stat")]
SecondStat = Annotated[Stat, Meta(description="a second stat: the bonus is that of their mean")]
ValidSave = Annotated[Stat, Meta(description="the stat of the save")]
SecondSave = Annotated[Stat, Meta(description="a second valid save; the one who saves chooses")]
Score = Annotated[int, Meta(ge=0, le=60, description="the stat's score; 0: none")]
Threshold = Annotated[
    int, Meta(ge=-50, le=200, description="what the roll must reach (12 is fairly tough)")
]
Owned = Annotated[int, Meta(ge=0, le=360, description="dice owned, spent ones too")]
SomeEnergy = Annotated[Energy, Meta(description="SP or MP")]
SomeNature = Annotated[Nature, Meta(description="natural (SP absorb) or supernatural (MP absorb)")]
DamageDice = Annotated[int, Meta(ge=0, le=20, description="number of damage dice")]
Sides = Annotated[int, Meta(ge=2, le=20, description="sides of a damage die")]
Spiritual = Annotated[
    bool, Meta(description="whether it harms what has no physical form; absent: no")
]


class Create(Message, frozen=True, tag="fansys.Create"):
    """Bring a character to the table, its pools full: your own PC, or the GM's NPC."""

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
            bool, Meta(description="without a physical form: STR, DEX and CON are 0; absent: no")
        ]
        | UnsetType
    ) = UNSET
    mindless: Annotated[bool, Meta(description="without a mind; absent: no")] | UnsetType = UNSET
    looks: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=200,
                pattern=TEXT,
                description="looks and voice; without effect",
            ),
        ]
        | UnsetType
    ) = UNSET


class HandOver(Message, frozen=True, tag="fansys.HandOver"):
    """Give a character into the hands of a seat, or take it back as an NPC."""

    entity: EntityId
    reason: Reason
    seat: SeatId | UnsetType = UNSET


class LevelUp(Message, frozen=True, tag="fansys.LevelUp"):
    """Raise a character by one level."""

    entity: EntityId
    reason: Reason


class TrainDice(Message, frozen=True, tag="fansys.TrainDice"):
    """Say how many SP or MP dice a character owns, within its capacity."""

    entity: EntityId
    energy: SomeEnergy
    owned: Owned


class LearnSkill(Message, frozen=True, tag="fansys.LearnSkill"):
    """Put a skill with its points on the sheet, or change it."""

    entity: EntityId
    skill: NewThing
    points: Annotated[int, Meta(ge=0, le=50, description="skill points, half the level at most")]
    stat: SomeStat
    second_stat: SecondStat | UnsetType = UNSET
    background: (
        Annotated[bool, Meta(description="whether it is a background skill; absent: no")]
        | UnsetType
    ) = UNSET


class SetProficiency(Message, frozen=True, tag="fansys.SetProficiency"):
    """Say that a character knows a thing, or does not; the six stats are its saves."""

    entity: EntityId
    proficiency: NewThing
    known: Annotated[bool, Meta(description="known or not")]


class LearnAttack(Message, frozen=True, tag="fansys.LearnAttack"):
    """Put an attack on the sheet, or change it."""

    entity: EntityId
    attack: NewThing
    stat: SomeStat
    nature: SomeNature
    reach: Annotated[Reach, Meta(description="melee or ranged")]
    dice: DamageDice
    sides: Sides
    bonus: Annotated[
        int, Meta(ge=-50, le=99, description="flat damage beside the dice, added once")
    ]
    second_stat: SecondStat | UnsetType = UNSET
    proficiency: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=80,
                pattern=TEXT,
                description="what to be proficient with; absent: the attack's own name",
            ),
        ]
        | UnsetType
    ) = UNSET
    spiritual: Spiritual | UnsetType = UNSET


class Equip(Message, frozen=True, tag="fansys.Equip"):
    """Take up a weapon or put on armour of the source's tables."""

    entity: EntityId
    item: Annotated[Item, Meta(description="the weapon or armour")]
    two_hands: (
        Annotated[bool, Meta(description="whether it is held in two hands; absent: no")] | UnsetType
    ) = UNSET


class SetSpeed(Message, frozen=True, tag="fansys.SetSpeed"):
    """Say how far a character moves in a round, one way of moving."""

    entity: EntityId
    mode: Annotated[Mode, Meta(description="the way of moving")]
    speed: Annotated[int, Meta(ge=0, le=9999, description="feet a round; 0: not at all")]


class SetDefence(Message, frozen=True, tag="fansys.SetDefence"):
    """Put a bonus or penalty on a part of the hit threshold; 0 takes it away."""

    entity: EntityId
    part: Annotated[Part, Meta(description="the part of the hit threshold")]
    layer: Annotated[
        Layer, Meta(description="the thing itself, or an ability that changes or replaces the part")
    ]
    source: NewThing
    bonus: Annotated[int, Meta(ge=-50, le=50, description="the bonus; below 0: a penalty")]


class SetModifier(Message, frozen=True, tag="fansys.SetModifier"):
    """Put a modifier on a character's rolls or save DC; 0 takes it away."""

    entity: EntityId
    source: NewThing
    origin: Annotated[Source, Meta(description="where it comes from")]
    nature: SomeNature
    type: NewThing
    applies: Annotated[Applies, Meta(description="what it counts for")]
    value: Annotated[int, Meta(ge=-50, le=50, description="the bonus; below 0: a penalty")]
    only: AttackName | UnsetType = UNSET


KeeperId = Annotated[
    str, Meta(pattern=ID, description="the side that keeps the status quo", extra={"of": "entity"})
]
ChallengerId = Annotated[
    str, Meta(pattern=ID, description="the side that would change it", extra={"of": "entity"})
]
HiddenId = Annotated[
    str,
    Meta(pattern=ID, description="who is hidden, where it is about that", extra={"of": "entity"}),
]
Chosen = Annotated[Stat, Meta(description="which of two valid saves; absent: the only one")]
Routine = Annotated[bool, Meta(description="a routine, autonomous or habitual task")]
MayYield = Annotated[bool, Meta(description="whether this CHA save may be failed willingly")]


class OpenCheck(Message, frozen=True, tag="fansys.OpenCheck"):
    """Call for a check of a skill or stat; only the GM names a threshold."""

    entity: EntityId
    skill: SkillName | UnsetType = UNSET
    stat: SomeStat | UnsetType = UNSET
    second_stat: SecondStat | UnsetType = UNSET
    threshold: Threshold | UnsetType = UNSET


class OpenSave(Message, frozen=True, tag="fansys.OpenSave"):
    """Call for a save against the world: a trap, a wave, a fever."""

    entity: EntityId
    save: ValidSave
    threshold: Threshold
    second_save: SecondSave | UnsetType = UNSET


class SetTerms(Message, frozen=True, tag="fansys.SetTerms"):
    """Say what an open check is up against; what is absent stays as it is."""

    entity: EntityId
    threshold: Threshold | UnsetType = UNSET
    routine: Routine | UnsetType = UNSET
    tries: (
        Annotated[
            int,
            Meta(ge=1, le=1000, description="how many tries the time and material at hand allow"),
        ]
        | UnsetType
    ) = UNSET
    seconds: (
        Annotated[int, Meta(ge=1, le=86_400, description="how long one try takes")] | UnsetType
    ) = UNSET
    may_yield: MayYield | UnsetType = UNSET


class ForceSave(Message, frozen=True, tag="fansys.ForceSave"):
    """Use an ability that forces a save, against the save DC of the one who uses it."""

    entity: EntityId
    target: TargetId
    nature: SomeNature
    stat: SomeStat
    save: ValidSave
    second_save: SecondSave | UnsetType = UNSET


class Oppose(Message, frozen=True, tag="fansys.Oppose"):
    """Let two sides compete: the keeper of the status quo sets the threshold."""

    keeper: KeeperId
    challenger: ChallengerId
    keeper_skill: SkillName | UnsetType = UNSET
    challenger_skill: SkillName | UnsetType = UNSET
    hidden: HiddenId | UnsetType = UNSET
    static: (
        Annotated[
            bool, Meta(description="13 + modifier instead of the keeper's roll; absent: in combat")
        ]
        | UnsetType
    ) = UNSET
    keeper_stat: SomeStat | UnsetType = UNSET
    challenger_stat: SomeStat | UnsetType = UNSET


class Roll(Message, frozen=True, tag="fansys.Roll"):
    """Roll 2d12 for the open check."""

    entity: EntityId
    stat: Chosen | UnsetType = UNSET


class Take(Message, frozen=True, tag="fansys.Take"):
    """Take 24, 20 or 13 instead of rolling."""

    entity: EntityId
    number: Annotated[Taking, Meta(description="24: a hundred tries; 20: twenty; 13: with care")]


class FailWillingly(Message, frozen=True, tag="fansys.FailWillingly"):
    """Choose to fail the open check."""

    entity: EntityId
    stat: Chosen | UnsetType = UNSET


class RuleCheck(Message, frozen=True, tag="fansys.RuleCheck"):
    """Settle an open check that is certain to succeed or to fail."""

    entity: EntityId
    success: Annotated[bool, Meta(description="whether it succeeds")]
    reason: Reason


class Drop(Message, frozen=True, tag="fansys.Drop"):
    """Cancel an entity's open check, or damage that was not rolled."""

    entity: EntityId
    reason: Reason


class Attack(Message, frozen=True, tag="fansys.Attack"):
    """Roll 2d12 against the hit threshold, with an attack of the sheet or a strike."""

    entity: EntityId
    target: TargetId
    attack: AttackName | UnsetType = UNSET


class RollDamage(Message, frozen=True, tag="fansys.RollDamage"):
    """Roll the damage of an attack that hit: the target takes it."""

    entity: EntityId


class Harm(Message, frozen=True, tag="fansys.Harm"):
    """Do damage without an attack: points, or dice and points, whole or half."""

    entity: EntityId
    nature: SomeNature
    points: Annotated[int, Meta(ge=0, le=999, description="points of damage beside any dice")]
    cause: Annotated[
        str, Meta(min_length=1, max_length=200, pattern=TEXT, description="what does it")
    ]
    dice: DamageDice | UnsetType = UNSET
    sides: Sides | UnsetType = UNSET
    half: (
        Annotated[bool, Meta(description="whether it is halved, rounded down; absent: no")]
        | UnsetType
    ) = UNSET
    spiritual: Spiritual | UnsetType = UNSET


class Move(Message, frozen=True, tag="fansys.Move"):
    """Move within one round, one way."""

    entity: EntityId
    mode: Annotated[Mode, Meta(description="the way of moving")]
    distance: Annotated[int, Meta(ge=1, le=39_996, description="feet")]
    sprint: (
        Annotated[bool, Meta(description="four times the speed and nothing else; absent: no")]
        | UnsetType
    ) = UNSET


class SpendDice(Message, frozen=True, tag="fansys.SpendDice"):
    """Fuel a strong ability with SP or MP dice, at two points each."""

    entity: EntityId
    energy: SomeEnergy
    dice: Annotated[int, Meta(ge=1, le=360, description="how many")]
    ability: NewThing


class Rest(Message, frozen=True, tag="fansys.Rest"):
    """Let a character rest: half of its dice, points, and HP where the rest is long."""

    entity: EntityId
    length: Annotated[Length, Meta(description="a rest, or a long one of about a day")]
    care: (
        Annotated[bool, Meta(description="whether it has medical care all along; absent: no")]
        | UnsetType
    ) = UNSET


class Grant(Message, frozen=True, tag="fansys.Grant"):
    """Give advantage or disadvantage to an entity's next roll; several never stack."""

    entity: EntityId
    twist: Annotated[Twist, Meta(description="plain: take away what was granted")]
    reason: Reason


class SetCondition(Message, frozen=True, tag="fansys.SetCondition"):
    """Put an entity in a condition, for some rounds or until it is lifted."""

    entity: EntityId
    condition: Annotated[Condition, Meta(description="the condition")]
    rounds: (
        Annotated[int, Meta(ge=1, le=9999, description="rounds; absent: until lifted")] | UnsetType
    ) = UNSET


class LiftCondition(Message, frozen=True, tag="fansys.LiftCondition"):
    """Take an entity out of a condition."""

    entity: EntityId
    condition: Annotated[Condition, Meta(description="the condition")]


class PassTime(Message, frozen=True, tag="fansys.PassTime"):
    """Let time pass: conditions run out."""

    amount: Annotated[int, Meta(ge=1, le=1000, description="how many")]
    unit: Annotated[Unit, Meta(description="rounds, minutes, hours or days")]


class SetScene(Message, frozen=True, tag="fansys.SetScene"):
    """Say how safe the place is; it decides what may be taken and what may be learned."""

    scene: Annotated[Scene, Meta(description="safe, quiet (relatively safe), tense, or combat")]
    reason: Reason


class AdjustPool(Message, frozen=True, tag="fansys.AdjustPool"):
    """Set HP, SP, MP or the dice that are left."""

    entity: EntityId
    gauge: Annotated[Gauge, Meta(description="which of them")]
    now: Annotated[int, Meta(ge=-999, le=9999, description="what is left; only HP go below 0")]
    reason: Reason


class AdjustStat(Message, frozen=True, tag="fansys.AdjustStat"):
    """Set a stat; maxima follow."""

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
