"""Events of FanSys: what happened, with its outcome.

`old` is unset if there was nothing before.
The fields have no bounds, so that a bound that changes never makes an old log unreadable.
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.ruleset import Message
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.modifiers import Condition
from domain.rulesets.fansys.rules.vocabulary import (
    Attack,
    Being,
    Check as OpenCheck,
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


class Created(Message, frozen=True, tag="fansys.Created"):
    """A new character. `stats` are ordered as in the book, STR to CHA."""

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
    """A change of a proficiency. `saves` counts the proficient saves after it."""

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
    """A change of a defence; 0 removes it. `hit` is the hit threshold after it."""

    entity: str
    defence: Defence
    old: int
    hit: int


class ModifierSet(Message, frozen=True, tag="fansys.ModifierSet"):
    """A change of a modifier; a value of 0 removes it."""

    entity: str
    modifier: Modifier
    old: int


class CheckOpened(Message, frozen=True, tag="fansys.CheckOpened"):
    entity: str
    check: OpenCheck


class TermsSet(Message, frozen=True, tag="fansys.TermsSet"):
    """New terms of a check. What is unset stays as it was."""

    entity: str
    threshold: int | UnsetType = UNSET
    routine: bool | UnsetType = UNSET
    tries: int | UnsetType = UNSET
    seconds: int | UnsetType = UNSET
    may_yield: bool | UnsetType = UNSET


class SaveForced(Message, frozen=True, tag="fansys.SaveForced"):
    """A save DC: the book's 12 plus `terms`. The target's check opens next."""

    entity: str
    target: str
    nature: Nature
    terms: tuple[Term, ...]
    dc: int


class CheckRolled(Message, frozen=True, tag="fansys.CheckRolled"):
    """A rolled check.

    Without a threshold the total is the result: another side's threshold, or a value for the GM.
    """

    entity: str
    use: Use
    name: str
    throw: Throw
    threshold: int | UnsetType = UNSET
    success: bool | UnsetType = UNSET


class Taken(Message, frozen=True, tag="fansys.Taken"):
    """A number taken instead of the dice, at the cost of `tries` in time and material."""

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
    """A check that was settled without a roll."""

    entity: str
    use: Use
    name: str
    success: bool
    why: Why
    reason: str | UnsetType = UNSET


class Dropped(Message, frozen=True, tag="fansys.Dropped"):
    """The end of an open check and of damage that was not rolled."""

    entity: str
    reason: str


class AttackRolled(Message, frozen=True, tag="fansys.AttackRolled"):
    """An attack against the hit threshold.

    After a hit the damage dice are rolled `times`.
    """

    entity: str
    target: str
    attack: Attack
    throw: Throw
    threshold: int
    success: bool
    times: int


class DamageRolled(Message, frozen=True, tag="fansys.DamageRolled"):
    """All damage dice together, with `bonus` added once.

    `points` are counted after halving. Without `attack`, the GM does the damage.
    """

    entity: str
    target: str
    sides: int
    dice: tuple[int, ...]
    bonus: int
    half: bool
    points: int
    attack: str | UnsetType = UNSET


class Harmed(Message, frozen=True, tag="fansys.Harmed"):
    """Damage: SP or MP take `absorbed` points, HP the rest."""

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
    """Advantage or disadvantage on the next roll.

    `granted` holds all of them, `twist` what they come to.
    """

    entity: str
    granted: tuple[Twist, ...]
    twist: Twist
    reason: str


class ConditionSet(Message, frozen=True, tag="fansys.ConditionSet"):
    """A condition. Without `rounds` it lasts until it is lifted."""

    entity: str
    condition: Condition
    rounds: int | UnsetType = UNSET


class ConditionTicked(Message, frozen=True, tag="fansys.ConditionTicked"):
    """The rounds left of a condition. At 0 it ends."""

    entity: str
    condition: Condition
    rounds: int


class ConditionLifted(Message, frozen=True, tag="fansys.ConditionLifted"):
    """The end of a condition. `rounds` were left if they were counted."""

    entity: str
    condition: Condition
    rounds: int | UnsetType = UNSET


class TimePassed(Message, frozen=True, tag="fansys.TimePassed"):
    """Time that passed. `clock` counts all seconds.

    Without a unit a check took the `seconds`.
    """

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
