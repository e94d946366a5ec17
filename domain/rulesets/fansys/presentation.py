"""Presentation of FanSys: the table, event descriptions and statistics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import UNSET, UnsetType

from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.rules import dice, modifiers, sheet
from domain.rulesets.fansys.rules.dice import DOUBLE_TWELVE, PLAIN, SNAKE_EYES, combine
from domain.rulesets.fansys.rules.modifiers import ConditionName as Named
from domain.rulesets.fansys.rules.sheet import ADVISED_SAVES, DC, difficulty
from domain.rulesets.fansys.rules.vocabulary import (
    ENERGY,
    AttackProfile,
    Energy,
    Gauge,
    Mode,
    Modifier,
    Options,
    Pools,
    RollPurpose,
    Scene,
    Skill,
    Stat,
    Term,
    Throw,
    UnresolvedHit,
    UnsettledCheck,
)
from domain.rulesets.fansys.state import Entity, State
from domain.table import Board, Condition, Entity as Shown, Pool, Table, Task
from domain.tally import Counts, Moved, Probability, Rolled, Settled, Ticked, fair_die


def show(state: State) -> Table:
    return Table(
        entities={
            entity: _entity(character, state.options)
            for entity, character in state.entities.items()
        },
        boards={"scene": Board("line", tuple(Scene), tuple(Scene).index(state.scene))},
        pools={
            name: pool
            for entity, character in state.entities.items()
            for name, pool in _pools(entity, character).items()
        },
        conditions={
            name: each
            for entity, character in state.entities.items()
            for name, each in _conditions(entity, character)
        },
        tasks={
            f"{entity}.check": _check(state, entity, check)
            for entity, check in state.checks.items()
        }
        | {f"{entity}.damage": _hit(state, entity, hit) for entity, hit in state.hits.items()},
    )


def _entity(character: Entity, options: Options) -> Shown:
    """Return the character with its sheet for display.

    If entries have the same name, statistics such as "level" override skills, and skills override
    attacks.
    """
    named = {attack.name: _attack(attack) for attack in character.attacks} | {
        held.name: _skill(held) for held in character.skills
    }
    return Shown(
        character.name,
        character.seat,
        character.being,
        sheet.status(character.pools),
        named | _statistics(character, options),
    )


def _attack(attack: AttackProfile) -> str:
    flat = f" {attack.bonus:+d}" if attack.bonus else ""
    dice = f"{attack.dice}d{attack.sides}{flat}" if attack.dice else str(attack.bonus)
    spiritual = ", spiritual" if attack.spiritual else ""
    return f"{dice} {attack.nature} {attack.reach}, {' and '.join(attack.stats)}{spiritual}"


def _skill(skill: Skill) -> str:
    background = ", background" if skill.background else ""
    return f"{skill.points} points, {' and '.join(skill.stats)}{background}"


def _statistics(character: Entity, options: Options) -> dict[str, str]:
    scores = zip(sheet.STATS, character.stats, strict=True)
    base, owned = sheet.base(character.level), (character.pools.sp_owned, character.pools.mp_owned)
    nat, sup = (sheet.dice_bonus(dice, options) for dice in owned)
    figures = {
        "level": str(character.level),
        "stats": ", ".join(
            f"{stat} {score} ({sheet.stat_bonus(score):+d})" for stat, score in scores
        ),
        "bonuses": f"Base {base}, Nat {nat}, Sup {sup}",
        "HiT": str(modifiers.hit_threshold(character.defences)),
        "is": _kind(character),
    }
    return figures | {name: text for name, text in _lists(character).items() if text}


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
            f"{each.source} {each.bonus:+d} {each.part}" for each in character.defences
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
        f"{entity}.hp": Pool(entity, "HP", left.hp, left.hp_max),
        f"{entity}.sp": Pool(entity, "SP", left.sp, left.sp_max),
        f"{entity}.sp-dice": Pool(entity, "SP dice", left.sp_dice, left.sp_owned),
        f"{entity}.mp": Pool(entity, "MP", left.mp, left.mp_max),
        f"{entity}.mp-dice": Pool(entity, "MP dice", left.mp_dice, left.mp_owned),
    }


def _conditions(entity: str, character: Entity) -> Iterator[tuple[str, Condition]]:
    for name, rounds in character.conditions.items():
        label = f"{name} ({modifiers.condition_class(Named(name))})"
        yield f"{entity}.{name}", Condition(entity, label, rounds or UNSET)
    if character.granted:
        yield (
            f"{entity}.granted",
            Condition(entity, f"{combine(character.granted)} on the next roll"),
        )


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
    return Task(_seat(state, entity), check.use, waits, sheet_)


def _hit(state: State, entity: str, hit: UnresolvedHit) -> Task:
    dice = f"{hit.attack.dice * hit.times}d{hit.attack.sides} {hit.attack.bonus:+d}"
    sheet_ = {"entity": entity, "target": hit.target, "attack": hit.attack.name, "damage": dice}
    return Task(_seat(state, entity), "damage", "roll", sheet_)


def _seat(state: State, entity: str) -> str:
    return state.entities[entity].seat if entity in state.entities else ""


def describe(event: e.Event) -> str:
    """Describe the event in one sentence, with entity ids in braces, such as `{ana}`."""
    match event:
        case e.Created(who):
            pools = event.pools
            left = f"{pools.hp} HP, {pools.sp} SP and {pools.mp} MP"
            return f"{_id(who)} comes to the table: {event.race} {event.entity_type}, level {event.level}, with {left}."
        case e.HandedOver(who, being, _, seat, reason):
            return f"{_id(who)} is played by {_id(seat)} from now on as {being} ({reason})."
        case e.LevelGained(who, level, reason):
            return f"{_id(who)} is now of level {level} ({reason})."
        case e.DiceTrained(who, energy, capacity):
            owned = event.pools.sp_owned if energy is Energy.SP else event.pools.mp_owned
            return f"{_id(who)} owns {owned} {energy} dice of {capacity} at most."
        case e.SkillLearned(who, skill):
            kind = "background skill" if skill.background else "skill"
            points = "1 point" if skill.points == 1 else f"{skill.points} points"
            return f"{_id(who)} has the {kind} {skill.name} ({' and '.join(skill.stats)}) with {points}."
        case e.ProficiencySet(who, thing, known, saves):
            return f"{_id(who)} {'is' if known else 'is no longer'} proficient with {_proficiency_text(thing, known, saves)}."
        case e.AttackLearned(who, attack):
            rolled = f"{attack.dice}d{attack.sides} {attack.bonus:+d}"
            damage = rolled if attack.dice else str(attack.bonus)
            return f"{_id(who)} has the attack {attack.name}: {attack.nature}, {attack.reach}, damage {damage}."
        case e.SpeedSet(who, mode, _, speed):
            return f"{_id(who)} has a {mode} speed of {speed}."
        case e.DefenceSet(who, defence, _, hit):
            what = (
                f"{defence.bonus:+d} {defence.part}"
                if defence.bonus
                else f"no {defence.part} bonus"
            )
            return f"{_id(who)} has {what} from {defence.source} ({defence.layer}): HiT {hit}."
        case e.ModifierSet(who, modifier):
            return f"{_id(who)} has {_modifier_text(modifier)}."
        case e.CheckOpened(who, check):
            return f"{_id(who)} is to {_task_text(check)}{_opposition_text(check)}."
        case e.TermsSet(who):
            return f"{_id(who)}'s check is on these terms: {', '.join(_terms_text(event))}."
        case e.SaveForced(who, target, nature, terms, dc):
            sum_ = f"{DC} {_sum_text(terms)}" if terms else str(DC)
            return f"{_id(who)} forces a save on {_id(target)} by {nature} means: save DC {sum_} = {dc}."
        case e.CheckRolled(who, use, name, throw):
            return f"{_id(who)} rolls {_check_name(use, name)}{_throw_text(throw)}{_result(event)}."
        case e.Taken(who, use, name, number, terms, total, tries):
            cost = f", at the cost of {tries} tries" if tries > 1 else ""
            sum_ = f"{number} {_sum_text(terms)} = {total}" if terms else str(total)
            return f"{_id(who)} takes {number} for {_check_name(use, name)}: {sum_}{_outcome_text(event)}{cost}."
        case e.CheckSettled(who, use, name, success, why, reason):
            because = why if reason is UNSET else f"{why}, {reason}"
            return f"{_id(who)} {'succeeds' if success else 'fails'} at {_check_name(use, name)} without a roll ({because})."
        case e.Dropped(who, reason):
            return f"What {_id(who)} was about to roll is called off ({reason})."
        case e.AttackRolled(who, target, attack, throw, threshold, success):
            result = "a hit" if success else "a miss"
            end = f"{result}{_automatic(throw)}{_repeated(event) if success else ''}"
            return f"{_id(who)} attacks {_id(target)} with {attack.name}{_throw_text(throw)} against HiT {threshold}, {end}."
        case e.DamageRolled(who, target):
            by = "Damage" if event.attack is UNSET else f"{_id(who)}'s damage with {event.attack}"
            return f"{by} to {_id(target)}: {_damage_text(event)}."
        case e.Harmed(who, nature, points, absorbed, cause, _, pools, status):
            lost = f"{absorbed} from {ENERGY[nature]}, {points - absorbed} from HP"
            return f"{_id(who)} takes {points} {nature} damage ({cause}): {lost}; HP {pools.hp}, {status}."
        case e.Moved(who, mode, distance, sprint):
            return f"{_id(who)} {'sprints' if sprint else 'moves'} {distance} feet ({mode})."
        case e.DiceSpent(who, energy, dice, ability, _, pools):
            spent = "1 die" if dice == 1 else f"{dice} dice"
            return f"{_id(who)} spends {spent} of {energy} on {ability}; {_energy_left(pools, energy)}."
        case e.Rested(who, length, care, _, pools, status):
            with_care = " with care" if care else ""
            left = (
                f"HP {pools.hp}, {_energy_left(pools, Energy.SP)}, {_energy_left(pools, Energy.MP)}"
            )
            return f"{_id(who)} takes a {length}{with_care}; {left}, {status}."
        case e.Granted(who, _, twist, reason):
            what = "neither advantage nor disadvantage" if twist is PLAIN else twist
            return f"{_id(who)} has {what} on the next roll ({reason})."
        case e.ConditionSet(who, condition, rounds):
            return f"{_id(who)} is {condition}{'' if rounds is UNSET else f' for {_rounds_text(rounds)}'}."
        case e.ConditionTicked(who, condition, rounds) if rounds:
            return f"{_id(who)} is {condition} for {_rounds_text(rounds)} more."
        case e.ConditionTicked() | e.ConditionLifted():
            return f"{_id(event.entity)} is no longer {event.condition}."
        case e.TimePassed(seconds, _, amount, unit):
            if amount is UNSET or unit is UNSET:
                return f"That takes {seconds} seconds."
            return f"{amount} {unit if amount == 1 else f'{unit}s'} {'passes' if amount == 1 else 'pass'}."
        case e.SceneSet(old, new, reason):
            return f"The scene goes from {old} to {new} ({reason})."
        case e.PoolAdjusted(who, gauge, reason, old, pools, status):
            before, after = _amount(old, gauge), _amount(pools, gauge)
            return f"The GM sets the {gauge} of {_id(who)} from {before} to {after} ({reason}); {status}."
        case e.StatAdjusted(who, stat, before, after, reason):
            return f"The GM sets the {stat} of {_id(who)} from {before} to {after} ({reason})."
        case _:
            raise TypeError(event)


def _proficiency_text(thing: str, known: bool, saves: int) -> str:
    """Return the proficiency as text, noting if there are more saves than advised."""
    if thing not in tuple(Stat):
        return thing
    over = known and saves > ADVISED_SAVES
    return f"{thing} saves" + (
        f" (its {saves} saves are more than the {ADVISED_SAVES} advised)" if over else ""
    )


def _modifier_text(modifier: Modifier) -> str:
    aim = modifier.applies if modifier.only is UNSET else f"{modifier.applies} ({modifier.only})"
    value = f"{modifier.value:+d} to {aim}" if modifier.value else f"no modifier to {aim}"
    return f"{value} from {modifier.source} ({modifier.nature}, {modifier.type}; {modifier.origin})"


TIMES = {1: "once", 2: "twice", 3: "three times"}


def _id(entity: str) -> str:
    return f"{{{entity}}}"


def _task_text(check: UnsettledCheck) -> str:
    match check.use:
        case RollPurpose.SAVE:
            return f"make a {check.name} save"
        case RollPurpose.SKILL:
            return f"roll {check.name} ({' and '.join(check.stats)})"
        case _:
            return f"make a {check.name} check"


def _opposition_text(check: UnsettledCheck) -> str:
    keeper = (
        "" if check.against is UNSET else f" against {_id(check.against)}, who keeps the status quo"
    )
    if check.threshold is UNSET:
        return f"{keeper} and rolls first" if keeper else ""
    return (
        f"{keeper}: {_threshold_text(check.threshold)}"
        if keeper
        else f" against {_threshold_text(check.threshold)}"
    )


def _threshold_text(threshold: int) -> str:
    return f"{threshold} ({difficulty(threshold)})"


def _terms_text(event: e.TermsSet) -> list[str]:
    said: list[tuple[int | bool | UnsetType, str]] = [
        (
            event.threshold,
            "" if event.threshold is UNSET else f"threshold {_threshold_text(event.threshold)}",
        ),
        (event.routine, "a routine task" if event.routine is True else "no routine task"),
        (event.tries, f"time and material for {event.tries} tries"),
        (event.seconds, f"{event.seconds} seconds a try"),
        (
            event.may_yield,
            "it may be failed willingly"
            if event.may_yield is True
            else "it may not be failed willingly",
        ),
    ]
    return [text for value, text in said if value is not UNSET]


def _check_name(use: RollPurpose, name: str) -> str:
    return {RollPurpose.SAVE: f"a {name} save", RollPurpose.ABILITY: f"a {name} check"}.get(
        use, name
    )


def _sum_text(terms: Iterable[Term]) -> str:
    """Return the terms as text, for example "+1 Base +2 DEX"."""
    return " ".join(f"{term.value:+d} {term.name}" for term in terms)


def _throw_text(throw: Throw) -> str:
    """Return the throw as text, for example ": 7 and 12, sum 21 +1 Base +2 DEX = 24"."""
    dice = _list_faces(throw.dice)
    if throw.twist is not PLAIN:
        dice = f"{dice}, keeping {_list_faces(throw.kept)}"
    twist = "" if throw.twist is PLAIN else f" with {throw.twist}"
    capped = " (untrained)" if throw.capped else ""
    total = f" {_sum_text(throw.terms)} = {throw.total}" if throw.terms else ""
    return f"{twist}: {dice}, sum {throw.sum}{capped}{total}"


def _list_faces(faces: tuple[int, ...]) -> str:
    *first, last = map(str, faces)
    return f"{', '.join(first)} and {last}" if first else last


def _outcome_text(event: e.CheckRolled | e.Taken) -> str:
    if event.threshold is UNSET:
        return ""
    return f" against {_threshold_text(event.threshold)}, a {'success' if event.success else 'failure'}"


def _result(event: e.CheckRolled) -> str:
    by = _automatic(event.throw) if event.use is RollPurpose.SAVE else ""
    return f"{_outcome_text(event)}{by}"


def _automatic(throw: Throw) -> str:
    return {SNAKE_EYES: " by snake eyes", DOUBLE_TWELVE: " by double twelve"}.get(throw.sum, "")


def _repeated(event: e.AttackRolled) -> str:
    return f", the damage dice {TIMES[event.times]}" if event.times > 1 else ""


def _damage_text(event: e.DamageRolled) -> str:
    """Return the damage as text, for example "2d8 (5 and 8) +2 = 15"."""
    bonus = f" {event.bonus:+d}" if event.bonus else ""
    rolled = (
        f"{len(event.dice)}d{event.sides} ({_list_faces(event.dice)}){bonus}"
        if event.dice
        else str(event.bonus)
    )
    half = ", halved" if event.half else ""
    return f"{rolled}{half} = {event.points}" if event.dice or half else str(event.points)


def _energy_left(pools: Pools, energy: Energy) -> str:
    if energy is Energy.SP:
        return f"SP {pools.sp}, SP dice {pools.sp_dice}"
    return f"MP {pools.mp}, MP dice {pools.mp_dice}"


def _rounds_text(rounds: int) -> str:
    return "1 round" if rounds == 1 else f"{rounds} rounds"


def _amount(pools: Pools, gauge: Gauge) -> int:
    return {
        Gauge.HP: pools.hp,
        Gauge.SP: pools.sp,
        Gauge.SP_DICE: pools.sp_dice,
        Gauge.MP: pools.mp,
        Gauge.MP_DICE: pools.mp_dice,
    }[gauge]


SUCCESS, FAILURE, DAMAGE = "success", "failure", "damage"


def tally(event: e.Event) -> Counts:
    match event:
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
        case e.ConditionSet() | e.ConditionTicked() | e.ConditionLifted():
            return _count_rounds(event)
        case (
            e.Created()
            | e.HandedOver()
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
    """Return the roll with its probabilities, and its result if there is a threshold."""
    source, whole = dice.NOTATION[throw.twist], dice.faces(throw.twist)
    sums: dict[str, Probability] = {
        str(sum_): (n, whole) for sum_, n in dice.sums(throw.twist, throw.capped).items()
    }
    if threshold is UNSET:
        return (
            Rolled(who, source, str(throw.sum), use, sums, scale=tuple(sums), given=_given(throw)),
        )
    automatic = use in (RollPurpose.SAVE, RollPurpose.ATTACK)
    ways = dice.ways(throw.twist, throw.capped, throw.modifier, threshold, automatic)
    outcomes: dict[str, Probability] = {SUCCESS: (ways, whole), FAILURE: (whole - ways, whole)}
    outcome = SUCCESS if dice.succeeds(throw.sum, throw.modifier, threshold, automatic) else FAILURE
    given = _given(throw) | {"threshold": threshold}
    rolled = Rolled(
        who, source, str(throw.sum), use, sums, outcome, outcomes, (FAILURE, SUCCESS), given
    )
    return rolled, Settled(who, use, outcome, outcome)


def _given(throw: Throw) -> dict[str, int | str]:
    """Return the throw's advantage, kept dice and modifier, and its cap if it has one."""
    given: dict[str, int | str] = {
        "twist": throw.twist,
        "kept": " ".join(map(str, throw.kept)),
        "modifier": throw.modifier,
    }
    return given | {"most": dice.UNTRAINED} if throw.capped else given


