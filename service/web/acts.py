"""What a seat may do at the table now: a form for each command, the possible ones first, with odds or a refusal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from domain.available_commands import known_values
from domain.codec import encode
from domain.decider import By, Refused, Role
from domain.ruleset import Message
from domain.session.messages import Declare
from domain.session.state import Session
from domain.session.turns import check_declared_command
from domain.visibility import Viewer, visible_session
from service.http import models
from service.http.routes.queries import choices_for, try_command
from service.http.routes.rulesets import ruleset_view
from service.sessions.app import App
from service.web.capitals import capitals
from service.web.effects import Effect, effects
from service.web.fields import Schema
from service.web.inputs import Input, Offered, Sent, as_sent, inputs
from service.web.refusals import no_of
from service.web.saying import No

SHORT = 4
"""So many outcomes stand in an act's heading; more of them inside."""
GROUPS = {
    "chance": "With chance",
    "plain": "Without chance",
    "new": "New at the table",
    "hand": "By hand, with a reason",
    "no": "Not now",
}
ACTING = (Role.GM, Role.PLAYER)


class Odd(NamedTuple):
    """An outcome, its chance in percent and as a fraction."""

    outcome: str
    percent: str
    exactly: str
    share: str  # of a bar 100 wide


class Ahead(NamedTuple):
    """A point of a board that a value of a field leads to, and why it cannot."""

    board: str
    point: int
    label: str
    field: str
    value: int
    refused: str


class Act(NamedTuple):
    """A command's form. `no`: the rule against all that was tried; a form may still hold what nobody tried."""

    kind: str
    name: str
    id: str
    said: str
    inputs: list[Input]
    group: str
    odds: list[Odd]
    no: No | None
    ahead: list[Ahead]

    @property
    def short(self) -> str:
        if len(self.odds) > SHORT:
            return f"{len(self.odds)} outcomes"
        return ", ".join(f"{odd.outcome}: {odd.percent}" for odd in self.odds)


class Filled(NamedTuple):
    """A form as it was sent: of which act, what its fields held, and what is wrong with them."""

    act: str = ""
    values: Sent = MappingProxyType({})
    errors: Mapping[str, str] = MappingProxyType({})


def refused_now(state: Session, by: By, names: Mapping[str, str]) -> No | None:
    """What forbids every command of the seat as things stand; None where the rules look at each."""
    try:
        check_declared_command(state, Declare(msgspec.Raw(b"{}")), by)
    except Refused as no:
        return no_of(state.ruleset, no.rule, no.facts, names)
    return None


def acts(app: App, state: Session, by: By, names: Mapping[str, str], filled: Filled) -> list[Act]:
    """All of the room's, in the order of their groups."""
    mine = visible_session(state, Viewer(by.seat), app.log.history(state.id))
    offered, schemas = _offered(mine, by, names), ruleset_view(state.ruleset).commands
    by_kind = {choice.kind: choice for choice in _choices(mine, by)}
    found = [
        _act(mine, by, command, by_kind[kind], schemas[kind], offered, names, filled)
        for command in state.ruleset.commands
        if (kind := str(command.__struct_config__.tag)) in by_kind
    ]
    return sorted(found, key=lambda act: list(GROUPS).index(act.group))


def _choices(state: Session, by: By) -> list[models.ChoiceView]:
    """What the rules say to each; where they allow nothing at all, they are not asked again and again."""
    if refused_now(state, by, {}) is None:
        return choices_for(state, by)
    return [
        models.ChoiceView(str(command.__struct_config__.tag), False)
        for command in state.ruleset.commands
    ]


