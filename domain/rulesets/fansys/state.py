"""The state of a FanSys session: characters, open checks, hits, scene and clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.rules import modifiers, sheet
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import (
    AttackProfile,
    Being,
    Defence,
    Modifier,
    Options,
    Pools,
    Scene,
    Size,
    Skill,
    UnresolvedHit,
    UnsettledCheck,
)

T = TypeVar("T")


class Entity(msgspec.Struct, frozen=True):
    """A character.

    `stats` lists the scores in the rulebook's order. `conditions` maps each condition to the number
    of rounds left, which is 0 if the condition lasts until it is lifted. `granted` lists the
    advantages and disadvantages on the next roll.
    """

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
    attacks: tuple[AttackProfile, ...] = ()
    proficiencies: tuple[str, ...] = ()
    speeds: dict[str, int] = {}
    defences: tuple[Defence, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    conditions: dict[str, int] = {}
    granted: tuple[Twist, ...] = ()


class State(msgspec.Struct, frozen=True):
    """The state of a session.

    Each entity has at most one open check, and at most one hit whose damage has not been rolled.
    Snapshots and forks store the state as JSON without nulls or floats.
    """

    options: Options
    clock: int
    scene: Scene = Scene.TENSE
    entities: dict[str, Entity] = {}
    checks: dict[str, UnsettledCheck] = {}
    hits: dict[str, UnresolvedHit] = {}


def initial(options: Options) -> State:
    return State(options, options.clock)


def evolve(state: State, event: e.Event) -> State:
    """Return the state after the event.

    An event about an unknown entity can change only open checks and hits. An entity is unknown if
    the event that created it is sealed for the viewer.
    """
    match event:
        case e.Created(entity):
            created = Entity(
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
            return replace(state, entities=state.entities | {entity: created})
        case e.HandedOver(entity):
            return _change(state, entity, lambda _: {"being": event.being, "seat": event.seat})
        case e.SkillLearned(entity, skill):
            return _change(
                state,
                entity,
                lambda character: {
                    "skills": modifiers.replace_or_append(
                        character.skills, skill, lambda held: held.name == skill.name
                    )
                },
            )
        case e.AttackLearned(entity, attack):
            return _change(
                state,
                entity,
                lambda character: {
                    "attacks": modifiers.replace_or_append(
                        character.attacks, attack, lambda held: held.name == attack.name
                    )
                },
            )
        case e.ProficiencySet(entity, thing):
            known = (thing,) if event.known else ()
            return _change(
                state,
                entity,
                lambda character: {
                    "proficiencies": (
                        *(held for held in character.proficiencies if held != thing),
                        *known,
                    )
                },
            )
        case e.SpeedSet(entity, mode):
            speed = {mode.value: event.speed}
            return _change(state, entity, lambda character: {"speeds": character.speeds | speed})
        case e.DefenceSet(entity, defence):
            return _change(
                state,
                entity,
                lambda character: {"defences": modifiers.with_defence(character.defences, defence)},
            )
        case e.ModifierSet(entity, modifier):
            return _change(
                state,
                entity,
                lambda character: {
                    "modifiers": modifiers.with_modifier(character.modifiers, modifier)
                },
            )
        case e.LevelGained(entity, level):
            return _change(state, entity, lambda _: {"pools": event.pools, "level": level})
        case e.StatAdjusted(entity, stat, _, score):
            return _change(
                state,
                entity,
                lambda character: {
                    "pools": event.pools,
                    "stats": sheet.with_score(character.stats, stat, score),
                },
            )
        case e.DiceTrained() | e.DiceSpent() | e.Rested() | e.PoolAdjusted() | e.Harmed():
            return _change(state, event.entity, lambda _: {"pools": event.pools})
        case e.CheckOpened(entity, check):
            return replace(state, checks=state.checks | {entity: check})
        case e.TermsSet(entity):
            if entity not in state.checks:
                return state
            check = _set_terms(state.checks[entity], event)
            return replace(state, checks=state.checks | {entity: check})
        case e.CheckRolled(entity):
            rolled = _change(state, entity, lambda _: {"granted": ()})
            return replace(rolled, checks=_without(state.checks, entity))
        case e.Taken(entity) | e.CheckSettled(entity):
            return replace(state, checks=_without(state.checks, entity))
        case e.Dropped(entity):
            checks, hits = _without(state.checks, entity), _without(state.hits, entity)
            return replace(state, checks=checks, hits=hits)
        case e.AttackRolled(entity, target, attack):
            rolled = _change(state, entity, lambda _: {"granted": ()})
            hit = {entity: UnresolvedHit(target, attack, event.times)} if event.success else {}
            return replace(rolled, hits=state.hits | hit)
        case e.DamageRolled(entity):
            # Damage dealt by the GM belongs to no attack, so the hit still awaits its damage roll.
            if event.attack is UNSET:
                return state
            return replace(state, hits=_without(state.hits, entity))
        case e.Granted(entity):
            return _change(state, entity, lambda _: {"granted": event.granted})
        case e.ConditionSet(entity, condition, rounds):
            return _set_condition(state, entity, condition, 0 if rounds is UNSET else rounds)
        case e.ConditionTicked(entity, condition, rounds) if rounds:
            return _set_condition(state, entity, condition, rounds)
        case e.ConditionTicked(entity, condition) | e.ConditionLifted(entity, condition):
            return _set_condition(state, entity, condition, None)
        case e.TimePassed():
            return replace(state, clock=event.clock)
        case e.SceneSet():
            return replace(state, scene=event.new)
        case e.SaveForced() | e.Moved():
            return state
        case _:
            raise TypeError(event)


def _set_terms(check: UnsettledCheck, terms: e.TermsSet) -> UnsettledCheck:
    return replace(
        check,
        threshold=check.threshold if terms.threshold is UNSET else terms.threshold,
        routine=check.routine if terms.routine is UNSET else terms.routine,
        tries=check.tries if terms.tries is UNSET else terms.tries,
        seconds=check.seconds if terms.seconds is UNSET else terms.seconds,
        may_yield=check.may_yield if terms.may_yield is UNSET else terms.may_yield,
    )


def _set_condition(
    state: State, entity: str, condition: ConditionName, rounds: int | None
) -> State:
    """Return the state after setting the number of rounds left for a condition.

    If `rounds` is None, the condition is removed. If it is 0, the condition lasts until it is
    lifted.
    """
    added = {} if rounds is None else {condition.value: rounds}
    return _change(
        state,
        entity,
        lambda character: {"conditions": _without(character.conditions, condition.value) | added},
    )


def _without(held: dict[str, T], key: str) -> dict[str, T]:
    return {name: value for name, value in held.items() if name != key}


def _change(state: State, entity: str, changes: Callable[[Entity], dict[str, object]]) -> State:
    if entity not in state.entities:
        return state
    character = state.entities[entity]
    return replace(
        state, entities=state.entities | {entity: replace(character, **changes(character))}
    )
