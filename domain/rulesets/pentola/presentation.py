"""Presentation of Pentola: the table, event descriptions and statistics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from domain.rulesets.pentola import events as e, rules
from domain.rulesets.pentola.rules import (
    BUDGET,
    CHAIN,
    DISTANCES,
    PERCENT,
    RANKS,
    SIDES,
    Die,
    Difficulty,
    Finding,
    Outcome,
    Phase,
    RollPurpose,
    Thing,
)
from domain.rulesets.pentola.state import Action, Declaration, Entity, Held, Moment, OpenTest, State
from domain.table import Board, Condition, Die as ShownDie, Entity as Shown, Order, Table, Task
from domain.tally import Counts, Probability, Rolled, Settled, Wore, fair_die

FOCUS = "focus: the test is one step easier"
EXTRA = "a third action or reaction: all tests are one step harder"
Named = tuple[str, Task]


def show(state: State) -> Table:
    return Table(
        entities={entity: _entity(character) for entity, character in state.entities.items()},
        boards={
            f"{pair}.distance": Board("line", DISTANCES, DISTANCES.index(distance))
            for pair, distance in state.distances.items()
        },
        dice={
            f"{entity}.{held.name}": _die(held)
            for entity, character in state.entities.items()
            for held in character.held
        },
        conditions={} if state.moment is UNSET else dict(_conditions(state.moment)),
        order={} if state.moment is UNSET else _order(state.moment),
        tasks=dict(_tasks(state)),
    )


def _entity(character: Entity) -> Shown:
    scores = {
        str(name): f"{score}, goal {rules.base(score)} %"
        for name, score in character.scores.items()
    }
    bonuses = {
        bonus.name: f"{bonus.source} {bonus.percent} %{_barred(character, bonus.name)}"
        for bonus in character.bonuses
    }
    held = {one.name: f"{one.usable} {one.die}" for one in character.held}
    return Shown(character.name, character.seat, character.being, "ok", scores | bonuses | held)


def _barred(character: Entity, bonus: str) -> str:
    return ", not for the next roll" if bonus in character.barred else ""


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
    """Return the turn order, or {} until all participants have rolled initiative."""
    return {} if moment.phase is Phase.ROLLING else {"moment": Order(moment.ids, moment.at)}


def _tasks(state: State) -> Iterator[Named]:
    for entity, action in state.actions.items():
        if action.ruling is UNSET:
            yield f"{entity}.action", _action(state, entity, action)
    for entity, test in state.tests.items():
        yield f"{entity}.test", _test(state, entity, test)
    for entity, character in state.entities.items():
        for held in character.held:
            if held.due or held.waiting:
                yield f"{entity}.{held.name}", _usage(entity, character, held)
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
    goal = rules.goal_text(rules.goal(test.score.percent, test.score.steps))
    return Task(
        _seat(state, entity),
        "test",
        "other side",
        sheet | {"roll": str(test.score.roll), "goal": goal},
    )


def _usage(entity: str, character: Entity, held: Held) -> Task:
    rolls = held.due or held.waiting
    return Task(
        character.seat,
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
    for declaration in moment.deeds:
        if not _done(moment, declaration):
            yield f"thing-{declaration.nth}", _declaration(state, declaration)


def _done(moment: Moment, declaration: Declaration) -> bool:
    """Return True for a used reaction, or for an action once its turn has come."""
    if declaration.thing is Thing.REACTION:
        return declaration.nth in moment.spent
    on = next((other for other in moment.deeds if other.nth == moment.turn), None)
    return on is not None and _turn(moment, declaration) <= _turn(moment, on)


def _turn(moment: Moment, declaration: Declaration) -> tuple[int, int]:
    return (
        moment.ids.index(declaration.entity) if declaration.entity in moment.ids else 0
    ), declaration.nth


def _declaration(state: State, declaration: Declaration) -> Task:
    target = {} if declaration.target is UNSET else {"target": declaration.target}
    waits = "use" if declaration.thing is Thing.REACTION else "turn"
    sheet = {
        "entity": declaration.entity,
        "intent": declaration.intent,
        "approach": declaration.approach,
    } | target
    return Task(_seat(state, declaration.entity), declaration.thing, waits, sheet)


OUTCOMES = {
    Outcome.FUMBLE: "a fumble, the worst possible result",
    Outcome.FAILURE: "a failure",
    Outcome.SUCCESS: "a success",
    Outcome.CRITICAL: "a critical success, the best possible result",
}
FINDINGS = {
    Finding.CANNOT_FAIL: "it cannot fail",
    Finding.CANNOT_SUCCEED: "it cannot succeed",
    Finding.NO_CONSEQUENCES: "failure would have no meaningful consequences",
}
HARDNESS = {Difficulty.EASY: "an easy", Difficulty.NORMAL: "a normal", Difficulty.HARD: "a hard"}


def describe(event: e.Event) -> str:
    """Return a sentence that describes the event, with entity ids in braces: `{ana}`."""
    match event:
        case e.CharacterCreated(who, _, being):
            power = "" if event.power is UNSET else f", POW {event.power}"
            return f"{_id(who)} comes to the table ({being}) with BOD {event.body}, INT {event.intellect}{power}."
        case e.ThingCreated(who):
            return f"{_id(who)} is on the table."
        case e.BonusAdded(who, bonus, source, percent):
            return f"{_id(who)} has the {source} bonus {bonus}, {percent} %."
        case e.UsableAdded(who, held, usable, die):
            return f"{_id(who)} has the {usable} {held} with the usage die {die}."
        case e.IntentDeclared(who, intent, approach):
            how = "" if approach is UNSET else f"; the approach: {approach}"
            return f"{_id(who)} intends: {intent}{how}."
        case e.ApproachExplained(who):
            return f"{_id(who)} explains the approach: {event.approach}."
        case e.Withdrawn(who):
            return f"{_id(who)} drops it."
        case e.Ruled(who, finding, ruling):
            return f"The referee rules for {_id(who)}: {FINDINGS[finding]}, {ruling}."
        case e.CalledForTest(who, characteristic, difficulty):
            return (
                f"The referee calls for {HARDNESS[difficulty]} {characteristic} test of {_id(who)}."
            )
        case e.OpponentNamed(who, opponent, characteristic, difficulty):
            return f"{_id(opponent)} opposes {_id(who)} with {HARDNESS[difficulty]} {characteristic} test."
        case e.BonusRuled(who, bonus, applies):
            return f"The referee rules: {bonus} {'may' if applies else 'does not'} apply to {_id(who)}'s next roll."
        case e.RolledTest(who, _, use, characteristic):
            opposed = "makes an opposed test of" if use is RollPurpose.OPPOSED else "tests"
            return f"{_id(who)} {opposed} {characteristic}{_roll(event)}."
        case e.OpposedSettled(_, ranking):
            return f"{_id(ranking[0])} wins the opposed test against {_ids(ranking[1:])}."
        case e.ItemUsed(who, item):
            return f"{_id(who)} uses {item}; its usage die is rolled in a minute."
        case e.RollsDue(who, item):
            return f"A minute has passed since {_id(who)} used {item}: its usage die is due."
        case e.UsageRolled(who, held, _, die, face):
            return f"{_id(who)} rolls {face} on the usage die of {held}, {die}: {_left(event)}."
        case e.DistanceSet(who, other, distance):
            return f"{_id(who)} and {_id(other)} are {distance}."
        case e.CharacteristicAdjusted(who, characteristic, old, new, reason):
            return (
                f"The referee sets {characteristic} of {_id(who)} from {old} to {new} ({reason})."
            )
        case e.BonusAdjusted(who, bonus, old, new, reason):
            return f"The referee sets the bonus {bonus} of {_id(who)} from {old} % to {new} % ({reason})."
        case e.UsageDieAdjusted(who, held, before, after):
            return f"The referee sets the usage die of {_id(who)} for {held} from {before} to {after} ({event.reason})."
        case e.MomentStarted(number, entities):
            return f"Moment {number} starts for {_ids(entities)}."
        case e.InitiativeSet(who, difficulty):
            return f"The referee calls for {HARDNESS[difficulty]} initiative test of {_id(who)}."
        case e.InitiativeRolled(who):
            return f"{_id(who)} tests INT for initiative{_roll(event)}."
        case e.Ordered(ranking, at):
            return f"The order is {_ids(ranking)}; {_id(at)} declares first."
        case e.OrderSet(_, ranking, at, reason):
            return (
                f"The referee sets the order {_ids(ranking)}; {_id(at)} declares first ({reason})."
            )
        case e.ActionDeclared() | e.ReactionDeclared():
            focus = ", with focus" if event.focus else ""
            third = ", a third thing: all tests this moment one step harder"
            extra = third if event.things > rules.BUDGET else ""
            return f"{_id(event.entity)} declares {_thing(event)}{focus}{extra}."
        case e.SlotPassed(who):
            return f"{_id(who)} declares next."
        case e.TurnCame(who):
            return f"It is {_id(who)}'s turn: {event.approach}."
        case e.Moved(who, target, thing):
            return f"{_id(who)} {'sprints' if thing is Thing.SPRINT else 'moves'} close to {_id(target)}."
        case e.MomentEnded(number):
            broken_off = f"is broken off ({event.reason})"
            return f"Moment {number} {'ends' if event.reason is UNSET else broken_off}."
        case _:
            raise TypeError(event)


def _id(entity: str) -> str:
    return f"{{{entity}}}"


def _ids(entities: Sequence[str]) -> str:
    return ", ".join(map(_id, entities))


def _roll(event: e.RolledTest | e.InitiativeRolled) -> str:
    """Describe the bonus, the roll, the goal after all steps, and the outcome."""
    bonus = "" if event.bonus is UNSET else f" with {event.bonus}"
    goal = rules.goal_text(rules.goal(event.percent, event.steps))
    return f"{bonus} and rolls {event.roll} against {goal}: {OUTCOMES[event.outcome]}"


def _left(event: e.UsageRolled) -> str:
    if event.left is Die.EXPENDED:
        return "it is expended"
    return (
        f"it stays {event.die}" if event.left is event.die else f"it is downgraded to {event.left}"
    )


def _thing(event: e.ActionDeclared | e.ReactionDeclared) -> str:
    if isinstance(event, e.ReactionDeclared):
        return f"a reaction to {_id(event.against)}: {event.approach}"
    if event.thing is Thing.ACTION:
        return f"an action: {event.approach}, to {event.intent}"
    return f"a {event.thing}{'' if event.target is UNSET else f' to {_id(event.target)}'}"


D100 = "d100"
USAGE, RULING, OPPOSED, WINNER, FIRST = "usage die", "ruling", "opposition", "winner", "acts first"
WON, LOST = "won", "lost"
HOLDS, STEPS_DOWN, EXPENDED = "holds", "steps down", "expended"


PERCENTS = fair_die(PERCENT)
FACES = {die: fair_die(sides) for die, sides in SIDES.items() if sides}


def tally(event: e.Event) -> Counts:
    match event:
        case e.RolledTest(who, use=RollPurpose.TEST, outcome=outcome):
            return _percent(event, RollPurpose.TEST), Settled(
                who, RollPurpose.TEST, outcome, outcome
            )
        case e.RolledTest():
            return (_percent(event, RollPurpose.OPPOSED),)
        case e.InitiativeRolled():
            return (_percent(event, RollPurpose.INITIATIVE),)
        case e.OpposedSettled(_, (winner, *losers)):
            lost = (Settled(loser, OPPOSED, LOST) for loser in losers)
            return Settled(winner, OPPOSED, WON), *lost, Settled(winner, WINNER, winner)
        case e.Ordered((best, *_)):
            return (Settled(best, FIRST, best),)
        case e.Ruled(who, _, ruling):
            return (Settled(who, RULING, ruling),)
        case e.UsageRolled():
            return _usage_die(event), _wore(event)
        case (
            e.CharacterCreated()
            | e.ThingCreated()
            | e.BonusAdded()
            | e.UsableAdded()
            | e.IntentDeclared()
            | e.ApproachExplained()
            | e.Withdrawn()
            | e.CalledForTest()
            | e.OpponentNamed()
            | e.BonusRuled()
            | e.ItemUsed()
            | e.RollsDue()
            | e.MomentStarted()
            | e.InitiativeSet()
            | e.OrderSet()
            | e.MomentEnded()
            | e.ActionDeclared()
            | e.ReactionDeclared()
            | e.SlotPassed()
            | e.TurnCame()
            | e.Moved()
            | e.DistanceSet()
            | e.CharacteristicAdjusted()
            | e.BonusAdjusted()
            | e.UsageDieAdjusted()
        ):
            return ()
        case _:
            raise TypeError(event)


def _percent(event: e.RolledTest | e.InitiativeRolled, use: RollPurpose) -> Rolled:
    """Return the d100 roll for the statistics.

    Its goal is an exact fraction, such as "51/2".
    """
    goal = rules.goal(event.percent, event.steps)
    spread = rules.outcome_counts(goal)
    outcomes: dict[str, Probability] = {
        outcome: (ways, PERCENT) for outcome, ways in spread.items()
    }
    scale = tuple(outcome for outcome in RANKS if outcome in spread)
    given: dict[str, int | str] = {
        "goal": str(goal),
        "percent": event.percent,
        "steps": event.steps,
    }
    return Rolled(
        event.entity, D100, str(event.roll), use, PERCENTS, event.outcome, outcomes, scale, given
    )


def _usage_die(event: e.UsageRolled) -> Rolled:
    sides = SIDES[event.die]
    down = EXPENDED if event.die is Die.D4 else STEPS_DOWN
    outcomes: dict[str, Probability] = {down: (1, sides), HOLDS: (sides - 1, sides)}
    outcome = HOLDS if event.left is event.die else down
    return Rolled(
        event.entity,
        event.die,
        str(event.face),
        USAGE,
        FACES[event.die],
        outcome,
        outcomes,
        (down, HOLDS),
    )


def _wore(event: e.UsageRolled) -> Wore:
    left = "" if event.left is Die.EXPENDED else event.left
    return Wore(event.entity, event.held, event.die, left, (1, SIDES[event.die]))
