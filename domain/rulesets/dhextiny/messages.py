"""Dhextiny's commands and events.

Commands are named in the imperative, events in the past tense. The limits in JSON schemas and forms
come from the types of the command fields.
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
    RollPurpose,
    Status,
)

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # `$` alone would allow a line break at the end
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"

NewEntityId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="a new id: a lower-case letter, then lower-case letters, digits or hyphens",
    ),
]
EntityId = Annotated[str, Meta(pattern=ID, description="the entity's id", extra={"of": "entity"})]
TargetId = Annotated[
    str, Meta(pattern=ID, description="the id of the target entity", extra={"of": "entity"})
]
SeatId = Annotated[
    str,
    Meta(
        pattern=ID,
        description="the seat that plays the PC (default: your own seat)",
        extra={"of": "seat"},
    ),
]
Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="the entity's name, shown to everyone",
    ),
]
NewAbility = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="the name of the new ability, in your own words",
    ),
]
Ability = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="the name of one of the entity's abilities",
        extra={"of": "ability"},
    ),
]
Reason = Annotated[
    str,
    Meta(min_length=1, max_length=200, pattern=TEXT, description="the reason to record in the log"),
]
Ap = Annotated[int, Meta(ge=0, le=MAX_POINTS, description="the new number of ability points (AP)")]
Lp = Annotated[
    int, Meta(ge=MIN_LP, le=MAX_POINTS, description="the new number of life points (LP)")
]
DeathRule = Annotated[
    bool, Meta(description="whether the creature dies at -6 LP, as characters do (default: no)")
]
Amx = Annotated[
    int,
    Meta(
        ge=0,
        le=MAX_AMX,
        description="the maximum AP that can be spent on the ability in one action",
    ),
]


# Commands


class CreatePc(Message, frozen=True, tag="dhextiny.CreatePc"):
    """Create a player character."""

    entity: NewEntityId
    name: Name
    seat: SeatId | UnsetType = UNSET


class CreateNpc(Message, frozen=True, tag="dhextiny.CreateNpc"):
    """Create a non-player character (NPC), played by the GM."""

    entity: NewEntityId
    name: Name


class CreateCreature(Message, frozen=True, tag="dhextiny.CreateCreature"):
    """Create a monster or other creature, with LP chosen by the GM."""

    entity: NewEntityId
    name: Name
    lp: Annotated[
        int, Meta(ge=1, le=MAX_POINTS, description="the initial number of life points (LP)")
    ]
    death_rule: DeathRule | UnsetType = UNSET


class RollAbilities(Message, frozen=True, tag="dhextiny.RollAbilities"):
    """Roll 1d6+2 to determine how many abilities a PC or NPC has."""

    entity: EntityId


class NameAbility(Message, frozen=True, tag="dhextiny.NameAbility"):
    """Give an entity a new ability."""

    entity: EntityId
    ability: NewAbility
    amx: Amx | UnsetType = UNSET


class Check(Message, frozen=True, tag="dhextiny.Check"):
    """Roll 1d6 and move the token that many points clockwise."""

    entity: EntityId
    ability: Ability | UnsetType = UNSET


class Attack(Message, frozen=True, tag="dhextiny.Attack"):
    """Make a check to attack an entity: S costs it LP, and PS costs it AP."""

    entity: EntityId
    target: TargetId
    ability: Ability | UnsetType = UNSET


class PutOut(Message, frozen=True, tag="dhextiny.PutOut"):
    """Make a check to put out the flames on an entity: S or PS extinguishes them."""

    entity: EntityId
    target: TargetId
    ability: Ability | UnsetType = UNSET


class Alter(Message, frozen=True, tag="dhextiny.Alter"):
    """Spend AP to move the token further clockwise before the check is settled."""

    entity: EntityId
    ability: Ability
    steps: Annotated[int, Meta(ge=1, le=5, description="how many points to move the token")]


class AlterToF(Message, frozen=True, tag="dhextiny.AlterToF"):
    """Move the token clockwise to F at no cost in AP.

    The entity gains AP when the check is settled there.
    """

    entity: EntityId
    ability: Ability


class Settle(Message, frozen=True, tag="dhextiny.Settle"):
    """Accept the current result and free the token for the next check."""

    entity: EntityId


class DeathCheck(Message, frozen=True, tag="dhextiny.DeathCheck"):
    """Roll to find out whether a dying entity survives."""

    entity: EntityId


class SetAflame(Message, frozen=True, tag="dhextiny.SetAflame"):
    """Set an entity on fire for 1d6 rounds."""

    entity: EntityId


class EndRound(Message, frozen=True, tag="dhextiny.EndRound"):
    """End the round and reduce the remaining duration of every fire by one round."""


class Burn(Message, frozen=True, tag="dhextiny.Burn"):
    """Reduce a burning entity's LP by an amount that the GM chooses."""

    entity: EntityId
    points: Annotated[
        int, Meta(ge=1, le=MAX_POINTS, description="the number of life points (LP) to lose")
    ]


