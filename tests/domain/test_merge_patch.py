"""Merge patches: the RFC's own examples, and what holds between any two objects without nulls."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from msgspec import UNSET

from domain.merge_patch import Document, Path, apply, changes, diff
from tests.support.scale import scale

RFC_7396_APPENDIX_A = [
    # original              patch                        result
    ('{"a":"b"}',           '{"a":"c"}',                 '{"a":"c"}'),
    ('{"a":"b"}',           '{"b":"c"}',                 '{"a":"b","b":"c"}'),
    ('{"a":"b"}',           '{"a":null}',                '{}'),
    ('{"a":"b","b":"c"}',   '{"a":null}',                '{"b":"c"}'),
    ('{"a":["b"]}',         '{"a":"c"}',                 '{"a":"c"}'),
    ('{"a":"c"}',           '{"a":["b"]}',               '{"a":["b"]}'),
    ('{"a":{"b":"c"}}',     '{"a":{"b":"d","c":null}}',  '{"a":{"b":"d"}}'),
    ('{"a":[{"b":"c"}]}',   '{"a":[1]}',                 '{"a":[1]}'),
    ('["a","b"]',           '["c","d"]',                 '["c","d"]'),
    ('{"a":"b"}',           '["c"]',                     '["c"]'),
    ('{"a":"foo"}',         'null',                      'null'),
    ('{"a":"foo"}',         '"bar"',                     '"bar"'),
    ('{"e":null}',          '{"a":1}',                   '{"e":null,"a":1}'),
    ('[1,2]',               '{"a":"b","c":null}',        '{"a":"b"}'),
    ('{}',                  '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'),
]  # fmt: skip

DIFFERENCES: list[tuple[Document, Document, Document, list[tuple[Any, ...]]]] = [
    # before, after, the patch, the changes
    ({}, {}, {}, []),
    ({"at": 1}, {"at": 1}, {}, []),
    ({"at": 1}, {"at": 2}, {"at": 2}, [(("at",), 1, 2)]),
    ({}, {"at": 1}, {"at": 1}, [(("at",), UNSET, 1)]),
    ({"at": 1}, {}, {"at": None}, [(("at",), 1, UNSET)]),
    ({"at": 1}, {"at": True}, {"at": True}, [(("at",), 1, True)]),
    ({"at": [1, 2]}, {"at": [1, 2, 3]}, {"at": [1, 2, 3]}, [(("at",), [1, 2], [1, 2, 3])]),
    (
        {"at": [{"n": 1}]},
        {"at": [{"n": True}]},
        {"at": [{"n": True}]},
        [(("at",), [{"n": 1}], [{"n": True}])],
    ),
    (
        {"pools": {"ana.ap": {"now": 9, "max": 12}}},
        {"pools": {"ana.ap": {"now": 7, "max": 12}}},
        {"pools": {"ana.ap": {"now": 7}}},
        [(("pools", "ana.ap", "now"), 9, 7)],
    ),
    (
        {"entities": {"rat": {"name": "Rat", "sheet": {"LP": "3"}}}},
        {"tasks": {"check": {"seat": "p1"}}},
        {"entities": None, "tasks": {"check": {"seat": "p1"}}},
        [
            (("entities", "rat", "name"), "Rat", UNSET),
            (("entities", "rat", "sheet", "LP"), "3", UNSET),
            (("tasks", "check", "seat"), UNSET, "p1"),
        ],
    ),
    ({"at": 1}, {"at": {}}, {"at": {}}, [(("at",), 1, {})]),
    ({"at": {"n": 1}}, {"at": 1}, {"at": 1}, [(("at",), UNSET, 1), (("at", "n"), 1, UNSET)]),
]

names = st.text("abc", min_size=1, max_size=2)
floats = st.floats(-1, 1).map(lambda number: round(number, 1) + 0.0)
plain = st.booleans() | st.integers(-2, 2) | floats | st.text("ab", max_size=2)
values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3)
)
objects = st.dictionaries(names, values, max_size=4)
many = settings(max_examples=scale(20, 1000), deadline=None)


def exactly(document: object) -> str:
    """True is not 1, and 1 is not 1.0."""
    return json.dumps(document, sort_keys=True)


@pytest.mark.parametrize(("original", "patch", "result"), RFC_7396_APPENDIX_A)
def test_the_examples_of_the_rfc(original: str, patch: str, result: str) -> None:
    assert apply(json.loads(original), json.loads(patch)) == json.loads(result)


@pytest.mark.parametrize(("before", "after", "patch", "changed"), DIFFERENCES)
def test_differences(
    before: Document, after: Document, patch: Document, changed: list[tuple[Any, ...]]
) -> None:
    assert exactly(diff(before, after)) == exactly(patch)
    assert [tuple(change) for change in changes(before, after)] == changed


@many
@given(before=objects, after=objects)
def test_what_was_patched_is_what_came_after(before: Document, after: Document) -> None:
    assert exactly(apply(before, diff(before, after))) == exactly(after)


@many
@given(document=objects)
def test_nothing_differs_from_itself(document: Document) -> None:
    assert diff(document, deepcopy(document)) == {}
    assert changes(document, deepcopy(document)) == []


@many
@given(before=objects, after=objects)
def test_nothing_is_changed_by_asking(before: Document, after: Document) -> None:
    kept = exactly([before, after])
    apply(before, diff(before, after))
    changes(before, after)
    assert exactly([before, after]) == kept


@many
@given(documents=st.lists(objects, max_size=5))
def test_patches_fold_one_after_another(documents: list[Document]) -> None:
    table: object = {}
    for before, after in zip([{}, *documents], documents, strict=False):
        table = apply(table, diff(before, after))  # type: ignore[arg-type]
        assert exactly(table) == exactly(after)


@many
@given(before=objects, after=objects)
def test_the_changes_are_those_fields_that_differ(before: Document, after: Document) -> None:
    old, new = fields(before), fields(after)
    found = {path: (one, other) for path, one, other in changes(before, after)}
    assert list(found) == sorted(found)
    assert set(found) == {
        path for path in {**old, **new} if written(old, path) != written(new, path)
    }
    for path, (one, other) in found.items():
        assert written(old, path) == (None if one is UNSET else exactly(one))
        assert written(new, path) == (None if other is UNSET else exactly(other))


def written(document: dict[Path, object], path: Path) -> str | None:
    return exactly(document[path]) if path in document else None


def fields(document: Any, above: Path = ()) -> dict[Path, object]:
    """Every value that is no map, or an empty one, by its path."""
    if not isinstance(document, dict) or (above and not document):
        return {above: document}
    return {
        path: value
        for name, held in document.items()
        for path, value in fields(held, (*above, name)).items()
    }
