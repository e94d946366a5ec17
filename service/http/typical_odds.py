"""Exact odds in typical situations: those of the example session that each ruleset contains."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from domain.chance import SeededChance
from domain.codec import encode
from domain.decider import By, Refused, Role
from domain.differences import differences
from domain.example_session import Script, ScriptStep, read_script
from domain.odds import odds
from domain.roll_card import RollCard
from domain.ruleset import AnyRuleset, Message, id_fields
from domain.session.descriptions import fill
from domain.table import Table

MAX_SITUATIONS = 2
"""The maximum number of situations of one command."""
MAX_LINES_BEFORE = 3
"""The maximum number of lines that tell what happened before a situation."""

MAX_FOLLOW_UPS = 2
"""The maximum number of commands after a roll whose texts tell what followed from it."""


class Situation(NamedTuple):
    """A command in a typical situation, and the roll card of one of its outcomes if it has one.

    `before` contains the texts of the events before the command. `card` has names in the place of
    entity ids, and `drawn` is the same card with ids. `table` is the table after that outcome, with
    the difficulties that were chosen for the roll. `told` contains the texts of the outcome's
    events, and `after` those of the next commands, as long as they have cards of the same entity.
    """

    kind: str
    fields: dict[str, Any]
    before: tuple[str, ...]
    chances: Mapping[str, Fraction]
    card: RollCard | None
    drawn: RollCard | None
    table: Table
    told: tuple[str, ...]
    after: tuple[str, ...] = ()


@lru_cache
def sample(ruleset: AnyRuleset) -> Situation | None:
    """Return the situation that shows a game best, or None if no command has a roll card.

    It is a player's, if possible. A drawing and a level count next, then the number of things on
    the table, then an attack whose target the table shows, then what the roll was for. Of equal
    situations, the first counts.
    """
    players = {held.seat for held in read_script(ruleset).seats if held.role == Role.PLAYER}

    def worth(each: Situation) -> tuple[bool, ...]:
        card, table = each.drawn or RollCard(""), each.table
        owner = table.entities.get(card.entity)
        chances = table.forecasts or table.attacks
        things = (table.boards, table.decks, table.dice, table.order, chances)
        drawn = bool(card.drawings), card.level is not UNSET
        filled = tuple(sorted(map(bool, things), reverse=True))
        players_own = owner is not None and owner.seat in players
        return players_own, *drawn, *filled, _is_forecast(card, table), bool(card.detail)

    rolls = [each for each in situations(ruleset) if each.drawn is not None]
    return max(rolls, key=worth, default=None)


def _is_forecast(card: RollCard, table: Table) -> bool:
    """Return True if the card's roll is an attack on a target that the table shows."""
    forecast = table.attacks.get(card.entity)
    return forecast is not None and any(f"{{{each}}}" in card.action for each in forecast.targets)


@lru_cache
def situations(ruleset: AnyRuleset) -> tuple[Situation, ...]:
    """Return the first different situations of each command that draws, in their order."""
    found: list[Situation] = []
    played = tuple(_played(ruleset))
    for nth, each in enumerate(played):
        alike = [other for other in found if other.kind == each.kind]
        if (
            len(each.chances) > 1
            and len(alike) < MAX_SITUATIONS
            and all(other.chances != each.chances for other in alike)
        ):
            after = _follow_ups(ruleset, each, played[nth + 1 : nth + 1 + MAX_FOLLOW_UPS])
            found.append(each._replace(after=after))
    return tuple(found)


def _follow_ups(ruleset: AnyRuleset, roll: Situation, rest: Iterable[Situation]) -> tuple[str, ...]:
    """Return what followed from a roll: the GM's words, the texts, or what another roll changed."""
    lines, before = list[str](), roll.table
    for each in rest:
        if roll.drawn is None or each.drawn is None or each.drawn.entity != roll.drawn.entity:
            break
        if each.drawn.said:
            lines.append(f"The {ruleset.gm_title}: {each.drawn.said}")
        elif each.card and each.card.result and not each.card.continues:
            name = each.table.entities[each.drawn.entity].name
            lines.append(f"{name} {each.card.action}: {each.card.result}.")
            lines += [found.text for found in differences(before, each.table, {}, ruleset.wording)]
        else:
            lines += each.told
        before = each.table
    return tuple(lines)


