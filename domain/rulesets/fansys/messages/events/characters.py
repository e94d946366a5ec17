"""Events: characters and what stands on their sheets. `old` is absent where there was nothing before."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.ruleset import Message
from domain.rulesets.fansys.rules.records import Attack, Defence, Modifier, Pools, Skill
from domain.rulesets.fansys.rules.words import Being, Energy, Mode, Size


class Created(Message, frozen=True, tag="fansys.Created"):
    """`stats` in the book's order, STR to CHA."""

    entity: str
    name: str
    being: Being
    seat: str
    level: int
    stats: tuple[int, ...]
    entity_type: str
    race: str
    size: Size
    bodiless: bool
    mindless: bool
    pools: Pools
    looks: str | UnsetType = UNSET


class HandedOver(Message, frozen=True, tag="fansys.HandedOver"):
    entity: str
    being: Being
    old: str
    seat: str
    reason: str


class LevelGained(Message, frozen=True, tag="fansys.LevelGained"):
    entity: str
    level: int
    reason: str
    old: Pools
    pools: Pools


class DiceTrained(Message, frozen=True, tag="fansys.DiceTrained"):
    entity: str
    energy: Energy
    capacity: int
    old: Pools
    pools: Pools


class SkillLearned(Message, frozen=True, tag="fansys.SkillLearned"):
    entity: str
    skill: Skill
    old: Skill | UnsetType = UNSET


class ProficiencySet(Message, frozen=True, tag="fansys.ProficiencySet"):
    """`saves`: how many of them are saves after it."""

    entity: str
    proficiency: str
    known: bool
    saves: int


class AttackLearned(Message, frozen=True, tag="fansys.AttackLearned"):
    entity: str
    attack: Attack
    old: Attack | UnsetType = UNSET


class SpeedSet(Message, frozen=True, tag="fansys.SpeedSet"):
    entity: str
    mode: Mode
    old: int
    speed: int


class DefenceSet(Message, frozen=True, tag="fansys.DefenceSet"):
    """`hit` is the hit threshold after it; a bonus of 0 takes the defence away."""

    entity: str
    defence: Defence
    old: int
    hit: int


class ModifierSet(Message, frozen=True, tag="fansys.ModifierSet"):
    """A value of 0 takes the modifier away."""

    entity: str
    modifier: Modifier
    old: int


Character = (
    Created
    | HandedOver
    | LevelGained
    | DiceTrained
    | SkillLearned
    | ProficiencySet
    | AttackLearned
    | SpeedSet
    | DefenceSet
    | ModifierSet
)
