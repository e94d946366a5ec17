"""Roll cards of the open table: dice in the common notation, and cards from decks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from domain.roll_card import CardsDrawing, DiceDrawing, DrawnCard, DrawnDie, RollCard, details
from domain.rulesets.open import messages as m
from domain.rulesets.open.dice import DiceResult, counted_chains
from domain.rulesets.open.notation_text import addition_in_words, notation_in_words
from domain.rulesets.open.roll_text import join

FUDGE_SIDES = 3


def roll_card(event: m.Event) -> RollCard | None:
    """Return what a page shows of the event, or None if nothing is drawn."""
    match event:
        case m.DiceRolled(seat, notation, dice, total):
            words = notation_in_words(notation)
            named = "" if event.name is UNSET else event.name
            return RollCard(
                f"@{seat}" if event.entity is UNSET else event.entity,
                f"rolls {named or words}",
                details(event.aim),
                str(total),
                "total",
                drawings=(_dice(dice, words if named else addition_in_words(notation)),),
            )
        case m.InitiativeRolled(entity, notation, dice, total):
            drawings = (_dice(dice, notation_in_words(notation)),)
            return RollCard(
                entity,
                "rolls initiative",
                details(event.aim),
                str(total),
                "total",
                drawings=drawings,
            )
        case m.CardsDrawn(_, name, seat, _, cards):
            return RollCard(
                f"@{seat}" if event.entity is UNSET else event.entity,
                f"draws from {name}",
                details(event.aim),
                result=join(cards),
                drawings=(CardsDrawing(tuple(DrawnCard(card) for card in cards)),),
            )
        case _:
            return None


def _dice(results: Sequence[DiceResult], note: str) -> DiceDrawing:
    return DiceDrawing(tuple(die for result in results for die in _drawn(result)), note)


def _drawn(result: DiceResult) -> Iterator[DrawnDie]:
    """Yield the faces in the order of the roll. Rerolled and dropped faces do not count."""
    is_fudge = result.low < 1
    sides = FUDGE_SIDES if is_fudge else result.sides
    rerolled, dropped, nth = set(result.rerolled), set(result.dropped), 0
    chains = zip(result.rolled, counted_chains(result), strict=True)
    for die, (rolled, counted) in enumerate(chains):
        if die in rerolled:
            yield DrawnDie(sides, _face(rolled[0], is_fudge), True, mark="↻")
        for place, face in enumerate(counted):
            mark = "!" if place + 1 < len(counted) else ""
            yield DrawnDie(sides, _face(face, is_fudge), nth in dropped, mark=mark)
            nth += 1


def _face(face: int, is_fudge: bool) -> str:
    return f"{face:+d}" if is_fudge and face else str(face)
