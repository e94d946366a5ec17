"""The Pentola ruleset: d100 tests, usage dice, and moments with a turn order."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import get_args

from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.pentola import presentation
from domain.rulesets.pentola.cards import roll_card
from domain.rulesets.pentola.commands import Command, RollRest
from domain.rulesets.pentola.controls import CONTROLS, TITLES
from domain.rulesets.pentola.decider import decide, moments
from domain.rulesets.pentola.event_fields import EVENT_FIELDS
from domain.rulesets.pentola.events import Event
from domain.rulesets.pentola.refusals import REFUSALS
from domain.rulesets.pentola.rules import NAMED_SEATS_MUST_PLAY_SINCE, Options
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


def _edition(edition: str) -> Ruleset[State, Command, Event, Options]:
    """Return an edition of the rules. The state stores the edition, and `decide` reads it there."""
    return Ruleset(
        name="pentola",
        edition=edition,
        title="Pentola",
        gm_title="referee",
        package=__name__,
        options=Options,
        state=State,
        commands=get_args(Command),
        events=get_args(Event),
        summary="d100 under a goal, usage dice that run out, fights in moments.",
        shape="scale",
        first_values={
            "pentola.CreatePc": {"body": 12, "intellect": 12},
            "pentola.CreateNpc": {"body": 12, "intellect": 12},
        },
        first_steps=("pentola.AddBonus", "pentola.AddItem", "pentola.AddAbility"),
        event_fields=EVENT_FIELDS,
        card=roll_card,
        controls=CONTROLS,
        titles=TITLES,
        decider=Decider(partial(initial, edition=int(edition)), decide, evolve),
        show=presentation.show,
        wording=presentation.WORDING,
        describe=presentation.describe,
        refusals=REFUSALS,
        tally=presentation.tally,
        odds=odds,
        carry=carry,
        named_seats_must_play=int(edition) >= NAMED_SEATS_MUST_PLAY_SINCE,
    )


ruleset = _edition("2")
edition_1 = _edition("1")
