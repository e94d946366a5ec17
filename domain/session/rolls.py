"""The extension `rolls`: rolls of any dice by notation, in a session of any ruleset.

A roll changes nothing on the table. The dice, their odds and their text are those of the first
edition of the open ruleset.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from domain.chance import Chance
from domain.decider import By
from domain.ruleset import AnyRuleset, Decider, Message
from domain.rulesets import open as open_table
from domain.rulesets.open import messages as m
from domain.rulesets.open.cards import roll_card
from domain.rulesets.open.dice import DiceResult
from domain.rulesets.open.event_fields import EVENT_FIELDS as OPEN_EVENT_FIELDS
from domain.rulesets.open.refusals import REFUSALS as OPEN_REFUSALS
from domain.rulesets.open.rules import Options
from domain.tally import Attempted, Counts

NAME = "rolls"
"""The extension's name in `Opened.extensions`, with which the kinds of its messages begin."""
TITLE = "Roll any dice"
"""The command's name for people."""
_EMPTY_TABLE = open_table.ruleset.decider.initial(Options())
_REFUSALS = ("bad-notation", "blank-text", "odds-too-large")

EVENT_FIELDS: Mapping[str, str] = {
    "aim": "what the dice are for; absent if the command gave no aim",
    "dice": OPEN_EVENT_FIELDS["dice"],
    "notation": "the dice to roll, such as 1d20+5 or 4d6kh3",
    "seat": "the id of the seat that rolled the dice",
    "total": OPEN_EVENT_FIELDS["total"],
    **{
        name: meaning
        for name, meaning in OPEN_EVENT_FIELDS.items()
        if name.startswith("DiceResult.")
    },
}


class Roll(Message, frozen=True, tag="rolls.Roll"):
    """Roll dice that are given by a notation. The roll changes nothing on the table."""

    notation: m.Notation
    aim: (
        Annotated[m.Aim, Meta(description='what the dice are for, such as "Does the rope hold?"')]
        | UnsetType
    ) = UNSET


class DiceRolled(Message, frozen=True, tag="rolls.DiceRolled"):
    """A seat rolled dice. `dice` lists their results in the order of the notation."""

    seat: str
    notation: str
    dice: tuple[DiceResult, ...]
    total: int
    aim: str | UnsetType = UNSET


@cache
def with_rolls(ruleset: AnyRuleset) -> AnyRuleset:
    """Return the ruleset with the commands and events of this extension."""
    decider, describe, tally = ruleset.decider, ruleset.describe, ruleset.tally
    odds, success, card = ruleset.odds, ruleset.success, ruleset.card

    def decide(state: Any, command: Message, by: By, chance: Chance) -> tuple[Message, ...]:
        if not isinstance(command, Roll):
            events: tuple[Message, ...] = decider.decide(state, command, by, chance)
            return events
        return _roll(command, by, chance)

    return replace(
        ruleset,
        commands=(*ruleset.commands, Roll),
        events=(*ruleset.events, DiceRolled),
        decider=Decider(
            decider.initial,
            decide,
            lambda state, event: (
                state if isinstance(event, DiceRolled) else decider.evolve(state, event)
            ),
        ),
        describe=lambda event: (
            _describe(event) if isinstance(event, DiceRolled) else describe(event)
        ),
        refusals={rule: OPEN_REFUSALS[rule] for rule in _REFUSALS} | dict(ruleset.refusals),
        card=lambda event: (
            roll_card(_open_event(event)) if isinstance(event, DiceRolled) else card(event)
        ),
        tally=lambda event: _tally(event) if isinstance(event, DiceRolled) else tally(event),
        odds=lambda state, command: (
            _odds(command) if isinstance(command, Roll) else odds(state, command)
        ),
        success=success
        and (lambda state, command: None if isinstance(command, Roll) else success(state, command)),
    )


def _roll(command: Roll, by: By, chance: Chance) -> tuple[Message, ...]:
    """Return the event of a roll.

    Raises Refused, before any value is drawn, if the notation or the aim is wrong.
    """
    (rolled,) = open_table.ruleset.decider.decide(_EMPTY_TABLE, _open_roll(command), by, chance)
    assert isinstance(rolled, m.DiceRolled)
    return (DiceRolled(rolled.seat, rolled.notation, rolled.dice, rolled.total, rolled.aim),)


def _open_roll(command: Roll) -> m.Roll:
    return m.Roll(notation=command.notation, aim=command.aim)


def _odds(command: Roll) -> Mapping[str, Fraction] | None:
    return open_table.ruleset.odds(_EMPTY_TABLE, _open_roll(command))


def _describe(event: DiceRolled) -> str:
    return open_table.ruleset.describe(_open_event(event))


def _open_event(event: DiceRolled) -> m.DiceRolled:
    return m.DiceRolled(
        event.seat, event.notation, event.dice, event.total, high_is_lucky=True, aim=event.aim
    )


def _tally(event: DiceRolled) -> Counts:
    """Return the faces and the total.

    No one knows which totals are good for the seat, so the roll has no luck.
    """
    return tuple(
        replace(count, is_ranked=False) if isinstance(count, Attempted) else count
        for count in open_table.ruleset.tally(_open_event(event))
    )
