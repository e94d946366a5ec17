"""Decider functions for checks, from opening to result (RULES 5 to 9)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.fansys import commands as c, events as e
from domain.rulesets.fansys.decider import conditions, guards
from domain.rulesets.fansys.decider.characters import distinct_stats
from domain.rulesets.fansys.rules import dice, editions, grants, modifiers, sheet
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import (
    BODILY,
    CHA,
    CON,
    DEX,
    INT,
    STR,
    WIS,
    AnnouncedAttack,
    Applies,
    Energy,
    Modifier,
    ModifierOrigin,
    Nature,
    Options,
    RollPurpose,
    Scene,
    Stat,
    Taking,
    Term,
    Throw,
    UnsettledCheck,
    Why,
)
from domain.rulesets.fansys.state import Entity, State

BASE, NAT, SUP, POINTS = "Base", "Nat", "Sup", "points"
Verdict = tuple[bool, Why]

# Opening checks and setting their terms (RULES 5, 8 and 9).


def open_check(state: State, command: c.OpenCheck, by: By) -> tuple[e.Event, ...]:
    character = guards.find_own(state, command.entity, by)
    if command.threshold is not UNSET:
        by.require_gm()
    _require_ready(state, command.entity, character)
    check = _requested_check(
        state, command.entity, command.skill, command.stat, command.second_stat
    )
    opened = replace(check, threshold=command.threshold, aim=command.aim)
    return (e.CheckOpened(command.entity, opened),)


def open_save(state: State, command: c.OpenSave, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    _require_ready(state, command.entity, guards.find_entity(state, command.entity))
    check = _new_save(distinct_stats(state, command.entity, command.save, command.second_save))
    opened = replace(check, threshold=command.threshold, aim=command.aim)
    return (e.CheckOpened(command.entity, opened),)


def _require_ready(state: State, entity: str, character: Entity) -> None:
    guards.require_intact(entity, character)
    guards.require_no_check(state, entity)


def _new_save(valid: tuple[Stat, ...]) -> UnsettledCheck:
    return _new_check(RollPurpose.SAVE, " or ".join(valid), valid)


def _requested_check(
    state: State,
    entity: str,
    skill: str | UnsetType,
    stat: Stat | UnsetType,
    second: Stat | UnsetType = UNSET,
) -> UnsettledCheck:
    """Return a skill check if `skill` is set, otherwise an ability check.

    A skill check uses the skill's own stats unless `stat` is set. Raises Refused if `stat` is unset
    for an ability check or for a skill that the character does not have, or if the skill's name is
    blank or almost the same as one on the sheet (RULES 1.7 and 1.8).
    """
    character = state.entities[entity]
    if skill is not UNSET:
        guards.require_names(state, skill=skill)
        skills = (held.name for held in character.skills)
        guards.require_spelling(state, entity, skill, skills)
    known = None if skill is UNSET else guards.find_skill(character, skill)
    if stat is not UNSET:
        used = distinct_stats(state, entity, stat, second)
    elif known is not None:
        used = known.stats
    else:
        raise Refused("name-a-stat", entity=entity)
    if skill is UNSET:
        return _new_check(RollPurpose.ABILITY, " and ".join(used), used)
    return _new_check(RollPurpose.SKILL, skill, used)


def _new_check(use: RollPurpose, name: str, used: tuple[Stat, ...]) -> UnsettledCheck:
    return UnsettledCheck(use, name, used, routine=False, tries=1, may_yield=False)


def set_terms(state: State, command: c.SetTerms, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    guards.find_entity(state, command.entity)
    check = guards.find_check(state, command.entity)
    terms = e.TermsSet(
        command.entity,
        command.threshold,
        command.routine,
        command.tries,
        command.seconds,
        command.may_yield,
    )
    if terms == e.TermsSet(command.entity):
        raise Refused("nothing-to-set", entity=command.entity)
    is_cha_save = check.use is RollPurpose.SAVE and CHA in check.stats
    if terms.may_yield is not UNSET and not is_cha_save and guards.refuses_nonsense(state):
        raise Refused("no-cha-save", entity=command.entity, check=check.name)
    return (terms,)


def force_save(state: State, command: c.ForceSave, by: By) -> tuple[e.Event, ...]:
    character = guards.find_own(state, command.entity, by)
    target = guards.find_entity(state, command.target)
    guards.require_able(state, command.entity, character)
    guards.require_no_sprint(state, command.entity)
    _require_ready(state, command.target, target)
    terms = save_dc_terms(state, character, command.nature, command.stat)
    dc = sheet.DC + sum_terms(terms)
    check = _new_save(distinct_stats(state, command.entity, command.save, command.second_save))
    return (
        e.SaveForced(command.entity, command.target, command.nature, terms, dc),
        e.CheckOpened(command.target, replace(check, threshold=dc, aim=command.aim)),
    )


def oppose(state: State, command: c.Oppose, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    keeper = guards.find_entity(state, command.keeper)
    challenger = guards.find_entity(state, command.challenger)
    _require_two_sides(command)
    guards.require_intact(command.keeper, keeper)
    _require_ready(state, command.challenger, challenger)
    changing = _requested_check(
        state, command.challenger, command.challenger_skill, command.challenger_stat
    )
    keeping = _requested_check(state, command.keeper, command.keeper_skill, command.keeper_stat)
    changing, keeping = replace(changing, aim=command.aim), replace(keeping, aim=command.aim)
    static = state.scene is Scene.COMBAT if command.static is UNSET else command.static
    if static:
        return _oppose_static(state, command, keeping, changing)
    challenged = e.CheckOpened(command.challenger, replace(changing, against=command.keeper))
    if _keeps_already(state, command.keeper, keeping):
        return (challenged,)
    guards.require_no_check(state, command.keeper)
    return e.CheckOpened(command.keeper, keeping), challenged


def _oppose_static(
    state: State, command: c.Oppose, keeping: UnsettledCheck, changing: UnsettledCheck
) -> tuple[e.Event, ...]:
    """Return the event for a challenge against 13 plus the keeper's modifier.

    From edition 2 on, the challenger succeeds at once if the keeper cannot make the check but the
    challenger can (RULES 9.10).
    """
    keeper, challenger = state.entities[command.keeper], state.entities[command.challenger]
    if (
        state.edition >= editions.UNABLE_KEEPER_SINCE
        and find_verdict(state, keeper, keeping, keeping.stats) is not None
        and find_verdict(state, challenger, changing, changing.stats) is None
    ):
        settled = _settled_event(command.challenger, changing, True, Why.UNOPPOSED)
        return (replace(settled, against=command.keeper),)
    threshold = care_threshold(check_terms(state, keeper, keeping, keeping.stats))
    challenged = replace(changing, threshold=threshold, against=command.keeper)
    return (e.CheckOpened(command.challenger, challenged),)


def _keeps_already(state: State, keeper: str, keeping: UnsettledCheck) -> bool:
    """Return True if the keeper's open check can set the threshold for another challenger."""
    held = state.checks.get(keeper)
    return (
        state.edition >= editions.SEVERAL_CHALLENGERS_SINCE
        and held is not None
        and held.threshold is UNSET
        and held.against is UNSET
        and (held.use, held.name, held.stats) == (keeping.use, keeping.name, keeping.stats)
    )


