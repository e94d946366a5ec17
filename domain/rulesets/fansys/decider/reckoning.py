"""What a roll or a save DC adds, from whom it comes, and what it is rolled with."""

from __future__ import annotations

from collections.abc import Iterable

from domain.chance import Chance
from domain.rulesets.fansys.decider import guards
from domain.rulesets.fansys.rules import conditions, dice, sheet, stacking
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.records import Attack, Check, Term, Throw
from domain.rulesets.fansys.rules.words import BODILY, Applies, Energy, Nature, Options, Stat, Use
from domain.rulesets.fansys.state import Entity, State

BASE, NAT, SUP, POINTS = "Base", "Nat", "Sup", "points"


def of_check(state: State, of: Entity, check: Check, stats: tuple[Stat, ...]) -> tuple[Term, ...]:
    """Of a skill, an ability, or the save chosen."""
    match check.use:
        case Use.SKILL:
            own = _skill(state.options, of, check.name)
        case Use.SAVE:
            own = _prowess(state.options, of, stats[0] in BODILY, stats[0].value)
        case _:
            own = ()
    return _terms(state.options, of, own, stats, stacking.of_use(check.use), check.name)


def of_attack(state: State, of: Entity, attack: Attack) -> tuple[Term, ...]:
    own = _prowess(state.options, of, attack.nature is Nature.NATURAL, attack.proficiency)
    return _terms(state.options, of, own, attack.stats, Applies.ATTACK, attack.name)


def of_dc(state: State, of: Entity, nature: Nature, stat: Stat) -> tuple[Term, ...]:
    natural = nature is Nature.NATURAL
    own = (Term(BASE, sheet.base(of.level)), _bonus(state.options, of, natural))
    return _terms(state.options, of, own, (stat,), Applies.DC, stat.value)


def _skill(options: Options, of: Entity, name: str) -> tuple[Term, ...]:
    skill = guards.skill(of, name)
    base = (
        sheet.base(of.level)
        if sheet.has_base(skill is not None and skill.background, options)
        else 0
    )
    return Term(BASE, base), Term(POINTS, skill.points if skill else 0)


def _prowess(options: Options, of: Entity, natural: bool, proficiency: str) -> tuple[Term, ...]:
    """Base, and Nat or Sup for the proficient."""
    base = Term(BASE, sheet.base(of.level))
    return (base, _bonus(options, of, natural)) if proficiency in of.proficiencies else (base,)


def _bonus(options: Options, of: Entity, natural: bool) -> Term:
    if natural:
        return Term(NAT, sheet.dice_bonus(of.pools.sp_owned, options))
    return Term(SUP, sheet.dice_bonus(of.pools.mp_owned, options))


def _terms(
    options: Options,
    of: Entity,
    own: tuple[Term, ...],
    stats: tuple[Stat, ...],
    applies: Applies,
    name: str,
) -> tuple[Term, ...]:
    """Those that are not 0: the roll's own, the stat bonus, and the modifiers as they stack."""
    stat = Term(" and ".join(stats), sheet.stat_bonus(*(guards.score(of, each) for each in stats)))
    others = stacking.applying(of.modifiers, applies, (name, *(each.value for each in stats)))
    return tuple(term for term in (*own, stat, *stacking.stacked(others, options)) if term.value)


def total(terms: Iterable[Term]) -> int:
    return sum(term.value for term in terms)


def twist_of_check(state: State, of: Entity, check: Check, stats: tuple[Stat, ...]) -> Twist:
    suffered = (
        conditions.on_save(guards.suffered(state, of), stats[0]) if check.use is Use.SAVE else []
    )
    return dice.combined([*of.granted, *suffered])


def twist_of_attack(state: State, of: Entity, target: Entity, attack: Attack) -> Twist:
    own, against = guards.suffered(state, of), guards.suffered(state, target)
    return dice.combined(
        [*of.granted, *conditions.on_attack(own, against, attack.reach, attack.nature)]
    )


def capped(state: State, of: Entity, check: Check) -> bool:
    """The source: with no points in the skill no sum above 12 counts."""
    if not state.options.source_skills or check.use is not Use.SKILL:
        return False
    skill = guards.skill(of, check.name)
    return skill is None or not skill.points


def throw(chance: Chance, twist: Twist, capped: bool, terms: tuple[Term, ...]) -> Throw:
    """Roll them."""
    faces = tuple(chance.draw(dice.DIE) for _ in range(dice.DICE[twist]))
    kept = dice.kept(faces, twist)
    sum_, modifier = dice.adjusted(kept, capped), total(terms)
    return Throw(twist, faces, kept, sum_, capped, terms, modifier, sum_ + modifier)


def absorbs(state: State, of: Entity, energy: Energy) -> bool:
    """Whether SP or MP stand before HP, as they do but for some conditions of the source."""
    return not conditions.skips(guards.suffered(state, of), energy)


def threshold_with_care(terms: Iterable[Term]) -> int:
    return sheet.CARE + total(terms)
