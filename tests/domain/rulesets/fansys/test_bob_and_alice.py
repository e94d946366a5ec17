"""The book's example of a save DC, FS-14 to FS-17: as printed where Sup is rounded down, by its formula where up."""

from __future__ import annotations

import pytest

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys.decider import checks
from domain.rulesets.fansys.rules import sheet
from domain.rulesets.fansys.rules.vocabulary import INT, WIS, Check, Options, Rounding, Term, Use
from tests.domain.rulesets.fansys.people import P1, SUPERNATURAL, created, proficient, with_stats
from tests.domain.rulesets.given import after, check

DOWN = Options(bonus_rounding=Rounding.DOWN)

BOB = created("bob", "p2", 6, with_stats(int=18), mp_dice=14)
ALICE = (created("alice", "p1", 5, with_stats(wis=15), mp_dice=6), proficient("alice", "WIS"))
AERITH = (created("aerith", "p1", 8, with_stats(wis=20), mp_dice=19), proficient("aerith", "WIS"))


def test_fs_14_and_15_base_and_stat() -> None:
    assert (sheet.base(6), sheet.stat_bonus(18)) == (2, 4)
    assert (sheet.base(5), sheet.stat_bonus(15)) == (1, 2)
    assert (sheet.base(8), sheet.stat_bonus(20)) == (2, 5)


@pytest.mark.parametrize(
    ("options", "sup", "dc"), [(DOWN, 2, 20), (Options(), 3, 21)], ids=["FS-16", "FS-17"]
)
def test_bobs_save_dc(options: Options, sup: int, dc: int) -> None:
    terms = (Term("Base", 2), Term("Sup", sup), Term("INT", 4))
    check(
        given=[BOB, *ALICE],
        when=c.ForceSave("bob", "alice", SUPERNATURAL, INT, WIS),
        by=By("p2", P1.role),
        options=options,
        then=[
            e.SaveForced("bob", "alice", SUPERNATURAL, terms, dc),
            e.CheckOpened("alice", Check(Use.SAVE, "WIS", (WIS,), False, 1, False, dc)),
        ],
    )


SAVES = [
    # id, who, given, options, save bonus, what the dice must sum to against Bob's DC
    ("FS-16", "alice", ALICE, DOWN, 4, 16),
    ("FS-16", "aerith", AERITH, DOWN, 10, 10),
    ("FS-17", "alice", ALICE, Options(), 4, 17),
    ("FS-17", "aerith", AERITH, Options(), 11, 10),
]


@pytest.mark.parametrize(("who", "given", "options", "bonus", "needs"), [row[1:] for row in SAVES])
def test_who_saves_against_bob(
    who: str, given: list[Message], options: Options, bonus: int, needs: int
) -> None:
    state = after(given[0], [BOB, *given], options)
    against = Check(Use.SAVE, "WIS", (WIS,), False, 1, False)
    assert (
        checks.sum_terms(checks.check_terms(state, state.entities[who], against, (WIS,))) == bonus
    )
    dc = 12 + checks.sum_terms(
        checks.save_dc_terms(state, state.entities["bob"], SUPERNATURAL, INT)
    )
    assert dc - bonus == needs
