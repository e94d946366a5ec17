"""Who declares and who acts first: one opposed test of INT among all that take part (RULES 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import UNSET, UnsetType

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.pentola import contests, rules
from domain.rulesets.pentola.contests import Contender
from domain.rulesets.pentola.decider import guards
from domain.rulesets.pentola.messages.commands.moments import (
    RollInitiative,
    RollRest,
    SetInitiative,
)
from domain.rulesets.pentola.messages.events import Event
from domain.rulesets.pentola.messages.events.moments import InitiativeRolled, InitiativeSet, Ordered
from domain.rulesets.pentola.rules import INITIATIVE_BONUSES, STEPS, Being, Characteristic
from domain.rulesets.pentola.state import HeldBonus, Moment, Score, State


def decide(
    state: State, command: SetInitiative | RollInitiative | RollRest, by: By, chance: Chance
) -> tuple[Event, ...]:
    match command:
        case SetInitiative(entity, difficulty):
            guards.referee(by)
            _yet_to_roll(guards.rolling(state), entity)
            return (InitiativeSet(entity, difficulty),)
        case RollInitiative():
            guards.own(state, command.entity, by)
            return _roll(state, command, chance)
        case RollRest():
            guards.referee(by)
            return _roll_rest(state, command, chance)


def _yet_to_roll(moment: Moment, entity: str) -> None:
    if guards.part(moment, entity).score is not UNSET:
        raise Refused("rolled-already", action="initiative", rolled=(entity,))


def _roll(state: State, command: RollInitiative, chance: Chance) -> tuple[Event, ...]:
    moment = guards.rolling(state)
    _yet_to_roll(moment, command.entity)
    of = guards.found(state, command.entity)
    bonus = guards.highest(command.entity, of, command.bonuses, INITIATIVE_BONUSES)
    rolled = _rolled(state, moment, command.entity, bonus, chance.draw(rules.PERCENT))
    return rolled, *_order(state, moment, [rolled])


def _rolled(
    state: State, moment: Moment, entity: str, bonus: HeldBonus | None, roll: int
) -> InitiativeRolled:
    side = _unrolled(state, moment, entity, bonus)
    return InitiativeRolled(
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


def _order(state: State, moment: Moment, rolled: Sequence[InitiativeRolled]) -> tuple[Event, ...]:
    """The order, once everyone has rolled."""
    sides = [*_fallen(state, moment), *(_side(state, event) for event in rolled)]
    if len(sides) < len(moment.ids):
        return ()
    ranking = contests.ranked(sides)
    return (Ordered(ranking, ranking[-1]),)


def _side(state: State, event: InitiativeRolled) -> Contender:
    return _contender(state, event.entity, event.percent, event.steps, event.roll)


def _fallen(state: State, moment: Moment) -> list[Contender]:
    scores = {entity: part.score for entity, part in moment.parts.items()}
    return [
        _contender(state, entity, score.percent, score.steps, score.roll)
        for entity, score in scores.items()
        if isinstance(score, Score)
    ]


def _roll_rest(state: State, command: RollRest, chance: Chance) -> tuple[Event, ...]:
    moment = guards.rolling(state)
    bonuses = _rest(state, moment, command)
    rolled = [
        _rolled(state, moment, entity, bonus, chance.draw(rules.PERCENT))
        for entity, bonus in bonuses.items()
    ]
    return *rolled, *_order(state, moment, rolled)


def _rest(state: State, moment: Moment, command: RollRest) -> dict[str, HeldBonus | None]:
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


def odds(state: State, command: RollRest) -> Mapping[str, Fraction]:
    """The exact chance of each participant to act first, when all that have yet to roll do so together."""
    moment = guards.rolling(state)
    rest = (
        _unrolled(state, moment, entity, bonus)
        for entity, bonus in _rest(state, moment, command).items()
    )
    return contests.chances_to_lead([*_fallen(state, moment), *rest])
