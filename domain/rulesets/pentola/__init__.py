"""The Pentola ruleset: d100 tests, usage dice, and moments with a turn order."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import get_args

from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.pentola import presentation
from domain.rulesets.pentola.commands import Command, RollRest
from domain.rulesets.pentola.decider import decide, moments
from domain.rulesets.pentola.events import Event
from domain.rulesets.pentola.rules import Options
from domain.rulesets.pentola.state import State, evolve, initial


def odds(state: State, command: Command) -> Mapping[str, Fraction] | None:
    """Return each participant's probability of ranking first after `RollRest`.

    Return None for all other commands. They draw at most one number, so the caller can try all of
    its possible values (at most 100).
    """
    return moments.odds(state, command) if isinstance(command, RollRest) else None


def carry(state: State) -> Mapping[str, Option]:
    """Return no options, because the rules carry nothing over to the next session."""
    return {}


ruleset: Ruleset[State, Command, Event, Options] = Ruleset(
    name="pentola",
    edition="1",
    title="Pentola",
    options=Options,
    state=State,
    commands=get_args(Command),
    events=get_args(Event),
    decider=Decider(initial, decide, evolve),
    show=presentation.show,
    describe=presentation.describe,
    tally=presentation.tally,
    odds=odds,
    carry=carry,
)
