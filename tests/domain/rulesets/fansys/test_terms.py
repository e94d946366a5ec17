"""What a check adds: Base, points, stats, Nat and Sup, and modifiers as they stack."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.ruleset import Message
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.decider import checks
from domain.rulesets.fansys.rules.vocabulary import (
    CON,
    DEX,
    INT,
    STR,
    WIS,
    Applies,
    BaseOnSkills,
    Check,
    Options,
    Skill,
    Stat,
    Term,
    Use,
)
from tests.domain.rulesets.fansys.people import (
    ANA,
    SUPERNATURAL,
    created,
    modifier,
    proficient,
    with_stats,
)
from tests.domain.rulesets.given import after

POINTS = Term("points", 2)
BACKGROUND = Options(base_on_skills=BaseOnSkills.BACKGROUND)
NEVER = Options(base_on_skills=BaseOnSkills.NEVER)
ADEPT = created("ana", "p1", 6, with_stats(str=15, int=18, wis=8), sp_dice=13, mp_dice=6)
HOBBY = e.SkillLearned("ana", Skill("knots", 1, (DEX, INT), True))

TERMS: list[tuple[str, Sequence[Message], Options, Use, str, tuple[Stat, ...], str]] = [
    # id, given, options, use, name, stats, what is added
    ("an ability has no Base", [ADEPT], Options(), Use.ABILITY, "STR", (STR,), "+2 STR"),
    (
        "a skill has Base and points",
        [ADEPT, HOBBY],
        Options(),
        Use.SKILL,
        "knots",
        (STR,),
        "+2 Base +1 points +2 STR",
    ),
    (
        "two stats, one bonus",
        [ADEPT, HOBBY],
        Options(),
        Use.SKILL,
        "knots",
        (DEX, INT),
        "+2 Base +1 points +2 DEX and INT",
    ),
    ("an unknown skill", [ADEPT], Options(), Use.SKILL, "juggling", (STR,), "+2 Base +2 STR"),
    (
        "a background skill",
        [ADEPT, HOBBY],
        BACKGROUND,
        Use.SKILL,
        "knots",
        (CON,),
        "+2 Base +1 points +1 CON",
    ),
    ("no background skill", [ADEPT], BACKGROUND, Use.SKILL, "juggling", (STR,), "+2 STR"),
    ("Base never", [ADEPT, HOBBY], NEVER, Use.SKILL, "knots", (STR,), "+1 points +2 STR"),
    ("a save without proficiency", [ADEPT], Options(), Use.SAVE, "STR", (STR,), "+2 Base +2 STR"),
    (
        "a save with Nat",
        [ADEPT, proficient("ana", "STR")],
        Options(),
        Use.SAVE,
        "STR",
        (STR,),
        "+2 Base +3 Nat +2 STR",
    ),
    (
        "a save with Sup",
        [ADEPT, proficient("ana", "WIS")],
        Options(),
        Use.SAVE,
        "WIS",
        (WIS,),
        "+2 Base +1 Sup -1 WIS",
    ),
]


@pytest.mark.parametrize(
    ("given", "options", "use", "name", "stats", "added"),
    [r[1:] for r in TERMS],
    ids=[r[0] for r in TERMS],
)
def test_what_is_added(
    given: Sequence[Message],
    options: Options,
    use: Use,
    name: str,
    stats: tuple[Stat, ...],
    added: str,
) -> None:
    state = after(given[0], given, options)
    terms = checks.check_terms(
        state, state.entities["ana"], Check(use, name, stats, False, 1, False), stats
    )
    assert " ".join(f"{term.value:+d} {term.name}" for term in terms) == added


M = modifier
MODIFIERS: list[tuple[str, Sequence[Message], Options, int]] = [
    # id, modifiers, options, what they come to on a DEX check
    ("different types add up", [M(2, "a", type_="tool"), M(3, "b", type_="mood")], Options(), 5),
    ("of one type the largest", [M(2, "a"), M(3, "b")], Options(), 3),
    ("and the largest penalty", [M(2, "a"), M(3, "b"), M(-1, "c"), M(-4, "d")], Options(), -1),
    (
        "the supernatural never stack",
        [M(2, "a", nature=SUPERNATURAL), M(3, "b", nature=SUPERNATURAL, type_="x")],
        Options(),
        3,
    ),
    ("they are one type more", [M(2, "a", nature=SUPERNATURAL), M(3, "b")], Options(), 5),
    (
        "two types only",
        [M(2, "a", type_="tool"), M(3, "b", type_="mood")],
        Options(two_types=True),
        3,
    ),
    ("set again it is replaced", [M(2), M(5)], Options(), 5),
    ("set to 0 it is gone", [M(2), M(0)], Options(), 0),
    ("for saves alone", [M(2, applies=Applies.SAVE)], Options(), 0),
    ("for a save DC alone", [M(2, applies=Applies.DC)], Options(), 0),
    ("for its stat", [M(2, only="DEX")], Options(), 2),
    ("for another stat", [M(2, only="STR")], Options(), 0),
    (
        "a text that says supernatural is a natural type",
        [M(2, type_="supernatural"), M(3, "b", nature=SUPERNATURAL)],
        Options(),
        5,
    ),
]


@pytest.mark.parametrize(
    ("given", "options", "total"), [r[1:] for r in MODIFIERS], ids=[r[0] for r in MODIFIERS]
)
def test_modifiers(given: Sequence[Message], options: Options, total: int) -> None:
    state = after(given[0], [*ANA, *given], options)
    made = Check(Use.ABILITY, "DEX", (DEX,), False, 1, False)
    assert checks.sum_terms(checks.check_terms(state, state.entities["ana"], made, (DEX,))) == total
