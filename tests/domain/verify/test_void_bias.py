"""Voids are compared with chance, by the seat that was missing and, for the server, all together."""

from __future__ import annotations

from functools import cache

import pytest

from domain.chance import Values
from domain.proof.hash_chain import seed, value
from domain.session.messages import Rewind, SetPresence
from domain.session.state import HOUSE
from domain.session.turns import LEAST_HOUSE_LENGTH
from domain.verify import verify
from domain.verify.void_bias import MAX_P, MIN_VALUES, KnownVoid, void_biases
from service.platform.ed25519 import verify as ed25519
from tests.domain.broken_table_draws import lines
from tests.domain.session.test_turns import DRAW, at_table
from tests.support.example import EXAMPLE
from tests.support.sessions import TableSession


def void(version: int, values: Values, *missing: str) -> KnownVoid:
    return KnownVoid(version, missing, values)


def test_ten_coins_on_one_side() -> None:
    """Each is one standard deviation from the mean: z = sqrt(10), on both sides p = 0.00157."""
    voids = [void(version, ((2, 1),), "p1") for version in range(10)]
    by_seat, by_server = void_biases(voids)
    assert (by_seat.seat, by_server.seat) == ("p1", HOUSE)
    assert by_seat.versions == by_server.versions == tuple(range(10))
    assert (by_seat.values, by_seat.mean) == (10, 0.0)
    assert by_seat.p == pytest.approx(0.00157, abs=1e-5)


def test_every_face_once_is_chance() -> None:
    [by_seat, _] = void_biases([void(face, ((12, face),), "p1") for face in range(1, 13)])
    assert (by_seat.mean, by_seat.p) == (pytest.approx(0.5), pytest.approx(1.0))


def test_high_results_count_as_low_ones() -> None:
    low, high = (void_biases([void(1, ((6, face),) * 12, "p1")])[0] for face in (1, 6))
    assert low.p == pytest.approx(high.p)
    assert low.p < MAX_P
    assert (low.mean, high.mean) == (0.0, 1.0)


def test_a_die_of_many_sides_counts_as_much_as_one_of_few() -> None:
    """The lowest of 4 is 1.34 standard deviations from the mean, that of 100 1.71: z = 4.83 by five of each."""
    [by_seat, _] = void_biases([void(1, ((4, 1), (100, 1)) * 5, "p1")])
    assert by_seat.p == pytest.approx(1.347e-6, rel=1e-3)


def test_too_few_values_are_not_tested() -> None:
    voids = [
        void(version, ((6, 1),), seat) for version, seat in enumerate("ab" * (MIN_VALUES // 2))
    ]
    [by_server] = void_biases(voids)
    assert by_server.seat == HOUSE
    assert void_biases([void(1, ((1, 1),) * 20, "p1")]) == ()


@cache
def choosy() -> TableSession:
    """A server that has p2's links gives up each draw that begins with less than half of the die."""
    table = at_table(log_format=2, length=LEAST_HOUSE_LENGTH)
    before, sides = table.session.version, EXAMPLE.dice[0]
    for _ in range(40):
        table.declare("p1", DRAW)
        is_low = first_value(table, sides) <= sides // 2
        given = [
            table.give(seat) for seat in sorted(table.devices) if not (is_low and seat == "p2")
        ]
        table.end(given)
        if is_low:
            table.do("p2", SetPresence("p2", present=True))
        else:
            table.do("gm", Rewind(before, "again"))
    table.roll("p2")  # shows the last link of p2 that was asked for
    return table


def first_value(table: TableSession, sides: int) -> int:
    """The first value of the draw that waits, as one knows it who has all links."""
    pending, chains = table.session.pending, table.session.chains
    assert pending is not None
    links = [
        (
            seat,
            number,
            position,
            table._house.link(table.session, chains[HOUSE], position)
            if seat == HOUSE
            else table.devices[seat].chains[number][position],
        )
        for seat, number, position in pending.contributors
    ]
    return value(seed(bytes.fromhex(table.id), pending.k, links, entropy=b""), 0, sides)


def test_a_server_that_gives_up_low_draws_is_warned_of() -> None:
    table = choosy()
    report = verify(lines(table.facts, table), ed25519)
    assert report.failure is None
    [found] = [each for each in report.warnings if each.code == "W_VOID_BIAS"]
    assert found.versions == tuple(void.version for void in report.voids)
    assert all(void.values and void.values[0][1] <= EXAMPLE.dice[0] // 2 for void in report.voids)
