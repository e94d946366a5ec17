"""Controls: which commands change what the table shows, so that pages offer them beside it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Kind = Annotated[str, Meta(description="the command's kind, such as dhextiny.Harm")]


class PoolControl(msgspec.Struct, frozen=True):
    """A command that changes a pool of an entity or of the table."""

    command: Kind
    takes: Annotated[
        Literal["loss", "gain", "change", "value"],
        Meta(
            description="what the field takes: how many points are lost or gained, a change that "
            "can be negative, or the new value"
        ),
    ]
    field: Annotated[
        str, Meta(description="the field that takes it; empty if the change is always one point")
    ] = ""
    pool: Annotated[
        str, Meta(description="the pool's label; empty for pools that no other control names")
    ] = ""
    pool_field: Annotated[
        str, Meta(description="the field that takes the pool's label; empty if there is none")
    ] = ""
    fixed: Annotated[
        dict[str, str], Meta(description="the values of other fields, keyed by field")
    ] = {}


class ConditionControl(msgspec.Struct, frozen=True):
    """A command that sets or ends a condition of an entity."""

    command: Kind
    field: Annotated[str, Meta(description="the field that takes the condition's name")]
    ends: Annotated[bool, Meta(description="true if the command ends the condition")] = False
    names: Annotated[
        tuple[str, ...], Meta(description="names to offer, besides those that are in use")
    ] = ()


class RollControl(msgspec.Struct, frozen=True):
    """A command that rolls dice by their notation, or by the name of an entity's saved roll."""

    command: Kind
    notation_field: Annotated[str, Meta(description="the field that takes the notation")]
    name_field: Annotated[
        str, Meta(description="the field that takes the name of a saved roll; empty if none")
    ] = ""


class RepeatControl(msgspec.Struct, frozen=True):
    """A command to send several times for a new entity, such as once for each ability."""

    command: Kind
    field: Annotated[str, Meta(description="the field that takes a new text each time")]
    question: Annotated[str, Meta(description="what pages ask players for")]
    hint: Annotated[str, Meta(description="what may be given, in a sentence or two")]
    note: Annotated[
        str, Meta(description="a few words about each that was given; empty if there are none")
    ] = ""
    names: Annotated[tuple[str, ...], Meta(description="texts to offer")] = ()


class Controls(msgspec.Struct, frozen=True):
    """What pages offer beside pools and conditions."""

    pools: Annotated[tuple[PoolControl, ...], Meta(description="commands that change pools")] = ()
    conditions: Annotated[
        tuple[ConditionControl, ...], Meta(description="commands that set or end conditions")
    ] = ()
    rolls: Annotated[tuple[RollControl, ...], Meta(description="commands that roll any dice")] = ()
    ask_first: Annotated[
        tuple[str, ...], Meta(description="the kinds of commands that pages send after a question")
    ] = ()
    first: Annotated[
        tuple[str, ...],
        Meta(description="the kinds of commands that pages show first, in this order"),
    ] = ()
    seldom: Annotated[
        tuple[str, ...], Meta(description="the kinds of commands that pages fold away")
    ] = ()
    harmful: Annotated[
        tuple[str, ...],
        Meta(
            description="the kinds of commands that can harm whom they name, so that pages never "
            "choose another's character for people"
        ),
    ] = ()
    lines: Annotated[
        dict[str, str],
        Meta(description="a few words about each command, keyed by its kind, for small buttons"),
    ] = {}
    sums: Annotated[
        dict[str, int],
        Meta(description="what the numbers of a command must add up to, keyed by its kind"),
    ] = {}
    repeats: Annotated[
        tuple[RepeatControl, ...],
        Meta(
            description="commands to send several times for a new entity; `times` of such a "
            "command in `/commands` says how many times"
        ),
    ] = ()


def kinds(ruleset: str, *names: str) -> tuple[str, ...]:
    """Return the kinds of a ruleset's commands by their names."""
    return tuple(f"{ruleset}.{name}" for name in names)


def free_conditions(ruleset: str, *names: str) -> tuple[ConditionControl, ConditionControl]:
    """Return the controls of rulesets whose conditions have free names."""
    return (
        ConditionControl(f"{ruleset}.SetCondition", "name", names=names),
        ConditionControl(f"{ruleset}.EndCondition", "name", ends=True),
    )
