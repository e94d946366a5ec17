"""Events: what happened, with its outcome. Plain values: a bound that changes must not make an old log unreadable."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.ruleset import Message
from domain.rulesets.dhextiny.rules import Being, Pool, Result, Status, Use


class EntityCreated(Message, frozen=True, tag="dhextiny.EntityCreated"):
    """Absent `dies_at`: no number of LP kills it."""

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
    """The die fell and the token moved from `start` to `point`; the check is open."""

    entity: str
    use: Use
    start: int
    face: int
    point: int
    result: Result
    ability: str | UnsetType = UNSET
    target: str | UnsetType = UNSET


class Altered(Message, frozen=True, tag="dhextiny.Altered"):
    """The token went on from `start`; `moved` is die and steps together, `ap` what is left."""

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
    """The result is final; `rolled` is what the die alone had given."""

    entity: str
    use: Use
    rolled: Result
    point: int
    result: Result


class Gained(Message, frozen=True, tag="dhextiny.Gained"):
    """AP for a failure: `nominal` by the book, `gain` in truth."""

    entity: str
    nominal: int
    gain: int
    ap: int


class Hit(Message, frozen=True, tag="dhextiny.Hit"):
    """`damage` points struck, the target's `pool` lost `loss` of them and has `left`."""

    entity: str
    target: str
    result: Result
    damage: int
    pool: Pool
    loss: int
    left: int
    status: Status


class DeathChecked(Message, frozen=True, tag="dhextiny.DeathChecked"):
    """A dying entity's roll on the shared ring; `old` and `lp` are LP before and after."""

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
    """A round passed; the fire has `rounds` left, at 0 it has burnt out."""

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


Character = EntityCreated | AbilitiesRolled | AbilityNamed
Action = Checked | Altered | Settled | Gained | Hit | DeathChecked
Fire = CaughtFire | Smouldered | Extinguished | Burned
Mastery = Rested | Killed | Adjusted | AmxAdjusted | StatusAdjusted | TokenMoved
Event = Character | Action | Fire | Mastery
