"""What may be wished and what may not even be said; and what is stored: plain, and the same after a round trip."""

from __future__ import annotations

import json

import msgspec
import pytest

from domain.rulesets.deckahedron import messages as m
from domain.rulesets.deckahedron import ruleset

COMMANDS: msgspec.json.Decoder[m.Command] = msgspec.json.Decoder(m.Command)

VALID = [
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

MALFORMED = [
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


def line(fields: dict[str, object]) -> str:

    return json.dumps(fields | {"kind": f"deckahedron.{fields['kind']}"})


@pytest.mark.parametrize("fields", VALID)
def test_a_wish_goes_both_ways(fields: dict[str, object]) -> None:

    command = COMMANDS.decode(line(fields))

    assert COMMANDS.decode(msgspec.json.encode(command)) == command


@pytest.mark.parametrize("fields", MALFORMED)
def test_malformed(fields: dict[str, object]) -> None:

    with pytest.raises(msgspec.ValidationError):
        COMMANDS.decode(line(fields))


@pytest.mark.parametrize(
    "options", [{"deck": "Q"}, {"deck": None}, {"tied_cards": "gm"}, {"cards": 20}]
)
def test_malformed_options(options: dict[str, object]) -> None:

    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, ruleset.options)
