"""Actions and moments: intent, ruling, initiative, declarations, turns (RULES 2 and 7 to 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import UNSET, UnsetType

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.pentola import commands as c
from domain.rulesets.pentola import contests, rules
from domain.rulesets.pentola import events as e
from domain.rulesets.pentola.contests import Contender
from domain.rulesets.pentola.decider import guards
from domain.rulesets.pentola.rules import (
    BUDGET,
    INITIATIVE_BONUSES,
    MOST_THINGS,
    RULINGS,
    STEPS,
    Being,
    Characteristic,
    Distance,
    Phase,
    Ruling,
    Thing,
)
from domain.rulesets.pentola.state import Action, Deed, HeldBonus, Moment, Score, State


def declare_intent(state: State, command: c.DeclareIntent, by: By) -> tuple[e.Event, ...]:
    guards.own(state, command.entity, by)
    if state.moment is not UNSET and command.entity in state.moment.parts:
        raise Refused("in-a-moment", entity=command.entity, number=state.moment.number)
    if guards.is_busy(state, command.entity):
        raise Refused("action-open", entity=command.entity)
    return (e.IntentDeclared(command.entity, command.intent, command.approach),)


def explain_approach(state: State, command: c.ExplainApproach, by: By) -> tuple[e.Event, ...]:
    guards.own(state, command.entity, by)
    if guards.open_action(state, command.entity).approach is not UNSET:
        raise Refused("approach-explained", entity=command.entity)
    return (e.ApproachExplained(command.entity, command.approach),)


def withdraw(state: State, command: c.Withdraw, by: By) -> tuple[e.Event, ...]:
    guards.own(state, command.entity, by)
    guards.open_action(state, command.entity)
    no_die_fallen(state, command.entity)
    return e.Withdrawn(command.entity), *after(state, command.entity, done=False)


def no_die_fallen(state: State, action: str) -> None:
    rolled = sorted(
        entity
        for entity, test in state.tests.items()
        if test.action == action and test.score is not UNSET
    )
    if rolled:
        raise Refused("rolled-already", action=action, rolled=tuple(rolled))


def rule_automatic(state: State, command: c.RuleAutomatic, by: By) -> tuple[e.Event, ...]:
    guards.referee(by)
    before = state.actions.get(command.entity)
    if before is not None and before.ruling is not UNSET:
        raise Refused("ruled-already", entity=command.entity, ruling=before.ruling)
    adjudicable(state, command.entity)
    ruling = RULINGS[command.finding]
    ruled = e.Ruled(command.entity, command.finding, ruling)
    return ruled, *after(state, command.entity, done=ruling is Ruling.SUCCESS)


def adjudicable(state: State, entity: str) -> Action:
    """What the referee may rule on: intent and approach are known, and there is no ruling yet."""
    guards.character(state, entity)
    before = state.actions.get(entity)
    if before is not None and before.ruling is not UNSET:
        raise Refused("no-test-needed", entity=entity, ruling=before.ruling)
    action = guards.open_action(state, entity)
    if action.approach is UNSET:
        raise Refused("no-approach", entity=entity)
    if entity in state.tests and state.tests[entity].action == entity:
        raise Refused("test-called", entity=entity, difficulty=state.tests[entity].difficulty)
    return action


def start(state: State, command: c.StartMoment, by: By) -> tuple[e.Event, ...]:
    guards.referee(by)
    if state.moment is not UNSET:
        raise Refused("moment-running", number=state.moment.number)
    ids = _participants(state, command)
    if not ids:
        raise Refused("nobody-takes-part")
    if len(ids) > rules.MOST_SIDES:
        raise Refused("too-many-sides", most=rules.MOST_SIDES)
    for entity in ids:
        guards.character(state, entity)
        guards.not_testing(state, entity)
        if guards.is_busy(state, entity):
            raise Refused("action-open", entity=entity)
    return (e.MomentStarted(state.moments + 1, ids),)


def _participants(state: State, command: c.StartMoment) -> tuple[str, ...]:
    """Those named; else those of the last moment; else every character, by seat and id."""
    if command.entities is not UNSET:
        _each_once(command.entities)
        return command.entities
    characters = {
        entity: of.seat for entity, of in state.entities.items() if of.being is not Being.THING
    }
    return state.participants or tuple(
        sorted(characters, key=lambda entity: (characters[entity], entity))
    )


def _each_once(ids: Sequence[str]) -> None:
    twice = {entity for entity in ids if ids.count(entity) > 1}
    if twice:
        raise Refused("named-twice", entities=tuple(sorted(twice)))


def end(state: State, command: c.EndMoment, by: By) -> tuple[e.Event, ...]:
    guards.referee(by)
    return (e.MomentEnded(guards.moment(state).number, command.reason),)


def set_order(state: State, command: c.SetOrder, by: By) -> tuple[e.Event, ...]:
    """Any other way to find the order, before the first thing is declared."""
    guards.referee(by)
    moment = guards.moment(state)
    _each_once(command.entities)
    if sorted(command.entities) != sorted(moment.ids):
        raise Refused("not-the-participants", participants=moment.ids)
    if moment.phase is Phase.ACTING or moment.deeds or moment.at not in (UNSET, moment.ids[-1]):
        raise Refused("declared-already", number=moment.number)
    return (e.OrderSet(moment.ids, command.entities, command.entities[-1], command.reason),)


def set_initiative(state: State, command: c.SetInitiative, by: By) -> tuple[e.Event, ...]:
    guards.referee(by)
    _require_not_rolled(guards.rolling(state), command.entity)
    return (e.InitiativeSet(command.entity, command.difficulty),)


def _require_not_rolled(moment: Moment, entity: str) -> None:
    if guards.part(moment, entity).score is not UNSET:
        raise Refused("rolled-already", action="initiative", rolled=(entity,))


def roll_initiative(
    state: State, command: c.RollInitiative, by: By, chance: Chance
) -> tuple[e.Event, ...]:
    guards.own(state, command.entity, by)
    moment = guards.rolling(state)
    _require_not_rolled(moment, command.entity)
    of = guards.found(state, command.entity)
    bonus = guards.highest(command.entity, of, command.bonuses, INITIATIVE_BONUSES)
    rolled = _rolled(state, moment, command.entity, bonus, chance.draw(rules.PERCENT))
    return rolled, *_order(state, moment, [rolled])


def _rolled(
    state: State, moment: Moment, entity: str, bonus: HeldBonus | None, roll: int
) -> e.InitiativeRolled:
    side = _unrolled(state, moment, entity, bonus)
    return e.InitiativeRolled(
        entity=entity,
        percent=side.percent,
        added=0 if bonus is None else bonus.percent,
        steps=side.steps,
        roll=roll,
        outcome=rules.outcome(roll, rules.goal(side.percent, side.steps)),
        bonus=UNSET if bonus is None else bonus.name,
    )


def _unrolled(state: State, moment: Moment, entity: str, bonus: HeldBonus | None) -> Contender:
    base = guards.goal_of(entity, state.entities[entity], Characteristic.INT)
    steps = rules.steps([STEPS[moment.parts[entity].difficulty]], state.options)
    return _contender(state, entity, base + (0 if bonus is None else bonus.percent), steps, UNSET)


def _contender(
    state: State, entity: str, percent: int, steps: int, roll: int | UnsetType
) -> Contender:
    """Nobody defends in an order."""
    of = state.entities[entity]
    return Contender(entity, of.seat, of.being is Being.PC, False, percent, steps, roll)


def _order(
    state: State, moment: Moment, rolled: Sequence[e.InitiativeRolled]
) -> tuple[e.Event, ...]:
    """The order, once everyone has rolled."""
    sides = [*_fallen(state, moment), *(_side(state, event) for event in rolled)]
    if len(sides) < len(moment.ids):
        return ()
    ranking = contests.ranked(sides)
    return (e.Ordered(ranking, ranking[-1]),)


def _side(state: State, event: e.InitiativeRolled) -> Contender:
    return _contender(state, event.entity, event.percent, event.steps, event.roll)


def _fallen(state: State, moment: Moment) -> list[Contender]:
    scores = {entity: part.score for entity, part in moment.parts.items()}
    return [
        _contender(state, entity, score.percent, score.steps, score.roll)
        for entity, score in scores.items()
        if isinstance(score, Score)
    ]


def roll_rest(state: State, command: c.RollRest, by: By, chance: Chance) -> tuple[e.Event, ...]:
    guards.referee(by)
    moment = guards.rolling(state)
    bonuses = _rest(state, moment, command)
    rolled = [
        _rolled(state, moment, entity, bonus, chance.draw(rules.PERCENT))
        for entity, bonus in bonuses.items()
    ]
    return *rolled, *_order(state, moment, rolled)


def _rest(state: State, moment: Moment, command: c.RollRest) -> dict[str, HeldBonus | None]:
    """The referee's characters that have yet to roll, each with the highest of the bonuses that it has."""
    rest = [entity for entity in moment.ids if moment.parts[entity].score is UNSET]
    players = tuple(entity for entity in rest if state.entities[entity].being is Being.PC)
    if players:
        raise Refused("players-roll-first", players=players)
    named = () if command.bonuses is UNSET else command.bonuses
    known = {entity: {one.name for one in state.entities[entity].bonuses} for entity in rest}
    for name in named:
        if not any(name in names for names in known.values()):
            raise Refused("no-such-bonus", bonus=name)
    return {
        entity: guards.highest(
            entity,
            state.entities[entity],
            [name for name in named if name in known[entity]],
            INITIATIVE_BONUSES,
        )
        for entity in rest
    }


