"""Odds: the exact probability of each outcome of a command.

If the ruleset has no formula for the command, the odds are computed by trying every possible draw.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from domain.chance import Chance, NeedsDrawError, UndrawnChance, branches
from domain.decider import By
from domain.ruleset import AnyRuleset, Message
from domain.tally import Attempted, Rolled, Settled


def odds(ruleset: AnyRuleset, state: object, command: Message, by: By) -> Mapping[str, Fraction]:
    """Return the probability of each outcome of a command.

    The probabilities sum to 1. Raises Refused if the command is not allowed.
    """
    try:
        return {
            _outcome(ruleset, ruleset.decider.decide(state, command, by, UndrawnChance()))[
                0
            ]: Fraction(1)
        }
    except NeedsDrawError:
        exact = ruleset.odds(state, command)
        return enumerate_odds(ruleset, state, command, by) if exact is None else exact


def enumerate_odds(
    ruleset: AnyRuleset, state: object, command: Message, by: By
) -> Mapping[str, Fraction]:
    """Compute the probability of each outcome by trying every possible draw.

    The outcomes are ordered from worst to best if the ruleset ranks them.
    """

    def run(chance: Chance) -> tuple[Message, ...]:
        events: tuple[Message, ...] = ruleset.decider.decide(state, command, by, chance)
        return events

    chances: dict[str, Fraction] = defaultdict(Fraction)
    scale: tuple[str, ...] = ()
    for chance, events in branches(run):
        outcome, scale = _outcome(ruleset, events)
        chances[outcome] += chance
    return {
        outcome: chances[outcome]
        for outcome in (scale if set(chances) <= set(scale) else chances)
        if outcome in chances
    }


def ranked_successes(
    ruleset: AnyRuleset, state: object, command: Message, by: By
) -> tuple[str, ...]:
    """Return the outcomes of a command from worst to best, if some of them are successes.

    Return an empty tuple if the ruleset does not rank the outcomes, or calls none a success.
    """

    def run(chance: Chance) -> tuple[Message, ...]:
        events: tuple[Message, ...] = ruleset.decider.decide(state, command, by, chance)
        return events

    _, events = next(branches(run))
    attempts = [
        count for event in events for count in ruleset.tally(event) if isinstance(count, Attempted)
    ]
    if not attempts or not attempts[-1].is_ranked or not attempts[-1].successes:
        return ()
    return tuple(attempts[-1].chances)


def _outcome(ruleset: AnyRuleset, events: tuple[Message, ...]) -> tuple[str, tuple[str, ...]]:
    """Return the outcome of the events, and all ranked outcomes from worst to best.

    The last attempt or settled action determines the outcome. If there is neither, the last value
    that was rolled or drawn is the outcome, or "certain" if there is none. The ranking is empty if
    the outcomes are not ranked.
    """
    rolled, decided, scale = "certain", "", tuple[str, ...]()
    for event in events:
        for count in ruleset.tally(event):
            match count:
                case Attempted():
                    decided = count.outcome
                    scale = tuple(count.chances) if count.is_ranked else ()
                case Settled():
                    decided = count.outcome
                case Rolled():
                    rolled = count.value
    return decided or rolled, scale
