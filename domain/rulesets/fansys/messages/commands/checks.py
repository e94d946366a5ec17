"""Commands: checks, from the call to the result."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.fansys.messages.commands.fields import (
    ID,
    EntityId,
    Reason,
    SecondSave,
    SecondStat,
    SkillName,
    SomeNature,
    SomeStat,
    TargetId,
    Threshold,
    ValidSave,
)
from domain.rulesets.fansys.rules.words import Stat, Taking

KeeperId = Annotated[
    str, Meta(pattern=ID, description="the side that keeps the status quo", extra={"of": "entity"})
]
ChallengerId = Annotated[
    str, Meta(pattern=ID, description="the side that would change it", extra={"of": "entity"})
]
HiddenId = Annotated[
    str,
    Meta(pattern=ID, description="who is hidden, where it is about that", extra={"of": "entity"}),
]
Chosen = Annotated[Stat, Meta(description="which of two valid saves; absent: the only one")]
Routine = Annotated[bool, Meta(description="a routine, autonomous or habitual task")]
MayYield = Annotated[bool, Meta(description="whether this CHA save may be failed willingly")]


class OpenCheck(Message, frozen=True, tag="fansys.OpenCheck"):
    """Call for a check: of a skill where one is named, else of a stat; only the GM names a threshold."""

    entity: EntityId
    skill: SkillName | UnsetType = UNSET
    stat: SomeStat | UnsetType = UNSET
    second_stat: SecondStat | UnsetType = UNSET
    threshold: Threshold | UnsetType = UNSET


class OpenSave(Message, frozen=True, tag="fansys.OpenSave"):
    """Call for a save against the world: a trap, a wave, a fever."""

    entity: EntityId
    save: ValidSave
    threshold: Threshold
    second_save: SecondSave | UnsetType = UNSET


class SetTerms(Message, frozen=True, tag="fansys.SetTerms"):
    """Say what an open check is up against; what is absent stays as it is."""

    entity: EntityId
    threshold: Threshold | UnsetType = UNSET
    routine: Routine | UnsetType = UNSET
    tries: (
        Annotated[
            int,
            Meta(ge=1, le=1000, description="how many tries the time and material at hand allow"),
        ]
        | UnsetType
    ) = UNSET
    seconds: (
        Annotated[int, Meta(ge=1, le=86_400, description="how long one try takes")] | UnsetType
    ) = UNSET
    may_yield: MayYield | UnsetType = UNSET


class ForceSave(Message, frozen=True, tag="fansys.ForceSave"):
    """Use an ability that forces a save, against the save DC of the one who uses it."""

    entity: EntityId
    target: TargetId
    nature: SomeNature
    stat: SomeStat
    save: ValidSave
    second_save: SecondSave | UnsetType = UNSET


class Oppose(Message, frozen=True, tag="fansys.Oppose"):
    """Set two against each other: who keeps the status quo rolls the threshold, or gives it as if taking care."""

    keeper: KeeperId
    challenger: ChallengerId
    keeper_skill: SkillName | UnsetType = UNSET
    challenger_skill: SkillName | UnsetType = UNSET
    hidden: HiddenId | UnsetType = UNSET
    static: (
        Annotated[
            bool, Meta(description="13 + modifier instead of the keeper's roll; absent: in combat")
        ]
        | UnsetType
    ) = UNSET
    keeper_stat: SomeStat | UnsetType = UNSET
    challenger_stat: SomeStat | UnsetType = UNSET


class Roll(Message, frozen=True, tag="fansys.Roll"):
    """Roll 2d12 for the open check."""

    entity: EntityId
    stat: Chosen | UnsetType = UNSET


class Take(Message, frozen=True, tag="fansys.Take"):
    """Take 24, 20 or 13 instead of rolling."""

    entity: EntityId
    number: Annotated[Taking, Meta(description="24: a hundred tries; 20: twenty; 13: with care")]


class FailWillingly(Message, frozen=True, tag="fansys.FailWillingly"):
    """Choose to fail the open check."""

    entity: EntityId
    stat: Chosen | UnsetType = UNSET


class RuleCheck(Message, frozen=True, tag="fansys.RuleCheck"):
    """Settle an open check that is sure to succeed or to fail."""

    entity: EntityId
    success: Annotated[bool, Meta(description="whether it succeeds")]
    reason: Reason


class Drop(Message, frozen=True, tag="fansys.Drop"):
    """Call off an entity's open check, or damage that was not rolled."""

    entity: EntityId
    reason: Reason


Call = OpenCheck | OpenSave | SetTerms | ForceSave | Oppose
Answer = Roll | Take | FailWillingly | RuleCheck | Drop
Check = Call | Answer