def odds(state: State, command: c.RollRest) -> Mapping[str, Fraction]:
    """The exact chance of each participant to act first, when all that have yet to roll do so together."""
    moment = guards.rolling(state)
    rest = (
        _unrolled(state, moment, entity, bonus)
        for entity, bonus in _rest(state, moment, command).items()
    )
    return contests.chances_to_lead([*_fallen(state, moment), *rest])


GET_CLOSE = "get close"


def _slot(state: State, entity: str, by: By) -> Moment:
    """The moment, where it is the entity's time to declare."""
    guards.own(state, entity, by)
    moment = guards.moment(state)
    guards.part(moment, entity)
    if moment.phase is not Phase.DECLARING or moment.at is UNSET:
        raise Refused("not-declaring", phase=moment.phase)
    if moment.at != entity:
        raise Refused("not-your-slot", entity=entity, declares=moment.at)
    return moment


def declare_action(state: State, command: c.DeclareAction, by: By) -> tuple[e.Event, ...]:
    moment = _slot(state, command.entity, by)
    things, focus = _budget(moment, command, Thing.ACTION)
    return (
        e.ActionDeclared(
            command.entity,
            _nth(moment),
            Thing.ACTION,
            command.intent,
            command.approach,
            focus,
            things,
        ),
    )


