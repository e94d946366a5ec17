"""Lineage and rewinds against brute force: the state at every version is the fold of the versions that led to it."""

from __future__ import annotations

import random
from contextlib import suppress

from hypothesis import given, settings, strategies as st

from domain.decider import Refused
from domain.session.lineage import branches, lineage, within
from domain.session.messages import EVENTS, Rewind, Rewound
from tests.domain.session.table import CREATE, DRAW, OVER, READY, FrameTable
from tests.support.scale import scale

TABLE = [
    # rewinds (version, to)   head   spans
    ([], 5, ((1, 5),)),
    ([(6, 3)], 8, ((1, 3), (6, 8))),
    ([(6, 3)], 5, ((1, 5),)),
    ([(6, 3), (9, 5)], 9, ((1, 5), (9, 9))),  # redo: into the undone branch
    ([(6, 3), (9, 7)], 10, ((1, 3), (6, 7), (9, 10))),
    ([(6, 3), (7, 3)], 7, ((1, 3), (7, 7))),
    ([(6, 3), (7, 6)], 7, ((1, 3), (6, 6), (7, 7))),
]

BRANCHES = [
    # rewinds (version, to)  head  then: version, left, back, events, fate
    ([(6, 3)], 8, [(6, ((4, 5),), (), 2, "undone")]),
    ([(6, 3), (9, 5)], 9, [(6, ((4, 5),), ((4, 5),), 2, "redone"), (9, ((6, 8),), (), 3, "undone")]),
    ([(6, 3), (9, 4)], 9, [(6, ((4, 5),), ((4, 4),), 2, "partly"), (9, ((6, 8),), (), 3, "undone")]),
    ([(6, 3), (9, 7)], 10, [(6, ((4, 5),), (), 2, "undone"), (9, ((8, 8),), (), 1, "undone")]),
    ([(6, 3), (9, 2)], 9, [(6, ((4, 5),), (), 2, "undone"), (9, ((3, 3), (6, 8)), (), 4, "undone")]),
    ([(6, 3), (9, 5), (10, 8)], 10, [  # there, back, and there again
        (6, ((4, 5),), (), 2, "undone"), (9, ((6, 8),), ((6, 8),), 3, "redone"),
        (10, ((4, 5), (9, 9)), (), 3, "undone"),
    ]),
]  # fmt: skip


def test_branches() -> None:
    for rewinds, head, then in BRANCHES:
        found = branches(rewinds, head)
        assert [
            (each.version, each.left, each.back, each.events, each.fate) for each in found
        ] == then


def test_branches_come_in_pages() -> None:
    rewinds = [(6, 3), (9, 5), (12, 8), (15, 2)]
    whole = branches(rewinds, 20)
    assert branches(rewinds, 20, 6, 2) == whole[1:3]
    assert branches(rewinds, 20, 0, 1) == whole[:1]
    assert branches(rewinds, 20, 15) == []


@settings(max_examples=scale(20, 1_000))
@given(seed=st.integers(0, 2**32 - 1))
def test_a_branch_is_what_led_there_and_not_to_where_it_went(seed: int) -> None:
    chosen = random.Random(seed)
    rewinds = [
        (version, chosen.randrange(1, version - 1))
        for version in range(3, 80)
        if chosen.random() < 0.3
    ]
    head = chosen.randrange(80, 90)
    for branch in branches(rewinds, head):
        led, to = _led(rewinds, branch.version - 1), _led(rewinds, branch.to)
        assert _versions(branch.left) == led - to
        assert _versions(branch.back) == (led - to) & _led(rewinds, head)
        assert branch.events == len(led - to)


def _led(rewinds: list[tuple[int, int]], version: int) -> set[int]:
    """Every version that led to one, walked down one by one."""
    below, led = dict(rewinds), set()
    while version > 0:
        led.add(version)
        version = below.get(version, version - 1)
    return led


def _versions(spans: tuple[tuple[int, int], ...]) -> set[int]:
    return {version for first, last in spans for version in range(first, last + 1)}


def test_lineages() -> None:
    for rewinds, head, spans in TABLE:
        assert lineage(rewinds, head) == spans


@settings(max_examples=scale(10, 200), deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_table_at_every_version_is_the_fold_of_its_lineage(seed: int) -> None:
    table, chosen = _played(random.Random(seed)), random.Random(seed)
    rewinds = [
        (fact.version, fact.body.to) for fact in table.facts if isinstance(fact.body, Rewound)
    ]
    ruleset = table.session.ruleset
    start = table.past(1).table
    for version in chosen.sample(range(1, table.session.version + 1), 20):
        spans, state = lineage(rewinds, version), start
        for fact in table.facts[:version]:
            if within(spans, fact.version) and not isinstance(fact.body, EVENTS):
                state = ruleset.decider.evolve(state, fact.body)
        assert table.past(version).table == state


def _played(chosen: random.Random) -> FrameTable:
    table = FrameTable()
    table.ask(CREATE)
    ends = [table.session.version]
    while table.session.version < 80:
        if chosen.random() < 0.1:
            to = chosen.choice(ends)  # also into undone branches
            if to != table.session.version:
                table.ask(Rewind(to, "again"))
        else:
            _go_on(table)
        ends.append(table.session.version)
    return table


def _go_on(table: FrameTable) -> None:
    """A draw, or what comes before or after it."""
    for wish in (DRAW, *READY, *OVER):
        with suppress(Refused):
            table.ask(wish)
            return
    raise AssertionError("nothing is allowed")
