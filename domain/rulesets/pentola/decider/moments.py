"""Actions and moments: rulings, initiative, declarations and turns.

The rules are in chapters 2 and 7 to 9 of RULES.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import UNSET, UnsetType

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.pentola import commands as c, contests, events as e, rules
from domain.rulesets.pentola.contests import Contender
from domain.rulesets.pentola.decider import conditions, guards
from domain.rulesets.pentola.rules import (
    BUDGET,
    INITIATIVE_BONUSES,
    MAX_THINGS,
    RULINGS,
    STEPS,
    Being,
    Characteristic,
    Distance,
    Phase,
    Ruling,
    Thing,
)
from domain.rulesets.pentola.state import Action, Declaration, HeldBonus, Moment, Score, State

GET_CLOSE, GET_NEARER, GET_AWAY = "get close", "get nearer", "get away"

# Intent, approach, and rulings without a test (RULES 2).


def declare_intent(state: State, command: c.DeclareIntent, by: By) -> tuple[e.Event, ...]:
    guards.require_alive(command.entity, guards.find_own(state, command.entity, by))
    guards.require_outside_moment(state, command.entity)
    guards.require_not_busy(state, command.entity)
    return (e.IntentDeclared(command.entity, command.intent, command.approach),)


def explain_approach(state: State, command: c.ExplainApproach, by: By) -> tuple[e.Event, ...]:
    guards.find_own(state, command.entity, by)
    if guards.find_open_action(state, command.entity).approach is not UNSET:
        raise Refused("approach-explained", entity=command.entity)
    return (e.ApproachExplained(command.entity, command.approach),)


def withdraw(state: State, command: c.Withdraw, by: By) -> tuple[e.Event, ...]:
    guards.find_own(state, command.entity, by)
    action = guards.find_open_action(state, command.entity)
    require_no_roll(state, command.entity)
    withdrawn = _withdrawn(state, command.entity, action)
    return withdrawn, *continue_moment(state, command.entity, done=False)


def _withdrawn(state: State, entity: str, action: Action) -> e.Withdrawn:
    if state.edition < rules.WITHDRAWALS_SAY_WHAT_SINCE:
        return e.Withdrawn(entity)
    moment = state.moment
    nth = moment.turn if moment is not UNSET and moment.at == entity else UNSET
    return e.Withdrawn(entity, action.intent, action.approach, nth)


def require_no_roll(state: State, action: str) -> None:
    rolled = sorted(
        entity
        for entity, test in state.tests.items()
        if test.action == action and test.score is not UNSET
    )
    if rolled:
        raise Refused("rolled-already", action=action, rolled=tuple(rolled))


def rule_automatic(state: State, command: c.RuleAutomatic, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    before = state.actions.get(command.entity)
    if before is not None and before.ruling is not UNSET:
        raise Refused("ruled-already", entity=command.entity, ruling=before.ruling)
    require_adjudicable(state, command.entity)
    ruling = RULINGS[command.finding]
    ruled = e.Ruled(command.entity, command.finding, ruling, command.result)
    return ruled, *continue_moment(state, command.entity, done=ruling is Ruling.SUCCESS)


def require_adjudicable(state: State, entity: str) -> Action:
    """Return the entity's action if it is ready for a ruling or a test.

    Raises Refused if the action has no approach yet, or if it already has a test or a ruling.
    """
    guards.find_character(state, entity)
    before = state.actions.get(entity)
    if before is not None and before.ruling is not UNSET:
        raise Refused("no-test-needed", entity=entity, ruling=before.ruling)
    action = guards.find_open_action(state, entity)
    if action.approach is UNSET:
        raise Refused("no-approach", entity=entity)
    guards.require_no_action_test(state, entity)
    return action


# Moments: participants, end, and an order set by the referee (RULES 7 and 8).


def start(state: State, command: c.StartMoment, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    if state.moment is not UNSET:
        raise Refused("moment-running", number=state.moment.number)
    ids = _participants(state, command)
    if not ids:
        raise Refused("nobody-takes-part")
    if len(ids) > rules.MAX_SIDES:
        raise Refused("too-many-sides", most=rules.MAX_SIDES)
    for entity in ids:
        guards.require_alive(entity, guards.find_character(state, entity))
        guards.require_no_test(state, entity)
        guards.require_not_busy(state, entity)
    return (e.MomentStarted(state.moments + 1, ids, command.aim),)


def _participants(state: State, command: c.StartMoment) -> tuple[str, ...]:
    """Return the ids of the entities that take part in the new moment.

    If the command names no entities, the participants of the last moment take part, except those
    that have left the story or died. If none remain, all living characters in the story take part,
    sorted by seat and id.
    """
    if command.entities is not UNSET:
        _require_distinct(command.entities)
        return command.entities
    characters = {
        entity: character.seat
        for entity, character in state.entities.items()
        if character.being is not Being.THING
        and character.retired is not True
        and character.hit_points != 0
    }
    last = tuple(entity for entity in state.participants if entity in characters)
    return last or tuple(sorted(characters, key=lambda entity: (characters[entity], entity)))


def _require_distinct(ids: Sequence[str]) -> None:
    twice = {entity for entity in ids if ids.count(entity) > 1}
    if twice:
        raise Refused("named-twice", entities=tuple(sorted(twice)))


def end(state: State, command: c.EndMoment, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    ended = e.MomentEnded(guards.find_moment(state).number, command.reason)
    return ended, *conditions.tick(state, moments=1)


def set_order(state: State, command: c.SetOrder, by: By) -> tuple[e.Event, ...]:
    """Set the turn order without initiative rolls.

    Raises Refused if a participant has already declared something or has finished declaring.
    """
    by.require_gm()
    moment = guards.find_moment(state)
    _require_distinct(command.entities)
    if sorted(command.entities) != sorted(moment.ids):
        raise Refused("not-the-participants", participants=moment.ids)
    if moment.phase is Phase.ACTING or moment.deeds or moment.at not in (UNSET, moment.ids[-1]):
        raise Refused("declared-already", number=moment.number)
    return (e.OrderSet(moment.ids, command.entities, command.entities[-1], command.reason),)


# Initiative: one opposed test of INT among all participants (RULES 8).


def set_initiative(state: State, command: c.SetInitiative, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    moment = guards.find_rolling_moment(state)
    _require_not_rolled(moment, command.entity)
    part = moment.parts[command.entity]
    new = command.difficulty, _initiative_aim(moment, command.entity, command.aim)
    guards.require_change(state, (part.difficulty, part.aim), new)
    return (e.InitiativeSet(command.entity, command.difficulty, command.aim),)


def _initiative_aim(moment: Moment, entity: str, aim: str | UnsetType) -> str | UnsetType:
    """Return `aim`, or the referee's aim for the roll if `aim` is unset."""
    return moment.parts[entity].aim if aim is UNSET else aim


