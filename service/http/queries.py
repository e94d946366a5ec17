"""What can be asked without changing anything: possible commands, a dry run, odds, and the events."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
from flask import Response, request
from msgspec import UNSET, UnsetType

from domain import odds as chances
from domain.chance import Asked, Chance, Undrawn
from domain.chance import Declared as DeclaredDice
from domain.choices import Choice, choices
from domain.codec import decode_command
from domain.decider import By, Refused
from domain.ruleset import Message
from domain.session.draws import judge
from domain.session.messages import Declare
from domain.session.sights import partly_seen
from domain.session.state import Session
from domain.view import Viewer, seen
from service.http import auth
from service.http.answering import json, with_next
from service.http.commands import declared
from service.http.events import page
from service.http.given import Asking, Commanding, EventPage
from service.http.openapi import JSON, Blueprint
from service.http.sessions import past
from service.http.shown import Choices, ChoiceShown, DryRun, Event, Events, Odds, Outcome

NDJSON = "application/x-ndjson"

blueprint = Blueprint("Ask", __name__, description="Questions that change nothing.")


@blueprint.operation("GET", "/v1/sessions/<session:session>/commands", gives=Choices)
def possible(session: str) -> Response:
    """List what can be done

    Every command of the ruleset for your seat now: allowed, with an example to send and its exact odds where it draws,
    or the rule that refuses it.
    """
    state, by = _seated(session)
    return json(Choices(state.version, possible_for(state, by)), version=state.version)


def possible_for(state: Session, by: By) -> list[ChoiceShown]:
    """Every command of the room for a seat, in a session as that seat sees it."""
    return [
        ChoiceShown(
            choice.kind,
            choice.allowed,
            _plain(choice.example),
            choice.rule,
            choice.facts,
            _odds(state, choice, by),
        )
        for choice in choices(state, by)
    ]


@blueprint.operation(
    "POST", "/v1/sessions/<session:session>/commands/dry-run", body=Commanding, gives=DryRun
)
def dry_run(session: str, body: Commanding) -> Response:
    """Try a command

    Whether the rules would allow it now, and whether it would draw. Changes nothing, and draws nothing.
    """
    state, by = _seated(session)
    return json(tried(state, declared(state.room, body), by), version=state.version)


@blueprint.operation(
    "POST", "/v1/sessions/<session:session>/odds", body=Asking, gives=Odds, problems=["refused"]
)
def odds(session: str, body: Asking) -> Response:
    """Ask for the odds

    The exact chance of each outcome of a command, as things stand.
    """
    state, by = _seated(session)
    wish = declared(state.room, Commanding(body.command))
    found = tried(state, wish, by)
    if found.rule is not UNSET:
        raise Refused(found.rule, **(found.facts or {}))
    outcomes = _outcomes(state, decode_command(state.room, wish.command), by)
    return json(Odds(state.version, outcomes), version=state.version)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/events",
    query=EventPage,
    gives={JSON: Events, NDJSON: Event},
    token="optional",
    problems=["refused"],
)
def events(session: str, query: EventPage) -> Response:
    """Read the events

    Those after version `after`, in order; with `last` the newest of them; with `at` as they were told at that version.
    With `Accept: application/x-ndjson` one event a line.
    """
    app = auth.edge().app
    found, viewer = auth.viewed(session, query.through)
    head = found.session
    then = head if query.at is UNSET else past(app, found, query.at)
    limit = min(query.limit if query.last is UNSET else query.last, app.settings.page)
    after = query.after if query.last is UNSET else max(query.after, then.version - limit)
    shown = page(app, head, viewer, after, limit, then)
    last = shown[-1].version if shown else after
    more = last if last < then.version and shown else UNSET
    if request.accept_mimetypes.best_match((JSON, NDJSON)) == NDJSON:
        lines = b"".join(msgspec.json.encode(event) + b"\n" for event in shown)
        response = Response(lines, content_type=NDJSON)
    else:
        response = json(Events(then.version, shown, more))
    response.headers["ETag"] = f'"{then.version}"'
    return with_next(response, more)


def _seated(session: str) -> tuple[Session, By]:
    """The session now as the token's seat sees it, and that seat with its role."""
    seat, log = auth.seated(session), auth.edge().app.log
    state = auth.brought(session).session
    auth.note_reading(state, Viewer(seat))
    return seen(state, Viewer(seat), log.history(session)), state.by(seat)


def tried(state: Session, wish: Declare, by: By) -> DryRun:
    """What the rules say to a wish. Faces that were typed in stand for the values."""
    dice = None if wish.faces is UNSET else DeclaredDice(wish.faces)
    chance: Chance = dice or Undrawn()
    try:
        with partly_seen(state):
            judge(state, wish, by, chance)
        if dice is not None:
            _ = dice.values  # faces that nobody asked for are refused
    except Asked:
        return DryRun(state.version, True, True)
    except Refused as no:
        return DryRun(state.version, False, UNSET, no.rule, no.facts)
    return DryRun(state.version, True, False)


def _odds(state: Session, choice: Choice, by: By) -> dict[str, Outcome] | UnsetType:
    """The chances of a possible command's example; absent where it is certain, not allowed, or hangs on the unseen."""
    if choice.example is UNSET or not choice.allowed:
        return UNSET
    try:
        outcomes = _outcomes(state, choice.example, by)
    except Refused:
        return UNSET
    return outcomes if len(outcomes) > 1 else UNSET


def _outcomes(state: Session, command: Message, by: By) -> dict[str, Outcome]:
    with partly_seen(state):
        found = chances.odds(state.room, state.table, command, by)
    return {outcome: _outcome(chance) for outcome, chance in found.items()}


def _outcome(chance: Fraction) -> Outcome:
    return Outcome((chance.numerator, chance.denominator), round(float(100 * chance), 2))


def _plain(example: Any) -> Any:
    return example if example is UNSET else msgspec.to_builtins(example)
