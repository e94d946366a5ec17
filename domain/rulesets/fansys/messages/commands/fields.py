"""The fields that commands have in common, with their bounds and descriptions."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from domain.rulesets.fansys.rules.words import Energy, Nature, Stat

ID = r"^[a-z][a-z0-9-]{0,31}$(?!\n)"  # the end alone would let a last line break through
TEXT = r"^[^\x00-\x1f\x7f]+$(?!\n)"

NewEntityId = Annotated[
    str, Meta(pattern=ID, description="a new id: a small letter, then letters, digits, hyphens")
]
EntityId = Annotated[str, Meta(pattern=ID, description="the entity's id", extra={"of": "entity"})]
TargetId = Annotated[
    str, Meta(pattern=ID, description="the id of the entity it is done to", extra={"of": "entity"})
]
SeatId = Annotated[
    str,
    Meta(pattern=ID, description="the seat that plays it; absent: the GM's", extra={"of": "seat"}),
]
Name = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="the name that everyone reads")
]
Reason = Annotated[
    str, Meta(min_length=1, max_length=200, pattern=TEXT, description="why; it stands in the log")
]
NewThing = Annotated[
    str, Meta(min_length=1, max_length=80, pattern=TEXT, description="its name, in your words")
]
SkillName = Annotated[
    str,
    Meta(
        min_length=1, max_length=80, pattern=TEXT, description="the skill", extra={"of": "ability"}
    ),
]
AttackName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        pattern=TEXT,
        description="one of the entity's attacks",
        extra={"of": "ability"},
    ),
]
SomeStat = Annotated[Stat, Meta(description="the stat")]
SecondStat = Annotated[Stat, Meta(description="a second stat: the bonus is that of their mean")]
ValidSave = Annotated[Stat, Meta(description="the stat of the save")]
SecondSave = Annotated[Stat, Meta(description="a second valid save; the one who saves chooses")]
Score = Annotated[int, Meta(ge=0, le=60, description="the stat's score; 0: none")]
Threshold = Annotated[
    int, Meta(ge=-50, le=200, description="what the roll must reach (12 is fairly tough)")
]
Owned = Annotated[int, Meta(ge=0, le=360, description="dice owned, spent ones too")]
SomeEnergy = Annotated[Energy, Meta(description="SP or MP")]
SomeNature = Annotated[Nature, Meta(description="natural (SP absorb) or supernatural (MP absorb)")]
DamageDice = Annotated[int, Meta(ge=0, le=20, description="number of damage dice")]
Sides = Annotated[int, Meta(ge=2, le=20, description="sides of a damage die")]
Spiritual = Annotated[
    bool, Meta(description="whether it harms what has no physical form; absent: no")
]
