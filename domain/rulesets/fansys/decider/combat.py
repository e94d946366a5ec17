"""Decider functions for attacks, damage and movement (RULES 4, 10 and 11)."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.fansys import commands as c, events as e
from domain.rulesets.fansys.decider import checks, guards
from domain.rulesets.fansys.rules import dice, equipment, modifiers, sheet
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.vocabulary import (
    CHA,
    ENERGY,
    STR,
    AnnouncedAttack,
    AttackProfile,
    Nature,
    Status,
    Term,
    UnresolvedHit,
)
from domain.rulesets.fansys.state import Entity, RoundSoFar, State, counts_rounds


def attack(state: State, command: c.Attack, by: By, chance: Chance) -> tuple[e.Event, ...]:
    new = _new_attack(state, command, by)
    if state.options.announce_attacks is True and not by.is_gm:
        raise Refused("announce-first", entity=command.entity)
    return (_attack_rolled(state, command.entity, new, chance),)


def announce_attack(state: State, command: c.AnnounceAttack, by: By) -> tuple[e.Event, ...]:
    new = _new_attack(state, command, by)
    return (e.AttackAnnounced(command.entity, new.target, new.attack, new.aim),)


def _new_attack(state: State, command: c.Attack | c.AnnounceAttack, by: By) -> AnnouncedAttack:
    """Return the attack that the command describes. Raises Refused if it is not allowed."""
    character = guards.find_own(state, command.entity, by)
    guards.find_entity(state, command.target)
    guards.require_able(state, command.entity, character)
    chosen = chosen_attack(command.entity, character, command.attack)
    new = AnnouncedAttack(command.target, chosen, aim=command.aim)
    require_possible(state, command.entity, new)
    if command.entity in state.attacks:
        announced = state.attacks[command.entity]
        raise Refused("attack-announced", entity=command.entity, target=announced.target)
    return new


def set_attack_terms(state: State, command: c.SetAttackTerms, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    guards.find_entity(state, command.entity)
    _find_announced(state, command.entity)
    return (
        e.AttackTermsSet(
            command.entity, command.twist, command.bonus, command.cover, command.reason
        ),
    )


def roll_attack(state: State, command: c.RollAttack, by: By, chance: Chance) -> tuple[e.Event, ...]:
    character = guards.find_own(state, command.entity, by)
    announced = _find_announced(state, command.entity)
    guards.require_able(state, command.entity, character)
    require_possible(state, command.entity, announced)
    if state.options.announce_attacks is True and not (announced.ready or by.is_gm):
        raise Refused("terms-first", entity=command.entity)
    if command.aim is not UNSET:
        announced = replace(announced, aim=command.aim)
    return (_attack_rolled(state, command.entity, announced, chance),)


def rule_attack(state: State, command: c.RuleAttack, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    guards.find_entity(state, command.entity)
    announced = _find_announced(state, command.entity)
    ruled = e.AttackRuled(
        command.entity,
        announced.target,
        announced.attack,
        command.success,
        command.reason,
        announced.aim,
    )
    return (ruled,)


def _find_announced(state: State, entity: str) -> AnnouncedAttack:
    if entity not in state.attacks:
        raise Refused("no-attack-announced", entity=entity)
    return state.attacks[entity]


def require_possible(state: State, entity: str, announced: AnnouncedAttack) -> None:
    """Raise Refused if the attack cannot be made or cannot harm its target."""
    attack, target = announced.attack, state.entities[announced.target]
    _require_motion(state, entity, state.entities[entity], attack)
    guards.require_intact(announced.target, target)
    _require_vulnerable(announced.target, target, attack.nature, attack.spiritual)
    if entity in state.hits and not _is_hit_spent(state, state.hits[entity]):
        raise Refused("damage-waits", entity=entity, target=state.hits[entity].target)
    if entity == announced.target and guards.refuses_nonsense(state):
        raise Refused("attacks-itself", entity=entity)
    guards.require_no_sprint(state, entity)


def _is_hit_spent(state: State, hit: UnresolvedHit) -> bool:
    """Return True if the hit's damage is not rolled any more because the target is destroyed."""
    target = state.entities.get(hit.target)
    destroyed = target is not None and sheet.status(target.pools) is Status.DESTROYED
    return destroyed and guards.refuses_nonsense(state)