def _require_not_rolled(moment: Moment, entity: str) -> None:
    if guards.find_part(moment, entity).score is not UNSET:
        raise Refused("rolled-already", action="initiative", rolled=(entity,))


def roll_initiative(
    state: State, command: c.RollInitiative, by: By, chance: Chance
) -> tuple[e.Event, ...]:
    guards.find_own(state, command.entity, by)
    moment = guards.find_rolling_moment(state)
    _require_not_rolled(moment, command.entity)
    bonus = guards.highest_bonus(state, command.entity, command.bonuses, INITIATIVE_BONUSES)
    side = _open_side(state, moment, command.entity, bonus)
    aim = _initiative_aim(moment, command.entity, command.aim)
    rolled = _initiative_event(side, bonus, chance.draw(rules.PERCENT), aim)
    return rolled, *_order(state, moment, [rolled])


def _initiative_event(
    side: Contender, bonus: HeldBonus | None, roll: int, aim: str | UnsetType
) -> e.InitiativeRolled:
    return e.InitiativeRolled(
        entity=side.entity,
        percent=side.percent,
        added=0 if bonus is None else bonus.percent,
        steps=side.steps,
        roll=roll,
        outcome=rules.outcome(roll, rules.goal(side.percent, side.steps)),
        bonus=UNSET if bonus is None else bonus.name,
        aim=aim,
    )


