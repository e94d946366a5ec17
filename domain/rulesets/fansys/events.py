"""Events: what happened, with its outcome. Plain values: a bound that changes must not make an old log unreadable."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.ruleset import Message
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.modifiers import Condition
from domain.rulesets.fansys.rules.vocabulary import (
    Attack,
    Being,
    Defence,
    Energy,
    Gauge,
    Length,
    Mode,
    Modifier,
    Nature,
    Pools,
    Scene,
    Size,
    Skill,
    Stat,
    Status,
    Term,
    Throw,
    Unit,
    Use,
    Why,
)
from domain.rulesets.fansys.rules.vocabulary import Check as OpenCheck


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


class CheckOpened(Message, frozen=True, tag="fansys.CheckOpened"):
    entity: str
    check: OpenCheck


class TermsSet(Message, frozen=True, tag="fansys.TermsSet"):
    """What is absent stayed as it was."""

    entity: str
    threshold: int | UnsetType = UNSET
    routine: bool | UnsetType = UNSET
    tries: int | UnsetType = UNSET
    seconds: int | UnsetType = UNSET
    may_yield: bool | UnsetType = UNSET


class SaveForced(Message, frozen=True, tag="fansys.SaveForced"):
    """`terms` make the save DC with the book's 12; the target's check opens behind it."""

    entity: str
    target: str
    nature: Nature
    terms: tuple[Term, ...]
    dc: int


class CheckRolled(Message, frozen=True, tag="fansys.CheckRolled"):
    """Without a threshold the total is the result: another's threshold, or for the GM to read."""

    entity: str
    use: Use
    name: str
    throw: Throw
    threshold: int | UnsetType = UNSET
    success: bool | UnsetType = UNSET


class Taken(Message, frozen=True, tag="fansys.Taken"):
    """`number` stands in for the dice; the time and material of so many `tries` are gone."""

    entity: str
    use: Use
    name: str
    number: int
    terms: tuple[Term, ...]
    total: int
    tries: int
    threshold: int | UnsetType = UNSET
    success: bool | UnsetType = UNSET


class CheckSettled(Message, frozen=True, tag="fansys.CheckSettled"):
    """Without a roll."""

    entity: str
    use: Use
    name: str
    success: bool
    why: Why
    reason: str | UnsetType = UNSET


class Dropped(Message, frozen=True, tag="fansys.Dropped"):
    """Open check and waiting damage of the entity are gone."""

    entity: str
    reason: str


class AttackRolled(Message, frozen=True, tag="fansys.AttackRolled"):
    """Against the target's hit threshold; a hit waits for its damage, the dice rolled `times`."""

    entity: str
    target: str
    attack: Attack
    throw: Throw
    threshold: int
    success: bool
    times: int


class DamageRolled(Message, frozen=True, tag="fansys.DamageRolled"):
    """All dice together, repeated ones too; `bonus` once; `points` after any halving. Absent `attack`: by the GM."""

    entity: str
    target: str
    sides: int
    dice: tuple[int, ...]
    bonus: int
    half: bool
    points: int
    attack: str | UnsetType = UNSET


class Harmed(Message, frozen=True, tag="fansys.Harmed"):
    """`absorbed` by SP or MP, the rest by HP."""

    entity: str
    nature: Nature
    points: int
    absorbed: int
    cause: str
    old: Pools
    pools: Pools
    status: Status


class Moved(Message, frozen=True, tag="fansys.Moved"):
    entity: str
    mode: Mode
    distance: int
    sprint: bool


class DiceSpent(Message, frozen=True, tag="fansys.DiceSpent"):
    entity: str
    energy: Energy
    dice: int
    ability: str
    old: Pools
    pools: Pools


class Rested(Message, frozen=True, tag="fansys.Rested"):
    entity: str
    length: Length
    care: bool
    old: Pools
    pools: Pools
    status: Status


class Granted(Message, frozen=True, tag="fansys.Granted"):
    """`granted`: all that waits for the entity's next roll; `twist`: what it comes to."""

    entity: str
    granted: tuple[Twist, ...]
    twist: Twist
    reason: str


class ConditionSet(Message, frozen=True, tag="fansys.ConditionSet"):
    """Without rounds until it is lifted."""

    entity: str
    condition: Condition
    rounds: int | UnsetType = UNSET


class ConditionTicked(Message, frozen=True, tag="fansys.ConditionTicked"):
    """So many rounds are left; at 0 it is over."""

    entity: str
    condition: Condition
    rounds: int


class ConditionLifted(Message, frozen=True, tag="fansys.ConditionLifted"):
    """`rounds`: what was left of it, where it was counted."""

    entity: str
    condition: Condition
    rounds: int | UnsetType = UNSET


class TimePassed(Message, frozen=True, tag="fansys.TimePassed"):
    """`clock`: all seconds since the beginning. Without a unit it passed in `seconds` of work."""

    seconds: int
    clock: int
    amount: int | UnsetType = UNSET
    unit: Unit | UnsetType = UNSET


class SceneSet(Message, frozen=True, tag="fansys.SceneSet"):
    old: Scene
    new: Scene
    reason: str


class PoolAdjusted(Message, frozen=True, tag="fansys.PoolAdjusted"):
    entity: str
    gauge: Gauge
    reason: str
    old: Pools
    pools: Pools
    status: Status


class StatAdjusted(Message, frozen=True, tag="fansys.StatAdjusted"):
    entity: str
    stat: Stat
    before: int
    after: int
    reason: str
    old: Pools
    pools: Pools
    status: Status


Event = (
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
    | CheckOpened
    | TermsSet
    | SaveForced
    | CheckRolled
    | Taken
    | CheckSettled
    | Dropped
    | AttackRolled
    | DamageRolled
    | Harmed
    | Moved
    | DiceSpent
    | Rested
    | Granted
    | ConditionSet
    | ConditionTicked
    | ConditionLifted
    | TimePassed
    | SceneSet
    | PoolAdjusted
    | StatAdjusted
)
