"""The report with all statistics of a session.

The same running statistics always give the same report.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from projections import statistics_model as m
from projections.tallies import SessionTallies, TalliedRewind, Tally
from workers.statistics import highlights, rewinds, verdicts
from workers.statistics.faces import FaceSum
from workers.statistics.luck import LuckSum
from workers.statistics.running import (
    ENTITIES,
    EVERYONE,
    SEATS,
    Ever,
    Live,
    LuckCourse,
    RollCount,
    Running,
)
from workers.statistics.verdicts import Family, Subject, round_p

NO_VOIDED: Mapping[int, m.VoidedResult] = MappingProxyType({})
DIGITS = 6
ORIGINS = (m.DRAWN, m.DECLARED)
SIDES = {"lucky": 1, "unlucky": -1}
LUCK_TESTS: tuple[m.TestName, ...] = ("luck", "streak")
FACE_TESTS: tuple[m.TestName, ...] = ("faces", "mean", "even", "repeats")
MIN_LUCK_DRAWS = 5
"""The minimum number of rolls for which luck is put into words."""

VersionRange = tuple[int, int | None]
"""The first and the last version of a range. If the last is None, it ends at the newest one."""


class Chosen(NamedTuple):
    """An origin of values, and a seat whose secret values may have been chosen to be seen."""

    origin: str
    seat: str


def chosen_seats(
    hidden: Mapping[int, str], drawn: Collection[int], *, may_declare: bool
) -> frozenset[Chosen]:
    """Return the seats of whose secret values some are hidden.

    `hidden` maps hidden turns to their seats, and `drawn` contains the turns with a draw. A draw is
    public, and its values are secret. Typed-in values are as secret as their turn, so any other
    secret turn may have some if the session allows them.
    """
    return frozenset(
        Chosen(m.DRAWN if turn in drawn else m.DECLARED, seat)
        for turn, seat in hidden.items()
        if turn in drawn or may_declare
    )


class Scope(NamedTuple):
    """What a report covers.

    `rewinds` contains the rewinds after the first roll that the running statistics have one by one.
    A range of versions has no verdict. `is_final` is True if the session has ended.
    """

    first: int
    last: int
    version: int
    rewinds: Sequence[TalliedRewind]
    is_range: bool = False
    is_final: bool = False


def compute_report(
    session: SessionTallies,
    *,
    is_final: bool = False,
    versions: VersionRange | None = None,
    voided: Mapping[int, m.VoidedResult] = NO_VOIDED,
    chosen: Collection[Chosen] = (),
    hidden: Collection[int] = (),
) -> m.SessionReport:
    """Return the report for a session, or for a range of its versions.

    The reader can choose a range by its results, so its report has no verdict. `voided` maps the
    number of each voided draw to the result that it would have given. `hidden` contains the turns
    that the viewer may not see, whose secrets `session` must not contain. `chosen` lists the seats
    of whose secret values some are hidden.
    """
    first, last = versions or (1, None)
    end = session.version if last is None else min(last, session.version)
    running = fold(session, range(first, end + 1), chosen, hidden)
    is_range = versions is not None
    scope = Scope(first, end, session.version, session.rewinds, is_range, is_final)
    return report(running, scope, voided)


def fold(
    session: SessionTallies,
    versions: range | None = None,
    chosen: Collection[Chosen] = (),
    hidden: Collection[int] = (),
) -> Running:
    """Return the running statistics of a session, or of some of its versions."""
    if versions is None:
        versions = range(1, session.version + 1)
    running = Running(session.version)
    for turn in session.turns:
        if turn.first in versions:
            running.add_turn(turn)
    for each in in_order(session.rewinds, session.tallies):
        if isinstance(each, TalliedRewind):
            running.return_to(each)
        elif each.version < versions.stop:
            running.add(
                each,
                is_compared=not (each.sealed and (each.dice, each.seat) in chosen),
                is_hidden=each.turn in hidden,
                counts=each.version in versions,
            )
    return running


def in_order(
    rewinds: Iterable[TalliedRewind], tallies: Iterable[Tally]
) -> Iterator[TalliedRewind | Tally]:
    """Yield rewinds and tallies in order of version."""
    found: Iterator[TalliedRewind | Tally]
    found = heapq.merge(rewinds, tallies, key=attrgetter("version"))
    return found


def report(
    running: Running, scope: Scope, voided: Mapping[int, m.VoidedResult] = NO_VOIDED
) -> m.SessionReport:
    """Return the report of running statistics."""
    live, ever = running.live, running.ever
    families = (
        {} if scope.is_range else verdicts.families(ever.faces, ever.luck, is_final=scope.is_final)
    )
    summaries = {origin: family.summary for origin, family in families.items()}
    luck = {origin: _luck(origin, live, ever, families) for origin in ORIGINS}
    seats = {origin: groups[SEATS] for origin, groups in luck.items() if groups[SEATS]}
    return m.SessionReport(
        version=scope.version,
        first=scope.first,
        last=scope.last,
        headline="" if scope.is_range else highlights.headline(seats, summaries),
        verdicts=summaries,
        highlights=highlights.highlights(live),
        secret={
            seat: m.SecretRolls(number, number - hidden)
            for seat, (number, hidden) in sorted(ever.secret.items())
            if hidden
        },
        faces={
            origin: _faces(ever.faces.get(origin, {}), families.get(origin)) for origin in ORIGINS
        },
        luck=luck,
        streaks={origin: _streaks(live, origin) for origin in ORIGINS},
        results={
            group: {
                who: {use: of.statistics() for use, of in sorted(uses.items())}
                for who, uses in sorted(live.results.get(group, {}).items())
            }
            for group in (SEATS, ENTITIES)
        },
        points={
            entity: {pool: of.pool() for pool, of in pools.items()}
            for entity, pools in live.points.items()
        },
        conditions=_conditions(live),
        boards={name: of.board() for name, of in sorted(live.boards.items())},
        usage={name: of.usage() for name, of in sorted(live.usage.items())},
        rewinds=rewinds.rewinds(live, ever, scope.version, scope.rewinds),
        tempo=ever.tempo.tempo(),
        draws=rewinds.draws(live, ever, voided),
    )


def _luck(
    origin: str, live: Live, ever: Ever, families: Mapping[str, Family]
) -> dict[str, dict[str, m.Luck]]:
    groups = live.luck.get(origin, {})
    family, every = families.get(origin), ever.luck.get(origin, {})
    return {
        SEATS: {
            seat: _of_seat(course, every.get(seat), family, seat)
            for seat, course in sorted(groups.get(SEATS, {}).items())
            if course.sum.draws
        },
        ENTITIES: {
            entity: _of_course(course)
            for entity, course in sorted(groups.get(ENTITIES, {}).items())
            if course.sum.draws
        },
    }


def _of_course(course: LuckCourse) -> m.Luck:
    z = round(course.sum.z, DIGITS)
    return m.Luck(course.sum.draws, z, course.series.series(), successes(course.successes))


def successes(of: RollCount) -> m.Successes | UnsetType:
    return m.Successes(of.seen, of.tries, round(of.expected, DIGITS)) if of.tries else UNSET


def percentile(of: LuckSum) -> float | UnsetType:
    """Return how often chance gives less luck, or UNSET if there are too few rolls to say."""
    return UNSET if of.draws < MIN_LUCK_DRAWS else round_p(of.tails().less)


def _of_seat(course: LuckCourse, every: LuckSum | None, family: Family | None, seat: str) -> m.Luck:
    """Return a seat's luck. Without a family of tests, for a range, nothing is judged."""
    found = _of_course(course)
    if family is None:
        return found
    share = percentile(course.sum)
    return m.Luck(
        found.draws,
        found.z,
        found.series,
        found.successes,
        share,
        highlights.describe_percentile(share) if isinstance(share, float) else UNSET,
        0 if every is None else every.draws - course.sum.draws,
        tests_of(family, LUCK_TESTS, "", seat),
    )


