"""The laws of every ruleset, held by random scripts of commands."""

from __future__ import annotations

import random
import re
from functools import lru_cache
from importlib.resources import files
from math import prod

import msgspec
from hypothesis import given, strategies as st

from domain.chance import EnumeratedChance, UndrawnChance
from domain.codec import decode, decode_command, encode
from domain.decider import By, Refused, fold
from domain.odds import enumerate_odds, odds
from domain.ruleset import AnyRuleset, Message
from domain.tally import Moved
from tests.domain.scripts import every_ruleset, script, scripts, seeded, seeds
from tests.support.commands import SEATS, builtins, is_plain, wish
from tests.support.scale import scale


@lru_cache
def slugs(ruleset: AnyRuleset) -> frozenset[str]:
    text = (files(f"domain.rulesets.{ruleset.name}") / "RULES.md").read_text()
    return frozenset(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", text))


def refusal(
    ruleset: AnyRuleset, state: object, command: Message, by: By, chance: EnumeratedChance
) -> Refused | None:
    try:
        ruleset.decider.decide(state, command, by, chance)
    except Refused as refused:
        return refused
    return None


@every_ruleset
@scripts
@given(seed=seeds)
def test_the_fold_of_a_log_is_the_state_that_grew(ruleset: AnyRuleset, seed: int) -> None:
    played = script(ruleset, seed)
    assert fold(ruleset.decider.evolve, played.states[0], played.events) == played.states[-1]


@every_ruleset
@scripts
@given(seed=seeds, hidden=st.integers(0, 2**32 - 1))
def test_evolve_takes_any_subset_of_a_log(ruleset: AnyRuleset, seed: int, hidden: int) -> None:
    played, chosen = script(ruleset, seed), random.Random(hidden)
    seen = [event for event in played.events if chosen.random() < 0.6]
    ruleset.show(fold(ruleset.decider.evolve, played.states[0], seen))


@every_ruleset
@scripts
@given(seed=seeds)
def test_decide_is_a_function_and_changes_nothing(ruleset: AnyRuleset, seed: int) -> None:
    """Also from a restored snapshot, which has its maps in another order."""
    for state, command, by, drawn, events, _ in script(ruleset, seed).accepted:
        before = msgspec.json.encode(state)
        sorted_json = msgspec.json.encode(state, order="sorted")
        restored = msgspec.json.decode(sorted_json, type=ruleset.state)
        assert ruleset.decider.decide(state, command, by, seeded(drawn)) == events
        assert ruleset.decider.decide(restored, command, by, seeded(drawn)) == events
        assert msgspec.json.encode(state) == before


@every_ruleset
@scripts
@given(seed=seeds)
def test_a_refusal_comes_before_the_first_draw_and_names_a_rule(
    ruleset: AnyRuleset, seed: int
) -> None:
    played = script(ruleset, seed)
    assert set(played.refused) <= slugs(ruleset)
    chosen = random.Random(seed)
    for state in played.states[::7]:
        command, by, chance = (
            wish(chosen, ruleset, state),
            chosen.choice(SEATS),
            EnumeratedChance(()),
        )
        said = refusal(ruleset, state, command, by, chance)
        assert said is None or not chance.sides
        assert said is None or all(
            isinstance(fact, str | int | bool | tuple) for fact in said.facts.values()
        )


@every_ruleset
@scripts
@given(seed=seeds)
def test_messages_and_states_survive_encoding(ruleset: AnyRuleset, seed: int) -> None:
    played = script(ruleset, seed)
    for event in played.events:
        raw = encode(event)
        assert decode(raw) == event
        assert encode(builtins(event)) == raw
        assert is_plain(builtins(event))
    for state, command, *_ in played.turns:
        assert decode_command(ruleset, encode(command)) == command
        assert msgspec.json.decode(msgspec.json.encode(state), type=ruleset.state) == state
        assert is_plain(builtins(ruleset.show(state)), hashed=False)


@every_ruleset
@scripts
@given(seed=seeds)
def test_every_event_has_one_line_of_text_and_exact_chances(ruleset: AnyRuleset, seed: int) -> None:
    for event in script(ruleset, seed).events:
        line = ruleset.describe(event)
        assert line.strip() == line != ""
        assert "\n" not in line
        for count in builtins(ruleset.tally(event)):
            for chances in (count.get("chances"), count.get("outcomes")):
                if chances:
                    assert sum(n * _lcm(chances) // d for n, d in chances.values()) == _lcm(chances)


@every_ruleset
@scripts
@given(seed=seeds)
def test_counted_moves_are_the_changes_of_the_shown_pools(ruleset: AnyRuleset, seed: int) -> None:
    for turn in script(ruleset, seed).accepted:
        before, after = pools(ruleset, turn.state), pools(ruleset, turn.after)
        moves = [count for event in turn.events for count in ruleset.tally(event)]
        for pool in before.keys() & after.keys():
            moved = [move for move in moves if isinstance(move, Moved)]
            changes = [move for move in moved if (move.entity, move.pool) == pool]
            assert after[pool] - before[pool] == sum(move.by for move in changes), (turn, pool)
            assert [move.now for move in changes[-1:]] == [after[pool]] * bool(changes)


def pools(ruleset: AnyRuleset, state: object) -> dict[tuple[str, str], int]:
    """Return what each pool holds and how many cards each deck."""
    table = ruleset.show(state)
    held = {(pool.entity, pool.label): pool.now for pool in table.pools.values()}
    return held | {(name, "cards left"): deck.left for name, deck in table.decks.items()}


@every_ruleset
@scripts
@given(seed=seeds)
def test_odds_are_exact_and_sum_to_one(ruleset: AnyRuleset, seed: int) -> None:
    for state, command, by, *_ in script(ruleset, seed).accepted[::9]:
        chances = odds(ruleset, state, command, by)
        assert sum(chances.values()) == 1
        assert all(0 < chance <= 1 for chance in chances.values())
        if few_branches(ruleset, state, command, by):
            assert chances == enumerate_odds(ruleset, state, command, by)


def few_branches(
    ruleset: AnyRuleset, state: object, command: Message, by: By, most: int = 2000
) -> bool:
    chance = EnumeratedChance(())
    ruleset.decider.decide(state, command, by, chance)
    return prod(chance.sides) <= most


@every_ruleset
@scripts
@given(seed=seeds)
def test_a_command_without_a_draw_has_one_outcome(ruleset: AnyRuleset, seed: int) -> None:
    for state, command, by, drawn, events, _ in script(ruleset, seed).accepted:
        chance = seeded(drawn)
        ruleset.decider.decide(state, command, by, chance)
        if not chance.values:
            assert ruleset.decider.decide(state, command, by, UndrawnChance()) == events


@every_ruleset
def test_random_scripts_reach_most_commands_and_refusals(ruleset: AnyRuleset) -> None:
    played = [script(ruleset, seed) for seed in range(scale(20, 200))]
    accepted = {type(command) for script in played for _, command, *_ in script.accepted}
    assert len(accepted) >= 0.8 * len(ruleset.commands), set(ruleset.commands) - accepted
    assert len({rule for script in played for rule in script.refused}) >= 5


def _lcm(chances: dict[str, list[int]]) -> int:
    product = 1
    for _, denominator in chances.values():
        product *= denominator
    return product
