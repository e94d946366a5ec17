"""Commands: what a seat may wish. Their fields carry the bounds; schemas, forms and the CLI are derived from them."""

from __future__ import annotations

from domain.rulesets.pentola.messages.commands.moments import Declaration, Initiative
from domain.rulesets.pentola.messages.commands.play import (
    Adjustment,
    Character,
    Intention,
    Test,
    Use,
)

Command = Character | Intention | Test | Use | Initiative | Declaration | Adjustment
