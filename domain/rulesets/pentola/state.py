"""The state of a Pentola table: characters, actions, tests, distances, conditions and the moment.

Forks store the state in the log, and a verifier encodes it again. Fields that were added after the
first edition are therefore unset by default, so that the JSON of an older state stays the same.
"""

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
    Undeclared,
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

    The bonuses named in `barred` do not apply to the character's next roll. `retired` is True if
    the entity has left the story. `hit_points` is the character's current number of hit points, or
    unset if the session does not count them. At 0, the character is dead.
    """

    name: str
    being: Being
    seat: str
    scores: dict[Characteristic, int] = {}
    bonuses: tuple[HeldBonus, ...] = ()
    held: tuple[Held, ...] = ()
    barred: tuple[str, ...] = ()
    retired: bool | UnsetType = UNSET
    hit_points: int | UnsetType = UNSET

    @property
    def max_hit_points(self) -> int:
        """Return the character's maximum hit points, computed from its scores."""
        power = self.scores.get(Characteristic.POW, UNSET)
        return rules.max_hit_points(self.scores[Characteristic.BOD], power)


class HeldCondition(msgspec.Struct, frozen=True):
    """A condition of an entity.

    `rounds` is the number of moments left, and `minutes` is the number of minutes left. At most one
    of them is set. If neither is set, the condition lasts until the referee ends it.
    """

    entity: str
    name: str
    rounds: int | UnsetType = UNSET
    minutes: int | UnsetType = UNSET
    note: str | UnsetType = UNSET


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

    `action` is the id of the entity whose action is being tested. If the referee demanded the
    test, `action` is the id of the entity that makes it.
    """

    action: str
    characteristic: Characteristic
    difficulty: Difficulty
    score: Score | UnsetType = UNSET
    undeclared: Undeclared | UnsetType = UNSET
    aim: str | UnsetType = UNSET


class Participant(msgspec.Struct, frozen=True):
    """A participant in a moment.

    `score` is the initiative roll, and `things` is the number of actions and reactions declared so
    far. `aim` is the purpose of the initiative roll.
    """

    difficulty: Difficulty = Difficulty.NORMAL
    score: Score | UnsetType = UNSET
    things: int = 0
    focus: bool = False
    aim: str | UnsetType = UNSET


class Declaration(msgspec.Struct, frozen=True):
    """An action, move or reaction declared in a moment.

    `target` is the entity that a move approaches or a reaction responds to. If `away` is True, the
    move leads away from the target. `to` is the declaration number of the action that a reaction
    responds to. `uses` is the name of the item or ability that is used.
    """

    nth: int
    entity: str
    thing: Thing
    intent: str
    approach: str
    target: str | UnsetType = UNSET
    to: int | UnsetType = UNSET
    away: bool | UnsetType = UNSET
    uses: str | UnsetType = UNSET


class Moment(msgspec.Struct, frozen=True):
    """The current moment.

    After the initiative rolls, `ids` lists the participants in turn order, best first. `at` is the
    entity that may declare or act now. `turn` is the number of the declaration being carried out.
    The last three fields contain numbers of declarations: `spent` has the used reactions, `dropped`
    the withdrawn actions and the reactions that ended unused, and `used` the declarations whose
    item or ability was used or handed over.
    """

    number: int
    phase: Phase
    ids: tuple[str, ...]
    parts: dict[str, Participant]
    deeds: tuple[Declaration, ...] = ()
    at: str | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    spent: tuple[int, ...] = ()
    dropped: tuple[int, ...] | UnsetType = UNSET
    used: tuple[int, ...] | UnsetType = UNSET

    def is_open(self, declaration: Declaration) -> bool:
        """Return True if the declaration has been neither dropped nor used as a reaction."""
        dropped = () if self.dropped is UNSET else self.dropped
        return declaration.nth not in (*self.spent, *dropped)


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
    stored_conditions: dict[str, HeldCondition] | UnsetType = msgspec.field(
        default=UNSET, name="conditions"
    )
    stored_edition: int | UnsetType = msgspec.field(default=UNSET, name="edition")

    @property
    def conditions(self) -> dict[str, HeldCondition]:
        """Return the conditions. Their keys come from `rules.condition_key`."""
        return {} if self.stored_conditions is UNSET else self.stored_conditions

    @property
    def edition(self) -> int:
        """Return the edition of the rules, or 1 if the state stores no edition."""
        return 1 if self.stored_edition is UNSET else self.stored_edition


def initial(options: Options, edition: int) -> State:
    return State(options, stored_edition=UNSET if edition == 1 else edition)


def evolve(state: State, event: e.Event) -> State:
    """Return the state after the event.

    Changes to entities that do not exist are ignored.
    """
    match event:
        case e.CharacterCreated():
            scores = {Characteristic.BOD: event.body, Characteristic.INT: event.intellect}
            power = {} if event.power is UNSET else {Characteristic.POW: event.power}
            created = Entity(
                event.name,
                event.being,
                event.seat,
                scores | power,
                hit_points=event.hit_points,
            )
            return replace(state, entities=state.entities | {event.entity: created})
        case e.ThingCreated(entity, name, seat):
            created = Entity(name, Being.THING, seat)
            return replace(state, entities=state.entities | {entity: created})
        case e.Retired(entity):
            kept = {key: held for key, held in state.conditions.items() if held.entity != entity}
            return _set_conditions(_change(state, entity, lambda _: {"retired": True}), kept)
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
        case e.Harmed(entity) | e.Healed(entity):
            return _change(state, entity, lambda _: {"hit_points": event.left})
        case e.CharacteristicAdjusted(entity):
            changed = {event.characteristic: event.new}
            return _change(state, entity, lambda character: {"scores": character.scores | changed})
        case e.UsableAdded(entity):
            usable = Held(event.held, event.usable, event.die)
            return _change(state, entity, lambda character: {"held": (*character.held, usable)})
        case e.ItemGiven():
            return _record_use(_give_item(state, event), event.nth)
        case e.ItemUsed(entity, held, waiting, nth):
            return _record_use(_change_held(state, entity, held, waiting=waiting), nth)
        case e.RollsDue(entity, held, due):
            return _change_held(state, entity, held, waiting=0, due=due)
        case e.UsageRolled(entity, held, left=die, due=due, waiting=waiting):
            used = _change_held(state, entity, held, die=die, due=due, waiting=waiting)
            return _record_use(used, event.nth)
        case e.UsageDieAdjusted(entity, held, new=die, due=due, waiting=waiting):
            return _change_held(state, entity, held, die=die, due=due, waiting=waiting)
        case e.DistanceSet(entity, target, distance) | e.Moved(entity, target, new=distance):
            pair = rules.pair_key(entity, target)
            return replace(state, distances=state.distances | {pair: distance})
        case e.ConditionSet() | e.ConditionTicked() | e.ConditionEnded():
            return _change_condition(state, event)
        case e.IntentDeclared(entity, intent, approach):
            return _set_action(state, entity, Action(intent, approach))
        case e.ApproachExplained(entity):
            return _change_action(state, entity, approach=event.approach)
        case e.Ruled(entity):
            return _change_action(state, entity, ruling=event.ruling)
        case e.Withdrawn(entity):
            ended = _end_action(state, entity)
            return ended if event.nth is UNSET else _drop(ended, event.nth)
        case e.OpposedSettled(entity):
            return _end_action(state, entity)
        case e.CalledForTest(entity, characteristic, difficulty):
            test = OpenTest(entity, characteristic, difficulty, aim=event.aim)
            return _set_test(state, entity, test)
        case e.TestDemanded(entity, characteristic, difficulty):
            test = OpenTest(
                entity, characteristic, difficulty, UNSET, Undeclared.DEMANDED, event.aim
            )
            return _set_test(state, entity, test)
        case e.OpponentNamed():
            return _name_opponent(state, event)
        case e.TestChanged():
            return _change_test(state, event)
        case e.CalledOff():
            return _call_off(state, event)
        case e.RolledTest():
            return _roll_test(_change(state, event.entity, lambda _: {"barred": ()}), event)
        case e.MomentStarted(number, ids):
            parts = dict.fromkeys(ids, Participant(aim=event.aim))
            moment = Moment(number, Phase.ROLLING, ids, parts)
            return replace(state, moments=number, participants=ids, moment=moment)
        case e.InitiativeSet(entity, difficulty):
            aim = {} if event.aim is UNSET else {"aim": event.aim}
            return _change_part(state, entity, difficulty=difficulty, **aim)
        case e.InitiativeRolled(entity):
            rolled = _change(state, entity, lambda _: {"barred": ()})
            return _change_part(rolled, entity, score=Score(event.percent, event.steps, event.roll))
        case e.Ordered(ids, at) | e.OrderSet(_, ids, at):
            return _change_moment(state, lambda _: {"phase": Phase.DECLARING, "ids": ids, "at": at})
        case e.ActionDeclared(entity, nth, thing, intent, approach, target=target):
            declaration = Declaration(
                nth, entity, thing, intent, approach, target, away=event.away, uses=event.uses
            )
            return _declare(state, event, declaration)
        case e.ReactionDeclared(entity, nth, approach, against, to):
            declaration = Declaration(
                nth, entity, Thing.REACTION, "", approach, against, to, uses=event.uses
            )
            return _declare(state, event, declaration)
        case e.ReactionDropped(nth=nth):
            return _drop(state, nth)
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


def _give_item(state: State, event: e.ItemGiven) -> State:
    item = Held(event.item, Usable.ITEM, event.die, event.waiting, event.due)
    without = _change(
        state,
        event.entity,
        lambda giver: {"held": tuple(one for one in giver.held if one.name != event.item)},
    )
    return _change(without, event.to, lambda receiver: {"held": (*receiver.held, item)})


def _set_conditions(state: State, conditions: dict[str, HeldCondition]) -> State:
    return replace(state, stored_conditions=conditions or UNSET)


def _change_condition(
    state: State, event: e.ConditionSet | e.ConditionTicked | e.ConditionEnded
) -> State:
    key = rules.condition_key(event.entity, event.name)
    others = {name: held for name, held in state.conditions.items() if name != key}
    if isinstance(event, e.ConditionEnded) or 0 in (event.rounds, event.minutes):
        return _set_conditions(state, others)
    if isinstance(event, e.ConditionSet):
        held = HeldCondition(event.entity, event.name, event.rounds, event.minutes, event.note)
    elif key in state.conditions:
        held = replace(state.conditions[key], rounds=event.rounds, minutes=event.minutes)
    else:
        return state
    return _set_conditions(state, others | {key: held})


def _set_action(state: State, entity: str, action: Action) -> State:
    return replace(state, actions=state.actions | {entity: action})


def _change_action(state: State, entity: str, **changes: object) -> State:
    if entity not in state.actions:
        return state
    return _set_action(state, entity, replace(state.actions[entity], **changes))


def _end_action(state: State, action: str) -> State:
    """Remove the entity's action and all tests that belong to it.

    A test that the referee demanded of the entity stays.
    """
    actions = {entity: held for entity, held in state.actions.items() if entity != action}
    tests = {
        entity: test
        for entity, test in state.tests.items()
        if test.action != action or test.undeclared is Undeclared.DEMANDED
    }
    return replace(state, actions=actions, tests=tests)


def _set_test(state: State, entity: str, test: OpenTest) -> State:
    return replace(state, tests=state.tests | {entity: test})


def _name_opponent(state: State, event: e.OpponentNamed) -> State:
    undeclared = Undeclared.COMPETING if event.competes is True else UNSET
    test = OpenTest(
        event.entity, event.characteristic, event.difficulty, UNSET, undeclared, event.aim
    )
    named = _set_test(state, event.opponent, test)
    if event.nth is UNSET:
        return named
    reaction = event.nth
    return _change_moment(named, lambda moment: {"spent": (*moment.spent, reaction)})


def _change_test(state: State, event: e.TestChanged) -> State:
    if event.entity not in state.tests:
        return state
    test = state.tests[event.entity]
    changed = replace(
        test,
        characteristic=event.characteristic,
        difficulty=event.difficulty,
        aim=test.aim if event.aim is UNSET else event.aim,
    )
    return _set_test(state, event.entity, changed)


def _call_off(state: State, event: e.CalledOff) -> State:
    """Remove the entity's test and the tests against it, and make their reactions unused."""
    tests = {
        entity: test
        for entity, test in state.tests.items()
        if event.entity not in (entity, test.action)
    }
    return _change_moment(
        replace(state, tests=tests),
        lambda moment: {"spent": tuple(nth for nth in moment.spent if nth not in event.reactions)},
    )


