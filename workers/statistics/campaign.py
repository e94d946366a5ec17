"""Statistics of a campaign: what each session adds, their sum, and the report.

A sum can be subtracted again, so a campaign is kept up to date at the cost of one session.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from projections import campaign_model as c, statistics_model as m
from workers.statistics import highlights, verdicts
from workers.statistics.faces import FaceSum
from workers.statistics.luck import LuckSum
from workers.statistics.report import FACE_TESTS, percentile, successes, tests_of
from workers.statistics.running import EVERYONE, SEATS, LuckCourse, RollCount, Running
from workers.statistics.verdicts import Family

ORIGINS = (m.DRAWN, m.DECLARED)
MAX_LINES = 100
"""How many of the newest sessions a report lists."""
MAX_RECORDS = 5
"""How many of the best moments of each kind are kept, so that one can be taken away."""
DIGITS = 6


class LuckTotal(msgspec.Struct):
    """The luck of a seat or a person: of the rolls that counted, and of all for the tests."""

    counted: LuckSum = msgspec.field(default_factory=lambda: LuckSum(is_exact=False))
    every: LuckSum = msgspec.field(default_factory=lambda: LuckSum(is_exact=False))
    successes: RollCount = msgspec.field(default_factory=RollCount)

    def accumulate(self, other: LuckTotal, sign: int) -> None:
        self.counted.accumulate(other.counted, sign)
        self.every.accumulate(other.every, sign)
        self.successes.accumulate(other.successes, sign)


class PersonTotal(msgspec.Struct):
    """A seat in one session, or a person in all of them."""

    sessions: int = 0
    turns: int = 0
    seconds: float = 0.0
    luck: dict[str, LuckTotal] = {}
    uses: dict[str, RollCount] = {}

    def accumulate(self, other: PersonTotal, sign: int) -> None:
        self.sessions += sign * other.sessions
        self.turns += sign * other.turns
        self.seconds += sign * other.seconds
        for origin, luck in other.luck.items():
            total = self.luck.setdefault(origin, LuckTotal())
            total.accumulate(luck, sign)
            if not total.every.draws and not total.successes.rolls:
                del self.luck[origin]
        for use, of in other.uses.items():
            count = self.uses.setdefault(use, RollCount())
            count.accumulate(of, sign)
            if not count.rolls:
                del self.uses[use]


class SeatLuck(msgspec.Struct, frozen=True):
    """How lucky a seat was in one session. `percentile` is unset if there were too few rolls."""

    draws: int
    percentile: float | UnsetType = UNSET


class Part(msgspec.Struct):
    """What one session adds. Seats have not been replaced by people yet."""

    version: int
    began_at: int
    turns: int
    seconds: float
    luck: dict[str, SeatLuck]
    seats: dict[str, PersonTotal]
    faces: dict[str, dict[str, FaceSum]]
    highlights: tuple[m.Highlight, ...]


class Record(msgspec.Struct, frozen=True):
    """A memorable moment of a session, and the person whose it was, or "" if no one is linked."""

    session: str
    number: int
    person: str
    moment: m.Highlight


class Total(msgspec.Struct):
    """The sum of all sessions of a campaign."""

    sessions: int = 0
    turns: int = 0
    seconds: float = 0.0
    people: dict[str, PersonTotal] = {}
    faces: dict[str, dict[str, FaceSum]] = {}
    records: dict[str, list[Record]] = {}

    def add(self, part: Part, session: str, number: int, people: Mapping[str, str]) -> None:
        """Add a session. `people` maps its seats to people; other seats count for no one."""
        self._accumulate(part, people, 1)
        for moment in part.highlights:
            best = self.records.setdefault(moment.kind, [])
            best.append(Record(session, number, people.get(moment.seat, ""), moment))
            best.sort(key=lambda record: (record.moment.chance, record.number))
            del best[MAX_RECORDS:]

    def subtract(self, part: Part, session: str, people: Mapping[str, str]) -> None:
        """Take a session away that was added with the same `people`."""
        self._accumulate(part, people, -1)
        for kind, best in self.records.items():
            self.records[kind] = [record for record in best if record.session != session]

    def _accumulate(self, part: Part, people: Mapping[str, str], sign: int) -> None:
        self.sessions += sign
        self.turns += sign * part.turns
        self.seconds += sign * part.seconds
        seen = set[str]()
        for seat, of in part.seats.items():
            if seat in people:
                person = self.people.setdefault(people[seat], PersonTotal())
                person.accumulate(of, sign)
                if of.sessions and people[seat] in seen:  # a second seat in the same session
                    person.sessions -= sign * of.sessions
                elif of.sessions:
                    seen.add(people[seat])
                if not (person.sessions or person.luck or person.uses):
                    del self.people[people[seat]]
        for origin, sources in part.faces.items():
            totals = self.faces.setdefault(origin, {})
            for source, each in sources.items():
                totals.setdefault(source, FaceSum()).accumulate(each, sign)
                if not totals[source].draws:
                    del totals[source]


class Line(NamedTuple):
    """A session of a campaign: its id, its number from 1, and the people of its seats."""

    session: str
    number: int
    people: Mapping[str, str]


def part_of(running: Running) -> Part:
    """Return what a session adds to its campaign."""
    live, ever = running.live, running.ever
    seats = {
        seat: PersonTotal(1, pace.turns, pace.seconds) for seat, pace in ever.tempo.seats.items()
    }
    for origin in ORIGINS:
        every = ever.luck.get(origin, {})
        for seat, course in live.luck.get(origin, {}).get(SEATS, {}).items():
            of = seats.setdefault(seat, PersonTotal())
            of.luck[origin] = _luck_total(course, every.get(seat))
    for seat, uses in live.uses.items():
        seats.setdefault(seat, PersonTotal()).uses = uses
    faces = {
        origin: {source: of_seats[EVERYONE] for source, of_seats in sources.items()}
        for origin, sources in ever.faces.items()
    }
    luck = {
        seat: SeatLuck(course.sum.draws, percentile(course.sum))
        for origin in reversed(ORIGINS)  # drawn values take precedence over typed-in ones
        for seat, course in live.luck.get(origin, {}).get(SEATS, {}).items()
        if course.sum.draws
    }
    tempo = ever.tempo
    return Part(
        running.version,
        tempo.first_at,
        tempo.turns,
        tempo.seconds,
        luck,
        seats,
        faces,
        highlights.highlights(live),
    )


def _luck_total(course: LuckCourse, every: LuckSum | None) -> LuckTotal:
    total = LuckTotal(successes=course.successes)
    total.counted.accumulate(course.sum)
    total.every.accumulate(course.sum if every is None else every)
    return total


def line_of(line: Line, part: Part) -> c.CampaignLine:
    """Return the line of a session in the campaign's report."""
    people: dict[str, c.SessionPerson] = {}
    for seat, of in part.seats.items():
        if seat in line.people and of.turns:
            person, luck = line.people[seat], part.luck.get(seat, SeatLuck(0))
            before = people.get(person, c.SessionPerson(0))
            people[person] = c.SessionPerson(
                before.turns + of.turns,
                before.draws + luck.draws,
                UNSET if before.turns else luck.percentile,  # of two seats, neither is the person's
            )
    return c.CampaignLine(
        line.session,
        line.number,
        part.version,
        part.began_at,
        part.turns,
        round(part.seconds / 60, 3),
        people,
    )


