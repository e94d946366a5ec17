"""Counts through the filter: what is left of an evening is what the open facts count for, for every kind of viewer."""

from __future__ import annotations

from functools import cache

import pytest

from domain import codec
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.messages import Drawn, DrawVoided
from domain.tally import Graded, Voided
from domain.visibility import PUBLIC_VIEWER, Viewer, is_visible, select_visible, turns_hidden_from
from projections.tallies import SessionTallies, TalliedTurn, session_tallies
from tests.domain.secret_sessions import Intrigue, intrigue
from tests.golden.named_dice import NamedDicePlay
from tests.support.scale import SCALED_RULESETS, scale
from tests.support.sessions import play_table

SEEDS = range(scale(1, 10))
VIEWERS = [
    PUBLIC_VIEWER,
    *map(Viewer, ("house", "gm", "ana", "ben", "sam", "eve")),
    Viewer("gm", "ana"),
    Viewer("eve", "gm"),
]

rulesets = pytest.mark.parametrize("ruleset", SCALED_RULESETS, ids=lambda ruleset: ruleset.name)
viewers = pytest.mark.parametrize(
    "viewer", VIEWERS, ids=lambda viewer: "-".join(viewer.seats) or "nobody"
)


@cache
def played(ruleset: AnyRuleset, seed: int) -> tuple[Intrigue, SessionTallies]:
    evening = intrigue(ruleset, seed, 300)
    return evening, session_tallies(ruleset, evening.facts)


@rulesets
@viewers
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_counted_is_open(ruleset: AnyRuleset, viewer: Viewer, seed: int) -> None:
    evening, counted = played(ruleset, seed)
    shown = counted.open_to(turns_hidden_from(evening.session, viewer))
    by_hand = [
        tally
        for tally in counted.tallies
        if is_visible(evening.session, viewer, evening.facts[tally.version - 1])
    ]
    assert list(shown.tallies) == by_hand
    facts = select_visible(evening.session, viewer, evening.facts)
    assert shown.tallies == session_tallies(ruleset, facts, evening.then).tallies, (
        "as if there were no others"
    )
    assert (shown.version, shown.rewinds) == (counted.version, counted.rewinds), (
        "which everyone sees"
    )


@rulesets
@viewers
@pytest.mark.parametrize("seed", SEEDS)
def test_a_turn_is_of_a_kind_for_those_who_see_its_first_event(
    ruleset: AnyRuleset, viewer: Viewer, seed: int
) -> None:
    evening, counted = played(ruleset, seed)
    shown = counted.open_to(turns_hidden_from(evening.session, viewer))
    assert len(shown.turns) == len(counted.turns)
    for turn, whole in zip(shown.turns, counted.turns, strict=True):
        first = evening.facts[turn.first - 1]
        if is_visible(evening.session, viewer, first):
            assert turn == whole
            assert turn.kind == codec.kind(first.body)
        else:
            assert turn == TalliedTurn(
                whole.turn, whole.first, whole.last, whole.at, whole.seat, "", "", True, False
            )


def test_the_name_of_secret_dice_is_hidden_with_their_turn() -> None:
    counted = session_tallies(RULESETS[0], NamedDicePlay(RULESETS[0]).evening.facts)
    name = "the black d6"
    [turn] = [turn for turn in counted.turns if turn.die == name]
    assert turn.sealed
    assert any(tally.die == name for tally in counted.tallies)
    shown = counted.open_to({turn.turn})
    assert name not in str(shown)
    assert {turn.die for turn in shown.turns} == {turn.die for turn in counted.turns} - {name}


@pytest.mark.parametrize("seed", SEEDS)
def test_that_a_secret_draw_was_made_and_how_is_for_everyone(seed: int) -> None:
    """As the frame's own facts are, and nothing else of its turn."""
    secretly = set[int]()
    for table in (play_table(ruleset, seed, scale(60, 150)) for ruleset in SCALED_RULESETS):
        secrets = turns_hidden_from(table.session, PUBLIC_VIEWER)
        shown = session_tallies(table.ruleset, table.facts).open_to(secrets)
        counted = {
            tally.version for tally in shown.tallies if isinstance(tally.of, Graded | Voided)
        }
        drawn = {
            fact.version: fact.turn
            for fact in table.facts
            if isinstance(fact.body, Drawn | DrawVoided)
        }
        assert drawn.keys() <= counted
        assert all(tally.version in drawn for tally in shown.tallies if tally.turn in secrets)
        secretly |= secrets & set(drawn.values())
    assert secretly


@rulesets
def test_the_evenings_have_something_to_hide(ruleset: AnyRuleset) -> None:
    """Else the comparisons above would be of nothing."""
    every = [played(ruleset, seed) for seed in SEEDS]
    shown = [
        counted.open_to(turns_hidden_from(evening.session, PUBLIC_VIEWER))
        for evening, counted in every
    ]
    assert any(
        len(open_.tallies) < len(counted.tallies)
        for open_, (_, counted) in zip(shown, every, strict=True)
    )
    assert any(
        open_.turns != counted.turns for open_, (_, counted) in zip(shown, every, strict=True)
    )
    assert all(
        counted.open_to(turns_hidden_from(evening.session, Viewer("eve"))) == counted
        for evening, counted in every
    )
