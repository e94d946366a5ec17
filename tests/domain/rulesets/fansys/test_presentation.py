"""The table of FanSys as a client gets it, and statistics that golden logs lack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

import msgspec
import pytest
from msgspec.structs import replace

from domain.ruleset import Message
from domain.rulesets.fansys import events as e, ruleset
from domain.rulesets.fansys.rules import equipment
from domain.rulesets.fansys.rules.dice import ADVANTAGE, DISADVANTAGE, EXTREME_ADVANTAGE, PLAIN
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import (
    CHA,
    CON,
    Mode,
    Options,
    RollPurpose,
    Skill,
    ThresholdPart,
    TiedGrant,
)
from domain.table import AttackForecast
from domain.tally import Attempted, Rolled, Settled
from tests.domain.rulesets.fansys.people import (
    ANA,
    ANNOUNCED,
    BEN,
    RAT,
    SAFE,
    STRONG,
    TABLE,
    ability,
    created,
    defence,
    has_hit,
    hexed,
    is_now,
    left,
    modifier,
    opened,
    proficient,
    save,
    throw,
    tied,
)
from tests.domain.rulesets.given import after

GIVEN = [
    *TABLE,
    e.SpeedSet("ana", Mode.WALK, 0, 30),
    proficient("ana", "swords"),
    defence("ana", 4, source="cuirass"),
    defence("ana", 3, ThresholdPart.DEFLECT, source="shield of 3"),
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
        "scene": {"shape": "line", "points": ["safe", "quiet", "tense", "combat"], "index": 0},
        "clock": {"shape": "line", "points": ["day 1, 00:00:00"], "index": 0},
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
            "stats": "Strength 11 (+0), Dexterity 11 (+0), Constitution 12 (+1), "
            "Intelligence 11 (+0), Wisdom 11 (+0), Charisma 11 (+0)",
            "bonuses": "Base 1, natural (Nat) 0, supernatural (Sup) 0",
            "hit threshold (HiT)": "17",
            "kind of being": "medium, human, humanoid",
            "speeds": "walk 30",
            "proficient": "swords",
            "defences": "cuirass +4 armour, shield +3 deflect",
            "modifiers": "rope +2 locks",
        },
        "summary": "level 3 · human humanoid",
        "stats": {"STR": "11", "DEX": "11", "CON": "12", "INT": "11", "WIS": "11", "CHA": "11"},
    }
    assert (
        shown["entities"]["ghost"]["sheet"]["kind of being"] == "medium, human, humanoid, bodiless"
    )
    assert shown["pools"]["ana.hp"] == {
        "entity": "ana",
        "label": "HP",
        "now": 13,
        "max": 26,
        "kind": "health",
        "meaning": "hit points",
    }
    assert shown["pools"]["ghost.mp-dice"] == {
        "entity": "ghost",
        "label": "MP dice",
        "now": 8,
        "max": 8,
        "kind": "magic",
        "slots": True,
        "meaning": "magic dice",
    }
    assert shown["conditions"] == {
        "ben.stunned": {"entity": "ben", "label": "stunned (A)", "rounds": 3},
        "ben.prone": {"entity": "ben", "label": "prone (C)"},
        "ben.granted": {"entity": "ben", "label": "advantage on the next roll", "helps": True},
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


def attempted(event: e.Event) -> Attempted:
    (found,) = (count for count in ruleset.tally(event) if isinstance(count, Attempted))
    return found


def test_statistics_limit_an_untrained_throw() -> None:
    throws = throw(9, 8, capped=True)
    checked = attempted(e.CheckRolled("ana", RollPurpose.SKILL, "locks", throws, 12, True))
    assert (checked.value, checked.outcome, checked.given["most"]) == ("9 + 8", "success", 12)
    assert checked.chances == {"failure": (57, 144), "success": (87, 144)}
    unopposed = attempted(e.CheckRolled("ana", RollPurpose.SKILL, "locks", throws))
    assert (unopposed.outcome, unopposed.chances["12"]) == ("12", (87, 144))
    assert list(unopposed.chances)[-1] == "12"


def test_an_outcome_that_cannot_come_is_not_counted() -> None:
    sure = e.CheckRolled("ana", RollPurpose.SKILL, "locks", throw(9, 8, capped=True), 13, False)
    assert attempted(sure).chances == {"failure": (144, 144)}
    assert attempted(sure).successes == ()


def test_a_sum_of_too_many_dice_has_no_luck() -> None:
    """One throw of 60d12 in 12**60 gives the lowest sum."""
    rolled = e.DamageRolled("ana", "ben", 12, (6,) * 60, 0, False, 360, "sword")
    counts = ruleset.tally(rolled)
    assert [type(count) for count in counts] == [Rolled] * 60 + [Settled]


def test_a_save_without_a_threshold_is_still_a_save() -> None:
    rolled = attempted(e.CheckRolled("ana", RollPurpose.SAVE, "DEX", throw(9, 8)))
    assert (rolled.outcome, rolled.is_save, rolled.stakes) == ("17", True, "harm")


def test_show_what_the_second_edition_adds() -> None:
    given = [
        *TABLE,
        e.SpeedSet("ana", Mode.WALK, 0, 30),
        e.TimePassed(180_330, 180_330),
        e.Moved("ana", Mode.WALK, 20, False),
        replace(ANNOUNCED, aim="a feint"),
        e.AttackTermsSet("ana", DISADVANTAGE, 2, reason="fog"),
        opened("ben", aim="climb the wall"),
        has_hit("rat", "ana", equipment.weapon_attack(equipment.Item.STRIKE, None)),
        hexed("ana", minutes=10),
        replace(hexed("ben", 3), condition="Müde", note="yawns"),
        e.TimePassed(61, 180_391),
        e.Moved("ana", Mode.WALK, 5, False),
        tied(TiedGrant(ADVANTAGE, RollPurpose.ATTACK, "sword", "ben")),
        e.Retired("ghost", "at rest"),
    ]
    shown = msgspec.json.decode(msgspec.json.encode(ruleset.show(after(TABLE[0], given))))
    assert shown["boards"]["clock"]["points"] == ["day 3, 02:06:31"]
    assert shown["entities"]["ana"]["sheet"]["this round"] == "moved 5 feet"
    assert shown["conditions"] == {
        "ana.own.hexed": {"entity": "ana", "label": "hexed", "minutes": 9},
        "ana.granted.1": {
            "entity": "ana",
            "label": "advantage on the next sword attack against Ben",
            "helps": True,
        },
        "ben.own.m\\xfcde": {"entity": "ben", "label": "Müde", "rounds": 3, "note": "yawns"},
    }
    assert shown["tasks"]["ana.attack"] == {
        "seat": "p1",
        "label": "attack",
        "waits": "roll",
        "sheet": {
            "entity": "ana",
            "target": "ben",
            "attack": "sword",
            "terms": "disadvantage and +2 to hit",
            "aim": "a feint",
        },
    }
    assert shown["tasks"]["ben.check"]["sheet"]["aim"] == "climb the wall"
    assert shown["tasks"]["rat.damage"]["sheet"]["damage"] == "1"
    assert shown["entities"]["ghost"]["status"] == "retired"
    assert "ghost.hp" not in shown["pools"]


def test_an_announced_attack_waits_for_the_terms_where_it_has_to() -> None:
    state = after(ANNOUNCED, [*TABLE, ANNOUNCED], Options(announce_attacks=True))
    assert ruleset.show(state).tasks["ana.attack"].waits == "the GM's terms"


def test_the_damage_of_a_hit_is_shown_with_the_stat() -> None:
    state = after(ANNOUNCED, [*STRONG, *BEN, has_hit()], Options(stat_in_damage=True))
    assert ruleset.show(state).tasks["ana.damage"].sheet["damage"] == "1d8 +5"


def test_grants_that_cancel_are_named_so() -> None:
    granted = e.Granted("ana", (ADVANTAGE, DISADVANTAGE), PLAIN, "height and fog")
    condition = ruleset.show(after(granted, [*TABLE, granted])).conditions["ana.granted"]
    assert condition.label == "neither advantage nor disadvantage on the next roll"


def test_one_point_in_a_skill_is_one() -> None:
    learned = e.SkillLearned("ana", Skill("knots", 1, (CON,), True))
    shown = ruleset.show(after(learned, [*TABLE, learned]))
    assert shown.entities["ana"].sheet["knots"] == "1 point, CON, background"


TWO_DICE = tuple(product(range(1, 13), repeat=2))
RAT_ALONE = (*ANA, *BEN, *RAT)


def attacks(*given: Message) -> dict[str, AttackForecast]:
    return ruleset.show(after(TABLE[0], given)).attacks


def adjusted(pair: Sequence[int]) -> int:
    """Return the sum of two dice by RULES 2.3: a 12 adds 2, and a 1 takes 2 away."""
    return sum(pair) + 2 * pair.count(12) - 2 * pair.count(1)


@pytest.mark.parametrize(
    ("given", "parts", "needed"),
    [
        ([], {"always": 10}, 9),
        ([proficient("ana", "swords")], {"always": 10}, 9),
        ([modifier(2)], {"always": 10}, 7),
        (
            [defence("rat", 2, ThresholdPart.DODGE), defence("rat", 4, ThresholdPart.HIDE)],
            {"always": 10, "dodge": 2, "hide": 4},
            15,
        ),
        (
            [defence("rat", 4, ThresholdPart.CIRCUMSTANCE, source="cover"), defence("rat", 3)],
            {"always": 10, "armour": 3, "circumstance": 4},
            16,
        ),
        ([defence("rat", 90)], {"always": 10, "armour": 90}, 28),
        ([defence("rat", -30)], {"always": 10, "armour": -30}, 1),
        (
            [replace(ANNOUNCED, target="rat"), e.AttackTermsSet("ana", bonus=1, cover=4)],
            {"always": 10, "cover": 4},
            12,
        ),
    ],
)
def test_the_next_attack_against_the_parts_of_a_defence(
    given: Sequence[Message], parts: dict[str, int], needed: int
) -> None:
    """RULES 10.1 to 10.3 and 10.9: (12, 12) always hits, and (1, 1) never does."""
    forecast = attacks(*RAT_ALONE, *given)["ana"]
    assert (forecast.label, list(forecast.targets)) == ("sword", ["rat"])
    target = forecast.targets["rat"]
    assert (target.defence, target.needed, target.chosen) == (parts, needed, "plain")
    sums, weights = Counter(map(adjusted, TWO_DICE)), forecast.weights["plain"]
    assert {forecast.lowest + nth: n for nth, n in enumerate(weights) if n} == sums
    threes = [sorted(faces)[1:] for faces in product(range(1, 13), repeat=3)]
    assert target.percent == {
        name: round(100 * sum(adjusted(pair) >= needed for pair in pairs) / len(pairs))
        for name, pairs in (("plain", TWO_DICE), ("with advantage", threes))
    }


def test_the_next_attack_has_the_twist_of_its_roll() -> None:
    fog = e.Granted("ana", (DISADVANTAGE,), DISADVANTAGE, "fog")
    forecast = attacks(*RAT_ALONE, fog)["ana"]
    assert forecast.targets["rat"].chosen == "with disadvantage"
    assert list(forecast.targets["rat"].percent) == ["with disadvantage", "with advantage", "plain"]
    assert {name: sum(each) for name, each in forecast.weights.items()} == {
        "with disadvantage": 12**3
    }


def test_whom_the_next_attack_is_aimed_at() -> None:
    def targets(*given: Message) -> dict[str, list[str]]:
        return {entity: list(each.targets) for entity, each in attacks(*TABLE, *given).items()}

    # A sword does nothing to the ghost, which no one can touch either.
    assert targets() == {"ana": ["rat"], "ben": ["rat"], "rat": ["ana", "ben"]}
    assert targets(has_hit("ana", "ben"))["ana"] == ["ben"]
    assert targets(ANNOUNCED)["ana"] == ["ben"]
    assert targets(e.Retired("ana", "at rest")) == {"ben": ["rat"], "rat": ["ben"]}
    assert targets(e.Retired("rat", "at rest")) == {}


def test_a_viewer_sees_no_attack_against_a_hidden_target() -> None:
    """A viewer's table is folded from the events that the viewer may see."""
    hidden = (
        replace(ANNOUNCED, target="rat"),
        has_hit("ben", "rat"),
        defence("rat", 4),
    )
    assert attacks(*ANA, *BEN, *hidden) == {}


def test_the_next_attack_is_small() -> None:
    """A table's JSON grows by at most 1 KB for each character."""
    extreme = e.Granted("rat", (EXTREME_ADVANTAGE,), EXTREME_ADVANTAGE, "height")
    party = ("ana", "ben", "cleo", "dora")
    parts = [defence(each, 2, part) for each in party for part in ThresholdPart]
    found = attacks(*TABLE, *(created(each) for each in party[2:]), *parts, extreme)
    assert list(found["rat"].targets) == ["ana", "ben", "cleo"]
    assert all(len(msgspec.json.encode(each)) < 1_000 for each in found.values())
