"""Notations with their exact results on given dice, and notations that are refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, strategies as st

from domain.chance import DeclaredChance, SeededChance
from domain.rulesets.open import messages as m
from domain.rulesets.open.dice import roll
from domain.rulesets.open.notation import Expression, NotationError, dice_of, parse
from domain.rulesets.open.rules import MAX_EXPLOSIONS, MAX_TOTAL, Options
from tests.domain.rulesets.given import check
from tests.domain.rulesets.open.people import ANA, P1, result, rolled
from tests.support.rows import check_rows


class Row(NamedTuple):
    notation: str
    faces: tuple[int, ...]
    total: int


def row(line: str) -> Row:
    notation, faces, total = line.rsplit("|", 2)
    return Row(notation.strip(), tuple(map(int, faces.split())), int(total))


LINES = Path(__file__).with_name("notations.txt").read_text("utf-8").splitlines()
ROWS = [row(line) for line in LINES]


def test_there_are_three_hundred_rows() -> None:
    assert len(set(ROWS)) >= 300


def test_a_notation_has_its_result() -> None:
    check_rows(ROWS, has_its_result)


def has_its_result(row: Row) -> None:
    chance = DeclaredChance(row.faces)
    assert roll(parse(row.notation), chance).total == row.total
    assert len(chance.values) == len(row.faces)


NUMBERS = "expected a number, d, - or ("
REFUSED = [
    # notation, position, reason
    ("", 1, f"it ends too early; {NUMBERS}"),
    ("2d", 3, "it ends too early; expected a number, % or F"),
    ("d", 2, "it ends too early; expected a number, % or F"),
    ("1d20+", 6, f"it ends too early; {NUMBERS}"),
    ("1d6>=", 6, "it ends too early; expected a number"),
    ("1d6ro", 6, "it ends too early; expected a comparison"),
    ("(1d6", 5, "it ends too early"),
    ("x", 1, f'"x" does not belong here; {NUMBERS}'),
    ("adv", 1, f'"a" does not belong here; {NUMBERS}'),
    ("+1", 1, f'"+" does not belong here; {NUMBERS}'),
    (">5", 1, f'">" does not belong here; {NUMBERS}'),
    ("\uff11d6", 1, f'"\uff11" does not belong here; {NUMBERS}'),
    ("1d20+*2", 6, f'"*" does not belong here; {NUMBERS}'),
    ("1d20++5", 6, f'"+" does not belong here; {NUMBERS}'),
    ("()", 2, f'")" does not belong here; {NUMBERS}'),
    ("2x6", 2, '"x" does not belong here'),
    ("1.5", 2, '"." does not belong here'),
    ("1d6)", 4, '")" does not belong here'),
    ("1d6 1d6", 5, '"1" does not belong here'),
    ("1d6,1d6", 4, '"," does not belong here'),
    ("1d6d6", 4, '"d" does not belong here'),
    ("d%%", 3, '"%" does not belong here'),
    ("4d6k3", 4, '"k" does not belong here'),
    ("1d6r<2", 4, '"r" does not belong here'),
    ("1d6!!", 5, '"!" does not belong here'),
    ("1d6kh1ro<2", 7, '"r" does not belong here'),
    ("1d6>=5>=5", 7, '">" does not belong here'),
    ("1d6>=-1", 6, '"-" does not belong here; expected a number'),
    ("1d6==6", 5, '"=" does not belong here; expected a number'),
    ("1d6ro2", 6, '"2" does not belong here; expected a comparison'),
    ("1d6/1d4", 6, '"d" does not belong here'),
    ("1d6/(2)", 5, '"(" does not belong here; expected a number'),
    ("4d6\u212ah3", 4, '"\u212a" does not belong here'),
    ("1d6/2[half]", 6, '"[" does not belong here'),
    ("1d6[", 5, "it ends too early; expected ]"),
    ("1d6[fire+2", 11, "it ends too early; expected ]"),
    ("1d6[]", 4, "a label needs at least one word"),
    ("1d6[  ]", 4, "a label needs at least one word"),
    ("1d6[{x}]", 5, '"{" cannot be in a label'),
    ("1d6[a [b]", 7, '"[" cannot be in a label'),
    (f"1d6[{'x' * 41}]", 4, "a label has at most 40 characters"),
    ("1d6[a][b]", 7, '"[" does not belong here'),
    ("1d1", 3, "a die has 2 to 100 sides"),
    ("1d0", 3, "a die has 2 to 100 sides"),
    ("1d101", 3, "a die has 2 to 100 sides"),
    ("0d6", 1, "at least one die must be rolled"),
    ("1d6+0d6", 5, "at least one die must be rolled"),
    ("201d6", 4, "a roll has at most 200 dice"),
    ("100d6+101d6", 10, "a roll has at most 200 dice"),
    ("4d6kh5", 6, "1 to 4 of these dice can be kept"),
    ("4d6kl0", 6, "1 to 4 of these dice can be kept"),
    ("4d6dl4", 6, "1 to 3 of these dice can be dropped"),
    ("4d6dh0", 6, "1 to 3 of these dice can be dropped"),
    ("1d6dl1", 6, "one die must be kept"),
    ("1d6dh", 4, "one die must be kept"),
    ("4dF!", 4, "Fudge dice do not explode"),
    ("1d6/0", 5, "cannot divide by 0"),
    ("10000", 1, "a number is at most 9,999"),
    ("1d6+10000", 5, "a number is at most 9,999"),
    ("1d6>=10000", 6, "a number is at most 9,999"),
    ("1d10000", 3, "a number is at most 9,999"),
    ("9999*9999*9999", 1, "the result could be beyond 1,000,000,000"),
    ("-9999*9999*11", 1, "the result could be beyond 1,000,000,000"),
    ("200d100!*500", 1, "the result could be beyond 1,000,000,000"),
    ("1000*1000*1000+1", 1, "the result could be beyond 1,000,000,000"),
    ("-1000*1000*1000-1", 1, "the result could be beyond 1,000,000,000"),
    ("200d100kh101*9999*10", 1, "the result could be beyond 1,000,000,000"),
    ("200d100dl99*9999*10", 1, "the result could be beyond 1,000,000,000"),
    ("2d100!dl1*9999*10", 1, "the result could be beyond 1,000,000,000"),
]


@pytest.mark.parametrize(("notation", "position", "reason"), REFUSED)
def test_a_wrong_notation_is_refused_at_a_position_for_a_reason(
    notation: str, position: int, reason: str
) -> None:
    with pytest.raises(NotationError) as refused:
        parse(notation)
    assert (refused.value.position, refused.value.reason) == (position, reason)


ACCEPTED = [
    "1000*1000*1000",
    "-1000*1000*1000",
    "200d100kh100*9999*10",
    "200d100dl100*9999*10",
    "2d100!kh1*9999*1000",
    "200d100>=50*9999*500",
]


@pytest.mark.parametrize("notation", ACCEPTED)
def test_a_result_within_the_limit_is_accepted(notation: str) -> None:
    assert parse(notation)


def parsed(text: str) -> Expression | NotationError:
    try:
        return parse(text)
    except NotationError as refused:
        return refused


ALPHABET = "0123456789dDkKhHlLroRF%!<>=+-*/()[] afx"


@given(st.text(ALPHABET, max_size=24) | st.text(max_size=12))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    found = parsed(text)
    if isinstance(found, NotationError):
        assert 1 <= found.position <= len(text) + 1
        assert found.reason


comparators = st.sampled_from((">=", "<=", ">", "<", "="))
comparisons = st.builds("{}{}".format, comparators, st.integers(0, 9))
modifiers = st.builds(
    "{}{}{}{}".format,
    st.just("") | comparisons.map("ro{}".format),
    st.sampled_from(("", "!")),
    st.sampled_from(("", "kh", "kl1", "dl1", "dh", "KH2")),
    st.just("") | comparisons,
)
dice = st.builds("{}d{}{}".format, st.integers(2, 6), st.integers(2, 12) | st.just("%"), modifiers)
labels = st.sampled_from(("", "[fire]", "[a b]"))
atoms = st.builds("{}{}".format, dice | st.integers(0, 20), labels)
expressions = st.recursive(
    atoms,
    lambda inner: (
        st.builds("{}{}{}".format, inner, st.sampled_from("+-*"), inner)
        | inner.map("({})".format)
        | inner.map("-{}".format)
        | st.builds("({})/{}".format, inner, st.integers(1, 9))
    ),
    max_leaves=4,
)


@given(expressions, st.binary(min_size=32, max_size=32))
def test_every_notation_of_the_grammar_is_rolled(notation: str, seed: bytes) -> None:
    chance = SeededChance(lambda: seed)
    expression = parsed(notation)
    if isinstance(expression, NotationError):
        assert expression.reason.startswith("the result could be beyond")
        return
    rolled = roll(expression, chance)
    assert abs(rolled.total) <= MAX_TOTAL
    faces = [face for result in rolled.dice for die in result.rolled for face in die]
    assert faces == [value for _, value in chance.values]
    assert len(rolled.dice) == len(list(dice_of(expression)))


def test_explosions_stop() -> None:
    highest = DeclaredChance([6] * (1 + MAX_EXPLOSIONS))
    assert roll(parse("1d6!"), highest).total == 6 * (1 + MAX_EXPLOSIONS)
    assert len(highest.values) == 1 + MAX_EXPLOSIONS


EVENTS: list[tuple[m.Roll, Sequence[int], m.DiceRolled]] = [
    (m.Roll("ana", "1d20+5"), [17], rolled("1d20+5", result(20, [17]), total=22)),
    (
        m.Roll("ana", name="stealth", aim="Hide"),
        [2],
        rolled("1d20+7", result(20, [2]), total=9, name="stealth", aim="Hide"),
    ),
    (
        m.Roll("ana", name=" Stealth"),
        [2],
        rolled("1d20+7", result(20, [2]), total=9, name="stealth"),
    ),
    (
        m.Roll("ana", "4d6kh3", "a new sheet"),
        [6, 1, 5, 3],
        rolled("4d6kh3", result(6, [6], [1], [5], [3], value=14, dropped=[1]), name="a new sheet"),
    ),
    (
        m.Roll("ana", "2d6dh1"),
        [4, 4],
        rolled("2d6dh1", result(6, [4], [4], value=4, dropped=[0])),
    ),
    (
        m.Roll("ana", "2d6kl1"),
        [4, 4],
        rolled("2d6kl1", result(6, [4], [4], value=4, dropped=[1])),
    ),
    (
        m.Roll("ana", "2d6ro<2!"),
        [1, 6, 2, 5],
        rolled("2d6ro<2!", result(6, [1, 6, 2], [5], value=13, rerolled=[0])),
    ),
    (
        m.Roll("ana", "3d10>=7"),
        [7, 6, 10],
        rolled("3d10>=7", result(10, [7], [6], [10], value=2)),
    ),
    (
        m.Roll("ana", "2dF"),
        [1, 3],
        rolled("2dF", result(3, [-1], [1], low=-1)),
    ),
    (
        m.Roll("ana", "1d8+1d6"),
        [8, 6],
        rolled("1d8+1d6", result(8, [8]), result(6, [6])),
    ),
]


@pytest.mark.parametrize(("when", "faces", "then"), EVENTS)
def test_a_roll_records_its_dice(when: m.Roll, faces: Sequence[int], then: m.DiceRolled) -> None:
    check(given=ANA, when=when, by=P1, drawn=faces, then=[then])


def test_a_roll_records_that_low_dice_are_lucky() -> None:
    low, seventeen = Options(high_is_lucky=False), result(20, [17])
    when: m.Command = m.Roll("ana", "1d20")
    then: m.Event = rolled("1d20", seventeen, high_is_lucky=False)
    check(given=ANA, when=when, by=P1, drawn=[17], then=[then], options=low)
    when = m.RollInitiative("ana", "1d20")
    then = m.InitiativeRolled("ana", "1d20", (seventeen,), 17, False)
    check(given=ANA, when=when, by=P1, drawn=[17], then=[then], options=low)
