"""The statistics of many sessions: sums that add up in any order to what all draws together come to."""

from __future__ import annotations

from functools import cache, reduce
from operator import add

import msgspec
import pytest

from domain.ruleset import Room
from domain.rulesets import RULESETS
from domain.tally import Rolled
from projections.merged import Merged
from projections.tallies import Evening, Tally, evening_of
from tests.evenings import play
from tests.random_tables import play_table
from tests.scale import scale
from tests.workers import reckoning
from tests.workers.counts import of, toss
from workers.statistics import Sums, figures, merged, sums_of

SESSIONS = range(scale(2, 20))
ROOMS = [pytest.param(room, id=room.name) for room in RULESETS]


@cache
def evenings(room: Room) -> tuple[Evening, ...]:
    tables = (play_table(room, seed, 40) for seed in SESSIONS[::2])
    return (
        *(evening_of(room, play(seed, 120, room)) for seed in SESSIONS),
        *(evening_of(room, table.facts, table.then) for table in tables),
    )


@cache
def sums(room: Room) -> tuple[Sums, ...]:
    return tuple(map(sums_of, evenings(room)))


def union(every: tuple[Evening, ...]) -> Evening:
    """All of them one after the other, as if they were one; nobody sits at two of them."""
    tallies: list[Tally] = []
    versions = 0
    for nth, evening in enumerate(every):
        for tally in evening.tallies:
            apart = msgspec.structs.replace(tally.of, entity=f"{tally.of.entity}-{nth}")
            tallies.append(tally._replace(version=tally.version + versions, of=apart))
        versions += evening.version
    return Evening(
        versions, tuple(tallies), tuple(turn for evening in every for turn in evening.turns), ()
    )


@pytest.mark.parametrize("room", ROOMS)
def test_the_sums_of_sessions_are_those_of_all_their_counts(room: Room) -> None:
    whole = sums_of(union(evenings(room)))
    together = reduce(add, sums(room))
    assert together == msgspec.structs.replace(whole, sessions=len(evenings(room)))
    found, expected = (
        merged(room.name, room.edition, sums(room)),
        merged(room.name, room.edition, [whole]),
    )
    assert found == msgspec.structs.replace(expected, sessions=len(evenings(room)))


@pytest.mark.parametrize("room", ROOMS)
def test_they_add_up_in_any_order(room: Room) -> None:
    first, *rest = sums(room)
    assert reduce(add, rest, first) == reduce(add, rest[::-1]) + first
    bodies = [
        msgspec.json.encode(merged(room.name, room.edition, each))
        for each in (sums(room), sums(room)[::-1])
    ]
    assert bodies[0] == bodies[1]


@pytest.mark.parametrize("room", ROOMS)
def test_they_are_read_back_from_json_as_they_were(room: Room) -> None:
    for each in sums(room):
        assert msgspec.json.decode(msgspec.json.encode(each), type=Sums) == each
    whole = merged(room.name, room.edition, sums(room))
    assert msgspec.json.decode(msgspec.json.encode(whole), type=Merged) == whole


@pytest.mark.parametrize("room", ROOMS)
def test_many_sessions_against_slow_loops(room: Room) -> None:
    """Faces, luck and grades once more, draw by draw."""
    found = merged(room.name, room.edition, sums(room))
    kept = [tally for evening in evenings(room) for tally in evening.tallies if not tally.undone]
    drawn = [tally.of for tally in kept if isinstance(tally.of, Rolled) and tally.dice == "drawn"]
    assert found.faces["drawn"].keys() == {roll.source for roll in drawn}
    for source, faces in found.faces["drawn"].items():
        came = [
            reckoning.Came("", reckoning.shares_of(roll.chances), roll.value)
            for roll in drawn
            if roll.source == source
        ]
        slow = reckoning.seen_of(came)
        assert {
            value: (seen.seen, seen.low, seen.high) for value, seen in faces.values.items()
        } == {value: (seen.seen, seen.low, seen.high) for value, seen in slow.items()}
        assert {value: seen.expected for value, seen in faces.values.items()} == pytest.approx(
            {value: seen.expected for value, seen in slow.items()}, abs=1e-5
        )
    lucks = [luck for roll in drawn if (luck := reckoning.luck_of(0, roll)) is not None]
    assert found.luck.draws == len(lucks)
    assert found.luck.z == pytest.approx(reckoning.z_of(lucks) if lucks else 0.0, abs=1e-5)
    assert (found.sessions, found.events) == (
        len(evenings(room)),
        sum(each.version for each in evenings(room)),
    )


def test_one_session_says_the_same_by_itself_and_merged() -> None:
    room = RULESETS[0]
    evening = evenings(room)[0]
    alone, found = figures(evening), merged(room.name, room.edition, [sums_of(evening)])
    for dice, sources in found.faces.items():
        assert {source: faces.values for source, faces in sources.items()} == {
            source: faces.values for source, faces in alone.faces[dice].items()
        }
    assert found.usage == alone.usage
    assert found.grades == alone.draws.grades


def test_no_session_has_figures_too() -> None:
    found = merged("dhextiny", "1", [])
    assert (found.sessions, found.events, found.faces) == (0, 0, {"drawn": {}, "declared": {}})
    assert found.tests.verdict == "few"


def test_what_none_alone_could_tell_all_together_do() -> None:
    """Eight tosses are not tested, eighty of them are: all heads."""
    session = Evening(
        8,
        tuple(Tally(n, 0, n, 0, "p1", "drawn", False, False, toss("heads")) for n in range(8)),
        (),
        (),
    )
    assert of(*(toss("heads"),) * 8).tests.made == 0
    found = merged("toss", "1", [sums_of(session)] * 10).tests
    assert (found.made, {each.test for each in found.found}) == (2, {"faces", "luck"})
