"""Dhextiny: players share one token on a ring of six points.

Die rolls move the token clockwise. Players can spend ability points (AP) to move it further.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import get_args

from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.dhextiny.decider import decide
from domain.rulesets.dhextiny.messages import Command, Event
from domain.rulesets.dhextiny.presentation import describe, show, tally
from domain.rulesets.dhextiny.rules import Options
from domain.rulesets.dhextiny.state import State, evolve, initial


def odds(state: State, command: Command) -> Mapping[str, Fraction] | None:
    """Return None, so that the caller tries all six faces of the die instead.

    This is possible because a command rolls at most one die.
    """
    return None


def carry(state: State) -> Mapping[str, Option]:
    """Return the token's position, the only option that carries over (RULES 2.3)."""
    return {"point": state.point}


ruleset: Ruleset[State, Command, Event, Options] = Ruleset(
    name="dhextiny",
    edition="1",
    title="Dhextiny",
    options=Options,
    state=State,
    commands=get_args(Command),
    events=get_args(Event),
    decider=Decider(initial, decide, evolve),
    show=show,
    describe=describe,
    tally=tally,
    odds=odds,
    carry=carry,
)
