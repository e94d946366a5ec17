"""Presentation of FanSys: the table, event descriptions and statistics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.differences import Wording, plain_condition
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.rules import dice, equipment, modifiers, sheet
from domain.rulesets.fansys.rules.dice import DOUBLE_TWELVE, PLAIN, SNAKE_EYES, combine
from domain.rulesets.fansys.rules.modifiers import ConditionName as Named
from domain.rulesets.fansys.rules.sheet import ADVISED_SAVES, DC, difficulty
from domain.rulesets.fansys.rules.vocabulary import (
    ENERGY,
    INT,
    AnnouncedAttack,
    Applies,
    AttackProfile,
    Being,
    Defence,
    Energy,
    Gauge,
    Layer,
    Mode,
    Modifier,
    ModifierOrigin,
    Options,
    Pools,
    Reach,
    RollPurpose,
    Scene,
    Skill,
    Stat,
    Status,
    Term,
    ThresholdPart,
    Throw,
    Unit,
    UnresolvedHit,
    UnsettledCheck,
    Why,
)
from domain.rulesets.fansys.state import Entity, OwnCondition, RoundSoFar, State
from domain.table import Board, Condition, Entity as Shown, Pool, Table, Task
from domain.tally import (
    Attempted,
    Counts,
    Moved,
    Owned,
    Probability,
    Rolled,
    Settled,
    Ticked,
    sum_chances,
)

BENEFITS = frozenset({dice.Twist.ADVANTAGE, dice.Twist.EXTREME_ADVANTAGE})


def show(state: State) -> Table:
    """Return the table. For a character who has left the story, it shows only the sheet."""
    present = {
        entity: character
        for entity, character in state.entities.items()
        if entity not in state.retired
    }
    return Table(
        entities={entity: _entity(state, entity) for entity in state.entities},
        boards={
            "scene": Board("line", tuple(Scene), tuple(Scene).index(state.scene)),
            "clock": Board("line", (_clock_text(state.clock),), 0),
        },
        pools={
            name: pool
            for entity, character in present.items()
            for name, pool in _pools(entity, character).items()
        },
        conditions={
            name: each
            for entity, character in present.items()
            for name, each in _conditions(state, entity, character)
        },
        tasks={
            f"{entity}.check": _check(state, entity, check)
            for entity, check in state.checks.items()
        }
        | {
            f"{entity}.attack": _announced(state, entity, announced)
            for entity, announced in state.attacks.items()
        }
        | {f"{entity}.damage": _hit(state, entity, hit) for entity, hit in state.hits.items()},
    )


def _clock_text(clock: int) -> str:
    """Return the time on the game's clock, for example "day 1, 07:30:00"."""
    days, seconds = divmod(clock, sheet.SECONDS[Unit.DAY])
    hours, seconds = divmod(seconds, sheet.SECONDS[Unit.HOUR])
    minutes, seconds = divmod(seconds, sheet.SECONDS[Unit.MINUTE])
    return f"day {days + 1}, {hours:02}:{minutes:02}:{seconds:02}"


def _entity(state: State, entity: str) -> Shown:
    """Return the character with its sheet for display.

    If entries have the same name, statistics such as "level" override skills, and skills override
    attacks.
    """
    character = state.entities[entity]
    named = {attack.name: _attack(attack) for attack in character.attacks} | {
        held.name: _skill(held) for held in character.skills
    }
    sheet_ = named | _statistics(character, state.options)
    if entity in state.rounds:
        sheet_["this round"] = _round_text(state.rounds[entity])
    status = "retired" if entity in state.retired else sheet.status(character.pools).value
    summary = f"level {character.level} · {character.race} {character.entity_type}"
    stats = dict(zip(map(str, sheet.STATS), map(str, character.stats), strict=True))
    return Shown(character.name, character.seat, character.being, status, sheet_, summary, stats)


def _condition_words(label: str) -> str:
    if label.endswith(" on the next roll"):
        return f"has {label}"
    preset = modifiers.find_preset(label)
    return plain_condition(label) if preset is None else f"is {preset}"


ENTRY_WORDS = {
    "stats": "",
    "bonuses": "",
    "level": "level",
    "hit threshold (HiT)": "the hit threshold",
    "kind of being": "what it is",
    "proficient": "the proficiencies",
    "this round": "what it did this round",
}


def _entry_words(name: str, value: str) -> str:
    """Return what an entry of the sheet is. Boxes and pools tell the stats and the bonuses."""
    if name in ENTRY_WORDS:
        return ENTRY_WORDS[name]
    if re.match(r"\d+ points?,", value):
        return f"the skill {name}"
    return f"the attack {name}" if re.search(r" (melee|ranged)", value) else f"the {name}"


WORDING = Wording(condition=_condition_words, entry=_entry_words)


def names(state: State) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the names of each entity's skills and attacks, by sort of field."""
    skills = {
        entity: tuple(held.name for held in character.skills)
        for entity, character in state.entities.items()
    }
    attacks = {
        entity: tuple(attack.name for attack in character.attacks)
        for entity, character in state.entities.items()
    }
    both = {entity: (*held, *attacks[entity]) for entity, held in skills.items()}
    return {"skill": skills, "attack": attacks, "ability": both}


def _round_text(so_far: RoundSoFar) -> str:
    """Return what the character has done in this round, for example "moved 20 feet, acted"."""
    feet = f"{'sprinted' if so_far.sprinted else 'moved'} {_feet_text(so_far.moved)}"
    parts = ((feet, bool(so_far.moved)), ("acted", so_far.acted))
    return ", ".join(text for text, done in parts if done)


