"""Conditions that count rounds: how often they began and ended, and how long they lasted."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from domain.tally import Ticked
from projections.statistics_model import Condition
from projections.tallies import Rewind, Tally

NOTHING = (0, 0)


class _Course:
    """One condition of one entity, round by round."""

    def __init__(self, rewinds: Sequence[Rewind]) -> None:
        self.begun = self.ended = self.rounds = self.longest = 0
        self._rewinds, self._back = rewinds, [rewind.version for rewind in rewinds]
        self._versions, self._states = list[int](), list[tuple[int, int]]()

    @property
    def is_seen(self) -> bool:
        return bool(self.begun or self.ended or self.rounds)

    def condition(self) -> Condition:
        return Condition(self.begun, self.ended, self.rounds, self.longest)

    def tick(self, version: int, rounds: int, *, counts: bool) -> None:
        """Rounds to go: none ends it, fewer than before are a round that it lasted, as many or more begin it."""
        left, lasted = self._before(version)
        ended, begun = rounds == 0, rounds >= left
        lasted = 0 if ended or not counts else lasted + (not begun)
        if counts:
            self.ended += ended
            self.begun += begun and not ended
            self.rounds += not (begun or ended)
            self.longest = max(self.longest, lasted)
        self._versions.append(version)
        self._states.append((rounds, lasted))

    def _before(self, version: int) -> tuple[int, int]:
        """Rounds to go and rounds that it has lasted, as they were on the version's own branch."""
        while True:
            ticks, backs = bisect_left(self._versions, version), bisect_left(self._back, version)
            if not backs or (ticks and self._versions[ticks - 1] > self._back[backs - 1]):
                return self._states[ticks - 1] if ticks else NOTHING
            version = self._rewinds[backs - 1].to + 1


def conditions(
    tallies: Iterable[Tally], versions: range, rewinds: Sequence[Rewind]
) -> dict[str, dict[str, Condition]]:
    """Entity -> condition. One that begins anew before it has ended goes on.

    Of the versions alone, but `tallies` are of the whole evening: one may have begun before them. `rewinds`: those that
    left some of the tallies behind.
    """
    courses: dict[str, dict[str, _Course]] = {}
    for tally in tallies:
        match tally.of:
            case Ticked(entity=entity, condition=condition, rounds=rounds) if (
                tally.version < versions.stop
            ):
                of = courses.setdefault(entity, {})
                course = of.get(condition) or of.setdefault(condition, _Course(rewinds))
                course.tick(tally.version, rounds, counts=tally.version in versions)
    found = {
        entity: {name: course.condition() for name, course in of.items() if course.is_seen}
        for entity, of in courses.items()
    }
    return {entity: of for entity, of in found.items() if of}