class AttackPlan(NamedTuple):
    twist: Twist
    terms: tuple[Term, ...]
    threshold: int


def plan_attack(state: State, entity: str, announced: AnnouncedAttack) -> AttackPlan:
    threshold = modifiers.hit_threshold(state.entities[announced.target].defences)
    return AttackPlan(
        checks.attack_twist(state, entity, announced),
        checks.attack_terms(state, state.entities[entity], announced),
        threshold + (0 if announced.cover is UNSET else announced.cover),
    )


def _attack_rolled(
    state: State, entity: str, announced: AnnouncedAttack, chance: Chance
) -> e.AttackRolled:
    planned = plan_attack(state, entity, announced)
    throw = checks.roll_throw(chance, planned.twist, False, planned.terms)
    success = dice.succeeds(throw.sum, throw.modifier, planned.threshold, automatic=True)
    times = 1 + throw.kept.count(dice.DIE) if success else 0
    return e.AttackRolled(
        entity,
        announced.target,
        announced.attack,
        throw,
        planned.threshold,
        success,
        times,
        announced.aim,
    )


def chosen_attack(entity: str, character: Entity, name: str | UnsetType) -> AttackProfile:
    """Return the attack called `name`, or a bare-handed strike if `name` is unset."""
    if name is UNSET:
        return equipment.weapon_attack(equipment.Item.STRIKE, None)
    return guards.find_attack(entity, character, name)


def _require_motion(state: State, entity: str, character: Entity, attack: AttackProfile) -> None:
    """Raise Refused if the attack is natural and the character cannot make the motion.

    A character with 0 STR cannot touch anything. From edition 2 on, a body with 0 DEX cannot make
    a natural attack either (RULES 4.4).
    """
    if attack.nature is not Nature.NATURAL:
        return
    if not guards.score(character, STR):
        raise Refused("no-strength", entity=entity)
    if guards.stops_the_motionless(state):
        _require_motion_stats(entity, character)


def _require_motion_stats(entity: str, character: Entity) -> None:
    """Raise Refused if the character has a body but lacks the STR or DEX to move it."""
    lacking = guards.missing_for_motion(character)
    if lacking:
        raise Refused("cannot-move", entity=entity, why=f"no {lacking}", state=f"without {lacking}")


def _require_vulnerable(entity: str, character: Entity, nature: Nature, spiritual: bool) -> None:
    """Raise Refused if the target is immune to the damage."""
    if spiritual and not guards.score(character, CHA):
        raise Refused("harmless", entity=entity, why="no spirit")
    if character.bodiless and nature is Nature.NATURAL and not spiritual:
        raise Refused("harmless", entity=entity, why="no physical form")


def roll_damage(state: State, command: c.RollDamage, by: By, chance: Chance) -> tuple[e.Event, ...]:
    character = guards.find_own(state, command.entity, by)
    hit = guards.find_hit(state, command.entity)
    target, attack = guards.find_entity(state, hit.target), hit.attack
    if guards.refuses_nonsense(state):
        guards.require_intact(hit.target, target)
    faces = _roll_dice(chance, attack.dice * hit.times, attack.sides)
    terms, half = damage_terms(state, character, attack), command.half is True
    points = damage_points(sum(faces), attack.bonus + checks.sum_terms(terms), half)
    rolled = e.DamageRolled(
        command.entity,
        hit.target,
        attack.sides,
        faces,
        attack.bonus,
        half,
        points,
        attack.name,
        terms or UNSET,
        command.aim,
    )
    return rolled, _harmed_event(state, hit.target, target, attack.nature, points, attack.name)


