"""Pentola: d100 below a goal, usage dice, and moments in which the worst declare first and the best act first."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import get_args

from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.pentola.decider import decide, initiative
from domain.rulesets.pentola.messages.commands import Command
from domain.rulesets.pentola.messages.commands.moments import RollRest
from domain.rulesets.pentola.messages.events import Event
from domain.rulesets.pentola.rules import Options
from domain.rulesets.pentola.state import State, initial
from domain.rulesets.pentola.state.evolve import evolve
from domain.rulesets.pentola.telling.show import show
from domain.rulesets.pentola.telling.tally import tally
from domain.rulesets.pentola.telling.tell import tell


def odds(state: State, command: Command) -> Mapping[str, Fraction] | None:
    """None where one die falls, with a hundred branches at most; many at once have a closed form."""
    return initiative.odds(state, command) if isinstance(command, RollRest) else None


def carry(state: State) -> Mapping[str, Option]:
    """Nothing: the book takes nothing of the table from one session to the next."""
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
    show=show,
    tell=tell,
    tally=tally,
    odds=odds,
    carry=carry,
)