def _roll_test(state: State, event: e.RolledTest) -> State:
    """Return the state after the roll. If no one opposes the test, the roll ends it."""
    if event.use is RollPurpose.TEST:
        return _end_action(state, event.action)
    if event.use is RollPurpose.DEMANDED:
        tests = {entity: test for entity, test in state.tests.items() if entity != event.entity}
        return replace(state, tests=tests)
    score = Score(event.percent, event.steps, event.roll)
    test = OpenTest(event.action, event.characteristic, event.difficulty, score, aim=event.aim)
    return _set_test(state, event.entity, test)


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


def _drop(state: State, nth: int) -> State:
    return _change_moment(
        state,
        lambda moment: {"dropped": (*(() if moment.dropped is UNSET else moment.dropped), nth)},
    )


def _record_use(state: State, nth: int | UnsetType) -> State:
    """Store the number of the declaration that used an item or ability, if there is one."""
    if nth is UNSET:
        return state
    used = nth
    return _change_moment(
        state, lambda moment: {"used": (*(() if moment.used is UNSET else moment.used), used)}
    )


def _break_off(state: State) -> State:
    """Remove the action of the current turn, unless it already has a ruling."""
    moment = state.moment
    if moment is UNSET or moment.turn is UNSET or moment.at is UNSET:
        return state
    action = state.actions.get(moment.at)
    return state if action is None or action.ruling is not UNSET else _end_action(state, moment.at)
