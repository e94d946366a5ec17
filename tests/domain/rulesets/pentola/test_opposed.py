"""Opposed tests: outcomes, rolls and ties, and the exact chances to come out first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from domain import odds
from domain.rulesets.pentola import commands as c, contests, events as e, ruleset
from domain.rulesets.pentola.contests import Contender
from domain.rulesets.pentola.rules import Being, TieBreak
from tests.domain.rulesets.given import after, play
from tests.domain.rulesets.pentola.people import (
    GM,
    TABLE,
    called,
    initiative,
    opposed,
    started,
)


def side(
    entity: str, percent: int, roll: int, player: bool = True, defends: bool = False, steps: int = 0
) -> Contender:
    return Contender(entity, f"seat-{entity}", player, defends, percent, steps, roll)


RANKINGS = [
    # id, sides, best first
    ("a success beats a failure", [side("a", 80, 87), side("b", 140, 83)], "b a"),
    ("the higher success", [side("a", 80, 68), side("b", 140, 32)], "a b"),
    ("a critical beats a success", [side("a", 80, 41), side("b", 140, 12)], "b a"),
    ("a failure beats a fumble", [side("a", 80, 91), side("b", 140, 100)], "a b"),
    ("the higher failure", [side("a", 80, 91), side("b", 80, 95)], "b a"),
    ("ruling 7: the higher critical", [side("a", 140, 13), side("b", 140, 2)], "a b"),
    (
        "PE-17: the higher dodge",
        [side("kick", 50, 21), side("dodge", 50, 27, defends=True)],
        "dodge kick",
    ),
    (
        "PE-19: the critical dodge",
        [side("tackle", 50, 15), side("dodge", 21, 2, defends=True)],
        "dodge tackle",
    ),
    (
        "a tie is the player's",
        [side("a", 80, 50, player=False, defends=True), side("b", 60, 50)],
        "b a",
    ),
    (
        "a tie of players is the defender's",
        [side("a", 80, 50), side("b", 60, 50, defends=True)],
        "b a",
    ),
    (
        "ruling 8: two fumbles are a tie",
        [side("a", 80, 100), side("b", 60, 100, defends=True)],
        "b a",
    ),
    (
        "ruling 9: a tie of non-players is the defender's",
        [side("a", 80, 50, player=False), side("b", 60, 50, player=False, defends=True)],
        "b a",
    ),
    ("ruling 9: then the higher goal", [side("a", 60, 50), side("b", 80, 50)], "b a"),
    ("ruling 9: the goal after its steps", [side("a", 80, 45), side("b", 60, 45, steps=1)], "b a"),
    ("ruling 9: then seats", [side("b", 80, 50), side("a", 80, 50)], "a b"),
    (
        "ruling 10: many",
        [side("a", 50, 79), side("b", 51, 10), side("c", 82, 31), side("d", 51, 5)],
        "d c b a",
    ),
    (
        "ruling 15: every band ascends",
        [
            side("a", 50, 100),
            side("b", 50, 60),
            side("c", 50, 99),
            side("d", 50, 6),
            side("e", 50, 49),
            side("f", 50, 1),
            side("g", 50, 4),
        ],
        "g f e d c b a",
    ),
]


@pytest.mark.parametrize(
    ("sides", "best_first"), [row[1:] for row in RANKINGS], ids=[row[0] for row in RANKINGS]
)
def test_ranking(sides: list[Contender], best_first: str) -> None:
    assert contests.rank_sides(sides) == tuple(best_first.split())
    assert contests.rank_sides(reversed(sides)) == tuple(best_first.split())


def counted(sides: list[Contender]) -> dict[str, Fraction]:
    """Return the chances to lead, counted over all possible rolls."""
    leads = Counter(contests.rank_sides(fallen)[0] for fallen in ways(sides))
    return {entity: Fraction(lead, leads.total()) for entity, lead in leads.items()}


def ways(sides: list[Contender]) -> Iterator[list[Contender]]:
    for rolls in product(*(range(1, 101) if one.roll == 0 else [one.roll] for one in sides)):
        yield [replace(one, roll=roll) for one, roll in zip(sides, rolls, strict=True)]


def unrolled(sides: list[Contender]) -> list[Contender]:
    return [
        Contender(s.entity, s.seat, s.player, s.defends, s.percent, s.steps) if s.roll == 0 else s
        for s in sides
    ]


contenders = st.builds(
    side,
    st.just("x"),
    st.integers(3, 150),
    st.integers(1, 100),
    st.booleans(),
    st.booleans(),
    st.integers(-1, 1),
)


@given(contenders, contenders, contenders, contenders)
def test_the_closed_form_is_what_enumeration_gives(
    a: Contender, b: Contender, c: Contender, d: Contender
) -> None:
    named = [
        replace(one, entity=name, seat=name) for name, one in zip("abcd", (a, b, c, d), strict=True)
    ]
    sides = [replace(named[0], roll=0), *named[1:]]
    assert contests.chances_to_lead(unrolled(sides)) == counted(sides)


def test_the_debate_before_a_die_falls() -> None:
    """Cerivny tests against 80; Caleb defends against 140. The fractions were counted by hand."""
    sides = unrolled([side("cerivny", 80, 0), side("caleb", 140, 0, defends=True)])
    chances = contests.chances_to_lead(sides)
    assert sum(chances.values()) == 1
    criticals, successes, failures = 7 * 87 + sum(range(7)), 72 + sum(range(1, 66)), 20
    hers = Fraction(criticals + successes + failures, 10000)
    assert chances == {"cerivny": hers, "caleb": 1 - hers}


def test_odds_of_all_non_players_at_once_are_enumerations() -> None:
    given = [*TABLE, started("toph", "galner", "guard"), initiative("toph", 31)]
    state, command = after(c.RollTest("toph"), given), c.RollRest(("needlejutsu",))
    assert odds.odds(ruleset, state, command, GM) == odds.enumerate_odds(
        ruleset, state, command, GM
    )


def test_odds_of_twenty_dice_have_a_closed_form() -> None:
    ids = tuple(f"rat-{nth}" for nth in range(20))
    rats = [e.CharacterCreated(rat, rat, Being.NPC, "gm", 10, 5 + len(rat)) for rat in ids]
    state = after(c.RollRest(), [*rats, e.MomentStarted(1, ids)])
    chances = odds.odds(ruleset, state, c.RollRest(), GM)
    assert set(chances) == set(ids)
    assert sum(chances.values()) == 1


TIES = [
    # who acts, who opposes, rolls of both, with these goals, what decides, who wins
    ("toph", "guard", 20, (36, 30), TieBreak.PLAYER, "toph"),
    ("guard", "toph", 20, (30, 36), TieBreak.PLAYER, "toph"),
    ("toph", "tarasi", 100, (36, 33), TieBreak.DEFENDER, "tarasi"),
    ("guard", "galner", 20, (30, 27), TieBreak.DEFENDER, "galner"),
]


@pytest.mark.parametrize(("actor", "opponent", "roll", "goals", "tie", "winner"), TIES)
def test_a_tie_names_what_decides_it(
    actor: str, opponent: str, roll: int, goals: tuple[int, int], tie: TieBreak, winner: str
) -> None:
    given = [*TABLE, *called(actor), opposed(actor, opponent)]
    first, second, settled = play(
        (GM, c.RollTest(actor), roll), (GM, c.RollTest(opponent), roll), given=given
    )
    assert isinstance(first, e.RolledTest)
    assert isinstance(second, e.RolledTest)
    assert (first.percent, second.percent) == goals
    loser = opponent if winner == actor else actor
    assert settled == e.OpposedSettled(actor, (winner, loser), tie)


def test_what_breaks_a_tie_of_those_who_do_not_defend() -> None:
    """Among the opponents of an action, the goal decides, and then the order of seats."""
    one, other = side("a", 80, 50, defends=True), side("b", 60, 50, defends=True)
    assert contests.tie_break(one, other) is TieBreak.GOAL
    assert contests.tie_break(one, replace(other, percent=80)) is TieBreak.ORDER
    assert contests.tie_break(one, replace(other, roll=49)) is None
