"""Events about characters, what they intend, tests and usage dice; and the referee's hand."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.ruleset import Message
from domain.rulesets.pentola.rules import (
    Being,
    Bonus,
    Characteristic,
    Die,
    Difficulty,
    Distance,
    Finding,
    Outcome,
    Ruling,
    Usable,
    Use,
)


class CharacterCreated(Message, frozen=True, tag="pentola.CharacterCreated"):
    """Absent `power`: the table plays without POW."""

    entity: str
    name: str
    being: Being
    seat: str
    body: int
    intellect: int
    power: int | UnsetType = UNSET


class ThingCreated(Message, frozen=True, tag="pentola.ThingCreated"):
    entity: str
    name: str
    seat: str


class BonusAdded(Message, frozen=True, tag="pentola.BonusAdded"):
    entity: str
    bonus: str
    source: Bonus
    percent: int


class UsableAdded(Message, frozen=True, tag="pentola.UsableAdded"):
    entity: str
    held: str
    usable: Usable
    die: Die


class IntentDeclared(Message, frozen=True, tag="pentola.IntentDeclared"):
    entity: str
    intent: str
    approach: str | UnsetType = UNSET


class ApproachExplained(Message, frozen=True, tag="pentola.ApproachExplained"):
    entity: str
    approach: str


class Withdrawn(Message, frozen=True, tag="pentola.Withdrawn"):
    """What the entity was about to do is dropped, with its tests."""

    entity: str


class Ruled(Message, frozen=True, tag="pentola.Ruled"):
    """Adjudicated without a test; the action is over."""

    entity: str
    finding: Finding
    ruling: Ruling


class CalledForTest(Message, frozen=True, tag="pentola.CalledForTest"):
    entity: str
    characteristic: Characteristic
    difficulty: Difficulty


class OpponentNamed(Message, frozen=True, tag="pentola.OpponentNamed"):
    """`opponent` tests against what `entity` does; in a moment that spends its reaction, the thing numbered `nth`."""

    entity: str
    opponent: str
    characteristic: Characteristic
    difficulty: Difficulty
    nth: int | UnsetType = UNSET


class BonusRuled(Message, frozen=True, tag="pentola.BonusRuled"):
    entity: str
    bonus: str
    applies: bool


class RolledTest(Message, frozen=True, tag="pentola.RolledTest"):
    """A d100 below the goal, or not: `percent` holds the `added` ones of the bonus; `action` is whose test it is."""

    entity: str
    action: str
    use: Use
    characteristic: Characteristic
    difficulty: Difficulty
    percent: int
    added: int
    steps: int
    roll: int
    outcome: Outcome
    bonus: str | UnsetType = UNSET


class OpposedSettled(Message, frozen=True, tag="pentola.OpposedSettled"):
    """All sides of the test of `entity` have rolled: `ranking` best first."""

    entity: str
    ranking: tuple[str, ...]


class ItemUsed(Message, frozen=True, tag="pentola.ItemUsed"):
    """`waiting` rolls of its die wait for their minute."""

    entity: str
    item: str
    waiting: int


class RollsDue(Message, frozen=True, tag="pentola.RollsDue"):
    """The minute is over: `due` rolls of the item's die are to be made."""

    entity: str
    item: str
    due: int


class UsageRolled(Message, frozen=True, tag="pentola.UsageRolled"):
    """`die` was rolled and is `left` from now on; so many rolls are still `due` and `waiting`."""

    entity: str
    held: str
    usable: Usable
    die: Die
    face: int
    left: Die
    due: int
    waiting: int


class DistanceSet(Message, frozen=True, tag="pentola.DistanceSet"):
    """Absent `old`: it was not known."""

    entity: str
    other: str
    new: Distance
    old: Distance | UnsetType = UNSET


class CharacteristicAdjusted(Message, frozen=True, tag="pentola.CharacteristicAdjusted"):
    entity: str
    characteristic: Characteristic
    old: int
    new: int
    reason: str


class BonusAdjusted(Message, frozen=True, tag="pentola.BonusAdjusted"):
    entity: str
    bonus: str
    old: int
    new: int
    reason: str


class UsageDieAdjusted(Message, frozen=True, tag="pentola.UsageDieAdjusted"):
    """Rolls that still waited are void where the new die is expended: `due` and `waiting` say what is left."""

    entity: str
    held: str
    old: Die
    new: Die
    due: int
    waiting: int
    reason: str


Character = CharacterCreated | ThingCreated | BonusAdded | UsableAdded
Action = IntentDeclared | ApproachExplained | Withdrawn | Ruled
Test = CalledForTest | OpponentNamed | BonusRuled | RolledTest | OpposedSettled
Usage = ItemUsed | RollsDue | UsageRolled
Mastery = DistanceSet | CharacteristicAdjusted | BonusAdjusted | UsageDieAdjusted
