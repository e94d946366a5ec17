"""Exact odds of a notation, without trying every throw.

A distribution maps each value to its weight, the number of ways to get it. The sum of all weights
is the number of throws.

Requests for odds run in web processes, so a budget limits the work of a whole computation. Each
part of the computation spends its steps before it begins. The library icepool also computes such
odds, but it does not limit its work.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import comb

from domain.rulesets.open.notation import (
    OPERATIONS,
    BinaryOperation,
    Dice,
    Expression,
    Negative,
    Number,
    Operator,
    Parentheses,
)
from domain.rulesets.open.rules import MAX_EXPLOSIONS

Weights = dict[int, int]
Worths = Mapping[int, int]
"""What each face counts for: its own value, or 1 for a success and 0 for a failure."""

MAX_STEPS = 4_000_000
"""The budget of a computation, about a second. One step multiplies two small weights."""
BITS_OF_A_STEP = 450_000
"""Multiplying weights of at most a and b bits takes 1 + a * b // BITS_OF_A_STEP steps."""
ANSWER_BITS_OF_A_STEP = 4
"""The number of bits of the answer that take one step to convert to fractions, format and send."""
MAX_RESULTS = 20_000
"""The maximum number of values in a distribution."""
MAX_BITS = 8_000
"""The maximum bit length of the number of throws. Python refuses to print much longer integers."""


class TooLargeError(Exception):
    """Raised if odds would take too long to compute."""