def _act(
    state: Session,
    by: By,
    command: type[Message],
    choice: models.ChoiceView,
    schema: Schema,
    offered: Offered,
    names: Mapping[str, str],
    filled: Filled,
) -> Act:
    is_sent = filled.act == choice.kind
    example: dict[str, Any] = {} if choice.example is UNSET else choice.example
    values = filled.values if is_sent else as_sent(command, example, schema)
    name = capitals(state.ruleset, named(choice.kind))
    id_ = "act-" + name.lower().replace(" ", "-")
    found = list(inputs(command, schema, id_, offered, values, filled.errors if is_sent else {}))
    group = _group(choice, schema, found, choice.allowed and _draws(state, by, command, example))
    led = (
        effects(state, by, command, [each.field for each in found], example)
        if group == "plain"
        else []
    )
    found = [
        _led(each, led)._replace(label=capitals(state.ruleset, each.field.label)) for each in found
    ]
    no = (
        None
        if choice.rule is UNSET
        else no_of(state.ruleset, choice.rule, choice.facts or {}, names)
    )
    odds = [] if choice.odds is UNSET else odds_of(choice.odds, names)
    ahead = [
        Ahead(
            each.board,
            each.point,
            f"{name} {each.said}",
            each.field,
            each.value,
            _why(state, each, names),
        )
        for each in led
    ]
    return Act(choice.kind, name, id_, schema.get("description", ""), found, group, odds, no, ahead)


def _led(field: Input, led: Sequence[Effect]) -> Input:
    """The field with each of its values told by what it leads to."""
    said = tuple((str(each.value), each.said) for each in led if each.field == field.field.name)
    return field._replace(sort="radios", groups=(("", said),)) if said else field


def _why(state: Session, effect: Effect, names: Mapping[str, str]) -> str:
    """In a few words; empty where it is possible."""
    no = effect.refused
    return "" if no is None else no_of(state.ruleset, no.rule, no.facts, names).what


def named(kind: str) -> str:
    """`dhextiny.AlterToF` in words: `Alter to F`."""
    first, *others = re.findall(r"[A-Z][a-z0-9]*", kind.partition(".")[2])
    return " ".join([first, *(word if len(word) == 1 else word.lower() for word in others)])


def odds_of(outcomes: Mapping[str, models.OutcomeChance], names: Mapping[str, str]) -> list[Odd]:
    return [
        Odd(
            names.get(outcome, outcome),
            _percent(said.percent),
            _fraction(said.numerator, said.denominator),
            f"{said.percent:.1f}",
        )
        for outcome, said in outcomes.items()
    ]


def _percent(percent: float) -> str:
    """As the API rounds it, to two places; three figures are enough to read."""
    written = f"{percent:.1f}" if percent >= 0.1 else f"{percent:.2f}"
    return written.removesuffix(".0") + " %"


def _fraction(top: int, bottom: int) -> str:
    """Exactly, as far as people read such numbers."""
    return f"{top}/{bottom}" if bottom < 10**6 else ""


def _group(choice: models.ChoiceView, schema: Schema, fields: Sequence[Input], draws: bool) -> str:
    if not choice.allowed:
        return "no"
    if draws:
        return "chance"
    if any(each.names_new for each in fields):
        return "new"
    return "hand" if "reason" in schema.get("required", ()) else "plain"


def _draws(state: Session, by: By, command: type[Message], example: Mapping[str, Any]) -> bool:
    """Whether the possible example asks for a value."""
    wish = Declare(msgspec.Raw(encode(msgspec.convert(example, command))))
    return try_command(state, wish, by).draws is True


def _offered(state: Session, by: By, names: Mapping[str, str]) -> Offered:
    known = known_values(state, by)
    entities = tuple((entity, names.get(entity, entity)) for entity in known.sheets)
    seats = tuple((seat, names.get(f"@{seat}", seat)) for seat in known.seats)
    return Offered(entities, seats, known.sheets)


def grouped(found: Sequence[Act]) -> Iterator[tuple[str, str, list[Act]]]:
    """Each group that has any, with its heading."""
    for group, heading in GROUPS.items():
        if members := [act for act in found if act.group == group]:
            yield group, heading, members
