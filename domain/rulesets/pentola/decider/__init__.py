"""The Pentola decider, with one function per command.

Each function refuses invalid commands before it draws any random numbers.
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.chance import Chance
from domain.decider import By, Refused, Role
from domain.rulesets.pentola import commands as c, events as e, rules
from domain.rulesets.pentola.decider import conditions, guards, moments, tests
from domain.rulesets.pentola.rules import Being, Die, Usable
from domain.rulesets.pentola.state import State


def decide(state: State, command: c.Command, by: By, chance: Chance) -> tuple[e.Event, ...]:
    """Return the events for a command.

    Raises Refused, before any random number is drawn, if the rules forbid the command.
    """
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("not-playing", role=by.role)
    guards.require_words(state, command)
    match command:
        case c.CreatePc():
            return _create(state, command, Being.PC, _player(command, by))
        case c.CreateNpc():
            by.require_gm()
            return _create(state, command, Being.NPC, by.seat)
        case c.CreateThing():
            return _create_thing(state, command, by)
        case c.Retire():
            return _retire(state, command, by)
        case c.AddBonus():
            return _add_bonus(state, command, by)
        case c.AddItem(entity, item, die):
            return _add_usable(state, by, entity, item, Usable.ITEM, die)
        case c.AddAbility(entity, ability, die):
            return _add_usable(state, by, entity, ability, Usable.ABILITY, die)
        case c.GiveItem():
            return tests.give_item(state, command, by)
        case c.DeclareIntent():
            return moments.declare_intent(state, command, by)
        case c.ExplainApproach():
            return moments.explain_approach(state, command, by)
        case c.Withdraw():
            return moments.withdraw(state, command, by)
        case c.RuleAutomatic():
            return moments.rule_automatic(state, command, by)
        case c.CallTest():
            return tests.call_test(state, command, by)
        case c.DemandTest():
            return tests.demand_test(state, command, by)
        case c.Oppose():
            return tests.oppose(state, command, by)
        case c.ChangeTest():
            return tests.change_test(state, command, by)
        case c.CallOff():
            return tests.call_off(state, command, by)
        case c.RuleBonus():
            return tests.rule_bonus(state, command, by)
        case c.RollTest():
            return tests.roll_test(state, command, by, chance)
        case c.UseAbility():
            return tests.use_ability(state, command, by, chance)
        case c.UseItem():
            return tests.use_item(state, command, by)
        case c.PassMinute():
            return conditions.pass_minute(state, command, by)
        case c.RollUsage():
            return tests.roll_usage(state, command, by, chance)
        case c.StartMoment():
            return moments.start(state, command, by)
        case c.SetOrder():
            return moments.set_order(state, command, by)
        case c.EndMoment():
            return moments.end(state, command, by)
        case c.SetInitiative():
            return moments.set_initiative(state, command, by)
        case c.RollInitiative():
            return moments.roll_initiative(state, command, by, chance)
        case c.RollRest():
            return moments.roll_rest(state, command, by, chance)
        case c.DeclareAction():
            return moments.declare_action(state, command, by)
        case c.DeclareMove():
            return moments.declare_move(state, command, by)
        case c.DeclareReaction():
            return moments.declare_reaction(state, command, by)
        case c.DropReaction():
            return moments.drop_reaction(state, command, by)
        case c.EndDeclaration():
            return moments.end_declaration(state, command, by)
        case c.SetDistance():
            return _set_distance(state, command, by)
        case c.SetCondition():
            return conditions.set_condition(state, command, by)
        case c.EndCondition():
            return conditions.end_condition(state, command, by)
        case c.Harm():
            return _harm(state, command, by)
        case c.Heal():
            return _heal(state, command, by)
        case c.AdjustCharacteristic():
            return _adjust_characteristic(state, command, by)
        case c.AdjustBonus():
            return _adjust_bonus(state, command, by)
        case c.AdjustUsageDie():
            return _adjust_usage_die(state, command, by)
        case _:
            raise TypeError(command)


# Characters and things, their bonuses, items and abilities (RULES 1).


def _player(command: c.CreatePc, by: By) -> str:
    """Return the seat that will play the PC.

    By default, this is the seat of the player who creates the PC. The referee must name a seat.
    """
    if by.is_gm and command.seat is UNSET:
        raise Refused("pc-needs-a-seat", entity=command.entity)
    if command.seat is UNSET:
        return by.seat
    if not by.is_gm and command.seat != by.seat:
        raise Refused("not-yours", entity=command.entity, seat=command.seat)
    return command.seat


def _create(
    state: State, command: c.CreatePc | c.CreateNpc, being: Being, seat: str
) -> tuple[e.Event, ...]:
    _require_new(state, command.entity)
    scores = command.body, command.intellect, command.power
    points: int | UnsetType = UNSET
    if state.options.hit_points is True:
        points = rules.max_hit_points(command.body, command.power)
    return (e.CharacterCreated(command.entity, command.name, being, seat, *scores, points),)


def _require_new(state: State, entity: str) -> None:
    if entity in state.entities:
        raise Refused("entity-exists", entity=entity)
    if len(state.entities) >= rules.MAX_ENTITIES:
        raise Refused("too-many-entities", most=rules.MAX_ENTITIES)


def _create_thing(state: State, command: c.CreateThing, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    _require_new(state, command.entity)
    return (e.ThingCreated(command.entity, command.name, by.seat),)


def _retire(state: State, command: c.Retire, by: By) -> tuple[e.Event, ...]:
    guards.find_own_entity(state, command.entity, by)
    guards.require_outside_moment(state, command.entity)
    guards.require_no_test(state, command.entity)
    guards.require_not_busy(state, command.entity)
    return (e.Retired(command.entity, command.reason),)


def _add_bonus(state: State, command: c.AddBonus, by: By) -> tuple[e.Event, ...]:
    guards.find_own(state, command.entity, by)
    guards.require_space(state, command.entity, command.bonus)
    return (e.BonusAdded(command.entity, command.bonus, command.source, command.percent),)


def _add_usable(
    state: State, by: By, entity: str, name: str, usable: Usable, die: Die
) -> tuple[e.Event, ...]:
    guards.find_own(state, entity, by)
    guards.require_space(state, entity, name)
    if die is Die.EXPENDED:
        raise Refused("expended", entity=entity, held=name)
    return (e.UsableAdded(entity, name, usable, die),)


# Distances, and the referee's corrections to sheets (RULES 9 and 10).


def _set_distance(state: State, command: c.SetDistance, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    guards.find_entity(state, command.entity)
    guards.find_entity(state, command.other)
    if command.entity == command.other:
        raise Refused("not-oneself", entity=command.entity)
    old = state.distances.get(rules.pair_key(command.entity, command.other), UNSET)
    guards.require_change(state, old, command.distance)
    return (e.DistanceSet(command.entity, command.other, command.distance, old),)


def _adjust_characteristic(
    state: State, command: c.AdjustCharacteristic, by: By
) -> tuple[e.Event, ...]:
    by.require_gm()
    entity, characteristic = command.entity, command.characteristic
    old = guards.find_score(entity, guards.find_character(state, entity), characteristic)
    guards.require_change(state, old, command.score)
    return (e.CharacteristicAdjusted(entity, characteristic, old, command.score, command.reason),)


def _adjust_bonus(state: State, command: c.AdjustBonus, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    guards.find_character(state, command.entity)
    bonus = guards.find_bonus(state, command.entity, command.bonus)
    guards.require_change(state, bonus.percent, command.percent)
    return (
        e.BonusAdjusted(command.entity, bonus.name, bonus.percent, command.percent, command.reason),
    )


def _adjust_usage_die(state: State, command: c.AdjustUsageDie, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    guards.find_character(state, command.entity)
    held = guards.find_held(state, command.entity, command.held)
    guards.require_change(state, held.die, command.die)
    due, waiting = (0, 0) if command.die is Die.EXPENDED else (held.due, held.waiting)
    return (
        e.UsageDieAdjusted(
            command.entity, held.name, held.die, command.die, due, waiting, command.reason
        ),
    )


# Hit points, which the referee counts (RULES 16).


def _harm(state: State, command: c.Harm, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_character(state, command.entity)
    before = guards.find_hit_points(command.entity, character)
    guards.require_alive(command.entity, character)
    lost = min(command.points, before)
    most = character.max_hit_points
    return (e.Harmed(command.entity, lost, before - lost, most, command.reason),)


def _heal(state: State, command: c.Heal, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_character(state, command.entity)
    before = guards.find_hit_points(command.entity, character)
    most = character.max_hit_points
    gained = min(command.points, most - before)
    if gained <= 0:
        raise Refused("nothing-changes")
    return (e.Healed(command.entity, gained, before + gained, most, command.reason),)
