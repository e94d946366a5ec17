"""What the log says: one plain sentence for an event, in the words of the rulebook; `{ana}` for an entity's name."""

from __future__ import annotations

from msgspec import UNSET

from domain.rulesets.fansys.messages.events import Event
from domain.rulesets.fansys.messages.events.characters import (
    AttackLearned,
    Created,
    DefenceSet,
    DiceTrained,
    HandedOver,
    LevelGained,
    ModifierSet,
    ProficiencySet,
    SkillLearned,
    SpeedSet,
)
from domain.rulesets.fansys.messages.events.checks import (
    CheckOpened,
    CheckRolled,
    CheckSettled,
    Dropped,
    SaveForced,
    Taken,
    TermsSet,
)
from domain.rulesets.fansys.messages.events.combat import AttackRolled, DamageRolled, Harmed, Moved
from domain.rulesets.fansys.rules.records import Modifier
from domain.rulesets.fansys.rules.sheet import ADVISED_SAVES
from domain.rulesets.fansys.rules.words import Energy, Stat
from domain.rulesets.fansys.telling import rolls, upkeep
from domain.rulesets.fansys.telling.rolls import id_


def tell(event: Event) -> str:
    match event:
        case Created() | HandedOver() | LevelGained() | DiceTrained():
            return _tell_growth(event)
        case (
            SkillLearned()
            | ProficiencySet()
            | AttackLearned()
            | SpeedSet()
            | DefenceSet()
            | ModifierSet()
        ):
            return _tell_sheet(event)
        case (
            CheckOpened()
            | TermsSet()
            | SaveForced()
            | CheckRolled()
            | Taken()
            | CheckSettled()
            | Dropped()
        ):
            return rolls.tell_check(event)
        case AttackRolled() | DamageRolled() | Harmed() | Moved():
            return rolls.tell_combat(event)
        case _:
            return upkeep.tell_mastery(event)


def _tell_growth(event: Created | HandedOver | LevelGained | DiceTrained) -> str:
    match event:
        case Created(who):
            pools = event.pools
            left = f"{pools.hp} HP, {pools.sp} SP and {pools.mp} MP"
            return f"{id_(who)} comes to the table: {event.race} {event.entity_type}, level {event.level}, with {left}."
        case HandedOver(who, being, _, seat, reason):
            return f"{id_(who)} is played by {id_(seat)} from now on as {being} ({reason})."
        case LevelGained(who, level, reason):
            return f"{id_(who)} is now of level {level} ({reason})."
        case DiceTrained(who, energy, capacity):
            owned = event.pools.sp_owned if energy is Energy.SP else event.pools.mp_owned
            return f"{id_(who)} owns {owned} {energy} dice of {capacity} at most."


def _tell_sheet(
    event: SkillLearned | ProficiencySet | AttackLearned | SpeedSet | DefenceSet | ModifierSet,
) -> str:
    match event:
        case SkillLearned(who, skill):
            kind = "background skill" if skill.background else "skill"
            points = "1 point" if skill.points == 1 else f"{skill.points} points"
            return f"{id_(who)} has the {kind} {skill.name} ({' and '.join(skill.stats)}) with {points}."
        case ProficiencySet(who, thing, known, saves):
            return f"{id_(who)} {'is' if known else 'is no longer'} proficient with {_thing(thing, known, saves)}."
        case AttackLearned(who, attack):
            dice = (
                f"{attack.dice}d{attack.sides} {attack.bonus:+d}"
                if attack.dice
                else str(attack.bonus)
            )
            return f"{id_(who)} has the attack {attack.name}: {attack.nature}, {attack.reach}, damage {dice}."
        case SpeedSet(who, mode, _, speed):
            return f"{id_(who)} has a {mode} speed of {speed}."
        case DefenceSet(who, defence, _, hit):
            what = (
                f"{defence.bonus:+d} {defence.part}"
                if defence.bonus
                else f"no {defence.part} bonus"
            )
            return f"{id_(who)} has {what} from {defence.source} ({defence.layer}): HiT {hit}."
        case ModifierSet(who, modifier):
            return f"{id_(who)} has {_modifier(modifier)}."


def _thing(thing: str, known: bool, saves: int) -> str:
    """A save by its name; more of them than the book advises are remarked on."""
    if thing not in tuple(Stat):
        return thing
    over = known and saves > ADVISED_SAVES
    return f"{thing} saves" + (
        f" (its {saves} saves are more than the {ADVISED_SAVES} advised)" if over else ""
    )


def _modifier(modifier: Modifier) -> str:
    aim = modifier.applies if modifier.only is UNSET else f"{modifier.applies} ({modifier.only})"
    value = f"{modifier.value:+d} to {aim}" if modifier.value else f"no modifier to {aim}"
    return f"{value} from {modifier.source} ({modifier.nature}, {modifier.type}; {modifier.origin})"