def _count_damage(event: e.DamageRolled) -> Counts:
    """Return the statistics for each die and for the total damage.

    Only single dice are listed with probabilities, because a sum of many dice has too many possible
    values. High rolls are good for an attacker. Damage dealt by the GM counts toward the target's
    statistics, where low rolls are good.
    """
    chances = fair_die(event.sides)
    scale = tuple(chances)[::-1] if event.attack is UNSET else tuple(chances)
    rolled = (
        Rolled(event.entity, f"d{event.sides}", str(face), DAMAGE, chances, scale=scale)
        for face in event.dice
    )
    return *rolled, Settled(event.entity, DAMAGE, str(event.points))


def _count_pools(who: str, old: Pools, new: Pools, why: str) -> Counts:
    changes = ((gauge, _amount(new, gauge) - _amount(old, gauge)) for gauge in Gauge)
    return tuple(Moved(who, gauge, by, why, _amount(new, gauge)) for gauge, by in changes if by)


def _count_rounds(event: e.ConditionSet | e.ConditionTicked | e.ConditionLifted) -> Counts:
    """Return the rounds left for the condition, or () if it has no time limit."""
    if event.rounds is UNSET:
        return ()
    return (
        Ticked(
            event.entity,
            event.condition,
            0 if isinstance(event, e.ConditionLifted) else event.rounds,
        ),
    )
