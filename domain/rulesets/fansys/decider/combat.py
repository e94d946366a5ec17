"""Decider functions for attacks, damage and movement (RULES 4, 10 and 11)."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.fansys import commands as c, events as e
from domain.rulesets.fansys.decider import checks, guards
from domain.rulesets.fansys.rules import dice, equipment, modifiers, sheet, vocabulary
from domain.rulesets.fansys.rules.vocabulary import CHA, DEX, ENERGY, STR, Nature
from domain.rulesets.fansys.state import Entity, State


def attack(state: State, command: c.Attack, by: By, chance: Chance) -> tuple[e.Event, ...]:
    character = guards.find_own(state, command.entity, by)
    target = guards.find_entity(state, command.target)
    guards.require_able(state, command.entity, character)
    attack = chosen_attack(command.entity, character, command.attack)
    _require_strength(command.entity, character, attack)
    guards.require_intact(command.target, target)
    _require_vulnerable(command.target, target, attack.nature, attack.spiritual)
    if command.entity in state.hits:
        raise Refused(
            "damage-waits", entity=command.entity, target=state.hits[command.entity].target
        )
    twist = checks.attack_twist(state, character, target, attack)
    terms = checks.attack_terms(state, character, attack)
    throw = checks.roll_throw(chance, twist, False, terms)
    threshold = modifiers.hit_threshold(target.defences)
    success = dice.succeeds(throw.sum, throw.modifier, threshold, automatic=True)
    times = 1 + throw.kept.count(dice.DIE) if success else 0
    return (
        e.AttackRolled(command.entity, command.target, attack, throw, threshold, success, times),
    )


def chosen_attack(
    entity: str, character: Entity, name: str | UnsetType
) -> vocabulary.AttackProfile:
    """Return the attack called `name`, or a bare-handed strike if `name` is unset."""
    if name is UNSET:
        return equipment.weapon_attack(equipment.Item.STRIKE, None)
    return guards.find_attack(entity, character, name)


def _require_strength(entity: str, character: Entity, attack: vocabulary.AttackProfile) -> None:
    """Raise Refused if the attack is natural and the character has 0 STR.

    A character with 0 STR cannot touch anything.
    """
    if attack.nature is Nature.NATURAL and not guards.score(character, STR):
        raise Refused("no-strength", entity=entity)


def _require_vulnerable(entity: str, character: Entity, nature: Nature, spiritual: bool) -> None:
    """Raise Refused if the target is immune to the damage."""
    if spiritual and not guards.score(character, CHA):
        raise Refused("harmless", entity=entity, why="no spirit")
    if character.bodiless and nature is Nature.NATURAL and not spiritual:
        raise Refused("harmless", entity=entity, why="no physical form")


def roll_damage(state: State, command: c.RollDamage, by: By, chance: Chance) -> tuple[e.Event, ...]:
    guards.find_own(state, command.entity, by)
    hit = guards.find_hit(state, command.entity)
    target, attack = guards.find_entity(state, hit.target), hit.attack
    faces = _roll_dice(chance, attack.dice * hit.times, attack.sides)
    points = damage_points(sum(faces), attack.bonus, half=False)
    rolled = e.DamageRolled(
        command.entity, hit.target, attack.sides, faces, attack.bonus, False, points, attack.name
    )
    return rolled, _harmed_event(state, hit.target, target, attack.nature, points, attack.name)


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
    half = command.half is True
    faces = _roll_dice(chance, number, sides)
    points = damage_points(sum(faces), command.points, half)
    rolled = e.DamageRolled(
        command.entity, command.entity, sides, faces, command.points, half, points
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
    most = speed * (sheet.SPRINT if command.sprint is True else 1)
    if command.distance > most:
        raise Refused("over-speed", entity=command.entity, distance=command.distance, most=most)
    return (e.Moved(command.entity, command.mode, command.distance, command.sprint is True),)


def _require_mobile(state: State, entity: str, character: Entity) -> None:
    """Raise Refused if the character cannot move.

    A character with a physical form needs nonzero STR and DEX. Some conditions also prevent
    movement.
    """
    lacking = (
        ""
        if character.bodiless
        else next((stat.value for stat in (STR, DEX) if not guards.score(character, stat)), "")
    )
    held = any(does.no_speed for does in guards.effects_on(state, character))
    if lacking or held:
        raise Refused(
            "cannot-move", entity=entity, why=f"no {lacking}" if lacking else "its condition"
        )