def damage_terms(state: State, character: Entity, attack: AttackProfile) -> tuple[Term, ...]:
    return modifiers.damage_terms(attack, character.stats, character.modifiers, state.options)


def _roll_dice(chance: Chance, number: int, sides: int) -> tuple[int, ...]:
    return tuple(chance.draw(sides) for _ in range(number))


def damage_points(rolled: int, bonus: int, half: bool) -> int:
    """Return the damage, which is at least 0.

    If `half` is True, the damage is halved and rounded down.
    """
    points = max(0, rolled + bonus)
    return sheet.round_down(points, 2) if half else points


def _harmed_event(
    state: State, entity: str, character: Entity, nature: Nature, points: int, cause: str
) -> e.Harmed:
    """Return the event for damage to a character.

    SP or MP absorbs the damage up to a limit, and the rest is subtracted from HP.
    """
    energy = ENERGY[nature]
    cap = (
        sheet.absorption_cap(character.pools, energy, character.stats, state.options)
        if checks.can_absorb(state, character, energy)
        else 0
    )
    after = sheet.apply_damage(character.pools, energy, points, cap)
    absorbed = character.pools.sp - after.sp + character.pools.mp - after.mp
    return e.Harmed(
        entity, nature, points, absorbed, cause, character.pools, after, sheet.status(after)
    )


def harm(state: State, command: c.Harm, by: By, chance: Chance) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_entity(state, command.entity)
    guards.require_intact(command.entity, character)
    _require_vulnerable(command.entity, character, command.nature, command.spiritual is True)
    number, sides = harm_dice(command)
    guards.require_change(state, command.entity, changes=bool(number or command.points))
    half = command.half is True
    faces = _roll_dice(chance, number, sides)
    points = damage_points(sum(faces), command.points, half)
    rolled = e.DamageRolled(
        command.entity,
        command.entity,
        sides,
        faces,
        command.points,
        half,
        points,
        aim=command.aim,
    )
    return rolled, _harmed_event(
        state, command.entity, character, command.nature, points, command.cause
    )


def harm_dice(command: c.Harm) -> tuple[int, int]:
    """Return the number of damage dice and the number of sides on each die.

    Raises Refused if the command sets `dice` without `sides` or `sides` without `dice`.
    """
    if command.dice is UNSET and command.sides is UNSET:
        return 0, 2
    if command.dice is UNSET or command.sides is UNSET:
        raise Refused("dice-and-sides", entity=command.entity)
    return command.dice, command.sides


def move(state: State, command: c.Move, by: By) -> tuple[e.Event, ...]:
    character = guards.find_own(state, command.entity, by)
    guards.require_able(state, command.entity, character)
    _require_mobile(state, command.entity, character)
    speed = character.speeds.get(command.mode.value, 0)
    if not speed:
        raise Refused("no-such-mode", entity=command.entity, mode=command.mode.value)
    sprint = command.sprint is True
    most = speed * (sheet.SPRINT if sprint else 1)
    so_far = state.rounds.get(command.entity, RoundSoFar())
    distance = so_far.moved + command.distance
    if distance > most:
        raise Refused("over-speed", entity=command.entity, distance=distance, most=most)
    announced = command.entity in state.attacks and counts_rounds(state)
    if sprint and (so_far.acted or announced):
        raise Refused("sprint-takes-all", entity=command.entity, done="acted")
    return (e.Moved(command.entity, command.mode, command.distance, sprint),)


def _require_mobile(state: State, entity: str, character: Entity) -> None:
    """Raise Refused if the character cannot move.

    A character with a physical form needs nonzero STR and DEX. Some conditions also prevent
    movement.
    """
    _require_motion_stats(entity, character)
    held = guards.first_condition(state, character, lambda does: does.no_speed)
    if held:
        raise Refused("cannot-move", entity=entity, why="its condition", state=held)
