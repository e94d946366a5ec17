"""Dhextiny's decider. Its functions follow the order of RULES.md."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from domain.chance import Chance
from domain.decider import By, Refused, Role, fold
from domain.rulesets.dhextiny import messages as m, rules
from domain.rulesets.dhextiny.rules import PS, RING, Being, F, Pool, RollPurpose, S, Status
from domain.rulesets.dhextiny.state import (
    Ability,
    Condition,
    Entity,
    State,
    UnsettledCheck,
    evolve,
)
from domain.text import is_blank


def decide(state: State, command: m.Command, by: By, chance: Chance) -> tuple[m.Event, ...]:
    """Return the events that the command causes.

    Raises Refused before rolling any die if the rules do not allow the command.
    """
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("not-playing", role=by.role)
    _require_texts(state, command)
    match command:
        case m.CreatePc():
            return _create_pc(state, command, by)
        case m.RollAbilities():
            return _roll_abilities(state, command, by, chance)
        case m.NameAbility():
            return _name_ability(state, command, by)
        case m.Check() | m.Attack() | m.PutOut():
            return _check(state, command, by, chance)
        case m.Alter():
            return _alter(state, command, by, command.steps)
        case m.AlterToF():
            return _alter(state, command, by, rules.steps_to(state.point, F))
        case m.Settle():
            return _settle(state, command, by)
        case m.DeathCheck():
            return _death_check(state, command, by, chance)
        case _:
            by.require_gm()
            return _decide_for_gm(state, command, by, chance)


def _decide_for_gm(state: State, command: m.Command, by: By, chance: Chance) -> tuple[m.Event, ...]:
    """Return the events that a GM-only command causes."""
    match command:
        case m.CreateNpc():
            return _create(state, command, Being.NPC, by.seat, rules.LP_START, rules.FATAL_LP)
        case m.CreateCreature():
            return _create_creature(state, command, by)
        case m.CheckAside():
            return _check_aside(state, command, chance)
        case m.Interpret():
            return _interpret(state, command)
        case m.Rest():
            return _rest(state, command)
        case m.RestAll():
            return _rest_all(state)
        case m.Kill():
            return _kill(state, command)
        case m.SetAflame():
            return _set_aflame(state, command, chance)
        case m.Burn():
            return _burn(state, command)
        case m.SetCondition():
            return _set_condition(state, command)
        case m.EndCondition():
            return _end_condition(state, command)
        case m.EndRound():
            return _end_round(state)
        case m.PassMinutes():
            return _pass_minutes(state, command)
        case _:
            return _adjust(state, command)


def _adjust(state: State, command: m.Command) -> tuple[m.Event, ...]:
    """Return the events that one of the GM's adjustments causes."""
    match command:
        case m.GrantAbility():
            return _grant_ability(state, command)
        case m.RenameAbility():
            return _rename_ability(state, command)
        case m.RemoveAbility():
            return _remove_ability(state, command)
        case m.Harm():
            return _harm(state, command)
        case m.SetDeathRule():
            return _set_death_rule(state, command)
        case m.AdjustFire():
            return _adjust_fire(state, command)
        case m.AdjustAp():
            return _adjust_ap(state, command)
        case m.AdjustApMax():
            return _adjust_ap_max(state, command)
        case m.AdjustLp():
            return _adjust_lp(state, command)
        case m.AdjustLpMax():
            return _adjust_lp_max(state, command)
        case m.AdjustAmx():
            return _adjust_amx(state, command)
        case m.AdjustStatus():
            return _adjust_status(state, command)
        case m.MoveToken():
            return _move_token(state, command)
        case _:
            raise TypeError(command)


# RULES 3: entities


def _create_pc(state: State, command: m.CreatePc, by: By) -> tuple[m.Event, ...]:
    seat = _player_seat(command, by)
    return _create(state, command, Being.PC, seat, rules.LP_START, rules.FATAL_LP)