def declare_move(state: State, command: c.DeclareMove, by: By) -> tuple[e.Event, ...]:
    moment = _slot(state, command.entity, by)
    thing = Thing.SPRINT if command.sprint is True else Thing.MOVE
    guards.found(state, command.target)
    distance = state.distances.get(rules.apart(command.entity, command.target))
    if distance is None:
        raise Refused("distance-unknown", entity=command.entity, target=command.target)
    if distance is Distance.CLOSE:
        raise Refused("already-close", entity=command.entity, target=command.target)
    if not rules.in_reach(thing, distance):
        raise Refused("out-of-reach", distance=distance, by=thing)
    things, focus = _budget(moment, command, thing)
    return (
        e.ActionDeclared(
            command.entity, _nth(moment), thing, GET_CLOSE, thing, focus, things, command.target
        ),
    )


def declare_reaction(state: State, command: c.DeclareReaction, by: By) -> tuple[e.Event, ...]:
    moment = _slot(state, command.entity, by)
    to = _declared(moment, command)
    things, focus = _budget(moment, command, Thing.REACTION)
    return (
        e.ReactionDeclared(
            command.entity, _nth(moment), command.approach, command.against, to.nth, focus, things
        ),
    )


def _declared(moment: Moment, command: c.DeclareReaction) -> Deed:
    """The action that is reacted to: its doer stands lower in the order, and so has declared it."""
    guards.part(moment, command.against)
    if moment.ids.index(command.against) <= moment.ids.index(command.entity):
        raise Refused("not-lower", entity=command.entity, against=command.against)
    which = 1 if command.which is UNSET else command.which
    actions = [
        deed
        for deed in moment.deeds
        if deed.entity == command.against and deed.thing is not Thing.REACTION
    ]
    if which > len(actions):
        raise Refused("not-declared", against=command.against, which=which, declared=len(actions))
    return actions[which - 1]


