"""Dhextiny's decider. Its functions follow the order of RULES.md."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.chance import Chance
from domain.decider import By, Refused, Role
from domain.rulesets.dhextiny import messages as m, rules
from domain.rulesets.dhextiny.rules import PS, RING, Being, F, Pool, RollPurpose, S, Status
from domain.rulesets.dhextiny.state import Ability, Entity, State, UnsettledCheck


def decide(state: State, command: m.Command, by: By, chance: Chance) -> tuple[m.Event, ...]:
    """Return the events that the command causes.

    Raises Refused before rolling any die if the rules do not allow the command.
    """
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("not-playing", role=by.role)
    match command:
        case m.CreatePc():
            return _create_pc(state, command, by)
        case m.CreateNpc():
            return _create_npc(state, command, by)
        case m.CreateCreature():
            return _create_creature(state, command, by)
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
        case m.SetAflame():
            return _set_aflame(state, command, by, chance)
        case m.EndRound():
            return _end_round(state, by)
        case m.Burn():
            return _burn(state, command, by)
        case m.Rest():
            return _rest(state, command, by)
        case m.Kill():
            return _kill(state, command, by)
        case m.AdjustAp():
            return _adjust_ap(state, command, by)
        case m.AdjustApMax():
            return _adjust_ap_max(state, command, by)
        case m.AdjustLp():
            return _adjust_lp(state, command, by)
        case m.AdjustAmx():
            return _adjust_amx(state, command, by)
        case m.AdjustStatus():
            return _adjust_status(state, command, by)
        case m.MoveToken():
            return _move_token(state, command, by)
        case _:
            raise TypeError(command)


# RULES 3: entities


def _create_pc(state: State, command: m.CreatePc, by: By) -> tuple[m.Event, ...]:
    return _create(state, command, Being.PC, _player_seat(command, by), rules.LP_START)


def _create_npc(state: State, command: m.CreateNpc, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    return _create(state, command, Being.NPC, by.seat, rules.LP_START)


def _create_creature(state: State, command: m.CreateCreature, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    dies = command.death_rule is True
    return _create(state, command, Being.CREATURE, by.seat, command.lp, dies)


def _create(
    state: State,
    command: m.CreatePc | m.CreateNpc | m.CreateCreature,
    being: Being,
    seat: str,
    lp: int,
    death_rule: bool = False,
) -> tuple[m.Event, ...]:
    if command.entity in state.entities:
        raise Refused("entity-exists", entity=command.entity)
    if len(state.entities) >= rules.MAX_ENTITIES:
        raise Refused("too-many-entities", most=rules.MAX_ENTITIES)
    dies_at = rules.fatal_lp(being, death_rule, state.options)
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
    return (m.AbilitiesRolled(command.entity, face, face + rules.ABILITIES_ADDED),)


def _name_ability(state: State, command: m.NameAbility, by: By) -> tuple[m.Event, ...]:
    entity = _find_own_entity(state, command.entity, by)
    if any(known.name == command.ability for known in entity.abilities):
        raise Refused("ability-exists", entity=command.entity, ability=command.ability)
    if len(entity.abilities) >= rules.MAX_ABILITIES:
        raise Refused("too-many-abilities", entity=command.entity, most=rules.MAX_ABILITIES)
    if entity.being is not Being.CREATURE:
        _require_ability_left(entity, command)
    amx = rules.AMX_START if command.amx is UNSET else command.amx
    return (m.AbilityNamed(command.entity, command.ability, amx),)


def _require_ability_left(entity: Entity, command: m.NameAbility) -> None:
    """Raise Refused unless the PC or NPC may name another ability.

    It must have rolled for its number of abilities, and at least one of them must still be unnamed.
    The command must not set an AMX, because new abilities start with AMX 3.
    """
    if command.amx is not UNSET:
        raise Refused("amx-starts-at-three", entity=command.entity, amx=command.amx)
    if not entity.abilities_rolled:
        raise Refused("abilities-not-rolled", entity=command.entity)
    if len(entity.abilities) >= entity.abilities_rolled:
        raise Refused("no-ability-left", entity=command.entity, number=entity.abilities_rolled)


# RULES 5: checks


def _check(
    state: State, command: m.Check | m.Attack | m.PutOut, by: By, chance: Chance
) -> tuple[m.Event, ...]:
    entity = _find_own_entity(state, command.entity, by)
    _require_awake(command.entity, entity)
    _require_free_token(state)
    if command.ability is not UNSET:
        _find_ability(command.entity, entity, command.ability)
    use, target = _use_and_target(state, command)
    face = chance.draw(rules.DIE)
    point = rules.point_ahead(state.point, face)
    checked = m.Checked(
        command.entity, use, state.point, face, point, RING[point], command.ability, target
    )
    at_once = state.options.natural_f_gains_at_once and RING[point] is F
    return (checked, _gain(state, command.entity)) if at_once else (checked,)


def _use_and_target(
    state: State, command: m.Check | m.Attack | m.PutOut
) -> tuple[RollPurpose, str | UnsetType]:
    """Return the purpose of the check and its target, if any.

    Raises Refused if the target is unknown, is already dead, or has no flames to put out.
    """
    match command:
        case m.Attack(target=target):
            _require_alive(target, _find_entity(state, target))
            return RollPurpose.ATTACK, target
        case m.PutOut(target=target):
            _require_aflame(target, _find_entity(state, target))
            return RollPurpose.PUT_OUT, target
        case m.Check():
            return RollPurpose.CHECK, UNSET


# RULES 6: ability points


def _alter(state: State, command: m.Alter | m.AlterToF, by: By, steps: int) -> tuple[m.Event, ...]:
    check = _find_open_check(state, command.entity)
    entity = _find_entity_of_payer(state, command.entity, by)
    _require_awake(command.entity, entity)
    _require_alterable(check, command, steps)
    point = rules.point_ahead(state.point, steps)
    cost = _affordable_cost(state, entity, command, steps)
    altered = m.Altered(
        entity=command.entity,
        ability=command.ability,
        start=state.point,
        steps=steps,
        point=point,
        result=RING[point],
        moved=check.moved + steps,
        cost=cost,
        ap=entity.ap - cost,
    )
    return (altered,)


def _require_alterable(check: UnsettledCheck, command: m.Alter | m.AlterToF, steps: int) -> None:
    """Raise Refused unless `command` may alter the check by `steps`.

    A check can be altered only once, by at least one step and with a single ability.
    """
    if check.altered:
        raise Refused("altered-already", entity=command.entity)
    if check.ability not in (UNSET, command.ability):
        raise Refused("one-ability", entity=command.entity, ability=command.ability)
    if not steps:
        raise Refused("already-at-f", entity=command.entity)


def _affordable_cost(
    state: State, entity: Entity, command: m.Alter | m.AlterToF, steps: int
) -> int:
    """Return the AP cost of altering the check.

    Raises Refused if the cost exceeds the ability's AMX or the entity's AP.
    """
    ability = _find_ability(command.entity, entity, command.ability)
    result = RING[rules.point_ahead(state.point, steps)]
    cost = rules.price(steps, result)
    limited = rules.spent_on_ability(steps, result, state.options)
    if limited > ability.amx:
        raise Refused("over-amx", cost=limited, amx=ability.amx)
    if cost > entity.ap:
        raise Refused("over-ap", cost=cost, ap=entity.ap)
    return cost


# RULES 5, 7 and 8: the end of a check and its effects


def _settle(state: State, command: m.Settle, by: By) -> tuple[m.Event, ...]:
    check = _find_open_check(state, command.entity)
    _find_own_entity(state, command.entity, by)
    result = RING[state.point]
    settled = m.Settled(command.entity, check.use, check.rolled, state.point, result)
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

    Nothing happens if the target has died or has stopped burning in the meantime.
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


def _rest(state: State, command: m.Rest, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    entity = _find_entity(state, command.entity)
    _require_awake(command.entity, entity)
    ap = max(entity.ap, entity.ap_max)  # uncapped gains may have raised AP above the maximum
    return (m.Rested(command.entity, ap - entity.ap, ap),)


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
    return (
        m.DeathChecked(
            command.entity, state.point, face, point, RING[point], entity.lp, lp, status
        ),
    )


def _kill(state: State, command: m.Kill, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    entity = _find_entity(state, command.entity)
    _require_alive(command.entity, entity)
    return (m.Killed(command.entity, entity.status, command.reason),)


# RULES 10: aflame


def _set_aflame(state: State, command: m.SetAflame, by: By, chance: Chance) -> tuple[m.Event, ...]:
    by.require_gm()
    entity = _find_entity(state, command.entity)
    if entity.aflame:
        raise Refused("already-aflame", entity=command.entity, rounds=entity.aflame)
    rounds = chance.draw(rules.DIE)  # a plain roll: the token does not move
    return (m.CaughtFire(command.entity, rounds),)


def _end_round(state: State, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    burning = sorted((entity, of.aflame) for entity, of in state.entities.items() if of.aflame)
    if not burning:
        raise Refused("nothing-aflame")
    return tuple(m.Smouldered(entity, rounds - 1) for entity, rounds in burning)


def _burn(state: State, command: m.Burn, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    entity = _find_entity(state, command.entity)
    _require_alive(command.entity, entity)
    _require_aflame(command.entity, entity)
    lp = rules.lp_after(entity.lp, command.points)
    return (m.Burned(command.entity, entity.lp, lp, rules.status_at(lp, entity.dies_at)),)


# RULES 11: the GM's adjustments


def _adjust_ap(state: State, command: m.AdjustAp, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    entity = _find_entity(state, command.entity)
    _require_within_ap_max(state, command.ap, entity.ap_max)
    return (m.Adjusted(command.entity, Pool.AP, entity.ap, command.ap, command.reason),)


def _adjust_ap_max(state: State, command: m.AdjustApMax, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    entity = _find_entity(state, command.entity)
    _require_within_ap_max(state, entity.ap, command.ap_max)
    return (m.Adjusted(command.entity, Pool.AP_MAX, entity.ap_max, command.ap_max, command.reason),)


def _require_within_ap_max(state: State, ap: int, ap_max: int) -> None:
    if state.options.gains_stop_at_ap_max and ap > ap_max:
        raise Refused("over-ap-max", ap=ap, ap_max=ap_max)


def _adjust_lp(state: State, command: m.AdjustLp, by: By) -> tuple[m.Event, ...]:
    """Return the events that set the LP and change the status to match.

    A dead entity stays dead.
    """
    by.require_gm()
    entity = _find_entity(state, command.entity)
    if command.lp > entity.lp_start:
        raise Refused("over-starting-lp", lp=command.lp, start=entity.lp_start)
    adjusted = m.Adjusted(command.entity, Pool.LP, entity.lp, command.lp, command.reason)
    status = rules.status_at(command.lp, entity.dies_at)
    if entity.status in (Status.DEAD, status):
        return (adjusted,)
    return adjusted, m.StatusAdjusted(command.entity, entity.status, status, command.reason)


def _adjust_amx(state: State, command: m.AdjustAmx, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    entity = _find_entity(state, command.entity)
    ability = _find_ability(command.entity, entity, command.ability)
    return (
        m.AmxAdjusted(command.entity, command.ability, ability.amx, command.amx, command.reason),
    )


def _adjust_status(state: State, command: m.AdjustStatus, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    entity = _find_entity(state, command.entity)
    if command.status is not Status.DEAD and command.status is not rules.status_at(
        entity.lp, entity.dies_at
    ):
        raise Refused(
            "status-against-lp", entity=command.entity, status=command.status, lp=entity.lp
        )
    return (m.StatusAdjusted(command.entity, entity.status, command.status, command.reason),)


def _move_token(state: State, command: m.MoveToken, by: By) -> tuple[m.Event, ...]:
    by.require_gm()
    _require_free_token(state)
    return (m.TokenMoved(state.point, command.point, command.reason),)


# Preconditions


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

    A player may spend the AP of their own PC. The GM may spend the AP of NPCs and creatures.
    """
    mine = _find_entity(state, entity)
    if not (_is_played_by(mine, by) if mine.being is Being.PC else by.is_gm):
        raise Refused("not-yours", entity=entity, seat=mine.seat)
    return mine


def _is_played_by(entity: Entity, by: By) -> bool:
    return entity.being is Being.PC and entity.seat == by.seat


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


def _find_ability(entity: str, of: Entity, ability: str) -> Ability:
    for known in of.abilities:
        if known.name == ability:
            return known
    raise Refused("no-such-ability", entity=entity, ability=ability)