class Rest(Message, frozen=True, tag="dhextiny.Rest"):
    """Give an entity a full rest of 6 to 8 hours, which restores its AP."""

    entity: EntityId


class Kill(Message, frozen=True, tag="dhextiny.Kill"):
    """Kill an entity, regardless of its LP."""

    entity: EntityId
    reason: Reason


class AdjustAp(Message, frozen=True, tag="dhextiny.AdjustAp"):
    """Set the current AP of an entity."""

    entity: EntityId
    ap: Ap
    reason: Reason


class AdjustApMax(Message, frozen=True, tag="dhextiny.AdjustApMax"):
    """Set the maximum AP of an entity."""

    entity: EntityId
    ap_max: Ap
    reason: Reason


class AdjustLp(Message, frozen=True, tag="dhextiny.AdjustLp"):
    """Set the current LP of an entity."""

    entity: EntityId
    lp: Lp
    reason: Reason


class AdjustAmx(Message, frozen=True, tag="dhextiny.AdjustAmx"):
    """Set an ability's AMX, the maximum AP that can be spent on it in one action."""

    entity: EntityId
    ability: Ability
    amx: Amx
    reason: Reason


class AdjustStatus(Message, frozen=True, tag="dhextiny.AdjustStatus"):
    """Set the status of an entity to ok, dying or dead."""

    entity: EntityId
    status: Annotated[Status, Meta(description="the new status of the entity")]
    reason: Reason


class MoveToken(Message, frozen=True, tag="dhextiny.MoveToken"):
    """Move the token to a point without rolling."""

    point: Annotated[
        int,
        Meta(ge=0, le=5, description="the index of the point, counted clockwise from F (index 0)"),
    ]
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


# Events: their fields have no bounds, so that old logs stay readable if a bound changes.


class EntityCreated(Message, frozen=True, tag="dhextiny.EntityCreated"):
    """An entity was created.

    `dies_at` is the number of LP at which the entity dies. It is absent if the entity cannot die
    from losing LP.
    """

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
    """A check was rolled and can still be altered.

    The token moved from `start` to `point`.
    """

    entity: str
    use: RollPurpose
    start: int
    face: int
    point: int
    result: Result
    ability: str | UnsetType = UNSET
    target: str | UnsetType = UNSET


class Altered(Message, frozen=True, tag="dhextiny.Altered"):
    """An entity altered its check, which moved the token from `start` to `point`.

    `moved` is the face of the die plus the added steps. `ap` is the AP that the entity has left.
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
    """A check was settled with `result`.

    `rolled` is the result of the roll, before the check was altered.
    """

    entity: str
    use: RollPurpose
    rolled: Result
    point: int
    result: Result


class Gained(Message, frozen=True, tag="dhextiny.Gained"):
    """An entity gained AP for a failure.

    `nominal` is the gain according to the rulebook. `gain` is the actual gain, which a limit may
    have reduced.
    """

    entity: str
    nominal: int
    gain: int
    ap: int


class Hit(Message, frozen=True, tag="dhextiny.Hit"):
    """An attack hit its target for `damage` points.

    The target lost `loss` points from `pool` and has `left` points remaining in it.
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
    """A death check was rolled, which moved the shared token.

    `old` is the entity's LP before the check, and `lp` is its LP after the check.
    """

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
    """A round passed, and `entity` will burn for `rounds` more rounds.

    If `rounds` is 0, the fire is out.
    """

    entity: str
    rounds: int


class Extinguished(Message, frozen=True, tag="dhextiny.Extinguished"):
    """`entity` put out the flames on `target`."""

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