def tests_of(
    family: Family | None, names: Sequence[m.TestName], source: str, seat: str
) -> dict[m.TestName, m.ChanceTest]:
    """Return the tests with these names, without those that were not meant for the subject."""
    if family is None:
        return {}
    keys = {name: Subject(name, source, seat) for name in names}
    return {name: family.tests[key] for name, key in keys.items() if key in family.tests}


def _faces(
    sources: Mapping[str, Mapping[str, FaceSum]], family: Family | None
) -> dict[str, m.Faces]:
    """Return the faces of each die or deck, overall and by seat.

    If only one seat used the die or deck, that seat's tests are also the overall tests.
    """
    found = {}
    for source, sums in sorted(sources.items()):
        seats = {seat: of for seat, of in sorted(sums.items()) if seat != EVERYONE}
        each = {
            seat: m.Faces(of.draws, of.observed(), tests_of(family, FACE_TESTS, source, seat))
            for seat, of in seats.items()
        }
        tests = tests_of(family, FACE_TESTS, source, EVERYONE)
        if len(seats) == 1:
            tests = {**next(iter(each.values())).tests, **tests}
        total = sums[EVERYONE]
        found[source] = m.Faces(total.draws, total.observed(), tests, each)
    return found


def _streaks(live: Live, origin: str) -> dict[str, dict[str, dict[str, m.Streak]]]:
    groups = live.luck.get(origin, {})
    return {
        group: {
            who: found
            for who, course in sorted(groups.get(group, {}).items())
            if (found := _longest(course.sum))
        }
        for group in (SEATS, ENTITIES)
    }


def _longest(of: LuckSum) -> dict[str, m.Streak]:
    found = {}
    for way, side in SIDES.items():
        row, p = of.longest[side < 0], of.chance_of_streak(side)
        if row.length:
            found[way] = m.Streak(
                row.length, row.first, row.last, UNSET if p is None else round_p(p)
            )
    return found


def _conditions(live: Live) -> dict[str, dict[str, m.ConditionStatistics]]:
    found = {
        entity: {name: shown for name, of in each.items() if (shown := of.condition())}
        for entity, each in live.conditions.items()
    }
    return {entity: each for entity, each in found.items() if each}
