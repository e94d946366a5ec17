"""What the answers of a review hold: branches, rolls made again, one event with all that belongs to it, readings."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.chance import Values
from domain.session.lineage import Fate, Span
from domain.session.messages import Contribution
from service.http.shown import Event, Shown


class BranchShown(Shown, frozen=True):
    """What the rewind of that version left behind: spans of versions, first and last.

    `back` is what of it leads to the newest version again. `take_back`: a player took back the own last wish.
    """

    version: int
    at: str
    seat: str
    to: int
    reason: str
    left: tuple[Span, ...]
    events: int
    turns: int
    fate: Fate
    back: tuple[Span, ...] = ()
    take_back: bool = False


class Branches(Shown, frozen=True):
    """`lineage` are the spans that led to the newest version."""

    version: int
    lineage: tuple[Span, ...]
    branches: list[BranchShown]
    next: int | UnsetType = UNSET


class Lineage(Shown, frozen=True):
    """The spans, first and last, of the versions that led to this one."""

    version: int
    lineage: tuple[Span, ...]


class RollShown(Shown, frozen=True):
    """A turn with its values, as (sides, face) each."""

    version: int
    values: Values
    events: list[Event]


class RolledAgain(Shown, frozen=True):
    """A roll that a rewind undid, and the same seat's next of its kind."""

    seat: str
    undone: RollShown
    again: RollShown


class Rerolls(Shown, frozen=True):
    version: int
    rerolls: list[RolledAgain]
    next: int | UnsetType = UNSET


class DrawShown(Shown, frozen=True):
    """Draw `k`: who contributed what, and the values as (sides, face) each unless they are sealed."""

    k: int
    declared: int
    drawn: int
    contributions: tuple[Contribution, ...]
    values: Values | UnsetType = UNSET


class TurnSpan(Shown, frozen=True):
    first: int
    last: int


class EventLinks(Shown, frozen=True):
    """Addresses: the proof that the event is in the log, the table around it, its turn's first and last event."""

    inclusion: str
    after: str
    first: str
    last: str
    before: str | UnsetType = UNSET


class EventDetail(Shown, frozen=True):
    """One event, and the draw that its turn made."""

    event: Event
    turn: TurnSpan
    links: EventLinks
    draw: DrawShown | UnsetType = UNSET


class Reading(Shown, frozen=True):
    """What an auditor read, and when."""

    number: int
    seat: str
    at: str
    what: str


class Readings(Shown, frozen=True):
    readings: list[Reading]
    next: int | UnsetType = UNSET
