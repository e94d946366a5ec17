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
    CREATE | {"looks": "x" * 4000},
    {"kind": "Retire", "entity": "ana", "reason": "an inn of her own"},
    {"kind": "Roll", "entity": "ana", "aim": "das Schloss öffnen"},
    {"kind": "Roll", "entity": "ana", "stat": "DEX", "aim": "x" * 200},
    {
        "kind": "AnnounceAttack",
        "entity": "ana",
        "target": "ben",
        "attack": "sword",
        "aim": "a feint",
    },
    {"kind": "SetAttackTerms", "entity": "ana"},
    {
        "kind": "SetAttackTerms",
        "entity": "ana",
        "twist": "plain",
        "bonus": -50,
        "cover": 50,
        "reason": "fog",
    },
    {"kind": "RollAttack", "entity": "ana"},
    {"kind": "RuleAttack", "entity": "ana", "success": False, "reason": "out of reach"},
    {"kind": "RollDamage", "entity": "ana", "half": True, "aim": "only the rope"},
    {"kind": "Rest", "entity": "ana", "length": "rest", "hours": 72},
    {
        "kind": "Grant",
        "entity": "ana",
        "twist": "advantage",
        "reason": "height",
        "roll": "attack",
        "only": "sword",
        "target": "ben",
    },
    {"kind": "SetCondition", "entity": "ana", "condition": "prone", "rounds": 10_000},
    {
        "kind": "SetCondition",
        "entity": "ana",
        "name": "verhext",
        "minutes": 100_000,
        "note": "x" * 200,
    },
    {"kind": "EndCondition", "entity": "ana", "name": "x" * 60, "reason": "the moth is free"},
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
    CREATE | {"looks": "x" * 4001},
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
    {"kind": "Roll", "entity": "ana", "aim": ""},
    {"kind": "Roll", "entity": "ana", "aim": "x" * 201},
    {"kind": "Attack", "entity": "ana", "target": "ben", "aim": "two\nlines"},
    {"kind": "SetAttackTerms", "entity": "ana", "cover": 51},
    {"kind": "RuleAttack", "entity": "ana", "success": True},
    {"kind": "Rest", "entity": "ana", "length": "rest", "hours": 73},
    {"kind": "Grant", "entity": "ana", "twist": "advantage", "reason": "height", "roll": "damage"},
    {"kind": "SetCondition", "entity": "ana", "condition": "hexed"},
    {"kind": "SetCondition", "entity": "ana", "name": "x" * 61},
    {"kind": "SetCondition", "entity": "ana", "name": "hexed", "rounds": 10_001},
    {"kind": "SetCondition", "entity": "ana", "name": "hexed", "minutes": 0},
    {"kind": "EndCondition", "entity": "ana", "name": "hexed"},
    {"kind": "EndCondition", "entity": "ana", "name": "x" * 61, "reason": "the moth is free"},
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
    {"stat_in_damage": "STR"},
    {"announce_attacks": None},
]