class Budget:
    """The steps that a computation may still take."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def spend(self, steps: int) -> None:
        """Subtract the steps from the budget. Raises TooLargeError if fewer are left."""
        self._left -= steps
        if self._left < 0:
            raise TooLargeError


def distribution(
    expression: Expression, max_steps: int = MAX_STEPS
) -> Mapping[int, Fraction] | None:
    """Return the probability of each result, from the lowest to the highest.

    Return None if that would take more than `max_steps`, by default about a second, or if there are
    too many results. Also return None for a selection from exploding dice, which this module does
    not support.
    """
    budget = Budget(max_steps)
    try:
        weights = _weights(expression, budget)
        budget.spend(len(weights) * _bits(weights) // ANSWER_BITS_OF_A_STEP)
    except TooLargeError:
        return None
    throws = sum(weights.values())
    return {value: Fraction(weights[value], throws) for value in sorted(weights)}


def _weights(expression: Expression, budget: Budget) -> Weights:
    match expression:
        case Number(number):
            return {number: 1}
        case Dice():
            return _weights_of_dice(expression, budget)
        case Parentheses(inner):
            return _weights(inner, budget)
        case Negative(operand):
            return _combine("-", {0: 1}, _weights(operand, budget), budget)
        case BinaryOperation(operator, left, right):
            return _combine(operator, _weights(left, budget), _weights(right, budget), budget)


def _bits(weights: Weights) -> int:
    """Return the size of the number of throws, in bits."""
    return sum(weights.values()).bit_length()


def _combine(operator: Operator, left: Weights, right: Weights, budget: Budget) -> Weights:
    """Return the distribution of an operation on two independent values."""
    left_bits, right_bits = _bits(left), _bits(right)
    if left_bits + right_bits > MAX_BITS:
        raise TooLargeError
    budget.spend(len(left) * len(right) * (1 + left_bits * right_bits // BITS_OF_A_STEP))
    operate = OPERATIONS[operator]
    combined: Weights = defaultdict(int)
    for value, weight in left.items():
        for other, times in right.items():
            combined[operate(value, other)] += weight * times
        if len(combined) > MAX_RESULTS:
            raise TooLargeError
    return combined


def _repeat(single: Weights, number: int, budget: Budget) -> Weights:
    """Return the distribution of the sum of `number` independent values."""
    if number == 1:
        return single
    half = _repeat(single, number // 2, budget)
    even = _combine("+", half, half, budget)
    return _combine("+", even, single, budget) if number % 2 else even


def _weights_of_dice(dice: Dice, budget: Budget) -> Weights:
    faces = _faces(dice)
    worths = {face: face if dice.count is None else int(dice.count.holds(face)) for face in faces}
    if dice.selection is not None:
        return _select(dice, faces, worths, budget)
    single = _explode(dice, faces, worths, budget) if dice.explodes else _count(faces, worths)
    return _repeat(single, dice.number, budget)


def _faces(dice: Dice) -> Weights:
    """Return the distribution of the face of one die, after its reroll."""
    faces = range(dice.low, dice.high + 1)
    if dice.reroll is None:
        return dict.fromkeys(faces, 1)
    rerolled = {face for face in faces if dice.reroll.holds(face)}
    return {face: len(rerolled) + dice.sides * (face not in rerolled) for face in faces}


def _count(faces: Weights, worths: Worths) -> Weights:
    """Return the distribution of the value that one die adds to the result."""
    found: Weights = defaultdict(int)
    for face, weight in faces.items():
        found[worths[face]] += weight
    return found


def _explode(dice: Dice, faces: Weights, worths: Worths, budget: Budget) -> Weights:
    """Return the distribution of one exploding die together with its extra dice.

    The loop follows a chain of dice that all show their highest face. `value` and `weight` are the
    value and the weight of this chain. Any other face ends the chain, and the weight then counts
    all faces that the remaining dice could have shown. So all throws have the same number of dice.
    """
    budget.spend(MAX_EXPLOSIONS * dice.sides)
    found: Weights = defaultdict(int)
    value, weight = 0, 1
    for following in range(MAX_EXPLOSIONS, -1, -1):
        for face in range(dice.low, dice.high):
            found[value + worths[face]] += weight * faces[face] * dice.sides**following
        value, weight = value + worths[dice.high], weight * faces[dice.high]
        faces = dict.fromkeys(faces, 1)  # extra dice are not rerolled
    found[value] += weight
    return found


# Kept and dropped dice


def _select(dice: Dice, faces: Weights, worths: Worths, budget: Budget) -> Weights:
    """Return the distribution of the kept dice.

    If the selection drops the lowest dice, compute it as one that keeps the remaining highest.
    """
    selection = dice.selection
    assert selection is not None
    if dice.explodes:
        raise TooLargeError
    kept = selection.number if selection.keeps else dice.number - selection.number
    highest = selection.highest is selection.keeps
    ways = kept + (dice.sides - 1) * comb(kept, 2)
    budget.spend(dice.sides * ways * dice.number)
    found: Weights = defaultdict(int)
    ordered = dict(sorted(faces.items(), reverse=highest))
    for value, weight in _keep(dice.number, kept, ordered, worths):
        found[value] += weight
    return {value: weight for value, weight in found.items() if weight}


def _keep(number: int, kept: int, faces: Weights, worths: Worths) -> Iterator[tuple[int, int]]:
    """Yield values of the kept dice with their weights. A value can occur several times.

    Dice with earlier faces are kept first, so the loop takes the faces in the order of `faces`.
    `ways` maps the number of dice that show one of the faces so far, together with their value, to
    a weight. As soon as enough dice are kept, the other dice may show any of the remaining faces.
    """
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    rest = sum(faces.values())
    for face, weight in faces.items():
        rest -= weight
        others = [rest**left for left in range(number + 1)]
        following: dict[tuple[int, int], int] = defaultdict(int)
        for (taken, value), times in ways.items():
            left = number - taken
            chosen = times  # the weight if `showing` of the `left` dice show `face`
            for showing in range(left + 1):
                then = value + worths[face] * min(showing, kept - taken)
                if taken + showing >= kept:
                    yield then, chosen * others[left - showing]
                else:
                    following[taken + showing, then] += chosen
                chosen = chosen * weight * (left - showing) // (showing + 1)
        ways = following
