"""Searches over played evenings of every room, against looking at each event by itself."""

from __future__ import annotations

from functools import partial
from itertools import count

import msgspec
import pytest
from msgspec import UNSET

from domain import codec
from domain.codec import encode
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.search import Query, matches
from domain.session.descriptions import describe, tally
from domain.session.messages import Declared, Drawn, Inherited
from domain.tally import Rolled
from tests.support.example import EXAMPLE
from tests.support.scale import SCALED_RULESETS, scale
from tests.support.sessions import MemoryLog, alone, play


def found(ruleset: AnyRuleset, log: MemoryLog, query: Query) -> list[int]:
    return [
        fact.version
        for _, fact in log.rows(0, log.end())
        if matches(
            query,
            ruleset,
            fact,
            describe(ruleset, fact, partial(log.at, fact.session)),
            undone=False,
        )
    ]


@pytest.mark.parametrize("ruleset", SCALED_RULESETS, ids=lambda ruleset: str(ruleset.name))
def test_dice_and_decks_are_found_by_name(ruleset: AnyRuleset) -> None:
    log = MemoryLog()
    facts = play(3, scale(120, 600), ruleset, log)
    held: dict[str, set[int]] = {}
    for fact in facts:
        if isinstance(fact.body, Declared | Drawn) and fact.body.values is not UNSET:
            for sides, _ in fact.body.values:
                held.setdefault(f"d{sides}", set()).add(fact.version)
        for each in tally(ruleset, fact, alone, fact.seat):
            if isinstance(each, Rolled):
                held.setdefault(each.source, set()).add(fact.version)
    assert held
    for source, versions in held.items():
        assert found(ruleset, log, Query(die=source)) == sorted(versions), source
        assert found(ruleset, log, Query(die=source.upper())) == sorted(versions), source
    other = next(name for name in map("d{}".format, count(2)) if name not in held)
    assert found(ruleset, log, Query(die=other)) == []


@pytest.mark.parametrize("ruleset", SCALED_RULESETS, ids=lambda ruleset: str(ruleset.name))
def test_kinds_are_found_in_full_by_their_room_and_by_their_name(ruleset: AnyRuleset) -> None:
    log = MemoryLog()
    facts = play(4, scale(60, 600), ruleset, log)
    for kind in {codec.kind(fact.body) for fact in facts}:
        of = [fact.version for fact in facts if codec.kind(fact.body) == kind]
        assert found(ruleset, log, Query(kind=kind)) == of
        assert found(ruleset, log, Query(kind=kind.split(".")[1])) == of
    own = [fact.version for fact in facts if codec.kind(fact.body).startswith(f"{ruleset.name}.")]
    assert found(ruleset, log, Query(kind=ruleset.name)) == own != []
    assert found(ruleset, log, Query(kind=ruleset.name[:-1])) == []


@pytest.mark.parametrize("ruleset", SCALED_RULESETS, ids=lambda ruleset: str(ruleset.name))
def test_entities_are_found_wherever_they_stand(ruleset: AnyRuleset) -> None:
    """As a value or a key, at any depth; the names of an event's and a command's fields are no ids."""
    log = MemoryLog()
    facts = play(5, scale(60, 600), ruleset, log)
    fields = {
        field
        for message in (*codec.ALL_EVENTS, *ruleset.commands)
        for field in message.__struct_fields__
    }
    strings = {fact.version: set(leaves(msgspec.json.decode(fact.raw))) for fact in facts}
    entities = ruleset.show(log.head(facts[0].session).table).entities.keys() - fields
    assert entities
    for entity in entities:
        assert found(ruleset, log, Query(entity=entity)) == [
            version for version, held in strings.items() if entity in held
        ]
    told = [value for fact in facts for value in leaves(msgspec.json.decode(fact.raw), keys=False)]
    for field in fields - set(told) - {"options"}:
        assert [
            version for version in found(ruleset, log, Query(entity=field)) if version > 1
        ] == [], field


def test_a_forks_entities_are_found_in_the_table_that_it_inherits() -> None:
    body = Inherited(msgspec.Raw(b'{"entities":{"ana":{"name":"Ana"}}}'))
    fact = RecordedEvent("s", 2, 1, 0, "house", b"", body, encode(body))
    assert matches(Query(entity="ana"), RULESETS[0], fact, "", undone=False)
    assert not matches(Query(entity="ben"), RULESETS[0], fact, "", undone=False)


SEALED = [
    # asked of a sealed event by p1 at 5 that is undone, and whether it is found
    (Query(), True),
    (Query(seat="p1", since=5, until=5, undone=True), True),
    (Query(seat="p2"), False),
    (Query(since=6), False),
    (Query(until=4), False),
    (Query(undone=False), False),
    (Query(kind="session"), False),
    (Query(entity="ana"), False),
    (Query(die="d6"), False),
    (Query(text="draw"), False),
    (Query(marked=True), False),
    (Query(marked=False), False),
]


def test_a_sealed_event_is_found_by_what_shows_of_it() -> None:
    body = Declared(msgspec.Raw(encode(EXAMPLE.draw)), dice="declared", values=((6, 1),))
    fact = RecordedEvent("s", 7, 3, 5, "p1", b"", body, encode(body), sealed=True)
    for query, then in SEALED:
        assert matches(query, RULESETS[0], fact, None, undone=True) is then, query
    everything = Query(
        kind="Declared", entity="ana", die="d6", text="DRAW", seat="p1", marked=False
    )
    assert matches(everything, RULESETS[0], fact, "A draw.", undone=True)


def leaves(value: object, keys: bool = True) -> list[str]:
    match value:
        case str():
            return [value]
        case list():
            return [leaf for each in value for leaf in leaves(each, keys)]
        case dict():
            return [*(value if keys else ()), *leaves(list(value.values()), keys)]
    return []
