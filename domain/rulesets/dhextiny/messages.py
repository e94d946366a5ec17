"""Dhextiny's commands and events.

Commands are named in the imperative, events in the past tense. The limits in JSON schemas and forms
come from the types of the command fields.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from domain.ruleset import Message
from domain.rulesets.dhextiny.rules import (
    DIE,
    MAX_AMX,
    MAX_MINUTES,
    MAX_POINTS,
    MAX_ROUNDS,
    MIN_LP,
    Being,
    Dies,
    Pool,
    Result,
    RollPurpose,
    Status,
)

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # `$` alone would allow a line break at the end
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"
LINES = r"^[^\x00-\x08\x0b-\x1f\x7f]+(?<!\n)$(?!\n)"  # may have line breaks, but not at the end

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
LpMax = Annotated[
    int, Meta(ge=1, le=MAX_POINTS, description="the new maximum number of life points (LP)")
]
LostLp = Annotated[
    int, Meta(ge=1, le=MAX_POINTS, description="the number of life points (LP) to lose")
]
DeathRule = Annotated[
    bool,
    Meta(
        title="Dies like a character",
        description="whether the creature dies at -6 LP, as characters do (default: no)",
    ),
]
DiesAt = Annotated[
    Dies,
    Meta(
        title="Dies at another LP",
        description="the LP at which the creature dies, in place of -6",
    ),
]
Amx = Annotated[
    int,
    Meta(
        ge=0,
        le=MAX_AMX,
        title="AMX",
        description="the maximum AP that can be spent on the ability in one action",
    ),
]
SettleAtOnce = Annotated[
    bool,
    Meta(description="whether to settle the check at once, without altering it (default: no)"),
]
Aim = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=TEXT,
        description='what the roll is for, such as "pick the lock"',
    ),
]
Interpretation = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=4000,
        pattern=LINES,
        description="what the result means in the story",
    ),
]
ConditionName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=60,
        pattern=TEXT,
        description='the name of the condition, such as "stunned"',
    ),
]
HeldConditionName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=60,
        pattern=TEXT,
        description="the name of one of the entity's conditions",
        extra={"of": "condition"},
    ),
]
Rounds = Annotated[
    int,
    Meta(ge=1, le=MAX_ROUNDS, description="the number of rounds for which the condition lasts"),
]
Minutes = Annotated[
    int,
    Meta(ge=1, le=MAX_MINUTES, description="the number of minutes for which the condition lasts"),
]
Note = Annotated[
    str,
    Meta(min_length=1, max_length=200, pattern=TEXT, description="what the condition does"),
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
    dies: DiesAt | UnsetType = UNSET


class RollAbilities(Message, frozen=True, tag="dhextiny.RollAbilities"):
    """Roll 1d6+2 to determine how many abilities a PC or NPC has."""

    entity: EntityId
    aim: Aim | UnsetType = UNSET


class NameAbility(Message, frozen=True, tag="dhextiny.NameAbility"):
    """Give an entity a new ability."""

    entity: EntityId
    ability: NewAbility
    amx: Amx | UnsetType = UNSET


class Check(Message, frozen=True, tag="dhextiny.Check"):
    """Roll 1d6 and move the token that many points clockwise."""

    entity: EntityId
    ability: Ability | UnsetType = UNSET
    settle: SettleAtOnce | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class CheckAside(Message, frozen=True, tag="dhextiny.CheckAside"):
    """Roll 1d6 and count from the token, but leave the token where it is.

    This suits secret checks, because nothing changes on the table.
    """

    entity: EntityId
    ability: Ability | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class Attack(Message, frozen=True, tag="dhextiny.Attack"):
    """Make a check to attack an entity: S costs it LP, and PS costs it AP."""

    entity: EntityId
    target: TargetId
    ability: Ability | UnsetType = UNSET
    settle: SettleAtOnce | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


class PutOut(Message, frozen=True, tag="dhextiny.PutOut"):
    """Make a check to put out the flames on an entity: S or PS extinguishes them."""

    entity: EntityId
    target: TargetId
    ability: Ability | UnsetType = UNSET
    settle: SettleAtOnce | UnsetType = UNSET
    aim: Aim | UnsetType = UNSET


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


class Interpret(Message, frozen=True, tag="dhextiny.Interpret"):
    """State what the result of the last settled check means in the story."""

    entity: EntityId
    text: Interpretation


class DeathCheck(Message, frozen=True, tag="dhextiny.DeathCheck"):
    """Roll to find out whether a dying entity survives."""

    entity: EntityId
    aim: Aim | UnsetType = UNSET


class SetAflame(Message, frozen=True, tag="dhextiny.SetAflame"):
    """Set an entity on fire for 1d6 rounds."""

    entity: EntityId
    aim: Aim | UnsetType = UNSET


class SetCondition(Message, frozen=True, tag="dhextiny.SetCondition"):
    """Give an entity a condition for a number of rounds or minutes, or until the GM ends it.

    Setting a condition again replaces its duration and its note.
    """

    entity: EntityId
    name: ConditionName
    rounds: Rounds | UnsetType = UNSET
    minutes: Minutes | UnsetType = UNSET
    note: Note | UnsetType = UNSET


class EndCondition(Message, frozen=True, tag="dhextiny.EndCondition"):
    """End a condition of an entity."""

    entity: EntityId
    name: HeldConditionName
    reason: Reason


class EndRound(Message, frozen=True, tag="dhextiny.EndRound"):
    """End the round, which shortens every fire and every condition counted in rounds by one."""


class PassMinutes(Message, frozen=True, tag="dhextiny.PassMinutes"):
    """Let minutes pass, which shortens every condition counted in minutes."""

    minutes: Annotated[
        int, Meta(ge=1, le=MAX_MINUTES, description="the number of minutes that pass")
    ]


class Burn(Message, frozen=True, tag="dhextiny.Burn"):
    """Reduce a burning entity's LP by an amount that the GM chooses."""

    entity: EntityId
    points: LostLp


