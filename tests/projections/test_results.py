"""What the workers left behind: the newest alone, whole, and of it only what those may have who ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from projections.registry import ReadModels
from projections.results import (
    AUDITS,
    MAX_NAMES_BY_PREFIX,
    RANGES,
    JobResult,
    audit_name,
    most_complete,
    range_name,
)
from tests.projections.contract import fresh, results_of
from tests.support.databases.places import DATABASES


@pytest.fixture(params=DATABASES)
def views(request: pytest.FixtureRequest) -> Iterator[ReadModels]:
    with fresh(request.param) as views:
        yield views


def result(version: int, *hidden: int, body: str = "[]", name: str = "statistics") -> JobResult:
    return JobResult("a", name, version, body, hidden)


def test_an_older_result_never_replaces_a_newer(views: ReadModels) -> None:
    for version, body in ((7, "[7]"), (5, "[5]"), (7, "[77]"), (9, "[9]"), (8, "[8]")):
        views.results.put(result(version, body=body))
    views.results.put(result(3, name="audit"))
    assert results_of(views, "a", "statistics") == [result(9, body="[9]")]
    assert views.results.versions("statistics") == {"a": 9}
    views.results.drop()
    assert results_of(views, "a", "audit") == []


def test_those_that_are_put_together_replace_all_that_is_older(views: ReadModels) -> None:
    views.results.put(result(7), result(7, 3), result(7, 3, 4), result(7, name="audit"))
    views.results.put(result(9, 4, 12), result(9))
    assert sorted(results_of(views, "a", "statistics")) == [result(9), result(9, 4, 12)]
    assert results_of(views, "a", "audit") == [result(7, name="audit")], (
        "another computation's stay"
    )
    views.results.put(result(8), result(8, 4))
    assert sorted(results_of(views, "a", "statistics")) == [result(9), result(9, 4, 12)]


@pytest.mark.parametrize(("beginning", "kept"), MAX_NAMES_BY_PREFIX.items())
def test_of_names_that_there_are_many_of_the_newest_are_kept(
    views: ReadModels, beginning: str, kept: int
) -> None:
    views.results.put(result(1))
    for nth in range(1, 2 * kept, 2):
        views.results.put(
            *(result(nth // 8 + 1, name=f"{beginning}{each:03}") for each in (nth, nth + 1))
        )
        names = views.results.names("a", beginning)
        assert {f"{beginning}{each:03}" for each in (nth, nth + 1)} <= set(names), (
            "what was just put is there"
        )
        assert len(names) == min(nth + 1, kept)
    views.results.put(JobResult("b", f"{beginning}001", 9, "[]"))
    assert len(views.results.names("a", beginning)) == kept
    assert (views.results.names("b", beginning), views.results.version("a", "statistics")) == (
        [f"{beginning}001"],
        1,
    )


def test_names_begin_with_the_newest(views: ReadModels) -> None:
    for version in (3, 9, 5):
        views.results.put(
            result(version, name=audit_name(version)),
            result(version, 7, name=audit_name(version)),
        )
    views.results.put(JobResult("b", audit_name(4), 4, "[]"), result(99, name="auditors"))
    assert views.results.names("a", AUDITS) == ["audit-9", "audit-5", "audit-3"]
    assert views.results.newest(AUDITS) == {"a": 9, "b": 4}
    assert (views.results.version("a", "audit-5"), views.results.version("a", "audit-4")) == (5, 0)


def test_every_range_has_a_name_of_its_own(views: ReadModels) -> None:
    ranges = [(first, last) for first in (1, 11) for last in (None, 1, 11, 15)]
    names = [range_name(first, last) for first, last in ranges]
    views.results.put(*(result(7, name=name, body=name) for name in names))
    assert len(set(names)) == len(ranges) <= MAX_NAMES_BY_PREFIX[RANGES]
    assert set(views.results.names("a", RANGES)) == set(names)
    for name in names:
        found = views.results.get("a", name, 7, {})
        assert found is not None
        assert found.body == name


STORED = (result(10), result(10, 3), result(10, 3, 5))
WHO_MAY_HAVE_WHICH = [
    # hidden turns, with the version each began at; the session's version; what is not in the result
    ({}, 10, ()),
    ({3: 4}, 10, (3,)),
    ({5: 9}, 10, (3, 5)),
    ({3: 4, 5: 9}, 10, (3, 5)),
    ({3: 4}, 20, (3,)),
    ({3: 4, 11: 10}, 20, None),  # in all of them, and hidden by now
    ({3: 4, 12: 11}, 20, (3,)),  # begun since: in none of them
    ({}, 20, ()),  # opened since
    ({}, 9, None),  # looked up in before they were computed: turn 3 may have become a secret since
]


@pytest.mark.parametrize(("hidden", "version", "lacking"), WHO_MAY_HAVE_WHICH)
def test_a_result_is_for_those_from_whom_nothing_in_it_is_hidden(
    hidden: dict[int, int], version: int, lacking: tuple[int, ...] | None
) -> None:
    found = most_complete(STORED, version, hidden)
    assert (None if found is None else found.hidden) == lacking


def test_the_one_that_is_found_comes_with_its_body(views: ReadModels) -> None:
    views.results.put(*(each._replace(body=str(each.hidden)) for each in STORED))
    assert views.results.get("a", "statistics", 12, {3: 4}) == result(10, 3, body="(3,)")
    assert views.results.get("a", "statistics", 12, {11: 10}) is None
    assert views.results.get("b", "statistics", 12, {}) is None
