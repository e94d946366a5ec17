"""What needs no roll: who always succeeds, who cannot succeed, and what is never in doubt (RULES 8.9 to 8.11)."""

from __future__ import annotations

from msgspec import UNSET

from domain.rulesets.fansys.decider import guards, reckoning
from domain.rulesets.fansys.rules import dice
from domain.rulesets.fansys.rules.records import Check
from domain.rulesets.fansys.rules.words import CON, INT, WIS, Stat, Use, Why
from domain.rulesets.fansys.state import Entity, State

Verdict = tuple[bool, Why]


def verdict(state: State, of: Entity, check: Check, stats: tuple[Stat, ...]) -> Verdict | None:
    """Success or failure without a roll and why; None: roll. The book's absolute words stand before all."""
    if check.use is Use.SAVE:
        return (
            _unaffected(of, stats[0]) or _barred(state, of, stats, save=True) or _lacking(of, stats)
        )
    if stats != (CON,) and guards.unable(state, of):
        return False, Why.CANNOT_ACT
    return (
        _barred(state, of, stats, save=False)
        or _lacking(of, stats)
        or _sure(state, of, check, stats)
    )


def _unaffected(of: Entity, stat: Stat) -> Verdict | None:
    if stat is CON and of.bodiless:
        return True, Why.BODILESS
    if stat in (INT, WIS) and mindless(of):
        return True, Why.MINDLESS
    return None


def mindless(of: Entity) -> bool:
    return of.mindless or not guards.score(of, INT)


def _barred(state: State, of: Entity, stats: tuple[Stat, ...], *, save: bool) -> Verdict | None:
    suffered = guards.suffered(state, of)
    barred = {stat for does in suffered for stat in (does.no_saves if save else does.no_checks)}
    return (False, Why.CONDITION) if barred & set(stats) else None


def _lacking(of: Entity, stats: tuple[Stat, ...]) -> Verdict | None:
    """With none of the stats that it is made with it cannot be made."""
    return None if any(guards.score(of, stat) for stat in stats) else (False, Why.NO_STAT)


def _sure(state: State, of: Entity, check: Check, stats: tuple[Stat, ...]) -> Verdict | None:
    """The threshold lies under the worst roll or over the best one."""
    if check.threshold is UNSET:
        return None
    modifier = reckoning.total(reckoning.of_check(state, of, check, stats))
    best = dice.adjusted((dice.DIE, dice.DIE), reckoning.capped(state, of, check))
    if dice.SNAKE_EYES + modifier >= check.threshold:
        return True, Why.SURE
    return (False, Why.SURE) if best + modifier < check.threshold else None
