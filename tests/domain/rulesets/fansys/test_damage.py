"""Damage, what absorbs it and what it leaves; and movement."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.rules import sheet
from domain.rulesets.fansys.rules.vocabulary import Energy, Mode, MpStat, Options, Pools, Status
from tests.domain.rulesets.fansys.people import (
    BEN,
    GHOST,
    GM,
    NATURAL,
    P1,
    SUPERNATURAL,
    TABLE,
    full,
)
from tests.domain.rulesets.given import check

HP26 = (26, 26)
DAMAGE: list[tuple[str, Options, Energy, tuple[int, int, int], int, tuple[int, int]]] = [
    # id, options, SP or MP, points, dice left, dice owned; damage; points and HP left of (n, 26)
    ("FS-19", Options(), Energy.SP, (30, 10, 10), 40, (0, 16)),
    ("all absorbed", Options(), Energy.SP, (30, 10, 10), 12, (18, 26)),
    ("the cap of one attack", Options(), Energy.SP, (56, 10, 10), 40, (24, 18)),
    ("dice spent still count for the cap", Options(), Energy.SP, (56, 0, 10), 40, (24, 18)),
    ("FS-21", Options(), Energy.SP, (0, 0, 0), 7, (0, 19)),
    ("MP absorb by CON", Options(), Energy.MP, (40, 5, 5), 30, (18, 18)),
    ("MP absorb by CHA", Options(mp_stat=MpStat.CHA), Energy.MP, (40, 5, 5), 30, (19, 17)),
    ("no MP", Options(), Energy.MP, (0, 5, 5), 3, (0, 23)),
]


@pytest.mark.parametrize(
    ("options", "energy", "has", "points", "then"),
    [r[1:] for r in DAMAGE],
    ids=[r[0] for r in DAMAGE],
)
def test_damage(
    options: Options, energy: Energy, has: tuple[int, int, int], points: int, then: tuple[int, int]
) -> None:
    natural = energy is Energy.SP
    old = (
        Pools(*HP26, has[0], 99, *has[1:], 99, 99, 9, 9)
        if natural
        else Pools(*HP26, 99, 99, 9, 9, has[0], 99, *has[1:])
    )
    new = sheet.apply_damage(
        old, energy, points, sheet.absorption_cap(old, energy, (11, 11, 12, 11, 11, 11), options)
    )
    assert ((new.sp if natural else new.mp), new.hp) == then
    assert (new.mp if natural else new.sp) == 99  # natural damage leaves MP alone


STATUS = [
    (26, Status.OK),
    (14, Status.OK),
    (13, Status.HURT),
    (1, Status.HURT),
    (0, Status.DISABLED),
    (-25, Status.DISABLED),
    (-26, Status.DESTROYED),
    (-99, Status.DESTROYED),
]


@pytest.mark.parametrize(("hp", "status"), STATUS)
def test_half_zero_and_destroyed(hp: int, status: Status) -> None:
    assert sheet.status(Pools(hp, 26, 0, 0, 0, 0, 0, 0, 0, 0)) is status


def test_half_of_an_odd_maximum() -> None:
    assert [sheet.status(Pools(hp, 27, *[0] * 8)) for hp in (14, 13)] == [Status.OK, Status.HURT]


def test_hp_are_not_counted_without_end() -> None:
    rolled = e.DamageRolled("rat", "rat", 2, (), 999, False, 999)
    (old,) = (
        event.pools
        for event in TABLE
        if getattr(event, "entity", "") == "rat" and hasattr(event, "pools")
    )
    after_ = sheet.apply_damage(old, Energy.SP, 999, 12)
    harmed = e.Harmed("rat", NATURAL, 999, 12, "the moon", old, after_, Status.DESTROYED)
    assert after_.hp == old.hp - 987
    check(given=TABLE, when=c.Harm("rat", NATURAL, 999, "the moon"), by=GM, then=[rolled, harmed])
    assert sheet.apply_damage(after_, Energy.SP, 999, 12).hp == -999


def test_the_gm_rolls_damage_and_halves_it() -> None:
    rolled = e.DamageRolled("ben", "ben", 6, (3, 6, 2), 2, True, 6)
    old, new = full(), Pools(26, 26, 36, 36, 0, 0, 27, 33, 0, 0)
    harmed = e.Harmed("ben", SUPERNATURAL, 6, 6, "a fireball", old, new, Status.OK)
    fireball = c.Harm("ben", SUPERNATURAL, 2, "a fireball", 3, 6, True)
    check(given=BEN, when=fireball, by=GM, drawn=[3, 6, 2], then=[rolled, harmed])


WALK, SWIM = e.SpeedSet("ben", Mode.WALK, 0, 30), e.SpeedSet("ben", Mode.SWIM, 0, 5)
MOVES: list[tuple[Sequence[Message], c.Move, str | None]] = [
    ([WALK], c.Move("ben", Mode.WALK, 30), None),
    ([WALK], c.Move("ben", Mode.WALK, 31), "over-speed"),
    ([WALK], c.Move("ben", Mode.WALK, 120, True), None),
    ([WALK], c.Move("ben", Mode.WALK, 121, True), "over-speed"),
    ([WALK, SWIM], c.Move("ben", Mode.SWIM, 5), None),
    ([WALK], c.Move("ben", Mode.BLINK, 5), "no-such-mode"),
    ([], c.Move("ben", Mode.WALK, 5), "no-such-mode"),
]


@pytest.mark.parametrize(("given", "when", "slug"), MOVES)
def test_movement(given: Sequence[Message], when: c.Move, slug: str | None) -> None:
    then = slug or [e.Moved("ben", when.mode, when.distance, when.sprint is True)]
    check(given=[*BEN, *given], when=when, by=By("p2", P1.role), then=then)


def test_a_ghost_needs_no_legs() -> None:
    drifts = e.SpeedSet("ghost", Mode.COSMIC, 0, 40)
    when = c.Move("ghost", Mode.COSMIC, 40)
    check(given=[*GHOST, drifts], when=when, by=GM, then=[e.Moved("ghost", Mode.COSMIC, 40, False)])
