"""The state of a Pentola table: characters, actions, tests, distances and the moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.rulesets.pentola import events as e, rules
from domain.rulesets.pentola.rules import (
    Being,
    Bonus,
    Characteristic,
    Die,
    Difficulty,
    Distance,
    Options,
    Phase,
    RollPurpose,
    Ruling,
    Thing,
    Usable,
)

N = TypeVar("N", "HeldBonus", "Held")


class HeldBonus(msgspec.Struct, frozen=True):
    name: str
    source: Bonus
    percent: int


class Held(msgspec.Struct, frozen=True):
    """An item or ability with a usage die.

    `due` is the number of rolls of the die that can be made now. `waiting` is the number of
    rolls that become due when the referee says that a minute has passed.
    """

    name: str
    usable: Usable
    die: Die
    waiting: int = 0
    due: int = 0


class Entity(msgspec.Struct, frozen=True):
    """A character or thing.

    The bonuses named in `barred` do not apply to the character's next roll.
    """

    name: str
    being: Being
    seat: str
    scores: dict[Characteristic, int] = {}
    bonuses: tuple[HeldBonus, ...] = ()
    held: tuple[Held, ...] = ()
    barred: tuple[str, ...] = ()


class Action(msgspec.Struct, frozen=True):
    """A character's action.

    A ruling ends the action, but the action stays in the state until the character's next action.
    """

    intent: str
    approach: str | UnsetType = UNSET
    ruling: Ruling | UnsetType = UNSET


class Score(msgspec.Struct, frozen=True):
    """A d100 roll and its goal.

    `percent` is the goal before the `steps` are applied.
    """

    percent: int
    steps: int
    roll: int


class OpenTest(msgspec.Struct, frozen=True):
    """A test that has not been decided yet.

    `action` is the id of the entity whose action is being tested.
    """

    action: str
    characteristic: Characteristic
    difficulty: Difficulty
    score: Score | UnsetType = UNSET


class Participant(msgspec.Struct, frozen=True):
    """A participant in a moment.

    `score` is the initiative roll, and `things` is the number of actions and reactions declared so
    far.
    """

    difficulty: Difficulty = Difficulty.NORMAL
    score: Score | UnsetType = UNSET
    things: int = 0
    focus: bool = False


class Declaration(msgspec.Struct, frozen=True):
    """An action, move or reaction declared in a moment.

    `target` is the entity that a move approaches or a reaction responds to. `to` is the declaration
    number of the action that a reaction responds to.
    """

    nth: int
    entity: str
    thing: Thing
    intent: str
    approach: str
    target: str | UnsetType = UNSET
    to: int | UnsetType = UNSET


class Moment(msgspec.Struct, frozen=True):
    """The current moment.

    After the initiative rolls, `ids` lists the participants in turn order, best first. `at` is the
    entity that may declare or act now. `turn` is the number of the declaration being carried out.
    `spent` contains the numbers of the reactions that have been used.
    """

    number: int
    phase: Phase
    ids: tuple[str, ...]
    parts: dict[str, Participant]
    deeds: tuple[Declaration, ...] = ()
    at: str | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    spent: tuple[int, ...] = ()


class State(msgspec.Struct, frozen=True):
    """The state of a table.

    Snapshots and forks store it as JSON without nulls or floats. The order of values matters in
    tuples, but not in dicts.
    """

    options: Options
    entities: dict[str, Entity] = {}
    actions: dict[str, Action] = {}
    tests: dict[str, OpenTest] = {}
    distances: dict[str, Distance] = {}
    moments: int = 0
    participants: tuple[str, ...] = ()
    moment: Moment | UnsetType = UNSET


def initial(options: Options) -> State:
    return State(options)


def evolve(state: State, event: e.Event) -> State:
    """Return the state after the event.

    Changes to entities that do not exist are ignored.
    """
    match event:
        case e.CharacterCreated():
            scores = {Characteristic.BOD: event.body, Characteristic.INT: event.intellect}
            power = {} if event.power is UNSET else {Characteristic.POW: event.power}
            created = Entity(event.name, event.being, event.seat, scores | power)
            return replace(state, entities=state.entities | {event.entity: created})
        case e.ThingCreated(entity, name, seat):
            created = Entity(name, Being.THING, seat)
            return replace(state, entities=state.entities | {entity: created})
        case e.BonusAdded(entity):
            added = HeldBonus(event.bonus, event.source, event.percent)
            return _change(
                state, entity, lambda character: {"bonuses": (*character.bonuses, added)}
            )
        case e.BonusAdjusted(entity):
            return _change(
                state,
                entity,
                lambda character: {
                    "bonuses": _replace_named(character.bonuses, event.bonus, percent=event.new)
                },
            )
        case e.BonusRuled(entity):
            bar = () if event.applies else (event.bonus,)
            return _change(
                state,
                entity,
                lambda character: {
                    "barred": (*(name for name in character.barred if name != event.bonus), *bar)
                },
            )
        case e.CharacteristicAdjusted(entity):
            changed = {event.characteristic: event.new}
            return _change(state, entity, lambda character: {"scores": character.scores | changed})
        case e.UsableAdded(entity):
            usable = Held(event.held, event.usable, event.die)
            return _change(state, entity, lambda character: {"held": (*character.held, usable)})
        case e.ItemUsed(entity, held, waiting):
            return _change_held(state, entity, held, waiting=waiting)
        case e.RollsDue(entity, held, due):
            return _change_held(state, entity, held, waiting=0, due=due)
        case e.UsageRolled(entity, held, left=die, due=due, waiting=waiting):
            return _change_held(state, entity, held, die=die, due=due, waiting=waiting)
        case e.UsageDieAdjusted(entity, held, new=die, due=due, waiting=waiting):
            return _change_held(state, entity, held, die=die, due=due, waiting=waiting)
        case e.DistanceSet(entity, target, distance) | e.Moved(entity, target, new=distance):
            pair = rules.pair_key(entity, target)
            return replace(state, distances=state.distances | {pair: distance})
        case e.IntentDeclared(entity, intent, approach):
            return _set_action(state, entity, Action(intent, approach))
        case e.ApproachExplained(entity):
            return _change_action(state, entity, approach=event.approach)
        case e.Ruled(entity):
            return _change_action(state, entity, ruling=event.ruling)
        case e.Withdrawn(entity) | e.OpposedSettled(entity):
            return _end_action(state, entity)
        case e.CalledForTest(entity, characteristic, difficulty):
            return _set_test(state, entity, OpenTest(entity, characteristic, difficulty))
        case e.OpponentNamed(entity, opponent, characteristic, difficulty):
            named = _set_test(state, opponent, OpenTest(entity, characteristic, difficulty))
            if event.nth is UNSET:
                return named
            reaction = event.nth
            return _change_moment(named, lambda moment: {"spent": (*moment.spent, reaction)})
        case e.RolledTest(entity, action):
            rolled = _change(state, entity, lambda _: {"barred": ()})
            if event.use is RollPurpose.TEST:
                return _end_action(rolled, action)
            score = Score(event.percent, event.steps, event.roll)
            test = OpenTest(action, event.characteristic, event.difficulty, score)
            return _set_test(rolled, entity, test)
        case e.MomentStarted(number, ids):
            moment = Moment(number, Phase.ROLLING, ids, dict.fromkeys(ids, Participant()))
            return replace(state, moments=number, participants=ids, moment=moment)
        case e.InitiativeSet(entity, difficulty):
            return _change_part(state, entity, difficulty=difficulty)
        case e.InitiativeRolled(entity):
            rolled = _change(state, entity, lambda _: {"barred": ()})
            return _change_part(rolled, entity, score=Score(event.percent, event.steps, event.roll))
        case e.Ordered(ids, at) | e.OrderSet(_, ids, at):
            return _change_moment(state, lambda _: {"phase": Phase.DECLARING, "ids": ids, "at": at})
        case e.ActionDeclared(entity, nth, thing, intent, approach, target=target):
            declaration = Declaration(nth, entity, thing, intent, approach, target)
            return _declare(state, event, declaration)
        case e.ReactionDeclared(entity, nth, approach, against, to):
            declaration = Declaration(nth, entity, Thing.REACTION, "", approach, against, to)
            return _declare(state, event, declaration)
        case e.SlotPassed(entity):
            return _change_moment(state, lambda _: {"at": entity})
        case e.TurnCame(entity, nth, intent, approach):
            acting = _set_action(state, entity, Action(intent, approach))
            return _change_moment(
                acting, lambda _: {"phase": Phase.ACTING, "at": entity, "turn": nth}
            )
        case e.MomentEnded():
            return replace(_break_off(state), moment=UNSET)
        case _:
            raise TypeError(event)


def _change(state: State, entity: str, changes: Callable[[Entity], dict[str, object]]) -> State:
    if entity not in state.entities:
        return state
    character = state.entities[entity]
    return replace(
        state, entities=state.entities | {entity: replace(character, **changes(character))}
    )


def _replace_named(held: tuple[N, ...], name: str, **changes: object) -> tuple[N, ...]:
    return tuple(replace(one, **changes) if one.name == name else one for one in held)


def _change_held(state: State, entity: str, name: str, **changes: object) -> State:
    return _change(
        state, entity, lambda character: {"held": _replace_named(character.held, name, **changes)}
    )


def _set_action(state: State, entity: str, action: Action) -> State:
    return replace(state, actions=state.actions | {entity: action})


def _change_action(state: State, entity: str, **changes: object) -> State:
    if entity not in state.actions:
        return state
    return _set_action(state, entity, replace(state.actions[entity], **changes))


def _end_action(state: State, action: str) -> State:
    """Remove the entity's action and all tests that belong to it."""
    actions = {entity: held for entity, held in state.actions.items() if entity != action}
    tests = {entity: test for entity, test in state.tests.items() if test.action != action}
    return replace(state, actions=actions, tests=tests)


def _set_test(state: State, entity: str, test: OpenTest) -> State:
    return replace(state, tests=state.tests | {entity: test})


def _change_moment(state: State, changes: Callable[[Moment], dict[str, object]]) -> State:
    if state.moment is UNSET:
        return state
    return replace(state, moment=replace(state.moment, **changes(state.moment)))


def _change_part(state: State, entity: str, **changes: object) -> State:
    if state.moment is UNSET or entity not in state.moment.parts:
        return state
    part = replace(state.moment.parts[entity], **changes)
    return _change_moment(state, lambda moment: {"parts": moment.parts | {entity: part}})


def _declare(
    state: State, event: e.ActionDeclared | e.ReactionDeclared, declaration: Declaration
) -> State:
    counted = _change_part(state, event.entity, things=event.things, focus=event.focus)
    return _change_moment(counted, lambda moment: {"deeds": (*moment.deeds, declaration)})


def _break_off(state: State) -> State:
    """Remove the action of the current turn, unless it already has a ruling."""
    moment = state.moment
    if moment is UNSET or moment.turn is UNSET or moment.at is UNSET:
        return state
    action = state.actions.get(moment.at)
    return state if action is None or action.ruling is not UNSET else _end_action(state, moment.at)