def _attack(attack: AttackProfile) -> str:
    spiritual = ", spiritual" if attack.spiritual else ""
    kind = f"{attack.nature} {attack.reach}, {' and '.join(attack.stats)}{spiritual}"
    return f"{_attack_dice(attack)} {kind}"


def _attack_dice(attack: AttackProfile) -> str:
    return _dice_text(attack.dice, attack.sides, attack.bonus)


def _dice_text(number: int, sides: int, bonus: int) -> str:
    flat = f" {bonus:+d}" if bonus else ""
    return f"{number}d{sides}{flat}" if number else str(bonus)


def _skill(skill: Skill) -> str:
    background = ", background" if skill.background else ""
    return f"{_points_text(skill)}, {' and '.join(skill.stats)}{background}"


def _points_text(skill: Skill) -> str:
    return "1 point" if skill.points == 1 else f"{skill.points} points"


def _statistics(character: Entity, options: Options) -> dict[str, str]:
    scores = zip(sheet.STATS, character.stats, strict=True)
    base, owned = sheet.base(character.level), (character.pools.sp_owned, character.pools.mp_owned)
    nat, sup = (sheet.dice_bonus(dice, options) for dice in owned)
    figures = {
        "level": str(character.level),
        "stats": ", ".join(
            f"{STAT_NAMES[stat]} {score} ({sheet.stat_bonus(score):+d})" for stat, score in scores
        ),
        "bonuses": f"Base {base}, natural (Nat) {nat}, supernatural (Sup) {sup}",
        "hit threshold (HiT)": str(modifiers.hit_threshold(character.defences)),
        "kind of being": _kind(character),
    }
    return figures | {name: text for name, text in _lists(character).items() if text}


STAT_NAMES = {
    Stat.STR: "Strength",
    Stat.DEX: "Dexterity",
    Stat.CON: "Constitution",
    Stat.INT: "Intelligence",
    Stat.WIS: "Wisdom",
    Stat.CHA: "Charisma",
}


def _kind(character: Entity) -> str:
    flags = [
        word
        for word, flag in (("bodiless", character.bodiless), ("mindless", character.mindless))
        if flag
    ]
    return ", ".join([character.size, character.race, character.entity_type, *flags])


def _lists(character: Entity) -> dict[str, str]:
    return {
        "speeds": ", ".join(
            f"{mode} {character.speeds[mode]}" for mode in Mode if character.speeds.get(mode)
        ),
        "proficient": ", ".join(character.proficiencies),
        "defences": ", ".join(
            f"{_item_text(each.source)} {each.bonus:+d} {each.part}" for each in character.defences
        ),
        "modifiers": ", ".join(
            f"{each.source} {each.value:+d} {each.only or each.applies}"
            for each in character.modifiers
        ),
        "looks": character.looks or "",
    }


def _pools(entity: str, character: Entity) -> dict[str, Pool]:
    left = character.pools
    return {
        f"{entity}.hp": Pool(entity, "HP", left.hp, left.hp_max, "health", meaning="hit points"),
        f"{entity}.sp": Pool(
            entity, "SP", left.sp, left.sp_max, "stamina", meaning="stamina points"
        ),
        f"{entity}.sp-dice": Pool(
            entity,
            "SP dice",
            left.sp_dice,
            left.sp_owned,
            "stamina",
            slots=True,
            meaning="stamina dice",
        ),
        f"{entity}.mp": Pool(entity, "MP", left.mp, left.mp_max, "magic", meaning="magic points"),
        f"{entity}.mp-dice": Pool(
            entity,
            "MP dice",
            left.mp_dice,
            left.mp_owned,
            "magic",
            slots=True,
            meaning="magic dice",
        ),
    }


def _conditions(state: State, entity: str, character: Entity) -> Iterator[tuple[str, Condition]]:
    for name, rounds in character.conditions.items():
        label = modifiers.condition_label(Named(name))
        yield f"{entity}.{name}", Condition(entity, label, rounds or UNSET)
    for key, own in state.conditions.items():
        if own.entity == entity:
            yield f"{entity}.own{key.removeprefix(entity)}", _own_condition(own, state.clock)
    if character.granted:
        twist = combine(character.granted)
        label = f"{_twist_name(twist)} on the next roll"
        yield f"{entity}.granted", Condition(entity, label, helps=twist in BENEFITS)
    for nth, grant in enumerate(state.grants.get(entity, ()), 1):
        against = "" if grant.target is UNSET else f" against {_name(state, grant.target)}"
        label = f"{grant.twist} on the {_roll_text(grant.roll, grant.only)}{against}"
        yield f"{entity}.granted.{nth}", Condition(entity, label, helps=grant.twist in BENEFITS)


def _own_condition(own: OwnCondition, clock: int) -> Condition:
    minutes: int | UnsetType = UNSET
    if own.until is not UNSET:
        minutes = sheet.minutes_left(own.until, clock)
    return Condition(own.entity, own.name, own.rounds, minutes, own.note)


def _name(state: State, entity: str) -> str:
    return state.entities[entity].name if entity in state.entities else entity


def _check(state: State, entity: str, check: UnsettledCheck) -> Task:
    waiting = check.against is not UNSET and check.threshold is UNSET
    waits = (
        "the other side's roll"
        if waiting
        else "a save"
        if check.use is RollPurpose.SAVE
        else "roll, take or fail"
    )
    sheet_ = {"entity": entity, "check": check.name, "stats": ", ".join(check.stats)}
    if check.threshold is not UNSET:
        sheet_["threshold"] = str(check.threshold)
    if check.against is not UNSET:
        sheet_["against"] = check.against
    if check.aim is not UNSET:
        sheet_["aim"] = check.aim
    return Task(_seat(state, entity), check.use, waits, sheet_)


