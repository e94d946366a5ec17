"""Commands: characters and what stands on their sheets."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.fansys.messages.commands.fields import (
    TEXT,
    AttackName,
    DamageDice,
    EntityId,
    Name,
    NewEntityId,
    NewThing,
    Owned,
    Reason,
    Score,
    SeatId,
    SecondStat,
    Sides,
    SomeEnergy,
    SomeNature,
    SomeStat,
    Spiritual,
)
from domain.rulesets.fansys.rules.armoury import Item
from domain.rulesets.fansys.rules.words import Applies, Layer, Mode, Part, Reach, Size, Source


class Create(Message, frozen=True, tag="fansys.Create"):
    """Bring a character to the table, its pools full: a player's own PC, or an NPC of the GM's."""

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


Growth = Create | HandOver | LevelUp | TrainDice
Sheet = LearnSkill | SetProficiency | LearnAttack | Equip | SetSpeed | SetDefence | SetModifier
Character = Growth | Sheet
