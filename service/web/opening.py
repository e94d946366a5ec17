"""A new evening from a form: drawn from the schema of the game's options, taken as POST /v1/sessions takes its body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from flask import Blueprint, Response, request, url_for

from domain.decider import Refused
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS_BY_EDITION
from service.http import auth, models, validation
from service.http.errors import ProblemError
from service.http.routes.rulesets import ruleset_view
from service.http.routes.sessions import create_session
from service.web import forms, seat_cookie
from service.web.drawing import go_to, page
from service.web.fields import Field, fields, given
from service.web.saying import said

FRAME = ("title", "name", "draws")
REFUSED: Mapping[str, tuple[str, str]] = {
    "deadline-of-the-house": (
        "deadline",
        "The house does not wait: this is for evenings where the table draws.",
    ),
}
"""Of a rule: the field that it is about, and what is wrong with it."""

blueprint = Blueprint("Opening", __name__)


class Form(NamedTuple):
    """The form of a game; `values` as they were sent, `errors` by field, "" for what is about none."""

    ruleset: AnyRuleset
    options: list[Field]
    key: str
    values: Mapping[str, str]
    errors: Mapping[str, str]

    @property
    def needs_key(self) -> bool:
        """Whether not everybody may open a session here."""
        return bool(auth.services().app.settings.opening_key)

    def is_on(self, field: Field) -> bool:
        """Whether a tick is set: as it was sent, or else as is usual."""
        return f"option-{field.name}" in self.values if self.values else field.default is True

    def value(self, field: Field) -> str:
        usual = "" if field.default is None else str(field.default)
        return self.values.get(f"option-{field.name}", usual)


def form_of(
    ruleset: str, edition: str, values: Mapping[str, str] = {}, errors: Mapping[str, str] = {}
) -> Form:
    """The form, under a fresh key: sent twice, it opens one session. Problem("not-found")."""
    chosen = RULESETS_BY_EDITION.get((ruleset, edition))
    if chosen is None:
        raise ProblemError("not-found", "No such ruleset, or not in this edition.")
    key = request.form.get(forms.KEY) or forms.fresh_key()
    return Form(chosen, list(fields(ruleset_view(chosen).options)), key, values, errors)


@blueprint.post("/new")
def new() -> Response:
    """Opens the session, and leads its GM to it; what is wrong is said beside its field."""
    sent = {name: values[0] for name, values in forms.sent().items()}
    form = form_of(sent.get("ruleset", ""), sent.get("edition", ""), sent)
    try:
        ticket, _ = create_session(
            validation.read_body(models.OpenRequest, msgspec.json.encode(_body(form)))
        )
    except ProblemError as no:
        if no.code == "opening-key-required":
            return _again(form, {auth.FIELD: "This is not the key: ask who runs this server."})
        if no.code != "malformed":
            raise
        return _again(form, forms.wrong(no))
    except Refused as no:
        found = said(no)
        field, words = REFUSED.get(no.rule, ("", f"{found.what} {found.instead}"))
        return _again(form, {field: words})
    response = go_to(url_for("Session.session", session=ticket.session))
    seat_cookie.store(response, ticket.session, ticket.token)
    return response


def _body(form: Form) -> dict[str, Any]:
    """What the form says, as the API takes it: an option that is as usual is not named."""
    given_ = {
        each.name: (given(each, form.values.get(f"option-{each.name}")), each.default)
        for each in form.options
    }
    options = {name: value for name, (value, usual) in given_.items() if value not in (None, usual)}
    info = {name: form.values[name] for name in FRAME if name in form.values}
    return {
        "ruleset": form.ruleset.name,
        "edition": form.ruleset.edition,
        "title": "",
        "options": options,
    } | info


def _again(form: Form, errors: Mapping[str, str]) -> Response:
    """The form, filled in as it was sent."""
    return page("again.html", 422, form=form._replace(errors=errors))
