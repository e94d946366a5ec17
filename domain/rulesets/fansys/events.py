"""The FanSys events, including the results of rolls.

An optional `old` field is unset if there was no previous value. Event fields have no limits, so old
logs stay readable if the limits for commands change.
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.ruleset import Message
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import (
    AttackProfile,
    Being,
    Defence,
    Energy,
    Gauge,
    Length,
    Mode,
    Modifier,
    Nature,
    Pools,
    RollPurpose,
    Scene,
    Size,
    Skill,
    Stat,
    Status,
    Term,
    Throw,
    TiedGrant,
    Unit,
    UnsettledCheck as OpenCheck,
    Why,
)


class Created(Message, frozen=True, tag="fansys.Created"):
    """A character was created.

    `stats` lists the scores in the rulebook's order, from STR to CHA.
    """

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


class Retired(Message, frozen=True, tag="fansys.Retired"):
    entity: str
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
    """A proficiency was added to a character's sheet or removed from it.

    `saves` is the number of saves that the character is now proficient in.
    """

    entity: str
    proficiency: str
    known: bool
    saves: int


class AttackLearned(Message, frozen=True, tag="fansys.AttackLearned"):
    entity: str
    attack: AttackProfile
    old: AttackProfile | UnsetType = UNSET


class SpeedSet(Message, frozen=True, tag="fansys.SpeedSet"):
    entity: str
    mode: Mode
    old: int
    speed: int


class DefenceSet(Message, frozen=True, tag="fansys.DefenceSet"):
    """A character's defence was set, changed or removed.

    A bonus of 0 means that the defence was removed. `hit` is the resulting hit threshold.
    """

    entity: str
    defence: Defence
    old: int
    hit: int


class ModifierSet(Message, frozen=True, tag="fansys.ModifierSet"):
    """A character's modifier was set, changed or removed.

    A value of 0 means that the modifier was removed.
    """

    entity: str
    modifier: Modifier
    old: int


class CheckOpened(Message, frozen=True, tag="fansys.CheckOpened"):
    entity: str
    check: OpenCheck


class TermsSet(Message, frozen=True, tag="fansys.TermsSet"):
    """The terms of an open check were set.

    Terms that are UNSET did not change.
    """

    entity: str
    threshold: int | UnsetType = UNSET
    routine: bool | UnsetType = UNSET
    tries: int | UnsetType = UNSET
    seconds: int | UnsetType = UNSET
    may_yield: bool | UnsetType = UNSET


class SaveForced(Message, frozen=True, tag="fansys.SaveForced"):
    """An ability used by `entity` forced `target` to make a save.

    `dc` is 12 plus the sum of `terms`. The next event opens the check for the target's save.
    """

    entity: str
    target: str
    nature: Nature
    terms: tuple[Term, ...]
    dc: int


class CheckRolled(Message, frozen=True, tag="fansys.CheckRolled"):
    """A check was rolled.

    If there is no threshold, `success` is unset. The total then becomes the opponent's threshold,
    or the GM interprets it.
    """

    entity: str
    use: RollPurpose
    name: str
    throw: Throw
    threshold: int | UnsetType = UNSET
    success: bool | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class Taken(Message, frozen=True, tag="fansys.Taken"):
    """A check was resolved by taking a number instead of rolling.

    `tries` is the number of tries that were used up.
    """

    entity: str
    use: RollPurpose
    name: str
    number: int
    terms: tuple[Term, ...]
    total: int
    tries: int
    threshold: int | UnsetType = UNSET
    success: bool | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class CheckSettled(Message, frozen=True, tag="fansys.CheckSettled"):
    """A check was settled without a roll.

    If `against` is set, this opponent could not oppose the entity, so the check was never opened.
    """

    entity: str
    use: RollPurpose
    name: str
    success: bool
    why: Why
    reason: str | UnsetType = UNSET
    against: str | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class Dropped(Message, frozen=True, tag="fansys.Dropped"):
    """An entity's open check, announced attack and unrolled damage were cancelled."""

    entity: str
    reason: str


class AttackRolled(Message, frozen=True, tag="fansys.AttackRolled"):
    """An attack was rolled against the target's hit threshold.

    `times` is how many times the damage dice will be rolled, or 0 after a miss.
    """

    entity: str
    target: str
    attack: AttackProfile
    throw: Throw
    threshold: int
    success: bool
    times: int
    aim: str | UnsetType = UNSET