def _require_two_sides(command: c.Oppose) -> None:
    """Raise Refused if an entity opposes itself, or if `hidden` names anyone but the keeper."""
    if command.keeper == command.challenger:
        raise Refused("needs-two-sides", entity=command.keeper)
    if command.hidden is not UNSET and command.hidden != command.keeper:
        raise Refused("hider-keeps-status-quo", hidden=command.hidden)


# The terms of a roll, and its advantage or disadvantage (RULES 5 to 7).


def check_terms(
    state: State, character: Entity, check: UnsettledCheck, stats: tuple[Stat, ...]
) -> tuple[Term, ...]:
    match check.use:
        case RollPurpose.SKILL:
            own = _skill_terms(state.options, character, check.name)
        case RollPurpose.SAVE:
            own = _proficiency_terms(state.options, character, stats[0] in BODILY, stats[0].value)
        case _:
            own = ()
    return _collect_terms(
        state.options, character, own, stats, modifiers.applies_to(check.use), check.name
    )


def attack_terms(state: State, character: Entity, announced: AnnouncedAttack) -> tuple[Term, ...]:
    attack = announced.attack
    own = _proficiency_terms(
        state.options, character, attack.nature is Nature.NATURAL, attack.proficiency
    )
    if announced.bonus is not UNSET:
        given = _circumstance(announced.bonus)
        character = replace(character, modifiers=(*character.modifiers, given))
    return _collect_terms(state.options, character, own, attack.stats, Applies.ATTACK, attack.name)


