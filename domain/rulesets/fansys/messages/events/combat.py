"""Events: attacks, damage, movement."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.ruleset import Message
from domain.rulesets.fansys.rules.records import Attack, Pools, Throw
from domain.rulesets.fansys.rules.words import Mode, Nature, Status


class AttackRolled(Message, frozen=True, tag="fansys.AttackRolled"):
    """Against the target's hit threshold; a hit waits for its damage, the dice rolled `times`."""

    entity: str
    target: str
    attack: Attack
    throw: Throw
    threshold: int
    success: bool
    times: int


class DamageRolled(Message, frozen=True, tag="fansys.DamageRolled"):
    """All dice together, repeated ones too; `bonus` once; `points` after any halving. Absent `attack`: by the GM."""

    entity: str
    target: str
    sides: int
    dice: tuple[int, ...]
    bonus: int
    half: bool
    points: int
    attack: str | UnsetType = UNSET


class Harmed(Message, frozen=True, tag="fansys.Harmed"):
    """`absorbed` by SP or MP, the rest by HP."""

    entity: str
    nature: Nature
    points: int
    absorbed: int
    cause: str
    old: Pools
    pools: Pools
    status: Status


class Moved(Message, frozen=True, tag="fansys.Moved"):
    entity: str
    mode: Mode
    distance: int
    sprint: bool


Combat = AttackRolled | DamageRolled | Harmed | Moved
