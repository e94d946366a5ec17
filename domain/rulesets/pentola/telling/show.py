"""What a screen shows: sheets, distances, usage dice, the order of the moment, and whatever waits."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from domain.rulesets.pentola import rules
from domain.rulesets.pentola.rules import BUDGET, CHAIN, DISTANCES, SIDES, Die, Phase, Thing
from domain.rulesets.pentola.state import Action, Deed, Entity, Held, Moment, OpenTest, State
from domain.table import Board, Condition, Order, Table, Task
from domain.table import Die as ShownDie
from domain.table import Entity as Shown

FOCUS, EXTRA = "focus: its test one step easier", "a third thing: all tests one step harder"
Named = tuple[str, Task]


def show(state: State) -> Table:
    return Table(
        entities={entity: _entity(of) for entity, of in state.entities.items()},
        boards={
            f"{pair}.distance": Board("line", DISTANCES, DISTANCES.index(distance))
            for pair, distance in state.distances.items()
        },
        dice={
            f"{entity}.{held.name}": _die(held)
            for entity, of in state.entities.items()
            for held in of.held
        },
        conditions={} if state.moment is UNSET else dict(_conditions(state.moment)),
        order={} if state.moment is UNSET else _order(state.moment),
        tasks=dict(_tasks(state)),
    )


def _entity(of: Entity) -> Shown:
    scores = {
        str(name): f"{score}, goal {rules.base(score)} %" for name, score in of.scores.items()
    }
    bonuses = {
        bonus.name: f"{bonus.source} {bonus.percent} %{_barred(of, bonus.name)}"
        for bonus in of.bonuses
    }
    held = {one.name: f"{one.usable} {one.die}" for one in of.held}
    return Shown(of.name, of.seat, of.being, "ok", scores | bonuses | held)


def _barred(of: Entity, bonus: str) -> str:
    return ", not for the next roll" if bonus in of.barred else ""


def _die(held: Held) -> ShownDie:
    left = CHAIN[CHAIN.index(held.die) :]
    return ShownDie(SIDES[held.die], tuple(SIDES[die] for die in left if die is not Die.EXPENDED))


def _conditions(moment: Moment) -> Iterator[tuple[str, Condition]]:
    for entity, part in moment.parts.items():
        if part.focus:
            yield f"{entity}.focus", Condition(entity, FOCUS)
        if part.things > BUDGET:
            yield f"{entity}.extra", Condition(entity, EXTRA)


def _order(moment: Moment) -> dict[str, Order]:
    """Best first; there is none until all have rolled."""
    return {} if moment.phase is Phase.ROLLING else {"moment": Order(moment.ids, moment.at)}


def _tasks(state: State) -> Iterator[Named]:
    for entity, action in state.actions.items():
        if action.ruling is UNSET:
            yield f"{entity}.action", _action(state, entity, action)
    for entity, test in state.tests.items():
        yield f"{entity}.test", _test(state, entity, test)
    for entity, of in state.entities.items():
        for held in of.held:
            if held.due or held.waiting:
                yield f"{entity}.{held.name}", _usage(entity, of, held)
    if state.moment is not UNSET:
        yield from _moment(state, state.moment)


def _seat(state: State, entity: str) -> str:
    return state.entities[entity].seat if entity in state.entities else ""


def _action(state: State, entity: str, action: Action) -> Task:
    sheet = {"entity": entity, "intent": action.intent}
    if action.approach is UNSET:
        return Task(_seat(state, entity), "action", "approach", sheet)
    waits = "rolls" if entity in state.tests else "ruling"
    return Task(_seat(state, entity), "action", waits, sheet | {"approach": action.approach})


def _test(state: State, entity: str, test: OpenTest) -> Task:
    sheet = {
        "entity": entity,
        "action": test.action,
        "characteristic": str(test.characteristic),
        "difficulty": str(test.difficulty),
    }
    if test.score is UNSET:
        return Task(_seat(state, entity), "test", "roll", sheet)
    goal = rules.written(rules.goal(test.score.percent, test.score.steps))
    return Task(
        _seat(state, entity),
        "test",
        "other side",
        sheet | {"roll": str(test.score.roll), "goal": goal},
    )


def _usage(entity: str, of: Entity, held: Held) -> Task:
    rolls = held.due or held.waiting
    return Task(
        of.seat,
        "usage die",
        "roll" if held.due else "a minute",
        {"entity": entity, "held": held.name, "rolls": f"{rolls}"},
    )


def _moment(state: State, moment: Moment) -> Iterator[Named]:
    if moment.phase is Phase.ROLLING:
        for entity, part in moment.parts.items():
            if part.score is UNSET:
                sheet = {"entity": entity, "difficulty": str(part.difficulty)}
                yield (
                    f"{entity}.initiative",
                    Task(_seat(state, entity), "initiative", "roll", sheet),
                )
    if moment.phase is Phase.DECLARING and moment.at is not UNSET:
        yield (
            "declaration",
            Task(_seat(state, moment.at), "declaration", "declare", {"entity": moment.at}),
        )
    for deed in moment.deeds:
        if not _done(moment, deed):
            yield f"thing-{deed.nth}", _deed(state, deed)


def _done(moment: Moment, deed: Deed) -> bool:
    """Whether the thing has had its turn: a reaction is spent, an action comes no later than the one that is on."""
    if deed.thing is Thing.REACTION:
        return deed.nth in moment.spent
    on = next((other for other in moment.deeds if other.nth == moment.turn), None)
    return on is not None and _turn(moment, deed) <= _turn(moment, on)


def _turn(moment: Moment, deed: Deed) -> tuple[int, int]:
    return (moment.ids.index(deed.entity) if deed.entity in moment.ids else 0), deed.nth


def _deed(state: State, deed: Deed) -> Task:
    target = {} if deed.target is UNSET else {"target": deed.target}
    waits = "use" if deed.thing is Thing.REACTION else "turn"
    sheet = {"entity": deed.entity, "intent": deed.intent, "approach": deed.approach} | target
    return Task(_seat(state, deed.entity), deed.thing, waits, sheet)
