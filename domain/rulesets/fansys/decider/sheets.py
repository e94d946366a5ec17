"""What stands on a sheet: skills, proficiencies, attacks, speeds, defences, modifiers (RULES 3 to 6 and 10)."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.decider import By, Refused
from domain.rulesets.fansys.decider import guards
from domain.rulesets.fansys.messages.commands.characters import (
    Equip,
    LearnAttack,
    LearnSkill,
    SetDefence,
    SetModifier,
    SetProficiency,
    SetSpeed,
    Sheet,
)
from domain.rulesets.fansys.messages.events import Event
from domain.rulesets.fansys.messages.events.characters import (
    AttackLearned,
    DefenceSet,
    ModifierSet,
    ProficiencySet,
    SkillLearned,
    SpeedSet,
)
from domain.rulesets.fansys.rules import armoury, sheet, stacking
from domain.rulesets.fansys.rules.records import Attack, Defence, Modifier, Skill
from domain.rulesets.fansys.rules.words import INT, BaseOnSkills, Layer, Part, Source, Stat
from domain.rulesets.fansys.state import Entity, State


def decide(state: State, command: Sheet, by: By) -> tuple[Event, ...]:
    match command:
        case LearnSkill():
            return _learn_skill(state, command, by)
        case SetProficiency():
            return _set_proficiency(state, command, by)
        case LearnAttack():
            return _learn_attack(state, command, by)
        case Equip():
            return _equip(state, command, by)
        case SetSpeed():
            return _set_speed(state, command, by)
        case SetDefence():
            return _set_defence(state, command, by)
        case SetModifier():
            return _set_modifier(state, command, by)


def _learn_skill(state: State, command: LearnSkill, by: By) -> tuple[Event, ...]:
    of = guards.own_sheet(state, command.entity, by)
    old = guards.skill(of, command.skill)
    skill = Skill(
        command.skill,
        command.points,
        stats(command.stat, command.second_stat),
        command.background is True,
    )
    others = [held for held in of.skills if held is not old]
    if old is None:
        guards.space(command.entity, of.skills)
    most = sheet.most_points(of.level)
    if skill.points > most:
        raise Refused("over-skill-points", entity=command.entity, points=skill.points, most=most)
    _within_the_level(state, command.entity, of, [*others, skill])
    return (SkillLearned(command.entity, skill, UNSET if old is None else old),)


def stats(first: Stat, second: Stat | UnsetType) -> tuple[Stat, ...]:
    """One, or two different ones."""
    return (first,) if second is UNSET or second is first else (first, second)


def _within_the_level(state: State, entity: str, of: Entity, skills: list[Skill]) -> None:
    """As many background skills as the level; with the source's rule so many points in all."""
    background = sum(held.background for held in skills)
    if state.options.base_on_skills is BaseOnSkills.BACKGROUND and background > of.level:
        raise Refused("over-background", entity=entity, skills=background, level=of.level)
    points, most = (
        sum(held.points for held in skills),
        sheet.skill_points(of.level, guards.score(of, INT)),
    )
    if state.options.source_skills and points > most:
        raise Refused("no-skill-points-left", entity=entity, points=points, most=most)


def _set_proficiency(state: State, command: SetProficiency, by: By) -> tuple[Event, ...]:
    of = guards.own_sheet(state, command.entity, by)
    after = {*of.proficiencies} - {command.proficiency}
    if command.known:
        guards.space(command.entity, after)
        after.add(command.proficiency)
    saves = sum(stat.value in after for stat in Stat)
    return (ProficiencySet(command.entity, command.proficiency, command.known, saves),)


def _learn_attack(state: State, command: LearnAttack, by: By) -> tuple[Event, ...]:
    attack = Attack(
        name=command.attack,
        stats=stats(command.stat, command.second_stat),
        nature=command.nature,
        reach=command.reach,
        dice=command.dice,
        sides=command.sides,
        bonus=command.bonus,
        proficiency=command.attack if command.proficiency is UNSET else command.proficiency,
        spiritual=command.spiritual is True,
    )
    return _with_attack(guards.own_sheet(state, command.entity, by), command.entity, attack)


def _with_attack(of: Entity, entity: str, attack: Attack) -> tuple[Event, ...]:
    old = next((held for held in of.attacks if held.name == attack.name), None)
    if old is None:
        guards.space(entity, of.attacks)
    return (AttackLearned(entity, attack, UNSET if old is None else old),)


def _equip(state: State, command: Equip, by: By) -> tuple[Event, ...]:
    of = guards.own_sheet(state, command.entity, by)
    weapon = armoury.WEAPONS.get(command.item)
    grip = None if weapon is None else weapon.two_hands
    if command.two_hands is True and grip is None:
        raise Refused("no-other-grip", item=command.item.value)
    if weapon is None:
        part, bonus = armoury.ARMOUR[command.item]
        return _with_defence(
            of, command.entity, Defence(part, Layer.STATIC, command.item.value, bonus)
        )
    attack = armoury.attack(command.item, grip if command.two_hands is True else None)
    return _with_attack(of, command.entity, attack)


def _set_speed(state: State, command: SetSpeed, by: By) -> tuple[Event, ...]:
    of = guards.own_sheet(state, command.entity, by)
    return (
        SpeedSet(command.entity, command.mode, of.speeds.get(command.mode.value, 0), command.speed),
    )


def _set_defence(state: State, command: SetDefence, by: By) -> tuple[Event, ...]:
    """What stands on the sheet is the player's; surroundings and abilities are the GM's."""
    of = guards.own_sheet(state, command.entity, by)
    if command.layer is not Layer.STATIC or command.part is Part.CIRCUMSTANCE:
        guards.master(by)
    if command.layer is Layer.SP and command.part is Part.ARMOUR:
        raise Refused("sp-leaves-armour", entity=command.entity)
    return _with_defence(
        of, command.entity, Defence(command.part, command.layer, command.source, command.bonus)
    )


def _with_defence(of: Entity, entity: str, defence: Defence) -> tuple[Event, ...]:
    after = stacking.defended(of.defences, defence)
    old = sum(held.bonus for held in of.defences if stacking.same_defence(held, defence))
    if not old:
        guards.space(entity, of.defences)
    return (DefenceSet(entity, defence, old, stacking.hit(after)),)


def _set_modifier(state: State, command: SetModifier, by: By) -> tuple[Event, ...]:
    guards.master(by)
    of = guards.found(state, command.entity)
    if command.origin is Source.ACTIVE:
        raise Refused("active-ability", source=command.source)
    modifier = Modifier(
        command.source,
        command.origin,
        command.nature,
        command.type,
        command.applies,
        command.value,
        command.only,
    )
    old = sum(held.value for held in of.modifiers if stacking.same_modifier(held, modifier))
    if not old:
        guards.space(command.entity, of.modifiers)
    return (ModifierSet(command.entity, modifier, old),)