def _create_creature(state: State, command: m.CreateCreature, by: By) -> tuple[m.Event, ...]:
    if command.dies is not UNSET and command.death_rule is not UNSET:
        raise Refused("death-rule-twice", entity=command.entity)
    dies_at = (
        rules.fatal_lp(command.death_rule is True, state.options)
        if command.dies is UNSET
        else rules.LP_OF_DEATH[command.dies]
    )
    return _create(state, command, Being.CREATURE, by.seat, command.lp, dies_at)


def _create(
    state: State,
    command: m.CreatePc | m.CreateNpc | m.CreateCreature,
    being: Being,
    seat: str,
    lp: int,
    dies_at: int | UnsetType,
) -> tuple[m.Event, ...]:
    if command.entity in state.entities:
        raise Refused("entity-exists", entity=command.entity)
    if len(state.entities) >= rules.MAX_ENTITIES:
        raise Refused("too-many-entities", most=rules.MAX_ENTITIES)
    return (
        m.EntityCreated(command.entity, command.name, being, seat, rules.AP_START, lp, dies_at),
    )


def _player_seat(command: m.CreatePc, by: By) -> str:
    if by.is_gm and command.seat is UNSET:
        raise Refused("pc-needs-a-seat", entity=command.entity)
    if command.seat is UNSET:
        return by.seat
    if not by.is_gm and command.seat != by.seat:
        raise Refused("not-yours", entity=command.entity, seat=command.seat)
    return command.seat


# RULES 4: abilities


def _roll_abilities(
    state: State, command: m.RollAbilities, by: By, chance: Chance
) -> tuple[m.Event, ...]:
    entity = _find_own_entity(state, command.entity, by)
    if entity.being is Being.CREATURE:
        raise Refused("creatures-do-not-roll", entity=command.entity)
    if entity.abilities_rolled:
        raise Refused("abilities-rolled", entity=command.entity, number=entity.abilities_rolled)
    face = chance.draw(rules.DIE)  # a plain roll: the token does not move
    return (m.AbilitiesRolled(command.entity, face, face + rules.ABILITIES_ADDED, command.aim),)


def _name_ability(state: State, command: m.NameAbility, by: By) -> tuple[m.Event, ...]:
    entity = _find_own_entity(state, command.entity, by)
    _require_place_for_ability(state, command, entity)
    if entity.being is not Being.CREATURE:
        _require_ability_left(entity, command)
    amx = rules.AMX_START if command.amx is UNSET else command.amx
    return (m.AbilityNamed(command.entity, command.ability, amx),)


def _require_place_for_ability(
    state: State, command: m.NameAbility | m.GrantAbility, entity: Entity
) -> None:
    names = [known.name for known in entity.abilities]
    same = rules.find_name(command.ability, names, state.edition)
    if same is not None:
        raise Refused("ability-exists", entity=command.entity, ability=same)
    if len(names) >= rules.MAX_ABILITIES:
        raise Refused("too-many-abilities", entity=command.entity, most=rules.MAX_ABILITIES)


def _require_ability_left(entity: Entity, command: m.NameAbility) -> None:
    """Raise Refused unless the PC or NPC may name another ability.

    It must have rolled for its number of abilities, and at least one of them must still be unnamed.
    The command must not set an AMX, because new abilities start with AMX 3.
    """
    if command.amx is not UNSET:
        raise Refused("amx-starts-at-three", entity=command.entity, amx=command.amx)
    if not entity.abilities_rolled:
        raise Refused("abilities-not-rolled", entity=command.entity)
    if not entity.abilities_unnamed:
        raise Refused("no-ability-left", entity=command.entity, number=entity.abilities_rolled)


def _grant_ability(state: State, command: m.GrantAbility) -> tuple[m.Event, ...]:
    _require_place_for_ability(state, command, _find_entity(state, command.entity))
    amx = rules.AMX_START if command.amx is UNSET else command.amx
    return (m.AbilityGranted(command.entity, command.ability, amx, command.reason),)


