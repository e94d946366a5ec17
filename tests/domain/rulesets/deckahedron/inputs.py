"""Commands and options as JSON fields: well formed and malformed ones."""

from __future__ import annotations

VALID: list[dict[str, object]] = [
    {"kind": "Attempt", "entity": "ana", "aim": "Schlösser knacken"},
    {"kind": "Attempt", "entity": "a" * 32, "aim": "x" * 200},
    {"kind": "CreateCharacter", "entity": "a-2-b", "name": "Ana", "seat": "p1"},
    {"kind": "DistributeRanks", "entity": "ana", "strength": 0, "dexterity": 6, "intelligence": 0},
    {"kind": "Introduce", "entity": "ana"},
    {"kind": "SetDifficulty", "entity": "ana", "stat": "Strength", "difficulty": "very easy"},
    {"kind": "FlipNumber", "entity": "ana", "number": "2-10"},
    {"kind": "Choose", "entity": "ana", "card": 20},
    {"kind": "MoveCard", "entity": "ana", "card": 1, "to": "discard", "reason": "x" * 200},
    {"kind": "DistributeRanks", "entity": "ana"},
    {"kind": "AdjustRanks", "entity": "ana", "reason": "a curse", "strength": 1},
]

MALFORMED: list[dict[str, object]] = [
    {"kind": "Filp", "entity": "ana"},
    {"kind": "Flip"},
    {"kind": "Flip", "entity": "Ana"},
    {"kind": "Flip", "entity": ""},
    {"kind": "Flip", "entity": "2ana"},
    {"kind": "Flip", "entity": "ana\n"},
    {"kind": "Flip", "entity": "a" * 33},
    {"kind": "Flip", "entity": "ana", "card": 7},
    {"kind": "Attempt", "entity": "ana", "aim": ""},
    {"kind": "Attempt", "entity": "ana", "aim": "x" * 201},
    {"kind": "Attempt", "entity": "ana", "aim": "two\nlines"},
    {"kind": "Attempt", "entity": "ana", "aim": "a line\n"},
    {"kind": "Attempt", "entity": "ana", "aim": None},
    {"kind": "CreateCharacter", "entity": "ana", "name": "x" * 81},
    {"kind": "CreateCharacter", "entity": "ana", "name": "Ana", "seat": "P1"},
    {"kind": "DistributeRanks", "strength": 3, "dexterity": 2, "intelligence": 1},
    {"kind": "DistributeRanks", "entity": "ana", "strength": 7, "dexterity": 0, "intelligence": -1},
    {
        "kind": "DistributeRanks",
        "entity": "ana",
        "strength": 2.5,
        "dexterity": 2,
        "intelligence": 2,
    },
    {
        "kind": "DistributeRanks",
        "entity": "ana",
        "strength": "2",
        "dexterity": 2,
        "intelligence": 2,
    },
    {"kind": "Introduce", "entity": "ana", "skills": ""},
    {"kind": "SetDifficulty", "entity": "ana", "stat": "Charm", "difficulty": "easy"},
    {"kind": "SetDifficulty", "entity": "ana", "stat": "Strength", "difficulty": "impossible"},
    {"kind": "SetDifficulty", "entity": "ana", "stat": "Strength"},
    {"kind": "FlipNumber", "entity": "ana", "number": "d20"},
    {"kind": "Choose", "entity": "ana", "card": 0},
    {"kind": "Choose", "entity": "ana", "card": 21},
    {"kind": "Choose", "entity": "ana", "card": "D07"},
    {"kind": "MoveCard", "entity": "ana", "card": 1, "to": "sleeve", "reason": "a trick"},
    {"kind": "MoveCard", "entity": "ana", "card": 1, "to": "deck", "reason": ""},
    {"kind": "AdjustRanks", "entity": "ana", "strength": 1},
]

MALFORMED_OPTIONS: list[dict[str, object]] = [
    {"deck": "Q"},
    {"deck": None},
    {"tied_cards": "gm"},
    {"cards": 20},
]