class Harm(Message, frozen=True, tag="dhextiny.Harm"):
    """Reduce an entity's LP by an amount that the GM chooses, for example after a fall."""

    entity: EntityId
    points: LostLp
    reason: Reason


class Rest(Message, frozen=True, tag="dhextiny.Rest"):
    """Give an entity a full rest of 6 to 8 hours, which restores its AP."""

    entity: EntityId


class RestAll(Message, frozen=True, tag="dhextiny.RestAll"):
    """Give every PC that is neither dying nor dead a full rest."""


class Kill(Message, frozen=True, tag="dhextiny.Kill"):
    """Kill an entity, regardless of its LP."""

    entity: EntityId
    reason: Reason


class GrantAbility(Message, frozen=True, tag="dhextiny.GrantAbility"):
    """Give an entity an ability that does not count towards the number it rolled."""

    entity: EntityId
    ability: NewAbility
    reason: Reason
    amx: Amx | UnsetType = UNSET


class RenameAbility(Message, frozen=True, tag="dhextiny.RenameAbility"):
    """Change the name of an ability."""

    entity: EntityId
    ability: Ability
    name: NewAbility
    reason: Reason


class RemoveAbility(Message, frozen=True, tag="dhextiny.RemoveAbility"):
    """Take an ability away from an entity."""

    entity: EntityId
    ability: Ability
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


class AdjustLpMax(Message, frozen=True, tag="dhextiny.AdjustLpMax"):
    """Set the maximum LP of an entity."""

    entity: EntityId
    lp_max: LpMax
    reason: Reason


class AdjustFire(Message, frozen=True, tag="dhextiny.AdjustFire"):
    """Set how many more rounds an entity will burn, or put out its flames."""

    entity: EntityId
    rounds: Annotated[
        int,
        Meta(ge=0, le=DIE, description="the number of rounds that remain; 0 puts out the flames"),
    ]
    reason: Reason


