"""Dhextiny: a ring of six points, one shared token, and ability points to move it further."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import get_args

from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.dhextiny.decider import decide
from domain.rulesets.dhextiny.messages.commands import Command
from domain.rulesets.dhextiny.messages.events import Event
from domain.rulesets.dhextiny.rules import Options
from domain.rulesets.dhextiny.state import State, evolve, initial
from domain.rulesets.dhextiny.telling import show, tally, tell


def odds(state: State, command: Command) -> Mapping[str, Fraction] | None:
    """None: a command asks for one d6 at most, six branches are soon enumerated."""
    return None


def carry(state: State) -> Mapping[str, Option]:
    """The point that the next session may start from (RULES 2.3)."""
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
    tell=tell,
    tally=tally,
    odds=odds,
    carry=carry,
)