def _rename_ability(state: State, command: m.RenameAbility) -> tuple[m.Event, ...]:
    entity = _find_entity(state, command.entity)
    old = _find_ability(state, command.entity, command.ability)
    _require_change(state, old.name, command.name)
    others = [known.name for known in entity.abilities if known != old]
    same = rules.find_name(command.name, others, state.edition)
    if same is not None:
        raise Refused("ability-exists", entity=command.entity, ability=same)
    return (m.AbilityRenamed(command.entity, old.name, command.name, command.reason),)


def _remove_ability(state: State, command: m.RemoveAbility) -> tuple[m.Event, ...]:
    _find_entity(state, command.entity)
    ability = _find_ability(state, command.entity, command.ability)
    return (m.AbilityRemoved(command.entity, ability.name, command.reason),)


# RULES 5: checks


def _check(
    state: State, command: m.Check | m.Attack | m.PutOut, by: By, chance: Chance
) -> tuple[m.Event, ...]:
    entity = _find_own_entity(state, command.entity, by)
    _require_able(state, command.entity, entity)
    _require_free_token(state)
    ability = _name_of_ability(state, command)
    use, target = _use_and_target(state, command)
    face = chance.draw(rules.DIE)
    point = rules.point_ahead(state.point, face)
    rolled: tuple[m.Event, ...] = (
        m.Checked(
            entity=command.entity,
            use=use,
            start=state.point,
            face=face,
            point=point,
            result=RING[point],
            ability=ability,
            target=target,
            aim=command.aim,
        ),
    )
    if state.options.natural_f_gains_at_once and RING[point] is F:
        rolled = (*rolled, _gain(state, command.entity))
    if command.settle is not True:
        return rolled
    then = fold(evolve, state, rolled)
    return *rolled, *_settlement(then, _find_open_check(then, command.entity))


def _use_and_target(
    state: State, command: m.Check | m.Attack | m.PutOut
) -> tuple[RollPurpose, str | UnsetType]:
    """Return the purpose of the check and its target, if any.

    Raises Refused if the target is unknown, is already dead, has no flames to put out, or would
    attack itself.
    """
    match command:
        case m.Attack(target=target):
            if state.edition >= rules.NO_ATTACK_ON_ONESELF_SINCE and target == command.entity:
                raise Refused("attacks-itself", entity=target)
            _require_alive(target, _find_entity(state, target))
            return RollPurpose.ATTACK, target
        case m.PutOut(target=target):
            _require_aflame(target, _find_entity(state, target))
            return RollPurpose.PUT_OUT, target
        case m.Check():
            return RollPurpose.CHECK, UNSET


def _check_aside(state: State, command: m.CheckAside, chance: Chance) -> tuple[m.Event, ...]:
    """Return the event of a check that changes nothing on the table."""
    entity = _find_entity(state, command.entity)
    _require_able(state, command.entity, entity)
    ability = _name_of_ability(state, command)
    face = chance.draw(rules.DIE)
    point = rules.point_ahead(state.point, face)
    checked = m.CheckedAside(
        entity=command.entity,
        start=state.point,
        face=face,
        point=point,
        result=RING[point],
        ability=ability,
        aim=command.aim,
    )
    return (checked,)


def _interpret(state: State, command: m.Interpret) -> tuple[m.Event, ...]:
    _find_entity(state, command.entity)
    settled = state.settled
    if settled is UNSET or settled.entity != command.entity:
        raise Refused("nothing-to-interpret", entity=command.entity)
    return (m.Interpreted(command.entity, settled.result, command.text),)


# RULES 6: ability points


