"""The FanSys23 ruleset: a fantasy game with stats, skills, saves and 2d12 rolls.

SP absorbs natural damage, and MP absorbs supernatural damage. Any remaining damage reduces HP.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import get_args

from domain.ruleset import Decider, Option, Ruleset
from domain.rulesets.fansys import attack_forecasts, presentation
from domain.rulesets.fansys.cards import roll_card
from domain.rulesets.fansys.commands import Command
from domain.rulesets.fansys.controls import CONTROLS, TITLES
from domain.rulesets.fansys.decider import decide
from domain.rulesets.fansys.decider.odds import odds
from domain.rulesets.fansys.event_fields import EVENT_FIELDS
from domain.rulesets.fansys.events import Event
from domain.rulesets.fansys.refusals import REFUSALS
from domain.rulesets.fansys.rules import editions
from domain.rulesets.fansys.rules.vocabulary import Options
from domain.rulesets.fansys.state import State, evolve, initial


def carry(state: State) -> Mapping[str, Option]:
    """Return the clock as the `clock` option for the next session (RULES 13.3)."""
    return {"clock": state.clock}


FIRST_VALUES: Mapping[str, Mapping[str, Option]] = {
    "fansys.Create": {
        "strength": 11,
        "dexterity": 11,
        "constitution": 11,
        "intelligence": 11,
        "wisdom": 11,
        "charisma": 11,
        "level": 1,
        "sp_dice": 4,
        "mp_dice": 0,
        "race": "human",
        "entity_type": "humanoid",
        "size": "medium",
    },
    "fansys.LearnAttack": {"dice": 1, "sides": 6, "bonus": 0},
}
"""The sheet of an average character, from which people start."""


def _edition(edition: str) -> Ruleset[State, Command, Event, Options]:
    """Return one edition of the ruleset. `rules/editions.py` lists how the editions differ."""
    return Ruleset(
        name="fansys",
        edition=edition,
        title="FanSys23",
        package=__name__,
        options=Options,
        state=State,
        commands=get_args(Command),
        events=get_args(Event),
        summary="2d12 plus what you can do. Hit, stamina and magic points.",
        shape="bars",
        first_values=FIRST_VALUES,
        first_steps=(
            "fansys.LearnSkill",
            "fansys.SetProficiency",
            "fansys.LearnAttack",
            "fansys.Equip",
        ),
        event_fields=EVENT_FIELDS,
        card=roll_card,
        controls=CONTROLS,
        titles=TITLES,
        names=presentation.names,
        decider=Decider(partial(initial, edition=int(edition)), decide, evolve),
        show=attack_forecasts.show,
        wording=presentation.WORDING,
        describe=presentation.describe,
        refusals=REFUSALS,
        tally=presentation.tally,
        odds=odds,
        carry=carry,
        named_seats_must_play=int(edition) >= editions.SEATS_MUST_PLAY_SINCE,
    )


ruleset = _edition("2")
edition_1 = _edition("1")
