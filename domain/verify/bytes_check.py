"""Rung 1, bytes: every line re-emits to itself; versions, session and turns in order; openings match commitments."""

from __future__ import annotations

import re
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
    encode,
)
from domain.log_file import EventLine, EventOpening, Manifest
from domain.proof import ProofError, merkle_tree, signed_note
from domain.recorded_event import RecordedEvent, commitment, leaf
from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS_BY_EDITION
from domain.session.messages import Declared, Drawn, DrawVoided, Inherited, Opened, SealOpened
from domain.session.secrets import SESSION_EVENT_TYPES, inherited_table, is_sealed, is_secret
from domain.verify.report import VerificationError

Number = Annotated[int, Meta(gt=-INTEGER_LIMIT, lt=INTEGER_LIMIT)]
_SEAT = re.compile(r"[a-z][a-z0-9-]{0,31}")
_COMMITMENT = re.compile(r"[0-9a-f]{64}")
_AS_ZEROS = bytes.maketrans(b"123456789", b"000000000")
_LONG_NUMBER = b"0" * len(str(INTEGER_LIMIT))  # or a text or digest that looks like one


class LeafFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Patterns are looked at once per seat and where nothing is opened: for every leaf they would cost the most."""

    at: Annotated[int, Meta(ge=0, lt=INTEGER_LIMIT)]
    body: str
    seat: str
    session: str
    turn: Number
    v: Literal[1]
    version: Number


class SealedEvent(msgspec.Struct, frozen=True, gc=False):
    """An event without its opening: nothing shows but who, when and in which turn."""

    version: int
    turn: int
    seat: str


class UnknownEvent(Message, frozen=True, tag="foreign"):
    """Stands for an event of a room that is not here: only its bytes can be checked."""

    name: str


FileEvent = RecordedEvent | SealedEvent

_decode_leaf = msgspec.json.Decoder(LeafFields).decode
_decode_fields = msgspec.json.Decoder(dict[str, Raw]).decode


class EventReader:
    """Reads the events of a file one by one: `facts` and `hashes` held so far, no `room` where it is unknown."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.ruleset = RULESETS_BY_EDITION.get((manifest.ruleset, manifest.edition))
        self.key = _log_key(manifest)
        self.facts: list[FileEvent] = []
        self.hashes: list[bytes] = []
        self._turn = self._highest = self._waits = (
            0  # turns; `waits` that of a draw without its end
        )
        self._seats: set[str] = set()
        self._secret: set[int] = set()  # turns
        self._events = SESSION_EVENT_TYPES.union(self.ruleset.events if self.ruleset else ())

    def read(self, entry: EventLine) -> None:
        """Raises Fault at the version that the entry should have."""
        version = len(self.facts) + 1
        told = self._leaf(version, entry.leaf)
        allowed = {self._turn, self._highest + 1, self._waits} - {0}
        if told.turn not in allowed:
            raise VerificationError(
                version, "E_TURN", told.turn, " or ".join(map(str, sorted(allowed)))
            )
        self.facts.append(self._line(told, entry.opening))
        self.hashes.append(merkle_tree.leaf_hash(entry.leaf.encode()))
        self._turn, self._highest = told.turn, max(told.turn, self._highest)

    def one(self, version: int, entry: EventLine) -> FileEvent:
        """A single event of any version, whatever stands before it. Raises Fault."""
        return self._line(self._leaf(version, entry.leaf), entry.opening)

    def _line(self, told: LeafFields, opening: EventOpening | UnsetType) -> FileEvent:
        if opening is not UNSET:
            return self._fact(told, opening)
        if told.version == 1:
            raise VerificationError(1, "E_FORMAT", "no opening", "session.Opened")
        if not _COMMITMENT.fullmatch(told.body):
            raise VerificationError(told.version, "E_FORMAT", told.body, "a commitment")
        return SealedEvent(told.version, told.turn, told.seat)

    def _leaf(self, version: int, text: str) -> LeafFields:
        try:
            told = _decode_leaf(text)
            written = leaf(
                told.session, told.version, told.turn, told.at, told.seat, told.body
            ).decode()
            if written != text:
                check_keys(text)
        except (ValueError, RecursionError) as wrong:
            raise VerificationError(
                version, "E_FORMAT", f"{wrong}: {text}", "canonical JSON of a leaf"
            ) from None
        if written != text:
            raise VerificationError(version, "E_NONCANONICAL", text, written)
        if told.seat not in self._seats:
            if not _SEAT.fullmatch(told.seat):
                raise VerificationError(version, "E_FORMAT", told.seat, "a seat's id")
            self._seats.add(told.seat)
        if told.version != version:
            raise VerificationError(version, "E_VERSION", told.version, version)
        if told.session != self.manifest.session:
            raise VerificationError(version, "E_SESSION", told.session, self.manifest.session)
        return told

    def _fact(self, told: LeafFields, opening: EventOpening) -> RecordedEvent:
        version, raw, salt = told.version, bytes(opening.body), bytes.fromhex(opening.salt)
        try:
            body = self._message(raw)
        except NotCanonicalError:
            raise VerificationError(
                version, "E_NONCANONICAL", raw.decode(errors="replace"), _to_canonical(raw)
            ) from None
        except (
            ValueError,
            RecursionError,
        ) as wrong:  # msgspec's errors, bad UTF-8 and endless nesting
            found = f"{wrong}: {raw.decode(errors='replace')}"
            raise VerificationError(
                version, "E_FORMAT", found, "canonical JSON of an event"
            ) from None
        if (committed := commitment(salt, raw).hex()) != told.body:
            raise VerificationError(version, "E_BODY", committed, told.body)
        if (version == 1) is not (type(body) is Opened):
            raise VerificationError(
                version, "E_FORMAT", raw.decode(), "session.Opened at version 1 and nowhere else"
            )
        if isinstance(body, Opened):
            _check_manifest(self.manifest, body)
        if is_secret(body):
            self._secret.add(told.turn)
        if isinstance(body, Declared) and body.draw is not UNSET:
            self._waits = told.turn
        elif isinstance(body, Drawn | DrawVoided):
            self._waits = 0
        sealed = is_sealed(body, told.turn in self._secret)
        return RecordedEvent(
            told.session, version, told.turn, told.at, told.seat, salt, body, raw, sealed
        )

    def _message(self, raw: bytes) -> Message:
        """The event of a body, the command in it read too. Raises ValueError, RecursionError or NotCanonical."""
        try:
            return (
                _decode_unknown_ruleset(raw, self.manifest.ruleset)
                if self.ruleset is None
                else self._of(self.ruleset, raw)
            )
        except NotCanonicalError:
            check_keys(raw.decode())
            raise

    def _of(self, ruleset: AnyRuleset, raw: bytes) -> Message:
        if not raw.isascii() or b"\\u" in raw or _LONG_NUMBER in raw.translate(_AS_ZEROS):
            check_parts(msgspec.json.decode(raw))
        body = decode(raw)
        if type(body) not in self._events:
            raise ValueError(f"an event of {ruleset.name}")
        if isinstance(body, Declared | SealOpened) and body.command is not UNSET:
            decode_command(ruleset, body.command)
        if isinstance(body, Inherited) and encode(inherited_table(ruleset, body)) != bytes(
            body.table
        ):
            raise NotCanonicalError
        if encode(body) != raw:
            raise NotCanonicalError
        return body


