"""The text for a roll: the dice that were rolled, the dice that are kept, and the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor
from operator import truediv

from domain.rulesets.open.dice import DiceResult, counted_chains, counted_faces
from domain.rulesets.open.notation import (
    OPERATIONS,
    BinaryOperation,
    Dice,
    Expression,
    Negative,
    Number,
    Operations,
    Parentheses,
    dice_of,
)

Term = tuple[str, Expression]
"""The sign of a term in a sum, and the term."""

EXACT_OPERATIONS: Operations = {**OPERATIONS, "/": truediv}
"""Arithmetic of fractions. Division is exact."""


def describe_roll(expression: Expression, dice: Sequence[DiceResult], total: int) -> str:
    """Describe the roll, for example "17 and 4, keeps 17, +5 = 22".

    A sum that starts with dice is described term by term. In any other expression, the dice come
    first and then the calculation, such as "4, so (4+2)*3 = 18". If the exact result differs, the
    text says that it was rounded. Raises ValueError if the results do not match the dice of the
    expression.
    """
    words = [
        _dice_words(each, result) for each, result in zip(dice_of(expression), dice, strict=True)
    ]
    terms = tuple(_terms(expression))
    if not words:
        return str(total)
    if isinstance(terms[0][1], Dice) and all(isinstance(term, Dice | Number) for _, term in terms):
        if len(terms) == 1 and _has_value_at_end(terms[0][1], dice[0]):
            return words[0]
        return f"{_sum_words(terms, iter(words))} = {total}"
    values = [result.value for result in dice]
    calculation = _calculation(expression, iter(values))
    ending = _equals(_exact(expression, iter(values)), total) if calculation != str(total) else ""
    return f"{', then '.join(words)}, so {calculation}{ending}"


def _equals(exact: Fraction, total: int) -> str:
    """Return the result after its calculation, for example " = 18" or ", rounded down, is 12"."""
    if exact == total:
        return f" = {total}"
    # 10-7/2 is 7, because only the quotient is rounded down, not the result as a whole.
    how = "rounded down" if floor(exact) == total else "with division rounding down"
    return f", {how}, is {total}"


def _terms(expression: Expression) -> Iterator[Term]:
    match expression:
        case BinaryOperation(("+" | "-") as sign, left, right):
            yield from _terms(left)
            yield sign, right
        case _:
            yield "+", expression


def _has_value_at_end(term: Expression, result: DiceResult) -> bool:
    """Return True if the text for the dice already ends with the value of the dice."""
    counts = isinstance(term, Dice) and term.count is not None
    return counts or len(counted_faces(result)) - len(result.dropped) == 1


def _sum_words(terms: Sequence[Term], dice_words: Iterator[str]) -> str:
    words: list[str] = []
    for sign, term in terms:
        if isinstance(term, Number):
            words.append(f"{sign}{term.number}{_label_words(term.label)}")
        else:
            joined = {"+": "plus ", "-": "minus "}[sign] if words else ""
            words.append(joined + next(dice_words))
    return ", ".join(words)


def _dice_words(dice: Dice, result: DiceResult) -> str:
    """Return the faces, then those that are kept, then the number of successes."""
    words = join(tuple(_face_words(dice, result)))
    dropped = set(result.dropped)
    if dropped:
        faces = enumerate(counted_faces(result))
        kept = [_face(dice, face) for nth, face in faces if nth not in dropped]
        words += f", keeps {join(kept)}"
    if dice.count is not None:
        words += f": {result.value or 'no'} {'success' if result.value == 1 else 'successes'}"
    return words + _label_words(dice.label)


def _face_words(dice: Dice, result: DiceResult) -> Iterator[str]:
    """Yield the faces that count. A face that exploded is marked with an exclamation mark."""
    rerolled = set(result.rerolled)
    for die, faces in enumerate(counted_chains(result)):
        for nth, face in enumerate(faces):
            explodes = "!" if nth + 1 < len(faces) else ""
            is_second = die in rerolled and not nth
            before = f" (instead of {_face(dice, result.rolled[die][0])})" if is_second else ""
            yield f"{_face(dice, face)}{explodes}{before}"


def _face(dice: Dice, face: int) -> str:
    """Return the face as text. The faces of Fudge dice have a sign, except for 0."""
    return f"{face:+d}" if dice.low < 1 and face else str(face)


def _label_words(label: str) -> str:
    return f" ({label})" if label else ""


def _calculation(expression: Expression, values: Iterator[int]) -> str:
    """Return the expression with the values of its dice, which are taken from `values`.

    The labels of numbers and groups stay in brackets. The labels of dice are left out, because the
    text before the calculation contains them.
    """
    match expression:
        case Number(number, label):
            return f"{number}{_label_in_brackets(label)}"
        case Dice():
            value = next(values)
            return f"({value})" if value < 0 else str(value)
        case Parentheses(inner, label):
            return f"({_calculation(inner, values)}){_label_in_brackets(label)}"
        case Negative(operand):
            return f"-{_calculation(operand, values)}"
        case BinaryOperation(operator, left, right):
            return f"{_calculation(left, values)}{operator}{_calculation(right, values)}"


def _label_in_brackets(label: str) -> str:
    return f"[{label}]" if label else ""


def _exact(expression: Expression, values: Iterator[int]) -> Fraction:
    """Return the value without any rounding. The values of the dice are taken from `values`."""
    match expression:
        case Number(number):
            return Fraction(number)
        case Dice():
            return Fraction(next(values))
        case Parentheses(inner):
            return _exact(inner, values)
        case Negative(operand):
            return -_exact(operand, values)
        case BinaryOperation(operator, left, right):
            first = _exact(left, values)
            result: Fraction = EXACT_OPERATIONS[operator](first, _exact(right, values))
            return result


def join(words: Sequence[str]) -> str:
    """Return the words as a list, with "and" before the last one."""
    *others, last = words or [""]
    return f"{', '.join(others)} and {last}" if others else last