def _open_side(state: State, moment: Moment, entity: str, bonus: HeldBonus | None) -> Contender:
    base = guards.base_goal(entity, state.entities[entity], Characteristic.INT)
    steps = rules.steps([STEPS[moment.parts[entity].difficulty]], state.options)
    return _contender(state, entity, base + (0 if bonus is None else bonus.percent), steps, UNSET)


def _contender(
    state: State, entity: str, percent: int, steps: int, roll: int | UnsetType
) -> Contender:
    """Return the entity's side of the initiative test.

    An initiative test has no defenders.
    """
    character = state.entities[entity]
    return Contender(
        entity, character.seat, character.being is Being.PC, False, percent, steps, roll
    )


def _order(
    state: State, moment: Moment, rolled: Sequence[e.InitiativeRolled]
) -> tuple[e.Event, ...]:
    """Return the event that sets the turn order, or () if a roll is still missing."""
    sides = [*_rolled_sides(state, moment), *(_side(state, event) for event in rolled)]
    if len(sides) < len(moment.ids):
        return ()
    ranking = contests.rank_sides(sides)
    return (e.Ordered(ranking, ranking[-1]),)


def _side(state: State, event: e.InitiativeRolled) -> Contender:
    return _contender(state, event.entity, event.percent, event.steps, event.roll)


def _rolled_sides(state: State, moment: Moment) -> list[Contender]:
    scores = {entity: part.score for entity, part in moment.parts.items()}
    return [
        _contender(state, entity, score.percent, score.steps, score.roll)
        for entity, score in scores.items()
        if isinstance(score, Score)
    ]


def roll_rest(state: State, command: c.RollRest, by: By, chance: Chance) -> tuple[e.Event, ...]:
    by.require_gm()
    moment = guards.find_rolling_moment(state)
    bonuses = _remaining(state, moment, command)
    rolled = [
        _initiative_event(
            _open_side(state, moment, entity, bonus),
            bonus,
            chance.draw(rules.PERCENT),
            _initiative_aim(moment, entity, command.aim),
        )
        for entity, bonus in bonuses.items()
    ]
    return *rolled, *_order(state, moment, rolled)


def _remaining(state: State, moment: Moment, command: c.RollRest) -> dict[str, HeldBonus | None]:
    """Return the highest bonus in `command` for each NPC that has not rolled yet.

    The NPCs are in the order in which the moment names them. The bonus is None if the NPC has none
    of the bonuses in `command`. Raises Refused if a player has not rolled yet, or if a named bonus
    belongs to none of the NPCs.
    """
    rest = [entity for entity in moment.ids if moment.parts[entity].score is UNSET]
    players = tuple(entity for entity in rest if state.entities[entity].being is Being.PC)
    if players:
        raise Refused("players-roll-first", players=players)
    named = () if command.bonuses is UNSET else command.bonuses
    known = {
        entity: [
            name
            for name in named
            if any(
                guards.is_same_name(state, name, one.name) for one in state.entities[entity].bonuses
            )
        ]
        for entity in rest
    }
    for name in named:
        if not any(name in names for names in known.values()):
            raise Refused("no-such-bonus", bonus=name)
    return {
        entity: guards.highest_bonus(state, entity, names, INITIATIVE_BONUSES)
        for entity, names in known.items()
    }


def odds(state: State, command: c.RollRest) -> Mapping[str, Fraction]:
    """Return each participant's exact probability of ranking first."""
    moment = guards.find_rolling_moment(state)
    rest = (
        _open_side(state, moment, entity, bonus)
        for entity, bonus in _remaining(state, moment, command).items()
    )
    return contests.chances_to_lead([*_rolled_sides(state, moment), *rest])


