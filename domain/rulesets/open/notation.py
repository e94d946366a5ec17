"""The notation for dice rolls, such as `4d6kh3+2`: its grammar, its syntax tree and its limits.

RULES.md, sections 2 to 5, defines the notation. Positions in a notation start at 1.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import add, eq, floordiv, ge, gt, le, lt, mul, sub
from typing import Any, Literal, cast

import msgspec
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from msgspec.structs import replace

from domain.rulesets.open.rules import (
    MAX_DICE,
    MAX_EXPLOSIONS,
    MAX_LABEL_LENGTH,
    MAX_NUMBER,
    MAX_SIDES,
    MAX_TOTAL,
    MIN_SIDES,
)

GRAMMAR = r"""
start: sum
?sum: product
    | sum PLUS product -> operation
    | sum MINUS product -> operation
?product: factor
    | product TIMES factor -> operation
    | product OVER INT -> quotient
?factor: MINUS factor -> negative
    | atom
    | atom LABEL -> labelled
?atom: INT -> number
    | dice
    | _OPEN sum _CLOSE -> group
dice: [INT] D (INT | PERCENT | FUDGE) [reroll] [EXPLODE] [selection] [count]
reroll: _REROLL COMPARISON INT
selection: SELECT [INT]
count: COMPARISON INT

