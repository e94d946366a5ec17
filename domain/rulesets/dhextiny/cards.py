"""Roll cards of Dhextiny: the way of the token, and the result where it ends."""

from __future__ import annotations

from domain.roll_card import PathDrawing, RollCard, details
from domain.rulesets.dhextiny import messages as m, rules
from domain.rulesets.dhextiny.presentation import RESULT_WORDS
from domain.rulesets.dhextiny.rules import RING, Result, RollPurpose

MEANINGS = {str(result): words for result, words in RESULT_WORDS.items()}
LEVELS = {result: level for level, result in enumerate(Result, 1)}


def roll_card(event: m.Event) -> RollCard | None:
    """Return what a page shows of the event, or None if it is not a roll."""
    match event:
        case m.Checked(entity):
            action, detail = _attempt(event)
            return RollCard(
                entity,
                action,
                details(detail, event.aim),
                str(event.face),
                result=_words(event.result),
                level=LEVELS[event.result],
                drawings=(_path(event.start, event.face),),
            )
        case m.CheckedAside(entity, start, face, _, result, ability):
            on = ability or "a check"
            return RollCard(
                entity,
                f"rolls on {on}",
                details("the token stays", event.aim),
                str(face),
                result=_words(result),
                level=LEVELS[result],
                drawings=(_path(start, face),),
            )
        case m.DeathChecked(entity, start, face, _, result):
            return RollCard(
                entity,
                "makes a death check",
                details(event.aim),
                str(face),
                result=_words(result),
                level=LEVELS[result],
                drawings=(_path(start, face),),
            )
        case m.Altered(entity, ability, start, steps, _, result, _, cost):
            price = f" for {cost} AP" if cost else ""
            free = "" if cost else ", at no cost"
            points = tuple(map(str, rules.path(start, steps)))
            said = f"altered +{steps}{price} with {ability}{free}"
            way = PathDrawing(points, said, MEANINGS)
            return RollCard(
                entity,
                result=_words(result),
                level=LEVELS[result],
                drawings=(way,),
                continues=True,
            )
        case m.Settled(entity, result=result):
            return RollCard(entity, result=_words(result), level=LEVELS[result], continues=True)
        case m.Interpreted(entity, text=text):
            return RollCard(entity, said=text, continues=True)
        case m.AbilitiesRolled(entity, face, number):
            return RollCard(
                entity,
                "rolls for abilities",
                details(event.aim),
                str(face),
                result=f"{number} abilities",
                note=f"rolled {face}, and everybody gets {number - face} more",
            )
        case m.CaughtFire(entity, rounds):
            lasting = "1 round" if rounds == 1 else f"{rounds} rounds"
            return RollCard(entity, "catches fire", details(event.aim), str(rounds), result=lasting)
        case _:
            return None


def _attempt(event: m.Checked) -> tuple[str, str]:
    """Return what the entity does, and with which ability."""
    ability = event.ability or ""
    if event.target:
        with_ability = f"with {ability}" if ability else ""
        if event.use is RollPurpose.ATTACK:
            return f"attacks {{{event.target}}}", with_ability
        whose = "" if event.target == event.entity else f" on {{{event.target}}}"
        return f"puts out the flames{whose}", with_ability
    return (f"rolls on {ability}", "") if ability else ("makes a check", "")


def _words(result: Result) -> str:
    return RESULT_WORDS[result].capitalize()


def _path(start: int, steps: int) -> PathDrawing:
    return PathDrawing((str(RING[start]), *map(str, rules.path(start, steps))), words=MEANINGS)
