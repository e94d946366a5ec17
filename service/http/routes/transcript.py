"""The route that returns a session's transcript."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from flask import Response, request
from msgspec import Meta

from domain.transcript import Transcript, read_events, to_html, to_markdown, to_text, transcript
from service.http import auth, models
from service.http.openapi import JSON, Blueprint
from service.http.presenters import iso_time
from service.http.responses import json_response
from service.platform.clock import MAX_TIME_MS
from service.sessions.checkpoints import unsigned_lines

blueprint = Blueprint("Transcript", __name__, tag="Events")

WRITERS = {"text/markdown": to_markdown, "text/html": to_html, "text/plain": to_text}
FORMATS = (JSON, *WRITERS)


class TranscriptSeatView(models.ResponseModel, frozen=True):
    """A seat in a transcript."""

    seat: Annotated[str, Meta(description="the id of the seat; `house` is the server")]
    name: Annotated[
        str, Meta(description="the name to display, or the seat's id if the seat has no name")
    ]
    role: models.SeatRole


class TranscriptTurnView(models.ResponseModel, frozen=True):
    """The lines of one turn."""

    turn: Annotated[int, Meta(description="the number of the turn, from 1")]
    lines: Annotated[
        list[str],
        Meta(
            description="the texts of the turn's events, in order, with the names of seats and "
            "entities; `(sealed)` for an event that you may not see; without the command and its "
            "draw if the turn contains an event of the ruleset that you may see"
        ),
    ]
    undone: Annotated[
        bool, Meta(description="true if a rewind undid the turn; absent if it is not undone")
    ] = False
    note: Annotated[
        str,
        Meta(
            description="the audience of a secret command, and the grade (A to D) of the draw or "
            "of the physical dice, such as `secret, for the GM; grade B`; absent if the turn has "
            "neither"
        ),
    ] = ""


class TranscriptView(models.ResponseModel, frozen=True):
    """The text of a session, turn by turn."""

    session: models.SessionId
    title: models.SessionTitle
    ruleset: models.RulesetTitle
    edition: models.RulesetEdition
    opened: Annotated[
        str, Meta(description="the time of the session's first event (ISO 8601, UTC)")
    ]
    version: models.DescribedVersion
    seats: Annotated[
        list[TranscriptSeatView],
        Meta(
            description="the seats, including the server's (`house`) and those whose holders have "
            "left"
        ),
    ]
    turns: Annotated[
        list[TranscriptTurnView],
        Meta(
            description="the turns, in the order of their events; a turn is listed twice if other "
            "turns were recorded while its draw was pending"
        ),
    ]


@blueprint.operation(
    "getTranscript",
    "GET",
    "/v1/sessions/<session:session>/transcript",
    query=models.ViewerQuery,
    returns={JSON: TranscriptView, **dict.fromkeys(WRITERS)},
    token="optional",
    problems=["refused"],
    sends=["ETag"],
)
def read(session: str, query: models.ViewerQuery) -> Response:
    """Read the transcript.

    The response contains the text of the whole session, as you may see it. It is JSON by default.
    With `Accept: text/markdown`, `text/html` or `text/plain`, it is a document to keep or to print.
    """
    head, viewer = auth.session_for_viewer(session, query.through)
    lines = unsigned_lines(auth.services().app, head, viewer)
    found, version = transcript(read_events(lines)), head.session.version
    kind = request.accept_mimetypes.best_match(FORMATS, JSON)
    if kind not in WRITERS:
        response = json_response(_view(found, version), version=version)
    else:
        day = datetime.fromtimestamp(min(found.opened, MAX_TIME_MS) / 1000, UTC).date().isoformat()
        text = "\n".join(WRITERS[kind](found, day)) + "\n"
        response = Response(text, content_type=f"{kind}; charset=utf-8")
        response.headers["ETag"] = f'"{version}"'
    response.vary.add("Accept")
    return response


def _view(found: Transcript, version: int) -> TranscriptView:
    return TranscriptView(
        found.session,
        found.title,
        found.ruleset,
        found.edition,
        iso_time(found.opened),
        version,
        [TranscriptSeatView(each.seat, each.name, each.role) for each in found.seats],
        [
            TranscriptTurnView(each.turn, list(each.lines), each.undone, each.note.strip(" ()"))
            for each in found.turns
        ],
    )
