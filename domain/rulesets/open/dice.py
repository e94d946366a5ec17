"""Rolling: the value of a notation, with one draw for each die (RULES 2 to 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from domain.chance import Chance
from domain.rulesets.open.notation import (
    OPERATIONS,
    BinaryOperation,
    Dice,
    DiceSelection,
    Expression,
    Negative,
    Number,
    Parentheses,
)
from domain.rulesets.open.rules import MAX_EXPLOSIONS


class DiceResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The dice of one kind that were rolled, with faces from `low` to `low + sides - 1`.

    `rolled` lists the faces of each die in the order in which they were rolled: the first face, the
    face after a reroll, and the faces after explosions. `rerolled` lists the indices of the dice
    that were rerolled. The first face of a rerolled die does not count. `dropped` lists indices
    into the faces that count (see `counted_faces`). `value` is the sum of the kept faces, or the
    number of successes among them.
    """

    sides: int
    low: int
    rolled: tuple[tuple[int, ...], ...]
    rerolled: tuple[int, ...]
    dropped: tuple[int, ...]
    value: int


class RollResult(msgspec.Struct, frozen=True):
    """The total of a roll, and the results of its dice in the order of the notation."""

    dice: tuple[DiceResult, ...]
    total: int


def roll(expression: Expression, chance: Chance) -> RollResult:
    """Roll the dice of an expression from left to right, each with its rerolls and explosions."""
    dice: list[DiceResult] = []
    total = _evaluate(expression, chance, dice)
    return RollResult(tuple(dice), total)


def counted_faces(result: DiceResult) -> tuple[int, ...]:
    """Return all faces, including those of dropped dice, but not rerolled faces."""
    return tuple(face for chain in counted_chains(result) for face in chain)


def counted_chains(result: DiceResult) -> Iterator[tuple[int, ...]]:
    """Yield the faces of each die, including dropped ones, except a face that was rerolled."""
    rerolled = set(result.rerolled)
    for die, faces in enumerate(result.rolled):
        yield faces[1:] if die in rerolled else faces


def _evaluate(expression: Expression, chance: Chance, dice: list[DiceResult]) -> int:
    """Return the value of an expression, and append the results of its dice to `dice`."""
    match expression:
        case Number(number):
            return number
        case Dice():
            dice.append(_roll_dice(expression, chance))
            return dice[-1].value
        case Parentheses(inner):
            return _evaluate(inner, chance, dice)
        case Negative(operand):
            return -_evaluate(operand, chance, dice)
        case BinaryOperation(operator, left, right):
            first = _evaluate(left, chance, dice)
            result: int = OPERATIONS[operator](first, _evaluate(right, chance, dice))
            return result


def _roll_dice(dice: Dice, chance: Chance) -> DiceResult:
    rolled, rerolled, counted = list[tuple[int, ...]](), list[int](), list[int]()
    sides = dice.sides
    for die in range(dice.number):
        face = _draw(dice.low, sides, chance)
        before: tuple[int, ...] = ()
        if dice.reroll is not None and dice.reroll.holds(face):
            rerolled.append(die)
            before, face = (face,), _draw(dice.low, sides, chance)
        faces = _exploded(dice, face, chance) if dice.explodes else (face,)
        rolled.append(before + faces)
        counted.extend(faces)
    dropped = _indices_to_drop(dice.selection, counted)
    kept = [face for nth, face in enumerate(counted) if nth not in dropped] if dropped else counted
    value = sum(kept) if dice.count is None else sum(map(dice.count.holds, kept))
    return DiceResult(
        sides, dice.low, tuple(rolled), tuple(rerolled), tuple(sorted(dropped)), value
    )


def _draw(low: int, sides: int, chance: Chance) -> int:
    """Draw a face. The drawn number 1 stands for the lowest face."""
    return chance.draw(sides) + low - 1


def _exploded(dice: Dice, face: int, chance: Chance) -> tuple[int, ...]:
    """Return the face and those of the extra dice.

    Each highest face adds another die, up to a limit.
    """
    faces = [face]
    while faces[-1] == dice.high and len(faces) <= MAX_EXPLOSIONS:
        faces.append(_draw(dice.low, dice.sides, chance))
    return tuple(faces)


def _indices_to_drop(selection: DiceSelection | None, faces: Sequence[int]) -> set[int]:
    """Return the indices of the faces that the selection drops.

    Among equal faces, the selection chooses the first ones.
    """
    if selection is None:
        return set()
    sign = -1 if selection.highest else 1
    ordered = sorted(range(len(faces)), key=lambda nth: sign * faces[nth])
    return set(ordered[selection.number :] if selection.keeps else ordered[: selection.number])
