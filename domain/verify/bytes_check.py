"""Level 1, bytes: checks canonical JSON, versions, turns and openings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from domain.codec import (
    INTEGER_LIMIT,
    NotCanonicalError,
    check_keys,
    check_parts,
    decode,
    decode_command,
    decode_fields,
    encode,
)
from domain.log_file import EventLine, EventOpening, Manifest
from domain.proof import ProofError, merkle_tree, signed_note
from domain.recorded_event import RecordedEvent, commitment, leaf
from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS_BY_EDITION
from domain.session import rolls
from domain.session.messages import (
    Declared,
    Drawn,
    DrawVoided,
    Inherited,
    LogFormat,
    Opened,
    PresenceSet,
    SealOpened,
    SeatLeft,
    SeatTaken,
)
from domain.session.secrets import SESSION_EVENT_TYPES, inherited_table, is_sealed, is_secret
from domain.session.state import EXTENSIONS, Deadline
from domain.verify.report import VerificationError

Number = Annotated[int, Meta(gt=-INTEGER_LIMIT, lt=INTEGER_LIMIT)]
_SEAT = re.compile(r"[a-z][a-z0-9-]{0,31}")
_COMMITMENT = re.compile(r"[0-9a-f]{64}")
_AS_ZEROS = bytes.maketrans(b"123456789", b"000000000")
_LONG_NUMBER = b"0" * len(str(INTEGER_LIMIT))  # also matches digits in texts and digests


class LeafFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The fields of a leaf. A leaf is the JSON text that is hashed for an event.

    For speed, the decoder does not check patterns. Instead, each `seat` is checked when it first
    appears in the log, and `body` is checked only if the event has no opening.
    """

    at: Annotated[int, Meta(ge=0, lt=INTEGER_LIMIT)]
    body: str
    seat: str
    session: str
    turn: Number
    v: Literal[1]
    version: Number


class SealedEvent(msgspec.Struct, frozen=True, gc=False):
    """An event without an opening.

    Its content is unknown. The version, turn and seat come from its leaf.
    """

    version: int
    turn: int
    seat: str


class UnknownEvent(Message, frozen=True, tag="foreign"):
    """A placeholder for an event from a ruleset or an extension that is not installed.

    Only the bytes of such an event can be checked.
    """

    name: str


FileEvent = RecordedEvent | SealedEvent

_decode_leaf = msgspec.json.Decoder(LeafFields).decode


