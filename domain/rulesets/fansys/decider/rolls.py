"""Checks come to their result: rolled, taken, failed willingly, ruled or dropped (RULES 8 and 9)."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET, UnsetType

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.fansys.decider import clock, guards, reckoning, verdicts
from domain.rulesets.fansys.messages.commands.checks import (
    Answer,
    Drop,
    FailWillingly,
    Roll,
    RuleCheck,
    Take,
)
from domain.rulesets.fansys.messages.events import Event
from domain.rulesets.fansys.messages.events.checks import (
    CheckRolled,
    CheckSettled,
    Dropped,
    Taken,
    TermsSet,
)
from domain.rulesets.fansys.rules import dice, hours
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.records import Check, Term
from domain.rulesets.fansys.rules.words import CHA, CON, Scene, Stat, Taking, Use, Why
from domain.rulesets.fansys.state import Entity, State


def decide(state: State, command: Answer, by: By, chance: Chance) -> tuple[Event, ...]:
    match command:
        case Roll():
            return _roll(state, command, by, chance)
        case Take():
            return _take(state, command, by)
        case FailWillingly():
            return _fail_willingly(state, command, by)
        case RuleCheck():
            return _rule_check(state, command, by)
        case Drop():
            return _drop(state, command, by)


class Plan(NamedTuple):
    """What a check is about to be rolled with."""

    name: str
    twist: Twist
    capped: bool
    terms: tuple[Term, ...]
    threshold: int | UnsetType
    automatic: bool


def plan(state: State, of: Entity, check: Check, stats: tuple[Stat, ...]) -> Plan:
    saves = check.use is Use.SAVE
    return Plan(
        stats[0].value if saves else check.name,
        reckoning.twist_of_check(state, of, check, stats),
        reckoning.capped(state, of, check),
        reckoning.of_check(state, of, check, stats),
        check.threshold,
        saves,
    )


def _roll(state: State, command: Roll, by: By, chance: Chance) -> tuple[Event, ...]:
    of, check = guards.own(state, command.entity, by), guards.open_check(state, command.entity)
    guards.whole(command.entity, of)
    stats = chosen(check, command.stat)
    _in_turn(check)
    verdict = verdicts.verdict(state, of, check, stats)
    if verdict is not None:
        return _settled(state, command.entity, check, *verdict)
    planned = plan(state, of, check, stats)
    throw = reckoning.throw(chance, planned.twist, planned.capped, planned.terms)
    success: bool | UnsetType = UNSET
    if check.threshold is not UNSET:
        success = dice.succeeds(throw.sum, throw.modifier, check.threshold, planned.automatic)
    rolled = CheckRolled(command.entity, check.use, planned.name, throw, check.threshold, success)
    return rolled, *_threshold_for(state, command.entity, throw.total)


def chosen(check: Check, stat: Stat | UnsetType) -> tuple[Stat, ...]:
    """The stats that make the bonus: of a save the one that is chosen before the roll."""
    if check.use is not Use.SAVE:
        if stat is not UNSET:
            raise Refused("not-a-valid-save", stat=stat.value, valid=())
        return check.stats
    if stat is UNSET and len(check.stats) > 1:
        raise Refused("choose-a-save", valid=tuple(each.value for each in check.stats))
    if stat is not UNSET and stat not in check.stats:
        raise Refused(
            "not-a-valid-save", stat=stat.value, valid=tuple(each.value for each in check.stats)
        )
    return check.stats if stat is UNSET else (stat,)


def _in_turn(check: Check) -> None:
    if check.against is not UNSET and check.threshold is UNSET:
        raise Refused("status-quo-first", keeper=check.against)


def _threshold_for(state: State, keeper: str, total: int) -> tuple[Event, ...]:
    """The keeper's total is what the waiting challenger must meet or beat."""
    challenger = _challenger(state, keeper)
    return () if challenger is None else (TermsSet(challenger, threshold=total),)


def _challenger(state: State, keeper: str) -> str | None:
    waiting = (
        entity
        for entity, check in state.checks.items()
        if check.against == keeper and check.threshold is UNSET
    )
    return next(waiting, None)


def _other_side(state: State, entity: str, check: Check) -> str | None:
    """Who is still in the contest against it."""
    if check.against is not UNSET and check.threshold is UNSET:
        return check.against if check.against in state.checks else None
    return _challenger(state, entity)


