"""The route that lists turns: who did what, what was drawn, how it came out, what it changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Annotated, NamedTuple, TypeVar

from flask import Response
from msgspec import UNSET, Meta, Raw, UnsetType

from domain.codec import decode_command
from domain.merge_patch import Document, changes
from domain.recorded_event import RecordedEvent
from domain.roll_card import RollCard
from domain.ruleset import AnyRuleset, Message
from domain.session.annotations import Grade
from domain.session.descriptions import names, tally, without_command
from domain.session.lineage import Span, lineage, within
from domain.session.messages import Audience, Declared, DrawVoided, Narrated
from domain.session.reader_texts import ReaderTexts
from domain.session.state import History, Session
from domain.session.turns import Head
from domain.tally import Attempted, Rolled, Settled
from domain.visibility import Viewer, visible_session
from service.http import auth, models
from service.http.json_schemas import COMMAND
from service.http.openapi import Blueprint
from service.http.presenters import consecutive_events, rewinds
from service.http.responses import json_response
from service.http.routes.queries import outcome_chance
from service.sessions.app import App
from service.sessions.feed import feed_entries
from service.sessions.pending_draws import find_declaration, turn_events
from service.sessions.turn_pages import page_start
from service.store.event_log import LogStep

blueprint = Blueprint("Turns", __name__, tag="Events")

ActingEntity = Annotated[
    str, Meta(description="the id of the entity that acts, or `@` and the id of a seat")
]
ActionUse = Annotated[
    str, Meta(description="what the roll is for, in the ruleset's words, such as check or attack")
]


class TurnValue(models.ResponseModel, frozen=True):
    """A face that a die showed, or a card that was drawn."""

    entity: ActingEntity
    source: Annotated[str, Meta(description="the die, such as d6, or the deck")]
    value: Annotated[str, Meta(description="the face or the card")]


class TurnOutcome(models.ResponseModel, frozen=True):
    """How something came out that chance decided."""

    entity: ActingEntity
    use: ActionUse
    outcome: Annotated[str, Meta(description="the outcome, in the ruleset's words")]
    chance: Annotated[
        models.OutcomeChance, Meta(description="the probability that this outcome had")
    ]
    rank: (
        Annotated[
            int,
            Meta(
                description="the place of the outcome among all outcomes that were possible, from "
                "1 for the worst; absent if no outcome is better than another"
            ),
        ]
        | UnsetType
    ) = UNSET
    outcomes: (
        Annotated[
            int, Meta(description="the number of outcomes that were possible; absent like `rank`")
        ]
        | UnsetType
    ) = UNSET
    success: (
        Annotated[
            bool,
            Meta(description="whether it is a success; absent if the rules do not say what is one"),
        ]
        | UnsetType
    ) = UNSET


class FinalOutcome(models.ResponseModel, frozen=True):
    """How an action ended, after all that could change the result of its roll."""

    entity: ActingEntity
    use: ActionUse
    outcome: Annotated[str, Meta(description="the outcome, in the ruleset's words")]
    rolled: (
        Annotated[
            str,
            Meta(description="the outcome of the roll; absent if the rules do not say what it was"),
        ]
        | UnsetType
    ) = UNSET


class TurnView(models.ResponseModel, frozen=True):
    """One turn, without any data hidden from the viewer."""

    turn: models.EventTurn
    first: Annotated[int, Meta(description="the version of the turn's first event")]
    last: Annotated[int, Meta(description="the version of its last event so far")]
    at: Annotated[
        str, Meta(description="the time when the turn's first event was recorded (ISO 8601, UTC)")
    ]
    seat: Annotated[
        str, Meta(description="the id of the seat whose turn it is; `house` is the server")
    ]
    kind: (
        Annotated[
            str,
            Meta(
                description="the kind of the command, such as dhextiny.Check, or else of the first "
                "event that you may see, such as session.Rewound; absent if there is none"
            ),
        ]
        | UnsetType
    ) = UNSET
    command: (
        Annotated[
            Raw,
            Meta(
                description="the command as it was sent; absent if there was none or you may not "
                "see it",
                extra_json_schema=models.schema_ref(COMMAND),
            ),
        ]
        | UnsetType
    ) = UNSET
    narration: (
        Annotated[
            str,
            Meta(
                description="the words of a narration; absent if the turn is none, or if they have "
                "been deleted"
            ),
        ]
        | UnsetType
    ) = UNSET
    texts: Annotated[
        tuple[str, ...],
        Meta(
            description="what the turn's events that you may see say to readers, in order: with "
            "the names of people and entities, and with turns instead of versions; without the "
            "command and its draw if there is an outcome"
        ),
    ] = ()
    values: Annotated[tuple[TurnValue, ...], Meta(description="what was drawn, in order")] = ()
    outcomes: Annotated[tuple[TurnOutcome, ...], Meta(description="how it came out, in order")] = ()
    cards: Annotated[
        tuple[RollCard, ...],
        Meta(description="what to show of the turn's rolls, in order, for every game"),
    ] = ()
    results: Annotated[
        tuple[FinalOutcome, ...], Meta(description="the actions that the turn brought to an end")
    ] = ()
    changes: Annotated[
        tuple[models.ChangeView, ...],
        Meta(
            description="what the turn changed on the table, as you could see it then, sorted by "
            "path"
        ),
    ] = ()
    grade: (
        Annotated[
            Grade,
            Meta(description="the fairness grade of the turn's draw; absent if it has none"),
        ]
        | UnsetType
    ) = UNSET
    draw: (
        Annotated[int, Meta(description="the number of the draw, from 0; absent if there is none")]
        | UnsetType
    ) = UNSET
    audience: (
        Annotated[
            Audience,
            Meta(
                description="who may see a secret turn; absent if the turn is not secret or was "
                "opened"
            ),
        ]
        | UnsetType
    ) = UNSET
    highlight: models.EventMark | UnsetType = UNSET
    sealed: Annotated[bool, Meta(description="true if you may not see all events of the turn")] = (
        False
    )
    pending: Annotated[
        bool, Meta(description="true if the turn waits for contributions to its draw")
    ] = False
    undone: Annotated[
        bool,
        Meta(
            description="true if a rewind undid the turn; if you may see none of its events, true "
            "if a rewind went back to a version before it"
        ),
    ] = False
    missing: Annotated[
        tuple[str, ...],
        Meta(
            description="the ids of the seats whose missing contributions voided the turn's draw; "
            "empty if it was not voided"
        ),
    ] = ()


class Turns(models.ResponseModel, frozen=True):
    """A page of turns."""

    version: models.DescribedVersion
    turns: Annotated[tuple[TurnView, ...], Meta(description="the turns, oldest first")]
    before: (
        Annotated[
            int,
            Meta(
                description="send this as `before` to get the turns before these; absent if there "
                "are none"
            ),
        ]
        | UnsetType
    ) = UNSET


@blueprint.operation(
    "listTurns",
    "GET",
    "/v1/sessions/<session:session>/turns",
    query=models.TurnsQuery,
    returns=Turns,
    token="optional",
    problems=["refused"],
    sends=["ETag"],
)
def turns(session: str, query: models.TurnsQuery) -> Response:
    """Read the newest turns.

    Each turn has what its events say together: who acted, what was drawn, how it came out, and what
    it changed on the table. The page has the turns of about `limit` events, and only whole turns.
    """
    app = auth.services().app
    head, viewer = auth.session_for_viewer(session, query.through)
    past, newest = app.log.history(session), head.session.version
    upto = newest if query.before is UNSET else min(query.before - 1, newest)
    if upto < newest:
        upto = page_start(past, upto)
    after = page_start(past, max(0, upto - min(query.limit, app.settings.page))) if upto else 0
    shown = tuple(_turns(app, head, viewer, after, upto)) if upto else ()
    page = Turns(newest, shown, after + 1 if after else UNSET)
    return json_response(page, version=newest)


def turn_of_draw(app: App, head: Head, viewer: Viewer, k: int) -> TurnView | None:
    """Return the turn of draw `k` as the viewer sees it, or None if there is no such draw."""
    declared = find_declaration(app, head.session, k)
    if declared is None:
        return None
    last = turn_events(app, head.session, declared)[-1].version
    found = _turns(app, head, viewer, declared.version - 1, last)
    return next(turn for turn in found if turn.turn == declared.turn)


class _Line(NamedTuple):
    """An event of the log, what the viewer sees of it, and the table before and after it."""

    recorded: RecordedEvent
    event: models.Event
    before: Document
    after: Document


def _turns(app: App, head: Head, viewer: Viewer, after: int, upto: int) -> Iterator[TurnView]:
    # Most states that are looked up are those of the steps, so they are not read again.
    steps = list(app.log.steps(head.session.id, after, upto))
    past = app.log.history(
        head.session.id, (state for step in steps for state in (step.before, step.after))
    )
    by_turn: dict[int, list[_Line]] = {}
    for line in _lines(app, head, viewer, steps, past):
        by_turn.setdefault(line.recorded.turn, []).append(line)
    session = head.session
    known = rewinds(app, session)
    led = lineage(known, session.version)
    readers = ReaderTexts(session, names(visible_session(session, viewer, past)), past, known)
    for lines in by_turn.values():
        yield _turn(session, lines, past.state, led, readers)


def _lines(
    app: App, head: Head, viewer: Viewer, steps: Sequence[LogStep], past: History
) -> Iterator[_Line]:
    entries = list(feed_entries(steps, viewer, past))
    tables = [entry.before for entry in entries[:1]] + [entry.after for entry in entries]
    older_names = {entity: name for table in tables for entity, name in _names(table)}
    recorded = [step.event for step in steps]
    events = consecutive_events(app, head.session, viewer, recorded, past, older_names)
    for event, entry in zip(events, entries, strict=True):
        yield _Line(entry.event, event, entry.before, entry.after)


def _names(table: Document) -> Iterator[tuple[str, str]]:
    entities = table.get("entities")
    if isinstance(entities, dict):
        for entity, part in entities.items():
            if isinstance(part, dict):
                yield entity, str(part["name"])


def _turn(
    head: Session,
    lines: Sequence[_Line],
    at: Callable[[int], Session],
    led: Sequence[Span],
    readers: ReaderTexts,
) -> TurnView:
    first, last = lines[0], lines[-1]
    seen = [line for line in lines if not line.event.sealed]
    bodies = [line.recorded.body for line in seen if not line.recorded.committed]
    declared = next((body for body in bodies if isinstance(body, Declared)), None)
    command = UNSET if declared is None else declared.command
    counts = [count for line in seen for count in tally(head.ruleset, line.recorded, at)]
    shown = without_command(seen, lambda line: "" if line.event.kind is UNSET else line.event.kind)
    asker = readers.asker(first.recorded)
    texts = (
        readers.text(line.recorded, line.event.text, asker)
        for line in shown
        if line.event.text is not UNSET
    )
    return TurnView(
        first.recorded.turn,
        first.recorded.version,
        last.recorded.version,
        first.event.at,
        first.recorded.seat,
        seen[0].event.kind if command is UNSET and seen else _kind(head.ruleset, command),
        command,
        next((body.text for body in bodies if isinstance(body, Narrated)), UNSET),
        tuple(filter(None, texts)),
        tuple(
            TurnValue(count.entity, count.source, count.value)
            for count in counts
            if isinstance(count, Rolled)
        ),
        tuple(_outcome(count) for count in counts if isinstance(count, Attempted)),
        tuple(_cards(head.ruleset, bodies)),
        tuple(
            FinalOutcome(count.entity, count.use, count.outcome, count.rolled)
            for count in counts
            if isinstance(count, Settled)
        ),
        tuple(_changes(lines)),
        _first(line.event.grade for line in seen),
        _first(_draw_number(body) for body in bodies),
        _audience(head, first.recorded.turn, declared),
        _first(line.event.highlight for line in seen),
        len(seen) < len(lines),
        head.pending is not None and head.pending.turn == first.recorded.turn,
        _is_undone(seen, first, led),
        next((body.missing for body in bodies if isinstance(body, DrawVoided)), ()),
    )


def _is_undone(seen: Sequence[_Line], first: _Line, led: Sequence[Span]) -> bool:
    """Return True if the turn was undone.

    A turn of which no event is visible counts as undone if it did not lead to the newest version.
    Whether it changed the table stays hidden.
    """
    if not seen:
        return not within(led, first.recorded.version)
    return any(line.event.undone is True for line in seen)


T = TypeVar("T")


def _first(values: Iterable[T | UnsetType]) -> T | UnsetType:
    return next((value for value in values if value is not UNSET), UNSET)


def _kind(ruleset: AnyRuleset, command: Raw | UnsetType) -> str | UnsetType:
    if command is UNSET:
        return UNSET
    return str(type(decode_command(ruleset, command)).__struct_config__.tag)


def _audience(head: Session, turn: int, declared: Declared | None) -> Audience | UnsetType:
    """Return who may see the turn, or UNSET if everyone may."""
    return UNSET if declared is None or turn not in head.secrets.seals else declared.audience


def _cards(ruleset: AnyRuleset, bodies: Sequence[Message]) -> Iterator[RollCard]:
    for body in bodies:
        card = ruleset.card(body) if type(body) in ruleset.events else None
        if card is not None:
            yield card


def _draw_number(body: Message) -> int | UnsetType:
    return body.draw.k if isinstance(body, Declared) and body.draw is not UNSET else UNSET


def _outcome(count: Attempted) -> TurnOutcome:
    names = list(count.chances)
    is_ranked = count.is_ranked and len(names) > 1
    return TurnOutcome(
        count.entity,
        count.use,
        count.outcome,
        chance=outcome_chance(Fraction(*count.chances[count.outcome])),
        rank=names.index(count.outcome) + 1 if is_ranked else UNSET,
        outcomes=len(names) if is_ranked else UNSET,
        success=count.outcome in count.successes if count.successes else UNSET,
    )


def _changes(lines: Sequence[_Line]) -> Iterator[models.ChangeView]:
    """Yield what the turn changed. Other turns may have changed the table between its events."""
    for first, last in _runs(lines):
        for path, old, new in changes(first.before, last.after):
            yield models.ChangeView(list(path), old, new)


def _runs(lines: Sequence[_Line]) -> Iterator[tuple[_Line, _Line]]:
    """Yield the first and the last line of each row of lines whose versions follow each other."""
    first = lines[0]
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        if following is None or following.recorded.version > line.recorded.version + 1:
            yield first, line
            first = following or first
