"""Conditions that count rounds: how often they began and ended, and how long they lasted."""

from __future__ import annotations

from collections.abc import Iterable

from domain.tally import Ticked
from projections.figures import Condition
from projections.tallies import Tally


class _Course:
    """One condition of one entity, round by round."""

    def __init__(self) -> None:
        self.begun = self.ended = self.rounds = self.longest = 0
        self._left = self._lasted = 0

    def tick(self, rounds: int) -> None:
        """Rounds to go: none ends it, fewer than before are a round that it lasted, as many or more begin it."""
        if rounds == 0:
            self.ended += 1
            self._lasted = 0
        elif rounds >= self._left:
            self.begun += 1
        else:
            self.rounds += 1
            self._lasted += 1
            self.longest = max(self.longest, self._lasted)
        self._left = rounds


def conditions(tallies: Iterable[Tally]) -> dict[str, dict[str, Condition]]:
    """Entity -> condition. One that begins anew before it has ended goes on."""
    courses: dict[str, dict[str, _Course]] = {}
    for tally in tallies:
        match tally.of:
            case Ticked(entity=entity, condition=condition, rounds=rounds):
                courses.setdefault(entity, {}).setdefault(condition, _Course()).tick(rounds)
    return {
        entity: {name: Condition(of.begun, of.ended, of.rounds, of.longest) for name, of in each.items()}
        for entity, each in courses.items()
    }