def _announced(state: State, entity: str, announced: AnnouncedAttack) -> Task:
    waiting = state.options.announce_attacks is True and not announced.ready
    sheet_ = {"entity": entity, "target": announced.target, "attack": announced.attack.name}
    terms = _attack_terms(announced.twist, announced.bonus, announced.cover)
    if terms:
        sheet_["terms"] = _list_words(terms)
    if announced.aim is not UNSET:
        sheet_["aim"] = announced.aim
    waits = "the GM's terms" if waiting else "roll"
    return Task(_seat(state, entity), RollPurpose.ATTACK, waits, sheet_)


def _hit(state: State, entity: str, hit: UnresolvedHit) -> Task:
    attack, terms = hit.attack, tuple[Term, ...]()
    if entity in state.entities:
        character = state.entities[entity]
        terms = modifiers.damage_terms(attack, character.stats, character.modifiers, state.options)
    bonus = attack.bonus + sum(term.value for term in terms)
    damage = _dice_text(attack.dice * hit.times, attack.sides, bonus)
    sheet_ = {"entity": entity, "target": hit.target, "attack": attack.name, "damage": damage}
    return Task(_seat(state, entity), "damage", "roll", sheet_)


def _seat(state: State, entity: str) -> str:
    return state.entities[entity].seat if entity in state.entities else ""


def describe(event: e.Event) -> str:
    """Describe the event in one sentence.

    Ids are in braces: `{ana}` is an entity, and `{@p2}` is a seat.
    """
    match event:
        case e.Created(who):
            pools = event.pools
            kind = f"a level {event.level} {event.race} ({event.entity_type})"
            left = f"{pools.hp} HP, {pools.sp} SP and {pools.mp} MP"
            return f"{_id(who)} joins the game: {kind} with {left}."
        case e.HandedOver(who, being, _, seat, reason):
            role = "a PC" if being is Being.PC else "an NPC"
            return f"{_id(f'@{seat}')} now plays {_id(who)} as {role} ({reason})."
        case e.Retired(who, reason):
            return f"{_id(who)} leaves the story ({reason})."
        case e.LevelGained(who, level, reason):
            return f"{_id(who)} reaches level {level} ({reason})."
        case e.DiceTrained(who, energy, capacity):
            owned = event.pools.sp_owned if energy is Energy.SP else event.pools.mp_owned
            return f"{_id(who)} now has {owned} of a possible {capacity} {energy} dice."
        case e.SkillLearned(who, skill):
            return f"{_id(who)} now has {_skill_text(skill)}."
        case e.ProficiencySet(who, thing, known, saves):
            is_ = "is now" if known else "is no longer"
            return f"{_id(who)} {is_} proficient {_proficiency_text(thing, known, saves)}."
        case e.AttackLearned(who, attack, old):
            has = "has a new attack" if old is UNSET else "now has this attack"
            return f"{_id(who)} {has}: {attack.name}, {_attack_text(attack)}."
        case e.SpeedSet(who, mode, _, speed):
            return f"{_id(who)}'s {SPEEDS[mode]} speed is now {_feet_text(speed)} per round."
        case e.DefenceSet(who, defence, old, hit):
            return f"{_defence_text(_id(who), defence, old)}: HiT {hit}."
        case e.ModifierSet(who, modifier, old):
            return f"{_modifier_text(_id(who), modifier, old)}."
        case e.CheckOpened(who, check):
            text = f"{_id(who)} has to {_task_text(check)}{_opposition_text(check)}."
            return _with_aim(check.aim, text)
        case e.TermsSet():
            return f"{_terms_text(event)}."
        case e.SaveForced(who, target, nature, terms, dc):
            sum_ = f"{DC} {_sum_text(terms)} = {dc}" if terms else str(dc)
            if who == target:
                return f"{_id(who)} uses a {nature} ability and has to save against it: DC {sum_}."
            return f"{_id(who)} forces {_id(target)} to save against a {nature} ability: DC {sum_}."
        case e.CheckRolled(who, use, name, throw):
            what = f"{_check_name(use, name)}{_twist_text(throw)}"
            text = f"{_id(who)} rolls {what}: {_throw_text(throw)}{_result(event)}."
            return _with_aim(event.aim, text)
        case e.Taken(who, use, name, number, terms, total, tries):
            cost = f", using up {tries} tries" if tries > 1 else ""
            sum_ = f": {number} {_sum_text(terms)} = {total}" if terms else ""
            what = f"{_check_name(use, name)}{cost}{sum_}"
            text = f"{_id(who)} takes {number} on {what}{_outcome_text(event)}."
            return _with_aim(event.aim, text)
        case e.CheckSettled():
            because = "" if event.reason is UNSET else f" ({event.reason})"
            return _with_aim(event.aim, f"{_settled_text(event)}{because}.")
        case e.Dropped(who, reason):
            return f"The GM calls off {_id(who)}'s roll ({reason})."
        case e.AttackRolled(who, target, attack, throw, threshold, success):
            whom = f"{_id(target)}{_twist_text(throw)} ({attack.name})"
            end = f"a {'hit' if success else 'miss'}{_automatic(throw)} against HiT {threshold}"
            text = f"{_id(who)} attacks {whom}: {_throw_text(throw)}, {end}{_repeated(event)}."
            return _with_aim(event.aim, text)
        case e.AttackAnnounced(who, target, attack, aim):
            text = f"{_id(who)} is about to attack {_id(target)} ({attack.name})."
            return _with_aim(aim, text)
        case e.AttackTermsSet():
            return f"{_attack_terms_text(event)}."
        case e.AttackRuled(who, target, attack, success, reason, aim):
            result = "hits" if success else "misses"
            whom = f"{_id(target)} ({attack.name})"
            return _with_aim(aim, f"The GM rules that {_id(who)} {result} {whom}: {reason}.")
        case e.DamageRolled():
            return _with_aim(event.aim, f"{_damage_text(event)}.")
        case e.Harmed():
            return f"{_harm_text(event)}."
        case e.Moved(who, mode, distance, sprint):
            return f"{_id(who)} {_move_text(mode, distance, sprint)}."
        case e.DiceSpent(who, energy, dice, ability, _, pools):
            spent = f"{dice} {energy} {'die' if dice == 1 else 'dice'} on {_quoted(ability)}"
            return f"{_id(who)} spends {spent}: {_energy_left(pools, energy)}."
        case e.Rested():
            return f"{_rest_text(event)}."
        case e.Granted(who, _, twist, reason):
            what = _twist_name(twist)
            return f"{_id(who)} has {what} on the {_granted_roll_text(event)} ({reason})."
        case e.ConditionSet(who, condition, rounds, minutes, note):
            lasting = _lasting_text(rounds, minutes)
            does = "" if note is UNSET else f" ({note})"
            return f"{_id(who)} {_condition_text(condition)}{lasting}{does}."
        case e.ConditionTicked(who, condition, rounds, minutes) if rounds or minutes:
            lasting = _lasting_text(rounds, minutes, more=True)
            return f"{_id(who)} {_condition_text(condition)}{lasting}."
        case e.ConditionTicked() | e.ConditionLifted():
            return f"{_id(event.entity)} {_condition_text(event.condition, over=True)}."
        case e.ConditionEnded(who, name, reason):
            return f"{_id(who)} {_condition_text(name, over=True)} ({reason})."
        case e.TimePassed(seconds, _, amount, unit):
            if amount is UNSET or unit is UNSET:
                return f"That takes {_duration_text(seconds)}."
            return f"Time passes: {amount} {unit if amount == 1 else f'{unit}s'}."
        case e.SceneSet(old, new, reason):
            if old is new:
                return f"The scene stays {new} ({reason})."
            return f"The scene changes from {old} to {new} ({reason})."
        case e.PoolAdjusted(who, gauge, reason, old, pools, status):
            before, after = _amount(old, gauge), _amount(pools, gauge)
            leaves = "" if sheet.status(old) is status else f", which leaves {_id(who)} {status}"
            change = f"{_id(who)}'s {gauge} from {before} to {after}"
            return f"The GM changes {change} ({reason}){leaves}."
        case e.StatAdjusted(who, stat, before, after, reason):
            return f"The GM changes {_id(who)}'s {stat} from {before} to {after} ({reason})."
        case _:
            raise TypeError(event)


