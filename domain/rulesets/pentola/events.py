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
    TieBreak,
    Usable,
)


class CharacterCreated(Message, frozen=True, tag="pentola.CharacterCreated"):
    """A new character.

    `power` is unset if the character has no POW. `hit_points` is the maximum number of hit points,
    or unset if the session does not count them.
    """

    entity: str
    name: str
    being: Being
    seat: str
    body: int
    intellect: int
    power: int | UnsetType = UNSET
    hit_points: int | UnsetType = UNSET


class ThingCreated(Message, frozen=True, tag="pentola.ThingCreated"):
    entity: str
    name: str
    seat: str


class Retired(Message, frozen=True, tag="pentola.Retired"):
    entity: str
    reason: str


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


class ItemGiven(Message, frozen=True, tag="pentola.ItemGiven"):
    """An item that changes hands.

    `due` and `waiting` are its pending rolls, as in UsageRolled. If the giver takes part in a
    moment, `nth` is the number of the declaration that allowed the item to be handed over.
    Edition 1 does not record it.
    """

    entity: str
    item: str
    to: str
    die: Die
    due: int
    waiting: int
    nth: int | UnsetType = UNSET


class IntentDeclared(Message, frozen=True, tag="pentola.IntentDeclared"):
    entity: str
    intent: str
    approach: str | UnsetType = UNSET


class ApproachExplained(Message, frozen=True, tag="pentola.ApproachExplained"):
    entity: str
    approach: str


class Withdrawn(Message, frozen=True, tag="pentola.Withdrawn"):
    """The withdrawal of an action and all of its tests.

    `intent` and `approach` are those of the action. In a moment, `nth` is the number of its
    declaration. Edition 1 records none of these fields.
    """

    entity: str
    intent: str | UnsetType = UNSET
    approach: str | UnsetType = UNSET
    nth: int | UnsetType = UNSET


class Ruled(Message, frozen=True, tag="pentola.Ruled"):
    """A ruling that decides an action without a test.

    `result` is the consequence, in the referee's words.
    """

    entity: str
    finding: Finding
    ruling: Ruling
    result: str | UnsetType = UNSET


class CalledForTest(Message, frozen=True, tag="pentola.CalledForTest"):
    entity: str
    characteristic: Characteristic
    difficulty: Difficulty
    aim: str | UnsetType = UNSET


class TestDemanded(Message, frozen=True, tag="pentola.TestDemanded"):
    """The referee's call for a test that is not part of an action."""

    entity: str
    characteristic: Characteristic
    difficulty: Difficulty
    aim: str | UnsetType = UNSET


class OpponentNamed(Message, frozen=True, tag="pentola.OpponentNamed"):
    """The referee's decision that `opponent` opposes the action of `entity`.

    The opponent must make a test. During a moment, this uses up the opponent's reaction, which is
    declaration number `nth`. `competes` is True if the opponent opposes without a reaction.
    """

    entity: str
    opponent: str
    characteristic: Characteristic
    difficulty: Difficulty
    nth: int | UnsetType = UNSET
    competes: bool | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class TestChanged(Message, frozen=True, tag="pentola.TestChanged"):
    """The referee's change to a test that has not been rolled."""

    entity: str
    old_characteristic: Characteristic
    old_difficulty: Difficulty
    characteristic: Characteristic
    difficulty: Difficulty
    reason: str
    aim: str | UnsetType = UNSET


class CalledOff(Message, frozen=True, tag="pentola.CalledOff"):
    """The end of a test that has not been rolled, and of the tests against it.

    `reactions` are the numbers of the reactions that can be used again.
    """

    entity: str
    reason: str
    reactions: tuple[int, ...]


class BonusRuled(Message, frozen=True, tag="pentola.BonusRuled"):
    entity: str
    bonus: str
    applies: bool


