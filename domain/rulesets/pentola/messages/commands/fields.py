"""What the fields of commands may hold: ids, names, scores and words, each with its bounds and what it means."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from domain.rulesets.pentola.rules import (
    ACTIONS,
    MOST_ON_A_SHEET,
    MOST_SCORE,
    REACTIONS,
    Characteristic,
    Die,
    Difficulty,
)

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # the end alone would let a last line break through
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"

NewEntityId = Annotated[
    str, Meta(pattern=ID, description="a new id: a small letter, then letters, digits, hyphens")
]
EntityId = Annotated[str, Meta(pattern=ID, description="the entity's id", extra={"of": "entity"})]
OpponentId = Annotated[
    str, Meta(pattern=ID, description="who opposes it; it defends", extra={"of": "entity"})
]
OtherId = Annotated[
    str, Meta(pattern=ID, description="the id of the other", extra={"of": "entity"})
]
SeatId = Annotated[
    str,
    Meta(
        pattern=ID, description="the seat that plays the PC; absent: your own", extra={"of": "seat"}
    ),
]
Name = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="the name that everyone reads")
]
Score = Annotated[
    int, Meta(ge=1, le=MOST_SCORE, description="the score; the goal is three times as much")
]
Power = Annotated[
    int, Meta(ge=1, le=MOST_SCORE, description="POW, where the table plays with it; absent: none")
]
NewName = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="a new name on the sheet")
]
Held = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="a name on the sheet",
        extra={"of": "ability"},
    ),
]
Bonuses = Annotated[
    tuple[Held, ...],
    Meta(max_length=MOST_ON_A_SHEET, description="bonuses that are relevant; the highest counts"),
]
UsageDie = Annotated[Die, Meta(description="the usage die")]
Tested = Annotated[Characteristic, Meta(description="what is tested")]
Hardness = Annotated[Difficulty, Meta(description="easy doubles the goal, hard halves it")]
Text = Annotated[str, Meta(min_length=1, max_length=200, pattern=TEXT)]
Intent = Annotated[Text, Meta(description="the outcome that is wanted")]
Approach = Annotated[Text, Meta(description="how it is to be brought about")]
Deed = Annotated[Text, Meta(description=f"how: {', '.join(ACTIONS)}, or anything else")]
Counter = Annotated[Text, Meta(description=f"how: {', '.join(REACTIONS)}, or anything else")]
Focus = Annotated[bool, Meta(description="the only thing this moment, one step easier; absent: no")]
Extra = Annotated[
    bool, Meta(description="the third thing: all tests this moment one step harder; absent: no")
]
Reason = Annotated[
    str, Meta(min_length=1, max_length=200, pattern=TEXT, description="why; it stands in the log")
]
