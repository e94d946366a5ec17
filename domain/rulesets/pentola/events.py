"""The events of the Pentola ruleset, including the results of rolls.

The fields have no limits, so old logs stay readable if the limits on commands change.
"""

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
    RollPurpose,
    Ruling,
    Thing,
    Usable,
)


class CharacterCreated(Message, frozen=True, tag="pentola.CharacterCreated"):
    """A new character.

    `power` is unset if the character has no POW.
    """

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
    """The withdrawal of an action and all of its tests."""

    entity: str


class Ruled(Message, frozen=True, tag="pentola.Ruled"):
    """A ruling that decides an action without a test."""

    entity: str
    finding: Finding
    ruling: Ruling


class CalledForTest(Message, frozen=True, tag="pentola.CalledForTest"):
    entity: str
    characteristic: Characteristic
    difficulty: Difficulty


class OpponentNamed(Message, frozen=True, tag="pentola.OpponentNamed"):
    """The referee's decision that `opponent` opposes the action of `entity`.

    The opponent must make a test. During a moment, this uses up the opponent's reaction, which is
    declaration number `nth`.
    """

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
    """A d100 roll against a goal.

    `percent` is the goal before any steps. It includes the bonus, `added`. `action` is the id of
    the entity whose action is tested.
    """

    entity: str
    action: str
    use: RollPurpose
    characteristic: Characteristic
    difficulty: Difficulty
    percent: int
    added: int
    steps: int
    roll: int
    outcome: Outcome
    bonus: str | UnsetType = UNSET


class OpposedSettled(Message, frozen=True, tag="pentola.OpposedSettled"):
    """The result of an opposed test, which ends the action of `entity`.

    `ranking` lists the ids of all sides, best first.
    """

    entity: str
    ranking: tuple[str, ...]


class ItemUsed(Message, frozen=True, tag="pentola.ItemUsed"):
    """The use of an item.

    After a minute of game time, `waiting` rolls of the item's usage die will be due.
    """

    entity: str
    item: str
    waiting: int


class RollsDue(Message, frozen=True, tag="pentola.RollsDue"):
    """The end of the wait after an item is used.

    `due` rolls of the item's usage die can now be made.
    """

    entity: str
    item: str
    due: int


class UsageRolled(Message, frozen=True, tag="pentola.UsageRolled"):
    """A roll of a usage die.

    `left` is the usage die after the roll. `due` more rolls can be made now, and `waiting` more
    rolls after a minute of game time.
    """

    entity: str
    held: str
    usable: Usable
    die: Die
    face: int
    left: Die
    due: int
    waiting: int


class DistanceSet(Message, frozen=True, tag="pentola.DistanceSet"):
    """A new distance between two entities.

    `old` is unset if no distance was set before.
    """

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
    """The referee's change to a usage die.

    `due` is the number of rolls that can be made now, and `waiting` is the number that can be made
    after a minute of game time. Both are 0 if the new die is expended.
    """

    entity: str
    held: str
    old: Die
    new: Die
    due: int
    waiting: int
    reason: str


class MomentStarted(Message, frozen=True, tag="pentola.MomentStarted"):
    number: int
    entities: tuple[str, ...]


class InitiativeSet(Message, frozen=True, tag="pentola.InitiativeSet"):
    entity: str
    difficulty: Difficulty


class InitiativeRolled(Message, frozen=True, tag="pentola.InitiativeRolled"):
    entity: str
    percent: int
    added: int
    steps: int
    roll: int
    outcome: Outcome
    bonus: str | UnsetType = UNSET


class Ordered(Message, frozen=True, tag="pentola.Ordered"):
    """The turn order for a moment.

    `ranking` lists the participants, best first. `at` is the participant who declares first.
    """

    ranking: tuple[str, ...]
    at: str


class OrderSet(Message, frozen=True, tag="pentola.OrderSet"):
    old: tuple[str, ...]
    new: tuple[str, ...]
    at: str
    reason: str


class ActionDeclared(Message, frozen=True, tag="pentola.ActionDeclared"):
    """An action or move, which is declaration number `nth` in the moment.

    `things` is the number of actions and reactions that the entity has declared so far. A sprint
    counts as two. Only a move or a sprint has a `target`.
    """

    entity: str
    nth: int
    thing: Thing
    intent: str
    approach: str
    focus: bool
    things: int
    target: str | UnsetType = UNSET


class ReactionDeclared(Message, frozen=True, tag="pentola.ReactionDeclared"):
    """A reaction to an action declared by `against`.

    `nth` is the declaration number of the reaction, and `to` is that of the action.
    """

    entity: str
    nth: int
    approach: str
    against: str
    to: int
    focus: bool
    things: int


class SlotPassed(Message, frozen=True, tag="pentola.SlotPassed"):
    """The end of a participant's declarations.

    `entity` is the participant who declares next.
    """

    entity: str


class TurnCame(Message, frozen=True, tag="pentola.TurnCame"):
    """The start of a turn, in which `entity` carries out declaration number `nth`."""

    entity: str
    nth: int
    intent: str
    approach: str


class MomentEnded(Message, frozen=True, tag="pentola.MomentEnded"):
    """The end of a moment.

    `reason` is set only if the referee ended the moment early.
    """

    number: int
    reason: str | UnsetType = UNSET


class Moved(Message, frozen=True, tag="pentola.Moved"):
    entity: str
    target: str
    thing: Thing
    old: Distance
    new: Distance


Event = (
    CharacterCreated
    | ThingCreated
    | BonusAdded
    | UsableAdded
    | IntentDeclared
    | ApproachExplained
    | Withdrawn
    | Ruled
    | CalledForTest
    | OpponentNamed
    | BonusRuled
    | RolledTest
    | OpposedSettled
    | ItemUsed
    | RollsDue
    | UsageRolled
    | MomentStarted
    | InitiativeSet
    | InitiativeRolled
    | Ordered
    | OrderSet
    | MomentEnded
    | ActionDeclared
    | ReactionDeclared
    | SlotPassed
    | TurnCame
    | Moved
    | DistanceSet
    | CharacteristicAdjusted
    | BonusAdjusted
    | UsageDieAdjusted
)
