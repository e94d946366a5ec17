"""Words of the frame: a seat's role, and a refusal as pages show it."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from domain.decider import Refused, Role
from service.sessions.refusal_texts import refusal_text


def role_said(role: str) -> str:
    """As people write it."""
    return "GM" if role == Role.GM else str(role)


class Said(NamedTuple):
    """A sentence of the rules. `link` leads to it; "" where no page has it, as of those that every game has."""

    number: str
    words: Markup
    link: str


class No(NamedTuple):
    """What the rules say against it, and what to do instead; `rule` is the slug, `said` the sentences that name it."""

    rule: str
    what: str
    instead: str
    facts: list[tuple[str, str]]
    said: tuple[Said, ...] = ()


def said(refused: Refused) -> No:
    """The refusal in words, for who knows seats by their ids."""
    return No(refused.rule, *refusal_text(refused.rule, refused.facts, {}))
