"""The laws that hold in every session of every ruleset, and a check of them."""

from __future__ import annotations

import random  # noqa: TID251  tests choose commands, not values of a game
from collections.abc import Callable, Iterator, Mapping
from math import lcm, prod
from typing import NamedTuple

import msgspec

from domain.chance import EnumeratedChance, UndrawnChance
from domain.codec import encode
from domain.decider import By, Refused, fold
from domain.odds import enumerate_odds, odds
from domain.ruleset import AnyRuleset, Message
from domain.tally import MAX_WAYS, AnyCount, Attempted, Landed, Moved, Probability, Rolled, Wore
from fairlog.testing.random_commands import builtins, is_plain, wish
from fairlog.testing.script import SEATS, RandomScript, Script, seeded

Law = Callable[[AnyRuleset, Script], Iterator[str]]
"""Yields a sentence for each violation that it finds in a session of the ruleset."""
MOST_BRANCHES = 2000
"""The largest number of possible draws for which odds are compared with every possible draw."""


class Violation(NamedTuple):
    """A law that a session violated. `seed` is the seed of the session."""

    law: str
    seed: int
    problem: str

    def __str__(self) -> str:
        return f"{self.law}: {self.problem} (session {self.seed})"


def check_ruleset(ruleset: AnyRuleset, sessions: int = 100, first: int = 0) -> list[Violation]:
    """Play random sessions of the ruleset, and return the laws that they violate.

    The first session has the seed `first`, the next one `first + 1`, and so on. Each law reports at
    most one violation.
    """
    found: dict[str, Violation] = {}
    for seed in range(first, first + sessions):
        script = RandomScript(ruleset, seed)
        try:
            script.play()
        except Exception as error:
            problem = f"decide or evolve raised {error!r}, which is not Refused"
            return [Violation("only refusals are raised", seed, problem)]
        for name, law in LAWS.items():
            if name not in found and (problem := _first_problem(law, ruleset, script)):
                found[name] = Violation(name, seed, problem)
    return list(found.values())


def _first_problem(law: Law, ruleset: AnyRuleset, script: Script) -> str:
    try:
        return next(law(ruleset, script), "")
    except Exception as error:
        return f"the ruleset raised {error!r}"


def _replay(ruleset: AnyRuleset, script: Script) -> Iterator[str]:
    if fold(ruleset.decider.evolve, script.states[0], script.events) != script.states[-1]:
        yield "the events, applied again, give another state"


def _any_part(ruleset: AnyRuleset, script: Script) -> Iterator[str]:
    """Apply a part of the events, which is what a seat knows that may not see all."""
    chosen = random.Random(len(script.events))  # noqa: S311 not for secrets
    seen = [event for event in script.events if chosen.random() < 0.6]
    ruleset.show(fold(ruleset.decider.evolve, script.states[0], seen))
    yield from ()


def _pure(ruleset: AnyRuleset, script: Script) -> Iterator[str]:
    """Decide again, also from a restored state, whose maps are in another order."""
    decide = ruleset.decider.decide
    for state, command, by, drawn, events, _ in script.accepted:
        before = msgspec.json.encode(state)
        sorted_json = msgspec.json.encode(state, order="sorted")
        restored = msgspec.json.decode(sorted_json, type=ruleset.state)
        if decide(state, command, by, seeded(drawn)) != events:
            yield f"{command} gives other events when it is decided again"
        if decide(restored, command, by, seeded(drawn)) != events:
            yield f"{command} gives other events in a state that was restored from JSON"
        if msgspec.json.encode(state) != before:
            yield f"{command} changes the state that it is decided in"


def _refusals(ruleset: AnyRuleset, script: Script) -> Iterator[str]:
    # Fairlog has the text for `gm-only`, which `By.require_gm` raises in every game.
    for rule in sorted(set(script.refused) - {*ruleset.refusals, "gm-only"}):
        yield f"`refusals` has no text for the rule {rule}"
    chosen = random.Random(len(script.states))  # noqa: S311 not for secrets
    for state in script.states[::7]:
        command, by = wish(chosen, ruleset, state), chosen.choice(SEATS)
        chance = EnumeratedChance(())
        refused = _refusal(ruleset, state, command, by, chance)
        if refused is None:
            continue
        if chance.sides:
            yield f"{refused.rule} is refused after a value was drawn"
        for name, fact in refused.facts.items():
            if not isinstance(fact, str | int | bool | tuple):
                yield f"the fact {name} of {refused.rule} is neither text, number, bool nor tuple"


def _refusal(
    ruleset: AnyRuleset, state: object, command: Message, by: By, chance: EnumeratedChance
) -> Refused | None:
    try:
        ruleset.decider.decide(state, command, by, chance)
    except Refused as refused:
        return refused
    return None


def _encoding(ruleset: AnyRuleset, script: Script) -> Iterator[str]:
    for event in script.events:
        raw = encode(event)
        if msgspec.json.decode(raw, type=type(event)) != event:
            yield f"{event} is not the same after it was encoded and decoded"
        if not is_plain(builtins(event)):
            yield f"{event} contains null, a float, a key that is not ASCII, or a huge number"
    for state, command, *_ in script.accepted:
        if msgspec.json.decode(encode(command), type=type(command)) != command:
            yield f"{command} is not the same after it was encoded and decoded"
        if msgspec.json.decode(msgspec.json.encode(state), type=ruleset.state) != state:
            yield f"the state before {command} is not the same after it was encoded and decoded"
        if not is_plain(builtins(ruleset.show(state)), hashed=False):
            yield f"the table before {command} contains null or a float"


