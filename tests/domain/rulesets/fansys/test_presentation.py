"""The table of FanSys as a client gets it, and statistics that golden logs lack."""

from __future__ import annotations

import msgspec

from domain.rulesets.fansys import events as e, ruleset
from domain.rulesets.fansys.rules.dice import ADVANTAGE
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import CHA, CON, Mode, RollPurpose
from tests.domain.rulesets.fansys.people import (
    SAFE,
    TABLE,
    ability,
    defence,
    has_hit,
    is_now,
    left,
    modifier,
    opened,
    proficient,
    save,
    throw,
)
from tests.domain.rulesets.given import after

GIVEN = [
    *TABLE,
    e.SpeedSet("ana", Mode.WALK, 0, 30),
    proficient("ana", "swords"),
    defence("ana", 4, source="cuirass"),
    modifier(2, "rope", only="locks"),
    left("ana", hp=13),
    is_now("ben", ConditionName.STUNNED, 3),
    is_now("ben", ConditionName.PRONE),
    e.Granted("ben", (ADVANTAGE,), ADVANTAGE, "height"),
    opened("ana", threshold=16),
    ability("ben", CHA, against="ana"),
    save("rat", CON),
    has_hit(times=2),
    SAFE,
]


def test_show_a_table_in_the_middle_of_things() -> None:
    shown = msgspec.json.decode(msgspec.json.encode(ruleset.show(after(TABLE[0], GIVEN))))
    assert shown["boards"] == {
        "scene": {"shape": "line", "points": ["safe", "quiet", "tense", "combat"], "at": 0}
    }
    assert shown["entities"]["ana"] == {
        "name": "Ana",
        "seat": "p1",
        "kind": "PC",
        "status": "hurt",
        "sheet": {
            "sword": "1d8 +2 natural melee, STR",
            "locks": "2 points, DEX",
            "level": "3",
            "stats": "STR 11 (+0), DEX 11 (+0), CON 12 (+1), INT 11 (+0), WIS 11 (+0), CHA 11 (+0)",
            "bonuses": "Base 1, Nat 0, Sup 0",
            "HiT": "14",
            "is": "medium, human, humanoid",
            "speeds": "walk 30",
            "proficient": "swords",
            "defences": "cuirass +4 armour",
            "modifiers": "rope +2 locks",
        },
    }
    assert shown["entities"]["ghost"]["sheet"]["is"] == "medium, human, humanoid, bodiless"
    assert shown["pools"]["ana.hp"] == {"entity": "ana", "label": "HP", "now": 13, "max": 26}
    assert shown["pools"]["ghost.mp-dice"] == {
        "entity": "ghost",
        "label": "MP dice",
        "now": 8,
        "max": 8,
    }
    assert shown["conditions"] == {
        "ben.stunned": {"entity": "ben", "label": "stunned (A)", "rounds": 3},
        "ben.prone": {"entity": "ben", "label": "prone (C)"},
        "ben.granted": {"entity": "ben", "label": "advantage on the next roll"},
    }
    check = {"entity": "ana", "check": "locks", "stats": "DEX", "threshold": "16"}
    against = {"entity": "ben", "check": "CHA", "stats": "CHA", "against": "ana"}
    saving = {"entity": "rat", "check": "CON", "stats": "CON", "threshold": "12"}
    damage = {"entity": "ana", "target": "ben", "attack": "sword", "damage": "2d8 +2"}
    assert shown["tasks"] == {
        "ana.check": {
            "seat": "p1",
            "label": "skill",
            "waits": "roll, take or fail",
            "sheet": check,
        },
        "ben.check": {
            "seat": "p2",
            "label": "ability",
            "waits": "the other side's roll",
            "sheet": against,
        },
        "rat.check": {"seat": "gm", "label": "save", "waits": "a save", "sheet": saving},
        "ana.damage": {"seat": "p1", "label": "damage", "waits": "roll", "sheet": damage},
    }


def test_statistics_name_the_twist_of_a_throw() -> None:
    throws = throw(3, 9, 12, twist=ADVANTAGE)
    (rolled,) = ruleset.tally(e.CheckRolled("ana", RollPurpose.ABILITY, "DEX", throws))
    assert (rolled.source, rolled.value) == ("3d12 drop lowest", "23")
    assert rolled.chances["28"] == (34, 1728)
    assert rolled.given == {"twist": "advantage", "kept": "12 9", "modifier": 0}


def test_statistics_limit_an_untrained_throw() -> None:
    throws = throw(9, 8, capped=True)
    rolled, _ = ruleset.tally(e.CheckRolled("ana", RollPurpose.SKILL, "locks", throws, 12, True))
    assert (rolled.value, rolled.given["most"]) == ("12", 12)
    assert rolled.outcomes["success"] == (87, 144)
