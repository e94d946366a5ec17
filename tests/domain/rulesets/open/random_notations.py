"""Random notations: expressions that follow the grammar, and texts with mistakes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import prod
from typing import NamedTuple

from domain.rulesets.open.notation import Dice, Expression, NotationError, dice_of, parse
from domain.rulesets.open.rules import MAX_NOTATION_LENGTH

COMPARISONS = (">=", "<=", ">", "<", "=")
SELECTIONS = ("kh", "kl", "dh", "dl")
JOINED = ("{0}+{1}", "{0}-{1}", "{1}-({0})", "({0})*{1}")
WHOLE = ("{0}", "{0}", "{0}+{1}", "{0} - {1}", "({0})/{1}", "-({0})", "({0})[a label]")
ALPHABET = "0123456789dDkKhHlLroRF%!<>=+-*/()[] afx,.{}é"


class Sizes(NamedTuple):
    """The largest number of terms, the largest number of dice in a term, and their kinds."""

    terms: int
    dice: int
    kinds: tuple[str, ...]
    explodes: bool


ANY = Sizes(8, 20, ("2", "3", "4", "6", "8", "10", "12", "20", "100", "%", "F"), explodes=True)
SMALL = Sizes(3, 4, ("2", "3", "4", "5", "6", "10", "F"), explodes=False)
LARGE = Sizes(2, 6, ("8", "10", "12", "20", "%"), explodes=True)


def random_notation(source: random.Random, sizes: Sizes) -> str:
    """Return an expression that follows the grammar. It can exceed the limits of a notation."""
    text = _term(source, sizes)
    for _ in range(source.randint(0, sizes.terms - 1)):
        text = source.choice(JOINED).format(text, _term(source, sizes))
    return source.choice(WHOLE).format(text, source.randint(1, 9))


def random_expressions(source: random.Random, sizes: Sizes) -> Iterator[tuple[str, Expression]]:
    """Yield random notations that the rules allow, each with its syntax tree."""
    while True:
        notation = random_notation(source, sizes)
        try:
            expression = parse(notation)
        except NotationError:
            continue
        yield notation, expression


def random_text(source: random.Random) -> str:
    """Return a notation, a notation with mistakes, or random characters."""
    if source.random() < 0.2:
        length = source.randint(0, MAX_NOTATION_LENGTH)
        return "".join(source.choices(ALPHABET, k=length))
    text = random_notation(source, ANY)
    for _ in range(source.choice((0, 0, 1, 2, 5))):
        at = source.randint(0, len(text))
        text = text[:at] + source.choice(ALPHABET) + text[at + source.randint(0, 3) :]
    return text[:MAX_NOTATION_LENGTH]


def throws(expression: Expression) -> int:
    """Return in how many ways the dice can fall, without explosions."""
    return prod(_faces(dice) ** dice.number for dice in dice_of(expression))


def _faces(dice: Dice) -> int:
    """Return in how many ways one die can fall, with its reroll."""
    rerolled = 0
    if dice.reroll is not None:
        rerolled = sum(map(dice.reroll.holds, range(dice.low, dice.high + 1)))
    return dice.sides + rerolled * (dice.sides - 1)


def _term(source: random.Random, sizes: Sizes) -> str:
    if source.random() < 0.15:
        return str(source.randint(0, 20))
    number = source.randint(1, sizes.dice)
    reroll = f"ro{_comparison(source)}" if source.random() < 0.2 else ""
    explosion = "!" if sizes.explodes and source.random() < 0.2 else ""
    selection = count = ""
    if source.random() < 0.3:
        selection = f"{source.choice(SELECTIONS)}{source.randint(1, number)}"
    if source.random() < 0.2:
        count = _comparison(source)
    kind = source.choice(sizes.kinds)
    return f"{number}d{kind}{reroll}{explosion}{selection}{count}"


def _comparison(source: random.Random) -> str:
    return f"{source.choice(COMPARISONS)}{source.randint(0, 12)}"