def _alter(state: State, command: m.Alter | m.AlterToF, by: By, steps: int) -> tuple[m.Event, ...]:
    check = _find_open_check(state, command.entity)
    entity = _find_entity_of_payer(state, command.entity, by)
    _require_able(state, command.entity, entity)
    _require_alterable(state, check, command)
    if not steps:
        raise Refused("already-at-f", entity=command.entity)
    point = rules.point_ahead(state.point, steps)
    ability = _find_ability(state, command.entity, command.ability)
    cost = _affordable_cost(state, command.entity, ability, steps)
    altered = m.Altered(
        entity=command.entity,
        ability=ability.name,
        start=state.point,
        steps=steps,
        point=point,
        result=RING[point],
        moved=check.moved + steps,
        cost=cost,
        ap=entity.ap - cost,
    )
    return (altered,)


def _require_alterable(state: State, check: UnsettledCheck, command: m.Alter | m.AlterToF) -> None:
    """Raise Refused unless the command's ability may alter the check.

    By default, a check can be altered only once. If the check names an ability, only that ability
    can alter it. If the option `several_abilities_may_pay` is on, each ability can alter the check
    once, until one of them moves the token to F.
    """
    if state.options.several_abilities_may_pay is True:
        paid = rules.find_name(command.ability, check.paid or (), state.edition)
        if paid is not None:
            raise Refused("ability-has-paid", entity=command.entity, ability=paid)
        if check.altered and RING[state.point] is F:
            raise Refused("f-was-chosen", entity=command.entity)
        return
    if check.altered:
        raise Refused("altered-already", entity=command.entity)
    if check.ability is UNSET:
        return
    if rules.find_name(command.ability, [check.ability], state.edition) is None:
        raise Refused(
            "one-ability", entity=command.entity, ability=command.ability, named=check.ability
        )


def _affordable_cost(state: State, entity: str, ability: Ability, steps: int) -> int:
    """Return the AP cost of altering the check.

    Raises Refused if the cost exceeds the ability's AMX or the entity's AP.
    """
    ap, result = state.entities[entity].ap, RING[rules.point_ahead(state.point, steps)]
    cost = rules.price(steps, result)
    limited = rules.spent_on_ability(steps, result, state.options)
    if limited > ability.amx:
        raise Refused("over-amx", ability=ability.name, cost=limited, amx=ability.amx)
    if cost > ap:
        raise Refused("over-ap", entity=entity, cost=cost, ap=ap)
    return cost


# RULES 5, 7 and 8: the end of a check and its effects


def _settle(state: State, command: m.Settle, by: By) -> tuple[m.Event, ...]:
    check = _find_open_check(state, command.entity)
    _find_own_entity(state, command.entity, by)
    return _settlement(state, check)


def _settlement(state: State, check: UnsettledCheck) -> tuple[m.Event, ...]:
    """Return the events that settle the open check."""
    result = RING[state.point]
    settled = m.Settled(check.entity, check.use, check.rolled, state.point, result)
    if result is F:
        return settled, *_reward_failure(state, check)
    if result in rules.HITS:
        return settled, *_apply_effect(state, check)
    return (settled,)


def _reward_failure(state: State, check: UnsettledCheck) -> tuple[m.Event, ...]:
    """Return the Gained event for a failed check, or () if the entity gains nothing.

    An entity gains AP at most once per check, and a dead entity gains none.
    """
    if check.gained or state.entities[check.entity].status is Status.DEAD:
        return ()
    return (_gain(state, check.entity),)


def _gain(state: State, entity: str) -> m.Gained:
    of = state.entities[entity]
    gain = rules.gain(of.ap, of.ap_max, state.options)
    return m.Gained(entity, rules.GAIN, gain, of.ap + gain)


def _apply_effect(state: State, check: UnsettledCheck) -> tuple[m.Event, ...]:
    """Return the event that a successful check causes for its target, or ().

    Return () if the check has no target, if the target of an attack has died in the meantime, or
    if the flames to put out have already gone out.
    """
    if check.target is UNSET:
        return ()
    target = state.entities[check.target]
    if check.use is RollPurpose.ATTACK and target.status is not Status.DEAD:
        return (_hit(state, check, check.target, target),)
    if check.use is RollPurpose.PUT_OUT and target.aflame:
        return (m.Extinguished(check.entity, check.target),)
    return ()


