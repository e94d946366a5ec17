"""Texts of refusals: what the rules forbid, and what to do instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from domain.decider import Detail


class RefusalText(NamedTuple):
    """The text of a refusal; `facts` are the refusal's own, in its order."""

    what: str
    instead: str
    facts: list[tuple[str, str]]

    @property
    def line(self) -> str:
        return f"{self.what.removesuffix('.')}. {self.instead}"


TEXTS: Mapping[str, tuple[str, str]] = {
    "session-closed": (
        "The session is closed.",
        "You can still read it, but no one can take a seat.",
    ),
    "seat-held": (
        "The seat {seat} is taken.",
        "Take another seat, or ask the GM for an invitation to this one.",
    ),
    "seat-reserved": (
        "The seat {seat} belongs to the house.",
        "Choose another name for your seat.",
    ),
    "seat-unknown": (
        "There is no seat {seat} in this session.",
        "Choose one of the seats that are listed on the session's page.",
    ),
    "role-differs": (
        "The seat {seat} has the role {held}, not {asked}.",
        "Take another seat, or ask for another invitation.",
    ),
    "not-your-seat": (
        "Your seat may not do this for the seat {seat}.",
        "Ask its holder, or the GM.",
    ),
    "too-many-seats": (
        "This session has had its {most} seats.",
        "Take one of them that is free now.",
    ),
    "chain-needed": (
        "The seat {seat} has its own key, so its holder must bring its next chain.",
        "Join with the browser or the file that has the key. If it is lost, ask the GM for a new seat.",
    ),
    "key-differs": (
        "The seat {seat} does not have the key that this browser holds for it.",
        "Import the seat's file, or ask the GM for a new seat.",
    ),
    "key-taken": ("Another seat has this key.", "Create a new key for this seat."),
    "chain-there": (
        "The seat {seat} has a chain already.",
        "Continue with the file or the browser that made it.",
    ),
    "named-afterwards": (
        "A held seat cannot take a chain and a name in one request.",
        "Take the seat first, then set the name.",
    ),
    "gm-only": ("Only the GM may do this.", "Ask the GM to do it."),
    "gm-stays": ("The GM cannot leave.", "Hand the GM's role to a player first."),
    "not-a-player": (
        "{seat} is not a player who is present.",
        "Hand the GM's role to a player who is present.",
    ),
    "not-missed": (
        "The seat {seat} has its own key and has missed no draw, so only its holder can say that it is away.",
        "After a draw was voided because of it, the GM can set it absent or free the seat.",
    ),
    "signature-needed": (
        "The seat {seat} has its own key, so this needs its signature.",
        "Use the browser or the file that has the key. The browser needs JavaScript to sign.",
    ),
    "signature-wrong": ("The signature is not the seat's.", "Reload the page and try again."),
    "presence-unchanged": ("The seat is in that state already.", "There is nothing to do."),
    "role-may-not": ("Your role may not do this.", "Ask the GM or a player."),
    "fork-beyond-end": (
        "The session has not reached that version.",
        "Choose an earlier version.",
    ),
    "fork-inside-turn": (
        "A turn is not complete at that version.",
        "Choose the last version of a turn.",
    ),
    "fork-of-a-secret": (
        "The table of that version holds a secret that your seat may not see.",
        "Choose an earlier version, or ask the GM to open the secret or to fork.",
    ),
    "rewind-to-present": ("The table is at that version already.", "Choose an earlier version."),
    "rewind-beyond-end": (
        "The session has not reached that version.",
        "Choose an earlier version.",
    ),
    "rewind-inside-turn": (
        "A turn is not complete at that version.",
        "Choose the last version of a turn.",
    ),
    "take-back-not-yours": ("The last command was not yours.", "Ask the GM to rewind."),
    "take-back-settled": ("The last command is settled already.", "Ask the GM to rewind."),
    "restored": (
        "The session was restored from a backup, so its next draws may be known already.",
        "Fork it at its last version, on its page of branches, and continue in the fork.",
    ),
    "imported": (
        "The session was imported from a file, or this server has lost the house's key for it.",
        "Continue on the server where it was opened. The operator can check the key with `fairlog doctor`.",
    ),
    "redact-nowhere": (
        "The session has not reached version {of}.",
        "Use the number in front of the line, in the log on the session's page.",
    ),
    "no-words-there": (
        "Version {of} has no text to redact: it is no narration and names no seat, or its text is redacted already.",
        "Use the number in front of the line, in the log on the session's page.",
    ),
    "words-not-yours": (
        "The text of version {of} belongs to another seat.",
        "Ask that seat or the GM to redact it.",
    ),
    "about-nowhere": (
        "The session has not reached version {about}.",
        "Name an earlier version.",
    ),
    "nothing-sealed": (
        "Turn {turn} is not secret, or it was opened already.",
        "There is nothing to do.",
    ),
    "seal-not-yours": (
        "Your seat may not see the secret of turn {turn}.",
        "Ask the GM to open it.",
    ),
    "draw-waits": (
        "A draw is waiting for its seats.",
        "Try again when it has ended, in a few seconds.",
    ),
}
DEFAULT_ADVICE = "Nothing was changed."


def refusal_text(rule: str, facts: Mapping[str, Detail], names: Mapping[str, str]) -> RefusalText:
    """Return the refusal's text, with names instead of ids.

    A ruleset's rule is described by its slug and facts.
    """
    told = [(name.replace("_", " "), _format_detail(value, names)) for name, value in facts.items()]
    listed = ", ".join(f"{name} {value}" for name, value in told)
    what, instead = TEXTS.get(
        rule, (rule.replace("-", " ") + (f": {listed}" if listed else ""), DEFAULT_ADVICE)
    )
    by_field = dict(zip(facts, (value for _, value in told), strict=True))
    return RefusalText(_fill(what, by_field), _fill(instead, by_field), told)


def _format_detail(value: Detail, names: Mapping[str, str]) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return names.get(value, names.get(f"@{value}", value))
        case int():
            return str(value)
    return ", ".join(names.get(each, each) for each in value) or "none"


def _fill(words: str, facts: Mapping[str, str]) -> str:
    for name, told in facts.items():
        words = words.replace(f"{{{name}}}", told)
    return words
