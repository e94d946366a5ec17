"""The decider for FanSys, with one function per command.

The functions are grouped into modules by topic.
"""

from __future__ import annotations

from domain.chance import Chance
from domain.decider import By, Refused, Role
from domain.rulesets.fansys import commands as c, events as e
from domain.rulesets.fansys.decider import characters, checks, combat, conditions, gm, guards
from domain.rulesets.fansys.state import State


def decide(state: State, command: c.Command, by: By, chance: Chance) -> tuple[e.Event, ...]:
    """Return the events that result from the command.

    Raises Refused, before any number is drawn, if the rules do not allow the command.
    """
    if by.role not in (Role.GM, Role.PLAYER):
        raise Refused("not-playing", role=by.role)
    guards.require_new_texts(command)
    match command:
        case c.Create():
            return characters.create(state, command, by)
        case c.HandOver():
            return characters.hand_over(state, command, by)
        case c.Retire():
            return characters.retire(state, command, by)
        case c.LevelUp():
            return characters.level_up(state, command, by)
        case c.TrainDice():
            return characters.train_dice(state, command, by)
        case c.LearnSkill():
            return characters.learn_skill(state, command, by)
        case c.SetProficiency():
            return characters.set_proficiency(state, command, by)
        case c.LearnAttack():
            return characters.learn_attack(state, command, by)
        case c.Equip():
            return characters.equip(state, command, by)
        case c.SetSpeed():
            return characters.set_speed(state, command, by)
        case c.SetDefence():
            return characters.set_defence(state, command, by)
        case c.SetModifier():
            return characters.set_modifier(state, command, by)
        case c.OpenCheck():
            return checks.open_check(state, command, by)
        case c.OpenSave():
            return checks.open_save(state, command, by)
        case c.SetTerms():
            return checks.set_terms(state, command, by)
        case c.ForceSave():
            return checks.force_save(state, command, by)
        case c.Oppose():
            return checks.oppose(state, command, by)
        case c.Roll():
            return checks.roll(state, command, by, chance)
        case c.Take():
            return checks.take(state, command, by)
        case c.FailWillingly():
            return checks.fail_willingly(state, command, by)
        case c.RuleCheck():
            return checks.rule_check(state, command, by)
        case c.Drop():
            return checks.drop(state, command, by)
        case c.Attack():
            return combat.attack(state, command, by, chance)
        case c.AnnounceAttack():
            return combat.announce_attack(state, command, by)
        case c.SetAttackTerms():
            return combat.set_attack_terms(state, command, by)
        case c.RollAttack():
            return combat.roll_attack(state, command, by, chance)
        case c.RuleAttack():
            return combat.rule_attack(state, command, by)
        case c.RollDamage():
            return combat.roll_damage(state, command, by, chance)
        case c.Harm():
            return combat.harm(state, command, by, chance)
        case c.Move():
            return combat.move(state, command, by)
        case c.SpendDice():
            return gm.spend_dice(state, command, by)
        case c.Rest():
            return gm.rest(state, command, by)
        case c.Grant():
            return gm.grant(state, command, by)
        case c.SetCondition():
            return conditions.set_condition(state, command, by)
        case c.LiftCondition():
            return conditions.lift_condition(state, command, by)
        case c.EndCondition():
            return conditions.end_condition(state, command, by)
        case c.PassTime():
            return conditions.pass_time(state, command, by)
        case c.SetScene():
            return gm.set_scene(state, command, by)
        case c.AdjustPool():
            return gm.adjust_pool(state, command, by)
        case c.AdjustStat():
            return gm.adjust_stat(state, command, by)
        case _:
            raise TypeError(command)