def _id(entity: str) -> str:
    return f"{{{entity}}}"


def _quoted(name: str) -> str:
    return f'"{name}"'


def _thing_text(name: str) -> str:
    """Return "the" and the name if it is one of the game's items, otherwise the name in quotes."""
    return f"the {_item_text(name)}" if name in tuple(equipment.Item) else _quoted(name)


def _item_text(name: str) -> str:
    """Return the name, or just "shield" if it is one of the game's shields."""
    return "shield" if name in SHIELDS else name


SHIELDS = (equipment.Item.SHIELD_2, equipment.Item.SHIELD_3, equipment.Item.SHIELD_4)


def _with_aim(aim: str | UnsetType, text: str) -> str:
    """Return the text, preceded by the capitalized purpose of the roll if there is one."""
    words = "" if aim is UNSET else aim.strip()
    if not words:
        return text
    after = f"the {text.removeprefix('The ')}" if text.startswith("The ") else text
    return f"{words[0].upper()}{words[1:]}: {after}"


def _list_words(items: Iterable[object]) -> str:
    """Return the items as text, for example "3, 9 and 12"."""
    words = [str(each) for each in items]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _skill_text(skill: Skill) -> str:
    points = _points_text(skill)
    kind = ", a background skill" if skill.background else ""
    return f"{points} in {skill.name}{kind} ({' and '.join(skill.stats)})"


def _proficiency_text(thing: str, known: bool, saves: int) -> str:
    """Return the proficiency as text, noting if there are more saves than advised."""
    if thing not in tuple(Stat):
        return f"with {_thing_text(thing)}"
    over = known and saves > ADVISED_SAVES
    return f"in {thing} saves" + (
        f" ({saves} saves, more than the {ADVISED_SAVES} advised)" if over else ""
    )


def _attack_text(attack: AttackProfile) -> str:
    """Return the attack's damage, for example "1d8 +2 natural damage in melee"."""
    kind = f"{attack.nature} spiritual" if attack.spiritual else attack.nature
    where = "in melee" if attack.reach is Reach.MELEE else "at range"
    return f"{_attack_dice(attack)} {kind} damage {where}"


def _defence_text(who: str, defence: Defence, old: int) -> str:
    """Describe what the defence now gives. If its bonus is 0, say that it is gone."""
    circumstance = defence.part is ThresholdPart.CIRCUMSTANCE
    part = "HiT" if circumstance else defence.part
    kind = f"a circumstance {'penalty' if (defence.bonus or old) < 0 else 'bonus'}"
    layer = f"from an {defence.layer}"
    details = ((kind, circumstance), (layer, defence.layer is not Layer.STATIC))
    named = " ".join(text for text, applies in details if applies)
    given = f"{_given_text(who, defence.bonus, old)} to {part}{f' ({named})' if named else ''}"
    return f"{_thing_text(defence.source)} {given}"


