"""Stored running statistics: each under its version and its view, and few of a long session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from projections.registry import ReadModels
from projections.statistics_states import NEAR, StoredState
from tests.projections.contract import fresh
from tests.support.databases.places import DATABASES

SECRET = (("drawn", "gm"),)


@pytest.fixture(params=DATABASES)
def views(request: pytest.FixtureRequest) -> Iterator[ReadModels]:
    with fresh(request.param) as views:
        yield views


def state(version: int, *hidden: int, body: str = "") -> StoredState:
    return StoredState(version, hidden, SECRET if hidden else (), body)


def test_each_version_and_each_view_has_a_state_of_its_own(views: ReadModels) -> None:
    states = views.statistics_states
    for each in (state(3, body="3"), state(7, body="7"), state(7, 2, 5, body="7 without 2 and 5")):
        states.put("a", each)
    states.put("a", state(7, body="7 again"))
    states.put("b", state(7, body="another session"))
    assert sorted(states.of("a")) == [state(3), state(7), state(7, 2, 5)]
    assert [each.version for each in states.of("a")] == [7, 7, 3], "newest first"
    assert states.body("a", state(7)) == "7 again"
    assert states.body("a", state(7, 2, 5)) == "7 without 2 and 5"
    assert states.body("a", state(7, 2)) == ""
    assert states.body("a", StoredState(7, (2, 5), ())) == "", "the view has other chosen seats"


def test_the_newest_and_fewer_and_fewer_of_the_older_states_are_kept(views: ReadModels) -> None:
    """At most one in each range of distances from the head: the oldest one in it, and the newest of all."""
    states, head = views.statistics_states, 20 * NEAR
    every = [state(version) for version in range(1, head, NEAR // 4)]
    for each in every:
        states.put("a", each)
    states.prune("a", head, every, [every])
    kept = sorted(head - each.version for each in states.of("a"))
    ranges = [(0, NEAR), *((NEAR << nth, NEAR << nth + 1) for nth in range(5))]
    for first, last in ranges:
        assert 1 <= sum(first <= distance < last for distance in kept) <= 2, (first, last)
    assert kept[0] == min(head - each.version for each in every)
    assert len(kept) <= len(ranges) + 1
    states.prune("a", head, states.of("a"), [states.of("a")])
    assert sorted(head - each.version for each in states.of("a")) == kept, "once is enough"


def test_states_of_a_view_that_is_gone_are_deleted_and_others_stay(views: ReadModels) -> None:
    states = views.statistics_states
    for each in (state(3), state(7, 2), state(9, 2, 5)):
        states.put("a", each)
        states.put("b", each)
    states.prune("a", 9, states.of("a"), [[state(3)], [state(9, 2, 5)], []])
    assert sorted(states.of("a")) == [state(3), state(9, 2, 5)]
    assert len(states.of("b")) == 3
    states.prune("a", 9, states.of("a"), [])
    assert states.of("a") == []