def report(total: Total, lines: Sequence[c.CampaignLine]) -> c.CampaignReport:
    """Return the report of a campaign. `lines` has its newest sessions, oldest first."""
    families = verdicts.families(
        {
            origin: {source: {EVERYONE: of} for source, of in sources.items()}
            for origin, sources in total.faces.items()
        },
        {
            origin: {
                person: of.luck[origin].every
                for person, of in total.people.items()
                if origin in of.luck
            }
            for origin in ORIGINS
        },
        is_final=False,  # a campaign goes on
    )
    people = {person: _person(person, of, families) for person, of in sorted(total.people.items())}
    luck = {
        origin: {person: of.luck[origin] for person, of in people.items() if origin in of.luck}
        for origin in ORIGINS
    }
    summaries = {origin: family.summary for origin, family in families.items()}
    return c.CampaignReport(
        sessions=total.sessions,
        turns=total.turns,
        minutes=round(total.seconds / 60, 3),
        headline=highlights.headline(luck, summaries),
        verdicts=summaries,
        people=people,
        dice={
            origin: {
                source: m.Faces(
                    of.draws,
                    of.observed(),
                    tests_of(families.get(origin), FACE_TESTS, source, EVERYONE),
                )
                for source, of in sorted(sources.items())
            }
            for origin, sources in sorted(total.faces.items())
        },
        records={kind: _record(best[0]) for kind, best in sorted(total.records.items()) if best},
        lines=tuple(lines),
    )


def _record(record: Record) -> c.CampaignRecord:
    return c.CampaignRecord(record.session, record.number, record.moment, record.person or UNSET)


def _person(person: str, of: PersonTotal, families: Mapping[str, Family]) -> c.PersonReport:
    return c.PersonReport(
        of.sessions,
        of.turns,
        round(of.seconds / 60, 3),
        {
            origin: _luck(person, luck, families.get(origin))
            for origin, luck in of.luck.items()
            if luck.counted.draws
        },
        {use: _use(count) for use, count in sorted(of.uses.items()) if count.rolls},
    )


def _luck(person: str, luck: LuckTotal, family: Family | None) -> m.Luck:
    counted, share = luck.counted, percentile(luck.counted)
    return m.Luck(
        counted.draws,
        round(counted.z, DIGITS),
        (),
        successes(luck.successes),
        share,
        highlights.describe_percentile(share) if isinstance(share, float) else UNSET,
        luck.every.draws - counted.draws,
        tests_of(family, ("luck",), "", person),
    )


def _use(of: RollCount) -> c.UseCount:
    return c.UseCount(of.rolls, successes(of))
