"""Dhextiny: players share one token on a ring of six points.

Die rolls move the token clockwise. Players can spend ability points (AP) to move it further.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import get_args

from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.dhextiny.cards import roll_card
from domain.rulesets.dhextiny.controls import CONTROLS, TITLES
from domain.rulesets.dhextiny.decider import decide
from domain.rulesets.dhextiny.event_fields import EVENT_FIELDS
from domain.rulesets.dhextiny.messages import Command, Event, NameAbility
from domain.rulesets.dhextiny.presentation import WORDING, describe, show, tally
from domain.rulesets.dhextiny.refusals import REFUSALS
from domain.rulesets.dhextiny.rules import NAMED_SEATS_MUST_PLAY_SINCE, Options
from domain.rulesets.dhextiny.state import State, evolve, initial


def odds(state: State, command: Command) -> Mapping[str, Fraction] | None:
    """Return None, so that the caller tries all six faces of the die instead.

    This is possible because a command rolls at most one die.
    """
    return None


def times(state: State, command: Command) -> int | None:
    """Return how many abilities the entity can still name, or None for other commands."""
    if not isinstance(command, NameAbility) or command.entity not in state.entities:
        return None
    return state.entities[command.entity].abilities_unnamed or None


def carry(state: State) -> Mapping[str, Option]:
    """Return the token's position, the only option that carries over (RULES 2.3)."""
    return {"point": state.point}


def _edition(edition: str) -> Ruleset[State, Command, Event, Options]:
    """Return an edition of the ruleset.

    The editions have the same commands and events. They differ only in the rules that RULES.md
    marks as specific to an edition.
    """
    return Ruleset(
        name="dhextiny",
        edition=edition,
        title="Dhextiny",
        package=__name__,
        options=Options,
        state=State,
        commands=get_args(Command),
        events=get_args(Event),
        summary="One token on a ring, shared by all. One die moves it.",
        shape="ring",
        first_steps=("dhextiny.RollAbilities", "dhextiny.NameAbility"),
        event_fields=EVENT_FIELDS,
        card=roll_card,
        controls=CONTROLS,
        titles=TITLES,
        decider=Decider(partial(initial, edition=int(edition)), decide, evolve),
        show=show,
        wording=WORDING,
        describe=describe,
        refusals=REFUSALS,
        tally=tally,
        odds=odds,
        times=times,
        carry=carry,
        named_seats_must_play=int(edition) >= NAMED_SEATS_MUST_PLAY_SINCE,
    )


ruleset = _edition("2")
edition_1 = _edition("1")
