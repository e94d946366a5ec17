"""A table where several play at once, each a hero of their own; and whether what was shown of it is what is stored."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from domain.codec import encode, kind
from domain.example_session import Script, ScriptSeat
from domain.recorded_event import RecordedEvent
from domain.rulesets import RULESETS
from tests.support.example import as_json, over, to_draw

PLAYERS = 4


def table() -> Script:
    """Four players with nothing scripted."""
    ruleset = RULESETS[0]
    seats = (
        ScriptSeat("gm", "gm", "Mo"),
        *(ScriptSeat(f"p{nth}", "player", f"Player {nth}") for nth in range(PLAYERS)),
    )
    return Script("Under load", ruleset.name, ruleset.edition, {}, seats, ())


def wishes(seat: str, nth: int) -> tuple[str, str, dict[str, Any]]:
    """What a player asks for, over and over, and where it is the GM's to do, the GM; much draws, some is refused."""
    if nth % 5 == 4:
        return seat, "narrate", {"text": f"{seat} says something, {nth}"}
    turns = [*to_draw(seat, hero(seat)), *over(seat, hero(seat))]
    who, command = turns[nth % len(turns)]
    return who, "commands", {"command": as_json(command)}


def hero(seat: str) -> str:
    return f"hero-{seat}"


def same(event: dict[str, Any], fact: RecordedEvent | None) -> bool:
    """What was shown is what is stored, its body byte for byte."""
    if fact is None:
        return False
    at = round(datetime.fromisoformat(event["at"]).timestamp() * 1000)
    shown = (at, event["turn"], event["seat"], event["kind"], encode(event["body"]))
    return shown == (fact.at, fact.turn, fact.seat, kind(fact.body), fact.raw)
