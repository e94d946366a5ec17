"""Events about moments: who takes part, the order, what was declared and done."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.ruleset import Message
from domain.rulesets.pentola.rules import Difficulty, Distance, Outcome, Thing


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
    """`ranking` best first; `at` declares first."""

    ranking: tuple[str, ...]
    at: str


class OrderSet(Message, frozen=True, tag="pentola.OrderSet"):
    old: tuple[str, ...]
    new: tuple[str, ...]
    at: str
    reason: str


class ActionDeclared(Message, frozen=True, tag="pentola.ActionDeclared"):
    """The `nth` thing of the moment; `things` that the entity does in it so far. A move has a `target`."""

    entity: str
    nth: int
    thing: Thing
    intent: str
    approach: str
    focus: bool
    things: int
    target: str | UnsetType = UNSET


class ReactionDeclared(Message, frozen=True, tag="pentola.ReactionDeclared"):
    """Against the thing numbered `to` of `against`."""

    entity: str
    nth: int
    approach: str
    against: str
    to: int
    focus: bool
    things: int


class SlotPassed(Message, frozen=True, tag="pentola.SlotPassed"):
    """`entity` declares next."""

    entity: str


class TurnCame(Message, frozen=True, tag="pentola.TurnCame"):
    """What `entity` declared as the `nth` thing now waits for a ruling."""

    entity: str
    nth: int
    intent: str
    approach: str


class MomentEnded(Message, frozen=True, tag="pentola.MomentEnded"):
    """Absent `reason`: all was done that was declared."""

    number: int
    reason: str | UnsetType = UNSET


class Moved(Message, frozen=True, tag="pentola.Moved"):
    entity: str
    target: str
    thing: Thing
    old: Distance
    new: Distance


Initiative = MomentStarted | InitiativeSet | InitiativeRolled | Ordered | OrderSet | MomentEnded
Course = ActionDeclared | ReactionDeclared | SlotPassed | TurnCame | Moved