D: /[dD]/
PERCENT: "%"
FUDGE: /[fF]/
_REROLL: /[rR][oO]/
EXPLODE: "!"
SELECT: /[kKdD][hHlL]/
COMPARISON: />=|<=|>|<|=/
INT: /[0-9]+/
LABEL: /\[[^\]]*\]?/
PLUS: "+"
MINUS: "-"
TIMES: "*"
OVER: "/"
_OPEN: "("
_CLOSE: ")"
%ignore / +/
"""

WORDS = {
    "INT": "a number",
    "D": "d",
    "PERCENT": "%",
    "FUDGE": "F",
    "COMPARISON": "a comparison",
    "MINUS": "-",
    "_OPEN": "(",
    "_CLOSE": ")",
}
"""The words for terminals in the reason of an error, in the order in which they are listed."""
MAX_ALTERNATIVES = 4
"""The reason of an error lists the expected terminals only if there are at most this many."""

Comparator = Literal[">=", "<=", ">", "<", "="]
Operator = Literal["+", "-", "*", "/"]
Operations = Mapping[Operator, Callable[[Any, Any], Any]]
Range = tuple[int, int]
"""The lowest and the highest possible value of an expression."""

COMPARISONS: Mapping[Comparator, Callable[[int, int], bool]] = {
    ">=": ge,
    "<=": le,
    ">": gt,
    "<": lt,
    "=": eq,
}
OPERATIONS: Operations = {"+": add, "-": sub, "*": mul, "/": floordiv}
"""Integer arithmetic. Division rounds down."""


class NotationError(ValueError):
    """Raised if a notation cannot be rolled.

    `position` is the position of the first invalid character. If the notation ends too early, it is
    the position after its last character.
    """

    def __init__(self, position: int, reason: str) -> None:
        super().__init__(f"character {position}: {reason}")
        self.position, self.reason = position, reason


class DiceComparison(msgspec.Struct, frozen=True):
    comparator: Comparator
    number: int

    def holds(self, face: int) -> bool:
        return COMPARISONS[self.comparator](face, self.number)


class DiceSelection(msgspec.Struct, frozen=True):
    """The `number` highest or lowest dice, which are either kept or dropped."""

    keeps: bool
    highest: bool
    number: int


class Dice(msgspec.Struct, frozen=True, tag=True):
    """Dice of one kind, whose faces are the integers from `low` to `high`.

    The modifiers apply in the order of the fields, first the reroll and last the count.
    """

    number: int
    low: int
    high: int
    reroll: DiceComparison | None = None
    explodes: bool = False
    selection: DiceSelection | None = None
    count: DiceComparison | None = None
    label: str = ""

    @property
    def sides(self) -> int:
        return self.high - self.low + 1


class Number(msgspec.Struct, frozen=True, tag=True):
    number: int
    label: str = ""


class Parentheses(msgspec.Struct, frozen=True, tag=True):
    """An expression in parentheses."""

    inner: Expression
    label: str = ""


class Negative(msgspec.Struct, frozen=True, tag=True):
    operand: Expression


class BinaryOperation(msgspec.Struct, frozen=True, tag=True):
    """An operation on two expressions. The right side of a division is a Number."""

    operator: Operator
    left: Expression
    right: Expression


Expression = Dice | Number | Parentheses | Negative | BinaryOperation
Node = Tree[Token] | Token
OptionalNodes = Sequence[Node | None]
"""The children of a node. An optional part that is absent is None."""


@lru_cache(maxsize=1024)
def parse(notation: str) -> Expression:
    """Return the syntax tree of a notation.

    Raises NotationError if the notation does not follow the grammar or exceeds a limit.
    """
    try:
        tree = _parser().parse(notation)
    except UnexpectedCharacters as error:
        raise _syntax_error(notation, error.pos_in_stream or 0, error.allowed or ()) from None
    except UnexpectedToken as error:
        at = len(notation) if error.token.type == "$END" else error.token.start_pos or 0
        raise _syntax_error(notation, at, error.expected) from None
    expression = _expression(tree.children[0])
    dice_signs = tree.scan_values(lambda token: isinstance(token, Token) and token.type == "D")
    _require_few_dice(dice_of(expression), dice_signs)
    _require_small_total(expression)
    return expression


def dice_of(expression: Expression) -> Iterator[Dice]:
    """Yield the dice of an expression in the order in which they are rolled."""
    match expression:
        case Dice():
            yield expression
        case Parentheses(inner) | Negative(inner):
            yield from dice_of(inner)
        case BinaryOperation(_, left, right):
            yield from dice_of(left)
            yield from dice_of(right)


@lru_cache(maxsize=1)
def _parser() -> Lark:
    """Return the parser. It is built on first use, because that takes some milliseconds."""
    return Lark(GRAMMAR, parser="lalr", maybe_placeholders=True)


def _syntax_error(notation: str, at: int, expected: Collection[str]) -> NotationError:
    """Return the error for the character at index `at`, or for the end of the notation."""
    found = f'"{notation[at]}" does not belong here' if at < len(notation) else "it ends too early"
    words = [word for name, word in WORDS.items() if name in expected]
    if not words or len(expected) > MAX_ALTERNATIVES or not WORDS.keys() >= set(expected):
        return NotationError(at + 1, found)
    *others, last = words
    wanted = f"{', '.join(others)} or {last}" if others else last
    return NotationError(at + 1, f"{found}; expected {wanted}")


def _expression(node: Node) -> Expression:
    assert isinstance(node, Tree)
    match str(node.data), node.children:
        case "number", [number]:
            return Number(_integer(number))
        case "dice", children:
            return _dice(children)
        case "labelled", [inner, label]:
            labelled = cast("Dice | Number | Parentheses", _expression(inner))
            return replace(labelled, label=_label(label))
        case "group", [inner]:
            return Parentheses(_expression(inner))
        case "negative", [_, operand]:
            return Negative(_expression(operand))
        case "operation", [left, operator, right]:
            return BinaryOperation(
                cast("Operator", str(operator)), _expression(left), _expression(right)
            )
        case "quotient", [left, _, divisor]:
            if not _integer(divisor):
                raise NotationError(_position(divisor), "cannot divide by 0")
            return BinaryOperation("/", _expression(left), Number(_integer(divisor)))
    raise TypeError(node)


def _label(node: Node) -> str:
    """Return the text in the brackets, without leading or trailing spaces."""
    assert isinstance(node, Token)
    start = _position(node)
    text = node[1:].removesuffix("]")
    for at, character in enumerate(text, start + 1):
        if character in "[{}":
            raise NotationError(at, f'"{character}" cannot be in a label')
    if not node.endswith("]"):
        raise NotationError(start + len(node), "it ends too early; expected ]")
    if len(text) > MAX_LABEL_LENGTH:
        raise NotationError(start, f"a label has at most {MAX_LABEL_LENGTH} characters")
    if not text.strip():
        raise NotationError(start, "a label needs at least one word")
    return text.strip()


def _dice(children: OptionalNodes) -> Dice:
    number, _, sides, reroll, explodes, selection, count = children
    dice = _plain_dice(number, sides)
    if explodes is not None and dice.low < 1:
        raise NotationError(_position(explodes), "Fudge dice do not explode")
    return replace(
        dice,
        reroll=_comparison(reroll),
        explodes=explodes is not None,
        selection=None if selection is None else _selection(selection, dice.number),
        count=_comparison(count),
    )


def _plain_dice(number: Node | None, sides: Node | None) -> Dice:
    """Return the dice without modifiers."""
    assert isinstance(sides, Token)
    dice = 1 if number is None else _integer(number)
    if not dice:
        raise NotationError(_position(number), "at least one die must be rolled")
    if sides.type == "FUDGE":
        return Dice(dice, -1, 1)
    high = MAX_SIDES if sides.type == "PERCENT" else _integer(sides)
    if not MIN_SIDES <= high <= MAX_SIDES:
        raise NotationError(_position(sides), f"a die has {MIN_SIDES} to {MAX_SIDES} sides")
    return Dice(dice, 1, high)


def _comparison(node: Node | None) -> DiceComparison | None:
    if node is None:
        return None
    assert isinstance(node, Tree)
    comparator, number = node.children
    return DiceComparison(cast("Comparator", str(comparator)), _integer(number))


def _selection(node: Node, dice: int) -> DiceSelection:
    assert isinstance(node, Tree)
    children: OptionalNodes = node.children
    verb, number = children
    keeps, highest = str(verb)[0] in "kK", str(verb)[1] in "hH"
    chosen = 1 if number is None else _integer(number)
    most = dice if keeps else dice - 1
    if not 1 <= chosen <= most:
        fate = "kept" if keeps else "dropped"
        reason = f"1 to {most} of these dice can be {fate}" if most else "one die must be kept"
        raise NotationError(_position(verb if number is None else number), reason)
    return DiceSelection(keeps, highest, chosen)


def _integer(node: Node | None) -> int:
    assert isinstance(node, Token)
    if int(node) > MAX_NUMBER:
        raise NotationError(_position(node), f"a number is at most {MAX_NUMBER:,}")
    return int(node)


def _position(node: Node | None) -> int:
    assert isinstance(node, Token)
    return (node.start_pos or 0) + 1


def _require_few_dice(dice: Iterator[Dice], signs: Iterator[Token]) -> None:
    """Raise NotationError if there are more than MAX_DICE dice.

    `signs` contains the letter d of each entry in `dice`. The error has the position of the letter
    at which the limit is exceeded.
    """
    rolled = 0
    for each, sign in zip(dice, signs, strict=True):
        rolled += each.number
        if rolled > MAX_DICE:
            raise NotationError(_position(sign), f"a roll has at most {MAX_DICE} dice")


def _require_small_total(expression: Expression) -> None:
    low, high = _range(expression)
    if max(-low, high) > MAX_TOTAL:
        raise NotationError(1, f"the result could be beyond {MAX_TOTAL:,}")


def _range(expression: Expression) -> Range:
    match expression:
        case Number(number):
            return number, number
        case Dice():
            return _range_of_dice(expression)
        case Parentheses(inner):
            return _range(inner)
        case Negative(operand):
            low, high = _range(operand)
            return -high, -low
        case BinaryOperation(operator, left, right):
            (low, high), (right_low, right_high) = _range(left), _range(right)
            match operator:
                case "+":
                    return low + right_low, high + right_high
                case "-":
                    return low - right_high, high - right_low
                case "*":
                    ends = [a * b for a in (low, high) for b in (right_low, right_high)]
                    return min(ends), max(ends)
                case "/":
                    return low // right_low, high // right_high


def _range_of_dice(dice: Dice) -> Range:
    """Return bounds for the value of the dice.

    The bounds assume the largest number of faces that can count.
    """
    most = dice.number * (1 + MAX_EXPLOSIONS * dice.explodes)
    if dice.selection is not None:
        chosen = dice.selection.number
        most = chosen if dice.selection.keeps else most - chosen
    if dice.count is not None:
        return 0, most
    return min(dice.low, 0) * most, dice.high * most
