"""Boards: where chance brought the token, and where it was settled after what was altered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from domain.tally import Landed
from projections.statistics_model import DECLARED, Board
from projections.tallies import Tally


class _Course:
    """One board's landings, of drawn dice or of declared ones."""

    def __init__(self, points: tuple[str, ...]) -> None:
        self.points = points
        self.rolled, self.settled = Counter[int](), Counter[int]()
        self.expected = [Fraction()] * len(points)

    def roll(self, landed: Landed) -> None:
        self.rolled[landed.at] += 1
        self.settled[landed.at] += 1
        for point, chance in landed.chances.items():
            self.expected[int(point)] += Fraction(*chance)

    def alter(self, before: int | None, at: int) -> None:
        """It stands elsewhere than it stood before."""
        if before is not None:
            self.settled[before] -= 1
        self.settled[at] += 1

    def board(self) -> Board:
        places = range(len(self.points))
        return Board(
            self.points,
            tuple(self.rolled[at] for at in places),
            tuple(round(float(each), 6) for each in self.expected),
            tuple(self.settled[at] for at in places),
        )


def boards(tallies: Iterable[Tally]) -> dict[str, Board]:
    """By board; landings of declared dice stand under "<board>, declared", with what was altered of them."""
    courses: dict[str, _Course] = {}
    stood: dict[tuple[str, str], tuple[_Course, int]] = {}
    for tally in tallies:
        match tally.of:
            case Landed(entity=entity, board=board, points=points, at=at, how=how):
                name = f"{board}, {DECLARED}" if tally.dice == DECLARED else board
                course, before = courses.setdefault(name, _Course(points)), None
                if how == "rolled":
                    course.roll(tally.of)
                else:
                    course, before = stood.get((entity, board), (course, None))
                    course.alter(before, at)
                stood[entity, board] = course, at
    return {name: course.board() for name, course in sorted(courses.items())}