def _hit(state: State, check: UnsettledCheck, target: str, of: Entity) -> m.Hit:
    """Return the Hit event for an attack on `target`.

    S costs the target LP, and PS costs it AP. If the target has no AP left, PS costs it 1 LP
    instead.
    """
    result, damage = RING[state.point], check.moved
    if result is PS and of.ap:
        loss = min(damage, of.ap)
        return m.Hit(check.entity, target, result, damage, Pool.AP, loss, of.ap - loss, of.status)
    lp = rules.lp_after(of.lp, damage if result is S else rules.WEARY_LOSS)
    return m.Hit(
        check.entity,
        target,
        result,
        damage,
        Pool.LP,
        of.lp - lp,
        lp,
        rules.status_at(lp, of.dies_at),
    )


# RULES 7: recovering


def _rest(state: State, command: m.Rest) -> tuple[m.Event, ...]:
    entity = _find_entity(state, command.entity)
    _require_awake(command.entity, entity)
    return (_rested(command.entity, entity),)


def _rest_all(state: State) -> tuple[m.Event, ...]:
    resting = sorted(
        entity
        for entity, of in state.entities.items()
        if of.being is Being.PC and of.status is Status.OK
    )
    if not resting:
        raise Refused("no-one-can-rest")
    return tuple(_rested(entity, state.entities[entity]) for entity in resting)


def _rested(entity: str, of: Entity) -> m.Rested:
    ap = max(of.ap, of.ap_max)  # uncapped gains may have raised AP above the maximum
    return m.Rested(entity, ap - of.ap, ap)


# RULES 9: dying


def _death_check(
    state: State, command: m.DeathCheck, by: By, chance: Chance
) -> tuple[m.Event, ...]:
    entity = _find_own_entity(state, command.entity, by)
    if entity.status is not Status.DYING:
        raise Refused("not-dying", entity=command.entity, status=entity.status)
    _require_free_token(state)
    face = chance.draw(rules.DIE)
    point = rules.point_ahead(state.point, face)
    lp, status = rules.after_death_check(RING[point], entity.lp, entity.dies_at)
    checked = m.DeathChecked(
        entity=command.entity,
        start=state.point,
        face=face,
        point=point,
        result=RING[point],
        old=entity.lp,
        lp=lp,
        status=status,
        aim=command.aim,
    )
    return (checked,)


def _kill(state: State, command: m.Kill) -> tuple[m.Event, ...]:
    entity = _find_entity(state, command.entity)
    _require_alive(command.entity, entity)
    return (m.Killed(command.entity, entity.status, command.reason),)


def _set_death_rule(state: State, command: m.SetDeathRule) -> tuple[m.Event, ...]:
    """Return the events that set the LP at which a creature dies, and its resulting status."""
    entity = _find_entity(state, command.entity)
    _require_alive(command.entity, entity)
    if entity.being is not Being.CREATURE:
        raise Refused("not-a-creature", entity=command.entity)
    old, dies_at = rules.dies(entity.dies_at), rules.LP_OF_DEATH[command.dies]
    _require_change(state, old, command.dies)
    ruled = m.DeathRuleSet(command.entity, old, command.dies, command.reason, dies_at)
    return ruled, *_follow_lp(command, entity, entity.lp, dies_at)


# RULES 10: aflame and other conditions


def _set_aflame(state: State, command: m.SetAflame, chance: Chance) -> tuple[m.Event, ...]:
    entity = _find_entity(state, command.entity)
    if state.edition >= rules.DEAD_DO_NOT_CATCH_FIRE_SINCE:
        _require_alive(command.entity, entity)
    if entity.aflame:
        raise Refused("already-aflame", entity=command.entity, rounds=entity.aflame)
    rounds = chance.draw(rules.DIE)  # a plain roll: the token does not move
    return (m.CaughtFire(command.entity, rounds, command.aim),)


