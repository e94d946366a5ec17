"""The people of a session: how lucky each seat was, in words that need no statistics.

The terminal and the page draw this as a table before all charts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from projections.statistics_model import (
    DECLARED,
    DRAWN,
    Luck,
    SecretRolls,
    SessionReport,
    Successes,
)
from service.charts.labels import TYPED_IN, Names
from service.platform.text import format_count

TOO_FEW = "too few rolls to say"


class Person(NamedTuple):
    """A seat's luck.

    `percentile` is the share of sessions with less luck, from 0 to 1, and `text` says it in words.
    In the statistics of a range they are None and "". `successes` (such as "12 of 20") and
    `expected` (such as "9.3 expected") are "" if none of the rolls could be a success.
    """

    name: str
    percentile: float | None
    text: str
    successes: str
    expected: str


class PeopleTable(NamedTuple):
    """The seats whose values have the same origin, luckiest first.

    `heading` is "" for drawn values. `notes` has a line for each seat without a percentile and for
    each seat whose secret rolls are not counted.
    """

    heading: str
    people: list[Person]
    notes: list[str]


def is_range(report: SessionReport) -> bool:
    """Return True if the report covers only a range of versions, so that it has no verdict."""
    return not report.headline


def people_tables(report: SessionReport, names: Names) -> list[PeopleTable]:
    """Return a table for drawn values and one for typed-in values.

    A table without people and notes is omitted. If no seat typed in enough values, the second table
    is only a note. In the statistics of a range, seats are in the report's order, because they have
    no percentile.
    """
    tables = []
    for origin, heading in ((DRAWN, ""), (DECLARED, TYPED_IN)):
        seats = report.luck.get(origin, {}).get("seats", {})
        # Physical dice are rarely typed in secretly, so one table mentions all secret rolls.
        secret = report.secret if origin == DRAWN else {}
        people = _in_order(seats, names) if is_range(report) else ranking(seats, names)
        few = [] if is_range(report) else [s for s in seats if seats[s].percentile is UNSET]
        notes = list(_notes(few, secret, names))
        if heading and not people and notes:  # one line is enough for a few physical dice
            tables.append(PeopleTable("", [], [f"{heading}: {TOO_FEW}"]))
        elif people or notes:
            tables.append(PeopleTable(heading, people, notes))
    return tables


def ranking(seats: Mapping[str, Luck], names: Names) -> list[Person]:
    """Return the seats, or the people of a campaign, whose luck is known, luckiest first."""
    ranked = [
        (-luck.percentile, -luck.z, _person(names.seat(seat), luck))
        for seat, luck in seats.items()
        if luck.percentile is not UNSET
    ]
    return [person for *_, person in sorted(ranked, key=lambda each: each[:2])]


def _in_order(seats: Mapping[str, Luck], names: Names) -> list[Person]:
    return [
        _person(names.seat(seat), luck)
        for seat, luck in seats.items()
        if luck.successes is not UNSET
    ]


def _person(name: str, luck: Luck) -> Person:
    percentile = None if luck.percentile is UNSET else luck.percentile
    text = "" if luck.text is UNSET else luck.text
    return Person(name, percentile, text, *describe_successes(luck.successes))


def describe_successes(of: Successes | UnsetType) -> tuple[str, str]:
    """Return the successes and the expected ones as texts, or two empty ones."""
    if of is UNSET:
        return "", ""
    expected = f"{of.expected:,.1f}".removesuffix(".0")
    return f"{of.seen:,} of {of.of:,}", f"{expected} expected"


def _notes(few: list[str], secret: Mapping[str, SecretRolls], names: Names) -> Iterator[str]:
    for seat in dict.fromkeys((*few, *secret)):
        said = [TOO_FEW] if seat in few else []
        said += [_describe_secret(secret[seat])] if seat in secret else []
        yield f"{names.seat(seat)}: {'; '.join(said)}"


def _describe_secret(rolls: SecretRolls) -> str:
    every = format_count(rolls.draws, "secret roll")
    if rolls.draws == 1:
        return "1 secret roll is sealed, so it is not counted"
    if not rolls.open:
        return f"{every} are sealed, so they are not counted"
    are = "is" if rolls.open == 1 else "are"
    return f"{rolls.open:,} of {every} {are} open, so they are not counted"
