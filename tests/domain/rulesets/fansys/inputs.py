"""Commands and options as JSON fields: well formed and malformed ones."""

from __future__ import annotations

STATS = dict.fromkeys(
    ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"), 11
)
CREATE = {

   "kind": "Create", "entity": "ana", "name": "Ana", "level": 1, "sp_dice": 0, "mp_dice": 0,

   "entity_type": "humanoid", "race": "elf", "size": "small", **STATS,
}  # fmt: skip
ATTACK = {

   "kind": "LearnAttack", "entity": "ana", "attack": "axe", "stat": "STR", "nature": "natural", "reach": "melee",

   "dice": 2, "sides": 6, "bonus": -3,
}  # fmt: skip

VALID: list[dict[str, object]] = [
    CREATE,
    CREATE
    | {"level": 100, "strength": 60, "charisma": 0, "bodiless": True, "looks": "Haare wie Stroh"},
    ATTACK,
    ATTACK | {"dice": 0, "second_stat": "DEX", "proficiency": "Äxte", "spiritual": True},
    {"kind": "OpenCheck", "entity": "ana", "skill": "Schlösser knacken", "threshold": -50},
    {"kind": "OpenCheck", "entity": "a" * 32, "stat": "CHA"},
    {"kind": "Take", "entity": "ana", "number": "24"},
    {"kind": "Roll", "entity": "ana"},
    {"kind": "AdjustPool", "entity": "ana", "gauge": "SP dice", "now": 0, "reason": "x" * 200},
    {"kind": "PassTime", "amount": 1000, "unit": "day"},
]

MALFORMED: list[dict[str, object]] = [
    {"kind": "Rol", "entity": "ana"},
    {"kind": "Roll"},
    {"kind": "Roll", "entity": "Ana"},
    {"kind": "Roll", "entity": "ana\n"},
    {"kind": "Roll", "entity": "a" * 33},
    {"kind": "Roll", "entity": "ana", "stat": None},
    {"kind": "Roll", "entity": "ana", "stat": "LUCK"},
    {"kind": "Roll", "entity": "ana", "sum": 28},
    CREATE | {"level": 0},
    CREATE | {"level": 101},
    CREATE | {"wisdom": -1},
    CREATE | {"wisdom": 61},
    CREATE | {"sp_dice": 361},
    CREATE | {"size": "enormous"},
    CREATE | {"race": ""},
    CREATE | {"race": "el\nf"},
    CREATE | {"looks": "x" * 201},
    ATTACK | {"dice": 21},
    ATTACK | {"sides": 1},
    ATTACK | {"bonus": 100},
    ATTACK | {"proficiency": "a line\n"},
    {"kind": "OpenCheck", "entity": "ana", "threshold": 201},
    {"kind": "OpenCheck", "entity": "ana", "threshold": 12.5},
    {"kind": "Take", "entity": "ana", "number": "22"},
    {"kind": "Take", "entity": "ana", "number": 24},
    {"kind": "SpendDice", "entity": "ana", "energy": "SP", "dice": 0, "ability": "a leap"},
    {"kind": "SetTerms", "entity": "ana", "tries": 0},
    {"kind": "AdjustPool", "entity": "ana", "gauge": "HP", "now": -1000, "reason": "spite"},
    {"kind": "AdjustPool", "entity": "ana", "gauge": "HP", "now": 1, "reason": ""},
    {"kind": "PassTime", "amount": 1, "unit": "year"},
    {
        "kind": "SetModifier",
        "entity": "ana",
        "source": "a",
        "origin": "spell",
        "nature": "natural",
        "type": "b",
    },
]

MALFORMED_OPTIONS: list[dict[str, object]] = [
    {"bonus_rounding": "sideways"},
    {"round_seconds": 7},
    {"mp_stat": "INT"},
    {"clock": -1},
    {"two_types": None},
]
