"""A web process keeps no more of many turns than of a few: turns over HTTP, and what the process has in memory."""

from __future__ import annotations

import pytest

from bench.http import load, players
from bench.servers import served
from tests.support.scale import scale

TURNS = scale(2_000, 100_000)
AT = TURNS // 10, TURNS // 2, TURNS
SECONDS = scale(1, 5)
ROOM = 1.10, 6_000_000
"""What it may have grown by, the larger of the two: a share of what it was after the first tenth, or so many bytes.

With the large count that is 67 bytes a turn: one event kept of each would be more.
"""


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_memory_stays_flat_while_many_turns_are_played() -> None:
    with served() as server:
        clients, played, sizes = players(server), 0, list[int]()
        for mark in AT:
            while played < mark:
                played += len(load(server, clients, SECONDS).latencies)
            sizes.append(server.resident())
    print(
        f"{played} turns over HTTP; "
        + ", ".join(f"{size / 1e6:.1f} MB after {at}" for at, size in zip(AT, sizes, strict=True))
    )
    assert sizes[-1] <= max(sizes[0] * ROOM[0], sizes[0] + ROOM[1])
