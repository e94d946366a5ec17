"""What statistics say of many sessions of one game."""

from __future__ import annotations

from projections.figures import Faces, Flow, Luck, Part, Tests, Usage, Use


class Merged(Part, frozen=True):
    """The figures of many sessions of one game, as anybody may see them; `as_of`: the newest event among them, ms."""

    ruleset: str
    edition: str
    sessions: int
    events: int
    as_of: int
    faces: dict[str, dict[str, Faces]]
    luck: Luck
    results: dict[str, Use]
    points: dict[str, dict[str, Flow]]
    usage: dict[str, Usage]
    grades: dict[str, int]
    voids: int
    tests: Tests