def _settled(
    state: State,
    entity: str,
    check: Check,
    success: bool,
    why: Why,
    reason: str | UnsetType = UNSET,
) -> tuple[Event, ...]:
    """Without a roll; the other side of a contest then has what it wanted, or not."""
    settled = CheckSettled(entity, check.use, check.name, success, why, reason)
    other = _other_side(state, entity, check)
    if other is None:
        return (settled,)
    theirs = state.checks[other]
    return settled, CheckSettled(other, theirs.use, theirs.name, not success, Why.UNOPPOSED)


def _take(state: State, command: Take, by: By) -> tuple[Event, ...]:
    of, check = guards.own(state, command.entity, by), guards.open_check(state, command.entity)
    guards.whole(command.entity, of)
    if check.use is Use.SAVE:
        raise Refused("not-takeable", check=check.name)
    _in_turn(check)
    verdict = verdicts.verdict(state, of, check, check.stats)
    if verdict is not None:
        return _settled(state, command.entity, check, *verdict)
    if command.number is Taking.CARE:
        _with_care(state, command.entity, of, check)
    else:
        _in_safety(state, command.number, check)
    taken = _taken(state, command, of, check)
    return (
        taken,
        *_threshold_for(state, command.entity, taken.total),
        *_time_for(state, check, taken.tries),
    )


def _with_care(state: State, entity: str, of: Entity, check: Check) -> None:
    """A quiet place and a routine; who keeps the status quo may always give 13 for a threshold."""
    if _challenger(state, entity) is not None:
        return
    if state.scene not in (Scene.SAFE, Scene.QUIET):
        raise Refused("not-quiet", scene=state.scene.value)
    skill = guards.skill(of, check.name) if check.use is Use.SKILL else None
    if not check.routine and (skill is None or not skill.points):
        raise Refused("not-routine", check=check.name)


def _in_safety(state: State, number: Taking, check: Check) -> None:
    if state.scene is not Scene.SAFE:
        raise Refused("not-safe", scene=state.scene.value)
    if check.tries < hours.TRIES[number]:
        raise Refused("too-few-tries", tries=check.tries, needs=hours.TRIES[number])


def _taken(state: State, command: Take, of: Entity, check: Check) -> Taken:
    """The number stands for the dice, without +2 and -2."""
    number = int(command.number.value)
    if reckoning.capped(state, of, check):
        number = min(number, dice.UNTRAINED)
    terms = reckoning.of_check(state, of, check, check.stats)
    total = number + reckoning.total(terms)
    success: bool | UnsetType = UNSET if check.threshold is UNSET else total >= check.threshold
    tries = hours.TRIES[command.number]
    return Taken(
        command.entity, check.use, check.name, number, terms, total, tries, check.threshold, success
    )


def _time_for(state: State, check: Check, tries: int) -> tuple[Event, ...]:
    return () if check.seconds is UNSET else clock.passing(state, check.seconds * tries)


def _fail_willingly(state: State, command: FailWillingly, by: By) -> tuple[Event, ...]:
    of, check = (
        guards.own_choice(state, command.entity, by),
        guards.open_check(state, command.entity),
    )
    guards.whole(command.entity, of)
    stats = chosen(check, command.stat)
    if stats == (CON,):
        raise Refused("autonomous", check=check.name)
    if check.use is Use.SAVE and stats == (CHA,) and not check.may_yield:
        raise Refused("ask-the-gm", check=check.name)
    return _settled(state, command.entity, check, False, Why.WILLING)


def _rule_check(state: State, command: RuleCheck, by: By) -> tuple[Event, ...]:
    guards.master(by)
    guards.found(state, command.entity)
    check = guards.open_check(state, command.entity)
    return _settled(state, command.entity, check, command.success, Why.RULED, command.reason)


def _drop(state: State, command: Drop, by: By) -> tuple[Event, ...]:
    guards.master(by)
    guards.found(state, command.entity)
    if command.entity not in state.checks and command.entity not in state.hits:
        raise Refused("nothing-open", entity=command.entity)
    check = state.checks.get(command.entity)
    other = None if check is None else _other_side(state, command.entity, check)
    sides = (command.entity,) if other is None else (command.entity, other)
    return tuple(Dropped(side, command.reason) for side in sides)
