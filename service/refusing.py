"""Refusals in words: what is against it, and what to do instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from domain.decider import Detail


class InWords(NamedTuple):
    """`facts` are the refusal's own, in its order."""

    what: str
    instead: str
    facts: list[tuple[str, str]]

    @property
    def line(self) -> str:
        return f"{self.what.removesuffix('.')}. {self.instead}"


WORDS: Mapping[str, tuple[str, str]] = {
    "session-closed": ("The evening is closed.", "It can be looked at; nobody sits down any more."),
    "seat-held": (
        "Somebody sits on the seat {seat}.",
        "Take another, or ask the GM for an invitation to this very one.",
    ),
    "seat-reserved": ("The seat {seat} is the house's.", "Take another name for yours."),
    "seat-unknown": (
        "Nobody sits on the seat {seat}.",
        "Look who is there, and choose one of these.",
    ),
    "role-differs": (
        "The seat {seat} is {held}'s, not {asked}'s.",
        "Take another seat, or ask for another invitation.",
    ),
    "not-your-seat": (
        "That is not for your seat to say of {seat}.",
        "Ask whoever sits there, or the GM.",
    ),
    "too-many-seats": (
        "All {most} seats of this session were taken once.",
        "Take a seat that is free again.",
    ),
    "chain-needed": (
        "The seat {seat} has a key of its own: it comes back with its next chain alone.",
        "Join from the browser, or with the file, that has the key. Where that is lost, ask the GM for a new seat.",
    ),
    "key-differs": (
        "The seat {seat} has another key than this browser has for it.",
        "Import the seat's file, or ask the GM for a new seat.",
    ),
    "key-taken": ("Another seat has this key.", "Every seat makes a key of its own."),
    "chain-there": (
        "The seat {seat} has a chain already.",
        "Go on with the file or the browser that made it.",
    ),
    "named-afterwards": (
        "A chain and a name do not come together here.",
        "Sit down first, name yourself then.",
    ),
    "gm-only": ("This is for the GM.", "Ask the GM to do it."),
    "gm-stays": ("The GM does not leave.", "Hand the GM's role to a player first."),
    "not-a-player": ("{seat} does not play.", "The GM's role goes to a player who is there."),
    "not-missed": (
        "The seat {seat} has a key of its own, and no draw was given up for it: only it can say that it goes.",
        "Once a draw was given up for it, the GM can say it is away, or take the seat.",
    ),
    "signature-needed": (
        "The seat {seat} has a key, so what it says of itself is signed.",
        "Say it from the browser, or with the file, that has the key; JavaScript signs it there.",
    ),
    "signature-wrong": ("The signature is not the seat's.", "Reload the page and say it again."),
    "presence-unchanged": ("That is how it stands already.", "Nothing needs to be done."),
    "role-may-not": ("This is not for your seat.", "Ask the GM or a player."),
    "fork-beyond-end": (
        "The session has not come that far.",
        "Choose a version that it has reached.",
    ),
    "fork-inside-turn": (
        "A turn is not over at that version.",
        "Choose the last version of a turn.",
    ),
    "fork-of-a-secret": (
        "Something on the table of that version is hidden from your seat.",
        "Choose an earlier version, or ask the GM to open it or to fork.",
    ),
    "rewind-to-present": ("The table is at that version.", "Choose an earlier one."),
    "rewind-beyond-end": (
        "The session has not come that far.",
        "Choose a version that it has reached.",
    ),
    "rewind-inside-turn": (
        "A turn is not over at that version.",
        "Choose the last version of a turn.",
    ),
    "take-back-not-yours": ("The last wish was not yours.", "Ask the GM to rewind."),
    "take-back-settled": ("What came of it is settled.", "Ask the GM to rewind."),
    "restored": (
        "The session came back from a backup, and what is rolled next may have been seen.",
        "Fork it at its last version, on its page of branches, and go on in the fork.",
    ),
    "imported": (
        "The session came from a file, or the house's key here is not the one that it is played with.",
        "Play on where it came from; who runs this server asks `fairlog doctor` about the key.",
    ),
    "redact-nowhere": (
        "The session has not come as far as version {of}.",
        "Take the number in front of the line, in the log on the table's page.",
    ),
    "no-words-there": (
        "Version {of} has no words that can be taken out: it is no narration and names no seat, or they are gone.",
        "Take the number in front of the line, in the log on the table's page.",
    ),
    "words-not-yours": (
        "The words of version {of} are another seat's.",
        "Ask that seat or the GM to take them out.",
    ),
    "about-nowhere": (
        "The session has not come as far as version {about}.",
        "Name a version that it has reached.",
    ),
    "nothing-sealed": (
        "Turn {turn} has nothing sealed, or it was opened.",
        "Nothing needs to be done.",
    ),
    "seal-not-yours": (
        "What is sealed in turn {turn} is not for your seat.",
        "Ask the GM to open it.",
    ),
    "draw-waits": ("A draw waits for its seats.", "Try again when it is over; that takes seconds."),
}
OTHERWISE = "Nothing was changed."


def in_words(rule: str, facts: Mapping[str, Detail], names: Mapping[str, str]) -> InWords:
    """With ids told by their names. A rule of a game is told by its own name and the facts."""
    told = [(name.replace("_", " "), _fact(value, names)) for name, value in facts.items()]
    listed = ", ".join(f"{name} {value}" for name, value in told)
    what, instead = WORDS.get(
        rule, (rule.replace("-", " ") + (f": {listed}" if listed else ""), OTHERWISE)
    )
    by_field = dict(zip(facts, (value for _, value in told), strict=True))
    return InWords(_filled(what, by_field), _filled(instead, by_field), told)


def _fact(value: Detail, names: Mapping[str, str]) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return names.get(value, names.get(f"@{value}", value))
        case int():
            return str(value)
    return ", ".join(names.get(each, each) for each in value) or "none"


def _filled(words: str, facts: Mapping[str, str]) -> str:
    for name, told in facts.items():
        words = words.replace(f"{{{name}}}", told)
    return words
