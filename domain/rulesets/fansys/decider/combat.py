"""Attacks, damage and movement (RULES 4, 10 and 11)."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.chance import Chance
from domain.decider import By, Refused
from domain.rulesets.fansys.decider import guards, reckoning
from domain.rulesets.fansys.messages.commands.combat import Attack, Combat, Harm, Move, RollDamage
from domain.rulesets.fansys.messages.events import Event
from domain.rulesets.fansys.messages.events.combat import AttackRolled, DamageRolled, Harmed, Moved
from domain.rulesets.fansys.rules import armoury, dice, pools, sheet, stacking
from domain.rulesets.fansys.rules import records as r
from domain.rulesets.fansys.rules.words import CHA, DEX, ENERGY, STR, Nature
from domain.rulesets.fansys.state import Entity, State


def decide(state: State, command: Combat, by: By, chance: Chance) -> tuple[Event, ...]:
    match command:
        case Attack():
            return _attack(state, command, by, chance)
        case RollDamage():
            return _roll_damage(state, command, by, chance)
        case Harm():
            return _harm(state, command, by, chance)
        case Move():
            return _move(state, command, by)


def _attack(state: State, command: Attack, by: By, chance: Chance) -> tuple[Event, ...]:
    of, target = guards.own(state, command.entity, by), guards.found(state, command.target)
    guards.acting(state, command.entity, of)
    attack = known_attack(command.entity, of, command.attack)
    _strong_enough(command.entity, of, attack)
    guards.whole(command.target, target)
    _vulnerable(command.target, target, attack.nature, attack.spiritual)
    if command.entity in state.hits:
        raise Refused(
            "damage-waits", entity=command.entity, target=state.hits[command.entity].target
        )
    twist, terms = (
        reckoning.twist_of_attack(state, of, target, attack),
        reckoning.of_attack(state, of, attack),
    )
    throw, threshold = reckoning.throw(chance, twist, False, terms), stacking.hit(target.defences)
    success = dice.succeeds(throw.sum, throw.modifier, threshold, automatic=True)
    times = 1 + throw.kept.count(dice.DIE) if success else 0
    return (AttackRolled(command.entity, command.target, attack, throw, threshold, success, times),)


def known_attack(entity: str, of: Entity, name: str | UnsetType) -> r.Attack:
    """One of its attacks, or a strike that everyone can try."""
    if name is UNSET:
        return armoury.attack(armoury.Item.STRIKE, None)
    return guards.knows_attack(entity, of, name)


def _strong_enough(entity: str, of: Entity, attack: r.Attack) -> None:
    """Without STR nothing can be moved or touched."""
    if attack.nature is Nature.NATURAL and not guards.score(of, STR):
        raise Refused("no-strength", entity=entity)


def _vulnerable(entity: str, of: Entity, nature: Nature, spiritual: bool) -> None:
    """What is sure to fail is not rolled."""
    if spiritual and not guards.score(of, CHA):
        raise Refused("harmless", entity=entity, why="no spirit")
    if of.bodiless and nature is Nature.NATURAL and not spiritual:
        raise Refused("harmless", entity=entity, why="no physical form")


def _roll_damage(state: State, command: RollDamage, by: By, chance: Chance) -> tuple[Event, ...]:
    guards.own(state, command.entity, by)
    hit = guards.waiting_hit(state, command.entity)
    target, attack = guards.found(state, hit.target), hit.attack
    faces = _faces(chance, attack.dice * hit.times, attack.sides)
    points = damage(sum(faces), attack.bonus, half=False)
    rolled = DamageRolled(
        command.entity, hit.target, attack.sides, faces, attack.bonus, False, points, attack.name
    )
    return rolled, _harmed(state, hit.target, target, attack.nature, points, attack.name)


def _faces(chance: Chance, number: int, sides: int) -> tuple[int, ...]:
    return tuple(chance.draw(sides) for _ in range(number))


def damage(rolled: int, bonus: int, half: bool) -> int:
    """Never below 0; halves are rounded down."""
    points = max(0, rolled + bonus)
    return sheet.down(points, 2) if half else points


def _harmed(
    state: State, entity: str, of: Entity, nature: Nature, points: int, cause: str
) -> Harmed:
    """SP or MP absorb up to the cap of one attack, HP take the rest."""
    energy = ENERGY[nature]
    cap = (
        pools.cap(of.pools, energy, of.stats, state.options)
        if reckoning.absorbs(state, of, energy)
        else 0
    )
    after = pools.harmed(of.pools, energy, points, cap)
    absorbed = of.pools.sp - after.sp + of.pools.mp - after.mp
    return Harmed(entity, nature, points, absorbed, cause, of.pools, after, pools.status(after))


def _harm(state: State, command: Harm, by: By, chance: Chance) -> tuple[Event, ...]:
    guards.master(by)
    of = guards.found(state, command.entity)
    guards.whole(command.entity, of)
    _vulnerable(command.entity, of, command.nature, command.spiritual is True)
    number, sides = harm_dice(command)
    half = command.half is True
    faces = _faces(chance, number, sides)
    points = damage(sum(faces), command.points, half)
    rolled = DamageRolled(
        command.entity, command.entity, sides, faces, command.points, half, points
    )
    return rolled, _harmed(state, command.entity, of, command.nature, points, command.cause)


def harm_dice(command: Harm) -> tuple[int, int]:
    """Both are named, or neither."""
    if command.dice is UNSET and command.sides is UNSET:
        return 0, 2
    if command.dice is UNSET or command.sides is UNSET:
        raise Refused("dice-and-sides", entity=command.entity)
    return command.dice, command.sides


def _move(state: State, command: Move, by: By) -> tuple[Event, ...]:
    of = guards.own(state, command.entity, by)
    guards.acting(state, command.entity, of)
    _mobile(state, command.entity, of)
    speed = of.speeds.get(command.mode.value, 0)
    if not speed:
        raise Refused("no-such-mode", entity=command.entity, mode=command.mode.value)
    most = speed * (sheet.SPRINT if command.sprint is True else 1)
    if command.distance > most:
        raise Refused("over-speed", entity=command.entity, distance=command.distance, most=most)
    return (Moved(command.entity, command.mode, command.distance, command.sprint is True),)


def _mobile(state: State, entity: str, of: Entity) -> None:
    """A body without STR or DEX does not move, nor does one whose condition takes its speed."""
    lacking = (
        ""
        if of.bodiless
        else next((stat.value for stat in (STR, DEX) if not guards.score(of, stat)), "")
    )
    held = any(does.no_speed for does in guards.suffered(state, of))
    if lacking or held:
        raise Refused(
            "cannot-move", entity=entity, why=f"no {lacking}" if lacking else "its condition"
        )