def _burn(state: State, command: m.Burn) -> tuple[m.Event, ...]:
    entity = _find_entity(state, command.entity)
    _require_alive(command.entity, entity)
    _require_aflame(command.entity, entity)
    lp = rules.lp_after(entity.lp, command.points)
    return (m.Burned(command.entity, entity.lp, lp, rules.status_at(lp, entity.dies_at)),)


def _adjust_fire(state: State, command: m.AdjustFire) -> tuple[m.Event, ...]:
    entity = _find_entity(state, command.entity)
    _require_aflame(command.entity, entity)
    _require_change(state, entity.aflame, command.rounds)
    return (m.FireAdjusted(command.entity, entity.aflame, command.rounds, command.reason),)


def _set_condition(state: State, command: m.SetCondition) -> tuple[m.Event, ...]:
    _require_alive(command.entity, _find_entity(state, command.entity))
    if rules.fold_words(command.name) == rules.fold_words(rules.AFLAME):
        raise Refused("aflame-is-a-fire", entity=command.entity)
    if command.rounds is not UNSET and command.minutes is not UNSET:
        raise Refused("one-duration", rounds=command.rounds, minutes=command.minutes)
    known = state.conditions.get(rules.condition_key(command.entity, command.name))
    if known is None:
        _require_place_for_condition(state, command.entity)
    name = command.name if known is None else known.name
    terms = command.rounds, command.minutes, command.note
    if Condition(command.entity, name, *terms) == known:
        raise Refused("nothing-changes", value=name)
    return (m.ConditionSet(command.entity, name, *terms),)


def _require_place_for_condition(state: State, entity: str) -> None:
    if sum(of.entity == entity for of in state.conditions.values()) >= rules.MAX_CONDITIONS:
        raise Refused("too-many-conditions", entity=entity, most=rules.MAX_CONDITIONS)


def _end_condition(state: State, command: m.EndCondition) -> tuple[m.Event, ...]:
    _find_entity(state, command.entity)
    known = state.conditions.get(rules.condition_key(command.entity, command.name))
    if known is None:
        raise Refused("no-such-condition", entity=command.entity, condition=command.name)
    return (m.ConditionEnded(command.entity, known.name, command.reason, known.rounds),)


def _end_round(state: State) -> tuple[m.Event, ...]:
    """Return the events that shorten each fire and each condition counted in rounds by a round."""
    burning = sorted((entity, of.aflame) for entity, of in state.entities.items() if of.aflame)
    ticked: list[m.Event] = [m.Smouldered(entity, rounds - 1) for entity, rounds in burning]
    ticked += [
        m.ConditionTicked(of.entity, of.name, rounds=of.rounds - 1)
        for of in _sorted_conditions(state)
        if of.rounds is not UNSET
    ]
    if not ticked:
        raise Refused("nothing-aflame")
    return tuple(ticked)


def _pass_minutes(state: State, command: m.PassMinutes) -> tuple[m.Event, ...]:
    ticked = tuple(
        m.ConditionTicked(of.entity, of.name, minutes=max(0, of.minutes - command.minutes))
        for of in _sorted_conditions(state)
        if of.minutes is not UNSET
    )
    if not ticked:
        raise Refused("no-minutes-counted")
    return ticked


def _sorted_conditions(state: State) -> Iterator[Condition]:
    """Yield the conditions in an order that does not depend on when they were set."""
    return (state.conditions[key] for key in sorted(state.conditions))


# RULES 11: the GM's adjustments


def _harm(state: State, command: m.Harm) -> tuple[m.Event, ...]:
    entity = _find_entity(state, command.entity)
    _require_alive(command.entity, entity)
    lp = rules.lp_after(entity.lp, command.points)
    status = rules.status_at(lp, entity.dies_at)
    return (m.Harmed(command.entity, entity.lp, lp, status, command.reason),)


