"""The open ruleset: a table for any game.

It has dice in the common notation, character sheets, conditions, initiative and decks of cards, and
no rules of any particular game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import get_args

from domain.decider import Refused
from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.open import messages as m
from domain.rulesets.open.cards import roll_card
from domain.rulesets.open.controls import CONTROLS, TITLES
from domain.rulesets.open.decider import decide, named_notation
from domain.rulesets.open.event_fields import EVENT_FIELDS
from domain.rulesets.open.notation import parse
from domain.rulesets.open.odds import distribution
from domain.rulesets.open.presentation import WORDING, describe, show, tally
from domain.rulesets.open.refusals import REFUSALS
from domain.rulesets.open.rules import Options
from domain.rulesets.open.state import State, evolve, initial


def odds_of_command(state: State, command: m.Command) -> Mapping[str, Fraction] | None:
    """Return the probability of each outcome of a command, or None if it draws nothing.

    The outcomes are the results of dice, or the last card that is drawn. Raises Refused if the odds
    would take too long to compute. If this returned None instead, the caller would try every throw,
    which takes even longer.
    """
    match command:
        case m.Roll():
            notation, _ = named_notation(state, command)
            return _odds_of_notation(notation)
        case m.RollInitiative(_, notation):
            return _odds_of_notation(notation)
        case m.DrawCards(name):
            deck = state.decks[name]
            left = Counter(deck.names(deck.left))
            return {card: Fraction(number, left.total()) for card, number in left.items()}
        case _:
            return None


def _odds_of_notation(notation: str) -> Mapping[str, Fraction]:
    found = distribution(parse(notation))
    if found is None:
        raise Refused("odds-too-large", notation=notation)
    return {str(result): chance for result, chance in found.items()}


def carry(state: State) -> Mapping[str, Option]:
    """Return an empty mapping, because nothing is carried over to the next session."""
    return {}


ruleset: Ruleset[State, m.Command, m.Event, Options] = Ruleset(
    name="open",
    edition="1",
    title="Open table",
    package=__name__,
    options=Options,
    state=State,
    commands=get_args(m.Command),
    events=get_args(m.Event),
    summary="Any game: roll what you like, keep sheets, decks and counters.",
    shape="dice",
    first_values={
        "open.SetBar": {"name": "HP", "now": 10, "max": 10},
        "open.SetNumber": {"name": "Armour class", "value": 10},
        "open.SaveRoll": {"name": "attack", "notation": "1d20+2"},
    },
    first_steps=("open.SetBar", "open.SetNumber", "open.SaveRoll"),
    event_fields=EVENT_FIELDS,
    card=roll_card,
    controls=CONTROLS,
    titles=TITLES,
    decider=Decider(initial, decide, evolve),
    show=show,
    wording=WORDING,
    describe=describe,
    refusals=REFUSALS,
    tally=tally,
    odds=odds_of_command,
    carry=carry,
)
