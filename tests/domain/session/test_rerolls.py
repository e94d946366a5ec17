"""What a rewind undid is listed beside what was rolled instead, with what both gave."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, strategies as st
from msgspec import UNSET, Raw, UnsetType

from domain.chance import Values
from domain.codec import encode
from domain.recorded_event import RecordedEvent
from domain.ruleset import Message
from domain.session.lineage import lineage, within
from domain.session.messages import Audience, Declare, Declared, Drawn, OpenSeal, Rewind, Rewound
from domain.session.rerolls import Reroll, rerolls
from tests.domain import broken_logs as b
from tests.support.example import EXAMPLE, FACES, over, seated
from tests.support.sessions import ScriptedSession, play

OOPS = "a slip"


class Table:
    """An evening with ana on it, ready to draw, and the versions of what is rolled for her."""

    def __init__(self) -> None:
        self.evening = ScriptedSession(seed=5)
        self.go(("p1", EXAMPLE.bring), *seated(EXAMPLE.ready))
        self.start = self.evening.session.version

    def go(self, *steps: tuple[str, Message]) -> None:
        b.go(self.evening, *steps)

    def roll(self, seat: str = "p1", audience: Audience | UnsetType = UNSET, *faces: int) -> int:
        """The version of the declaration of a draw."""
        typed = faces or UNSET
        first = self.evening.do(seat, Declare(Raw(encode(EXAMPLE.draw)), typed, audience))[0]
        return first.version

    def back(self, to: int | None = None) -> None:
        self.evening.do("gm", Rewind(self.start if to is None else to, OOPS))

    def open(self, version: int) -> None:
        turn = self.evening.facts[version - 1].turn
        self.evening.do("gm", OpenSeal(turn, self.evening.kept[turn]))

    def gave(self, version: int) -> Values:
        body = self.evening.facts[version].body
        assert isinstance(body, Drawn)
        return body.values

    def pair(self, undone: int, again: int) -> Reroll:
        return Reroll(undone, again, undone_values=self.gave(undone), next_values=self.gave(again))

    def listed(
        self, facts: Sequence[RecordedEvent] | None = None, head: int | None = None
    ) -> tuple[Reroll, ...]:
        known = self.evening.facts if facts is None else facts
        return rerolls(known, self.evening.session.version if head is None else head)


@pytest.fixture
def table() -> Table:
    return Table()


def test_where_nothing_is_undone_nothing_is_listed(table: Table) -> None:
    table.roll()
    assert table.listed() == ()


def test_an_undone_roll_stands_beside_the_next_with_both_results(table: Table) -> None:
    first = table.roll()
    table.back()
    assert table.listed() == (Reroll(first, undone_values=table.gave(first)),)
    second = table.roll()
    assert table.listed() == (table.pair(first, second),)


def test_another_seats_roll_for_the_same_entity_is_listed(table: Table) -> None:
    first = table.roll()
    table.back()
    second = table.roll("gm")
    assert table.listed() == (table.pair(first, second),)


def test_dice_of_the_table_are_said_to_be_declared(table: Table) -> None:
    first = table.roll()
    table.back()
    declared = tuple(zip(EXAMPLE.dice, FACES, strict=True))
    second = table.roll("p1", UNSET, *FACES)
    assert table.listed() == (Reroll(first, second, True, table.gave(first), declared),)


def test_what_is_done_again_is_not_undone(table: Table) -> None:
    first = table.roll()
    end = table.evening.session.version
    table.back()
    table.back(end)
    assert table.listed() == ()
    table.back()
    again = table.roll()
    assert table.listed() == (table.pair(first, again),)


def test_a_roll_between_two_undoings_is_not_what_came_for_the_first(table: Table) -> None:
    first = table.roll()
    end = table.evening.session.version
    table.back()
    table.back(end)
    table.go(*over(), *seated(EXAMPLE.ready))
    second = table.roll()
    table.back()
    third = table.roll()
    assert table.listed() == (table.pair(first, third), table.pair(second, third))


def test_an_earlier_version_knows_only_what_had_been_undone(table: Table) -> None:
    first = table.roll()
    before = table.evening.session.version
    table.back()
    after = table.evening.session.version
    table.roll()
    assert table.listed(head=before) == ()
    assert table.listed(head=after) == (Reroll(first, undone_values=table.gave(first)),)


def test_of_secret_draws_nothing_is_known_but_that_they_follow(table: Table) -> None:
    first = table.roll("gm", "gm")
    table.back()
    second = table.roll("gm", "gm")
    assert table.listed() == (Reroll(first, second),)
    table.open(second)
    kept = table.evening.kept[table.evening.facts[second - 1].turn]
    assert table.listed() == (Reroll(first),)  # of which kind the first one was is still sealed
    table.open(first)
    assert [(each.next, each.next_values) for each in table.listed()] == [(second, kept.values)]


def test_what_is_not_open_is_not_listed(table: Table) -> None:
    first = table.roll("gm", "gm", *FACES)
    table.back()
    table.roll("gm")
    assert [each.undone for each in table.listed()] == [first]
    assert table.listed([fact for fact in table.evening.facts if not fact.sealed]) == ()


@given(st.integers(0, 5), st.data())
def test_the_undone_are_those_in_no_lineage(seed: int, data: st.DataObject) -> None:
    facts = played(seed)
    head = data.draw(st.integers(0, len(facts)))
    rewinds = [
        (fact.version, fact.body.to) for fact in facts[:head] if isinstance(fact.body, Rewound)
    ]
    spans = lineage(rewinds, head)
    drawn = {fact.body.k for fact in facts[:head] if isinstance(fact.body, Drawn)}
    rolls = [
        fact for fact in facts[:head] if isinstance(fact.body, Declared) and gives(fact.body, drawn)
    ]
    listed = rerolls(facts, head)
    assert [each.undone for each in listed] == [
        fact.version for fact in rolls if not within(spans, fact.version)
    ]
    asked = {fact.version: purpose(fact) for fact in rolls}
    for each in listed:
        assert each.next is UNSET or (
            each.next > each.undone and asked[each.next] == asked[each.undone]
        )


def gives(wish: Declared, drawn: set[int]) -> bool:
    return wish.values is not UNSET or (wish.draw is not UNSET and wish.draw.k in drawn)


@cache
def played(seed: int) -> list[RecordedEvent]:
    return play(seed, 60, rewinds=0.2)


def purpose(fact: RecordedEvent) -> tuple[str, str | None]:
    assert isinstance(fact.body, Declared)
    assert fact.body.command is not UNSET
    fields = json.loads(bytes(fact.body.command))
    return fields["kind"], fields.get("entity")
