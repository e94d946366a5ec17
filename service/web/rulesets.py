"""The page of a ruleset: its rules as numbered sentences, its commands and options, odds in typical situations."""

from __future__ import annotations

import re
from fractions import Fraction

from flask import Blueprint, Response
from markupsafe import Markup

from service.http.routes.rulesets import newest_edition, ruleset_view
from service.web.changed import fields as said_of
from service.web.drawing import page
from service.web.fields import fields
from service.web.rulebook import rulebook_or_text, spans
from service.web.typical import situations

SMALL = Fraction(1, 10_000)
_CITED = re.compile(r"\bRULES (\d+\.\d+)")

blueprint = Blueprint("Rules", __name__)


@blueprint.get("/rulesets/<ruleset:ruleset>")
def ruleset(ruleset: str) -> Response:
    """Of several editions the newest."""
    newest = newest_edition(ruleset)
    shown = ruleset_view(newest)
    return page(
        "ruleset.html",
        ruleset=shown,
        book=rulebook_or_text(shown.rules),
        options=list(fields(shown.options)),
        commands={
            kind.partition(".")[2]: (schema, list(fields(schema)))
            for kind, schema in shown.commands.items()
        },
        situations=situations(newest),
        percent=percent,
        cited=cited,
        said_of=said_of,
    )


def percent(chance: Fraction) -> str:
    """Rounded to two places, so that the points of a column stand below each other."""
    said = "under 0.01" if chance < SMALL else f"{float(100 * chance):.2f}"
    return f"{said}\N{NO-BREAK SPACE}%"


def cited(said: str) -> Markup:
    """A description, with the sentences that it names as links to them."""
    found, at = Markup(), 0
    for sentence in _CITED.finditer(said):
        found += spans(said[at : sentence.start()])
        found += Markup('<a href="#rule-{0}">rule\N{NO-BREAK SPACE}{0}</a>').format(sentence[1])
        at = sentence.end()
    return found + spans(said[at:])
