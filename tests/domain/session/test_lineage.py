"""Lineage and rewinds against brute force: the state at every version is the fold of the versions that led to it."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.session.lineage import lineage, within
from domain.session.messages import EVENTS, Rewind, Rewound
from tests.domain.session.table import CHECK, CREATE, SETTLE, FrameTable
from tests.scale import scale

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


def test_lineages() -> None:
    for rewinds, head, spans in TABLE:
        assert lineage(rewinds, head) == spans


@settings(max_examples=scale(25, 500), deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_table_at_every_version_is_the_fold_of_its_lineage(seed: int) -> None:
    table, chosen = _played(random.Random(seed)), random.Random(seed)
    rewinds = [(fact.version, fact.body.to) for fact in table.facts if isinstance(fact.body, Rewound)]
    room = table.session.room
    start = table.past(1).table
    for version in chosen.sample(range(1, table.session.version + 1), 20):
        spans, state = lineage(rewinds, version), start
        for fact in table.facts[:version]:
            if within(spans, fact.version) and not isinstance(fact.body, EVENTS):
                state = room.decider.evolve(state, fact.body)
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
            table.ask(SETTLE if table.session.room.show(table.session.table).tasks else CHECK)
        ends.append(table.session.version)
    return table
