"""The state after an event: it only copies. Of what was never seen nothing is kept."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from domain.rulesets.pentola import rules
from domain.rulesets.pentola.messages.events import Event
from domain.rulesets.pentola.messages.events.moments import (
    ActionDeclared,
    InitiativeRolled,
    InitiativeSet,
    MomentEnded,
    MomentStarted,
    Moved,
    Ordered,
    OrderSet,
    ReactionDeclared,
    SlotPassed,
    TurnCame,
)
from domain.rulesets.pentola.messages.events.play import (
    ApproachExplained,
    BonusAdded,
    BonusAdjusted,
    BonusRuled,
    CalledForTest,
    CharacterCreated,
    CharacteristicAdjusted,
    DistanceSet,
    IntentDeclared,
    ItemUsed,
    OpponentNamed,
    OpposedSettled,
    RolledTest,
    RollsDue,
    Ruled,
    ThingCreated,
    UsableAdded,
    UsageDieAdjusted,
    UsageRolled,
    Withdrawn,
)
from domain.rulesets.pentola.rules import Being, Characteristic, Distance, Use
from domain.rulesets.pentola.state import (
    Action,
    Entity,
    Held,
    HeldBonus,
    OpenTest,
    Score,
    State,
    moments,
)


def evolve(state: State, event: Event) -> State:
    match event:
        case CharacterCreated() | ThingCreated():
            return replace(state, entities=state.entities | {event.entity: _entity(event)})
        case (
            BonusAdded() | UsableAdded() | CharacteristicAdjusted() | BonusAdjusted() | BonusRuled()
        ):
            return _described(state, event)
        case ItemUsed() | RollsDue() | UsageRolled() | UsageDieAdjusted():
            return _used(state, event)
        case IntentDeclared() | ApproachExplained() | Ruled() | Withdrawn():
            return _intended(state, event)
        case CalledForTest() | OpponentNamed() | RolledTest() | OpposedSettled():
            return _tested(state, event)
        case DistanceSet(entity, target, new) | Moved(entity, target, new=new):
            return _apart(state, entity, target, new)
        case TurnCame(entity, _, intent, approach):
            return moments.evolve(_acting(state, entity, Action(intent, approach)), event)
        case MomentStarted() | InitiativeSet() | Ordered() | OrderSet() | SlotPassed():
            return moments.evolve(state, event)
        case ActionDeclared() | ReactionDeclared():
            return moments.evolve(state, event)
        case InitiativeRolled():
            return moments.evolve(_with(state, event.entity, barred=()), event)
        case MomentEnded():
            return moments.evolve(_broken_off(state), event)
        case _:
            raise TypeError(event)


def _entity(event: CharacterCreated | ThingCreated) -> Entity:
    match event:
        case ThingCreated():
            return Entity(event.name, Being.THING, event.seat)
        case CharacterCreated():
            scores = {Characteristic.BOD: event.body, Characteristic.INT: event.intellect}
            power = {} if event.power is UNSET else {Characteristic.POW: event.power}
            return Entity(event.name, event.being, event.seat, scores | power)


def _described(
    state: State,
    event: BonusAdded | UsableAdded | CharacteristicAdjusted | BonusAdjusted | BonusRuled,
) -> State:
    if event.entity not in state.entities:
        return state
    of = state.entities[event.entity]
    match event:
        case BonusAdded():
            added = HeldBonus(event.bonus, event.source, event.percent)
            return _with(state, event.entity, bonuses=(*of.bonuses, added))
        case UsableAdded():
            return _with(
                state, event.entity, held=(*of.held, Held(event.held, event.usable, event.die))
            )
        case CharacteristicAdjusted():
            return _with(state, event.entity, scores=of.scores | {event.characteristic: event.new})
        case BonusAdjusted():
            adjusted = (
                replace(held, percent=event.new) if held.name == event.bonus else held
                for held in of.bonuses
            )
            return _with(state, event.entity, bonuses=tuple(adjusted))
        case BonusRuled():
            others = tuple(name for name in of.barred if name != event.bonus)
            return _with(
                state, event.entity, barred=others if event.applies else (*others, event.bonus)
            )


def _used(state: State, event: ItemUsed | RollsDue | UsageRolled | UsageDieAdjusted) -> State:
    match event:
        case ItemUsed(entity, held, waiting):
            return _holding(state, entity, held, waiting=waiting)
        case RollsDue(entity, held, due):
            return _holding(state, entity, held, waiting=0, due=due)
        case UsageRolled(entity, held):
            return _holding(
                state, entity, held, die=event.left, due=event.due, waiting=event.waiting
            )
        case UsageDieAdjusted(entity, held):
            return _holding(
                state, entity, held, die=event.new, due=event.due, waiting=event.waiting
            )


def _holding(state: State, entity: str, name: str, **changes: object) -> State:
    if entity not in state.entities:
        return state
    held = state.entities[entity].held
    changed = tuple(replace(one, **changes) if one.name == name else one for one in held)
    return _with(state, entity, held=changed)


def _intended(state: State, event: IntentDeclared | ApproachExplained | Ruled | Withdrawn) -> State:
    match event:
        case IntentDeclared(entity, intent, approach):
            return _acting(state, entity, Action(intent, approach))
        case ApproachExplained(entity):
            return _action(state, entity, approach=event.approach)
        case Ruled(entity):
            return _action(state, entity, ruling=event.ruling)
        case Withdrawn(entity):
            return _over(state, entity)


def _tested(
    state: State, event: CalledForTest | OpponentNamed | RolledTest | OpposedSettled
) -> State:
    match event:
        case CalledForTest(entity, characteristic, difficulty):
            return _testing(state, entity, OpenTest(entity, characteristic, difficulty))
        case OpponentNamed(entity, opponent, characteristic, difficulty):
            named = _testing(state, opponent, OpenTest(entity, characteristic, difficulty))
            return moments.evolve(named, event)
        case RolledTest(entity, action, use):
            rolled = _with(state, entity, barred=())
            return _over(rolled, action) if use is Use.TEST else _scored(rolled, event)
        case OpposedSettled(entity):
            return _over(state, entity)


def _scored(state: State, event: RolledTest) -> State:
    score = Score(event.percent, event.steps, event.roll)
    return _testing(
        state, event.entity, OpenTest(event.action, event.characteristic, event.difficulty, score)
    )


def _acting(state: State, entity: str, action: Action) -> State:
    return replace(state, actions=state.actions | {entity: action})


def _action(state: State, entity: str, **changes: object) -> State:
    if entity not in state.actions:
        return state
    return _acting(state, entity, replace(state.actions[entity], **changes))


def _testing(state: State, entity: str, test: OpenTest) -> State:
    return replace(state, tests=state.tests | {entity: test})


def _over(state: State, action: str) -> State:
    """Without the action and all the tests of it."""
    actions = {entity: held for entity, held in state.actions.items() if entity != action}
    tests = {entity: test for entity, test in state.tests.items() if test.action != action}
    return replace(state, actions=actions, tests=tests)


def _broken_off(state: State) -> State:
    """A moment that ends takes with it what was being done in it."""
    moment = state.moment
    if moment is UNSET or moment.turn is UNSET or moment.at is UNSET:
        return state
    action = state.actions.get(moment.at)
    return state if action is None or action.ruling is not UNSET else _over(state, moment.at)


def _apart(state: State, one: str, other: str, distance: Distance) -> State:
    return replace(state, distances=state.distances | {rules.apart(one, other): distance})


def _with(state: State, entity: str, **changes: object) -> State:
    """The state with one entity changed; unchanged where the entity was never seen."""
    if entity not in state.entities:
        return state
    return replace(
        state, entities=state.entities | {entity: replace(state.entities[entity], **changes)}
    )
