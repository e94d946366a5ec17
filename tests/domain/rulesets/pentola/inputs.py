"""Commands and options as JSON fields: well formed and malformed ones."""

from __future__ import annotations

TEST: dict[str, object] = {
    "kind": "CallTest",
    "entity": "ana",
    "characteristic": "BOD",
    "difficulty": "normal",
}
ACTION: dict[str, object] = {
    "kind": "DeclareAction",
    "entity": "ana",
    "intent": "win",
    "approach": "a kick",
}

VALID: list[dict[str, object]] = [
    {"kind": "CreatePc", "entity": "ana", "name": "Ana", "body": 1, "intellect": 100},
    {
        "kind": "CreatePc",
        "entity": "a-2-b",
        "name": "Ünïcode",
        "body": 10,
        "intellect": 10,
        "power": 10,
        "seat": "p1",
    },
    {
        "kind": "AddBonus",
        "entity": "ana",
        "bonus": "Schlösser knacken",
        "source": "skill",
        "percent": 300,
    },
    {"kind": "AddItem", "entity": "a" * 32, "item": "x" * 80, "die": "d20"},
    {"kind": "DeclareIntent", "entity": "ana", "intent": "x" * 200},
    {"kind": "RollTest", "entity": "ana"},
    {"kind": "RollTest", "entity": "ana", "bonuses": []},
    {"kind": "RollTest", "entity": "ana", "bonuses": ["locks"] * 40},
    {"kind": "StartMoment"},
    {"kind": "StartMoment", "entities": ["ana", "ben"]},
    {"kind": "RuleAutomatic", "entity": "ana", "finding": "no consequences"},
    {
        "kind": "AdjustUsageDie",
        "entity": "ana",
        "held": "rope",
        "die": "expended",
        "reason": "x" * 200,
    },
    {"kind": "PassMinute"},
    TEST,
    ACTION | {"focus": True, "extra": False},
]

MALFORMED: list[dict[str, object]] = [
    {"kind": "RollTset", "entity": "ana"},
    {"kind": "RollTest"},
    {"kind": "RollTest", "entity": "Ana"},
    {"kind": "RollTest", "entity": ""},
    {"kind": "RollTest", "entity": "ana\n"},
    {"kind": "RollTest", "entity": "a" * 33},
    {"kind": "RollTest", "entity": "ana", "bonuses": None},
    {"kind": "RollTest", "entity": "ana", "bonuses": "locks"},
    {"kind": "RollTest", "entity": "ana", "bonuses": [""]},
    {"kind": "RollTest", "entity": "ana", "bonuses": ["locks"] * 41},
    {"kind": "RollTest", "entity": "ana", "roll": 1},
    {"kind": "CreatePc", "entity": "ana", "name": "Ana", "body": 0, "intellect": 10},
    {"kind": "CreatePc", "entity": "ana", "name": "Ana", "body": 10, "intellect": 101},
    {"kind": "CreatePc", "entity": "ana", "name": "Ana", "body": 10.5, "intellect": 10},
    {"kind": "CreatePc", "entity": "ana", "name": "", "body": 10, "intellect": 10},
    {"kind": "AddBonus", "entity": "ana", "bonus": "locks", "source": "luck", "percent": 10},
    {"kind": "AddBonus", "entity": "ana", "bonus": "locks", "source": "skill", "percent": 0},
    {"kind": "AddBonus", "entity": "ana", "bonus": "locks", "source": "skill", "percent": 301},
    {"kind": "AddItem", "entity": "ana", "item": "rope", "die": "d7"},
    {"kind": "AddItem", "entity": "ana", "item": "two\nlines", "die": "d6"},
    {"kind": "DeclareIntent", "entity": "ana", "intent": "x" * 201},
    {"kind": "DeclareIntent", "entity": "ana", "intent": "a line\n"},
    {"kind": "RuleAutomatic", "entity": "ana", "finding": "test"},
    {"kind": "StartMoment", "entities": ["ana"] * 21},
    {"kind": "SetDistance", "entity": "ana", "other": "ben", "distance": "away"},
    {
        "kind": "DeclareReaction",
        "entity": "ana",
        "approach": "a dodge",
        "against": "ben",
        "which": 4,
    },
    {"kind": "EndMoment", "reason": ""},
    TEST | {"characteristic": "LUCK"},
    TEST | {"difficulty": "impossible"},
    ACTION | {"focus": "yes"},
]

MALFORMED_OPTIONS: list[dict[str, object]] = [
    {"steps_stop_at_one": 1},
    {"steps_stop_at_one": None},
    {"unknown": True},
]