def _circumstance(bonus: int) -> Modifier:
    """Return the bonus that the GM gave to an announced attack."""
    kind = ModifierOrigin.CIRCUMSTANCE
    return Modifier("terms", kind, Nature.NATURAL, kind.value, Applies.ATTACK, bonus)


def save_dc_terms(state: State, character: Entity, nature: Nature, stat: Stat) -> tuple[Term, ...]:
    natural = nature is Nature.NATURAL
    own = (Term(BASE, sheet.base(character.level)), _dice_bonus(state.options, character, natural))
    return _collect_terms(state.options, character, own, (stat,), Applies.DC, stat.value)


def _skill_terms(options: Options, character: Entity, name: str) -> tuple[Term, ...]:
    skill = guards.find_skill(character, name)
    base = (
        sheet.base(character.level)
        if sheet.has_base(skill is not None and skill.background, options)
        else 0
    )
    return Term(BASE, base), Term(POINTS, skill.points if skill else 0)


def _proficiency_terms(
    options: Options, character: Entity, natural: bool, proficiency: str
) -> tuple[Term, ...]:
    """Return the Base term, plus the Nat or Sup term if the character is proficient."""
    base = Term(BASE, sheet.base(character.level))
    return (
        (base, _dice_bonus(options, character, natural))
        if proficiency in character.proficiencies
        else (base,)
    )


def _dice_bonus(options: Options, character: Entity, natural: bool) -> Term:
    if natural:
        return Term(NAT, sheet.dice_bonus(character.pools.sp_owned, options))
    return Term(SUP, sheet.dice_bonus(character.pools.mp_owned, options))


def _collect_terms(
    options: Options,
    character: Entity,
    own: tuple[Term, ...],
    stats: tuple[Stat, ...],
    applies: Applies,
    name: str,
) -> tuple[Term, ...]:
    """Return the nonzero terms from `own`, the stat bonus and the stacked modifiers."""
    stat = Term(
        " and ".join(stats), sheet.stat_bonus(*(guards.score(character, each) for each in stats))
    )
    others = modifiers.applicable(
        character.modifiers, applies, (name, *(each.value for each in stats))
    )
    return tuple(term for term in (*own, stat, *modifiers.stack(others, options)) if term.value)


def sum_terms(terms: Iterable[Term]) -> int:
    return sum(term.value for term in terms)


def check_twist(state: State, entity: str, check: UnsettledCheck, stats: tuple[Stat, ...]) -> Twist:
    character = state.entities[entity]
    suffered = (
        modifiers.save_twists(guards.effects_on(state, character), stats[0])
        if check.use is RollPurpose.SAVE
        else []
    )
    tied = grants.twists(state.grants.get(entity, ()), check.use, _rolled_name(check, stats))
    return dice.combine([*character.granted, *tied, *suffered])


def _rolled_name(check: UnsettledCheck, stats: tuple[Stat, ...]) -> str:
    """Return the check's name, or the stat that is rolled if it is a save."""
    return stats[0].value if check.use is RollPurpose.SAVE else check.name


def attack_twist(state: State, entity: str, announced: AnnouncedAttack) -> Twist:
    character, target = state.entities[entity], state.entities[announced.target]
    attack = announced.attack
    own, against = guards.effects_on(state, character), guards.effects_on(state, target)
    tied = grants.twists(
        state.grants.get(entity, ()), RollPurpose.ATTACK, attack.name, announced.target
    )
    ruled = () if announced.twist is UNSET else (announced.twist,)
    suffered = modifiers.attack_twists(own, against, attack.reach, attack.nature)
    return dice.combine([*character.granted, *tied, *ruled, *suffered])


def is_capped(state: State, character: Entity, check: UnsettledCheck) -> bool:
    """Return True if a dice sum above 12 counts as 12 in this check.

    This is the case for a skill without points if the option `source_skills` is on.
    """
    if not state.options.source_skills or check.use is not RollPurpose.SKILL:
        return False
    skill = guards.find_skill(character, check.name)
    return skill is None or not skill.points


def roll_throw(chance: Chance, twist: Twist, capped: bool, terms: tuple[Term, ...]) -> Throw:
    faces = tuple(chance.draw(dice.DIE) for _ in range(dice.DICE[twist]))
    kept = dice.kept(faces, twist)
    sum_, modifier = dice.adjusted_sum(kept, capped), sum_terms(terms)
    return Throw(twist, faces, kept, sum_, capped, terms, modifier, sum_ + modifier)