# Declarations, in reverse turn order (RULES 7 to 9).


def _require_turn_to_declare(state: State, entity: str, by: By) -> Moment:
    guards.find_own(state, entity, by)
    moment = guards.find_moment(state)
    guards.find_part(moment, entity)
    if moment.phase is not Phase.DECLARING or moment.at is UNSET:
        raise Refused("not-declaring", phase=moment.phase)
    if moment.at != entity:
        raise Refused("not-your-slot", entity=entity, declares=moment.at)
    return moment


def _require_slot(state: State, entity: str, by: By) -> Moment:
    """Return the moment if the entity can declare something now. Otherwise, raise Refused."""
    moment = _require_turn_to_declare(state, entity, by)
    guards.require_alive(entity, guards.find_entity(state, entity))
    return moment


def declare_action(state: State, command: c.DeclareAction, by: By) -> tuple[e.Event, ...]:
    moment = _require_slot(state, command.entity, by)
    uses = _find_used(state, command)
    things, focus = _spend_budget(moment, command, Thing.ACTION)
    return (
        e.ActionDeclared(
            command.entity,
            _nth(moment),
            Thing.ACTION,
            command.intent,
            command.approach,
            focus,
            things,
            uses=uses,
        ),
    )


def _find_used(state: State, command: c.DeclareAction | c.DeclareReaction) -> str | UnsetType:
    """Return the name of the item or ability that the declaration uses, as it is on the sheet."""
    if command.uses is UNSET:
        return UNSET
    return guards.find_held(state, command.entity, command.uses).name


def declare_move(state: State, command: c.DeclareMove, by: By) -> tuple[e.Event, ...]:
    moment = _require_slot(state, command.entity, by)
    thing = Thing.SPRINT if command.sprint is True else Thing.MOVE
    guards.find_entity(state, command.target)
    intent = _move_intent(state, command, thing)
    things, focus = _spend_budget(moment, command, thing)
    return (
        e.ActionDeclared(
            command.entity,
            _nth(moment),
            thing,
            intent,
            thing,
            focus,
            things,
            command.target,
            True if command.away is True else UNSET,
        ),
    )


def _move_intent(state: State, command: c.DeclareMove, thing: Thing) -> str:
    """Return the intent of a move.

    Raises Refused if the target is the entity itself, or if the distance is unknown or does not
    allow the move.
    """
    entity, target, away = command.entity, command.target, command.away is True
    if entity == target:
        raise Refused("not-oneself", entity=entity)
    distance = state.distances.get(rules.pair_key(entity, target))
    if distance is None:
        raise Refused("distance-unknown", entity=entity, target=target)
    if distance is Distance.CLOSE and not away:
        raise Refused("already-close", entity=entity, target=target)
    after = rules.distance_after(thing, distance, away, state.edition)
    if after is None and away:
        raise Refused("no-farther", entity=entity, target=target, distance=distance, by=thing)
    if after is None:
        raise Refused("out-of-reach", distance=distance, by=thing, target=target)
    if away:
        return GET_AWAY
    return GET_CLOSE if after is Distance.CLOSE else GET_NEARER


def declare_reaction(state: State, command: c.DeclareReaction, by: By) -> tuple[e.Event, ...]:
    moment = _require_slot(state, command.entity, by)
    to = _find_action(moment, command)
    uses = _find_used(state, command)
    things, focus = _spend_budget(moment, command, Thing.REACTION)
    return (
        e.ReactionDeclared(
            command.entity,
            _nth(moment),
            command.approach,
            command.against,
            to.nth,
            focus,
            things,
            uses,
        ),
    )


