"""What a screen shows: characters with their sheets, pools and conditions; the scene; whatever waits."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from domain.rulesets.fansys.rules import conditions, pools, sheet, stacking
from domain.rulesets.fansys.rules.conditions import Condition as Named
from domain.rulesets.fansys.rules.dice import combined
from domain.rulesets.fansys.rules.records import Attack, Check, Hit, Skill
from domain.rulesets.fansys.rules.words import Mode, Options, Scene, Use
from domain.rulesets.fansys.state import Entity, State
from domain.table import Board, Condition, Pool, Table, Task
from domain.table import Entity as Shown


def show(state: State) -> Table:
    """The table as everyone may see it; the scene is a line from safe to combat."""
    return Table(
        entities={entity: _entity(of, state.options) for entity, of in state.entities.items()},
        boards={"scene": Board("line", tuple(Scene), tuple(Scene).index(state.scene))},
        pools={
            name: pool
            for entity, of in state.entities.items()
            for name, pool in _pools(entity, of).items()
        },
        conditions={
            name: each
            for entity, of in state.entities.items()
            for name, each in _conditions(entity, of)
        },
        tasks={
            f"{entity}.check": _check(state, entity, check)
            for entity, check in state.checks.items()
        }
        | {f"{entity}.damage": _hit(state, entity, hit) for entity, hit in state.hits.items()},
    )


def _entity(of: Entity, options: Options) -> Shown:
    """Attacks and skills first; what every character has goes before a skill of the same name."""
    named = {attack.name: _attack(attack) for attack in of.attacks} | {
        held.name: _skill(held) for held in of.skills
    }
    return Shown(of.name, of.seat, of.being, pools.status(of.pools), named | _figures(of, options))


def _attack(of: Attack) -> str:
    flat = f" {of.bonus:+d}" if of.bonus else ""
    dice = f"{of.dice}d{of.sides}{flat}" if of.dice else str(of.bonus)
    spiritual = ", spiritual" if of.spiritual else ""
    return f"{dice} {of.nature} {of.reach}, {' and '.join(of.stats)}{spiritual}"


def _skill(of: Skill) -> str:
    background = ", background" if of.background else ""
    return f"{of.points} points, {' and '.join(of.stats)}{background}"


def _figures(of: Entity, options: Options) -> dict[str, str]:
    scores = zip(sheet.STATS, of.stats, strict=True)
    base, owned = sheet.base(of.level), (of.pools.sp_owned, of.pools.mp_owned)
    nat, sup = (sheet.dice_bonus(dice, options) for dice in owned)
    figures = {
        "level": str(of.level),
        "stats": ", ".join(
            f"{stat} {score} ({sheet.stat_bonus(score):+d})" for stat, score in scores
        ),
        "bonuses": f"Base {base}, Nat {nat}, Sup {sup}",
        "HiT": str(stacking.hit(of.defences)),
        "is": _being(of),
    }
    return figures | {name: text for name, text in _lists(of).items() if text}


def _being(of: Entity) -> str:
    flags = [word for word, flag in (("bodiless", of.bodiless), ("mindless", of.mindless)) if flag]
    return ", ".join([of.size, of.race, of.entity_type, *flags])


def _lists(of: Entity) -> dict[str, str]:
    return {
        "speeds": ", ".join(f"{mode} {of.speeds[mode]}" for mode in Mode if of.speeds.get(mode)),
        "proficient": ", ".join(of.proficiencies),
        "defences": ", ".join(f"{each.source} {each.bonus:+d} {each.part}" for each in of.defences),
        "modifiers": ", ".join(
            f"{each.source} {each.value:+d} {each.only or each.applies}" for each in of.modifiers
        ),
        "looks": of.looks or "",
    }


def _pools(entity: str, of: Entity) -> dict[str, Pool]:
    left = of.pools
    return {
        f"{entity}.hp": Pool(entity, "HP", left.hp, left.hp_max),
        f"{entity}.sp": Pool(entity, "SP", left.sp, left.sp_max),
        f"{entity}.sp-dice": Pool(entity, "SP dice", left.sp_dice, left.sp_owned),
        f"{entity}.mp": Pool(entity, "MP", left.mp, left.mp_max),
        f"{entity}.mp-dice": Pool(entity, "MP dice", left.mp_dice, left.mp_owned),
    }


def _conditions(entity: str, of: Entity) -> Iterator[tuple[str, Condition]]:
    for name, rounds in of.conditions.items():
        label = f"{name} ({conditions.class_of(Named(name))})"
        yield f"{entity}.{name}", Condition(entity, label, rounds or UNSET)
    if of.granted:
        yield f"{entity}.granted", Condition(entity, f"{combined(of.granted)} on the next roll")


def _check(state: State, entity: str, check: Check) -> Task:
    waiting = check.against is not UNSET and check.threshold is UNSET
    waits = (
        "the roll of the other side"
        if waiting
        else "a save"
        if check.use is Use.SAVE
        else "roll, take or fail"
    )
    sheet_ = {"entity": entity, "check": check.name, "stats": ", ".join(check.stats)}
    if check.threshold is not UNSET:
        sheet_["threshold"] = str(check.threshold)
    if check.against is not UNSET:
        sheet_["against"] = check.against
    return Task(_seat(state, entity), check.use, waits, sheet_)


def _hit(state: State, entity: str, hit: Hit) -> Task:
    dice = f"{hit.attack.dice * hit.times}d{hit.attack.sides} {hit.attack.bonus:+d}"
    sheet_ = {"entity": entity, "target": hit.target, "attack": hit.attack.name, "damage": dice}
    return Task(_seat(state, entity), "damage", "roll", sheet_)


def _seat(state: State, entity: str) -> str:
    return state.entities[entity].seat if entity in state.entities else ""