def can_absorb(state: State, character: Entity, energy: Energy) -> bool:
    """Return True unless a condition lets damage bypass `energy` (SP or MP)."""
    return not modifiers.skips_energy(guards.effects_on(state, character), energy)


def care_threshold(terms: Iterable[Term]) -> int:
    return sheet.CARE + sum_terms(terms)


# Checks that need no roll (RULES 8.9 to 8.11).


def find_verdict(
    state: State, character: Entity, check: UnsettledCheck, stats: tuple[Stat, ...]
) -> Verdict | None:
    """Return the result and its reason if no roll is needed, otherwise None."""
    if check.use is RollPurpose.SAVE:
        return (
            _unaffected(character, stats[0])
            or _barred(state, character, stats, save=True)
            or _lacking(character, stats)
            or _motionless(state, character, stats, save=True)
        )
    return _unable(state, character, stats) or _certain(state, character, check, stats)


def _unable(state: State, character: Entity, stats: tuple[Stat, ...]) -> Verdict | None:
    """Return a failure if the character cannot make a check with these stats, otherwise None."""
    if stats != (CON,) and guards.inability(state, character):
        return False, Why.CANNOT_ACT
    return (
        _barred(state, character, stats, save=False)
        or _lacking(character, stats)
        or _motionless(state, character, stats, save=False)
    )


def _unaffected(character: Entity, stat: Stat) -> Verdict | None:
    if stat is CON and character.bodiless:
        return True, Why.BODILESS
    if stat in (INT, WIS) and is_mindless(character):
        return True, Why.MINDLESS
    return None


def is_mindless(character: Entity) -> bool:
    return character.mindless or not guards.score(character, INT)


def _barred(
    state: State, character: Entity, stats: tuple[Stat, ...], *, save: bool
) -> Verdict | None:
    effects = guards.effects_on(state, character)
    barred = {stat for each in effects for stat in (each.no_saves if save else each.no_checks)}
    return (False, Why.CONDITION) if barred & set(stats) else None


def _lacking(character: Entity, stats: tuple[Stat, ...]) -> Verdict | None:
    """Return a failure if the character's score is 0 in all `stats`, otherwise None."""
    return None if any(guards.score(character, stat) for stat in stats) else (False, Why.NO_STAT)


def _motionless(
    state: State, character: Entity, stats: tuple[Stat, ...], *, save: bool
) -> Verdict | None:
    """Return a failure if the roll requires a movement that the body cannot make, otherwise None.

    Such a body lacks STR or DEX. It can still make STR saves, unless it is unconscious. Edition 1
    does not have this rule (RULES 4.4 and 8.10).
    """
    if not guards.stops_the_motionless(state) or not {STR, DEX} & {*stats}:
        return None
    still = guards.is_unconscious(character) if save else guards.missing_for_motion(character)
    return (False, Why.CONDITION) if still else None


def _certain(
    state: State, character: Entity, check: UnsettledCheck, stats: tuple[Stat, ...]
) -> Verdict | None:
    """Return a verdict if all possible rolls succeed or all fail, otherwise None."""
    if check.threshold is UNSET:
        return None
    modifier = sum_terms(check_terms(state, character, check, stats))
    best = dice.adjusted_sum((dice.DIE, dice.DIE), is_capped(state, character, check))
    if dice.SNAKE_EYES + modifier >= check.threshold:
        return True, Why.SURE
    return (False, Why.SURE) if best + modifier < check.threshold else None


# Results: rolled, taken, failed willingly, ruled or dropped (RULES 8 and 9).


class RollPlan(NamedTuple):
    name: str
    twist: Twist
    capped: bool
    terms: tuple[Term, ...]
    threshold: int | UnsetType
    automatic: bool


def plan_roll(
    state: State, entity: str, check: UnsettledCheck, stats: tuple[Stat, ...]
) -> RollPlan:
    character = state.entities[entity]
    return RollPlan(
        _rolled_name(check, stats),
        check_twist(state, entity, check, stats),
        is_capped(state, character, check),
        check_terms(state, character, check, stats),
        check.threshold,
        check.use is RollPurpose.SAVE,
    )


