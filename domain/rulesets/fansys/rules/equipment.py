"""The game's weapon and armour tables."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from domain.rulesets.fansys.rules.vocabulary import (
    DEX,
    STR,
    AttackProfile,
    Nature,
    Reach,
    ThresholdPart,
)


class Item(StrEnum):
    STRIKE = "strike"
    DAGGER = "dagger"
    SHORT_SWORD = "short sword"
    SCIMITAR = "scimitar"
    RAPIER = "rapier"
    LONGSWORD = "longsword"
    GREATSWORD = "greatsword"
    GREATAXE = "greataxe"
    CLUB = "club"
    MACE = "mace"
    MAUL = "maul"
    GLAIVE = "glaive"
    HALBERD = "halberd"
    SPEAR = "spear"
    SLING = "sling"
    SHORTBOW = "shortbow"
    LONGBOW = "longbow"
    CROSSBOW = "crossbow"
    LEATHER_CUIRASS = "leather cuirass"
    CHAIN_SHIRT = "chain shirt"
    BRIGANDINE = "brigandine"
    CUIRASS = "cuirass"
    HALF_PLATE = "half plate"
    FULL_PLATE = "full plate"
    BUCKLER = "buckler"
    SHIELD_2 = "shield of 2"
    SHIELD_3 = "shield of 3"
    SHIELD_4 = "shield of 4"


I = Item  # noqa: E741 keeps the tables readable
STRIKE = 1  # damage of the only weapon without dice


class Weapon(NamedTuple):
    """A weapon's damage dice and reach.

    `two_hands` is the number of damage dice and their sides if the weapon is held with two hands.
    It is None if the weapon has only one grip.
    """

    dice: int
    sides: int
    reach: Reach = Reach.MELEE
    two_hands: tuple[int, int] | None = None


WEAPONS = {
    I.STRIKE: Weapon(0, 2),
    I.DAGGER: Weapon(1, 4),
    I.SHORT_SWORD: Weapon(1, 6),
    I.SCIMITAR: Weapon(1, 8),
    I.RAPIER: Weapon(1, 10),
    I.LONGSWORD: Weapon(1, 8, two_hands=(1, 12)),
    I.GREATSWORD: Weapon(2, 6),
    I.GREATAXE: Weapon(2, 8),
    I.CLUB: Weapon(1, 4),
    I.MACE: Weapon(1, 6),
    I.MAUL: Weapon(2, 6),
    I.GLAIVE: Weapon(1, 12),
    I.HALBERD: Weapon(1, 10),
    I.SPEAR: Weapon(1, 8, two_hands=(1, 12)),
    I.SLING: Weapon(1, 6, Reach.RANGED),
    I.SHORTBOW: Weapon(1, 6, Reach.RANGED),
    I.LONGBOW: Weapon(1, 10, Reach.RANGED),
    I.CROSSBOW: Weapon(1, 10, Reach.RANGED),
}
ARMOUR = {
    I.LEATHER_CUIRASS: (ThresholdPart.ARMOUR, 1),
    I.CHAIN_SHIRT: (ThresholdPart.ARMOUR, 2),
    I.BRIGANDINE: (ThresholdPart.ARMOUR, 4),
    I.CUIRASS: (ThresholdPart.ARMOUR, 5),
    I.HALF_PLATE: (ThresholdPart.ARMOUR, 8),
    I.FULL_PLATE: (ThresholdPart.ARMOUR, 9),
    I.BUCKLER: (ThresholdPart.DEFLECT, 1),
    I.SHIELD_2: (ThresholdPart.DEFLECT, 2),
    I.SHIELD_3: (ThresholdPart.DEFLECT, 3),
    I.SHIELD_4: (ThresholdPart.DEFLECT, 4),
}


def weapon_attack(item: Item, grip: tuple[int, int] | None) -> AttackProfile:
    """Return the weapon's attack, which uses STR in melee and DEX at range.

    `grip` overrides the number and size of the damage dice. The proficiency for the attack has the
    same name as the weapon.
    """
    weapon = WEAPONS[item]
    dice, sides = grip or (weapon.dice, weapon.sides)
    stat, name = STR if weapon.reach is Reach.MELEE else DEX, item.value
    return AttackProfile(
        name, (stat,), Nature.NATURAL, weapon.reach, dice, sides, 0 if dice else STRIKE, name, False
    )