def _given_text(who: str, value: int, old: int) -> str:
    """Return the part of a sentence that says what bonus or penalty something now gives.

    If the value is 0, the text says that the old bonus or penalty is gone.

    `old` can be 0, because edition 1 allowed removing a bonus that did not exist.
    """
    if value:
        return f"gives {who} {value:+d}"
    return f"no longer gives {who} {old:+d}" if old else f"gives {who} no bonus"


ORIGINS = {
    ModifierOrigin.CONDITION: "a condition",
    ModifierOrigin.CIRCUMSTANCE: "circumstances",
    ModifierOrigin.EQUIPMENT: "equipment",
    ModifierOrigin.PASSIVE: "a passive ability",
}
ROLLS = {
    Applies.ALL: "all rolls",
    Applies.SKILL: "skill checks",
    Applies.ABILITY: "ability checks",
    Applies.SAVE: "saves",
    Applies.ATTACK: "attacks",
    Applies.DC: "the save DC",
    Applies.DAMAGE: "damage",
}


def _modifier_text(who: str, modifier: Modifier, old: int) -> str:
    """Describe what the modifier now gives. If its value is 0, say that it is gone."""
    only = "" if modifier.only is UNSET else f" with {modifier.only}"
    given = f"{_given_text(who, modifier.value, old)} to {ROLLS[modifier.applies]}{only}"
    source = _thing_text(modifier.source)
    if not modifier.value:
        return f"{source} {given}"
    kind = "penalty" if modifier.value < 0 else "bonus"
    origin = "" if modifier.origin == modifier.type else f" from {ORIGINS[modifier.origin]}"
    details = f"{modifier.nature} {modifier.type} {kind}{origin}"
    return f"{source} {given} ({details})"


def _task_text(check: UnsettledCheck) -> str:
    if check.use is RollPurpose.SKILL:
        article = "an" if check.name[0].lower() in "aeiou" else "a"
        return f"make {article} {_quoted(check.name)} check ({' and '.join(check.stats)})"
    return f"make {_check_name(check.use, check.name)}"


def _opposition_text(check: UnsettledCheck) -> str:
    if check.threshold is UNSET:
        return "" if check.against is UNSET else f" against {_id(check.against)}, who rolls first"
    keeper = "" if check.against is UNSET else f"{_id(check.against)}'s "
    return f" against {keeper}{_threshold_text(check.threshold)}"


def _threshold_text(threshold: int) -> str:
    return f"{threshold} ({difficulty(threshold)})"


def _terms_text(event: e.TermsSet) -> str:
    """Return one sentence about the check, and one about failing it on purpose.

    A sentence without content is omitted.
    """
    who = _id(event.entity)
    terms = list[str]()
    if event.threshold is not UNSET:
        terms.append(f"is against {_threshold_text(event.threshold)}")
    if event.routine is not UNSET:
        terms.append("is routine" if event.routine else "is not routine")
    if event.tries is not UNSET:
        terms.append("allows 1 try" if event.tries == 1 else f"allows {event.tries} tries")
    if event.seconds is not UNSET:
        terms.append(f"takes {_duration_text(event.seconds)} per try")
    if event.may_yield is UNSET:
        return f"{who}'s check {_list_words(terms)}"
    may = f"{who} may {'' if event.may_yield else 'not '}fail"
    if not terms:  # this term affects only CHA saves (RULES 8.12)
        return f"{may} the CHA save on purpose"
    return f"{who}'s CHA save {_list_words(terms)}. {may} it on purpose"


def _check_name(use: RollPurpose, name: str) -> str:
    article = "an" if name.startswith(INT) else "a"
    return {
        RollPurpose.SAVE: f"{article} {name} save",
        RollPurpose.ABILITY: f"{article} {name} check",
    }.get(use, name)


def _sum_text(terms: Iterable[Term]) -> str:
    """Return the terms as text, for example "+1 Base +2 DEX"."""
    return " ".join(f"{term.value:+d} {_term_name(term)}" for term in terms)


def _term_name(term: Term) -> str:
    """Return the name of the term, with "points" in the singular if the value is 1 or -1."""
    is_one_point = term.name == "points" and abs(term.value) == 1
    return "point" if is_one_point else term.name


def _twist_name(twist: dice.Twist) -> str:
    return "neither advantage nor disadvantage" if twist is PLAIN else twist.value


def _twist_text(throw: Throw) -> str:
    return "" if throw.twist is PLAIN else f" with {throw.twist}"


def _throw_text(throw: Throw) -> str:
    """Return the throw as text.

    For example, "12 and 7 = 19, +2 for the 12 = 21, +1 Base +2 DEX = 24".
    """
    thrown = _list_words(throw.dice)
    if throw.twist is not PLAIN:
        thrown = f"{thrown}; keeps {_list_words(throw.kept)}"
    adjusted = dice.adjusted_sum(throw.kept)
    changes = "".join(f", {change}" for change in _adjustments(throw.kept))
    sum_ = f"{sum(throw.kept)}{f'{changes} = {adjusted}' if changes else ''}"
    capped = f", counted as {throw.sum} (untrained)" if throw.sum < adjusted else ""
    total = f", {_sum_text(throw.terms)} = {throw.total}" if throw.terms else ""
    return f"{thrown} = {sum_}{capped}{total}"


def _adjustments(kept: tuple[int, ...]) -> Iterator[str]:
    """Yield what the kept 12s and 1s add to the sum of the dice."""
    for face, value in ((dice.DIE, dice.TWELVE), (1, dice.ONE)):
        number = kept.count(face)
        if number:
            which = f"the {face}" if number == 1 else f"the two {face}s"
            yield f"{number * value:+d} for {which}"


