"""What holds for any twist and any stat."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from domain.rulesets.fansys.rules import dice, sheet
from domain.rulesets.fansys.rules.dice import Twist


@given(st.lists(st.sampled_from(Twist), max_size=6))
def test_twists_cancel_and_never_stack(sources: list[Twist]) -> None:
    combined = dice.combine(sources)
    assert combined is dice.combine([*sources, *sources])
    assert combined is dice.combine(reversed(sources))
    assert combined is Twist.PLAIN or combined in sources


@given(st.integers(0, 60), st.integers(0, 60))
def test_bonuses_are_whole_and_grow_with_the_stat(one: int, other: int) -> None:
    assert sheet.stat_bonus(one) <= sheet.stat_bonus(one + 1)
    low, high = sorted((sheet.stat_bonus(one), sheet.stat_bonus(other)))
    assert low <= sheet.stat_bonus(one, other) <= high + 1
    assert sheet.stat_bonus(one, one) == sheet.stat_bonus(one)