def roll(state: State, command: c.Roll, by: By, chance: Chance) -> tuple[e.Event, ...]:
    character = guards.find_own(state, command.entity, by)
    check = guards.find_check(state, command.entity)
    guards.require_intact(command.entity, character)
    stats = chosen_stats(check, command.stat)
    _require_turn(check)
    if command.aim is not UNSET:
        check = replace(check, aim=command.aim)
    verdict = find_verdict(state, character, check, stats)
    if verdict is not None:
        return _settle(state, command.entity, check, *verdict)
    planned = plan_roll(state, command.entity, check, stats)
    throw = roll_throw(chance, planned.twist, planned.capped, planned.terms)
    success: bool | UnsetType = UNSET
    if check.threshold is not UNSET:
        success = dice.succeeds(throw.sum, throw.modifier, check.threshold, planned.automatic)
    rolled = e.CheckRolled(
        command.entity, check.use, planned.name, throw, check.threshold, success, check.aim
    )
    return rolled, *_set_challenges(state, command.entity, throw.total)


def chosen_stats(check: UnsettledCheck, stat: Stat | UnsetType) -> tuple[Stat, ...]:
    """Return the stats whose bonus is added to the roll.

    A save uses only one stat, so `stat` is required if the save allows two. Raises Refused if
    `stat` is missing or not valid for the check.
    """
    if check.use is not RollPurpose.SAVE:
        if stat is not UNSET:
            raise Refused("not-a-valid-save", check=check.name, stat=stat.value, valid=())
        return check.stats
    if stat is UNSET and len(check.stats) > 1:
        raise Refused("choose-a-save", valid=tuple(each.value for each in check.stats))
    if stat is not UNSET and stat not in check.stats:
        raise Refused(
            "not-a-valid-save",
            check=check.name,
            stat=stat.value,
            valid=tuple(each.value for each in check.stats),
        )
    return check.stats if stat is UNSET else (stat,)


def _require_turn(check: UnsettledCheck) -> None:
    if check.against is not UNSET and check.threshold is UNSET:
        raise Refused("status-quo-first", keeper=check.against)


def _set_challenges(state: State, keeper: str, total: int) -> tuple[e.Event, ...]:
    """Return events that set the threshold of each challenger to the keeper's total."""
    return tuple(e.TermsSet(each, threshold=total) for each in _challengers(state, keeper))


def _challengers(state: State, keeper: str) -> tuple[str, ...]:
    """Return the challengers who are waiting for the keeper's total.

    In the first edition, a keeper has only one challenger: the one whose check was opened first.
    """
    waiting = tuple(
        entity
        for entity, check in state.checks.items()
        if check.against == keeper and check.threshold is UNSET
    )
    if state.edition < editions.SEVERAL_CHALLENGERS_SINCE:
        return waiting[:1]
    return tuple(sorted(waiting))


def _other_sides(state: State, entity: str, check: UnsettledCheck) -> tuple[str, ...]:
    """Return the entities whose open checks end together with this one.

    If this is a keeper's check, they are the waiting challengers. If this is a waiting challenger's
    check, it is the keeper, unless other challengers are still waiting. In the first edition, it is
    the keeper in any case.
    """
    if check.against is not UNSET and check.threshold is UNSET:
        several = state.edition >= editions.SEVERAL_CHALLENGERS_SINCE
        alone = not several or _challengers(state, check.against) == (entity,)
        return (check.against,) if alone and check.against in state.checks else ()
    return _challengers(state, entity)


def _settle(
    state: State,
    entity: str,
    check: UnsettledCheck,
    success: bool,
    why: Why,
    reason: str | UnsetType = UNSET,
) -> tuple[e.Event, ...]:
    """Return the events that settle a check without a roll.

    If the check is opposed and nothing was rolled for it yet, the other side gets the opposite
    result.
    """
    settled = replace(_settled_event(entity, check, success, why), reason=reason)
    others = (
        _settle_other_side(state, other, not success)
        for other in _other_sides(state, entity, check)
    )
    return settled, *others


def _settle_other_side(state: State, entity: str, success: bool) -> e.CheckSettled:
    """Return the event that gives one side of an opposed check the opposite of the other's result.

    From edition 2 on, a side that cannot make the check does not succeed (RULES 9.10).
    """
    check, character = state.checks[entity], state.entities.get(entity)
    unable = None if character is None else _unable(state, character, check.stats)
    if success and unable and state.edition >= editions.UNABLE_CHALLENGER_SINCE:
        return _settled_event(entity, check, *unable)
    return _settled_event(entity, check, success, Why.UNOPPOSED)