def _played(ruleset: AnyRuleset) -> Iterator[Situation]:
    """Yield each command that the rules allow, on a table without rewinds and secrets."""
    script = read_script(ruleset)
    roles = {held.seat: Role(held.role) for held in script.seats}
    table, told = _begun(ruleset, script), list[str]()
    shown = ruleset.show(table)
    for nth, step in enumerate(script.steps):
        command = _command(ruleset, step)
        if command is None:
            continue
        by = By(step.by, roles[step.by])
        try:
            chances = odds(ruleset, table, command, by)
            events = ruleset.decider.decide(table, command, by, _values(nth))
        except Refused:
            continue
        names = _names(ruleset, table)
        found = {names.get(outcome, outcome): chance for outcome, chance in chances.items()}
        card = next((card for event in events if (card := ruleset.card(event))), None)
        named = None if card is None else _named(card, names)
        before, lines = tuple(told[-MAX_LINES_BEFORE:]), list[str]()
        for event in events:
            table = ruleset.decider.evolve(table, event)
            lines.append(_line(ruleset, table, event))
        told += lines
        prior, shown = shown, ruleset.show(table)
        rolled = _as_chosen(prior, shown)
        yield Situation(*_said(command, names), before, found, named, card, rolled, tuple(lines))


def _as_chosen(before: Table, after: Table) -> Table:
    """Return the table after a roll with the difficulties that were chosen for the roll."""
    chosen = {name: each.chosen for name, each in before.forecasts.items() if each.chosen}
    forecasts = {
        name: msgspec.structs.replace(each, chosen=each.chosen or chosen.get(name, ""))
        for name, each in after.forecasts.items()
    }
    return msgspec.structs.replace(after, forecasts=forecasts)


def _begun(ruleset: AnyRuleset, script: Script) -> Any:  # the ruleset's state
    own = {
        name: value
        for name, value in script.options.items()
        if name in ruleset.options.__struct_fields__
    }
    return ruleset.decider.initial(msgspec.convert(own, ruleset.options))


def _command(ruleset: AnyRuleset, step: ScriptStep) -> Message | None:
    """Return the step's command, or None if it is not of the ruleset or will be refused."""
    if step.do is UNSET or step.refused is not UNSET:
        return None
    kinds = {str(command.__struct_config__.tag): command for command in ruleset.commands}
    return msgspec.convert(step.do, kinds[step.do["kind"]])


def _values(nth: int) -> SeededChance:
    """Return values for a step, the same each time."""
    return SeededChance(lambda: hashlib.sha256(str(nth).encode()).digest())


def _said(command: Message, names: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the command's kind and its fields, with names in the place of entity ids."""
    fields = msgspec.json.decode(encode(command))
    for field, of in id_fields(type(command)).items():
        if of == "entity" and isinstance(fields.get(field), str):
            fields[field] = names.get(fields[field], fields[field])
    return str(fields.pop("kind")), fields


def _named(card: RollCard, names: Mapping[str, str]) -> RollCard:
    """Return the card with names in the place of entity ids."""

    def named(part: str) -> str:
        # `fill` begins a line with a capital letter, which a part of a sentence must not have.
        return fill(f"- {part}", names)[2:]

    return msgspec.structs.replace(
        card,
        entity=names.get(card.entity, card.entity),
        action=named(card.action),
        detail=named(card.detail),
        result=fill(card.result, names),
    )


def _line(ruleset: AnyRuleset, table: object, event: Message) -> str:
    return fill(ruleset.describe(event), _names(ruleset, table))


def _names(ruleset: AnyRuleset, table: object) -> dict[str, str]:
    return {each: shown.name for each, shown in ruleset.show(table).entities.items()}
