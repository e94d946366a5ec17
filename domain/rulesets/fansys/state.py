"""The table between events: characters, open checks, hits, scene and clock; and evolve, which only copies."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.rulesets.fansys.messages.events import Event
from domain.rulesets.fansys.messages.events.characters import (
    AttackLearned,
    Created,
    DefenceSet,
    DiceTrained,
    HandedOver,
    LevelGained,
    ModifierSet,
    ProficiencySet,
    SkillLearned,
    SpeedSet,
)
from domain.rulesets.fansys.messages.events.checks import (
    CheckOpened,
    CheckRolled,
    CheckSettled,
    Dropped,
    SaveForced,
    Taken,
    TermsSet,
)
from domain.rulesets.fansys.messages.events.combat import AttackRolled, DamageRolled, Harmed, Moved
from domain.rulesets.fansys.messages.events.mastery import (
    ConditionLifted,
    ConditionSet,
    ConditionTicked,
    DiceSpent,
    Granted,
    PoolAdjusted,
    Rested,
    SceneSet,
    StatAdjusted,
    TimePassed,
)
from domain.rulesets.fansys.rules import sheet, stacking
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.records import Attack, Check, Defence, Hit, Modifier, Pools, Skill
from domain.rulesets.fansys.rules.words import Being, Options, Scene, Size

T = TypeVar("T")


class Entity(msgspec.Struct, frozen=True):
    """`stats` in the book's order; `conditions` with the rounds left, 0 until lifted; `granted` for the next roll."""

    name: str
    being: Being
    seat: str
    level: int
    stats: tuple[int, ...]
    entity_type: str
    race: str
    size: Size
    bodiless: bool
    mindless: bool
    pools: Pools
    looks: str | UnsetType = UNSET
    skills: tuple[Skill, ...] = ()
    attacks: tuple[Attack, ...] = ()
    proficiencies: tuple[str, ...] = ()
    speeds: dict[str, int] = {}
    defences: tuple[Defence, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    conditions: dict[str, int] = {}
    granted: tuple[Twist, ...] = ()


class State(msgspec.Struct, frozen=True):
    """JSON without null or float: snapshots and forks store it. One open check, one waiting hit for each entity."""

    options: Options
    clock: int
    scene: Scene = Scene.TENSE
    entities: dict[str, Entity] = {}
    checks: dict[str, Check] = {}
    hits: dict[str, Hit] = {}


def initial(options: Options) -> State:
    return State(options, options.clock)


def evolve(state: State, event: Event) -> State:
    """The state after the event. Of an entity that was never seen created, open checks and hits alone are kept."""
    match event:
        case Created():
            return replace(state, entities=state.entities | {event.entity: _entity(event)})
        case HandedOver():
            return _with(state, event.entity, being=event.being, seat=event.seat)
        case (
            SkillLearned()
            | ProficiencySet()
            | AttackLearned()
            | SpeedSet()
            | DefenceSet()
            | ModifierSet()
        ):
            return _learned(state, event)
        case (
            LevelGained()
            | DiceTrained()
            | DiceSpent()
            | Rested()
            | PoolAdjusted()
            | StatAdjusted()
            | Harmed()
        ):
            return _measured(state, event)
        case CheckOpened() | TermsSet() | CheckRolled() | Taken() | CheckSettled() | Dropped():
            return _checked(state, event)
        case AttackRolled() | DamageRolled():
            return _struck(state, event)
        case Granted():
            return _with(state, event.entity, granted=event.granted)
        case ConditionSet() | ConditionTicked() | ConditionLifted():
            return _ailing(state, event)
        case TimePassed():
            return replace(state, clock=event.clock)
        case SceneSet():
            return replace(state, scene=event.new)
        case SaveForced() | Moved():
            return state
        case _:
            raise TypeError(event)


def _entity(event: Created) -> Entity:
    return Entity(
        name=event.name,
        being=event.being,
        seat=event.seat,
        level=event.level,
        stats=event.stats,
        entity_type=event.entity_type,
        race=event.race,
        size=event.size,
        bodiless=event.bodiless,
        mindless=event.mindless,
        pools=event.pools,
        looks=event.looks,
    )


def _learned(
    state: State,
    event: SkillLearned | ProficiencySet | AttackLearned | SpeedSet | DefenceSet | ModifierSet,
) -> State:
    if event.entity not in state.entities:
        return state
    of = state.entities[event.entity]
    match event:
        case SkillLearned(entity, skill):
            return _with(
                state,
                entity,
                skills=stacking.put(of.skills, skill, lambda held: held.name == skill.name),
            )
        case AttackLearned(entity, attack):
            return _with(
                state,
                entity,
                attacks=stacking.put(of.attacks, attack, lambda held: held.name == attack.name),
            )
        case ProficiencySet(entity, thing, known):
            others = tuple(held for held in of.proficiencies if held != thing)
            return _with(state, entity, proficiencies=(*others, thing) if known else others)
        case SpeedSet(entity, mode):
            return _with(state, entity, speeds=of.speeds | {mode.value: event.speed})
        case DefenceSet(entity, defence):
            return _with(state, entity, defences=stacking.defended(of.defences, defence))
        case ModifierSet(entity, modifier):
            return _with(state, entity, modifiers=stacking.modified(of.modifiers, modifier))


Measured = LevelGained | DiceTrained | DiceSpent | Rested | PoolAdjusted | StatAdjusted | Harmed


def _measured(state: State, event: Measured) -> State:
    state = _with(state, event.entity, pools=event.pools)
    match event:
        case LevelGained(entity, level):
            return _with(state, entity, level=level)
        case StatAdjusted(entity, stat) if entity in state.entities:
            stats = sheet.with_score(state.entities[entity].stats, stat, event.after)
            return _with(state, entity, stats=stats)
    return state


def _checked(
    state: State, event: CheckOpened | TermsSet | CheckRolled | Taken | CheckSettled | Dropped
) -> State:
    match event:
        case CheckOpened(entity, check):
            return replace(state, checks=state.checks | {entity: check})
        case TermsSet(entity) if entity in state.checks:
            return replace(
                state, checks=state.checks | {entity: termed(state.checks[entity], event)}
            )
        case TermsSet():
            return state
        case Dropped(entity):
            return replace(
                state, checks=_without(state.checks, entity), hits=_without(state.hits, entity)
            )
        case CheckRolled(entity):
            return replace(_with(state, entity, granted=()), checks=_without(state.checks, entity))
        case Taken() | CheckSettled():
            return replace(state, checks=_without(state.checks, event.entity))


def termed(check: Check, terms: TermsSet) -> Check:
    """The check on its new terms."""
    return replace(
        check,
        threshold=check.threshold if terms.threshold is UNSET else terms.threshold,
        routine=check.routine if terms.routine is UNSET else terms.routine,
        tries=check.tries if terms.tries is UNSET else terms.tries,
        seconds=check.seconds if terms.seconds is UNSET else terms.seconds,
        may_yield=check.may_yield if terms.may_yield is UNSET else terms.may_yield,
    )


def _struck(state: State, event: AttackRolled | DamageRolled) -> State:
    match event:
        case AttackRolled(entity, target, attack):
            state = _with(state, entity, granted=())
            hits = (
                state.hits | {entity: Hit(target, attack, event.times)}
                if event.success
                else state.hits
            )
            return replace(state, hits=hits)
        case DamageRolled():
            return (
                state
                if event.attack is UNSET
                else replace(state, hits=_without(state.hits, event.entity))
            )


def _ailing(state: State, event: ConditionSet | ConditionTicked | ConditionLifted) -> State:
    if event.entity not in state.entities:
        return state
    held = _without(state.entities[event.entity].conditions, event.condition.value)
    match event:
        case ConditionSet(rounds=rounds):
            held = held | {event.condition.value: 0 if rounds is UNSET else rounds}
        case ConditionTicked(rounds=rounds) if rounds:
            held = held | {event.condition.value: rounds}
    return _with(state, event.entity, conditions=held)


def _without(held: dict[str, T], key: str) -> dict[str, T]:
    return {name: value for name, value in held.items() if name != key}


def _with(state: State, entity: str, **changes: object) -> State:
    """The state with one entity changed; unchanged where the entity was never seen."""
    if entity not in state.entities:
        return state
    return replace(
        state, entities=state.entities | {entity: replace(state.entities[entity], **changes)}
    )
