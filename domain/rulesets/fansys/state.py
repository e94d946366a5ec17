"""The state of a FanSys session: characters, open checks, attacks, conditions, scene and clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.rules import editions, grants, modifiers, sheet
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.vocabulary import (
    AnnouncedAttack,
    AttackProfile,
    Being,
    Defence,
    Length,
    Modifier,
    Options,
    Pools,
    RollPurpose,
    Scene,
    Size,
    Skill,
    TiedGrant,
    Unit,
    UnresolvedHit,
    UnsettledCheck,
)

T = TypeVar("T")


class Entity(msgspec.Struct, frozen=True):
    """A character.

    `stats` lists the scores in the rulebook's order. `conditions` maps each of the game's
    conditions to the number of rounds left, which is 0 if the condition lasts until it is lifted.
    `granted` lists the advantages and disadvantages on the next roll of any kind.
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


class OwnCondition(msgspec.Struct, frozen=True):
    """A custom condition, which is not one of the game's.

    It ends after `rounds` rounds, or when the clock reaches `until`. If neither is set, it lasts
    until the GM ends it.
    """

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    until: int | UnsetType = UNSET
    note: str | UnsetType = UNSET


class RoundSoFar(msgspec.Struct, frozen=True):
    """What a character has done in the current round. `moved` is in feet."""

    moved: int = 0
    sprinted: bool = False
    acted: bool = False


class Resting(msgspec.Struct, frozen=True):
    """The most recent rest, and the characters who took it.

    It took `seconds` and ended when the clock showed `until`.
    """

    until: int
    length: Length
    seconds: int
    who: tuple[str, ...]


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """The state of a session.

    Each entity has at most one open check, one announced attack, and one hit whose damage has not
    been rolled. `conditions` is keyed by entity and folded name. `grants` lists the advantages and
    disadvantages on the next roll of one kind. `rounds` records what each entity has done in the
    current round. It is empty in scenes in which rounds are not counted.

    Snapshots and forks store the state as JSON without nulls or floats. The JSON of an edition 1
    state must not change, because forks are compared with it byte for byte. Fields that were added
    later therefore have defaults, which the JSON omits. The older fields have no defaults, so the
    JSON always contains them.
    """

    options: Options
    clock: int
    scene: Scene
    entities: dict[str, Entity]
    checks: dict[str, UnsettledCheck]
    hits: dict[str, UnresolvedHit]
    attacks: dict[str, AnnouncedAttack] = {}
    conditions: dict[str, OwnCondition] = {}
    grants: dict[str, tuple[TiedGrant, ...]] = {}
    rounds: dict[str, RoundSoFar] = {}
    resting: Resting | UnsetType = UNSET
    retired: tuple[str, ...] = ()
    edition: int = 1


def initial(options: Options, edition: int) -> State:
    return State(options, options.clock, Scene.TENSE, {}, {}, {}, edition=edition)


def counts_rounds(state: State) -> bool:
    """Return True if movement and actions are counted in each round (RULES 4.6)."""
    return state.edition >= editions.SPEED_PER_ROUND_SINCE and state.scene in (
        Scene.TENSE,
        Scene.COMBAT,
    )


def joins_rest(state: State, entity: str, length: Length, seconds: int) -> bool:
    """Return True if the entity's rest coincides with the most recent rest (RULES 12.4)."""
    last = state.resting
    return (
        last is not UNSET
        and entity not in last.who
        and (last.until, last.length, last.seconds) == (state.clock, length, seconds)
    )


