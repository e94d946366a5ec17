"""Texts of refusals: what the rules forbid, and what to do instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from domain.decider import Detail


class RefusalText(NamedTuple):
    """The text of a refusal: what was refused, what to do, and the refusal's facts in order."""

    what: str
    instead: str
    facts: list[tuple[str, str]]

    @property
    def line(self) -> str:
        return f"{self.what.removesuffix('.')}. {self.instead}"


TEXTS: Mapping[str, tuple[str, str]] = {
    "session-closed": (
        "The session is closed.",
        "You can still read it, but you cannot take a seat.",
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
        "Your seat cannot do this for the seat {seat}.",
        "Ask its holder, or the GM.",
    ),
    "too-many-seats": (
        "The session already has {most} seats, which is the maximum.",
        "Take one of its free seats.",
    ),
    "chain-needed": (
        "The seat {seat} has its own key, so its holder must bring its next chain.",
        "Join with the browser or the file that has the key. If it is lost, ask the GM for a new"
        " seat.",
    ),
    "key-differs": (
        "The seat {seat} does not have the key that this browser holds for it.",
        "Import the seat's file, or ask the GM for a new seat.",
    ),
    "key-taken": ("Another seat already uses this key.", "Create a new key for this seat."),
    "chain-there": (
        "The seat {seat} already has a chain.",
        "Use the browser or the file that created it.",
    ),
    "named-afterwards": (
        "A held seat cannot set a chain and a name in one request.",
        "Take the seat first, then set the name.",
    ),
    "gm-only": ("Only the GM may do this.", "Ask the GM to do it."),
    "gm-stays": ("The GM cannot leave.", "Hand the GM's role to a player first."),
    "not-a-player": (
        "{seat} is not a player who is present.",
        "Hand the GM's role to a player who is present.",
    ),
    "not-missed": (
        "The seat {seat} has its own key and has missed no draw, so only its"
        " holder can set it absent.",
        "Wait for the seat. After it has missed a draw, the GM can set it absent or free it.",
    ),
    "signature-needed": (
        "The seat {seat} has its own key, so this needs its signature.",
        "Use the browser or the file that has the key. The browser needs JavaScript to sign.",
    ),
    "signature-wrong": (
        "The signature does not match the seat's key.",
        "Reload the page and try again.",
    ),
    "presence-unchanged": ("The seat is already in that state.", "There is nothing to do."),
    "role-may-not": ("Your role does not allow this.", "Ask the GM or a player to do it."),
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
    "rewind-to-present": ("The table is already at that version.", "Choose an earlier version."),
    "rewind-beyond-end": (
        "The session has not reached that version.",
        "Choose an earlier version.",
    ),
    "rewind-inside-turn": (
        "A turn is not complete at that version.",
        "Choose the last version of a turn.",
    ),
    "take-back-not-yours": ("The last command was not yours.", "Ask the GM to rewind."),
    "take-back-settled": ("The last command is already settled.", "Ask the GM to rewind."),
    "restored": (
        "The session was restored from a backup, so someone may already know its next draws.",
        "Open its page of branches, fork it at its last version and continue in the fork.",
    ),
    "imported": (
        "The session was imported from a file, or this server has lost the house's key for it.",
        "Continue on the server where it was opened. The operator can check the key with"
        " `fairlog doctor`.",
    ),
    "redact-nowhere": (
        "The session has not reached version {of}.",
        "Use the number in front of the line, in the log on the session's page.",
    ),
    "no-words-there": (
        "Version {of} has no text to redact: it is no narration or seat name, or it is already"
        " redacted.",
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
        "Turn {turn} is not secret, or it is already open.",
        "There is nothing to do.",
    ),
    "seal-not-yours": (
        "Your seat may not see the secret of turn {turn}.",
        "Ask the GM to open it.",
    ),
    "draw-waits": (
        "A draw is waiting for its seats.",
        "Wait a few seconds until it ends, then try again.",
    ),
}
DEFAULT_ADVICE = "Nothing was changed."


def refusal_text(rule: str, facts: Mapping[str, Detail], names: Mapping[str, str]) -> RefusalText:
    """Return the refusal's text with names instead of ids.

    For a ruleset's own rule, the text consists of its slug and its facts.
    """
    listed_facts = [
        (name.replace("_", " "), _format_detail(value, names)) for name, value in facts.items()
    ]
    listed = ", ".join(f"{name} {value}" for name, value in listed_facts)
    what, advice = TEXTS.get(
        rule, (rule.replace("-", " ") + (f": {listed}" if listed else ""), DEFAULT_ADVICE)
    )
    by_field = dict(zip(facts, (value for _, value in listed_facts), strict=True))
    return RefusalText(_fill(what, by_field), _fill(advice, by_field), listed_facts)


def _format_detail(value: Detail, names: Mapping[str, str]) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return names.get(value, names.get(f"@{value}", value))
        case int():
            return str(value)
    return ", ".join(names.get(each, each) for each in value) or "none"


def _fill(text: str, facts: Mapping[str, str]) -> str:
    for name, value in facts.items():
        text = text.replace(f"{{{name}}}", value)
    return text
