"""Constants of the open ruleset: limits, kinds of characters and options (RULES.md)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

# Limits of a notation (RULES 4.3 and 5). They may be relaxed but never tightened, because the text
# of an earlier roll is generated from its notation and would fail under stricter limits.
MAX_NOTATION_LENGTH = 200
MAX_DICE = 200  # in one notation, not counting rerolls and explosions
MAX_EXPLOSIONS = 100  # for each die
MIN_SIDES, MAX_SIDES = 2, 100
MAX_NUMBER = 9_999  # the largest number in a notation
MAX_TOTAL = 1_000_000_000
MAX_LABEL_LENGTH = 40

# Limits that keep logs and pages from growing without bound
MAX_CHARACTERS = 100  # including those that were removed
MAX_NUMBERS = 40  # for each character, like the next three limits
MAX_BARS = 10
MAX_CONDITIONS = 20
MAX_SAVED_ROLLS = 20
MAX_DECKS = 10
MAX_CARDS = 120  # in each deck
MAX_CARDS_AT_ONCE = 20
MAX_COUNTERS = 20
MAX_NOTE_LENGTH = 4_000
MAX_VALUE = 999_999
MAX_ROUNDS = 1_000
MAX_MINUTES = 525_600  # a year

THE_TABLE = "the table"
"""The owner of counters. No character can have this id, because it contains a space."""


class Being(StrEnum):
    PC = "PC"
    NPC = "NPC"


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The GM's choices when opening the session."""

    high_is_lucky: Annotated[
        bool,
        Meta(
            description="whether the statistics count high results as lucky and low results as"
            " unlucky, rather than the other way round (RULES 13.2)"
        ),
    ] = True


def fold_words(name: str) -> str:
    """Return the normalized name, for comparison with other names (RULES 7.5)."""
    return " ".join(name.split()).casefold()
