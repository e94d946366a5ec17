"""Differences between two tables in sentences, one for each character, the largest ones first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.table import Condition, Deck, Die, Entity, Order, Pool, Table

Kind = Literal[
    "entity", "name", "seat", "status", "pool", "maximum", "condition", "sheet", "board", "die",
    "deck", "order",
]  # fmt: skip
PartT = TypeVar("PartT")

LONG = 16
"""Longer values of a sheet are not quoted in sentences."""
WEIGHTS: Mapping[Kind, int] = {
    "entity": 100, "status": 60, "seat": 40, "name": 40, "condition": 20, "board": 12, "order": 10,
    "pool": 10, "sheet": 8, "maximum": 8, "die": 6, "deck": 3,
}  # fmt: skip
MIN_POOL_WEIGHT, MAX_POOL_WEIGHT = 5, 30


def plain_status(status: str) -> str:
    return "" if status == "ok" else f"is {status}"


def plain_condition(label: str) -> str:
    return f'has the condition "{label}"'


def plain_entry(name: str, _value: str) -> str:
    return name


class Wording(msgspec.Struct, frozen=True):
    """A ruleset's words for what its tables show.

    `status` and `condition` return what is said of an entity with the status or the condition,
    such as `is dying` or `burns`. The usual status has no words. `entry` returns what an entry of a
    sheet is, given its name and value, such as `the ability climbing`. It returns "" for entries
    that other parts of the table tell, too.
    """

    status: Callable[[str], str] = plain_status
    condition: Callable[[str], str] = plain_condition
    entry: Callable[[str, str], str] = plain_entry


class TableChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that differs."""

    kind: Annotated[Kind, Meta(description="the sort of thing that differs")]
    what: Annotated[str, Meta(description="its name, such as the label of a pool")]
    before: Annotated[str, Meta(description="what it was, as text; empty if it was not there")] = ""
    after: Annotated[str, Meta(description="what it is, as text; empty if it is gone")] = ""
    text: Annotated[
        str, Meta(description="what is said of the character or thing, such as `loses 2 AP`")
    ] = ""


class Difference(msgspec.Struct, frozen=True, omit_defaults=True):
    """What differs for one character, or one thing that differs and belongs to no character."""

    text: Annotated[
        str, Meta(description="a sentence that tells the differences, with names instead of ids")
    ]
    changes: Annotated[tuple[TableChange, ...], Meta(description="the things that differ")]
    entity: Annotated[
        str, Meta(description="the id of the character; empty if it is about none")
    ] = ""


class _Clause(NamedTuple):
    """What is said of a subject: an entity's id, or words such as `The deck omens`."""

    subject: str
    weight: int
    verb: str
    """What is said. `{}` in it stands for what all clauses with the same verb list."""
    change: TableChange
    listed: str = ""


def differences(
    before: Table, after: Table, names: Mapping[str, str], wording: Wording
) -> tuple[Difference, ...]:
    """Return the differences, sorted by how much they are. `names` holds the names of seats."""
    shown = dict(names)
    for table in (before, after):
        shown |= {entity: each.name for entity, each in table.entities.items()}
    clauses = [
        *_of_entities(before, after, shown, wording),
        *_of_pools(before, after),
        *_of_conditions(before, after, wording),
        *_of_boards(before, after, shown),
        *_of_dice(before, after),
        *_of_decks(before, after),
        *_of_orders(before, after, shown),
    ]
    subjects = dict[str, list[_Clause]]()
    for clause in clauses:
        subjects.setdefault(clause.subject, []).append(clause)
    found = sorted(subjects.items(), key=lambda each: -sum(clause.weight for clause in each[1]))
    return tuple(
        Difference(
            f"{_capital(shown.get(subject, subject))} {_list(_predicates(said))}.",
            tuple(_with_text(clause) for clause in said),
            subject if subject in before.entities or subject in after.entities else "",
        )
        for subject, said in found
    )


def _with_text(clause: _Clause) -> TableChange:
    return msgspec.structs.replace(clause.change, text=clause.verb.replace("{}", clause.listed))


def _predicates(clauses: list[_Clause]) -> list[str]:
    """Return what is said of one subject, the largest changes first."""
    listed = dict[str, list[str]]()
    for clause in sorted(clauses, key=lambda clause: -clause.weight):
        listed.setdefault(clause.verb, []).append(clause.listed)
    return [
        verb.replace("{}", _list(objects)) if all(objects) else verb
        for verb, objects in listed.items()
    ]


def _changed(
    before: Mapping[str, PartT], after: Mapping[str, PartT]
) -> Iterator[tuple[str, PartT | None, PartT | None]]:
    for id_ in dict.fromkeys((*before, *after)):
        if before.get(id_) != after.get(id_):
            yield id_, before.get(id_), after.get(id_)


