"""Read-only queries about commands: possible commands, dry runs and odds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import msgspec
from flask import Response
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain import odds as chances
from domain.available_commands import AvailableCommand, allowed_values, available_commands
from domain.chance import Chance, DeclaredChance as DeclaredDice, NeedsDrawError, UndrawnChance
from domain.codec import decode_command
from domain.decider import By, Refused
from domain.merge_patch import changes
from domain.ruleset import Message
from domain.session.messages import Declare
from domain.session.secrets import refuse_unseen
from domain.session.state import Session
from domain.session.turns import judge
from domain.visibility import Viewer, visible_session
from service.http import auth, models
from service.http.openapi import Blueprint
from service.http.refusals import refusal_for
from service.http.responses import json_response
from service.http.routes.commands import declared_command

blueprint = Blueprint("Queries", __name__, tag="Commands")


@blueprint.operation(
    "listCommands",
    "GET",
    "/v1/sessions/<session:session>/commands",
    query=models.CommandsQuery,
    returns=models.Choices,
    sends=["ETag"],
)
def possible(session: str, query: models.CommandsQuery) -> Response:
    """List the possible commands.

    The response lists every command in the ruleset and shows whether your seat may use it now. For
    an allowed command, it contains an example to send and, if the command draws, the exact odds.
    For a forbidden command, it contains the rule that forbids it. With `entity`, only commands in
    which that entity acts are examples. With `values`, the response has the values that each field
    of the example may have instead. With `since`, commands that became allowed after that version
    are marked.
    """
    state, by = _own_view(session)
    choices = choices_for(state, by, query.entity, with_values=query.values)
    if query.since is not UNSET and query.since < state.version:
        log = auth.services().app.log
        earlier = log.history(session).state(query.since)
        then = visible_session(earlier, Viewer(by.seat), log.history(session))
        before = {each.kind for each in available_commands(then, by, query.entity) if each.allowed}
        choices = [
            replace(choice, opened=choice.allowed and choice.kind not in before)
            for choice in choices
        ]
    return json_response(models.Choices(state.version, choices), version=state.version)


def choices_for(
    state: Session, by: By, entity: str | UnsetType = UNSET, *, with_values: bool = False
) -> list[models.ChoiceView]:
    """Return every command of the ruleset, and whether the seat may use it now.

    `state` is the session as the seat sees it.
    """
    return [
        models.ChoiceView(
            choice.kind,
            choice.allowed,
            _to_builtins(choice.example),
            choice.rule,
            choice.facts,
            UNSET
            if choice.rule is UNSET
            else refusal_for(state, choice.rule, choice.facts or {}).line,
            odds,
            _example_success(state, choice),
            UNSET
            if choice.example is UNSET or not with_values
            else allowed_values(state, by, choice.example),
            ranked=ranked,
            times=_times(state, choice),
        )
        for choice in available_commands(state, by, entity)
        for odds, ranked in [_odds(state, choice, by)]
    ]


@blueprint.operation(
    "tryCommand",
    "POST",
    "/v1/sessions/<session:session>/commands/dry-run",
    body=models.CommandRequest,
    returns=models.DryRun,
    sends=["ETag"],
    scope="read",
)
def dry_run(session: str, body: models.CommandRequest) -> Response:
    """Try a command without running it.

    The response shows whether the rules allow the command now, and whether it would draw random
    values. Nothing is drawn or changed.
    """
    state, by = _own_view(session)
    return json_response(
        try_command(state, declared_command(state.ruleset, body), by), version=state.version
    )


@blueprint.operation(
    "getOdds",
    "POST",
    "/v1/sessions/<session:session>/odds",
    body=models.OddsRequest,
    returns=models.Odds,
    problems=["refused"],
    sends=["ETag"],
    scope="read",
)
def odds(session: str, body: models.OddsRequest) -> Response:
    """Calculate the odds of a command.

    The response contains the exact probability of each outcome that the command can have now.
    """
    state, by = _own_view(session)
    command = declared_command(state.ruleset, models.CommandRequest(body.command))
    found = try_command(state, command, by)
    if found.rule is not UNSET:
        raise Refused(found.rule, **(found.facts or {}))
    message = decode_command(state.ruleset, command.command)
    outcomes = _outcomes(state, message, by)
    found_odds = models.Odds(state.version, outcomes, _success(state, message))
    return json_response(found_odds, version=state.version)


def _own_view(session: str) -> tuple[Session, By]:
    """Return the session as the token's seat sees it now, and the seat with its role."""
    seat, log = auth.require_seat(session), auth.services().app.log
    state = auth.current_head(session).session
    return visible_session(state, Viewer(seat), log.history(session)), state.by(seat)