class SetDeathRule(Message, frozen=True, tag="dhextiny.SetDeathRule"):
    """Set the LP at which a creature dies."""

    entity: EntityId
    dies: DiesAt
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
    | CheckAside
    | Attack
    | PutOut
    | Alter
    | AlterToF
    | Settle
    | Interpret
    | DeathCheck
    | SetAflame
    | SetCondition
    | EndCondition
    | EndRound
    | PassMinutes
    | Burn
    | Harm
    | Rest
    | RestAll
    | Kill
    | GrantAbility
    | RenameAbility
    | RemoveAbility
    | AdjustAp
    | AdjustApMax
    | AdjustLp
    | AdjustLpMax
    | AdjustFire
    | SetDeathRule
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
    aim: str | UnsetType = UNSET


class AbilityNamed(Message, frozen=True, tag="dhextiny.AbilityNamed"):
    entity: str
    ability: str
    amx: int


class AbilityGranted(Message, frozen=True, tag="dhextiny.AbilityGranted"):
    """The GM gave an ability that does not count towards the number of abilities rolled."""

    entity: str
    ability: str
    amx: int
    reason: str


class AbilityRenamed(Message, frozen=True, tag="dhextiny.AbilityRenamed"):
    entity: str
    old: str
    new: str
    reason: str


class AbilityRemoved(Message, frozen=True, tag="dhextiny.AbilityRemoved"):
    entity: str
    ability: str
    reason: str


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
    aim: str | UnsetType = UNSET


class CheckedAside(Message, frozen=True, tag="dhextiny.CheckedAside"):
    """The GM rolled a check without moving the token.

    The token stays on `start`. The roll is counted from there to `point`, which gives `result`.
    """

    entity: str
    start: int
    face: int
    point: int
    result: Result
    ability: str | UnsetType = UNSET
    aim: str | UnsetType = UNSET


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


class Interpreted(Message, frozen=True, tag="dhextiny.Interpreted"):
    entity: str
    result: Result
    text: str


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
    aim: str | UnsetType = UNSET


class CaughtFire(Message, frozen=True, tag="dhextiny.CaughtFire"):
    entity: str
    rounds: int
    aim: str | UnsetType = UNSET


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


class FireAdjusted(Message, frozen=True, tag="dhextiny.FireAdjusted"):
    """The GM set the number of rounds for which an entity will burn, or put out its flames."""

    entity: str
    old: int
    new: int
    reason: str


class ConditionSet(Message, frozen=True, tag="dhextiny.ConditionSet"):
    """An entity got a condition, or one of its conditions changed.

    If both `rounds` and `minutes` are absent, the condition lasts until the GM ends it.
    """

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    note: str | UnsetType = UNSET


class ConditionTicked(Message, frozen=True, tag="dhextiny.ConditionTicked"):
    """Time passed, and a condition will last for `rounds` or `minutes` more.

    If that number is 0, the condition has ended.
    """

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET


class ConditionEnded(Message, frozen=True, tag="dhextiny.ConditionEnded"):
    """The GM ended a condition.

    `rounds` is the number of rounds that it had left. It is absent if the condition was not counted
    in rounds.
    """

    entity: str
    name: str
    reason: str
    rounds: int | UnsetType = UNSET


class Burned(Message, frozen=True, tag="dhextiny.Burned"):
    entity: str
    old: int
    lp: int
    status: Status


class Harmed(Message, frozen=True, tag="dhextiny.Harmed"):
    entity: str
    old: int
    lp: int
    status: Status
    reason: str


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


class DeathRuleSet(Message, frozen=True, tag="dhextiny.DeathRuleSet"):
    """The GM changed the rule for when a creature dies.

    `dies_at` is the number of LP at which it dies. It is absent if the creature cannot die from
    losing LP.
    """

    entity: str
    old: Dies
    new: Dies
    reason: str
    dies_at: int | UnsetType = UNSET


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
    | AbilityGranted
    | AbilityRenamed
    | AbilityRemoved
    | Checked
    | CheckedAside
    | Altered
    | Settled
    | Interpreted
    | Gained
    | Hit
    | DeathChecked
    | CaughtFire
    | Smouldered
    | Extinguished
    | FireAdjusted
    | ConditionSet
    | ConditionTicked
    | ConditionEnded
    | Burned
    | Harmed
    | Rested
    | Killed
    | Adjusted
    | AmxAdjusted
    | DeathRuleSet
    | StatusAdjusted
    | TokenMoved
)