class AttackAnnounced(Message, frozen=True, tag="fansys.AttackAnnounced"):
    entity: str
    target: str
    attack: AttackProfile
    aim: str | UnsetType = UNSET


class AttackTermsSet(Message, frozen=True, tag="fansys.AttackTermsSet"):
    """The terms of an announced attack were set.

    Terms that are UNSET did not change.
    """

    entity: str
    twist: Twist | UnsetType = UNSET
    bonus: int | UnsetType = UNSET
    cover: int | UnsetType = UNSET
    reason: str | UnsetType = UNSET


class AttackRuled(Message, frozen=True, tag="fansys.AttackRuled"):
    """An announced attack hit or missed by the GM's ruling."""

    entity: str
    target: str
    attack: AttackProfile
    success: bool
    reason: str
    aim: str | UnsetType = UNSET


class DamageRolled(Message, frozen=True, tag="fansys.DamageRolled"):
    """Damage was rolled.

    `dice` lists every die that was rolled. `bonus` and each of the `terms` are added only once.
    `points` is the final damage, already halved if `half` is True. If `attack` is unset, the GM
    dealt the damage.
    """

    entity: str
    target: str
    sides: int
    dice: tuple[int, ...]
    bonus: int
    half: bool
    points: int
    attack: str | UnsetType = UNSET
    terms: tuple[Term, ...] | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class Harmed(Message, frozen=True, tag="fansys.Harmed"):
    """An entity took damage.

    SP or MP absorbed `absorbed` of the `points`, and the rest was subtracted from HP.
    """

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
    """A character rested.

    The rest lasted `seconds`, until the clock showed `until`. Both are unset if it took no time on
    the clock.
    """

    entity: str
    length: Length
    care: bool
    old: Pools
    pools: Pools
    status: Status
    seconds: int | UnsetType = UNSET
    until: int | UnsetType = UNSET


class Granted(Message, frozen=True, tag="fansys.Granted"):
    """The advantages and disadvantages on an entity's next roll changed.

    `granted` lists those on the next roll of any kind. If this grant is for one kind of roll,
    `roll`, `only` and `target` describe that roll. `tied` lists all grants for one kind of roll if
    they changed. `twist` is the combined effect on the roll that this grant is for.
    """

    entity: str
    granted: tuple[Twist, ...]
    twist: Twist
    reason: str
    roll: RollPurpose | UnsetType = UNSET
    only: str | UnsetType = UNSET
    target: str | UnsetType = UNSET
    tied: tuple[TiedGrant, ...] | UnsetType = UNSET


class ConditionSet(Message, frozen=True, tag="fansys.ConditionSet"):
    """A condition was applied to an entity, either one of the game's or a custom one.

    If both `rounds` and `minutes` are unset, the condition lasts until it is lifted.
    """

    entity: str
    condition: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    note: str | UnsetType = UNSET


class ConditionTicked(Message, frozen=True, tag="fansys.ConditionTicked"):
    """The rounds or minutes left for a condition were counted down as time passed.

    `rounds` or `minutes` is what is now left. At 0, the condition ends.
    """

    entity: str
    condition: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET


class ConditionLifted(Message, frozen=True, tag="fansys.ConditionLifted"):
    """A condition was lifted.

    `rounds` is the number of rounds that were left, or unset if the condition had no time limit.
    """

    entity: str
    condition: ConditionName
    rounds: int | UnsetType = UNSET


class ConditionEnded(Message, frozen=True, tag="fansys.ConditionEnded"):
    """A condition, either one of the game's or a custom one, was ended.

    `rounds` is the number of rounds that were left, or unset if the condition was not limited to a
    number of rounds.
    """

    entity: str
    name: str
    reason: str
    rounds: int | UnsetType = UNSET


class TimePassed(Message, frozen=True, tag="fansys.TimePassed"):
    """Time passed in the game.

    `clock` is the new time in seconds. If `unit` is unset, the time was spent on a check or a rest.
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
    | Retired
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
    | AttackAnnounced
    | AttackTermsSet
    | AttackRuled
    | DamageRolled
    | Harmed
    | Moved
    | DiceSpent
    | Rested
    | Granted
    | ConditionSet
    | ConditionTicked
    | ConditionLifted
    | ConditionEnded
    | TimePassed
    | SceneSet
    | PoolAdjusted
    | StatAdjusted
)