def try_command(state: Session, command: Declare, by: By) -> models.DryRun:
    """Return whether the rules allow a command, and whether it would draw.

    If the command contains `faces`, they are used instead of drawn values.
    """
    dice = None if command.faces is UNSET else DeclaredDice(command.faces)
    chance: Chance = dice or UndrawnChance()
    try:
        with refuse_unseen(state):
            events = judge(state, command, by, chance)
        if dice is not None:
            _ = dice.values  # refuse unused faces
    except NeedsDrawError:
        return models.DryRun(state.version, True, True)
    except Refused as no:
        detail = refusal_for(state, no.rule, no.facts).line
        return models.DryRun(state.version, False, UNSET, no.rule, no.facts, detail)
    changed = tuple(_changes(state, events))
    return models.DryRun(state.version, True, False, changes=changed, level=_level(state, events))


def _level(state: Session, events: Iterable[Message]) -> int | UnsetType:
    """Return how good the result of the events is, or UNSET if they have none."""
    cards = filter(None, map(state.ruleset.card, events))
    levels = [card.level for card in cards if card.level is not UNSET]
    return levels[-1] if levels else UNSET


def _changes(state: Session, events: Iterable[Message]) -> Iterator[models.ChangeView]:
    """Yield what the events would change on the table."""
    table, ruleset = state.table, state.ruleset
    for event in events:
        table = ruleset.decider.evolve(table, event)
    before, after = (msgspec.to_builtins(ruleset.show(each)) for each in (state.table, table))
    for path, old, new in changes(before, after):
        yield models.ChangeView(list(path), old, new)


def _odds(
    state: Session, choice: AvailableCommand, by: By
) -> tuple[dict[str, models.OutcomeChance] | UnsetType, bool]:
    """Return the odds for a command's example, or UNSET if there are none to show.

    Also return whether they are listed from the worst outcome to the best. A command has no odds if
    it is not allowed, has only one possible outcome, or depends on data hidden from the seat.
    """
    if choice.example is UNSET or not choice.allowed:
        return UNSET, False
    try:
        outcomes = _outcomes(state, choice.example, by)
        if len(outcomes) < 2:
            return UNSET, False
        with refuse_unseen(state):
            ranking = chances.ranked_successes(state.ruleset, state.table, choice.example, by)
    except Refused:
        return UNSET, False
    if not set(outcomes) <= set(ranking):
        return outcomes, False
    return {each: outcomes[each] for each in ranking if each in outcomes}, True


def _outcomes(state: Session, command: Message, by: By) -> dict[str, models.OutcomeChance]:
    with refuse_unseen(state):
        found = chances.odds(state.ruleset, state.table, command, by)
    return {outcome: outcome_chance(chance) for outcome, chance in found.items()}


def _example_success(state: Session, choice: AvailableCommand) -> models.OutcomeChance | UnsetType:
    """Return the chance that a command's example succeeds, or UNSET if there is none to show."""
    if choice.example is UNSET or not choice.allowed:
        return UNSET
    try:
        return _success(state, choice.example)
    except Refused:
        return UNSET


def _success(state: Session, command: Message) -> models.OutcomeChance | UnsetType:
    """Return the chance that the command succeeds, or UNSET if the rules do not define it."""
    if state.ruleset.success is None:
        return UNSET
    with refuse_unseen(state):
        chance = state.ruleset.success(state.table, command)
    return UNSET if chance is None else outcome_chance(chance)


def _times(state: Session, choice: AvailableCommand) -> int | UnsetType:
    """Return how many times the example can be sent with other values, if the rules say so."""
    if choice.example is UNSET or not choice.allowed:
        return UNSET
    return state.ruleset.times(state.table, choice.example) or UNSET


def outcome_chance(chance: Fraction) -> models.OutcomeChance:
    """Return the probability as the API shows it."""
    return models.OutcomeChance(chance.numerator, chance.denominator, round(float(100 * chance), 2))


def _to_builtins(example: Any) -> Any:
    return example if example is UNSET else msgspec.to_builtins(example)