def _outcome_text(event: e.CheckRolled | e.Taken, by: str = "") -> str:
    if event.threshold is UNSET:
        return ""
    outcome = "success" if event.success else "failure"
    return f", a {outcome}{by} against {_threshold_text(event.threshold)}"


def _result(event: e.CheckRolled) -> str:
    return _outcome_text(event, _automatic(event.throw) if event.use is RollPurpose.SAVE else "")


def _automatic(throw: Throw) -> str:
    return {SNAKE_EYES: " on snake eyes", DOUBLE_TWELVE: " on a double twelve"}.get(throw.sum, "")


NEXT_ROLLS = {
    RollPurpose.SKILL: ("skill check", "check"),
    RollPurpose.ABILITY: ("ability check", "check"),
    RollPurpose.SAVE: ("save", "save"),
    RollPurpose.ATTACK: ("attack", "attack"),
}


def _roll_text(roll: RollPurpose, only: str | UnsetType) -> str:
    """Return the roll that a grant is for, for example "next save" or "next DEX save"."""
    any_of_kind, kind = NEXT_ROLLS[roll]
    return f"next {any_of_kind}" if only is UNSET else f"next {only} {kind}"


def _granted_roll_text(event: e.Granted) -> str:
    if event.roll is UNSET:
        return "next roll"
    against = "" if event.target is UNSET else f" against {_id(event.target)}"
    return f"{_roll_text(event.roll, event.only)}{against}"


def _attack_terms(
    twist: dice.Twist | UnsetType, bonus: int | UnsetType, cover: int | UnsetType
) -> list[str]:
    """Describe the terms of an announced attack, omitting any that are 0."""
    terms = []
    if twist is not UNSET:
        terms.append("no advantage or disadvantage" if twist is PLAIN else str(twist))
    if bonus:
        terms.append(f"{bonus:+d} to hit")
    if cover:
        terms.append(f"{cover:+d} to the target's HiT")
    return terms


def _attack_terms_text(event: e.AttackTermsSet) -> str:
    terms = _attack_terms(event.twist, event.bonus, event.cover)
    attack = f"{_id(event.entity)}'s attack"
    because = "" if event.reason is UNSET else f" ({event.reason})"
    if not terms and (event.bonus is not UNSET or event.cover is not UNSET):
        return f"The GM sets no bonus or penalty for {attack}{because}"
    if not terms:
        return f"The GM lets {attack} go ahead as announced{because}"
    return f"The GM sets terms for {attack}: {_list_words(terms)}{because}"


def _settled_text(event: e.CheckSettled) -> str:
    who = _id(event.entity)
    check = f"the {event.name} check"
    if event.use is RollPurpose.SAVE:  # of two valid saves, the event does not say which is chosen
        check = "the save" if " or " in event.name else f"the {event.name} save"
    result = "passes" if event.success else "fails"
    match event.why:
        case Why.BODILESS:
            return f"{who} has no physical form and {result} {check} without a roll"
        case Why.MINDLESS:
            cause = f"anything that calls for {_check_name(event.use, event.name)}"
            return f"{who} is mindless and unaffected by {cause}"
        case Why.CONDITION:
            return f"{who} is in no condition to make {check} and {result}"
        case Why.NO_STAT:
            return f"{who} lacks the stat for {check} and {result}"
        case Why.CANNOT_ACT:
            return f"{who} cannot act and {result} {check}"
        case Why.SURE if event.success:
            return f"{who} cannot fail {check}: even the lowest roll is enough"
        case Why.SURE:
            return f"{who} cannot pass {check}: even the highest roll is too low"
        case Why.WILLING:
            return f"{who} chooses to fail {check}"
        case Why.UNOPPOSED if event.against is not UNSET:
            return f"{_id(event.against)} cannot oppose {who}, who {result} {check}"
        case Why.UNOPPOSED if event.success:
            return f"{who} passes {check} unopposed"
        case Why.UNOPPOSED:
            return f"{who} fails {check}, because the other side succeeds"
        case Why.RULED:
            return f"The GM rules that {who} {result} {check}"


TIMES = {1: "once", 2: "twice", 3: "three times"}


def _repeated(event: e.AttackRolled) -> str:
    """Return how many times the damage dice are rolled, or "" if at most once."""
    if not event.success or event.times < 2 or not event.attack.dice:
        return ""
    return f"; the damage dice are rolled {TIMES[event.times]}"


def _damage_text(event: e.DamageRolled) -> str:
    """Return the damage as a sentence, without the dice if there are none.

    For example, "{ana} rolls damage against {ben} (sword): 2d8 (5 and 8) +2 = 15".
    """
    by = "The GM" if event.attack is UNSET else _id(event.entity)
    how = "" if event.attack is UNSET else f" ({event.attack})"
    half = f", halved to {event.points}" if event.half else ""
    terms = () if event.terms is UNSET else event.terms
    whole = sum(event.dice) + event.bonus + sum(term.value for term in terms)
    points = max(0, whole) if event.half else event.points
    added = f" {_sum_text(terms)}" if terms else ""
    if not event.dice:
        sum_ = f": {event.bonus}{added} = {points}" if added else ""
        return f"{by} deals {_id(event.target)} {points} damage{how}{sum_}{half}"
    bonus = f" {event.bonus:+d}" if event.bonus else ""
    rolled = f"{len(event.dice)}d{event.sides} ({_list_words(event.dice)}){bonus}{added}"
    return f"{by} rolls damage against {_id(event.target)}{how}: {rolled} = {points}{half}"


