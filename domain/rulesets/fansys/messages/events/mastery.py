"""Events: pools, conditions, time, and the GM's hand."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.ruleset import Message
from domain.rulesets.fansys.rules.conditions import Condition
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.records import Pools
from domain.rulesets.fansys.rules.words import Energy, Gauge, Length, Scene, Stat, Status, Unit


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


Mastery = (
    DiceSpent
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
