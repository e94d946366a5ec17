"""Dhextiny's messages: commands (imperative), then events (past tense).

The fields of the commands carry their bounds. Schemas and forms are derived from them.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.dhextiny.rules import (
    MAX_AMX,
    MAX_POINTS,
    MIN_LP,
    Being,
    Pool,
    Result,
    Status,
    Use,
)

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # the end alone would let a last line break through
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"

NewEntityId = Annotated[
    str, Meta(pattern=ID, description="a new id: a small letter, then letters, digits, hyphens")
]
EntityId = Annotated[str, Meta(pattern=ID, description="the entity's id", extra={"of": "entity"})]
TargetId = Annotated[
    str, Meta(pattern=ID, description="the id of the entity it is done to", extra={"of": "entity"})
]
SeatId = Annotated[
    str,
    Meta(
        pattern=ID, description="the seat that plays the PC; absent: your own", extra={"of": "seat"}
    ),
]
Name = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="the name that everyone reads")
]
NewAbility = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="a new ability, in your words")
]
Ability = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="the ability that the action relates to",
        extra={"of": "ability"},
    ),
]
Reason = Annotated[
    str, Meta(min_length=1, max_length=200, pattern=TEXT, description="why; it stands in the log")
]
Ap = Annotated[int, Meta(ge=0, le=MAX_POINTS, description="ability points")]
Lp = Annotated[int, Meta(ge=MIN_LP, le=MAX_POINTS, description="life points")]
DeathRule = Annotated[
    bool, Meta(description="whether it dies at -6 LP as a character does; absent: no")
]
Amx = Annotated[
    int, Meta(ge=0, le=MAX_AMX, description="the most AP to spend on the ability in one action")
]


# Commands


class CreatePc(Message, frozen=True, tag="dhextiny.CreatePc"):
    """Bring a player character to the table."""

    entity: NewEntityId
    name: Name
    seat: SeatId | UnsetType = UNSET


class CreateNpc(Message, frozen=True, tag="dhextiny.CreateNpc"):
    """Bring a character of the GM to the table."""

    entity: NewEntityId
    name: Name


class CreateCreature(Message, frozen=True, tag="dhextiny.CreateCreature"):
    """Bring a monster or creature to the table, with as many LP as the GM likes."""

    entity: NewEntityId
    name: Name
    lp: Annotated[int, Meta(ge=1, le=MAX_POINTS, description="life points to start with")]
    death_rule: DeathRule | UnsetType = UNSET


class RollAbilities(Message, frozen=True, tag="dhextiny.RollAbilities"):
    """Roll 1d6+2 for the number of abilities of a PC or NPC."""

    entity: EntityId


class NameAbility(Message, frozen=True, tag="dhextiny.NameAbility"):
    """Name one ability."""

    entity: EntityId
    ability: NewAbility
    amx: Amx | UnsetType = UNSET


class Check(Message, frozen=True, tag="dhextiny.Check"):
    """Roll 1d6 and move the token that many points clockwise."""

    entity: EntityId
    ability: Ability | UnsetType = UNSET


class Attack(Message, frozen=True, tag="dhextiny.Attack"):
    """Make a check to harm someone: S hits life points, PS hits ability points."""

    entity: EntityId
    target: TargetId
    ability: Ability | UnsetType = UNSET


class PutOut(Message, frozen=True, tag="dhextiny.PutOut"):
    """Make a check to put out the flames on someone: S or PS extinguishes them."""

    entity: EntityId
    target: TargetId
    ability: Ability | UnsetType = UNSET


class Alter(Message, frozen=True, tag="dhextiny.Alter"):
    """Spend AP to move the token further clockwise before the check is settled."""

    entity: EntityId
    ability: Ability
    steps: Annotated[int, Meta(ge=1, le=5, description="points to move")]


class AlterToF(Message, frozen=True, tag="dhextiny.AlterToF"):
    """Move the token on to F: it costs nothing and gains AP."""

    entity: EntityId
    ability: Ability


class Settle(Message, frozen=True, tag="dhextiny.Settle"):
    """Take the result as it stands and release the token for the next check."""

    entity: EntityId


class DeathCheck(Message, frozen=True, tag="dhextiny.DeathCheck"):
    """Roll for a dying entity."""

    entity: EntityId


class SetAflame(Message, frozen=True, tag="dhextiny.SetAflame"):
    """Set an entity on fire for 1d6 rounds."""

    entity: EntityId


class EndRound(Message, frozen=True, tag="dhextiny.EndRound"):
    """End the round: every fire has one round less to burn."""


class Burn(Message, frozen=True, tag="dhextiny.Burn"):
    """Take LP from an entity that is aflame, as many as the GM says."""

    entity: EntityId
    points: Annotated[int, Meta(ge=1, le=MAX_POINTS, description="life points to lose")]


class Rest(Message, frozen=True, tag="dhextiny.Rest"):
    """Let an entity rest fully: 6-8 hours of peaceful sleep."""

    entity: EntityId


class Kill(Message, frozen=True, tag="dhextiny.Kill"):
    """Let an entity die, whatever its LP."""

    entity: EntityId
    reason: Reason


class AdjustAp(Message, frozen=True, tag="dhextiny.AdjustAp"):
    """Set the AP that an entity has now."""

    entity: EntityId
    ap: Ap
    reason: Reason


class AdjustApMax(Message, frozen=True, tag="dhextiny.AdjustApMax"):
    """Set the most AP that an entity can have."""

    entity: EntityId
    ap_max: Ap
    reason: Reason


class AdjustLp(Message, frozen=True, tag="dhextiny.AdjustLp"):
    """Set the LP that an entity has now."""

    entity: EntityId
    lp: Lp
    reason: Reason


class AdjustAmx(Message, frozen=True, tag="dhextiny.AdjustAmx"):
    """Set the AMX of one ability."""

    entity: EntityId
    ability: Ability
    amx: Amx
    reason: Reason


class AdjustStatus(Message, frozen=True, tag="dhextiny.AdjustStatus"):
    """Say that an entity is ok, dying or dead."""

    entity: EntityId
    status: Annotated[Status, Meta(description="how the entity is from now on")]
    reason: Reason


class MoveToken(Message, frozen=True, tag="dhextiny.MoveToken"):
    """Put the token on a point without a roll."""

    point: Annotated[int, Meta(ge=0, le=5, description="index of the point, clockwise from F")]
    reason: Reason


Command = (
    CreatePc
    | CreateNpc
    | CreateCreature
    | RollAbilities
    | NameAbility
    | Check
    | Attack
    | PutOut
    | Alter
    | AlterToF
    | Settle
    | DeathCheck
    | SetAflame
    | EndRound
    | Burn
    | Rest
    | Kill
    | AdjustAp
    | AdjustApMax
    | AdjustLp
    | AdjustAmx
    | AdjustStatus
    | MoveToken
)


# Events: plain values without bounds, so that a changed bound leaves old logs readable.


class EntityCreated(Message, frozen=True, tag="dhextiny.EntityCreated"):
    """A new entity; `dies_at` is absent if no number of LP kills it."""

    entity: str
    name: str
    being: Being
    seat: str
    ap: int
    lp: int
    dies_at: int | UnsetType = UNSET


class AbilitiesRolled(Message, frozen=True, tag="dhextiny.AbilitiesRolled"):
    entity: str
    face: int
    number: int


class AbilityNamed(Message, frozen=True, tag="dhextiny.AbilityNamed"):
    entity: str
    ability: str
    amx: int


class Checked(Message, frozen=True, tag="dhextiny.Checked"):
    """A check was rolled and stays open: the token moved from `start` to `point`."""

    entity: str
    use: Use
    start: int
    face: int
    point: int
    result: Result
    ability: str | UnsetType = UNSET
    target: str | UnsetType = UNSET


class Altered(Message, frozen=True, tag="dhextiny.Altered"):
    """The token moved on from `start`.

    `moved` is the sum of die and steps. `ap` is what the entity has left.
    """

    entity: str
    ability: str
    start: int
    steps: int
    point: int
    result: Result
    moved: int
    cost: int
    ap: int


class Settled(Message, frozen=True, tag="dhextiny.Settled"):
    """A check ended with its final result; `rolled` is the result of the die alone."""

    entity: str
    use: Use
    rolled: Result
    point: int
    result: Result


class Gained(Message, frozen=True, tag="dhextiny.Gained"):
    """AP for a failure: `nominal` by the book, `gain` after the maximum."""

    entity: str
    nominal: int
    gain: int
    ap: int


class Hit(Message, frozen=True, tag="dhextiny.Hit"):
    """A hit of `damage` points.

    The target's `pool` lost `loss` of them and has `left`.
    """

    entity: str
    target: str
    result: Result
    damage: int
    pool: Pool
    loss: int
    left: int
    status: Status


class DeathChecked(Message, frozen=True, tag="dhextiny.DeathChecked"):
    """A death check on the shared ring; `old` and `lp` are the LP before and after."""

    entity: str
    start: int
    face: int
    point: int
    result: Result
    old: int
    lp: int
    status: Status


class CaughtFire(Message, frozen=True, tag="dhextiny.CaughtFire"):
    entity: str
    rounds: int


class Smouldered(Message, frozen=True, tag="dhextiny.Smouldered"):
    """A round of fire passed; the fire has `rounds` left and is out at 0."""

    entity: str
    rounds: int


class Extinguished(Message, frozen=True, tag="dhextiny.Extinguished"):
    """The flames on `target` are out: `entity` extinguished them."""

    entity: str
    target: str


class Burned(Message, frozen=True, tag="dhextiny.Burned"):
    entity: str
    old: int
    lp: int
    status: Status


class Rested(Message, frozen=True, tag="dhextiny.Rested"):
    entity: str
    gain: int
    ap: int


class Killed(Message, frozen=True, tag="dhextiny.Killed"):
    entity: str
    old: Status
    reason: str


class Adjusted(Message, frozen=True, tag="dhextiny.Adjusted"):
    entity: str
    pool: Pool
    old: int
    new: int
    reason: str


class AmxAdjusted(Message, frozen=True, tag="dhextiny.AmxAdjusted"):
    entity: str
    ability: str
    old: int
    new: int
    reason: str


class StatusAdjusted(Message, frozen=True, tag="dhextiny.StatusAdjusted"):
    entity: str
    old: Status
    new: Status
    reason: str


class TokenMoved(Message, frozen=True, tag="dhextiny.TokenMoved"):
    old: int
    new: int
    reason: str


Event = (
    EntityCreated
    | AbilitiesRolled
    | AbilityNamed
    | Checked
    | Altered
    | Settled
    | Gained
    | Hit
    | DeathChecked
    | CaughtFire
    | Smouldered
    | Extinguished
    | Burned
    | Rested
    | Killed
    | Adjusted
    | AmxAdjusted
    | StatusAdjusted
    | TokenMoved
)
