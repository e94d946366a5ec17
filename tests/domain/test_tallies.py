"""What holds of the counts of every room: chances are whole, scales cover them, levels add up."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import pytest
from msgspec import UNSET

from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.descriptions import tally
from domain.session.messages import Rewound
from domain.tally import AnyCount, Counts, Landed, Moved, Probability, Rolled, Wore
from tests.domain.secret_sessions import intrigue
from tests.support.scale import SCALED_RULESETS, scale

EVENTS = scale(300, 800)
Levels = dict[tuple[str, str], int]

every_ruleset = pytest.mark.parametrize(
    "ruleset", SCALED_RULESETS, ids=lambda ruleset: ruleset.name
)
every_seed = pytest.mark.parametrize("seed", range(scale(2, 10)))


@cache
def counted(ruleset: AnyRuleset, seed: int) -> list[tuple[RecordedEvent, Counts]]:
    """Of an evening with secrets, declared dice and rewinds."""
    evening = intrigue(ruleset, seed, EVENTS)
    return [(fact, tally(ruleset, fact, evening.then)) for fact in evening.facts]


def all_counts(ruleset: AnyRuleset, seed: int) -> list[AnyCount]:
    return [count for _, counts in counted(ruleset, seed) for count in counts]


def is_whole(chances: Mapping[str, Probability]) -> bool:
    return sum(Fraction(*chance) for chance in chances.values()) == 1


@every_ruleset
@every_seed
def test_chances_are_of_all_that_could_fall(ruleset: AnyRuleset, seed: int) -> None:
    rolls = [count for count in all_counts(ruleset, seed) if isinstance(count, Rolled)]
    assert rolls
    for roll in rolls:
        assert is_whole(roll.chances)
        assert roll.chances[roll.value][0] > 0
        assert (roll.outcome is UNSET) is (roll.outcomes == {})
        if roll.outcome is not UNSET:
            assert is_whole(roll.outcomes)
            assert roll.outcomes[roll.outcome][0] > 0


@every_ruleset
@every_seed
def test_a_scale_has_each_outcome_once_or_each_value(ruleset: AnyRuleset, seed: int) -> None:
    for roll in all_counts(ruleset, seed):
        if isinstance(roll, Rolled) and roll.scale:
            assert sorted(roll.scale) == sorted(roll.outcomes or roll.chances)


@every_ruleset
@every_seed
def test_a_draw_counts_once_for_its_entity(ruleset: AnyRuleset, seed: int) -> None:
    """Of the cards of one flip the first alone has a scale: it is the flip's."""
    for _, counts in counted(ruleset, seed):
        rolls = [count for count in counts if isinstance(count, Rolled)]
        scaled = [roll for roll in rolls if roll.scale]
        assert len(scaled) in (0, len(rolls)) or (scaled == rolls[:1] and "deck" in rolls[0].source)


@every_ruleset
@every_seed
def test_what_a_pool_holds_follows_from_what_it_held(ruleset: AnyRuleset, seed: int) -> None:
    levels: Levels = {}
    at: dict[int, Levels] = {0: levels}
    for fact, counts in counted(ruleset, seed):
        if isinstance(fact.body, Rewound):
            levels = at[fact.body.to]
        for count in counts:
            if isinstance(count, Moved):
                assert isinstance(count.now, int)
                assert count.by
                key = count.entity, count.pool
                assert levels.get(key, count.now - count.by) + count.by == count.now
                levels = levels | {key: count.now}
        at[fact.version] = levels


@every_ruleset
@every_seed
def test_a_token_lands_where_the_roll_could_bring_it(ruleset: AnyRuleset, seed: int) -> None:
    for landed in all_counts(ruleset, seed):
        if isinstance(landed, Landed):
            assert 0 <= landed.at < len(landed.points)
            assert is_whole(landed.chances) is (landed.how == "rolled")
            assert landed.how == "altered" or landed.chances[str(landed.at)][0] > 0


@every_ruleset
@every_seed
def test_a_usage_die_wears_by_its_roll(ruleset: AnyRuleset, seed: int) -> None:
    for _, counts in counted(ruleset, seed):
        for wore in counts:
            if isinstance(wore, Wore):
                [rolled] = [count for count in counts if isinstance(count, Rolled)]
                [down, holds] = rolled.scale
                assert rolled.outcomes[down] == wore.chance
                assert (rolled.source, rolled.outcome) == (
                    wore.die,
                    holds if wore.left == wore.die else down,
                )


def test_every_kind_of_count_comes_up() -> None:
    """Else some law above would be of nothing. Voids come where the table draws (test_tables)."""
    found = {
        ruleset.name: [count for seed in range(4) for count in all_counts(ruleset, seed)]
        for ruleset in RULESETS
    }
    kinds = {type(count).__name__ for counts in found.values() for count in counts}
    assert kinds == {"Rolled", "Settled", "Moved", "Ticked", "Landed", "Wore", "Graded"}
    for ruleset, counts in found.items():
        assert any(isinstance(count, Rolled) and count.scale for count in counts), ruleset