def _adjust_ap(state: State, command: m.AdjustAp) -> tuple[m.Event, ...]:
    entity = _find_entity(state, command.entity)
    _require_within_ap_max(state, command.entity, command.ap, entity.ap_max)
    _require_change(state, entity.ap, command.ap)
    return (m.Adjusted(command.entity, Pool.AP, entity.ap, command.ap, command.reason),)


def _adjust_ap_max(state: State, command: m.AdjustApMax) -> tuple[m.Event, ...]:
    entity = _find_entity(state, command.entity)
    _require_within_ap_max(state, command.entity, entity.ap, command.ap_max)
    _require_change(state, entity.ap_max, command.ap_max)
    return (m.Adjusted(command.entity, Pool.AP_MAX, entity.ap_max, command.ap_max, command.reason),)


def _require_within_ap_max(state: State, entity: str, ap: int, ap_max: int) -> None:
    if state.options.gains_stop_at_ap_max and ap > ap_max:
        raise Refused("over-ap-max", entity=entity, ap=ap, ap_max=ap_max)


def _adjust_lp(state: State, command: m.AdjustLp) -> tuple[m.Event, ...]:
    """Return the events that set the LP and change the status to match.

    A dead entity stays dead.
    """
    entity = _find_entity(state, command.entity)
    _require_within_lp_max(command.entity, command.lp, entity.lp_start)
    _require_change(state, entity.lp, command.lp)
    adjusted = m.Adjusted(command.entity, Pool.LP, entity.lp, command.lp, command.reason)
    return adjusted, *_follow_lp(command, entity, command.lp, entity.dies_at)


def _adjust_lp_max(state: State, command: m.AdjustLpMax) -> tuple[m.Event, ...]:
    entity = _find_entity(state, command.entity)
    _require_within_lp_max(command.entity, entity.lp, command.lp_max)
    _require_change(state, entity.lp_start, command.lp_max)
    return (
        m.Adjusted(command.entity, Pool.LP_MAX, entity.lp_start, command.lp_max, command.reason),
    )


def _require_within_lp_max(entity: str, lp: int, lp_max: int) -> None:
    if lp > lp_max:
        raise Refused("over-starting-lp", entity=entity, lp=lp, start=lp_max)


def _follow_lp(
    command: m.AdjustLp | m.SetDeathRule, entity: Entity, lp: int, dies_at: int | UnsetType
) -> tuple[m.Event, ...]:
    """Return the event that changes the status to match the LP, or () if none is needed.

    A dead entity stays dead.
    """
    status = rules.status_at(lp, dies_at)
    if entity.status in (Status.DEAD, status):
        return ()
    return (m.StatusAdjusted(command.entity, entity.status, status, command.reason),)


def _adjust_amx(state: State, command: m.AdjustAmx) -> tuple[m.Event, ...]:
    _find_entity(state, command.entity)
    ability = _find_ability(state, command.entity, command.ability)
    _require_change(state, ability.amx, command.amx)
    return (m.AmxAdjusted(command.entity, ability.name, ability.amx, command.amx, command.reason),)


def _adjust_status(state: State, command: m.AdjustStatus) -> tuple[m.Event, ...]:
    entity = _find_entity(state, command.entity)
    if command.status is not Status.DEAD and command.status is not rules.status_at(
        entity.lp, entity.dies_at
    ):
        raise Refused(
            "status-against-lp", entity=command.entity, status=command.status, lp=entity.lp
        )
    _require_change(state, entity.status, command.status)
    return (m.StatusAdjusted(command.entity, entity.status, command.status, command.reason),)


def _move_token(state: State, command: m.MoveToken) -> tuple[m.Event, ...]:
    _require_free_token(state)
    _require_change(state, state.point, command.point)
    return (m.TokenMoved(state.point, command.point, command.reason),)


def _require_change(state: State, old: int | str, new: int | str) -> None:
    """Raise Refused if the adjustment would not change the value.

    In sessions of edition 1, such an adjustment is allowed.
    """
    if state.edition >= rules.CHANGES_REQUIRED_SINCE and old == new:
        raise Refused("nothing-changes", value=new)


# Preconditions


