"""What statistics are computed from: what one event counts for, taken from the event alone."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

Chance = tuple[int, int]
"""An exact chance as (numerator, denominator)."""


class Count(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="count"):
    """One thing that an event counts for, of one entity."""

    entity: str


class Rolled(Count, frozen=True, tag="rolled"):
    """A die or card as it fell: `source` names the die ("d6") or deck, `chances` are of each value at that moment."""

    source: str
    value: str
    use: str
    chances: dict[str, Chance] = {}
    outcome: str | UnsetType = UNSET
    outcomes: dict[str, Chance] = {}


class Settled(Count, frozen=True, tag="settled"):
    """An action come to its result; `rolled` is what chance alone had given."""

    use: str
    outcome: str
    rolled: str | UnsetType = UNSET


class Moved(Count, frozen=True, tag="moved"):
    """Points spent (below zero) or gained in one of the entity's pools."""

    pool: str
    by: Annotated[int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1)]
    why: str


class Ticked(Count, frozen=True, tag="ticked"):
    """A condition that began (`rounds` to go), lost a round or ended (0 to go)."""

    condition: str
    rounds: int


Counts = tuple[Rolled | Settled | Moved | Ticked, ...]
