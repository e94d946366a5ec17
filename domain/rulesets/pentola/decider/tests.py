"""Tests and usage dice: calls for tests, opponents, bonuses and rolls.

The rules are in chapters 3 to 6 of RULES.md.
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.pentola import commands as c, contests, events as e, rules
from domain.rulesets.pentola.contests import Contender
from domain.rulesets.pentola.decider import guards, moments
from domain.rulesets.pentola.decider.moments import require_adjudicable, require_no_roll
from domain.rulesets.pentola.rules import (
    PASSED,
    STEPS,
    Being,
    Die,
    RollPurpose,
    TieBreak,
    Undeclared,
    Usable,
)
from domain.rulesets.pentola.state import Held, OpenTest, Score, State


def call_test(state: State, command: c.CallTest, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    require_adjudicable(state, command.entity)
    guards.require_no_test(state, command.entity)
    character = guards.find_entity(state, command.entity)
    guards.find_score(command.entity, character, command.characteristic)
    guards.require_alive(command.entity, character)
    return (
        e.CalledForTest(command.entity, command.characteristic, command.difficulty, command.aim),
    )


def demand_test(state: State, command: c.DemandTest, by: By) -> tuple[e.Event, ...]:
    """Demand a test that is not part of an action. The character may be doing something else."""
    by.require_gm()
    character = guards.find_character(state, command.entity)
    guards.require_no_test(state, command.entity)
    guards.find_score(command.entity, character, command.characteristic)
    guards.require_alive(command.entity, character)
    return (
        e.TestDemanded(command.entity, command.characteristic, command.difficulty, command.aim),
    )


def oppose(state: State, command: c.Oppose, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    guards.find_character(state, command.entity)
    opponent = guards.find_character(state, command.opponent)
    if command.entity == command.opponent:
        raise Refused("not-oneself", entity=command.entity)
    test = guards.find_test(state, command.entity)
    if test.action != command.entity or test.undeclared is Undeclared.DEMANDED:
        raise Refused("in-a-test", entity=command.entity, action=test.action)
    require_no_roll(state, command.entity)
    guards.require_no_test(state, command.opponent)
    guards.find_score(command.opponent, opponent, command.characteristic)
    guards.require_alive(command.opponent, opponent)
    if len(_sides(state, command.entity)) >= rules.MAX_SIDES:
        raise Refused("too-many-sides", most=rules.MAX_SIDES)
    nth = _find_reaction(state, command)
    competes = True if nth is UNSET and command.competes is True else UNSET
    return (
        e.OpponentNamed(
            command.entity,
            command.opponent,
            command.characteristic,
            command.difficulty,
            nth,
            competes,
            command.aim,
        ),
    )


def _find_reaction(state: State, command: c.Oppose) -> int | UnsetType:
    """Return the number of the opponent's unused reaction to the current action.

    The result is UNSET if no reaction is needed. None is needed if it is not the tested entity's
    turn in a moment, or if the opponent competes and has declared no reaction. Raises Refused if a
    reaction is needed but none was declared.
    """
    moment = state.moment
    if moment is UNSET or moment.turn is UNSET or moment.at != command.entity:
        return UNSET
    reaction = moments.find_reaction(moment, command.opponent)
    if reaction is not None:
        return reaction.nth
    if command.competes is True:
        return UNSET
    raise Refused("no-reaction", entity=command.opponent, against=command.entity)


def change_test(state: State, command: c.ChangeTest, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_character(state, command.entity)
    test = guards.find_test(state, command.entity)
    require_no_roll(state, test.action)
    guards.find_score(command.entity, character, command.characteristic)
    aim = test.aim if command.aim is UNSET else command.aim
    new = command.characteristic, command.difficulty, aim
    if new == (test.characteristic, test.difficulty, test.aim):
        raise Refused("nothing-changes")
    return (
        e.TestChanged(
            command.entity,
            test.characteristic,
            test.difficulty,
            command.characteristic,
            command.difficulty,
            command.reason,
            aim,
        ),
    )


def call_off(state: State, command: c.CallOff, by: By) -> tuple[e.Event, ...]:
    """End a test and the tests against it. The reactions to it can be used again."""
    by.require_gm()
    guards.find_character(state, command.entity)
    require_no_roll(state, guards.find_test(state, command.entity).action)
    return (e.CalledOff(command.entity, command.reason, _used_reactions(state, command.entity)),)


def _used_reactions(state: State, entity: str) -> tuple[int, ...]:
    """Return the numbers of the reactions used up by the test or by the tests against it."""
    moment = state.moment
    if moment is UNSET or moment.turn is UNSET:
        return ()
    test = state.tests[entity]
    if moment.at != test.action or test.undeclared is not UNSET:
        return ()
    return tuple(
        declaration.nth
        for declaration in moment.deeds
        if declaration.to == moment.turn
        and declaration.nth in moment.spent
        and entity in (declaration.entity, test.action)
    )


def _sides(state: State, action: str) -> dict[str, OpenTest]:
    return {entity: test for entity, test in state.tests.items() if test.action == action}


def rule_bonus(state: State, command: c.RuleBonus, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_character(state, command.entity)
    bonus = guards.find_bonus(state, command.entity, command.bonus).name
    guards.require_change(state, bonus not in character.barred, command.applies)
    return (e.BonusRuled(command.entity, bonus, command.applies),)


def roll_test(state: State, command: c.RollTest, by: By, chance: Chance) -> tuple[e.Event, ...]:
    character = guards.find_own(state, command.entity, by)
    test = guards.find_test(state, command.entity)
    if test.score is not UNSET:
        raise Refused("rolled-already", action=test.action, rolled=(command.entity,))
    if test.undeclared is not Undeclared.DEMANDED:
        moments.require_reactions_settled(state, test.action)
    bonus = guards.highest_bonus(state, command.entity, command.bonuses)
    base = guards.base_goal(command.entity, character, test.characteristic)
    added = 0 if bonus is None else bonus.percent
    steps = _steps(state, command.entity, test)
    score = Score(base + added, steps, chance.draw(rules.PERCENT))
    rolled = e.RolledTest(
        entity=command.entity,
        action=test.action,
        use=_purpose(state, test),
        characteristic=test.characteristic,
        difficulty=test.difficulty,
        percent=score.percent,
        added=added,
        steps=steps,
        roll=score.roll,
        outcome=rules.outcome(score.roll, rules.goal(score.percent, steps)),
        bonus=UNSET if bonus is None else bonus.name,
        aim=test.aim if command.aim is UNSET else command.aim,
    )
    return rolled, *_finish_action(state, rolled, score)


def _purpose(state: State, test: OpenTest) -> RollPurpose:
    if test.undeclared is Undeclared.DEMANDED:
        return RollPurpose.DEMANDED
    return RollPurpose.TEST if len(_sides(state, test.action)) == 1 else RollPurpose.OPPOSED


def _steps(state: State, entity: str, test: OpenTest) -> int:
    """Return the total difficulty steps for the entity's test.

    They come from the difficulty, from focus, and from a third action or reaction. Focus helps only
    with a test that belongs to a declared action or reaction.
    """
    moment, difficulty = state.moment, STEPS[test.difficulty]
    if moment is UNSET or entity not in moment.parts:
        return rules.steps([difficulty], state.options)
    part = moment.parts[entity]
    focus = rules.FOCUS_STEPS if part.focus and test.undeclared is UNSET else 0
    extra = rules.EXTRA_STEPS if part.things > rules.BUDGET else 0
    return rules.steps([difficulty, focus, extra], state.options)


def _finish_action(state: State, rolled: e.RolledTest, score: Score) -> tuple[e.Event, ...]:
    if rolled.use is RollPurpose.DEMANDED:
        return ()
    if rolled.use is RollPurpose.TEST:
        return moments.continue_moment(state, rolled.action, done=rolled.outcome in PASSED)
    scores = {entity: test.score for entity, test in _sides(state, rolled.action).items()} | {
        rolled.entity: score
    }
    contenders = {
        entity: _contender(state, rolled.action, entity, score)
        for entity, score in scores.items()
        if score
    }
    if len(contenders) < len(scores):
        return ()
    ranking = contests.rank_sides(contenders.values())
    tie = _tie_break(state, contenders[ranking[0]], contenders[ranking[1]])
    settled = e.OpposedSettled(rolled.action, ranking, tie)
    return settled, *moments.continue_moment(state, rolled.action, done=ranking[0] == rolled.action)


def _tie_break(state: State, first: Contender, second: Contender) -> TieBreak | UnsetType:
    """Return the rule that decided a tie for first place, or UNSET if there was no tie.

    In edition 1, the result is always UNSET.
    """
    if state.edition < rules.TIES_ARE_EXPLAINED_SINCE:
        return UNSET
    return contests.tie_break(first, second) or UNSET


def _contender(state: State, action: str, entity: str, score: Score) -> Contender:
    """Return one side of an opposed test.

    Every entity that opposes the action is a defender.
    """
    character = state.entities[entity]
    return Contender(
        entity=entity,
        seat=character.seat,
        player=character.being is Being.PC,
        defends=entity != action,
        percent=score.percent,
        steps=score.steps,
        roll=score.roll,
    )


# Usage dice: rolled at once for an ability, a minute after use for an item (RULES 6).


def use_ability(state: State, command: c.UseAbility, by: By, chance: Chance) -> tuple[e.Event, ...]:
    held = _find_usable(state, by, command.entity, command.ability, Usable.ABILITY)
    guards.require_alive(command.entity, state.entities[command.entity])
    nth = moments.find_use(state, command.entity, held.name)
    return (_roll_usage_die(command.entity, held, chance, nth, command.aim),)


def _find_usable(state: State, by: By, entity: str, name: str, usable: Usable) -> Held:
    guards.find_own(state, entity, by)
    held = guards.find_held(state, entity, name)
    if held.usable is not usable:
        raise Refused("not-such-a-use", held=held.name, usable=held.usable)
    if held.die is Die.EXPENDED:
        raise Refused("expended", entity=entity, held=held.name)
    return held


def use_item(state: State, command: c.UseItem, by: By) -> tuple[e.Event, ...]:
    item = _find_usable(state, by, command.entity, command.item, Usable.ITEM)
    if item.waiting + item.due >= rules.MAX_ROLLS:
        raise Refused("too-many-rolls", entity=command.entity, held=item.name, most=rules.MAX_ROLLS)
    guards.require_alive(command.entity, state.entities[command.entity])
    nth = moments.find_use(state, command.entity, item.name)
    return (e.ItemUsed(command.entity, item.name, item.waiting + 1, nth, command.aim),)


def give_item(state: State, command: c.GiveItem, by: By) -> tuple[e.Event, ...]:
    """Hand over an item. During a moment, this counts as using the item."""
    item = _find_usable(state, by, command.entity, command.item, Usable.ITEM)
    guards.find_character(state, command.to)
    if command.entity == command.to:
        raise Refused("not-oneself", entity=command.entity)
    guards.require_space(state, command.to, item.name)
    if state.edition >= rules.THE_DEAD_GIVE_NOTHING_SINCE:
        guards.require_alive(command.entity, state.entities[command.entity])
    nth = moments.find_use(state, command.entity, item.name)
    return (
        e.ItemGiven(command.entity, item.name, command.to, item.die, item.due, item.waiting, nth),
    )


def roll_usage(state: State, command: c.RollUsage, by: By, chance: Chance) -> tuple[e.Event, ...]:
    held = _find_usable(state, by, command.entity, command.item, Usable.ITEM)
    left = _take_roll(command.entity, held, by)
    return (_roll_usage_die(command.entity, left, chance, UNSET, command.aim),)


def _take_roll(entity: str, item: Held, by: By) -> Held:
    """Return the item with one fewer usage roll pending.

    Players may make only rolls that are due. The referee decides when a minute is over, so the
    referee may also make rolls that are not due yet.
    """
    if not item.due and not item.waiting:
        raise Refused("nothing-used", entity=entity, held=item.name)
    if item.due:
        return Held(item.name, item.usable, item.die, item.waiting, item.due - 1)
    if not by.is_gm:
        raise Refused("minute-not-over", entity=entity, held=item.name)
    return Held(item.name, item.usable, item.die, item.waiting - 1, 0)


def _roll_usage_die(
    entity: str, held: Held, chance: Chance, nth: int | UnsetType, aim: str | UnsetType
) -> e.UsageRolled:
    face = chance.draw(rules.SIDES[held.die])
    left = rules.step_down(held.die, face)
    due, waiting = (0, 0) if left is Die.EXPENDED else (held.due, held.waiting)
    return e.UsageRolled(
        entity, held.name, held.usable, held.die, face, left, due, waiting, nth, aim
    )
