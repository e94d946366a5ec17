"""Decider functions for characters and their sheets (RULES 3 to 6 and 10)."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.decider import By, Refused
from domain.rulesets.fansys import commands as c, events as e
from domain.rulesets.fansys.decider import guards
from domain.rulesets.fansys.rules import equipment, modifiers, sheet
from domain.rulesets.fansys.rules.vocabulary import (
    BODILY,
    INT,
    Applies,
    AttackProfile,
    BaseOnSkills,
    Being,
    Defence,
    Energy,
    Layer,
    Modifier,
    ModifierOrigin,
    Skill,
    Stat,
    ThresholdPart,
)
from domain.rulesets.fansys.state import Entity, State

SKILL_LIMITS = (Applies.SKILL, Applies.ALL)  # can be limited to any skill
STAT_LIMITS = (Applies.ABILITY, Applies.SAVE, Applies.DC)  # can be limited only to a stat
ATTACK_LIMITS = (Applies.ATTACK, Applies.DAMAGE)  # can be limited to a stat or an attack


def create(state: State, command: c.Create, by: By) -> tuple[e.Event, ...]:
    if command.entity in state.entities:
        raise Refused("entity-exists", entity=command.entity)
    if len(state.entities) >= sheet.MAX_ENTITIES:
        raise Refused("too-many-entities", most=sheet.MAX_ENTITIES)
    guards.require_names(
        state, name=command.name, entity_type=command.entity_type, race=command.race
    )
    _require_bodily_zero(state, command)
    stats = _initial_stats(command)
    for energy, owned in ((Energy.SP, command.sp_dice), (Energy.MP, command.mp_dice)):
        _require_capacity(command.name, energy, owned, command.level, stats)
    created = e.Created(
        entity=command.entity,
        name=command.name,
        being=Being.NPC if by.is_gm else Being.PC,
        seat=by.seat,
        level=command.level,
        stats=stats,
        entity_type=command.entity_type,
        race=command.race,
        size=command.size,
        bodiless=command.bodiless is True,
        mindless=command.mindless is True,
        pools=sheet.full_pools(command.level, stats, command.sp_dice, command.mp_dice),
        looks=command.looks,
    )
    return (created,)


def _require_bodily_zero(state: State, command: c.Create) -> None:
    """Raise Refused if a character without a physical form has STR, DEX or CON (RULES 4.2)."""
    if not guards.refuses_nonsense(state) or command.bodiless is not True:
        return
    scores = (command.strength, command.dexterity, command.constitution)
    wrong = tuple(stat.value for stat, score in zip(BODILY, scores, strict=True) if score)
    if wrong:
        raise Refused("no-body-no-stat", entity=command.name, stats=wrong)


def _initial_stats(command: c.Create) -> tuple[int, ...]:
    """Return a new character's scores in the six stats.

    If the character has no physical form, STR, DEX and CON are 0.
    """
    body = (command.strength, command.dexterity, command.constitution)
    mind = (command.intelligence, command.wisdom, command.charisma)
    return ((0, 0, 0) if command.bodiless is True else body) + mind


def _require_capacity(
    entity: str, energy: Energy, owned: int, level: int, stats: tuple[int, ...]
) -> None:
    capacity = sheet.capacity(energy, level, stats)
    if owned > capacity:
        raise Refused(
            "over-capacity", entity=entity, energy=energy.value, dice=owned, capacity=capacity
        )


def hand_over(state: State, command: c.HandOver, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_entity(state, command.entity)
    being, seat = (Being.NPC, by.seat) if command.seat is UNSET else (Being.PC, command.seat)
    changes = (being, seat) != (character.being, character.seat)
    guards.require_change(state, command.entity, changes=changes)
    return (e.HandedOver(command.entity, being, character.seat, seat, command.reason),)


def retire(state: State, command: c.Retire, by: By) -> tuple[e.Event, ...]:
    guards.find_own(state, command.entity, by)
    if command.entity in _busy(state):
        raise Refused("still-open", entity=command.entity)
    return (e.Retired(command.entity, command.reason),)


def _busy(state: State) -> set[str]:
    """Return the entities involved in an open check, an announced attack or unrolled damage."""
    own = {*state.checks, *state.attacks, *state.hits}
    keepers = {
        check.against
        for check in state.checks.values()
        if check.against is not UNSET and check.threshold is UNSET
    }
    attacked = {announced.target for announced in state.attacks.values()}
    hit = {each.target for each in state.hits.values()}
    return own | keepers | attacked | hit


def level_up(state: State, command: c.LevelUp, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_entity(state, command.entity)
    level = character.level + 1
    if level > sheet.MAX_LEVEL:
        raise Refused("over-level", entity=command.entity, most=sheet.MAX_LEVEL)
    return (
        e.LevelGained(
            command.entity,
            level,
            command.reason,
            character.pools,
            sheet.refit_pools(character.pools, level, character.stats),
        ),
    )


def train_dice(state: State, command: c.TrainDice, by: By) -> tuple[e.Event, ...]:
    character = guards.find_own_sheet(state, command.entity, by)
    _require_capacity(
        command.entity, command.energy, command.owned, character.level, character.stats
    )
    trained = sheet.train_dice(
        character.pools, command.energy, command.owned, character.level, character.stats
    )
    capacity = sheet.capacity(command.energy, character.level, character.stats)
    return (e.DiceTrained(command.entity, command.energy, capacity, character.pools, trained),)


# The sheet: skills, proficiencies, attacks, speeds, defences, modifiers (RULES 3 to 6 and 10).


def learn_skill(state: State, command: c.LearnSkill, by: By) -> tuple[e.Event, ...]:
    character = guards.find_own_sheet(state, command.entity, by)
    old = guards.find_skill(character, command.skill)
    guards.require_names(state, skill=command.skill)
    held_names = (held.name for held in character.skills)
    guards.require_spelling(state, command.entity, command.skill, held_names)
    skill = Skill(
        command.skill,
        command.points,
        distinct_stats(state, command.entity, command.stat, command.second_stat),
        command.background is True,
    )
    others = [held for held in character.skills if held is not old]
    if old is None:
        guards.require_space(command.entity, character.skills)
    most = sheet.max_skill_points(character.level)
    if skill.points > most:
        raise Refused("over-skill-points", entity=command.entity, points=skill.points, most=most)
    _require_skill_limits(state, command.entity, character, [*others, skill])
    return (e.SkillLearned(command.entity, skill, UNSET if old is None else old),)


def distinct_stats(
    state: State, entity: str, first: Stat, second: Stat | UnsetType
) -> tuple[Stat, ...]:
    """Return the given stats without duplicates.

    Raises Refused if both stats are the same, except in edition 1.
    """
    if second is UNSET:
        return (first,)
    if second is not first:
        return first, second
    if guards.refuses_nonsense(state):
        raise Refused("same-stat-twice", entity=entity, stat=first.value)
    return (first,)


def _require_skill_limits(
    state: State, entity: str, character: Entity, skills: list[Skill]
) -> None:
    """Raise Refused if the skills exceed the limits set by the session's options.

    The options can limit the number of background skills and the total number of skill points.
    """
    background = sum(held.background for held in skills)
    if state.options.base_on_skills is BaseOnSkills.BACKGROUND and background > character.level:
        raise Refused("over-background", entity=entity, skills=background, level=character.level)
    points = sum(held.points for held in skills)
    most = sheet.skill_points(character.level, guards.score(character, INT))
    if state.options.source_skills and points > most:
        raise Refused("no-skill-points-left", entity=entity, points=points, most=most)


def set_proficiency(state: State, command: c.SetProficiency, by: By) -> tuple[e.Event, ...]:
    character = guards.find_own_sheet(state, command.entity, by)
    guards.require_names(state, proficiency=command.proficiency)
    held = (*character.proficiencies, *(stat.value for stat in Stat))
    guards.require_spelling(state, command.entity, command.proficiency, held)
    after = {*character.proficiencies} - {command.proficiency}
    if command.known:
        guards.require_space(command.entity, after)
        after.add(command.proficiency)
    saves = sum(stat.value in after for stat in Stat)
    return (e.ProficiencySet(command.entity, command.proficiency, command.known, saves),)


def learn_attack(state: State, command: c.LearnAttack, by: By) -> tuple[e.Event, ...]:
    character = guards.find_own_sheet(state, command.entity, by)
    proficiency = command.attack if command.proficiency is UNSET else command.proficiency
    guards.require_names(state, attack=command.attack, proficiency=proficiency)
    attack = AttackProfile(
        name=command.attack,
        stats=distinct_stats(state, command.entity, command.stat, command.second_stat),
        nature=command.nature,
        reach=command.reach,
        dice=command.dice,
        sides=command.sides,
        bonus=command.bonus,
        proficiency=proficiency,
        spiritual=command.spiritual is True,
    )
    return _record_attack(state, character, command.entity, attack)


def _record_attack(
    state: State, character: Entity, entity: str, attack: AttackProfile
) -> tuple[e.Event, ...]:
    names = (held.name for held in character.attacks)
    guards.require_spelling(state, entity, attack.name, names)
    old = next((held for held in character.attacks if held.name == attack.name), None)
    if old is None:
        guards.require_space(entity, character.attacks)
    return (e.AttackLearned(entity, attack, UNSET if old is None else old),)


def equip(state: State, command: c.Equip, by: By) -> tuple[e.Event, ...]:
    character = guards.find_own_sheet(state, command.entity, by)
    weapon = equipment.WEAPONS.get(command.item)
    grip = None if weapon is None else weapon.two_hands
    if command.two_hands is True and grip is None:
        raise Refused("no-other-grip", item=command.item.value)
    if weapon is None:
        part, bonus = equipment.ARMOUR[command.item]
        defence = Defence(part, Layer.STATIC, command.item.value, bonus)
        return _record_defence(state, character, command.entity, defence)
    attack = equipment.weapon_attack(command.item, grip if command.two_hands is True else None)
    return _record_attack(state, character, command.entity, attack)


def set_speed(state: State, command: c.SetSpeed, by: By) -> tuple[e.Event, ...]:
    character = guards.find_own_sheet(state, command.entity, by)
    return (
        e.SpeedSet(
            command.entity, command.mode, character.speeds.get(command.mode.value, 0), command.speed
        ),
    )


def set_defence(state: State, command: c.SetDefence, by: By) -> tuple[e.Event, ...]:
    """Return the event for a new or changed defence.

    Only the GM may set defences that come from circumstances or abilities.
    """
    character = guards.find_own_sheet(state, command.entity, by)
    if command.layer is not Layer.STATIC or command.part is ThresholdPart.CIRCUMSTANCE:
        by.require_gm()
    if command.layer is Layer.SP and command.part is ThresholdPart.ARMOUR:
        raise Refused("sp-leaves-armour", entity=command.entity)
    guards.require_names(state, source=command.source)
    defence = Defence(command.part, command.layer, command.source, command.bonus)
    after = modifiers.with_defence(character.defences, defence)
    guards.require_change(state, command.entity, changes=after != character.defences)
    return _record_defence(state, character, command.entity, defence)


def _record_defence(
    state: State, character: Entity, entity: str, defence: Defence
) -> tuple[e.Event, ...]:
    sources = (held.source for held in character.defences)
    guards.require_spelling(state, entity, defence.source, sources)
    after = modifiers.with_defence(character.defences, defence)
    old = sum(held.bonus for held in character.defences if modifiers.same_defence(held, defence))
    if not old:
        guards.require_space(entity, character.defences)
    return (e.DefenceSet(entity, defence, old, modifiers.hit_threshold(after)),)


def set_modifier(state: State, command: c.SetModifier, by: By) -> tuple[e.Event, ...]:
    by.require_gm()
    character = guards.find_entity(state, command.entity)
    if command.origin is ModifierOrigin.ACTIVE:
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
    _require_sense(state, command.entity, character, modifier)
    old = sum(held.value for held in character.modifiers if modifiers.same_modifier(held, modifier))
    if not old:
        guards.require_space(command.entity, character.modifiers)
    return (e.ModifierSet(command.entity, modifier, old),)


def _require_sense(state: State, entity: str, character: Entity, modifier: Modifier) -> None:
    """Raise Refused if a name is blank or misspelt, or if the modifier would have no effect."""
    guards.require_names(state, source=modifier.source, type=modifier.type, only=modifier.only)
    sources = (held.source for held in character.modifiers)
    guards.require_spelling(state, entity, modifier.source, sources)
    after = modifiers.with_modifier(character.modifiers, modifier)
    guards.require_change(state, entity, changes=after != character.modifiers)
    if guards.refuses_nonsense(state) and modifier.value:
        _require_possible_limit(state, entity, character, modifier)


def _require_possible_limit(
    state: State, entity: str, character: Entity, modifier: Modifier
) -> None:
    """Raise Refused if `only` limits the modifier to something that no roll can use.

    If the modifier applies to skill checks or to all rolls, `only` can be the name of a skill that
    is not on the sheet, because any skill can be rolled. It must not be almost the same as a name
    on the sheet (RULES 1.8).
    """
    if modifier.only is UNSET or modifier.only in sheet.STATS:
        return
    if modifier.applies in SKILL_LIMITS:
        names = [stat.value for stat in sheet.STATS] + [held.name for held in character.skills]
        if modifier.applies is Applies.ALL:
            names += [held.name for held in character.attacks]
        guards.require_spelling(state, entity, modifier.only, names)
    if modifier.applies in STAT_LIMITS:
        raise Refused("name-the-roll", entity=entity)
    if modifier.applies in ATTACK_LIMITS and modifier.only != equipment.Item.STRIKE:
        guards.find_attack(entity, character, modifier.only)