def _log_key(manifest: Manifest) -> signed_note.Vkey:
    """The key that the file names, for this session's origin."""
    try:
        key = signed_note.parse_vkey(manifest.log_key)
    except ProofError as broken:
        raise VerificationError(0, broken.code, broken.found, broken.expected) from None
    origin = manifest.origin.rpartition("/sessions/")[0] + f"/sessions/{manifest.session}"
    if manifest.origin != origin or key.name != origin:
        raise VerificationError(0, "E_SESSION", f"{manifest.origin}, key of {key.name}", origin)
    return key


def _decode_unknown_ruleset(raw: bytes, ruleset: str) -> Message:
    """A frame's event, or a stand-in where the room is unknown. Errors as `Reader._message`."""
    value = msgspec.json.decode(raw)
    check_parts(value)
    kind = _kind_of(raw)
    body = (
        decode(raw)
        if kind.startswith("session.")
        else UnknownEvent(_check_ruleset_prefix(kind, ruleset))
    )
    if isinstance(body, Declared | SealOpened) and body.command is not UNSET:
        _check_ruleset_prefix(_kind_of(body.command), ruleset)
    if encode(value) != raw:
        raise NotCanonicalError
    return body


def _check_ruleset_prefix(kind: str, ruleset: str) -> str:
    """A kind that is named after its room. Raises ValueError on any other."""
    if not kind.startswith(f"{ruleset}.") or kind == f"{ruleset}.":
        raise ValueError(f"{kind}, not of {ruleset}")
    return kind


def _kind_of(raw: bytes | Raw) -> str:
    """The kind of an event or a command. Raises ValueError where it has none."""
    return msgspec.json.decode(_decode_fields(raw).get("kind", Raw(b"")), type=str)


def _to_canonical(raw: bytes) -> str:
    """What would be written for the same, as far as that can be read at all."""
    try:
        return encode(msgspec.json.decode(raw)).decode()
    except (ValueError, RecursionError):
        return "canonical JSON of an event"


def _check_manifest(manifest: Manifest, opened: Opened) -> None:
    """The manifest says nothing that Opened does not say."""
    for name in ("ruleset", "edition", "log_key"):
        told, known = getattr(manifest, name), getattr(opened, name)
        if told != known:
            raise VerificationError(
                1, "E_FORMAT", f"{name} {told} in the manifest", f"{name} {known} of Opened"
            )