def _clause(
    subject: str,
    kind: Kind,
    verb: str,
    what: str,
    old: object = "",
    new: object = "",
    listed: str = "",
) -> _Clause:
    change = TableChange(kind, what, str(old), str(new))
    return _Clause(subject, WEIGHTS[kind], verb, change, listed)


def _of_entities(
    before: Table, after: Table, names: Mapping[str, str], wording: Wording
) -> Iterator[_Clause]:
    for entity, old, new in _changed(before.entities, after.entities):
        if old is None or new is None:
            name, verb = names[entity], "is gone" if new is None else "appears"
            yield _clause(entity, "entity", verb, name, *((name,) if new is None else ("", name)))
            continue
        if old.name != new.name:
            yield _clause(entity, "name", f"is now called {new.name}", "name", old.name, new.name)
        if old.seat != new.seat:
            player = names.get(f"@{new.seat}", new.seat)
            yield _clause(entity, "seat", f"is now played by {player}", "seat", old.seat, new.seat)
        if old.status != new.status:
            verb = wording.status(new.status) or _no_longer(wording.status(old.status))
            if verb:
                yield _clause(entity, "status", verb, "status", old.status, new.status)
        yield from _of_sheets(entity, old, new, (before, after), wording)


def _of_sheets(
    entity: str, old: Entity, new: Entity, tables: tuple[Table, Table], wording: Wording
) -> Iterator[_Clause]:
    shown = {
        id_.removeprefix(f"{entity}.")
        for table in tables
        for id_ in table.dice
        if id_.startswith(f"{entity}.")
    }
    for name, was, now in _changed(old.sheet | old.stats, new.sheet | new.stats):
        noun = wording.entry(name, now or was or "")
        if not noun or name in shown:
            continue
        verb, listed = _entry_verb(noun, was, now)
        yield _clause(entity, "sheet", verb, name, was or "", now or "", listed)


def _entry_verb(noun: str, was: str | None, now: str | None) -> tuple[str, str]:
    """Return the verb and what is listed after it, if anything."""
    if now is None:
        return "loses {}", noun
    if was is None:
        return "gets {}", f"{noun} ({now})" if len(now) <= LONG else noun
    if max(len(was), len(now)) > LONG:
        return "has other words for {}", noun
    return f"has {now} instead of {was} for {noun}", ""


def _of_pools(before: Table, after: Table) -> Iterator[_Clause]:
    for _, old, new in _changed(before.pools, after.pools):
        pool = new or old
        assert pool is not None
        entity, label = pool.entity, pool.label
        old_now, new_now = _now(old), _now(new)
        if entity not in before.entities and entity not in after.entities:
            verb = f"goes from {old_now} to {new_now}"
            if old is None or new is None:
                verb = "is gone" if new is None else f"is {new_now}"
            yield _clause(f"The counter {label}", "pool", verb, label, old_now, new_now)
        elif entity not in before.entities or entity not in after.entities:
            continue  # the character is new or gone, which says it all
        elif old is None or new is None:
            if before.entities[entity].status == after.entities[entity].status:
                verb = f"no longer has {label}" if new is None else f"gets {label} ({new_now})"
                yield _clause(entity, "pool", verb, label, old_now, new_now)
        else:
            if old.now != new.now:
                yield _points(old, new)
            if old.max != new.max:
                limits = _limit(old.max), _limit(new.max)
                verb = f"has at most {limits[1] or 'any number of'} {label}"
                instead = f" instead of {limits[0]}" if limits[0] else ""
                yield _clause(entity, "maximum", verb + instead, label, *limits)


def _points(old: Pool, new: Pool) -> _Clause:
    by = new.now - old.now
    if new.kind == "harm":
        verb = "takes {}" if by > 0 else "recovers from {}"
    elif by > 0:
        verb = "gets {}" if new.max is UNSET else "gets {} back"
    else:
        verb = "loses {}"
    change = TableChange("pool", new.label, str(old.now), str(new.now))
    weight = min(max(abs(by), MIN_POOL_WEIGHT), MAX_POOL_WEIGHT)
    return _Clause(new.entity, weight, verb, change, f"{abs(by)} {new.label}")


def _now(pool: Pool | None) -> str:
    return "" if pool is None else str(pool.now)


def _limit(maximum: int | UnsetType) -> str:
    return "" if maximum is UNSET else str(maximum)


def _of_conditions(before: Table, after: Table, wording: Wording) -> Iterator[_Clause]:
    for _, old, new in _changed(before.conditions, after.conditions):
        held = new or old
        assert held is not None
        entity, label = held.entity, held.label
        if entity not in before.entities or entity not in after.entities:
            continue
        verb = wording.condition(label)
        left, was = _time_left(new), _time_left(old)
        if new is None:
            verb = _no_longer(verb)
        else:
            verb += f" for {left}" if left else ""
            verb += f" instead of {was.partition(' ')[0]}" if was and left else ""
        yield _clause(entity, "condition", verb, label, was or _label(old), left or _label(new))