def evolve(state: State, event: e.Event) -> State:
    """Return the state after the event.

    An event about an unknown entity can change only checks, attacks and hits. An entity is
    unknown if the event that created it is sealed for the viewer.
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
        case e.Retired(entity):
            return _retire(state, entity)
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
        case e.DiceTrained() | e.PoolAdjusted() | e.Harmed():
            return _change(state, event.entity, lambda _: {"pools": event.pools})
        case e.DiceSpent(entity):
            spent = _change(state, entity, lambda _: {"pools": event.pools})
            return _add_to_round(spent, entity, acted=True)
        case e.Rested(entity):
            rested = _change(state, entity, lambda _: {"pools": event.pools})
            return replace(rested, resting=_resting(state, event))
        case e.CheckOpened(entity, check):
            return replace(state, checks=state.checks | {entity: check})
        case e.TermsSet(entity):
            if entity not in state.checks:
                return state
            check = _set_terms(state.checks[entity], event)
            return replace(state, checks=state.checks | {entity: check})
        case e.CheckRolled(entity, use, name):
            rolled = _use_grants(state, entity, use, name)
            return replace(rolled, checks=_without(state.checks, entity))
        case e.Taken(entity) | e.CheckSettled(entity):
            return replace(state, checks=_without(state.checks, entity))
        case e.Dropped(entity):
            checks, hits = _without(state.checks, entity), _without(state.hits, entity)
            attacks = _without(state.attacks, entity)
            return replace(state, checks=checks, hits=hits, attacks=attacks)
        case e.AttackAnnounced(entity, target, attack, aim):
            announced = AnnouncedAttack(target, attack, aim=aim)
            return replace(state, attacks=state.attacks | {entity: announced})
        case e.AttackTermsSet(entity):
            if entity not in state.attacks:
                return state
            announced = _set_attack_terms(state.attacks[entity], event)
            return replace(state, attacks=state.attacks | {entity: announced})
        case e.AttackRolled(entity, target, attack):
            used = _use_grants(state, entity, RollPurpose.ATTACK, attack.name, target)
            hit = UnresolvedHit(target, attack, event.times) if event.success else None
            return _finish_attack(used, entity, hit)
        case e.AttackRuled(entity, target, attack, success):
            return _finish_attack(
                state, entity, UnresolvedHit(target, attack, 1) if success else None
            )
        case e.DamageRolled(entity):
            # Damage dealt by the GM belongs to no attack, so the hit still awaits its damage roll.
            if event.attack is UNSET:
                return state
            return replace(state, hits=_without(state.hits, entity))
        case e.Granted(entity):
            granted = _change(state, entity, lambda _: {"granted": event.granted})
            return granted if event.tied is UNSET else _set_tied(granted, entity, event.tied)
        case e.ConditionSet():
            return _begin_condition(state, event)
        case e.ConditionTicked():
            return _tick_condition(state, event)
        case e.ConditionLifted(entity, name) | e.ConditionEnded(entity, name):
            return _end_condition(state, entity, name)
        case e.Moved(entity, _, distance, sprint):
            return _add_to_round(state, entity, moved=distance, sprinted=sprint)
        case e.SaveForced(entity):
            return _add_to_round(state, entity, acted=True)
        case e.TimePassed():
            return replace(state, clock=event.clock, rounds={})
        case e.SceneSet():
            return replace(state, scene=event.new, rounds={})
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


def _set_attack_terms(announced: AnnouncedAttack, terms: e.AttackTermsSet) -> AnnouncedAttack:
    return replace(
        announced,
        ready=True,
        twist=announced.twist if terms.twist is UNSET else terms.twist,
        bonus=announced.bonus if terms.bonus is UNSET else terms.bonus,
        cover=announced.cover if terms.cover is UNSET else terms.cover,
    )


def _finish_attack(state: State, entity: str, hit: UnresolvedHit | None) -> State:
    """Return the state after an attack was rolled or ruled on. `hit` is None after a miss."""
    hits = state.hits if hit is None else state.hits | {entity: hit}
    attacked = replace(state, hits=hits, attacks=_without(state.attacks, entity))
    return _add_to_round(attacked, entity, acted=True)


def _use_grants(
    state: State, entity: str, use: RollPurpose, name: str, target: str | UnsetType = UNSET
) -> State:
    """Return the state without the grants that the roll has used up."""
    rolled = _change(state, entity, lambda _: {"granted": ()})
    if entity not in state.grants:
        return rolled
    left = grants.without_used(state.grants[entity], use, name, target)
    return _set_tied(rolled, entity, left)


def _set_tied(state: State, entity: str, tied: tuple[TiedGrant, ...]) -> State:
    if entity not in state.entities:
        return state
    held = {entity: tied} if tied else {}
    return replace(state, grants=_without(state.grants, entity) | held)


def _add_to_round(
    state: State, entity: str, *, moved: int = 0, sprinted: bool = False, acted: bool = False
) -> State:
    if entity not in state.entities or not counts_rounds(state):
        return state
    old = state.rounds.get(entity, RoundSoFar())
    new = RoundSoFar(old.moved + moved, old.sprinted or sprinted, old.acted or acted)
    return replace(state, rounds=state.rounds | {entity: new})


def _resting(state: State, event: e.Rested) -> Resting | UnsetType:
    """Return the most recent rest. The event starts a new rest or joins the previous one."""
    if event.until is UNSET or event.seconds is UNSET:
        return state.resting
    if state.resting is not UNSET and joins_rest(state, event.entity, event.length, event.seconds):
        return replace(state.resting, who=(*state.resting.who, event.entity))
    return Resting(event.until, event.length, event.seconds, (event.entity,))


def _retire(state: State, entity: str) -> State:
    """Return the state without the character's conditions, grants and actions in this round."""
    left = _change(state, entity, lambda _: {"conditions": {}, "granted": ()})
    return replace(
        left,
        conditions={key: own for key, own in state.conditions.items() if own.entity != entity},
        grants=_without(state.grants, entity),
        rounds=_without(state.rounds, entity),
        retired=(*state.retired, entity),
    )


