"""Time: rounds, minutes, hours, days; and what taking a number costs of it."""

from __future__ import annotations

from domain.rulesets.fansys.rules.sheet import up
from domain.rulesets.fansys.rules.words import Options, Taking, Unit

SECONDS = {Unit.MINUTE: 60, Unit.HOUR: 60 * 60, Unit.DAY: 24 * 60 * 60}
MOST_CLOCK = 10**12
TRIES = {Taking.BEST: 100, Taking.TWENTY: 20, Taking.CARE: 1}


def seconds(unit: Unit, options: Options) -> int:
    return SECONDS.get(unit, options.round_seconds)


def rounds(seconds: int, options: Options) -> int:
    """A round that has begun counts."""
    return up(seconds, options.round_seconds)
