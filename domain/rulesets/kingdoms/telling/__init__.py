"""What a screen shows, what the log says and what statistics count. `tell` and `tally` need the event alone."""

from domain.rulesets.kingdoms.telling.show import show
from domain.rulesets.kingdoms.telling.tally import tally
from domain.rulesets.kingdoms.telling.tell import tell

__all__ = ["show", "tally", "tell"]
