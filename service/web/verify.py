"""The page of a session's check: what the browser finds, what this server kept, and how to check without us."""

from __future__ import annotations

import shlex
from typing import NamedTuple

import msgspec
from flask import Blueprint, Response, url_for

from domain.session.state import Session
from domain.verify.report import Failure
from service.http import auth, models
from service.http.routes.audits import list_audits, request_audit
from service.web import forms
from service.web.changed import GRADES
from service.web.drawing import page
from service.web.looking import named, onlooker, queried

RUNGS = (
    (
        "bytes",
        "Bytes",
        "Every line is exactly as a log is written, and each event stands where it says.",
    ),
    (
        "tree",
        "Tree",
        "All events together have the fingerprint that the server has signed. Compare it with one that "
        "you kept: if they fit, none was changed since, left out or slipped in.",
    ),
    (
        "draws",
        "Draws",
        "Every value follows from chains that were fixed before it was drawn, in their order, and from "
        "the random bytes that the log records, with all signatures.",
    ),
)
"""What is climbed in the browser: name, title, and what it means where it holds."""

blueprint = Blueprint("Verify", __name__)


class Kept(NamedTuple):
    """A check that this server made. `rung`: the last that held, in words."""

    audit: models.AuditView
    reached: str
    failure: Failure | None


class Said(msgspec.Struct, frozen=True):
    """What the page needs of a report."""

    reached: str | None = None
    failure: Failure | None = None


@blueprint.get("/s/<session:session>/verify")
def verify(session: str) -> Response:
    """The page."""
    return _drawn(session, "")


@blueprint.post("/s/<session:session>/verify")
def asked(session: str) -> Response:
    """Asks for a check on this server, as POST /v1/sessions/<id>/audits."""
    forms.sent()
    auth.require_seat(session)
    request_audit(session)
    return _drawn(session, "A worker checks the log. Its report will stand here in a few seconds.")


def _drawn(session: str, news: str) -> Response:
    head, viewer = auth.session_for_viewer(session, queried(models.ViewerQuery).through)
    state = head.session
    found = list_audits(auth.services().app, state, viewer)
    file = _file_of(session)
    return page(
        "verify.html",
        session=session,
        title=state.info.title,
        version=state.version,
        key=state.info.log_key,
        reader=onlooker(state, viewer),
        seat=viewer.seat or "",
        export=url_for("Proofs.export", session=session),
        rungs=RUNGS,
        grades=GRADES,
        news=news,
        audits=[_kept(audit) for audit in found.audits],
        form=forms.fresh_key(),
        line=f"fairlog verify {file} --key {shlex.quote(state.info.log_key)}",
        seats=_names(state),
    )


def _kept(audit: models.AuditView) -> Kept:
    said = msgspec.json.decode(audit.report, type=Said)
    return Kept(audit, said.reached or "none", said.failure)


def _file_of(session: str) -> str:
    """A name of the file for a command line."""
    return f"{session[:8]}.fairlog"


def _names(session: Session) -> dict[str, str]:
    return {seat: named(session, seat) for seat in session.info.seats}
