"""What needs no roll, what the dice decide, and failing willingly."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import UNSET

from domain.ruleset import Message
from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.rules.dice import (
    ADVANTAGE,
    DISADVANTAGE,
    EXTREME_ADVANTAGE,
    PLAIN,
    Twist,
)
from domain.rulesets.fansys.rules.modifiers import Condition
from domain.rulesets.fansys.rules.vocabulary import (
    CHA,
    CON,
    DEX,
    INT,
    STR,
    WIS,
    Stat,
    Taking,
    Term,
    Use,
    Why,
)
from tests.domain.rulesets.fansys.people import (
    ANA,
    BASE,
    GHOST,
    GM,
    P1,
    SAFE,
    TABLE,
    ability,
    created,
    is_now,
    left,
    opened,
    proficient,
    save,
    throw,
    with_stats,
)
from tests.domain.rulesets.given import after, check, play

BODILESS, MINDLESS = Why.BODILESS, Why.MINDLESS
GOLEM = created("golem", "gm", 2, with_stats(int=0))
OAK = created("oak", "gm", 2, with_stats(dex=0), mindless=True)
SURE: list[tuple[str, Message, bool, Why]] = [
    # who, the check, success, why
    ("ghost", save("ghost", CON), True, BODILESS),
    ("ghost", save("ghost", CON, threshold=99), True, BODILESS),
    ("ghost", save("ghost", STR), False, Why.NO_STAT),
    ("golem", save("golem", INT), True, MINDLESS),
    ("golem", save("golem", WIS), True, MINDLESS),
    ("oak", save("oak", WIS), True, MINDLESS),
    ("oak", save("oak", DEX), False, Why.NO_STAT),
    ("golem", ability("golem", INT), False, Why.NO_STAT),
    ("ana", ability("ana", DEX, threshold=-2), True, Why.SURE),
    ("ana", ability("ana", DEX, threshold=29), False, Why.SURE),
]


@pytest.mark.parametrize(("who", "waiting", "success", "why"), SURE)
def test_what_needs_no_roll(who: str, waiting: Message, success: bool, why: Why) -> None:
    use, name = waiting.check.use, waiting.check.name  # type: ignore[attr-defined]
    then = [e.CheckSettled(who, use, name, success, why)]
    check(given=[*TABLE, GOLEM, OAK, waiting], when=c.Roll(who), by=GM, then=then)


BARRED: list[tuple[Condition, Message, Why]] = [
    (Condition.HELPLESS, save("ana", STR), Why.CONDITION),
    (Condition.IMMOBILISED, save("ana", DEX), Why.CONDITION),
    (Condition.PARALYSED, ability("ana", STR, threshold=12), Why.CONDITION),
    (Condition.PARALYSED, opened("ana", name="jumping", stats=(DEX,)), Why.CONDITION),
    (Condition.UNCONSCIOUS, ability("ana", WIS), Why.CANNOT_ACT),
]


@pytest.mark.parametrize(("condition", "waiting", "why"), BARRED)
def test_what_cannot_be_rolled_fails(condition: Condition, waiting: Message, why: Why) -> None:
    use, name = waiting.check.use, waiting.check.name  # type: ignore[attr-defined]
    then = [e.CheckSettled("ana", use, name, False, why)]
    given = [*TABLE, is_now("ana", condition), waiting]
    check(given=given, when=c.Roll("ana"), by=P1, then=then)
    if use is not Use.SAVE:
        check(given=[*given, SAFE], when=c.Take("ana", Taking.BEST), by=P1, then=then)


ROLLED: list[tuple[Condition, Message, str]] = [
    (Condition.HELPLESS, save("ana", DEX, threshold=10), "DEX"),
    (Condition.IMMOBILISED, save("ana", STR, threshold=10), "STR"),
    (Condition.PARALYSED, save("ana", DEX, threshold=10), "DEX"),  # the book says nothing of these
    (Condition.STUNNED, save("ana", CHA, threshold=10), "CHA"),
]


@pytest.mark.parametrize(("condition", "waiting", "name"), ROLLED)
def test_by_the_book_these_are_rolled(condition: Condition, waiting: Message, name: str) -> None:
    then = [e.CheckRolled("ana", Use.SAVE, name, throw(6, 7, terms=(BASE,)), 10, True)]
    check(
        given=[*ANA, is_now("ana", condition), waiting],
        when=c.Roll("ana"),
        by=P1,
        drawn=[6, 7],
        then=then,
    )


def test_the_disabled_save_and_their_bodies_go_on() -> None:
    down = [*ANA, left("ana", hp=0)]
    rolled = e.CheckRolled(
        "ana", Use.SAVE, "CON", throw(6, 7, terms=(BASE, Term("CON", 1))), 10, True
    )
    check(
        given=[*down, save("ana", CON, threshold=10)],
        when=c.Roll("ana"),
        by=P1,
        drawn=[6, 7],
        then=[rolled],
    )
    body = e.CheckRolled("ana", Use.ABILITY, "CON", throw(6, 7, terms=(Term("CON", 1),)))
    check(given=[*down, ability("ana", CON)], when=c.Roll("ana"), by=P1, drawn=[6, 7], then=[body])
    failed = e.CheckSettled("ana", Use.SKILL, "locks", False, Why.CANNOT_ACT)
    check(given=[*down, opened("ana")], when=c.Roll("ana"), by=P1, then=[failed])


def test_of_two_valid_saves_one_is_chosen() -> None:
    given = [*ANA, proficient("ana", "CON"), save("ana", CON, WIS, threshold=10)]
    terms = (BASE, Term("CON", 1))
    for stat, added in ((CON, terms), (WIS, (BASE,))):
        then = [
            e.CheckRolled(
                "ana", Use.SAVE, stat.value, throw(5, 5, terms=added), 10, stat is CON or 11 >= 10
            )
        ]
        check(given=given, when=c.Roll("ana", stat), by=P1, drawn=[5, 5], then=then)


GRANTS: list[tuple[Sequence[Twist], Twist, list[int], int]] = [
    ([ADVANTAGE], ADVANTAGE, [3, 9, 12], 23),
    ([DISADVANTAGE], DISADVANTAGE, [3, 9, 12], 12),
    ([ADVANTAGE, ADVANTAGE], ADVANTAGE, [3, 9, 12], 23),
    ([ADVANTAGE, ADVANTAGE, DISADVANTAGE], PLAIN, [3, 9], 12),
    ([ADVANTAGE, EXTREME_ADVANTAGE], EXTREME_ADVANTAGE, [3, 9, 12, 1], 23),
    ([EXTREME_ADVANTAGE, DISADVANTAGE], PLAIN, [3, 9], 12),
    ([ADVANTAGE, PLAIN], PLAIN, [3, 9], 12),
]


@pytest.mark.parametrize(("twists", "twist", "faces", "total"), GRANTS)
def test_granted_twists_wait_for_the_next_roll(
    twists: Sequence[Twist], twist: Twist, faces: list[int], total: int
) -> None:
    log = play(
        *((GM, c.Grant("ana", each, "the light")) for each in twists),
        given=[*ANA, ability("ana", DEX)],
    )
    assert isinstance(log[-1], e.Granted)
    assert log[-1].twist is twist
    rolled = e.CheckRolled("ana", Use.ABILITY, "DEX", throw(*faces, twist=twist))
    assert rolled.throw.total == total
    check(
        given=[*ANA, ability("ana", DEX), *log],
        when=c.Roll("ana"),
        by=P1,
        drawn=faces,
        then=[rolled],
    )
    assert after(rolled, [*ANA, *log, rolled]).entities["ana"].granted == ()


def test_dropped_dice_save_nobody() -> None:
    twelves = throw(12, 12, 5, twist=DISADVANTAGE)
    assert (twelves.kept, twelves.sum) == ((5, 12), 19)
    then = [
        e.CheckRolled(
            "ana", Use.SAVE, "DEX", throw(12, 12, 5, twist=DISADVANTAGE, terms=(BASE,)), 30, False
        )
    ]
    granted = e.Granted("ana", (DISADVANTAGE,), DISADVANTAGE, "the fog")
    check(
        given=[*ANA, granted, save("ana", DEX, threshold=30)],
        when=c.Roll("ana"),
        by=P1,
        drawn=[12, 12, 5],
        then=then,
    )


WILLING: list[tuple[Message, Stat | None, str | None]] = [
    # the check, the save chosen, the refusal
    (save("ana", STR), None, None),
    (save("ana", DEX), None, None),
    (save("ana", INT), None, None),
    (save("ana", WIS), None, None),
    (save("ana", CON), None, "autonomous"),
    (save("ana", CHA), None, "ask-the-gm"),
    (save("ana", CHA, may_yield=True), None, None),
    (save("ana", CON, WIS), WIS, None),
    (save("ana", CON, WIS), CON, "autonomous"),
    (opened("ana"), None, None),
    (ability("ana", CON), None, "autonomous"),
]


@pytest.mark.parametrize(("waiting", "stat", "slug"), WILLING)
def test_failing_willingly(waiting: Message, stat: Stat | None, slug: str | None) -> None:
    use, name = waiting.check.use, waiting.check.name  # type: ignore[attr-defined]
    then = slug or [e.CheckSettled("ana", use, name, False, Why.WILLING)]
    check(given=[*ANA, waiting], when=c.FailWillingly("ana", stat or UNSET), by=P1, then=then)


def test_the_ghost_knows_no_fear_of_poison() -> None:
    assert GHOST[0].bodiless
    given = [*GHOST, save("ghost", CON, WIS, threshold=30)]
    then = [e.CheckSettled("ghost", Use.SAVE, "CON or WIS", True, Why.BODILESS)]
    check(given=given, when=c.Roll("ghost", CON), by=GM, then=then)
