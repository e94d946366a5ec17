"""The FanSys23 ruleset: a fantasy game with stats, skills, saves and 2d12 rolls.

SP absorbs natural damage, and MP absorbs supernatural damage. Any remaining damage reduces HP.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.fansys import presentation
from domain.rulesets.fansys.commands import Command
from domain.rulesets.fansys.decider import decide
from domain.rulesets.fansys.decider.odds import odds
from domain.rulesets.fansys.events import Event
from domain.rulesets.fansys.rules.vocabulary import Options
from domain.rulesets.fansys.state import State, evolve, initial


def carry(state: State) -> Mapping[str, Option]:
    """Return the clock as the `clock` option for the next session (RULES 13.3)."""
    return {"clock": state.clock}


ruleset: Ruleset[State, Command, Event, Options] = Ruleset(
    name="fansys",
    edition="1",
    title="FanSys23",
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
