"""A notation in words: what a page shows of dice such as 2d20kh1+7, "best of two d20, + 7"."""

from __future__ import annotations

from typing import NamedTuple

from domain.rulesets.open.notation import (
    BinaryOperation,
    Dice,
    DiceComparison,
    DiceSelection,
    Expression,
    Negative,
    Number,
    Operator,
    Parentheses,
    parse,
)

NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
FACES = ("", "ones", "twos", "threes", "fours", "fives", "sixes")
MAX_LISTED_FACES = 3
SIGNS: dict[Operator, str] = {"+": "+", "-": "−", "*": "×", "/": "÷"}  # noqa: RUF001 signs for people


class Phrase(NamedTuple):
    """Words for an expression. `is_plain` is True if they are only dice and numbers."""

    words: str
    is_plain: bool = True

    def as_part(self) -> str:
        """Return the words as a part of a longer expression."""
        return self.words if self.is_plain else f"({self.words})"


def notation_in_words(notation: str) -> str:
    """Return the dice of a notation in words, such as "4d6, the lowest dropped"."""
    return _phrase(parse(notation)).words


def addition_in_words(notation: str) -> str:
    """Return what a notation adds to dice of one kind, such as "+ 6", or else ""."""
    match parse(notation):
        case BinaryOperation("+" | "-" as operator, Dice(), Number() as number):
            return f"{SIGNS[operator]} {_phrase(number).words}"
    return ""


def _phrase(expression: Expression) -> Phrase:
    match expression:
        case Dice():
            return _dice(expression)
        case Number(number, label):
            return Phrase(f"{number}{_label(label)}")
        case Parentheses(inner, label):
            return Phrase(f"({_phrase(inner).words}){_label(label)}")
        case Negative(operand):
            return Phrase(f"{SIGNS['-']}{_phrase(operand).as_part()}")
        case BinaryOperation(operator, left, right):
            first, second = _phrase(left), _phrase(right).as_part()
            if operator in "*/":
                return Phrase(f"{first.as_part()} {SIGNS[operator]} {second}")
            comma = "" if first.is_plain else ","
            return Phrase(f"{first.words}{comma} {SIGNS[operator]} {second}", first.is_plain)


def _dice(dice: Dice) -> Phrase:
    kind = "Fudge dice" if dice.low < 1 else f"d{dice.sides}"
    plain = f"{dice.number} {kind}" if dice.low < 1 else f"{dice.number}{kind}"
    if dice.low < 1 and dice.number == 1:
        plain = "1 Fudge die"
    chosen = dice.selection
    is_single = chosen is not None and chosen.keeps and chosen.number == 1 and dice.number > 1
    if chosen is not None and is_single:
        best = "best" if chosen.highest else "worst"
        plain = f"{best} of {_number(dice.number)} {kind}"
    parts = [plain]
    if dice.reroll is not None:
        parts.append(f"{_faces(dice, dice.reroll)} rolled again")
    if dice.explodes:
        parts.append(f"each {dice.high} adds a die")
    if chosen is not None and not is_single:
        parts.append(_selection(dice, chosen))
    if dice.count is not None:
        parts.append(f"each {_range(dice.count)} counts")
    return Phrase(", ".join(parts) + _label(dice.label), len(parts) == 1 and not is_single)


def _selection(dice: Dice, chosen: DiceSelection) -> str:
    """Say which dice are kept or dropped. To keep all but a few is to drop the few."""
    keeps, highest, number = chosen.keeps, chosen.highest, chosen.number
    if keeps and not dice.explodes and 0 < dice.number - number < number:
        keeps, highest, number = False, not highest, dice.number - number
    end = "highest" if highest else "lowest"
    which = end if number == 1 else f"{_number(number)} {end}"
    return f"the {which} {'kept' if keeps else 'dropped'}"


def _faces(dice: Dice, sought: DiceComparison) -> str:
    """Name the faces for which a comparison holds."""
    found = [face for face in range(dice.low, dice.high + 1) if sought.holds(face)]
    if dice.low < 1 or not 0 < len(found) <= MAX_LISTED_FACES or found[-1] >= len(FACES):
        return _range(sought)
    *others, last = (FACES[face] for face in found)
    return f"{', '.join(others)} and {last}" if others else last


def _range(sought: DiceComparison) -> str:
    """Describe the faces for which a comparison holds, such as "5 or more"."""
    match sought.comparator:
        case ">=":
            return f"{sought.number} or more"
        case "<=":
            return f"{sought.number} or less"
        case ">":
            return f"{sought.number + 1} or more"
        case "<":
            return f"{sought.number - 1} or less"
        case "=":
            return str(sought.number)


def _number(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def _label(label: str) -> str:
    return f" ({label})" if label else ""
