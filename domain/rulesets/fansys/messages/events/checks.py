"""Events: checks, from the call to the result."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.ruleset import Message
from domain.rulesets.fansys.rules.records import Check as OpenCheck
from domain.rulesets.fansys.rules.records import Term, Throw
from domain.rulesets.fansys.rules.words import Nature, Use, Why


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


Check = CheckOpened | TermsSet | SaveForced | CheckRolled | Taken | CheckSettled | Dropped