class EventReader:
    """Reads the events in a log file one by one and stores them in `events`.

    Their leaf hashes are stored in `hashes`. `ruleset` is None if the log's ruleset is not
    installed. `extensions` names the extensions that the log uses and that this version of Fairlog
    does not support.
    """

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.ruleset = RULESETS_BY_EDITION.get((manifest.ruleset, manifest.edition))
        self.key = _log_key(manifest)
        self.events: list[FileEvent] = []
        self.hashes: list[bytes] = []
        self.extensions: tuple[str, ...] = ()
        self._has_rolls = False
        self._at = 0
        self._turn = self._highest_turn = self._waiting_turn = (
            0  # `_waiting_turn`: the turn whose draw has not ended
        )
        self._seats: set[str] = set()
        self._secret_turns: set[int] = set()  # turn numbers
        self._events = SESSION_EVENT_TYPES.union(self.ruleset.events if self.ruleset else ())

    def read(self, entry: EventLine) -> None:
        """Check and store the next event.

        Raises VerificationError if the event is invalid. The error contains the version that the
        event should have.
        """
        version = len(self.events) + 1
        fields = self._leaf(version, entry.leaf)
        if self.manifest.v > 1 and fields.at < self._at:
            raise VerificationError(
                version, "E_TIME", fields.at, f"a time of {self._at} ms or later"
            )
        allowed = {self._turn, self._highest_turn + 1, self._waiting_turn} - {0}
        if fields.turn not in allowed and not self.extensions:
            raise VerificationError(
                version, "E_TURN", fields.turn, " or ".join(map(str, sorted(allowed)))
            )
        self.events.append(self._to_event(fields, entry.opening))
        self.hashes.append(merkle_tree.leaf_hash(entry.leaf.encode()))
        self._turn, self._highest_turn = fields.turn, max(fields.turn, self._highest_turn)
        self._at = fields.at

    def read_single(self, version: int, entry: EventLine) -> FileEvent:
        """Check and return one event, without comparing it with the events before it.

        Raises VerificationError if the event is invalid.
        """
        return self._to_event(self._leaf(version, entry.leaf), entry.opening)

    def _to_event(self, fields: LeafFields, opening: EventOpening | UnsetType) -> FileEvent:
        if opening is not UNSET:
            return self._open_event(fields, opening)
        if fields.version == 1:
            raise VerificationError(1, "E_FORMAT", "no opening", "session.Opened with its opening")
        if not _COMMITMENT.fullmatch(fields.body):
            raise VerificationError(
                fields.version, "E_FORMAT", fields.body, "a commitment of 64 hexadecimal digits"
            )
        return SealedEvent(fields.version, fields.turn, fields.seat)

    def _leaf(self, version: int, text: str) -> LeafFields:
        try:
            fields = _decode_leaf(text)
            written = leaf(
                fields.session, fields.version, fields.turn, fields.at, fields.seat, fields.body
            ).decode()
            if written != text:
                check_keys(text)
                written = _write_escaped(fields)
        except (ValueError, RecursionError) as wrong:
            raise VerificationError(
                version, "E_FORMAT", f"{wrong}: {text}", "canonical JSON of a leaf"
            ) from None
        if written != text:
            raise VerificationError(version, "E_NONCANONICAL", text, written)
        if fields.seat not in self._seats:
            if not _SEAT.fullmatch(fields.seat):
                raise VerificationError(version, "E_FORMAT", fields.seat, "a seat's id")
            self._seats.add(fields.seat)
        if fields.version != version:
            raise VerificationError(version, "E_VERSION", fields.version, version)
        if fields.session != self.manifest.session:
            raise VerificationError(version, "E_SESSION", fields.session, self.manifest.session)
        return fields

    def _open_event(self, fields: LeafFields, opening: EventOpening) -> RecordedEvent:
        version, raw, salt = fields.version, bytes(opening.body), bytes.fromhex(opening.salt)
        try:
            body = self._message(raw)
        except NotCanonicalError:
            raise VerificationError(
                version, "E_NONCANONICAL", raw.decode(errors="replace"), _to_canonical(raw)
            ) from None
        except (
            ValueError,
            RecursionError,
        ) as wrong:  # msgspec's errors, invalid UTF-8, deep nesting
            found = f"{wrong}: {raw.decode(errors='replace')}"
            raise VerificationError(
                version, "E_FORMAT", found, "canonical JSON of an event"
            ) from None
        if (committed := commitment(salt, raw).hex()) != fields.body:
            raise VerificationError(version, "E_BODY", committed, fields.body)
        if (version == 1) is not (type(body) is Opened):
            raise VerificationError(
                version, "E_FORMAT", raw.decode(), "session.Opened at version 1 and nowhere else"
            )
        if isinstance(body, Opened):
            _check_manifest(self.manifest, body)
            if self.manifest.v > 1:
                _check_opened(body)
            self._use_extensions(body.extensions or ())
        if is_secret(body):
            self._secret_turns.add(fields.turn)
        if isinstance(body, Declared) and body.draw is not UNSET:
            self._waiting_turn = fields.turn
        elif isinstance(body, Drawn | DrawVoided):
            self._waiting_turn = 0
        sealed = is_sealed(body, fields.turn in self._secret_turns)
        return RecordedEvent(
            fields.session, version, fields.turn, fields.at, fields.seat, salt, body, raw, sealed
        )

    def _use_extensions(self, names: Iterable[str]) -> None:
        """Accept the events of the supported extensions, and note the other extensions."""
        self.extensions = tuple(name for name in names if name not in EXTENSIONS)
        self._has_rolls = rolls.NAME in names
        if self._has_rolls:
            self._events |= {rolls.DiceRolled}
            self.ruleset = self.ruleset and rolls.with_rolls(self.ruleset)

    def _message(self, raw: bytes) -> Message:
        """Decode an event from JSON, and check the command that it contains, if any.

        Raises ValueError or RecursionError if the event is invalid, and NotCanonicalError if it is
        not in canonical form.
        """
        try:
            if self.extensions:
                return _decode_unknown(raw)
            return (
                _decode_unknown_ruleset(raw, self.manifest, has_rolls=self._has_rolls)
                if self.ruleset is None
                else self._decode_event(self.ruleset, raw)
            )
        except NotCanonicalError:
            check_keys(raw.decode())
            raise

    def _decode_event(self, ruleset: AnyRuleset, raw: bytes) -> Message:
        if not raw.isascii() or b"\\u" in raw or _LONG_NUMBER in raw.translate(_AS_ZEROS):
            check_parts(msgspec.json.decode(raw))
        body = decode(raw)
        if type(body) not in self._events:
            raise ValueError(f"ruleset {ruleset.name} has no such event")
        _check_format(body, self.manifest.v)
        if isinstance(body, Declared | SealOpened) and body.command is not UNSET:
            decode_command(ruleset, body.command)
        if isinstance(body, Inherited) and encode(inherited_table(ruleset, body)) != bytes(
            body.table
        ):
            raise NotCanonicalError
        if encode(body) != raw:
            raise NotCanonicalError
        return body


def _write_escaped(fields: LeafFields) -> str:
    """Return the leaf as JSON, with characters escaped where JSON requires it."""
    session, seat, body = (
        msgspec.json.encode(text).decode()[1:-1]
        for text in (fields.session, fields.seat, fields.body)
    )
    return leaf(session, fields.version, fields.turn, fields.at, seat, body).decode()


