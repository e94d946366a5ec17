"""Events: what happened, with its outcome. Plain values: a bound that changes must not make an old log unreadable."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from domain.ruleset import Message
from domain.rulesets.kingdoms.rules import Being, Kind, Refill


class Stat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A stat with its value at that moment."""

    name: str
    value: int


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Where dice of a pool come from, and how many."""

    name: str
    dice: int


class EntityCreated(Message, frozen=True, tag="kingdoms.EntityCreated"):
    entity: str
    name: str
    being: Being
    seat: str
    con: int
    cha: int


class StatNamed(Message, frozen=True, tag="kingdoms.StatNamed"):
    entity: str
    stat: str
    value: int


class TestDeclared(Message, frozen=True, tag="kingdoms.TestDeclared"):
    """`refill` is there in an extended test."""

    entity: str
    test: Kind
    stats: tuple[str, ...]
    refill: Refill | UnsetType = UNSET


class DiceGranted(Message, frozen=True, tag="kingdoms.DiceGranted"):
    entity: str
    source: str
    dice: int


class PoolAssembled(Message, frozen=True, tag="kingdoms.PoolAssembled"):
    """`pool` is what the sources come to, 0 where they come to less."""

    entity: str
    sources: tuple[Source, ...]
    pool: int


class DtSet(Message, frozen=True, tag="kingdoms.DtSet"):
    """`old` is absent the first time in a test."""

    entity: str
    dt: int
    old: int | UnsetType = UNSET


class DtDetermined(Message, frozen=True, tag="kingdoms.DtDetermined"):
    """`computed` is the sum of the opponent's `stats` less the entity's own, `dt` the nearest that there is."""

    entity: str
    opponent: str
    stats: tuple[Stat, ...]
    less: tuple[Stat, ...]
    computed: int
    dt: int
    old: int | UnsetType = UNSET


class TestRolled(Message, frozen=True, tag="kingdoms.TestRolled"):
    """Roll `nth` of the test: `failed` dice of the pool failed, `total` sums all margins; `passed` in a basic test."""

    entity: str
    test: Kind
    nth: int
    pool: int
    dt: int
    twelve_succeeds: bool
    faces: tuple[int, ...]
    successes: int
    failures: int
    margin: int
    failed: int
    total: int
    passed: bool | UnsetType = UNSET


class Interpreted(Message, frozen=True, tag="kingdoms.Interpreted"):
    entity: str
    nth: int
    text: str


class Refilled(Message, frozen=True, tag="kingdoms.Refilled"):
    """Roll `nth` is done: `removed` dice went, `stat` of `value` really `added` so many, `pool` is what is left."""

    entity: str
    nth: int
    removed: int
    stat: Refill
    value: int
    added: int
    pool: int


class TestEnded(Message, frozen=True, tag="kingdoms.TestEnded"):
    """After so many `rolls`; `total` sums their margins; `pool` dice are put back."""

    entity: str
    test: Kind
    rolls: int
    total: int
    pool: int


class DiceRolled(Message, frozen=True, tag="kingdoms.DiceRolled"):
    """A plain roll: no face is special."""

    entity: str
    sides: int
    faces: tuple[int, ...]
    sum: int
    purpose: str | UnsetType = UNSET


class StatAdjusted(Message, frozen=True, tag="kingdoms.StatAdjusted"):
    entity: str
    stat: str
    old: int
    new: int
    reason: str


class PoolAdjusted(Message, frozen=True, tag="kingdoms.PoolAdjusted"):
    entity: str
    old: int
    new: int
    reason: str


class TestDropped(Message, frozen=True, tag="kingdoms.TestDropped"):
    """Called off, with `pool` dice in hand."""

    entity: str
    test: Kind
    pool: int
    reason: str


Character = EntityCreated | StatNamed
Preparation = TestDeclared | DiceGranted | PoolAssembled | DtSet | DtDetermined
Rolling = TestRolled | Interpreted | Refilled | TestEnded | DiceRolled
Adjustment = StatAdjusted | PoolAdjusted | TestDropped
Event = Character | Preparation | Rolling | Adjustment