def _find_action(moment: Moment, command: c.DeclareReaction) -> Declaration:
    """Return the action that the participant reacts to.

    Participants may react only to actions by participants lower in the turn order.
    """
    guards.find_part(moment, command.against)
    if moment.ids.index(command.against) <= moment.ids.index(command.entity):
        raise Refused("not-lower", entity=command.entity, against=command.against)
    which = 1 if command.which is UNSET else command.which
    actions = [
        declaration
        for declaration in moment.deeds
        if declaration.entity == command.against and declaration.thing is not Thing.REACTION
    ]
    if which > len(actions):
        raise Refused("not-declared", against=command.against, which=which, declared=len(actions))
    return actions[which - 1]


def _spend_budget(
    moment: Moment, command: c.DeclareAction | c.DeclareMove | c.DeclareReaction, thing: Thing
) -> tuple[int, bool]:
    """Return the entity's updated count of actions and reactions, and its focus flag.

    A sprint counts as two. Raises Refused if the declaration exceeds what one moment allows.
    """
    before, focus = moment.parts[command.entity], command.focus is True
    things = before.things + rules.TAKES[thing]
    if before.focus or (focus and things > 1):
        raise Refused("focus-is-one-thing", entity=command.entity, things=things)
    if things > MAX_THINGS:
        raise Refused("over-budget", entity=command.entity, things=things, most=MAX_THINGS)
    _require_extra(command.extra, things)
    return things, focus


def _require_extra(said: bool | UnsetType, things: int) -> None:
    """Raise Refused if `said` does not match the number of actions and reactions.

    `said` is the command's `extra` field. It must be True for a third action or reaction, and must
    not be True otherwise.
    """
    if things > BUDGET and said is not True:
        raise Refused("extra-not-said", things=things, budget=BUDGET)
    if things <= BUDGET and said is True:
        raise Refused("nothing-extra", things=things, budget=BUDGET)


def _nth(moment: Moment) -> int:
    return len(moment.deeds) + 1


def end_declaration(state: State, command: c.EndDeclaration, by: By) -> tuple[e.Event, ...]:
    """Let the next participant declare, or start the first turn if all have declared.

    Participants declare in reverse turn order.
    """
    moment = _require_turn_to_declare(state, command.entity, by)
    place = moment.ids.index(command.entity)
    if place:
        return (e.SlotPassed(moment.ids[place - 1]),)
    return _next_turn(state, moment, _turns(moment))


# Turns, in turn order (RULES 7).


def continue_moment(state: State, entity: str, done: bool) -> tuple[e.Event, ...]:
    """Return the events that end the entity's turn, or () if the entity is not acting.

    If `done` is True and the entity declared a move, the first event completes the move. The next
    events discard the unused reactions to the action. The last ones start the next turn or end the
    moment.
    """
    moment = state.moment
    if moment is UNSET or moment.phase is not Phase.ACTING or moment.at != entity:
        return ()
    turns = _turns(moment)
    place = _place(moment, turns)
    moved = _finish_move(state, turns[place]) if done else ()
    return *moved, *_end_reactions(state, moment), *_next_turn(state, moment, turns[place + 1 :])


def _end_reactions(state: State, moment: Moment) -> tuple[e.Event, ...]:
    """Return the events that end the open reactions to the action whose turn it is."""
    if state.edition < rules.UNUSED_REACTIONS_ARE_SAID_SINCE:
        return ()
    return tuple(
        e.ReactionDropped(
            declaration.entity, declaration.nth, declaration.approach, declaration.target
        )
        for declaration in moment.deeds
        if declaration.to == moment.turn
        and declaration.target is not UNSET
        and moment.is_open(declaration)
    )


def _place(moment: Moment, turns: Sequence[Declaration]) -> int:
    """Return the index of the current turn."""
    return next(place for place, declaration in enumerate(turns) if declaration.nth == moment.turn)


def _next_turn(state: State, moment: Moment, turns: Sequence[Declaration]) -> tuple[e.Event, ...]:
    """Return the events that start the next turn, or that end the moment if no turns are left."""
    if not turns:
        return e.MomentEnded(moment.number), *conditions.tick(state, moments=1)
    return (e.TurnCame(turns[0].entity, turns[0].nth, turns[0].intent, turns[0].approach),)