def _log_key(manifest: Manifest) -> signed_note.Vkey:
    """Return the log key from the manifest. Raises VerificationError if it is invalid.

    The key's name and the manifest's origin must be identical and end with the session's id.
    """
    try:
        key = signed_note.parse_vkey(manifest.log_key)
    except ProofError as broken:
        raise VerificationError(0, broken.code, broken.found, broken.expected) from None
    origin = manifest.origin.rpartition("/sessions/")[0] + f"/sessions/{manifest.session}"
    if manifest.origin != origin or key.name != origin:
        raise VerificationError(
            0,
            "E_SESSION",
            f"origin {manifest.origin}, key name {key.name}",
            f"{origin} as both the origin and the key name",
        )
    return key


def _decode_unknown_ruleset(raw: bytes, manifest: Manifest, *, has_rolls: bool) -> Message:
    """Decode an event from a log whose ruleset is not installed.

    Return an UnknownEvent if the event belongs to that ruleset. Raises the same exceptions as
    `EventReader._message`.
    """
    value = msgspec.json.decode(raw)
    check_parts(value)
    kind, ruleset = _kind_of(raw), manifest.ruleset
    is_known = kind.startswith("session.") or (has_rolls and kind.startswith(f"{rolls.NAME}."))
    body = decode(raw) if is_known else UnknownEvent(_check_ruleset_prefix(kind, ruleset))
    _check_format(body, manifest.v)
    if isinstance(body, Declared | SealOpened) and body.command is not UNSET:
        command = _kind_of(body.command)
        if not (has_rolls and command == f"{rolls.NAME}.Roll"):
            _check_ruleset_prefix(command, ruleset)
    if encode(value) != raw:
        raise NotCanonicalError
    return body


def _decode_unknown(raw: bytes) -> UnknownEvent:
    """Decode an event from a log whose extensions are not installed.

    Raises the same exceptions as `EventReader._message`.
    """
    value = msgspec.json.decode(raw)
    check_parts(value)
    event = UnknownEvent(_kind_of(raw))
    if encode(value) != raw:
        raise NotCanonicalError
    return event


def _check_format(body: Message, log_format: LogFormat) -> None:
    """Raise ValueError if the event has a field that does not exist in the log's format."""
    if log_format == 1 and _has_fields_of_format_2(body):
        raise ValueError("a field of format 2 in a log of format 1")


def _has_fields_of_format_2(body: Message) -> bool:
    match body:
        case Opened(format=log_format, extensions=extensions):
            return log_format is not UNSET or extensions is not UNSET
        case SeatTaken(previous_link=link, next_blind=next_blind):
            return link is not UNSET or next_blind is not UNSET
        case SeatLeft(seen_root=root, seen_size=size) | PresenceSet(seen_root=root, seen_size=size):
            return root is not UNSET or size is not UNSET
        case Declared(draw=draw, dice_name=name):
            return name is not UNSET or (draw is not UNSET and draw.entropy is not UNSET)
        case Drawn(entropy=entropy, next_blind=next_blind):
            return entropy is not UNSET or next_blind is not UNSET
        case DrawVoided(next_blind=next_blind):
            return next_blind is not UNSET
    return False


def _check_opened(opened: Opened) -> None:
    """Check the extensions and the deadline of a session in format 2."""
    names = opened.extensions
    if names is not UNSET and list(names) != sorted(set(names)):
        raise VerificationError(
            1, "E_FORMAT", names, "extensions sorted by name, without duplicates"
        )
    if opened.draws == "table":
        try:
            msgspec.convert(opened.options.get("deadline"), Deadline)
        except msgspec.ValidationError as wrong:
            raise VerificationError(
                1, "E_FORMAT", f"deadline: {wrong}", "a deadline in seconds, within its limits"
            ) from None


def _check_ruleset_prefix(kind: str, ruleset: str) -> str:
    """Return `kind` if it starts with the ruleset's name. Raises ValueError otherwise."""
    if not kind.startswith(f"{ruleset}.") or kind == f"{ruleset}.":
        raise ValueError(f"kind {kind} does not belong to ruleset {ruleset}")
    return kind


def _kind_of(raw: bytes | Raw) -> str:
    """Return the `kind` field of an event or a command. Raises ValueError if it is missing."""
    return msgspec.json.decode(decode_fields(raw).get("kind", Raw(b"")), type=str)


def _to_canonical(raw: bytes) -> str:
    """Return `raw` in canonical form, or a placeholder if it cannot be parsed."""
    try:
        return encode(msgspec.json.decode(raw)).decode()
    except (ValueError, RecursionError):
        return "canonical JSON of an event"


def _check_manifest(manifest: Manifest, opened: Opened) -> None:
    recorded = {
        "ruleset": opened.ruleset,
        "edition": opened.edition,
        "log_key": opened.log_key,
        "v": opened.format or 1,
    }
    for name, known in recorded.items():
        fields = getattr(manifest, name)
        if fields != known:
            raise VerificationError(
                1,
                "E_FORMAT",
                f"{name} {fields} in the manifest",
                f"{name} {known}, as in session.Opened",
            )
