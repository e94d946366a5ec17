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
from domain.rulesets.pentola.rules import PASSED, STEPS, Being, Die, Difficulty, RollPurpose, Usable
from domain.rulesets.pentola.state import Held, OpenTest, Score, State


def call_test(state: State, command: c.CallTest, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    require_adjudicable(state, command.entity)
    guards.require_no_test(state, command.entity)
    guards.find_score(
        command.entity, guards.find_entity(state, command.entity), command.characteristic
    )
    return (e.CalledForTest(command.entity, command.characteristic, command.difficulty),)


def oppose(state: State, command: c.Oppose, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    guards.find_character(state, command.entity)
    opponent = guards.find_character(state, command.opponent)
    if command.entity == command.opponent:
        raise Refused("not-oneself", entity=command.entity)
    test = _find_test(state, command.entity)
    if test.action != command.entity:
        raise Refused("in-a-test", entity=command.entity, action=test.action)
    require_no_roll(state, command.entity)
    guards.require_no_test(state, command.opponent)
    guards.find_score(command.opponent, opponent, command.characteristic)
    if len(_sides(state, command.entity)) >= rules.MAX_SIDES:
        raise Refused("too-many-sides", most=rules.MAX_SIDES)
    nth = _find_reaction(state, command)
    return (
        e.OpponentNamed(
            command.entity, command.opponent, command.characteristic, command.difficulty, nth
        ),
    )


def _find_reaction(state: State, command: c.Oppose) -> int | UnsetType:
    """Return the number of the opponent's unused reaction to the current action.

    If the tested entity is not taking its turn in a moment, no reaction is needed and the result is
    UNSET. Raises Refused if a reaction is needed but there is none.
    """
    moment = state.moment
    if moment is UNSET or moment.turn is UNSET or moment.at != command.entity:
        return UNSET
    for declaration in moment.deeds:
        if (declaration.entity, declaration.to) == (
            command.opponent,
            moment.turn,
        ) and declaration.nth not in moment.spent:
            return declaration.nth
    raise Refused("no-reaction", entity=command.opponent, against=command.entity)


def _find_test(state: State, entity: str) -> OpenTest:
    if entity not in state.tests:
        raise Refused("no-test", entity=entity)
    return state.tests[entity]


def _sides(state: State, action: str) -> dict[str, OpenTest]:
    return {entity: test for entity, test in state.tests.items() if test.action == action}


def rule_bonus(state: State, command: c.RuleBonus, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    guards.find_bonus(command.entity, guards.find_character(state, command.entity), command.bonus)
    return (e.BonusRuled(command.entity, command.bonus, command.applies),)


def roll_test(state: State, command: c.RollTest, by: By, chance: Chance) -> tuple[e.Event, ...]:
    character = guards.find_own(state, command.entity, by)
    test = _find_test(state, command.entity)
    if test.score is not UNSET:
        raise Refused("rolled-already", action=test.action, rolled=(command.entity,))
    bonus = guards.highest_bonus(command.entity, character, command.bonuses)
    base = guards.base_goal(command.entity, character, test.characteristic)
    added = 0 if bonus is None else bonus.percent
    steps = _steps(state, command.entity, test.difficulty)
    score = Score(base + added, steps, chance.draw(rules.PERCENT))
    rolled = e.RolledTest(
        entity=command.entity,
        action=test.action,
        use=RollPurpose.TEST if len(_sides(state, test.action)) == 1 else RollPurpose.OPPOSED,
        characteristic=test.characteristic,
        difficulty=test.difficulty,
        percent=score.percent,
        added=added,
        steps=steps,
        roll=score.roll,
        outcome=rules.outcome(score.roll, rules.goal(score.percent, steps)),
        bonus=UNSET if bonus is None else bonus.name,
    )
    return rolled, *_finish_action(state, rolled, score)


def _steps(state: State, entity: str, difficulty: Difficulty) -> int:
    """Return the total difficulty steps for the entity's test.

    They come from the difficulty, from focus, and from a third action or reaction.
    """
    moment = state.moment
    if moment is UNSET or entity not in moment.parts:
        return rules.steps([STEPS[difficulty]], state.options)
    part = moment.parts[entity]
    focus = rules.FOCUS_STEPS if part.focus else 0
    extra = rules.EXTRA_STEPS if part.things > rules.BUDGET else 0
    return rules.steps([STEPS[difficulty], focus, extra], state.options)


def _finish_action(state: State, rolled: e.RolledTest, score: Score) -> tuple[e.Event, ...]:
    if rolled.use is RollPurpose.TEST:
        return moments.continue_moment(state, rolled.action, done=rolled.outcome in PASSED)
    scores = {entity: test.score for entity, test in _sides(state, rolled.action).items()} | {
        rolled.entity: score
    }
    contenders = [
        _contender(state, rolled.action, entity, score) for entity, score in scores.items() if score
    ]
    if len(contenders) < len(scores):
        return ()
    ranking = contests.rank_sides(contenders)
    settled = e.OpposedSettled(rolled.action, ranking)
    return settled, *moments.continue_moment(state, rolled.action, done=ranking[0] == rolled.action)


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
    return (_roll_usage_die(command.entity, held, chance),)


def _find_usable(state: State, by: By, entity: str, name: str, usable: Usable) -> Held:
    held = guards.find_held(entity, guards.find_own(state, entity, by), name)
    if held.usable is not usable:
        raise Refused("not-such-a-use", held=name, usable=held.usable)
    if held.die is Die.EXPENDED:
        raise Refused("expended", entity=entity, held=name)
    return held


def use_item(state: State, command: c.UseItem, by: By) -> tuple[e.Event, ...]:
    item = _find_usable(state, by, command.entity, command.item, Usable.ITEM)
    if item.waiting + item.due >= rules.MAX_ROLLS:
        raise Refused("too-many-rolls", entity=command.entity, most=rules.MAX_ROLLS)
    return (e.ItemUsed(command.entity, item.name, item.waiting + 1),)


def pass_minute(state: State, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    waiting = sorted(
        (entity, item.name, item.due + item.waiting)
        for entity, character in state.entities.items()
        for item in character.held
        if item.waiting
    )
    if not waiting:
        raise Refused("nothing-used")
    return tuple(e.RollsDue(entity, item, due) for entity, item, due in waiting)


def roll_usage(state: State, command: c.RollUsage, by: By, chance: Chance) -> tuple[e.Event, ...]:
    held = _find_usable(state, by, command.entity, command.item, Usable.ITEM)
    return (_roll_usage_die(command.entity, _take_roll(command.entity, held, by), chance),)


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


def _roll_usage_die(entity: str, held: Held, chance: Chance) -> e.UsageRolled:
    face = chance.draw(rules.SIDES[held.die])
    left = rules.step_down(held.die, face)
    due, waiting = (0, 0) if left is Die.EXPENDED else (held.due, held.waiting)
    return e.UsageRolled(entity, held.name, held.usable, held.die, face, left, due, waiting)
