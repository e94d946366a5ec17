"""Checks are called, opposed and set on terms (RULES 5, 8 and 9)."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.decider import By, Refused
from domain.rulesets.fansys.decider import guards, reckoning
from domain.rulesets.fansys.decider.sheets import stats
from domain.rulesets.fansys.messages.commands.checks import (
    Call,
    ForceSave,
    OpenCheck,
    OpenSave,
    Oppose,
    SetTerms,
)
from domain.rulesets.fansys.messages.events import Event
from domain.rulesets.fansys.messages.events.checks import CheckOpened, SaveForced, TermsSet
from domain.rulesets.fansys.rules import sheet
from domain.rulesets.fansys.rules.records import Check
from domain.rulesets.fansys.rules.words import Scene, Stat, Use
from domain.rulesets.fansys.state import Entity, State


def decide(state: State, command: Call, by: By) -> tuple[Event, ...]:
    match command:
        case OpenCheck():
            return _open_check(state, command, by)
        case OpenSave():
            return _open_save(state, command, by)
        case SetTerms():
            return _set_terms(state, command, by)
        case ForceSave():
            return _force_save(state, command, by)
        case Oppose():
            return _oppose(state, command, by)


def _open_check(state: State, command: OpenCheck, by: By) -> tuple[Event, ...]:
    of = guards.own(state, command.entity, by)
    if command.threshold is not UNSET:
        guards.master(by)
    _ready(state, command.entity, of)
    check = _asked(command.entity, of, command.skill, command.stat, command.second_stat)
    return (CheckOpened(command.entity, _against(check, command.threshold)),)


def _open_save(state: State, command: OpenSave, by: By) -> tuple[Event, ...]:
    guards.master(by)
    _ready(state, command.entity, guards.found(state, command.entity))
    check = _save(stats(command.save, command.second_save))
    return (CheckOpened(command.entity, _against(check, command.threshold)),)


def _ready(state: State, entity: str, of: Entity) -> None:
    guards.whole(entity, of)
    guards.check_free(state, entity)


def _save(valid: tuple[Stat, ...]) -> Check:
    return _check(Use.SAVE, " or ".join(valid), valid)


def _asked(
    entity: str,
    of: Entity,
    skill: str | UnsetType,
    stat: Stat | UnsetType,
    second: Stat | UnsetType = UNSET,
) -> Check:
    """A skill check where a skill is named, with its own stats unless others are; else an ability check."""
    known = None if skill is UNSET else guards.skill(of, skill)
    if stat is not UNSET:
        used = stats(stat, second)
    elif known is not None:
        used = known.stats
    else:
        raise Refused("name-a-stat", entity=entity)
    if skill is UNSET:
        return _check(Use.ABILITY, " and ".join(used), used)
    return _check(Use.SKILL, skill, used)


def _check(use: Use, name: str, used: tuple[Stat, ...]) -> Check:
    return Check(use, name, used, routine=False, tries=1, may_yield=False)


def _against(check: Check, threshold: int | UnsetType, keeper: str | UnsetType = UNSET) -> Check:
    return Check(
        check.use,
        check.name,
        check.stats,
        check.routine,
        check.tries,
        check.may_yield,
        threshold,
        keeper,
    )


def _set_terms(state: State, command: SetTerms, by: By) -> tuple[Event, ...]:
    guards.master(by)
    guards.found(state, command.entity)
    guards.open_check(state, command.entity)
    terms = TermsSet(
        command.entity,
        command.threshold,
        command.routine,
        command.tries,
        command.seconds,
        command.may_yield,
    )
    if terms == TermsSet(command.entity):
        raise Refused("nothing-to-set", entity=command.entity)
    return (terms,)


def _force_save(state: State, command: ForceSave, by: By) -> tuple[Event, ...]:
    of, target = guards.own(state, command.entity, by), guards.found(state, command.target)
    guards.acting(state, command.entity, of)
    _ready(state, command.target, target)
    terms = reckoning.of_dc(state, of, command.nature, command.stat)
    dc = sheet.DC + reckoning.total(terms)
    check = _against(_save(stats(command.save, command.second_save)), dc)
    return (
        SaveForced(command.entity, command.target, command.nature, terms, dc),
        CheckOpened(command.target, check),
    )


def _oppose(state: State, command: Oppose, by: By) -> tuple[Event, ...]:
    guards.master(by)
    keeper, challenger = (
        guards.found(state, command.keeper),
        guards.found(state, command.challenger),
    )
    _two_sides(command)
    guards.whole(command.keeper, keeper)
    _ready(state, command.challenger, challenger)
    changing = _asked(
        command.challenger, challenger, command.challenger_skill, command.challenger_stat
    )
    keeping = _asked(command.keeper, keeper, command.keeper_skill, command.keeper_stat)
    static = state.scene is Scene.COMBAT if command.static is UNSET else command.static
    if static:
        terms = reckoning.of_check(state, keeper, keeping, keeping.stats)
        threshold = reckoning.threshold_with_care(terms)
        return (CheckOpened(command.challenger, _against(changing, threshold, command.keeper)),)
    guards.check_free(state, command.keeper)
    return (
        CheckOpened(command.keeper, keeping),
        CheckOpened(command.challenger, _against(changing, UNSET, command.keeper)),
    )


def _two_sides(command: Oppose) -> None:
    """Who is hidden always keeps the status quo."""
    if command.keeper == command.challenger:
        raise Refused("needs-two-sides", entity=command.keeper)
    if command.hidden is not UNSET and command.hidden != command.keeper:
        raise Refused("hider-keeps-status-quo", hidden=command.hidden)
