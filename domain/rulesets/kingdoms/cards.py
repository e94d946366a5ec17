"""Roll cards of Kingdoms and Rulers: pools of d12 against a threshold."""

from __future__ import annotations

from domain.roll_card import (
    BAD,
    BEST,
    GOOD,
    WORST,
    DiceDrawing,
    DrawnDie,
    RollCard,
    SumDrawing,
    SumPart,
    details,
    plain_dice,
)
from domain.rulesets.kingdoms import messages as m
from domain.rulesets.kingdoms.rules import (
    DIE,
    DieResult,
    PoolTestKind,
    die_result,
    is_passed,
    signed,
)

LEVELS = {
    DieResult.TWO_FAILURES: WORST,
    DieResult.FAILURE: BAD,
    DieResult.SUCCESS: GOOD,
    DieResult.TWO_SUCCESSES: BEST,
}


def roll_card(event: m.Event) -> RollCard | None:
    """Return what a page shows of the event, or None if it is not a roll."""
    match event:
        case m.TestRolled(entity, test, nth, pool):
            dice = "1 die" if pool == 1 else f"{pool} dice"
            which = (
                f"roll {nth} of an extended test" if test is PoolTestKind.EXTENDED else "basic test"
            )
            word = "Passed" if is_passed(event.margin) else "Not passed"
            note = f"{_count(event.successes, 'success', 'es')}, "
            note += _count(event.failures, "failure", "s")
            if test is PoolTestKind.EXTENDED:
                word = "Passed this roll" if is_passed(event.margin) else "Failed this roll"
                note = f"{_signed(event.total)} so far, {note}"
            return RollCard(
                entity,
                f"rolls {dice}",
                details(which, event.aim),
                _signed(event.margin),
                "margin",
                word,
                note,
                BEST if is_passed(event.margin) else WORST,
                (_dice(event),),
            )
        case m.Interpreted(entity, text=text):
            return RollCard(entity, said=text, continues=True)
        case m.DiceRolled(entity, sides, faces, total):
            drawings = [plain_dice(sides, faces)]
            parts = (SumPart("dice", sum(faces)), SumPart("added", event.added or 0))
            added = (SumDrawing(parts, total),) if event.added else ()
            dice = f"{len(faces)}d{sides}"
            return RollCard(
                entity,
                f"rolls {dice}",
                details(event.purpose, event.aim),
                str(total),
                "total",
                drawings=(*drawings, *added),
            )
        case _:
            return None


def _dice(event: m.TestRolled) -> DiceDrawing:
    """Return the dice, from the highest to the lowest. Dice that fail are dashed."""
    dice = []
    for face in sorted(event.faces, reverse=True):
        result = die_result(face, event.dt, event.twelve_succeeds)
        is_double = result in (DieResult.TWO_FAILURES, DieResult.TWO_SUCCESSES)
        level = LEVELS[result]
        dice.append(
            DrawnDie(
                DIE, str(face), level < GOOD, level, "\N{MULTIPLICATION SIGN}2" if is_double else ""
            )
        )
    return DiceDrawing(tuple(dice), f"DT {event.dt}: above it succeeds, 12 and 1 count double.")


def _signed(number: int) -> str:
    return signed(number).replace("-", "\N{MINUS SIGN}")


def _count(number: int, noun: str, plural: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else plural}"