def _harm_text(event: e.Harmed) -> str:
    """Describe how many points the entity lost and how many are left.

    The total is left out, because the text of the damage roll already gives it.
    """
    who, energy = _id(event.entity), ENERGY[event.nature]
    costs = ((event.absorbed, energy.value), (event.points - event.absorbed, "HP"))
    lost = [f"{number} {name}" for number, name in costs if number]
    if not lost:
        return f"{who} takes no damage ({event.cause})"
    cause = f"{event.nature} damage ({event.cause})"
    points = event.pools.sp if energy is Energy.SP else event.pools.mp
    left = f"{energy} {points}, HP {event.pools.hp}{_status_text(event.status)}"
    return f"{who} loses {_list_words(lost)} to {cause}: {left}"


def _status_text(status: Status) -> str:
    return "" if status is Status.OK else f", {status}"


SPEEDS = {
    Mode.WALK: "walking",
    Mode.CLIMB: "climbing",
    Mode.FLIGHT: "flying",
    Mode.SWIM: "swimming",
    Mode.DIG: "digging",
    Mode.COSMIC: "cosmic",
    Mode.BLINK: "blink",
}
MOVES = {
    Mode.WALK: "walks",
    Mode.CLIMB: "climbs",
    Mode.FLIGHT: "flies",
    Mode.SWIM: "swims",
    Mode.DIG: "digs",
    Mode.BLINK: "blinks",
}


def _move_text(mode: Mode, distance: int, sprint: bool) -> str:
    """Return the movement as text, with the mode unless the verb implies it."""
    feet = _feet_text(distance)
    if sprint:
        return f"sprints {feet}{'' if mode is Mode.WALK else f' ({mode})'}"
    return f"{MOVES[mode]} {feet}" if mode in MOVES else f"moves {feet} ({mode})"


def _feet_text(distance: int) -> str:
    return "1 foot" if distance == 1 else f"{distance} feet"


def _rest_text(event: e.Rested) -> str:
    pools = event.pools
    gains = ((_amount(pools, gauge) - _amount(event.old, gauge), gauge) for gauge in Gauge)
    gained = [
        f"{number} {gauge.replace('dice', 'die') if number == 1 else gauge}"
        for number, gauge in gains
        if number
    ]
    rested = f"{event.length}{' with medical care' if event.care else ''}"
    back = f" and gets back {_list_words(gained)}" if gained else " but gets nothing back"
    energies = f"{_energy_left(pools, Energy.SP)}, {_energy_left(pools, Energy.MP)}"
    left = f"HP {pools.hp}, {energies}{_status_text(event.status)}"
    return f"{_id(event.entity)} takes a {rested}{back}: {left}"


def _energy_left(pools: Pools, energy: Energy) -> str:
    """Return the points and dice left, for example "SP 25 (4 dice left)"."""
    points, left, owned = (
        (pools.sp, pools.sp_dice, pools.sp_owned)
        if energy is Energy.SP
        else (pools.mp, pools.mp_dice, pools.mp_owned)
    )
    dice_ = "die" if left == 1 else "dice"
    return f"{energy} {points}" + (f" ({left} {dice_} left)" if owned else "")


def _condition_text(condition: str, *, over: bool = False) -> str:
    """Return the condition as a predicate, with "has" for aphonia and "is" for all others."""
    if condition == Named.APHONIA:
        return f"{'no longer has' if over else 'has'} {condition}"
    return f"{'is no longer' if over else 'is'} {condition}"


LONG_MINUTES = 2 * 60  # durations of this length or more are given in hours and minutes


def _lasting_text(rounds: int | UnsetType, minutes: int | UnsetType, *, more: bool = False) -> str:
    """Return the duration as text, such as " for 2 more rounds", or "" if it is unlimited."""
    if rounds is UNSET and minutes is not UNSET and minutes >= LONG_MINUTES:
        duration = _duration_text(minutes * sheet.SECONDS[Unit.MINUTE])
        return f" for {'another ' if more else ''}{duration}"
    number, unit = (minutes, "minute") if rounds is UNSET else (rounds, "round")
    if number is UNSET:
        return ""
    return f" for {number}{' more' if more else ''} {unit if number == 1 else f'{unit}s'}"


DURATIONS = {
    "day": sheet.SECONDS[Unit.DAY],
    "hour": sheet.SECONDS[Unit.HOUR],
    "minute": sheet.SECONDS[Unit.MINUTE],
    "second": 1,
}


def _duration_text(seconds: int) -> str:
    """Return the duration as text, for example "8 minutes and 20 seconds"."""
    parts = []
    for name, length in DURATIONS.items():
        number, seconds = divmod(seconds, length)
        if number:
            parts.append(f"{number} {name if number == 1 else f'{name}s'}")
    return _list_words(parts) or "0 seconds"


def _amount(pools: Pools, gauge: Gauge) -> int:
    return {
        Gauge.HP: pools.hp,
        Gauge.SP: pools.sp,
        Gauge.SP_DICE: pools.sp_dice,
        Gauge.MP: pools.mp,
        Gauge.MP_DICE: pools.mp_dice,
    }[gauge]


SUCCESS, FAILURE = "success", "failure"
DAMAGE, DAMAGE_DICE = "damage", "damage dice"
D12 = f"d{dice.DIE}"


