"""The meaning of each field of the events of the session, for the API's document."""

from __future__ import annotations

from collections.abc import Mapping

EVENT_FIELDS: Mapping[str, str] = {
    "about": (
        "the version of the earlier event that the narration refers to, from 1; "
        "absent if it refers to none"
    ),
    "audience": (
        "who, besides the server and the auditors, can see the turn until it is opened: the seat "
        "that caused the event and the GM (gm), only the GM (blind), or only that seat (self); "
        "absent if everyone can see it"
    ),
    "carry": (
        "the ruleset's options for the next session, keyed by name and derived from the table that "
        "everyone sees; empty if the GM did not record them or the ruleset carries none over"
    ),
    "child": "the id of the new session, 16 bytes in hex",
    "command_commitment": (
        "the commitment to the secret command and its salt (docs/fairness.md), 32 bytes in hex; "
        "absent unless the turn is secret and has a draw"
    ),
    "dice": (
        "`declared` if the command was sent with the faces of physical dice, which `values` "
        "contains; absent otherwise"
    ),
    "dice_name": (
        "the name of the physical dice that `values` contains, such as `the red d6`, 1 to 40 "
        "characters; absent if the command was sent without one, and in format 1"
    ),
    "draw": (
        "the declaration of the draw that gives the command its random values; absent if the "
        "command needs none or was sent with the faces of physical dice"
    ),
    "edition": "the edition of the ruleset",
    "extensions": (
        "the names of the extensions of the log's format that the session uses, in alphabetical "
        "order, each once; absent if it uses none"
    ),
    "format": "the format of the session's log (docs/log-format.md), 2; absent in format 1",
    "k": "the number of the draw, from 0",
    "log_key": (
        "the public key with which the log was opened, as a vkey (C2SP); checkpoints are signed "
        "with it or with a key that follows it"
    ),
    "missing": (
        "the ids of the seats that did not contribute before the deadline, in alphabetical order; "
        "at least one, and never the server (`house`)"
    ),
    "name": "the new display name of the seat",
    "next_blind": (
        "the server's commitment to its 32 bytes for the next draw, which become part of that "
        "draw's seed if the draw is secret, 32 bytes in hex; absent if the server's SeatTaken "
        "event has no `next_blind`"
    ),
    "nth": "the number of this event among the seat's SeatLeft and PresenceSet events, from 1",
    "of": "the version of the Narrated or SeatNamed event whose text was deleted, from 1",
    "options": (
        "all options of the session and its ruleset, keyed by name, including those with default "
        "values; without `deadline` if the server alone contributes to draws"
    ),
    "parent": "the origin of the fork; absent if the session is not a fork",
    "present": "true if the seat takes part in draws from now on, otherwise false",
    "public_key": (
        "the seat's public key for Ed25519, 32 bytes in hex; absent if the event anchors no chain"
    ),
    "reason": "the reason, visible to everyone",
    "role": "the seat's role from now on; `house` is the role of the server alone",
    "ruleset": "the name of the ruleset, such as dhextiny",
    "salt": (
        "the 32 bytes in hex that hid the command, with which anyone can check "
        "`command_commitment` of the Declared event; absent if the turn had no draw"
    ),
    "table": (
        "the complete table of the parent session at the version that `parent` of the Opened event "
        "names, in the ruleset's own format"
    ),
    "target": (
        "the version of an earlier event that states the command's target, from 1; "
        "absent if the command was sent without one"
    ),
    "text": "the text of the narration",
    "title": "the session's title",
    "to": "the version to which the table is restored, from 1",
    "turn": "the number of the secret turn, from 1; absent if the turn had a draw",
    "unopened": (
        "the number of secret turns that are not open when the session is closed, from 1, keyed by "
        "the id of the seat that caused them; seats without any are left out, and `house` stands "
        "for the secret initial table of a fork"
    ),
    "Parent.root": (
        "the root of the Merkle tree of the parent session's first `version` events, 32 bytes in "
        "hex"
    ),
    "Parent.session": "the id of the parent session, 16 bytes in hex",
    "Parent.version": "the version of the parent session from which the fork continues, from 1",
    "Draw.contributors": (
        "the requested links, as a (seat, chain, position) tuple for each contributor, ordered by "
        "seat: the id of the seat (`house` is the server), the number of the seat's chain, from 0, "
        "and the position of the link in the chain, from 1"
    ),
    "Draw.k": (
        "the number of the draw, from 0; draws are numbered without gaps in the whole session, "
        "across rewinds and including voided draws"
    ),
    "Draw.blind": (
        "the server's commitment to the 32 bytes that hide the values of a secret draw, 32 bytes "
        "in hex; absent if the draw is not secret"
    ),
    "Draw.entropy": (
        "the 32 random bytes in hex that the seat sent with its command, which are part of the "
        "draw's seed; absent if the seat sent none, and in format 1"
    ),
    "Inherited.audience": (
        "`gm` if part of the table was hidden from the public in the parent session, so that, "
        "besides the server and the auditors, only the GM can see the table until it is opened; "
        "absent if everyone can see it"
    ),
    "Forked.version": "the version of this session whose table the new session starts with, from 1",
    "SeatTaken.seat": (
        "the id of the seat that was taken or whose role or chain changed; `house` is the server"
    ),
    "SeatTaken.anchor": (
        "the link at position 0 of the seat's new chain, 32 bytes in hex; "
        "absent if the event anchors no chain"
    ),
    "SeatTaken.chain": (
        "the number of the seat's new chain, from 0; absent if the event anchors no chain"
    ),
    "SeatTaken.length": (
        "the number of links in the seat's new chain, not counting the anchor, from 1 to 65,536; "
        "absent if the event anchors no chain"
    ),
    "SeatTaken.signature": (
        "the seat's Ed25519 signature for this event, 64 bytes in hex, which covers the session's "
        "id and all fields but `signature` (docs/fairness.md); absent if the event anchors no chain"
    ),
    "SeatTaken.previous_link": (
        "in format 2, the last link that a draw requested from the seat's old chain, 32 bytes in "
        "hex; absent if the seat has revealed that link, if no link was requested or if there is "
        "no old chain"
    ),
    "SeatTaken.next_blind": (
        "the server's commitment to its 32 bytes for draw 0, which become part of that draw's seed "
        "if the draw is secret, 32 bytes in hex; absent for all seats but the server's (`house`), "
        "in format 1, and if the server made no such commitment"
    ),
    "SeatLeft.seat": "the id of the seat whose holder left or was removed by the GM",
    "SeatLeft.signature": (
        "the seat's Ed25519 signature for this event, 64 bytes in hex, which covers the session's "
        "id and all fields but `signature` (docs/fairness.md); absent if the seat never had a "
        "chain, or if the GM removed its holder"
    ),
    "SeatLeft.seen_root": (
        "the root of the Merkle tree of size `seen_size` that the seat last saw, 32 bytes in hex; "
        "absent if `signature` is absent, and in format 1"
    ),
    "SeatLeft.seen_size": (
        "the size of the Merkle tree that the seat last saw, as a number of events, from 1; "
        "absent if `signature` is absent, and in format 1"
    ),
    "PresenceSet.seat": "the id of the seat that started or stopped taking part in draws",
    "PresenceSet.signature": (
        "the seat's Ed25519 signature for this event, 64 bytes in hex, which covers the session's "
        "id and all fields but `signature` (docs/fairness.md); absent if the seat never had a "
        "chain, or if the GM or the server marked another seat as absent"
    ),
    "PresenceSet.seen_root": (
        "the root of the Merkle tree of size `seen_size` that the seat last saw, 32 bytes in hex; "
        "absent if `signature` is absent, and in format 1"
    ),
    "PresenceSet.seen_size": (
        "the size of the Merkle tree that the seat last saw, as a number of events, from 1; "
        "absent if `signature` is absent, and in format 1"
    ),
    "SeatNamed.seat": "the id of the seat that was named",
    "ChainAnchored.anchor": "the new chain's link at position 0, 32 bytes in hex",
    "ChainAnchored.chain": "the number of the seat's new chain, from 1",
    "ChainAnchored.length": (
        "the number of links in the new chain, not counting the anchor, from 1 to 65,536"
    ),
    "ChainAnchored.seat": "the id of the seat that anchored the chain; `house` is the server",
    "ChainAnchored.signature": (
        "the seat's Ed25519 signature for this event, 64 bytes in hex, which covers the session's "
        "id and all fields but `signature` (docs/fairness.md)"
    ),
    "ChainAnchored.previous_link": (
        "in format 2, the last link that a draw requested from the seat's old chain, 32 bytes in "
        "hex; absent if the seat has revealed that link or if no link was requested; in format 1, "
        "the link after it, absent if the seat did not reveal it"
    ),
    "Declared.command": (
        "the ruleset's command, an object with its `kind`; absent if the turn is secret and has a "
        "draw"
    ),
    "Declared.values": (
        "the values of physical dice and cards in the order in which the rules asked for them, "
        "each as a (sides, face) tuple: the number of values that were possible, such as 6 for a "
        "d6, and the value, from 1 to that number; absent if the command was sent without the "
        "faces of physical dice"
    ),
    "Drawn.contributions": (
        "the contributions of all contributors, including the server's, ordered by seat"
    ),
    "Drawn.values": (
        "the drawn values in the order in which the rules asked for them, each as a (sides, face) "
        "tuple: the number of values that were possible, such as 6 for a d6, and the value, from 1 "
        "to that number; empty if the turn is secret"
    ),
    "Drawn.entropy": (
        "the entropy of the draw as its Declared event contains it, 32 bytes in hex; "
        "absent if it is absent there"
    ),
    "DrawVoided.contributions": (
        "the contributions that arrived before the deadline and the server's, ordered by seat"
    ),
    "SealOpened.blind": (
        "the server's 32 bytes in hex that hid the values of the draw, with which anyone can check "
        "`draw.blind` of the Declared event; absent if the turn had no draw"
    ),
    "SealOpened.command": (
        "the secret command, an object with its `kind`; absent if the turn had no draw"
    ),
    "SealOpened.k": "the number of the turn's draw, from 0; absent if the turn had no draw",
    "SealOpened.values": (
        "the values of the draw in the order in which the rules asked for them, each as a (sides, "
        "face) tuple: the number of values that were possible, such as 6 for a d6, and the value, "
        "from 1 to that number; empty if the draw was voided, and absent if the turn had no draw"
    ),
}