def _turns(moment: Moment) -> list[Declaration]:
    """Return the declared actions in order of execution."""
    actions = (
        declaration for declaration in moment.deeds if declaration.thing is not Thing.REACTION
    )
    return sorted(
        actions, key=lambda declaration: (moment.ids.index(declaration.entity), declaration.nth)
    )


def _finish_move(state: State, declaration: Declaration) -> tuple[e.Event, ...]:
    """Return the event that completes a declared move.

    The result is () if the declaration is not a move or if the distance to the target is unknown.
    If the distance does not allow the move, the event leaves the distance unchanged, except in
    edition 1, where the result is ().
    """
    entity, target, thing = declaration.entity, declaration.target, declaration.thing
    if target is UNSET:
        return ()
    old = state.distances.get(rules.pair_key(entity, target))
    if old is None:
        return ()
    new = rules.distance_after(thing, old, declaration.away is True, state.edition)
    if new is None and state.edition < rules.VAIN_MOVES_ARE_SAID_SINCE:
        return ()
    return (e.Moved(entity, target, thing, old, new or old),)


# Reactions to the action whose turn it is, and uses of items and abilities (RULES 7).


def find_reaction(moment: Moment, entity: str) -> Declaration | None:
    """Return the entity's first open reaction to the action whose turn it is, or None."""
    if moment.turn is UNSET:
        return None
    reactions = (
        declaration
        for declaration in moment.deeds
        if declaration.entity == entity and declaration.to == moment.turn
    )
    return next(filter(moment.is_open, reactions), None)


def drop_reaction(state: State, command: c.DropReaction, by: By) -> tuple[e.Event, ...]:
    guards.find_own(state, command.entity, by)
    moment = guards.find_moment(state)
    reaction = find_reaction(moment, command.entity)
    if reaction is None or reaction.target is UNSET:
        raise Refused("no-reaction", entity=command.entity)
    return (e.ReactionDropped(command.entity, reaction.nth, reaction.approach, reaction.target),)


def require_reactions_settled(state: State, action: str) -> None:
    """Raise Refused if the referee must still name someone who reacts to the action."""
    moment = state.moment
    if state.edition < rules.REACTIONS_ARE_SETTLED_SINCE or moment is UNSET or moment.at != action:
        return
    waiting = tuple(
        entity
        for entity in moment.ids
        if find_reaction(moment, entity) is not None
        and (entity not in state.tests or state.tests[entity].action != action)
    )
    if waiting:
        raise Refused("reaction-waits", action=action, waiting=waiting)


def find_use(state: State, entity: str, held: str) -> int | UnsetType:
    """Return the number of the declaration that lets the participant use the item or ability now.

    The result is UNSET in edition 1 and outside a moment. Each declaration allows one use of the
    item or ability that it names. An action allows the use once its turn has come, and a reaction
    allows it once the reaction has been used. Raises Refused if no declaration allows the use, or
    if the entity does not take part in the moment.
    """
    moment = state.moment
    if state.edition < rules.USES_ARE_DECLARED_SINCE or moment is UNSET:
        return UNSET
    if entity not in moment.parts:
        raise Refused("not-in-the-moment", entity=entity)
    used = () if moment.used is UNSET else moment.used
    for declaration in _carried_out(moment):
        if (declaration.entity, declaration.uses) == (entity, held) and declaration.nth not in used:
            return declaration.nth
    raise Refused("use-not-declared", entity=entity, held=held)


def _carried_out(moment: Moment) -> list[Declaration]:
    """Return the actions whose turn has come and the reactions that have been used.

    The result excludes dropped declarations.
    """
    if moment.turn is UNSET:
        return []
    turns = _turns(moment)
    actions = filter(moment.is_open, turns[: _place(moment, turns) + 1])
    reactions = [declaration for declaration in moment.deeds if declaration.nth in moment.spent]
    return [*actions, *reactions]