def _texts(ruleset: AnyRuleset, script: Script) -> Iterator[str]:
    for event in script.events:
        line = ruleset.describe(event)
        if not line or line != line.strip() or "\n" in line:
            yield f"the text of {event} is not one line: {line!r}"


def _chances(ruleset: AnyRuleset, script: Script) -> Iterator[str]:
    for event, count in _counts(ruleset, script):
        chances = _chances_of(count)
        if chances and not _sum_to_one(chances):
            yield f"the chances that `tally` gives for {event} do not sum to 1"


def _storable(ruleset: AnyRuleset, script: Script) -> Iterator[str]:
    for event, count in _counts(ruleset, script):
        fractions = [count.chance] if isinstance(count, Wore) else _chances_of(count).values()
        if any(denominator > MAX_WAYS for _, denominator in fractions):
            yield f"`tally` gives a chance for {event} whose denominator is above {MAX_WAYS}"


def _outcomes(ruleset: AnyRuleset, script: Script) -> Iterator[str]:
    for event, count in _counts(ruleset, script):
        if not isinstance(count, Attempted):
            continue
        if count.outcome not in count.chances:
            yield f"{count.outcome} is not among the outcomes that `tally` gives for {event}"
        if not all(numerator > 0 for numerator, _ in count.chances.values()):
            yield f"`tally` lists an outcome of {event} that cannot come"
        for success in count.successes:
            if success not in count.chances:
                yield f"the success {success} is not among the outcomes of {event}"


def _rolls(ruleset: AnyRuleset, script: Script) -> Iterator[str]:
    for event, count in _counts(ruleset, script):
        if isinstance(count, Rolled) and not _is_possible(count):
            yield f"`tally` counts {count.value} for {event}, which {count.source} cannot give"


def _is_possible(roll: Rolled) -> bool:
    if roll.left:
        return roll.value in roll.left
    sides = roll.source.removeprefix("d")
    return sides.isdecimal() and roll.value.isdecimal() and 1 <= int(roll.value) <= int(sides)


def _counts(ruleset: AnyRuleset, script: Script) -> Iterator[tuple[Message, AnyCount]]:
    return ((event, count) for event in script.events for count in ruleset.tally(event))


def _chances_of(count: AnyCount) -> Mapping[str, Probability]:
    return count.chances if isinstance(count, Attempted | Landed) else {}


def _sum_to_one(chances: Mapping[str, Probability]) -> bool:
    common = lcm(*(denominator for _, denominator in chances.values()))
    shares = (numerator * common // denominator for numerator, denominator in chances.values())
    return sum(shares) == common


def _pools(ruleset: AnyRuleset, script: Script) -> Iterator[str]:
    for turn in script.accepted:
        before, after = _held(ruleset, turn.state), _held(ruleset, turn.after)
        counts = [count for event in turn.events for count in ruleset.tally(event)]
        moves = [count for count in counts if isinstance(count, Moved)]
        for pool in before.keys() & after.keys():
            changes = [move for move in moves if (move.entity, move.pool) == pool]
            if after[pool] - before[pool] != sum(move.by for move in changes):
                yield f"`tally` does not count the change of the pool {pool} by {turn.command}"
            elif changes and changes[-1].now != after[pool]:
                yield f"`tally` says {changes[-1].now} for the pool {pool} after {turn.command}"


def _held(ruleset: AnyRuleset, state: object) -> dict[tuple[str, str], int]:
    """Return what each pool contains, and the number of undrawn cards of each deck."""
    table = ruleset.show(state)
    held = {(pool.entity, pool.label): pool.now for pool in table.pools.values()}
    return held | {(name, "cards left"): deck.remaining for name, deck in table.decks.items()}


def _odds(ruleset: AnyRuleset, script: Script) -> Iterator[str]:
    for state, command, by, *_ in script.accepted[::9]:
        chances = odds(ruleset, state, command, by)
        if sum(chances.values()) != 1 or not all(0 < chance <= 1 for chance in chances.values()):
            yield f"the odds of {command} do not sum to 1"
        chance = EnumeratedChance(())
        ruleset.decider.decide(state, command, by, chance)
        if prod(chance.sides) <= MOST_BRANCHES:
            exact = enumerate_odds(ruleset, state, command, by)
            if chances != exact:
                yield f"the odds of {command} are {exact}, not {chances}"


def _one_outcome(ruleset: AnyRuleset, script: Script) -> Iterator[str]:
    for state, command, by, drawn, events, _ in script.accepted:
        chance = seeded(drawn)
        ruleset.decider.decide(state, command, by, chance)
        is_drawn = bool(chance.values)
        if not is_drawn and ruleset.decider.decide(state, command, by, UndrawnChance()) != events:
            yield f"{command} draws nothing, but has more than one outcome"


LAWS: Mapping[str, Law] = {
    "a replay of the events gives the same state": _replay,
    "any part of the events can be applied": _any_part,
    "decide depends on its arguments alone and changes nothing": _pure,
    "a refusal names a rule before anything is drawn": _refusals,
    "messages, states and tables are plain JSON": _encoding,
    "each event has one line of text": _texts,
    "the chances in tallies sum to 1": _chances,
    "the chances in tallies can be stored": _storable,
    "an attempt has an outcome that was possible": _outcomes,
    "a die or deck gives a value that it has": _rolls,
    "tallies count every change of a pool": _pools,
    "odds are exact": _odds,
    "a command without a draw has one outcome": _one_outcome,
}
