"""Messages that explain why a request was refused and what to do instead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from domain.decider import Detail


class RefusalText(NamedTuple):
    """The message for a refusal.

    `what` is the reason for the refusal, and `instead` is advice to the user. `facts` lists the
    details as (name, value) pairs.
    """

    what: str
    instead: str
    facts: list[tuple[str, str]]

    @property
    def line(self) -> str:
        return f"{self.what.removesuffix('.')}. {self.instead}"


TEXTS: Mapping[str, tuple[str, str]] = {
    "session-closed": (
        "The session is closed.",
        "You can still read it, but you can no longer play.",
    ),
    "seat-held": (
        "Seat {seat} is not free.",
        "Take another seat, or ask the GM for an invitation to this one.",
    ),
    "seat-reserved": (
        "Seat {seat} belongs to the server.",
        "Choose another seat.",
    ),
    "seat-unknown": (
        "Seat {seat} is not taken in this session.",
        "Choose one of the seats listed on the session's page.",
    ),
    "seat-does-not-play": (
        "No one plays in seat {seat}: it is empty, or its holder does not play.",
        "Choose the seat of a player or the GM.",
    ),
    "role-differs": (
        "Seat {seat} has the role {held}, not {asked}.",
        "Take another seat, or ask the GM for an invitation with the right role.",
    ),
    "no-parent-seat": (
        "Only a seat of the session that this one was forked from can be notified.",
        "Send the `url` of an invitation without `notify` to the person.",
    ),
    "not-your-seat": (
        "You may not do this for seat {seat}.",
        "Ask the holder of that seat or the GM to do it.",
    ),
    "too-many-seats": (
        "The session already has {most} seats, which is the maximum.",
        "Take one of the free seats.",
    ),
    "chain-needed": (
        "Seat {seat} has its own key, so you need that key to take the seat.",
        "Join with the browser or the seat file that contains the key. If the key is lost, ask the"
        " GM for a new seat.",
    ),
    "key-differs": (
        "The key in the request does not belong to seat {seat}.",
        "Import the seat file that contains the right key, or ask the GM for a new seat.",
    ),
    "key-taken": ("Another seat already uses this key.", "Create a new key for this seat."),
    "chain-there": (
        "Seat {seat} already has a hash chain.",
        "Use the browser or the seat file that contains the chain.",
    ),
    "named-afterwards": (
        "Seat {seat} is already taken, so one request cannot set both its chain and its name.",
        "Send the chain when you take the seat, then set the name in a second request.",
    ),
    "gm-only": ("Only the GM may do this.", "Ask the GM to do it."),
    "gm-stays": ("The GM cannot leave.", "Hand the GM's role to a player first."),
    "not-a-player": (
        "Seat {seat} is not a player, so it cannot become the GM.",
        "Hand the GM's role to a player.",
    ),
    "not-missed": (
        "Seat {seat} has its own key and has missed no draw, so only its holder can mark"
        " it absent or free it.",
        "Wait for the holder to do it. The GM can do it after the seat has missed a draw.",
    ),
    "signature-needed": (
        "Seat {seat} has its own key, so this request must be signed with that key.",
        "Use the browser or the seat file that contains the key. Signing in a browser requires"
        " JavaScript.",
    ),
    "signature-wrong": (
        "The signature does not match the seat's key.",
        "Reload the page and try again.",
    ),
    "presence-unchanged": (
        "Seat {seat} is already marked present or absent, as you requested.",
        "There is nothing to do.",
    ),
    "role-may-not": ("Your role does not allow this.", "Ask the GM or a player to do it."),
    "fork-beyond-end": (
        "The session has not reached that version.",
        "Choose an earlier version.",
    ),
    "fork-inside-turn": (
        "That version is in the middle of a turn.",
        "Choose a version at which a turn ends.",
    ),
    "fork-of-a-secret": (
        "The table at that version contains a secret that your seat may not see.",
        "Choose an earlier version, or ask the GM to reveal the secret or create the fork.",
    ),
    "rewind-to-present": ("The table is already at that version.", "Choose an earlier version."),
    "rewind-beyond-end": (
        "The session has not reached that version.",
        "Choose an earlier version.",
    ),
    "rewind-inside-turn": (
        "That version is in the middle of a turn.",
        "Choose a version at which a turn ends.",
    ),
    "take-back-not-yours": (
        "You can take back only your own command, and only if it is the last one.",
        "Ask the GM to rewind the session.",
    ),
    "take-back-settled": (
        "Your last command has already been resolved, so you cannot take it back.",
        "Ask the GM to rewind the session.",
    ),
    "restored": (
        "The session was restored from a backup, so someone may already know its next draws.",
        "On the session's Branches page, fork the session at its last version, and continue in the"
        " fork.",
    ),
    "imported": (
        "The session was imported from a file, or this server has lost its own key for it.",
        "Continue on the server where the session was opened. The operator can check the key with"
        " `fairlog doctor`.",
    ),
    "too-many-webhooks": (
        "The session already has {most} webhooks, which is the maximum.",
        "Delete one of them first.",
    ),
    "person-taken": (
        "The campaign already has a person with the id {person}.",
        "Choose another id, or give this person a new personal token.",
    ),
    "person-reserved": (
        "The id {person} is that of the server's seat.",
        "Choose another id.",
    ),
    "too-many-people": (
        "The campaign already had {most} people, which is the maximum.",
        "Forget people who have left first.",
    ),
    "last-gm": (
        "{person} is the only GM of the campaign.",
        "Hand the campaign over to another person first, or delete it.",
    ),
    "nothing-to-continue": (
        "The campaign has no session yet that could be continued.",
        "Send `ruleset` to open the first one, or add an existing session.",
    ),
    "no-seat-to-continue": (
        "You have no seat in the last session, so you cannot continue it.",
        "Join that session or link your seat in it, or send `ruleset` to begin with an empty"
        " table.",
    ),
    "too-many-sessions": (
        "The campaign already has {most} sessions, which is the maximum.",
        "Create another campaign.",
    ),
    "session-in-campaign": (
        "The session already belongs to another campaign.",
        "Take it out of that campaign first.",
    ),
    "session-token-wrong": (
        "The field `session_token` is not the own token of this session's GM.",
        "Send the token that the session's GM received when they took the seat.",
    ),
    "seat-token-wrong": (
        "The field `seat_token` is not the own token of seat {seat}.",
        "Send the token that the seat's holder received when they took the seat.",
    ),
    "seat-token-needed": (
        "A seat can be linked without its token only by the campaign's GM, and only while this GM"
        " is also the GM of the session.",
        "Send the seat's own token as `seat_token`, or let the seat's holder link it.",
    ),
    "redact-nowhere": (
        "The session has not reached version {event}.",
        "Use the version number shown before the line in the session's log.",
    ),
    "no-words-there": (
        "Version {event} has no text to redact: it is neither a narration nor a seat name, or its"
        " text is already redacted.",
        "Use the version number shown before the line in the session's log.",
    ),
    "words-not-yours": (
        "The text at version {event} belongs to another seat.",
        "Ask the holder of that seat or the GM to redact it.",
    ),
    "about-nowhere": (
        "The session has not reached version {about}.",
        "Choose an earlier version.",
    ),
    "nothing-sealed": (
        "Turn {turn} is not secret, or everyone can already see it.",
        "There is nothing to do.",
    ),
    "seal-not-yours": (
        "Your seat may not see the secret in turn {turn}.",
        "Ask a seat that can see it to reveal it.",
    ),
    "unseen": (
        "Something that your seat cannot see prevents this.",
        "Ask the GM what to do. If you are the GM, let the seat of the last secret turn finish"
        " that turn, or rewind to a version before it.",
    ),
    "faces-missing": (
        "The rules need more dice than the {given} that you entered: the next one has {die} sides.",
        "Enter the faces of all dice, in the order in which the rules use them.",
    ),
    "face-off-the-die": (
        "Face {face} is not on die {nth}, which has {die} sides.",
        "Correct the face.",
    ),
    "faces-left-over": (
        "The rules use fewer faces than you entered: {asked} instead of {given}.",
        "Enter only the faces of the dice that the rules use. If they use none, no roll is needed:"
        " send the command without faces.",
    ),
    "card-not-left": (
        "Card {card} is not in the deck any more.",
        "Enter the number that is printed on the card. If the cards on the table differ from those"
        " in the log, ask the GM to correct them.",
    ),
    "entropy-incomplete": (
        "The fields `entropy` and `k` must be sent together.",
        "Send both of them or neither.",
    ),
    "draw-not-next": (
        "The next draw has the number {next}, not {draw}.",
        "Send the command again with the number of the next draw.",
    ),
    "draw-waits": (
        "A draw is still waiting for seats to contribute.",
        "Wait a few seconds until the draw ends, then try again.",
    ),
    "no-draw-waits": (
        "No draw is waiting for a contribution, or it has already ended.",
        "There is nothing to do.",
    ),
    "not-a-contributor": (
        "Draw {draw} is not waiting for seat {seat}.",
        "Contribute only to draws that name your seat.",
    ),
    "position-differs": (
        "The draw needs the link at position {position} of chain {chain}.",
        "Send the contribution again with this link.",
    ),
    "link-wrong": (
        "The link is not the one at position {position} of chain {chain}.",
        "Send the link of your own chain that belongs to this position.",
    ),
    "anchor-used": (
        "A chain with this anchor is already in use.",
        "Make a new chain with a new random seed, then send its anchor.",
    ),
    "no-chain": (
        "Seat {seat} has no chain and no key.",
        "Take the seat with a key and a chain first, as described in docs/fairness.md.",
    ),
    "seen-elsewhere": (
        "The size of the log in your signature must be from {at_least} to {at_most}.",
        "Read the newest events, verify them, then sign again.",
    ),
    "another-log": (
        "Your signature confirms a different log: at size {size}, the root of this session's log is"
        " {root}.",
        "Do not sign again. Export the log and verify it.",
    ),
    "already-given": (
        "Seat {seat} has already contributed different bytes to draw {draw}.",
        "There is nothing to do: the first contribution counts.",
    ),
    "draw-is-over": (
        "Draw {draw} ended without this contribution.",
        "Contribute to the next draw that names your seat.",
    ),
    "deadline-ahead": (
        "Draw {draw} still waits for contributions until its deadline.",
        "Wait for the deadline, then try again.",
    ),
    "first-chain": (
        "The first chain of seat {seat} has no chain before it.",
        "Leave out `previous_link`, or leave out `public_key` to replace a chain.",
    ),
    "cosigner-key": (
        "The key is not a cosigner key.",
        "Send a verifier key of type 4, as described in docs/log-format.md.",
    ),
    "cosigner-name": (
        "The name of the cosigner key must be {expected}.",
        "Send the key under this name.",
    ),
    "not-a-checkpoint": (
        "The note is not a checkpoint.",
        "Send a checkpoint of this session with your cosignature.",
    ),
    "other-log": (
        "The checkpoint does not match this session's log.",
        "Get a checkpoint of this session and compare it with the log. If the server signed both,"
        " keep them: together they prove that the log was changed.",
    ),
    "cosignature-missing": (
        "The note has no signature by the key {key}.",
        "Sign the checkpoint with this key, then send it again.",
    ),
    "cosignature-bad": (
        "The cosignature is not valid.",
        "Sign the checkpoint again, then send it.",
    ),
    "cosigned-ahead": (
        "The time of the cosignature is ahead of the server's clock.",
        "Set your computer's clock, then sign again.",
    ),
    "cosigned-later": (
        "This key has already cosigned a newer checkpoint, of size {size}.",
        "Cosign the newest checkpoint.",
    ),
    "too-many-keys": (
        "Your seat has already cosigned with {most} keys, which is the maximum.",
        "Cosign with one of these keys.",
    ),
    "audience-empty": (
        "The roll is meant for the GM, but this session has no GM.",
        "Choose a different audience.",
    ),
    "declared-dice-off": (
        "This session does not accept the results of physical dice.",
        "Send the command without `faces`.",
    ),
    "dice-name-in-format-1": (
        "The log of this session has format 1, which cannot record the name of a die.",
        "Send the command without `dice_name`.",
    ),
    "target-nowhere": (
        "The session has reached version {version}, not {target}.",
        "Choose an earlier version as the target.",
    ),
    "deadline-of-the-house": (
        "The server makes all the draws in this session, so there is no deadline to set.",
        "Leave out the deadline, or let the seats draw together.",
    ),
    "ruleset-unknown": (
        "This server does not have the ruleset {ruleset}, edition {edition}.",
        "Choose one of the rulesets that the server lists.",
    ),
    "one-gm": (
        "The session already has a GM.",
        "Take a seat with another role.",
    ),
    "already-open": (
        "The session is already open.",
        "There is nothing to do.",
    ),
}
_IN_BRACES = re.compile(r"\{(\w+)\}")
# A seat and an entity can have the same id, and any text can equal an id.
_FACTS_OF_SEATS = {"seat", "by"}
_FACTS_OF_ENTITIES = {
    "action",
    "against",
    "declares",
    "entities",
    "entity",
    "hidden",
    "keeper",
    "open",
    "opponent",
    "participants",
    "players",
    "rolled",
    "target",
    "waiting",
}
DEFAULT_ADVICE = "Nothing was changed."


def refusal_text(
    rule: str,
    facts: Mapping[str, Detail],
    names: Mapping[str, str],
    of_ruleset: Mapping[str, tuple[str, str]] = MappingProxyType({}),
) -> RefusalText:
    """Return the message for a refusal, with names instead of ids.

    `of_ruleset` are the texts of the session's ruleset. If neither they nor TEXTS have an entry for
    the rule, the message is built from the rule's slug and the facts.
    """
    listed_facts = [
        (name.replace("_", " "), _format_detail(name, value, names))
        for name, value in facts.items()
    ]
    listed = ", ".join(f"{name} {value}" for name, value in listed_facts)
    from_slug = (rule.replace("-", " ") + (f": {listed}" if listed else ""), DEFAULT_ADVICE)
    what, advice = of_ruleset.get(rule) or TEXTS.get(rule, from_slug)
    by_field = dict(zip(facts, (value for _, value in listed_facts), strict=True))
    return RefusalText(_fill(what, by_field), _fill(advice, by_field), listed_facts)


def _format_detail(fact: str, value: Detail, names: Mapping[str, str]) -> str:
    def name(of: str) -> str:
        if fact in _FACTS_OF_SEATS:
            return names.get(f"@{of}", of)
        return names.get(of, of) if fact in _FACTS_OF_ENTITIES else of

    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return name(value)
        case int():
            return str(value)
    return ", ".join(map(name, value)) or "none"


def _fill(text: str, facts: Mapping[str, str]) -> str:
    """Replace each fact's name in braces with its value, and leave other braces as they are.

    A value at the beginning of a sentence begins with a capital letter.
    """

    def filled(found: re.Match[str]) -> str:
        value = facts.get(found[1], found[0])
        is_first = found.start() == 0 or text[: found.start()].endswith(". ")
        return f"{value[:1].upper()}{value[1:]}" if is_first else value

    return _IN_BRACES.sub(filled, text)