class RolledTest(Message, frozen=True, tag="pentola.RolledTest"):
    """A d100 roll against a goal.

    `percent` is the goal before any steps. It includes `added`, the percentage of the bonus.
    `action` is the id of the entity whose action is tested.
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
    aim: str | UnsetType = UNSET


class OpposedSettled(Message, frozen=True, tag="pentola.OpposedSettled"):
    """The result of an opposed test, which ends the action of `entity`.

    `ranking` lists the ids of all sides, best first. `tie` is the rule that ranked the first side
    above the second, if the two were tied. Edition 1 does not record it.
    """

    entity: str
    ranking: tuple[str, ...]
    tie: TieBreak | UnsetType = UNSET


class ItemUsed(Message, frozen=True, tag="pentola.ItemUsed"):
    """The use of an item.

    After a minute of game time, `waiting` rolls of the item's usage die will be due. `nth` is as in
    ItemGiven.
    """

    entity: str
    item: str
    waiting: int
    nth: int | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class RollsDue(Message, frozen=True, tag="pentola.RollsDue"):
    """The end of the wait after an item is used.

    `due` rolls of the item's usage die can now be made. `minutes` is the time that has passed, or
    unset if the referee gave no number.
    """

    entity: str
    item: str
    due: int
    minutes: int | UnsetType = UNSET


class UsageRolled(Message, frozen=True, tag="pentola.UsageRolled"):
    """A roll of a usage die.

    `left` is the usage die after the roll. `due` more rolls can be made now, and `waiting` more
    rolls after a minute of game time. `nth` is set only for an ability. It has the same
    meaning as in ItemGiven.
    """

    entity: str
    held: str
    usable: Usable
    die: Die
    face: int
    left: Die
    due: int
    waiting: int
    nth: int | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class DistanceSet(Message, frozen=True, tag="pentola.DistanceSet"):
    """A new distance between two entities.

    `old` is unset if no distance was set before.
    """

    entity: str
    other: str
    new: Distance
    old: Distance | UnsetType = UNSET


class ConditionSet(Message, frozen=True, tag="pentola.ConditionSet"):
    """A condition that an entity has from now on.

    It lasts for `rounds` moments or `minutes` minutes. If neither is set, it lasts until the
    referee ends it. `note` says what it does.
    """

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    note: str | UnsetType = UNSET


class ConditionTicked(Message, frozen=True, tag="pentola.ConditionTicked"):
    """The time left for a condition, in moments or minutes. At 0, the condition is over."""

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET


class ConditionEnded(Message, frozen=True, tag="pentola.ConditionEnded"):
    """The end of a condition, decided by the referee.

    If the condition had a time limit, `rounds` (in moments) or `minutes` is the time that was left.
    """

    entity: str
    name: str
    reason: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET


class Harmed(Message, frozen=True, tag="pentola.Harmed"):
    """A loss of `lost` hit points.

    `left` hit points remain, and the maximum is `most`. At 0, the character is dead.
    """

    entity: str
    lost: int
    left: int
    most: int
    reason: str


class Healed(Message, frozen=True, tag="pentola.Healed"):
    """A gain of `gained` hit points.

    The character now has `left` hit points, and the maximum is `most`.
    """

    entity: str
    gained: int
    left: int
    most: int
    reason: str


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
    aim: str | UnsetType = UNSET


class InitiativeSet(Message, frozen=True, tag="pentola.InitiativeSet"):
    entity: str
    difficulty: Difficulty
    aim: str | UnsetType = UNSET


class InitiativeRolled(Message, frozen=True, tag="pentola.InitiativeRolled"):
    entity: str
    percent: int
    added: int
    steps: int
    roll: int
    outcome: Outcome
    bonus: str | UnsetType = UNSET
    aim: str | UnsetType = UNSET


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
    """The action or move that is declaration number `nth` of the moment.

    `things` is the number of actions and reactions that the entity has declared so far. A sprint
    counts as two. Only a move or a sprint has a `target`. `away` is True if the move or sprint
    leads away from the target. `uses` is the name of the item or ability that the action uses.
    """

    entity: str
    nth: int
    thing: Thing
    intent: str
    approach: str
    focus: bool
    things: int
    target: str | UnsetType = UNSET
    away: bool | UnsetType = UNSET
    uses: str | UnsetType = UNSET


class ReactionDeclared(Message, frozen=True, tag="pentola.ReactionDeclared"):
    """A reaction to an action declared by `against`.

    `nth` is the declaration number of the reaction, and `to` is that of the action. `uses` is as in
    ActionDeclared.
    """

    entity: str
    nth: int
    approach: str
    against: str
    to: int
    focus: bool
    things: int
    uses: str | UnsetType = UNSET


class ReactionDropped(Message, frozen=True, tag="pentola.ReactionDropped"):
    """The end of an unused reaction. `nth` is its declaration number."""

    entity: str
    nth: int
    approach: str
    against: str


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
    """A move or sprint that succeeded.

    If it did not change the distance to the target, `new` is equal to `old`. Edition 1 does not
    record such a move.
    """

    entity: str
    target: str
    thing: Thing
    old: Distance
    new: Distance


Event = (
    CharacterCreated
    | ThingCreated
    | Retired
    | BonusAdded
    | UsableAdded
    | ItemGiven
    | IntentDeclared
    | ApproachExplained
    | Withdrawn
    | Ruled
    | CalledForTest
    | TestDemanded
    | OpponentNamed
    | TestChanged
    | CalledOff
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
    | ReactionDropped
    | SlotPassed
    | TurnCame
    | Moved
    | DistanceSet
    | ConditionSet
    | ConditionTicked
    | ConditionEnded
    | Harmed
    | Healed
    | CharacteristicAdjusted
    | BonusAdjusted
    | UsageDieAdjusted
)