def _budget(
    moment: Moment, command: c.DeclareAction | c.DeclareMove | c.DeclareReaction, thing: Thing
) -> tuple[int, bool]:
    """How many things the entity does with this one, and whether it focuses on it."""
    before, focus = moment.parts[command.entity], command.focus is True
    things = before.things + rules.TAKES[thing]
    if before.focus or (focus and things > 1):
        raise Refused("focus-is-one-thing", entity=command.entity, things=things)
    if things > MOST_THINGS:
        raise Refused("over-budget", entity=command.entity, things=things, most=MOST_THINGS)
    _extra(command.extra, things)
    return things, focus


def _extra(said: bool | UnsetType, things: int) -> None:
    """The third thing has its price, so it is said; and nothing else is called so."""
    if things > BUDGET and said is not True:
        raise Refused("extra-not-said", things=things, budget=BUDGET)
    if things <= BUDGET and said is True:
        raise Refused("nothing-extra", things=things, budget=BUDGET)


def _nth(moment: Moment) -> int:
    return len(moment.deeds) + 1


def end_declaration(state: State, command: c.EndDeclaration, by: By) -> tuple[e.Event, ...]:
    """Let the next higher participant declare, or start the turns after the best one."""
    moment = _slot(state, command.entity, by)
    place = moment.ids.index(command.entity)
    if place:
        return (e.SlotPassed(moment.ids[place - 1]),)
    return (_next_turn(moment, _turns(moment)),)


def after(state: State, entity: str, done: bool) -> tuple[e.Event, ...]:
    """What follows in the moment, if it was the entity's turn: a move that was done, and the next turn."""
    moment = state.moment
    if moment is UNSET or moment.phase is not Phase.ACTING or moment.at != entity:
        return ()
    turns = _turns(moment)
    place = next(place for place, deed in enumerate(turns) if deed.nth == moment.turn)
    moved = _moved(state, turns[place]) if done else ()
    return *moved, _next_turn(moment, turns[place + 1 :])


def _next_turn(moment: Moment, turns: list[Deed]) -> e.Event:
    if not turns:
        return e.MomentEnded(moment.number)
    return e.TurnCame(turns[0].entity, turns[0].nth, turns[0].intent, turns[0].approach)


def _turns(moment: Moment) -> list[Deed]:
    """The actions in the order in which they take effect: who declared last acts first."""
    actions = (deed for deed in moment.deeds if deed.thing is not Thing.REACTION)
    return sorted(actions, key=lambda deed: (moment.ids.index(deed.entity), deed.nth))


def _moved(state: State, deed: Deed) -> tuple[e.Event, ...]:
    """A move that is done ends close to its target, if that is still in reach."""
    if deed.target is UNSET:
        return ()
    old = state.distances.get(rules.apart(deed.entity, deed.target))
    if old is None or not rules.in_reach(deed.thing, old):
        return ()
    return (e.Moved(deed.entity, deed.target, deed.thing, old, Distance.CLOSE),)
