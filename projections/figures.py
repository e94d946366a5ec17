"""What statistics say of a session: the shapes that the worker computes, the API hands out and the plots draw.

A `Series` is (version, value) in order of versions. `seen` and `settled` are numbers of draws and actions, `expected`
what chance gives on average, 95 of 100 honest tables see `low` to `high`. Declared dice stand apart from drawn ones.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

Series = tuple[tuple[int, float], ...]
How = Literal["exact", "normal", "chi-square", "simulated"]
"""How a p was found: summed, by the normal or the chi-square distribution, or by simulation."""
Verdict = Literal["fair", "lucky", "unlucky", "uneven", "few"]
"""`few`: too few draws to say; `uneven`: faces that chance hardly gives. Corrected for all tests of the report."""
DRAWN, DECLARED = "drawn", "declared"
ALPHA = 0.01
"""Of honest tables, the share that a report may call out at all."""


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the figures; what is absent is not said."""


class Seen(Part, frozen=True):
    seen: int
    expected: float
    low: int
    high: int


class Test(Part, frozen=True):
    """One test of chance: `p` alone, `adjusted` for all tests of the report (Holm); both 0 to 1."""

    statistic: float
    p: float
    adjusted: float
    how: How
    verdict: Verdict
    df: int | UnsetType = UNSET


class Faces(Part, frozen=True):
    """A die or deck: each value against its chances at the moment of each draw; then for each seat that used it."""

    draws: int
    values: dict[str, Seen]
    test: Test | UnsetType = UNSET
    seats: dict[str, Faces] = {}


class Luck(Part, frozen=True):
    """`z` sums every draw's mid-probability, less one half, over its spread: 0 as expected, above 0 lucky.

    `series` is z after each draw. `test` stands for seats.
    """

    draws: int
    z: float
    series: Series
    test: Test | UnsetType = UNSET


class Streak(Part, frozen=True):
    """The most draws in a row above (or below) the middle of chance; `p`: that so many come by chance."""

    length: int
    first: int
    last: int
    p: float


class Outcome(Part, frozen=True):
    """How often actions were settled so, and how often chance alone gave it."""

    settled: int
    drawn: Seen
    declared: Seen


class Use(Part, frozen=True):
    """What one kind of action came to; `changed`: what chance gave -> how it was settled -> times."""

    outcomes: dict[str, Outcome]
    changed: dict[str, dict[str, int]] = {}


class Flow(Part, frozen=True):
    gained: int
    lost: int
    times: int


class Pool(Part, frozen=True):
    """Points by reason, and what the pool held after each change (from what it began with)."""

    why: dict[str, Flow]
    level: Series = ()


class Condition(Part, frozen=True):
    """How often it began and ended, and the rounds that it lasted on after; `longest`: the most rounds at once."""

    begun: int
    ended: int
    rounds: int
    longest: int


class Board(Part, frozen=True):
    """By point, clockwise from the start: where the dice brought the token, and where it was settled."""

    points: tuple[str, ...]
    rolled: tuple[int, ...]
    expected: tuple[float, ...]
    settled: tuple[int, ...]


class Usage(Part, frozen=True):
    """A usage die: `rolls`, how often it went down and how often chance says; `lasted` -> how many dice held so long.

    `survived`: (rolls, share of dice that still hold, chance of it): Kaplan and Meier's, for some were never worn out.
    """

    rolls: int
    down: Seen
    survived: tuple[tuple[int, float, float], ...]


class Draw(Part, frozen=True):
    version: int
    value: str
    outcome: str | UnsetType = UNSET


class Redrawn(Part, frozen=True):
    """A draw that a rewind left behind, beside the seat's next of its kind, die by die. `luck`: mid-probability."""

    draw: Draw
    seat: str
    entity: str
    source: str
    use: str
    rewind: int
    luck: float | UnsetType = UNSET
    next: Draw | UnsetType = UNSET
    next_luck: float | UnsetType = UNSET


class Rewinds(Part, frozen=True):
    count: int
    turns: int
    draws: tuple[Redrawn, ...] = ()


class Pace(Part, frozen=True):
    """Of a seat: its turns, its share of all, the minutes that the table waited for them."""

    turns: int
    share: float
    minutes: float


class Tempo(Part, frozen=True):
    """Of the turns of play, undone ones too; `gaps`: minutes before each turn, `order`: (version, seat) of each."""

    turns: int
    minutes: float
    minutes_per_turn: float
    seats: dict[str, Pace]
    gaps: Series = ()
    order: tuple[tuple[int, str], ...] = ()


class Shadow(Part, frozen=True):
    """What a draw that was given up would have been: (sides, value) each, and the room's lines."""

    values: tuple[tuple[int, int], ...]
    told: tuple[str, ...] = ()


class Void(Part, frozen=True):
    """A draw that was given up, of `seat`; `again` is the version of the seat's next draw of the same kind of wish."""

    version: int
    k: int
    seat: str
    missing: tuple[str, ...]
    shadow: Shadow | UnsetType = UNSET
    again: int | UnsetType = UNSET


class Draws(Part, frozen=True):
    """Draws by grade, in all and by the seat that asked; the ones given up, undone or not; how often who missed."""

    grades: dict[str, int]
    seats: dict[str, dict[str, int]] = {}
    voids: tuple[Void, ...] = ()
    missing: dict[str, int] = {}


class Finding(Part, frozen=True):
    """What the tests found after correction: the seat, and the die or deck where it is one; `says`: a sentence."""

    test: Literal["faces", "luck"]
    p: float
    adjusted: float
    verdict: Verdict
    says: str
    seat: str | UnsetType = UNSET
    source: str | UnsetType = UNSET
    value: str | UnsetType = UNSET


class Tests(Part, frozen=True):
    """How many tests were made, the share of honest tables that are called out at all, and what was found."""

    made: int
    alpha: float
    verdict: Verdict
    says: str
    found: tuple[Finding, ...] = ()


class Figures(Part, frozen=True):
    """All of them of a session, as of `version`, of the versions `first` to `last`.

    `faces` -> drawn or declared -> die or deck. `luck`, `streaks`, `results` -> "seats" or "entities" -> id; `results`
    -> use. `points`, `conditions` -> entity. `boards`, `usage` of declared dice: "<name>, declared".
    """

    version: int
    first: int
    last: int
    undone: bool
    faces: dict[str, dict[str, Faces]]
    luck: dict[str, dict[str, Luck]]
    streaks: dict[str, dict[str, dict[str, Streak]]]
    results: dict[str, dict[str, dict[str, Use]]]
    points: dict[str, dict[str, Pool]]
    conditions: dict[str, dict[str, Condition]]
    boards: dict[str, Board]
    usage: dict[str, Usage]
    rewinds: Rewinds
    tempo: Tempo
    draws: Draws
    tests: Tests
