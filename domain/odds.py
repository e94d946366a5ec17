"""Exact chances of a command in a state: a room's closed form, or every branch of decide by what it counts as."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from msgspec import UNSET

from domain.chance import Chance, NeedsDrawError, UndrawnChance, branches
from domain.decider import By
from domain.ruleset import AnyRuleset, Message
from domain.tally import Rolled, Settled


def odds(ruleset: AnyRuleset, state: object, command: Message, by: By) -> Mapping[str, Fraction]:
    """The chance of each outcome, summing to 1. Raises Refused."""
    try:
        return {
            _outcome(ruleset, ruleset.decider.decide(state, command, by, UndrawnChance()))[
                0
            ]: Fraction(1)
        }
    except NeedsDrawError:
        closed = ruleset.odds(state, command)
        return enumerate_odds(ruleset, state, command, by) if closed is None else closed


def enumerate_odds(
    ruleset: AnyRuleset, state: object, command: Message, by: By
) -> Mapping[str, Fraction]:
    """As `odds`, by walking every branch of decide, however many there are; from the worst to the best, if one is."""

    def run(chance: Chance) -> tuple[Message, ...]:
        events: tuple[Message, ...] = ruleset.decider.decide(state, command, by, chance)
        return events

    chances: dict[str, Fraction] = defaultdict(Fraction)
    scale: tuple[str, ...] = ()
    for chance, events in branches(run):
        said, scale = _outcome(ruleset, events)
        chances[said] += chance
    return {
        said: chances[said]
        for said in (scale if set(chances) <= set(scale) else chances)
        if said in chances
    }


def _outcome(ruleset: AnyRuleset, events: tuple[Message, ...]) -> tuple[str, tuple[str, ...]]:
    """What a branch came to, and what such a thing comes to from the worst to the best, where one is.

    That is its last settled or rolled outcome, else the value that fell, else that it is certain.
    """
    said, scale = "certain", tuple[str, ...]()
    for event in events:
        for count in ruleset.tally(event):
            match count:
                case Rolled(outcome=outcome, value=value):
                    said, scale = (value, ()) if outcome is UNSET else (outcome, count.scale)
                case Settled(outcome=outcome):
                    said = outcome
    return said, scale
