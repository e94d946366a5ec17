"""Every table of the game's own repository: classes of conditions, weapons, armour."""

from __future__ import annotations

import pytest

from domain.rulesets.fansys.rules import equipment, modifiers
from domain.rulesets.fansys.rules.equipment import Item
from domain.rulesets.fansys.rules.modifiers import Condition
from domain.rulesets.fansys.rules.vocabulary import Part, Reach

CLASSES = {
    "S": "dying helpless paralysed unconscious",
    "A": "catatonic crippled immobilised incapacitated stunned",
    "B": "bleeding blinded charmed restrained surprised",
    "C": "deafened frightened inaudible invisible prone",
    "B/C": "aphonia",
    "S-C": "poisoned diseased",
}


@pytest.mark.parametrize(("name", "members"), CLASSES.items())
def test_classes_of_conditions(name: str, members: str) -> None:
    assert " ".join(modifiers.CLASSES[name]) == members
    assert all(modifiers.condition_class(Condition(member)) == name for member in members.split())


def test_every_condition_has_one_class() -> None:
    assert sorted(" ".join(CLASSES.values()).split()) == sorted(Condition)


WEAPONS = {
    "dagger": "1d4", "short sword": "1d6", "scimitar": "1d8", "rapier": "1d10", "longsword": "1d8 1d12",
    "greatsword": "2d6", "greataxe": "2d8", "club": "1d4", "mace": "1d6", "maul": "2d6", "glaive": "1d12",
    "halberd": "1d10", "spear": "1d8 1d12", "sling": "1d6", "shortbow": "1d6", "longbow": "1d10", "crossbow": "1d10",
}  # fmt: skip
RANGED = {"sling", "shortbow", "longbow", "crossbow"}


@pytest.mark.parametrize(("name", "written"), WEAPONS.items())
def test_weapons(name: str, written: str) -> None:
    weapon = equipment.WEAPONS[Item(name)]
    grips = [(weapon.dice, weapon.sides), *([weapon.two_hands] if weapon.two_hands else [])]
    assert " ".join(f"{number}d{sides}" for number, sides in grips) == written
    assert weapon.reach is (Reach.RANGED if name in RANGED else Reach.MELEE)


def test_a_strike_does_one() -> None:
    strike = equipment.weapon_attack(Item.STRIKE, None)
    assert (strike.dice, strike.bonus) == (0, 1)


@pytest.mark.parametrize(
    ("name", "part", "bonus"),
    [
        ("leather cuirass", Part.ARMOUR, 1),
        ("chain shirt", Part.ARMOUR, 2),
        ("brigandine", Part.ARMOUR, 4),
        ("cuirass", Part.ARMOUR, 5),
        ("half plate", Part.ARMOUR, 8),
        ("full plate", Part.ARMOUR, 9),
        ("buckler", Part.DEFLECT, 1),
        ("shield of 2", Part.DEFLECT, 2),
        ("shield of 3", Part.DEFLECT, 3),
        ("shield of 4", Part.DEFLECT, 4),
    ],
)
def test_armour(name: str, part: Part, bonus: int) -> None:
    assert equipment.ARMOUR[Item(name)] == (part, bonus)


def test_every_item_is_a_weapon_or_armour() -> None:
    assert sorted([*equipment.WEAPONS, *equipment.ARMOUR]) == sorted(Item)