def _require_texts(state: State, command: m.Command) -> None:
    """Raise Refused if a text in the command has no visible character.

    In sessions of edition 1, this applies only to aims and condition names, which were added with
    edition 2. All other texts may be blank there.
    """
    for field in getattr(command, "__struct_fields__", ()):
        text = getattr(command, field)
        if not isinstance(text, str) or not is_blank(text):
            continue
        if state.edition >= rules.BLANK_TEXTS_REFUSED_SINCE or _is_new_text(command, field):
            raise Refused("blank-text", field=field)


def _is_new_text(command: m.Command, field: str) -> bool:
    """Return True if the field is an aim or a condition name. Both were added with edition 2."""
    return field == "aim" or (
        field == "name" and isinstance(command, m.SetCondition | m.EndCondition)
    )


def _find_entity(state: State, entity: str) -> Entity:
    if entity not in state.entities:
        raise Refused("no-such-entity", entity=entity)
    return state.entities[entity]


def _find_own_entity(state: State, entity: str, by: By) -> Entity:
    """Return the entity. Raises Refused unless its player or the GM sent the command."""
    mine = _find_entity(state, entity)
    if not by.is_gm and not _is_played_by(mine, by):
        raise Refused("not-yours", entity=entity, seat=mine.seat)
    return mine


def _find_entity_of_payer(state: State, entity: str, by: By) -> Entity:
    """Return the entity. Raises Refused unless the sender may spend the entity's AP.

    Players may spend the AP of their own PCs, and the GM may spend the AP of any entity. In
    edition 1, the GM may spend only the AP of NPCs and creatures.
    """
    if state.edition >= rules.GM_ALTERS_FOR_PLAYERS_SINCE:
        return _find_own_entity(state, entity, by)
    mine = _find_entity(state, entity)
    if not (_is_played_by(mine, by) if mine.being is Being.PC else by.is_gm):
        raise Refused("not-yours", entity=entity, seat=mine.seat)
    return mine


def _is_played_by(entity: Entity, by: By) -> bool:
    return entity.being is Being.PC and entity.seat == by.seat


def _require_able(state: State, entity: str, of: Entity) -> None:
    """Raise Refused if the entity is dead, or if it is dying and the dying may not act."""
    if state.options.dying_may_act is True:
        _require_alive(entity, of)
    else:
        _require_awake(entity, of)


def _require_awake(entity: str, of: Entity) -> None:
    _require_alive(entity, of)
    if of.status is Status.DYING:
        raise Refused("dying", entity=entity, lp=of.lp)


def _require_alive(entity: str, of: Entity) -> None:
    if of.status is Status.DEAD:
        raise Refused("dead", entity=entity)


def _require_aflame(entity: str, of: Entity) -> None:
    if not of.aflame:
        raise Refused("not-aflame", entity=entity)


def _require_free_token(state: State) -> None:
    if state.check is not UNSET:
        raise Refused("check-open", entity=state.check.entity, use=state.check.use)


def _find_open_check(state: State, entity: str) -> UnsettledCheck:
    if state.check is UNSET:
        raise Refused("no-check-open", entity=entity)
    if state.check.entity != entity:
        raise Refused("not-its-check", entity=entity, open=state.check.entity)
    return state.check


def _name_of_ability(
    state: State, command: m.Check | m.CheckAside | m.Attack | m.PutOut
) -> str | UnsetType:
    """Return the name of the command's ability as it is on the sheet, or UNSET if it names none."""
    if command.ability is UNSET:
        return UNSET
    return _find_ability(state, command.entity, command.ability).name


def _find_ability(state: State, entity: str, ability: str) -> Ability:
    """Return the entity's ability with this name. Raises Refused if it has no such ability."""
    by_name = {known.name: known for known in state.entities[entity].abilities}
    name = rules.find_name(ability, by_name, state.edition)
    if name is None:
        raise Refused("no-such-ability", entity=entity, ability=ability)
    return by_name[name]
