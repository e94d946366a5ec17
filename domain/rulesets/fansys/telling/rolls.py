"""What the log says of checks, attacks and damage."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET, UnsetType

from domain.rulesets.fansys.messages.events.checks import (
    Check,
    CheckOpened,
    CheckRolled,
    CheckSettled,
    Dropped,
    SaveForced,
    Taken,
    TermsSet,
)
from domain.rulesets.fansys.messages.events.combat import (
    AttackRolled,
    Combat,
    DamageRolled,
    Harmed,
    Moved,
)
from domain.rulesets.fansys.rules.dice import DOUBLE_TWELVE, PLAIN, SNAKE_EYES
from domain.rulesets.fansys.rules.records import Check as Open
from domain.rulesets.fansys.rules.records import Term, Throw
from domain.rulesets.fansys.rules.sheet import DC, difficulty
from domain.rulesets.fansys.rules.words import ENERGY, Use

TIMES = {1: "once", 2: "twice", 3: "three times"}


def id_(entity: str) -> str:
    return f"{{{entity}}}"


def tell_check(event: Check) -> str:
    match event:
        case CheckOpened(who, check):
            return f"{id_(who)} is to {_task(check)}{_up_against(check)}."
        case TermsSet(who):
            return f"{id_(who)}'s check is on these terms: {', '.join(_terms_set(event))}."
        case SaveForced(who, target, nature, terms, dc):
            sum_ = f"{DC} {terms_(terms)}" if terms else str(DC)
            return f"{id_(who)} forces a save on {id_(target)} by {nature} means: save DC {sum_} = {dc}."
        case CheckRolled(who, use, name, throw):
            return f"{id_(who)} rolls {_name(use, name)}{_thrown(throw)}{_result(event)}."
        case Taken(who, use, name, number, terms, total, tries):
            cost = f", at the cost of {tries} tries" if tries > 1 else ""
            sum_ = f"{number} {terms_(terms)} = {total}" if terms else str(total)
            return (
                f"{id_(who)} takes {number} for {_name(use, name)}: {sum_}{_outcome(event)}{cost}."
            )
        case CheckSettled(who, use, name, success, why, reason):
            because = why if reason is UNSET else f"{why}, {reason}"
            return f"{id_(who)} {'succeeds' if success else 'fails'} at {_name(use, name)} without a roll ({because})."
        case Dropped(who, reason):
            return f"What {id_(who)} was about to roll is called off ({reason})."


def _task(check: Open) -> str:
    match check.use:
        case Use.SAVE:
            return f"make a {check.name} save"
        case Use.SKILL:
            return f"roll {check.name} ({' and '.join(check.stats)})"
        case _:
            return f"make a {check.name} check"


def _up_against(check: Open) -> str:
    keeper = (
        "" if check.against is UNSET else f" against {id_(check.against)}, who keeps the status quo"
    )
    if check.threshold is UNSET:
        return f"{keeper} and rolls first" if keeper else ""
    return (
        f"{keeper}: {_level(check.threshold)}" if keeper else f" against {_level(check.threshold)}"
    )


def _level(threshold: int) -> str:
    return f"{threshold} ({difficulty(threshold)})"


def _terms_set(event: TermsSet) -> list[str]:
    said: list[tuple[int | bool | UnsetType, str]] = [
        (
            event.threshold,
            "" if event.threshold is UNSET else f"threshold {_level(event.threshold)}",
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


def _name(use: Use, name: str) -> str:
    return {Use.SAVE: f"a {name} save", Use.ABILITY: f"a {name} check"}.get(use, name)


def terms_(terms: Iterable[Term]) -> str:
    """What is added, each by its name: +1 Base +2 DEX."""
    return " ".join(f"{term.value:+d} {term.name}" for term in terms)


def _thrown(throw: Throw) -> str:
    """: 7 and 12, sum 21 +1 Base +2 DEX = 24"""
    dice = _and(throw.dice)
    if throw.twist is not PLAIN:
        dice = f"{dice}, keeping {_and(throw.kept)}"
    twist = "" if throw.twist is PLAIN else f" with {throw.twist}"
    capped = " (untrained)" if throw.capped else ""
    total = f" {terms_(throw.terms)} = {throw.total}" if throw.terms else ""
    return f"{twist}: {dice}, sum {throw.sum}{capped}{total}"


def _and(faces: tuple[int, ...]) -> str:
    *first, last = map(str, faces)
    return f"{', '.join(first)} and {last}" if first else last


def _outcome(event: CheckRolled | Taken) -> str:
    if event.threshold is UNSET:
        return ""
    return f" against {_level(event.threshold)}, a {'success' if event.success else 'failure'}"


def _result(event: CheckRolled) -> str:
    by = _automatic(event.throw) if event.use is Use.SAVE else ""
    return f"{_outcome(event)}{by}"


def _automatic(throw: Throw) -> str:
    return {SNAKE_EYES: " by snake eyes", DOUBLE_TWELVE: " by double twelve"}.get(throw.sum, "")


def tell_combat(event: Combat) -> str:
    match event:
        case AttackRolled(who, target, attack, throw, threshold, success):
            end = (
                f"a hit{_automatic(throw)}{_repeated(event)}"
                if success
                else f"a miss{_automatic(throw)}"
            )
            return f"{id_(who)} attacks {id_(target)} with {attack.name}{_thrown(throw)} against HiT {threshold}, {end}."
        case DamageRolled(who, target):
            by = "Damage" if event.attack is UNSET else f"{id_(who)}'s damage with {event.attack}"
            return f"{by} to {id_(target)}: {_damage(event)}."
        case Harmed(who, nature, points, absorbed, cause, _, pools, status):
            lost = f"{absorbed} from {ENERGY[nature]}, {points - absorbed} from HP"
            return f"{id_(who)} takes {points} {nature} damage ({cause}): {lost}; HP {pools.hp}, {status}."
        case Moved(who, mode, distance, sprint):
            return f"{id_(who)} {'sprints' if sprint else 'moves'} {distance} feet ({mode})."


def _repeated(event: AttackRolled) -> str:
    return f", the damage dice {TIMES[event.times]}" if event.times > 1 else ""


def _damage(event: DamageRolled) -> str:
    """2d8 (5 and 8) +2 = 15"""
    bonus = f" {event.bonus:+d}" if event.bonus else ""
    rolled = (
        f"{len(event.dice)}d{event.sides} ({_and(event.dice)}){bonus}"
        if event.dice
        else str(event.bonus)
    )
    half = ", halved" if event.half else ""
    return f"{rolled}{half} = {event.points}" if event.dice or half else str(event.points)
