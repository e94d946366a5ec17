"""Commands and options as JSON fields: well formed and malformed ones."""

from __future__ import annotations

VALID: list[dict[str, object]] = [
    {"kind": "Check", "entity": "ana"},
    {"kind": "Check", "entity": "a-2-b", "ability": "Schlösser knacken"},
    {"kind": "Check", "entity": "a" * 32, "ability": "x" * 80},
    {"kind": "Alter", "entity": "ana", "ability": "locks", "steps": 1},
    {"kind": "Alter", "entity": "ana", "ability": "locks", "steps": 5},
    {"kind": "AdjustLp", "entity": "ana", "lp": -999, "reason": "x" * 200},
    {"kind": "AdjustStatus", "entity": "ana", "status": "dying", "reason": "a fall"},
    {"kind": "EndRound"},
]

MALFORMED: list[dict[str, object]] = [
    {"kind": "Chekc", "entity": "ana"},
    {"kind": "Check"},
    {"kind": "Check", "entity": "Ana"},
    {"kind": "Check", "entity": ""},
    {"kind": "Check", "entity": "2ana"},
    {"kind": "Check", "entity": "ana\n"},
    {"kind": "Check", "entity": "a" * 33},
    {"kind": "Check", "entity": "ana", "ability": None},
    {"kind": "Check", "entity": "ana", "ability": ""},
    {"kind": "Check", "entity": "ana", "ability": "x" * 81},
    {"kind": "Check", "entity": "ana", "ability": "two\nlines"},
    {"kind": "Check", "entity": "ana", "ability": "a line\n"},
    {"kind": "Check", "entity": "ana", "face": 6},
    {"kind": "Alter", "entity": "ana", "ability": "locks"},
    {"kind": "Alter", "entity": "ana", "ability": "locks", "steps": 0},
    {"kind": "Alter", "entity": "ana", "ability": "locks", "steps": 6},
    {"kind": "Alter", "entity": "ana", "ability": "locks", "steps": 1.5},
    {"kind": "Alter", "entity": "ana", "ability": "locks", "steps": "1"},
    {"kind": "CreateCreature", "entity": "rat", "name": "Rat", "lp": 0},
    {"kind": "AdjustLp", "entity": "ana", "lp": 1000, "reason": "greed"},
    {"kind": "AdjustAp", "entity": "ana", "ap": -1, "reason": "debt"},
    {"kind": "AdjustAp", "entity": "ana", "ap": 1, "reason": ""},
    {"kind": "AdjustAp", "entity": "ana", "ap": 1, "reason": "x" * 201},
    {"kind": "AdjustStatus", "entity": "ana", "status": "asleep", "reason": "late"},
    {"kind": "MoveToken", "point": 6, "reason": "a bump"},
    {"kind": "Burn", "entity": "ana", "points": 0},
]

MALFORMED_OPTIONS: list[dict[str, object]] = [
    {"point": 6},
    {"point": -1},
    {"last_result": "P"},
    {"last_result": None},
]
