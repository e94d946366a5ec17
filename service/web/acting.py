"""What a form of the table does: one call of `handle`, as the API's; then back to the table, or to the form."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from flask import Blueprint, Response, g, request, url_for

from domain.decider import Refused
from domain.ruleset import Message
from domain.session.messages import Close, Narrate, OpenSeal, Rewind
from domain.session.state import Session
from service.http import auth, models, validation
from service.http.errors import PROBLEMS, ProblemError, body_errors
from service.http.request_headers import request_identity
from service.http.routes.commands import declared_command
from service.http.routes.rulesets import ruleset_view
from service.http.routes.sessions import names_for
from service.sessions.command_handler import handle
from service.sessions.idempotency import KeyReusedError
from service.store.errors import VersionConflictError
from service.web import session as table, undoing
from service.web.acts import Filled
from service.web.drawing import go_to, page
from service.web.fields import number
from service.web.forms import sent, wrong
from service.web.inputs import PREFIX, Sent, body
from service.web.looking import Looked, queried
from service.web.playing import UNTRIED, Tried, acting, between
from service.web.refusals import no_of

FRAME: Mapping[str, type[msgspec.Struct]] = {
    "narrate": Narrate,
    "rewind": Rewind,
    "close": Close,
    "open": models.OpenSecretRequest,
}
NUMBERS = ("about", "target", "to", "turn")
AGAIN = "This form was sent before, with something else in it. Here is a new one: send it if you mean it."

blueprint = Blueprint("Acting", __name__)


@blueprint.get("/s/<session:session>/actions")
def actions(session: str) -> Response:
    """The actions alone, as the page has them: what a live page brings its own up to date with."""
    look = queried(Looked)
    head, viewer = auth.session_for_viewer(session, look.through)
    app, names = auth.services().app, names_for(auth.services().app, head.session, viewer)
    response = page("acting.html", acting=acting(app, head.session, viewer, look, names, UNTRIED))
    if request.accept_encodings.quality("gzip") > 0:
        response.data = gzip.compress(response.data, 6, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept, Accept-Encoding, Authorization, Cookie"
    return response


@blueprint.get("/s/<session:session>/do")
def nothing(session: str) -> Response:
    """A form's answer that somebody reloads by its address."""
    return go_to(url_for("Session.session", session=session, _anchor="actions"))


@blueprint.post("/s/<session:session>/do")
def do(session: str) -> Response:
    """Does what the form says. Problem("token-missing") without a seat, ("malformed") without what every form holds."""
    said = sent()
    seat, act, app = auth.require_seat(session), one(said, "do"), auth.services().app
    state = app.log.read(session).session
    try:
        wish = wish_of(state, act, said)
        answer = handle(app, session, wish, request_identity(seat), {seen_version(said)})
    except ProblemError as no:
        if no.code != "malformed":
            raise
        return _again(session, act, said, 422, errors=wrong(no))
    except Refused as refused:
        return _again(session, act, said, 409, refused=refused)
    except VersionConflictError:
        return _again(session, act, said, 412)
    except KeyReusedError:
        g.pop("idempotency_key")
        return _again(session, act, said, 422, again=AGAIN)
    return go_to(url_for("Session.session", session=session, did=answer.last, _anchor="actions"))


def wish_of(state: Session, act: str, said: Sent) -> Message:
    """What the form asks for. Problem("malformed")."""
    if act in FRAME:
        given: msgspec.Struct = validation.read_body(
            FRAME[act], msgspec.json.encode(_frame_body(act, said))
        )
        if isinstance(given, models.OpenSecretRequest):
            return OpenSeal(given.turn)
        assert isinstance(given, Message)
        return given
    schema = ruleset_view(state.ruleset).commands.get(act)
    if schema is None:
        raise ProblemError(
            "malformed",
            "See errors, field by field.",
            errors=body_errors({"do": ["No such action."]}),
        )
    whole: dict[str, Any] = {"command": {"kind": act} | body(schema, said)} | _common(said)
    return declared_command(
        state.ruleset, validation.read_body(models.CommandRequest, msgspec.json.encode(whole))
    )


def seen_version(said: Sent) -> int:
    """The version that the form was drawn at. Problem("malformed")."""
    version = number(one(said, "version"))
    if not isinstance(version, int):
        raise ProblemError(
            "malformed",
            "See errors, field by field.",
            errors=body_errors({"version": ["Which version you have seen."]}),
        )
    return version


def one(said: Sent, name: str) -> str:
    return next(iter(said.get(name, ())), "")


def _common(said: Sent) -> dict[str, Any]:
    """What may stand beside any command."""
    found: dict[str, Any] = {}
    if one(said, "audience"):
        found["audience"] = one(said, "audience")
    if one(said, "target"):
        found["target"] = number(one(said, "target"))
    if one(said, "faces"):
        found["faces"] = [number(face) for face in one(said, "faces").replace(",", " ").split()]
    return found


def _frame_body(act: str, said: Sent) -> dict[str, Any]:
    names = FRAME[act].__struct_fields__
    found: dict[str, Any] = {name: one(said, name) for name in names if one(said, name)}
    found |= {name: number(found[name]) for name in NUMBERS if name in found}
    return found | ({"carry_over": one(said, "carry_over") == "true"} if act == "close" else {})


def _again(
    session: str,
    act: str,
    said: Sent,
    status: int,
    *,
    errors: Mapping[str, str] | None = None,
    refused: Refused | None = None,
    again: str = "",
) -> Response:
    """The table as it is now, with the form as it was sent and what is in its way."""
    head, viewer = auth.session_for_viewer(session)
    app, state, names = (
        auth.services().app,
        head.session,
        names_for(auth.services().app, head.session, viewer),
    )
    filled = Filled(act, _values(said), errors or {})
    no = None if refused is None else no_of(state.ruleset, refused.rule, refused.facts, names)
    came = between(app, state, viewer, _since(said)) if status == 412 else None
    tried = Tried(filled, no, came, again or (PROBLEMS["malformed"].title + "." if errors else ""))
    if act == "rewind":
        return undoing.shown(head, viewer, number(one(said, "to")), status, tried)
    return table.drawn(head, viewer, Looked(), status, tried)


def _since(said: Sent) -> int:
    version = number(one(said, "version"))
    return version if isinstance(version, int) else 0


def _values(said: Sent) -> dict[str, Sequence[str]]:
    """By field; a command's own without what stands in front of them."""
    return {name.removeprefix(PREFIX): values for name, values in said.items()}
