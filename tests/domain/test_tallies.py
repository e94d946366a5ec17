"""What holds of the counts of every ruleset: rolls are possible, chances are exact, levels add up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from math import prod
from operator import attrgetter

import pytest
from hypothesis import given
from msgspec import UNSET

from domain.chance import Chance, EnumeratedChance, branches
from domain.odds import enumerate_odds
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.descriptions import tally
from domain.session.messages import Inherited, Rewound
from domain.tally import (
    AnyCount,
    Attempted,
    Counts,
    Graded,
    Landed,
    Moved,
    Owned,
    Probability,
    Rolled,
    Settled,
    Voided,
    Wore,
)
from fairlog.testing.script import Accepted
from tests.domain.forks import Child
from tests.domain.scripts import every_ruleset as every_edition, script, scripts, seeds
from tests.domain.secret_sessions import Intrigue, by_chance, intrigue
from tests.support.scale import SCALED_RULESETS, scale

EVENTS = scale(300, 800)
MOST_BRANCHES = 2000
ORDER: tuple[type[AnyCount], ...] = (Rolled, Attempted, Settled)
USES = {
    "deckahedron": {"Strength", "Dexterity", "Intelligence", "d4", "d6", "2-10", "breather"},
    "dhextiny": {"check", "attack", "put out", "death check", "abilities", "aflame"},
    "fansys": {"skill", "ability", "save", "attack", "damage dice"},
    "kingdoms": {"basic test", "extended margin"},
    "open": {"initiative"},
    "pentola": {"test", "opposed test", "demanded test", "initiative", "usage die"},
}
"""What each game counts as an attempt, apart from the plain rolls of Kingdoms and the open table."""
Levels = dict[tuple[str, str], int]

every_ruleset = pytest.mark.parametrize(
    "ruleset", SCALED_RULESETS, ids=lambda ruleset: ruleset.name
)
every_seed = pytest.mark.parametrize("seed", range(scale(1, 10)))


@cache
def counted(ruleset: AnyRuleset, seed: int) -> list[tuple[RecordedEvent, Counts]]:
    """Return the counts of a session with secrets, declared dice and rewinds."""
    session = intrigue(ruleset, seed, EVENTS)
    return [(fact, tally(ruleset, fact, session.then)) for fact in session.facts]


def all_counts(ruleset: AnyRuleset, seed: int) -> list[AnyCount]:
    return [count for _, counts in counted(ruleset, seed) for count in counts]


def is_whole(chances: Mapping[str, Probability]) -> bool:
    return sum(Fraction(*chance) for chance in chances.values()) == 1


@every_ruleset
@every_seed
def test_an_outcome_is_one_of_those_that_could_come(ruleset: AnyRuleset, seed: int) -> None:
    attempts = [count for count in all_counts(ruleset, seed) if isinstance(count, Attempted)]
    assert attempts
    for attempt in attempts:
        assert is_whole(attempt.chances)
        assert all(numerator > 0 for numerator, _ in attempt.chances.values())
        assert attempt.outcome in attempt.chances
        assert set(attempt.successes) <= set(attempt.chances)
        assert attempt.value


@every_ruleset
@every_seed
def test_counts_come_in_order(ruleset: AnyRuleset, seed: int) -> None:
    """The dice and cards, then what they decide, then the result, then the rest."""
    for _, counts in counted(ruleset, seed):
        places = [
            ORDER.index(type(count)) if type(count) in ORDER else len(ORDER) for count in counts
        ]
        assert places == sorted(places)


@every_ruleset
@every_seed
def test_an_event_decides_one_thing_by_chance(ruleset: AnyRuleset, seed: int) -> None:
    """All that a roll brings is for the entity that rolls."""
    for _, counts in counted(ruleset, seed):
        rolls = [count for count in counts if isinstance(count, Rolled)]
        attempts = [count for count in counts if isinstance(count, Attempted)]
        assert len(attempts) <= min(1, len(rolls))
        assert len({count.entity for count in (*rolls, *attempts)}) <= 1
        for attempt in attempts:
            assert {roll.value for roll in rolls} == set(attempt.value.split(" + "))


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
                [attempt] = [count for count in counts if isinstance(count, Attempted)]
                [down, holds] = attempt.chances
                assert attempt.chances[down] == wore.chance
                assert (rolled.source, attempt.outcome) == (
                    wore.die,
                    holds if wore.left == wore.die else down,
                )


def test_every_kind_of_count_comes_up() -> None:
    """Else some law above would be of nothing. Voids come where the table draws (test_tables)."""
    found = {ruleset.name: all_counts(ruleset, 0) for ruleset in RULESETS}
    kinds = {type(count) for counts in found.values() for count in counts}
    assert kinds == {*AnyCount.__args__} - {Voided}
    assert Graded in kinds
    for ruleset, counts in found.items():
        assert any(isinstance(count, Attempted) and count.is_ranked for count in counts), ruleset


# The seats that play entities


@every_edition
@scripts
@given(seed=seeds)
def test_an_entity_is_owned_by_the_seat_that_plays_it(ruleset: AnyRuleset, seed: int) -> None:
    played, owners = script(ruleset, seed), dict[str, str]()
    for turn in played.accepted:
        for event in turn.events:
            for count in ruleset.tally(event):
                if isinstance(count, Owned):
                    owners[count.entity] = count.seat
        entities = ruleset.show(turn.after).entities
        assert owners == {entity: shown.seat for entity, shown in entities.items()}


@every_ruleset
def test_a_fork_begins_with_the_owners_of_its_entities(ruleset: AnyRuleset) -> None:
    parent = Intrigue(ruleset)
    while not ruleset.show(parent.session.table).entities:
        by_chance(parent, "gm", UNSET)
    child = Child(parent, parent.session.version)
    [inherited] = [fact for fact in child.facts if isinstance(fact.body, Inherited)]
    assert tally(ruleset, inherited, child.then) == tuple(
        Owned(entity, shown.seat)
        for entity, shown in ruleset.show(parent.session.table).entities.items()
    )


# Exact chances: those of a tally against every possible draw


def few_branches(ruleset: AnyRuleset, turn: Accepted) -> bool:
    """Return True if the turn draws values, and not too many."""
    chance = EnumeratedChance(())
    ruleset.decider.decide(turn.state, turn.command, turn.by, chance)
    return 1 < prod(chance.sides) <= MOST_BRANCHES


def attempts_of(ruleset: AnyRuleset, events: tuple[object, ...]) -> list[Attempted]:
    counts = (count for event in events for count in ruleset.tally(event))
    return [count for count in counts if isinstance(count, Attempted)]


def turns_by_use(ruleset: AnyRuleset, seeds: range) -> Iterator[tuple[str, Accepted]]:
    """Yield the turns with few branches whose events contain an attempt, with its use."""
    for seed in seeds:
        for turn in script(ruleset, seed).accepted:
            attempts = attempts_of(ruleset, turn.events)
            if attempts and few_branches(ruleset, turn):
                yield attempts[0].use, turn


@pytest.mark.parametrize("ruleset", RULESETS, ids=attrgetter("name"))
def test_chances_are_those_of_every_possible_draw(ruleset: AnyRuleset) -> None:
    checked: dict[str, int] = defaultdict(int)
    for use, turn in turns_by_use(ruleset, range(scale(12, 60))):
        if checked[use] < scale(3, 30):
            checked[use] += 1
            assert_exact(ruleset, turn)
    plain_rolls = checked.keys() - USES[ruleset.name]
    assert checked.keys() - plain_rolls == USES[ruleset.name]
    assert bool(plain_rolls) is (ruleset.name in ("kingdoms", "open"))


def assert_exact(ruleset: AnyRuleset, turn: Accepted) -> None:
    """Compare the chances of each attempt of a turn with the outcomes of all possible draws.

    In a turn with several attempts, the chances of a later one do not depend on an earlier one.
    """

    def run(chance: Chance) -> list[Attempted]:
        decide = ruleset.decider.decide
        return attempts_of(ruleset, decide(turn.state, turn.command, turn.by, chance))

    exact: dict[int, dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    said: dict[int, tuple[tuple[str, Probability], ...]] = {}
    for probability, attempts in branches(run):
        for nth, attempt in enumerate(attempts):
            exact[nth][attempt.outcome] += probability
            chances = tuple(attempt.chances.items())
            assert said.setdefault(nth, chances) == chances, turn.command
    for nth, outcomes in exact.items():
        assert outcomes == {each: Fraction(*chance) for each, chance in said[nth]}, turn.command


@pytest.mark.parametrize("ruleset", RULESETS, ids=attrgetter("name"))
def test_odds_are_in_the_order_of_the_chances(ruleset: AnyRuleset) -> None:
    checked = set()
    for use, turn in turns_by_use(ruleset, range(3)):
        last = attempts_of(ruleset, turn.events)[-1]
        if use not in checked and last.is_ranked:
            odds = enumerate_odds(ruleset, turn.state, turn.command, turn.by)
            if odds.keys() == last.chances.keys():  # not of a later result, such as damage
                checked.add(use)
                assert list(odds) == list(last.chances)
    assert checked
