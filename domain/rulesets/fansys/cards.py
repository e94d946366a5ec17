"""Roll cards of FanSys: two dice that count, what is added to them, and the threshold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from domain.roll_card import (
    BEST,
    WORST,
    DiceDrawing,
    Drawing,
    DrawnDie,
    RollCard,
    SumDrawing,
    SumPart,
    details,
    plain_dice,
)
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.rules import dice
from domain.rulesets.fansys.rules.dice import DIE, PLAIN
from domain.rulesets.fansys.rules.vocabulary import RollPurpose, Throw

HIT_THRESHOLD, THRESHOLD = "HiT", "DT"
MARKS = {DIE: f"+{dice.TWELVE}", 1: f"\N{MINUS SIGN}{-dice.ONE}"}


def roll_card(event: e.Event) -> RollCard | None:
    """Return what a page shows of the event, or None if it is not a roll."""
    match event:
        case e.AttackRolled(entity, target, attack, throw, threshold, success):
            return RollCard(
                entity,
                f"attacks {{{target}}}",
                details(f"with {attack.name}", _twist(throw), event.aim),
                str(throw.total),
                "2d12",
                "Hit" if success else "Miss",
                _distance(throw.total, threshold),
                BEST if success else WORST,
                tuple(_drawings(throw, threshold, HIT_THRESHOLD)),
            )
        case e.CheckRolled(entity, use, name, throw, threshold, success):
            return RollCard(
                entity,
                _check(use, name),
                details(_twist(throw), event.aim),
                str(throw.total),
                "2d12",
                _verdict(success),
                "" if threshold is UNSET else _distance(throw.total, threshold),
                _level(success),
                tuple(_drawings(throw, threshold, THRESHOLD)),
            )
        case e.Taken(entity, use, name, number, terms, total):
            parts = (SumPart("taken", number), *(SumPart(each.name, each.value) for each in terms))
            return RollCard(
                entity,
                _check(use, name).replace("rolls", "tries", 1),
                details(f"takes {number}", event.aim),
                str(total),
                "total",
                _verdict(event.success),
                "" if event.threshold is UNSET else _distance(total, event.threshold),
                level=_level(event.success),
                drawings=(SumDrawing(parts, total, event.threshold, THRESHOLD),),
            )
        case e.DamageRolled(entity, target, sides, faces, bonus, half, points):
            terms = event.terms or ()
            added = [SumPart("bonus", bonus)] if bonus else []
            added += [SumPart(each.name, each.value) for each in terms]
            drawings: list[Drawing] = [plain_dice(sides, faces)] if faces else []
            if added:
                parts = (SumPart("dice", sum(faces)), *added)
                whole = sum(part.value for part in parts)
                drawings.append(SumDrawing(parts, whole, note="halved" if half else ""))
            return RollCard(
                entity,
                f"damages {{{target}}}",
                details(f"with {event.attack}" if event.attack else "", event.aim),
                str(points),
                "damage",
                f"{points} damage",
                drawings=tuple(drawings),
            )
        case _:
            return None


def _check(use: RollPurpose, name: str) -> str:
    if use is RollPurpose.SAVE:
        return f"rolls a save of {name}"
    return f"rolls {name}"


def _twist(throw: Throw) -> str:
    return "" if throw.twist is PLAIN else f"with {throw.twist}"


def _distance(total: int, threshold: int) -> str:
    by = total - threshold
    return f"{by} over" if by > 0 else f"{-by} short" if by else "exactly"


def _verdict(success: bool | UnsetType) -> str:
    return "" if success is UNSET else "Success" if success else "Failure"


def _level(success: bool | UnsetType) -> int | UnsetType:
    return UNSET if success is UNSET else BEST if success else WORST


def _drawings(throw: Throw, goal: int | UnsetType, label: str) -> Iterator[Drawing]:
    left, drawn = Counter(throw.kept), list[DrawnDie]()
    for face in throw.dice:
        is_kept = left[face] > 0
        left[face] -= is_kept
        drawn.append(DrawnDie(DIE, str(face), not is_kept, mark=MARKS.get(face, "") * is_kept))
    dropped = len(throw.dice) - len(throw.kept)
    yield DiceDrawing(tuple(drawn), f"{dropped} dropped" if dropped else "")
    sum_ = SumPart("dice", throw.sum)
    parts = (sum_, *(SumPart(term.name, term.value) for term in throw.terms))
    yield SumDrawing(parts, throw.total, goal, "" if goal is UNSET else label)
