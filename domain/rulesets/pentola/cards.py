"""Roll cards of Pentola: d100 on a scale with its goal, and usage dice."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from domain.roll_card import (
    BEST,
    WORST,
    Band,
    DiceDrawing,
    DrawnDie,
    RollCard,
    ScaleDrawing,
    SumDrawing,
    SumPart,
    details,
)
from domain.rulesets.pentola import events as e, rules
from domain.rulesets.pentola.presentation import D100, OUTCOMES
from domain.rulesets.pentola.rules import PERCENT, RANKS, SIDES, Die

LEVELS = {outcome: level for level, outcome in enumerate(RANKS, 1)}


def roll_card(event: e.Event) -> RollCard | None:
    """Return what a page shows of the event, or None if it is not a roll."""
    match event:
        case e.RolledTest(entity, action, _, characteristic, difficulty):
            against = f"against {{{action}}}" if action != entity else ""
            named = f"{difficulty} test of {characteristic}"
            score = (event.percent - event.added) // rules.GOAL_PER_SCORE
            base = f"{characteristic} {score} \N{MULTIPLICATION SIGN} {rules.GOAL_PER_SCORE}"
            return _percent_card(event, f"rolls {_article(named)}", against, base)
        case e.InitiativeRolled():
            return _percent_card(event, "rolls initiative", "", "base")
        case e.UsageRolled(entity, held, _, die, face, left):
            is_same = left is die
            gone = "used up" if left is Die.EXPENDED else f"{die} → {left}"
            return RollCard(
                entity,
                f"rolls the usage die of {held}",
                details(event.aim),
                str(face),
                str(die),
                f"Still {die}" if is_same else gone[0].upper() + gone[1:],
                level=BEST if is_same else WORST,
                drawings=(DiceDrawing((DrawnDie(SIDES[die], str(face)),)),),
            )
        case _:
            return None


def _percent_card(
    event: e.RolledTest | e.InitiativeRolled, action: str, detail: str, base: str
) -> RollCard:
    goal = rules.goal(event.percent, event.steps)
    distance = abs(int(goal) - event.roll)
    side = "under" if event.roll < goal else "over"
    bonus = "" if not event.bonus else f"with {event.bonus}"
    parts = [SumPart(base, event.percent - event.added)]
    if event.added:
        parts.append(SumPart(event.bonus or "bonus", event.added))
    return RollCard(
        event.entity,
        action,
        details(bonus, detail, event.aim),
        str(event.roll),
        D100,
        OUTCOMES[event.outcome].capitalize(),
        f"{distance} {side} the goal",
        LEVELS[event.outcome],
        (
            ScaleDrawing(event.roll, rules.goal_text(goal), tuple(_bands(goal))),
            SumDrawing(tuple(parts), event.percent, note=_goal_note(goal, event.steps)),
        ),
    )


def _bands(goal: Fraction) -> Iterator[Band]:
    low = 1
    for roll in range(1, PERCENT + 1):
        outcome = rules.outcome(roll, goal)
        if roll == PERCENT or rules.outcome(roll + 1, goal) is not outcome:
            yield Band(low, roll, LEVELS[outcome], OUTCOMES[outcome])
            low = roll + 1


def _goal_note(goal: Fraction, steps: int) -> str:
    """Return how the goal follows from the sum if it differs, such as "÷ 2: goal 39 %"."""
    if steps == 0:
        return ""
    factor = f"\N{MULTIPLICATION SIGN} {2**steps}" if steps > 0 else f"÷ {2**-steps}"
    return f"{factor}: goal {rules.goal_text(goal)}"


def _article(words: str) -> str:
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
