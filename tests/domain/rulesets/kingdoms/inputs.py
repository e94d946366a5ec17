"""Commands and options as JSON fields: well formed and malformed ones."""

from __future__ import annotations

VALID: list[dict[str, object]] = [
    {"kind": "CreatePc", "entity": "ana", "name": "Ana", "con": 2, "cha": -1},
    {"kind": "CreatePc", "entity": "a" * 32, "name": "Ä" * 80, "con": 99, "cha": -99, "seat": "p1"},
    {"kind": "NameStat", "entity": "ana", "stat": "Stärke", "value": 4},
    {"kind": "DeclareTest", "entity": "ana", "test": "basic", "stats": ["STR"]},
    {
        "kind": "DeclareTest",
        "entity": "ana",
        "test": "extended",
        "stats": ["STR"] * 8,
        "refill": "CHA",
    },
    {"kind": "AssemblePool", "entity": "ana"},
    {"kind": "AssemblePool", "entity": "ana", "dice": [4, -2, 0]},
    {"kind": "SetDt", "entity": "ana", "dt": 13},
    {"kind": "DetermineDt", "entity": "ana", "opponent": "ork", "stats": ["AC"]},
    {"kind": "RollDice", "entity": "ana", "dice": 50, "sides": 100, "purpose": "damage"},
    {"kind": "Interpret", "entity": "ana", "text": "x" * 200},
    {"kind": "AdjustPool", "entity": "ana", "dice": 0, "reason": "tired"},
]

MALFORMED: list[dict[str, object]] = [
    {"kind": "Roll", "entity": "ana"},
    {"kind": "RollTest"},
    {"kind": "RollTest", "entity": "Ana"},
    {"kind": "RollTest", "entity": ""},
    {"kind": "RollTest", "entity": "ana\n"},
    {"kind": "RollTest", "entity": "a" * 33},
    {"kind": "RollTest", "entity": "ana", "face": 12},
    {"kind": "CreatePc", "entity": "ana", "name": "Ana", "con": 2},
    {"kind": "CreatePc", "entity": "ana", "name": "Ana", "con": 2, "cha": 100},
    {"kind": "CreatePc", "entity": "ana", "name": "Ana", "con": 2.0, "cha": 1},
    {"kind": "CreatePc", "entity": "ana", "name": "A\na", "con": 2, "cha": 1},
    {"kind": "NameStat", "entity": "ana", "stat": "", "value": 4},
    {"kind": "NameStat", "entity": "ana", "stat": "STR\n", "value": 4},
    {"kind": "NameStat", "entity": "ana", "stat": "x" * 41, "value": 4},
    {"kind": "NameStat", "entity": "ana", "stat": "STR", "value": 100},
    {"kind": "DeclareTest", "entity": "ana", "test": "opposed", "stats": ["STR"]},
    {"kind": "DeclareTest", "entity": "ana", "test": "basic", "stats": "STR"},
    {"kind": "DeclareTest", "entity": "ana", "test": "basic", "stats": ["STR"] * 9},
    {"kind": "DeclareTest", "entity": "ana", "test": "extended", "stats": ["STR"], "refill": "STR"},
    {"kind": "DeclareTest", "entity": "ana", "test": "extended", "stats": ["STR"], "refill": None},
    {"kind": "GrantDice", "entity": "ana", "source": "rope", "dice": 0},
    {"kind": "AssemblePool", "entity": "ana", "dice": [0] * 17},
    {"kind": "AssemblePool", "entity": "ana", "dice": 4},
    {"kind": "SetDt", "entity": "ana", "dt": "6"},
    {"kind": "RollDice", "entity": "ana", "dice": 0, "sides": 6},
    {"kind": "RollDice", "entity": "ana", "dice": 51, "sides": 6},
    {"kind": "RollDice", "entity": "ana", "dice": 1, "sides": 1},
    {"kind": "Interpret", "entity": "ana", "text": ""},
    {"kind": "Interpret", "entity": "ana", "text": "x" * 201},
    {"kind": "AdjustPool", "entity": "ana", "dice": -1, "reason": "tired"},
    {"kind": "AdjustPool", "entity": "ana", "dice": 3},
    {"kind": "DropTest", "entity": "ana", "reason": "x" * 201},
]

MALFORMED_OPTIONS: list[dict[str, object]] = [
    {"twelve_always_succeeds": 1},
    {"whole_stats": None},
    {"highest_dt": 11},
]