def _label(held: Condition | None) -> str:
    return "" if held is None else held.label


def _time_left(held: Condition | None) -> str:
    if held is None:
        return ""
    if held.rounds is not UNSET:
        return _count(held.rounds, "round")
    return "" if held.minutes is UNSET else _count(held.minutes, "minute")


def _of_boards(before: Table, after: Table, names: Mapping[str, str]) -> Iterator[_Clause]:
    for id_, old, new in _changed(before.boards, after.boards):
        points = [board.points[board.index] if board else "" for board in (old, new)]
        board = new or old
        assert board is not None
        *between, noun = id_.split(".")
        if board.shape == "ring":
            subject, verb = "The token", "moves"
        else:
            both = _list([names.get(each, each) for each in between])
            subject, verb = f"The {noun}{f' between {both}' if both else ''}", "changes"
        if old is None or new is None:
            said = "is no longer known" if new is None else f"is {points[1]}"
        elif points[0] == points[1]:
            said = f"{verb} to another {points[1]}"
        else:
            said = f"{verb} from {points[0]} to {points[1]}"
        yield _clause(subject, "board", said, noun, *points)


def _of_dice(before: Table, after: Table) -> Iterator[_Clause]:
    for id_, old, new in _changed(before.dice, after.dice):
        entity, _, what = id_.partition(".")
        if (entity in before.entities) != (entity in after.entities):
            continue
        was, now = _die(old), _die(new)
        if new is None:
            verb = f"loses {what}"
        elif old is None:
            verb = f"gets {what} ({now})"
        elif not new.sides:
            verb = f"has used up {what}"
        else:
            verb = f"has {now} instead of {was} for {what}"
        yield _clause(entity, "die", verb, what, was, now)


def _die(die: Die | None) -> str:
    if die is None:
        return ""
    return f"d{die.sides}" if die.sides else "nothing"


def _of_decks(before: Table, after: Table) -> Iterator[_Clause]:
    for id_, old, new in _changed(before.decks, after.decks):
        if id_ in after.entities or id_ in before.entities:
            subject = id_
            if old is None or new is None:
                continue  # the character is new, gone or retired
        else:
            subject = f"The deck {id_}"
        if old is None or new is None:
            yield _clause(subject, "deck", "is gone" if new is None else "appears", id_)
        elif old.up != new.up:
            cards = [", ".join(deck.up) for deck in (old, new)]
            word = "the card" if len(new.up) == 1 else "the cards"
            verb = f"has {word} {_list(list(new.up))} in play" if new.up else "has no cards in play"
            yield _clause(subject, "deck", verb, id_, *cards)
        else:
            yield _clause(subject, "deck", _deck_verb(old, new), id_, old.remaining, new.remaining)


def _deck_verb(old: Deck, new: Deck) -> str:
    if old.remaining == new.remaining:
        return "has another pile of used cards"
    return f"has {_count(new.remaining, 'card')} left instead of {old.remaining}"


def _of_orders(before: Table, after: Table, names: Mapping[str, str]) -> Iterator[_Clause]:
    for id_, old, new in _changed(before.order, after.order):
        current = [names.get(_current(each), _current(each)) for each in (old, new)]
        rounds = [str(each.number) if each and each.number else "" for each in (old, new)]
        if old is None or new is None:
            verb = "is over" if new is None else "begins"
            yield _clause(f"The {id_}", "order", verb, id_, *current)
            continue
        subject = f"The {id_}"
        if rounds[0] != rounds[1]:
            verb = f"is in round {rounds[1]} instead of {rounds[0]}"
            yield _clause(subject, "order", verb, "round", *rounds)
        if current[0] != current[1]:
            verb = f"is at {current[1]}" if current[1] else "has not begun"
            yield _clause(subject, "order", verb, id_, *current)
        if old.ids != new.ids:
            lists = [_list([names.get(each, each) for each in order.ids]) for order in (old, new)]
            yield _clause(subject, "order", f"is now {lists[1]}", "order", *lists)
        for entity, was, now in _changed(old.used, new.used):
            if entity in before.entities and entity in after.entities and (was or now):
                verb = f"has used {_count(now or 0, 'action')} instead of {was or 0}"
                yield _clause(entity, "order", verb, "actions", was or 0, now or 0)


def _current(order: Order | None) -> str:
    return "" if order is None or order.current is UNSET else order.current


def _no_longer(said: str) -> str:
    """Return the opposite of what was said of an entity, as in `is no longer dying`."""
    if said == "is dead":
        return "is alive again"
    verb, _, rest = said.partition(" ")
    if verb == "is":
        return f"is no longer {rest}"
    return said and f"no longer {said}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _list(words: list[str]) -> str:
    """Join words as in `a, b and c`."""
    *rest, last = words or [""]
    return f"{', '.join(rest)} and {last}" if rest else last
