"""Seats and characters of the tests, and short functions for events about them."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.decider import By, Role
from domain.ruleset import Message
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.rules import dice, sheet
from domain.rulesets.fansys.rules.dice import PLAIN, Twist
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import (
    CHA,
    CON,
    DEX,
    INT,
    STR,
    WIS,
    Applies,
    AttackProfile,
    Being,
    Defence,
    Gauge,
    Layer,
    Modifier,
    ModifierOrigin,
    Nature,
    Pools,
    Reach,
    RollPurpose,
    Scene,
    Size,
    Skill,
    Stat,
    Term,
    ThresholdPart,
    Throw,
    TiedGrant,
    UnsettledCheck,
)

GM = By("gm", Role.GM)
P1 = By("p1", Role.PLAYER)
P2 = By("p2", Role.PLAYER)
SPECTATOR = By("s1", Role.SPECTATOR)
AUDITOR = By("a1", Role.AUDITOR)
HOUSE = By("house", Role.HOUSE)
STATS = (STR, DEX, CON, INT, WIS, CHA)
NATURAL, SUPERNATURAL = Nature
MELEE, RANGED = Reach
EVEN = (11, 11, 12, 11, 11, 11)  # no bonus but CON, which is rounded up like all


def created(
    entity: str,
    seat: str = "p1",
    level: int = 3,
    stats: tuple[int, ...] = EVEN,
    sp_dice: int = 0,
    mp_dice: int = 0,
    bodiless: bool = False,
    mindless: bool = False,
) -> e.Created:
    return e.Created(
        entity=entity,
        name=entity.title(),
        being=Being.NPC if seat == "gm" else Being.PC,
        seat=seat,
        level=level,
        stats=stats,
        entity_type="humanoid",
        race="human",
        size=Size.MEDIUM,
        bodiless=bodiless,
        mindless=mindless,
        pools=sheet.full_pools(level, stats, sp_dice, mp_dice),
    )


def full(
    level: int = 3, stats: tuple[int, ...] = EVEN, sp_dice: int = 0, mp_dice: int = 0
) -> Pools:
    return sheet.full_pools(level, stats, sp_dice, mp_dice)


def with_stats(**scores: int) -> tuple[int, ...]:
    """Return the even stats with the named scores in place."""
    return tuple(
        scores.get(stat.value.lower(), even) for stat, even in zip(STATS, EVEN, strict=True)
    )


SWORD = AttackProfile("sword", (STR,), NATURAL, MELEE, 1, 8, 2, "swords", False)
BOW = AttackProfile("bow", (DEX,), NATURAL, RANGED, 1, 6, 0, "bow", False)
FLAME = AttackProfile("flame", (INT,), SUPERNATURAL, RANGED, 2, 6, 0, "flame", False)
HOLY = AttackProfile("holy oil", (WIS,), NATURAL, RANGED, 1, 4, 0, "oil", True)

ANA = (
    created("ana", "p1"),
    e.SkillLearned("ana", Skill("locks", 2, (DEX,), False)),
    e.AttackLearned("ana", SWORD),
)
BEN = (created("ben", "p2"),)
RAT = (
    created("rat", "gm", 1, with_stats(int=2)),
    e.AttackLearned("rat", replace(BOW, name="gnawing", reach=MELEE)),
)
GHOST = (created("ghost", "gm", 4, (0, 0, 0, 10, 12, 15), 0, 8, bodiless=True),)
TABLE: tuple[Message, ...] = (*ANA, *BEN, *RAT, *GHOST)
NOW = {"ana": full(), "ben": full(), "rat": RAT[0].pools, "ghost": GHOST[0].pools}


def scene(new: Scene) -> e.SceneSet:
    return e.SceneSet(Scene.TENSE, new, "as the example begins")


SAFE, QUIET, COMBAT = scene(Scene.SAFE), scene(Scene.QUIET), scene(Scene.COMBAT)


def opened(
    entity: str,
    use: RollPurpose = RollPurpose.SKILL,
    name: str = "locks",
    stats: tuple[Stat, ...] = (DEX,),
    threshold: int | UnsetType = UNSET,
    against: str | UnsetType = UNSET,
    **terms: Any,
) -> e.CheckOpened:
    rest = {"routine": False, "tries": 1, "may_yield": False} | terms
    return e.CheckOpened(
        entity, UnsettledCheck(use, name, stats, threshold=threshold, against=against, **rest)
    )


def save(entity: str, *stats: Stat, threshold: int = 12, **terms: Any) -> e.CheckOpened:
    return opened(entity, RollPurpose.SAVE, " or ".join(stats), stats, threshold, **terms)


def ability(
    entity: str, *stats: Stat, threshold: int | UnsetType = UNSET, **terms: Any
) -> e.CheckOpened:
    return opened(entity, RollPurpose.ABILITY, " and ".join(stats), stats, threshold, **terms)


def proficient(entity: str, thing: str) -> e.ProficiencySet:
    return e.ProficiencySet(entity, thing, True, 1)


def modifier(
    value: int,
    source: str = "luck",
    entity: str = "ana",
    nature: Nature = NATURAL,
    type_: str = "circumstance",
    applies: Applies = Applies.ALL,
    only: str | UnsetType = UNSET,
) -> e.ModifierSet:
    return e.ModifierSet(
        entity,
        Modifier(source, ModifierOrigin.CIRCUMSTANCE, nature, type_, applies, value, only),
        0,
    )


def defence(
    entity: str,
    bonus: int,
    part: ThresholdPart = ThresholdPart.ARMOUR,
    layer: Layer = Layer.STATIC,
    source: str = "thing",
) -> e.DefenceSet:
    return e.DefenceSet(entity, Defence(part, layer, source, bonus), 0, 10 + bonus)


def is_now(
    entity: str, condition: ConditionName, rounds: int | UnsetType = UNSET
) -> e.ConditionSet:
    return e.ConditionSet(entity, condition, rounds)


def left(entity: str, **gauges: int) -> e.PoolAdjusted:
    """Return a correction of the pools to these values."""
    now = replace(NOW[entity], **gauges)
    return e.PoolAdjusted(
        entity, Gauge.HP, "as the example begins", NOW[entity], now, sheet.status(now)
    )


def throw(
    *faces: int, terms: tuple[Term, ...] = (), twist: Twist = PLAIN, capped: bool = False
) -> Throw:
    """Return the throw of these faces. Tests of the arithmetic name the numbers themselves."""
    kept = dice.kept(faces, twist)
    sum_, modifier_ = dice.adjusted_sum(kept, capped), sum(term.value for term in terms)
    return Throw(twist, faces, kept, sum_, capped, terms, modifier_, sum_ + modifier_)


BASE = Term("Base", 1)


def has_hit(
    entity: str = "ana", target: str = "ben", attack: AttackProfile = SWORD, times: int = 1
) -> e.AttackRolled:
    return e.AttackRolled(entity, target, attack, throw(9, 8, terms=(BASE,)), 10, True, times)


ANNOUNCED = e.AttackAnnounced("ana", "ben", SWORD)


def hexed(
    entity: str, rounds: int | UnsetType = UNSET, minutes: int | UnsetType = UNSET
) -> e.ConditionSet:
    """Return the beginning of a condition that is not one of the game's."""
    return e.ConditionSet(entity, "hexed", rounds, minutes)


def hex_penalty(value: int = -2, old: int = 0, source: str = "Hexed") -> e.ModifierSet:
    """Return a modifier of ana's that comes from the condition."""
    made = Modifier(
        source, ModifierOrigin.CONDITION, SUPERNATURAL, "curse", Applies.ALL, value, UNSET
    )
    return e.ModifierSet("ana", made, old)


def tied(*held: TiedGrant, twist: Twist = Twist.ADVANTAGE, entity: str = "ana") -> e.Granted:
    """Return a grant after which these grants for rolls of one kind are held."""
    new = held[-1]
    return e.Granted(entity, (), twist, "height", new.roll, new.only, new.target, held)


STRONG = (created("ana", stats=with_stats(str=16)), e.AttackLearned("ana", SWORD))