def _settled_event(entity: str, check: UnsettledCheck, success: bool, why: Why) -> e.CheckSettled:
    return e.CheckSettled(entity, check.use, check.name, success, why, aim=check.aim)


def take(state: State, command: c.Take, by: By) -> tuple[e.Event, ...]:
    character = guards.find_own(state, command.entity, by)
    check = guards.find_check(state, command.entity)
    guards.require_intact(command.entity, character)
    if check.use is RollPurpose.SAVE:
        raise Refused("not-takeable", check=check.name)
    _require_turn(check)
    verdict = find_verdict(state, character, check, check.stats)
    if verdict is not None:
        return _settle(state, command.entity, check, *verdict)
    if command.number is Taking.CARE:
        _require_care(state, command.entity, character, check)
    else:
        _require_safety(state, command.number, check)
    taken = _taken_event(state, command, character, check)
    return (
        taken,
        *_set_challenges(state, command.entity, taken.total),
        *_spend_time(state, check, taken.tries),
    )


def _require_care(state: State, entity: str, character: Entity, check: UnsettledCheck) -> None:
    """Raise Refused if the entity may not take 13.

    Taking 13 requires a safe or quiet scene, and either a routine check or a skill with points. The
    keeper in an opposed check may always take 13.
    """
    if _challengers(state, entity):
        return
    if state.scene not in (Scene.SAFE, Scene.QUIET):
        raise Refused("not-quiet", scene=state.scene.value)
    skill = guards.find_skill(character, check.name) if check.use is RollPurpose.SKILL else None
    if not check.routine and (skill is None or not skill.points):
        raise Refused("not-routine", check=check.name)


def _require_safety(state: State, number: Taking, check: UnsettledCheck) -> None:
    if state.scene is not Scene.SAFE:
        raise Refused("not-safe", scene=state.scene.value)
    if check.tries < sheet.TRIES_TAKEN[number]:
        raise Refused("too-few-tries", tries=check.tries, needs=sheet.TRIES_TAKEN[number])


def _taken_event(
    state: State, command: c.Take, character: Entity, check: UnsettledCheck
) -> e.Taken:
    """Return the event for taking a number instead of rolling.

    The number replaces the dice sum, and the adjustments for rolled 12s and 1s do not apply.
    """
    number = int(command.number.value)
    if is_capped(state, character, check):
        number = min(number, dice.UNTRAINED)
    terms = check_terms(state, character, check, check.stats)
    total = number + sum_terms(terms)
    success: bool | UnsetType = UNSET if check.threshold is UNSET else total >= check.threshold
    tries = sheet.TRIES_TAKEN[command.number]
    return e.Taken(
        command.entity,
        check.use,
        check.name,
        number,
        terms,
        total,
        tries,
        check.threshold,
        success,
        check.aim,
    )


def _spend_time(state: State, check: UnsettledCheck, tries: int) -> tuple[e.Event, ...]:
    return () if check.seconds is UNSET else conditions.advance_clock(state, check.seconds * tries)


def fail_willingly(state: State, command: c.FailWillingly, by: By) -> tuple[e.Event, ...]:
    character = guards.find_own_choice(state, command.entity, by)
    check = guards.find_check(state, command.entity)
    guards.require_intact(command.entity, character)
    stats = chosen_stats(check, command.stat)
    if stats == (CON,):
        raise Refused("autonomous", check=check.name)
    if check.use is RollPurpose.SAVE and stats == (CHA,) and not check.may_yield:
        raise Refused("ask-the-gm", check=check.name)
    if guards.is_unconscious(character) and guards.stops_the_motionless(state):
        unconscious = ConditionName.UNCONSCIOUS.value
        raise Refused("cannot-act", entity=command.entity, why=unconscious)
    return _settle(state, command.entity, check, False, Why.WILLING)


def rule_check(state: State, command: c.RuleCheck, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    guards.find_entity(state, command.entity)
    check = guards.find_check(state, command.entity)
    return _settle(state, command.entity, check, command.success, Why.RULED, command.reason)


def drop(state: State, command: c.Drop, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    guards.find_entity(state, command.entity)
    if command.entity not in {*state.checks, *state.hits, *state.attacks}:
        raise Refused("nothing-open", entity=command.entity)
    check = state.checks.get(command.entity)
    others = () if check is None else _other_sides(state, command.entity, check)
    return tuple(e.Dropped(side, command.reason) for side in (command.entity, *others))
