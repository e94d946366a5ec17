"""Problem responses for refused requests, with texts from the session's ruleset."""

from __future__ import annotations

from collections.abc import Mapping

from flask import request

from domain.decider import Detail, Refused
from domain.session.descriptions import names
from domain.session.state import Session
from domain.visibility import visible_session
from service.http import auth
from service.http.errors import ProblemError
from service.sessions.refusal_texts import RefusalText, refusal_text
from service.store.errors import UnknownSessionError


def problem_of(refused: Refused) -> ProblemError:
    """Return the problem for a refused request.

    If the request's path names a session, the text comes from the session's ruleset. It contains
    the names of the seats and entities that the viewer may see.
    """
    session = _visible_session()
    text = (
        refusal_text(refused.rule, refused.facts, {})
        if session is None
        else refusal_for(session, refused.rule, refused.facts)
    )
    return ProblemError("refused", text.line, rule=refused.rule, facts=refused.facts)


def refusal_for(session: Session, rule: str, facts: Mapping[str, Detail]) -> RefusalText:
    """Return the text of a refusal for someone who sees the session as `session`."""
    return refusal_text(rule, facts, names(session), session.ruleset.refusals)


def _visible_session() -> Session | None:
    """Return the session that the path names, as the viewer sees it, or None."""
    found = str((request.view_args or {}).get("session", ""))
    if not found:
        return None
    try:
        head, viewer = auth.session_for_viewer(found)
    except (ProblemError, UnknownSessionError):  # for example a token that has just been revoked
        return None
    history = auth.services().app.log.history(found)
    return visible_session(head.session, viewer, history)