def _begin_condition(state: State, event: e.ConditionSet) -> State:
    """Return the state after a condition was set.

    If one of the game's conditions lasts until it is lifted, its rounds are stored as 0.
    """
    entity, preset = event.entity, modifiers.find_preset(event.condition)
    rounds = 0 if event.rounds is UNSET else event.rounds
    if preset is not None:
        return _set_preset(state, entity, preset.value, rounds)
    if entity not in state.entities:
        return state
    until: int | UnsetType = UNSET
    if event.minutes is not UNSET:
        until = state.clock + sheet.SECONDS[Unit.MINUTE] * event.minutes
    own = OwnCondition(entity, event.condition, event.rounds, until, event.note)
    key = modifiers.condition_key(entity, event.condition)
    return replace(state, conditions=_without(state.conditions, key) | {key: own})


def _tick_condition(state: State, event: e.ConditionTicked) -> State:
    rounds, preset = event.rounds, modifiers.find_preset(event.condition)
    if not (rounds or event.minutes):
        return _end_condition(state, event.entity, event.condition)
    if rounds is UNSET:  # a condition that lasts for minutes has a fixed end
        return state
    if preset is not None:
        return _set_preset(state, event.entity, preset.value, rounds)
    key = modifiers.condition_key(event.entity, event.condition)
    if key not in state.conditions:
        return state
    own = replace(state.conditions[key], rounds=rounds)
    return replace(state, conditions=state.conditions | {key: own})


def _end_condition(state: State, entity: str, name: str) -> State:
    preset = modifiers.find_preset(name)
    if preset is not None:
        return _set_preset(state, entity, preset.value, None)
    key = modifiers.condition_key(entity, name)
    return replace(state, conditions=_without(state.conditions, key))


def _set_preset(state: State, entity: str, condition: str, rounds: int | None) -> State:
    """Return the state after setting the number of rounds left for a condition of the game.

    If `rounds` is None, the condition is removed.
    """
    added = {} if rounds is None else {condition: rounds}
    return _change(
        state,
        entity,
        lambda character: {"conditions": _without(character.conditions, condition) | added},
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