def tally(event: e.Event) -> Counts:
    match event:
        case e.Created(who, seat=seat) | e.HandedOver(who, seat=seat):
            return (Owned(who, seat),)
        case e.CheckRolled(who, use, _, throw, threshold):
            return _count_throw(who, use, throw, threshold)
        case e.AttackRolled(who, _, _, throw, threshold):
            return _count_throw(who, RollPurpose.ATTACK, throw, threshold)
        case e.DamageRolled():
            return _count_damage(event)
        case e.Taken(who, use, success=success):
            return () if success is UNSET else (Settled(who, use, SUCCESS if success else FAILURE),)
        case e.CheckSettled(who, use, _, success):
            return (Settled(who, use, SUCCESS if success else FAILURE),)
        case e.AttackRuled(who, _, _, success):
            return (Settled(who, RollPurpose.ATTACK, SUCCESS if success else FAILURE),)
        case (
            e.LevelGained()
            | e.DiceTrained()
            | e.DiceSpent()
            | e.Rested()
            | e.PoolAdjusted()
            | e.StatAdjusted()
            | e.Harmed()
        ):
            return _count_pools(event.entity, event.old, event.pools, WHY[type(event)])
        case e.ConditionSet() | e.ConditionTicked():
            left, is_set = event.rounds, isinstance(event, e.ConditionSet)
            return () if left is UNSET else (Ticked(event.entity, event.condition, left, is_set),)
        case e.ConditionLifted(who, name, rounds) | e.ConditionEnded(who, name, _, rounds):
            return () if rounds is UNSET else (Ticked(who, name, 0, is_set=True),)
        case (
            e.Retired()
            | e.SkillLearned()
            | e.ProficiencySet()
            | e.AttackLearned()
            | e.SpeedSet()
            | e.DefenceSet()
            | e.ModifierSet()
            | e.CheckOpened()
            | e.TermsSet()
            | e.SaveForced()
            | e.Dropped()
            | e.AttackAnnounced()
            | e.AttackTermsSet()
            | e.Moved()
            | e.Granted()
            | e.TimePassed()
            | e.SceneSet()
        ):
            return ()
        case _:
            raise TypeError(event)


WHY: dict[type[e.Event], str] = {
    e.LevelGained: "level",
    e.DiceTrained: "trained",
    e.DiceSpent: "spent",
    e.Rested: "rest",
    e.PoolAdjusted: "adjusted",
    e.StatAdjusted: "adjusted",
    e.Harmed: "damage",
}


def _count_throw(who: str, use: RollPurpose, throw: Throw, threshold: int | UnsetType) -> Counts:
    """Return each die, the outcome with its odds, and the result if there is a threshold."""
    rolls = [Rolled(who, D12, str(face), use) for face in throw.dice]
    is_save = use is RollPurpose.SAVE
    automatic = is_save or use is RollPurpose.ATTACK
    attempted = Attempted(
        who,
        use,
        " + ".join(map(str, throw.dice)),
        str(throw.sum),
        _sum_chances(throw.twist, throw.capped),
        stakes="harm" if automatic else "",
        is_save=is_save,
        given=_given(throw),
    )
    if threshold is UNSET:
        return *rolls, attempted
    ways = dice.ways(throw.twist, throw.capped, throw.modifier, threshold, automatic)
    outcome = SUCCESS if dice.succeeds(throw.sum, throw.modifier, threshold, automatic) else FAILURE
    attempted = replace(
        attempted,
        outcome=outcome,
        chances=_success_chances(ways, dice.faces(throw.twist)),
        successes=(SUCCESS,) if ways else (),
        given=attempted.given | {"threshold": threshold},
    )
    return *rolls, attempted, Settled(who, use, outcome, outcome)


@lru_cache
def _sum_chances(twist: dice.Twist, capped: bool) -> dict[str, Probability]:
    """Return the probability of each sum of a throw. The lowest sum is the worst."""
    whole = dice.faces(twist)
    return {str(sum_): (ways, whole) for sum_, ways in dice.sums(twist, capped).items()}


def _success_chances(ways: int, whole: int) -> dict[str, Probability]:
    chances: dict[str, Probability] = {FAILURE: (whole - ways, whole), SUCCESS: (ways, whole)}
    return {outcome: chance for outcome, chance in chances.items() if chance[0]}


def _given(throw: Throw) -> dict[str, int | str]:
    """Return the throw's advantage, kept dice and modifier, and its cap if it has one."""
    given: dict[str, int | str] = {
        "twist": throw.twist,
        "kept": " ".join(map(str, throw.kept)),
        "modifier": throw.modifier,
    }
    return given | {"most": dice.UNTRAINED} if throw.capped else given


def _count_damage(event: e.DamageRolled) -> Counts:
    """Return each die, the sum of the dice with its odds, and the damage.

    If an attack does the damage, `entity` is the attacker, for whom a high sum is good. If the GM
    deals it, `entity` is the victim, for whom a low sum is good.
    """
    who, faces = event.entity, [str(face) for face in event.dice]
    rolls = (Rolled(who, f"d{event.sides}", face, DAMAGE) for face in faces)
    return (
        *rolls,
        *_damage_attempt(event, " + ".join(faces)),
        Settled(who, DAMAGE, str(event.points)),
    )


def _damage_attempt(event: e.DamageRolled, value: str) -> tuple[Attempted, ...]:
    """Return the sum of the damage dice with its odds, or () if the odds cannot be stored."""
    is_attack = event.attack is not UNSET
    chances = sum_chances(len(event.dice), event.sides, high_is_good=is_attack)
    if not event.dice or not chances:
        return ()
    sum_ = str(sum(event.dice))
    return (Attempted(event.entity, DAMAGE_DICE, value, sum_, chances, stakes="harm"),)


def _count_pools(who: str, old: Pools, new: Pools, why: str) -> Counts:
    changes = ((gauge, _amount(new, gauge) - _amount(old, gauge)) for gauge in Gauge)
    return tuple(Moved(who, gauge, by, why, _amount(new, gauge)) for gauge, by in changes if by)
