r"""The `.fairlog` file: a session's log that anyone can verify offline.

The file is text, one JSON object per line, in this order:

1. The manifest names the session, its ruleset and edition, and the log's public key.
2. Each event has one line, starting with version 1. `leaf` is the text that was hashed into the
   Merkle tree. It contains a commitment to the event's body. `opening` contains the salt and the
   body. It is absent if the event is redacted or hidden from the reader of the file. The leaf is
   always present, so all proofs stay valid.
3. One or more signed checkpoints follow (see `domain.proof.signed_note`). The last checkpoint
   covers all events.

Shortened, a file looks like this:

    {"edition":"1","log_key":"...","origin":"...","ruleset":"dhextiny","session":"...","v":2}
    {"leaf":"{\"at\":17...","opening":{"body":{"kind":"session.Opened",...},"salt":"..."}}
    {"leaf":"{\"at\":17..."}
    {"checkpoint":"play.example/sessions/...\n2\n47DE...=\n\n— play.example/... cNok...=\n"}

`parse` accepts only the bytes that `emit` would write. It checks only the file's format.
`domain.verify` checks its content. docs/log-format.md, section ".fairlog", specifies the format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, TypeVar

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from domain.codec import check_keys, check_line
from domain.proof import ProofError
from domain.recorded_event import RecordedEvent, leaf_of
from domain.session.messages import LogFormat

Hex16 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
Salt = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
L = TypeVar("L", bound="LogLine")


class LogLine(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False
):
    """A line of the file.

    The fields of each subclass are in alphabetical order, because canonical JSON sorts its keys.
    """


class Manifest(LogLine, frozen=True):
    """The first line of the file. Verification compares it with the Opened event.

    `v` is the format of the session's log.
    """

    edition: str
    log_key: str
    origin: str
    ruleset: str
    session: Hex16
    v: LogFormat


class EventOpening(LogLine, frozen=True):
    """The salt and body of an event. `body` contains the exact bytes that were hashed."""

    body: Raw
    salt: Salt


class EventLine(LogLine, frozen=True):
    """The exact text of an event's leaf, and its opening unless the event is sealed or redacted."""

    leaf: str
    opening: EventOpening | UnsetType = UNSET


class CheckpointLine(LogLine, frozen=True):
    checkpoint: str


class LogFile(msgspec.Struct, frozen=True):
    """A parsed file. Its format has been checked, but its content has not.

    Each checkpoint is the text of a signed note.
    """

    manifest: Manifest
    entries: tuple[EventLine, ...]
    checkpoints: tuple[str, ...]


class LogLineError(ProofError):
    """Raised when a line is malformed (E_FORMAT) or not canonical (E_NONCANONICAL).

    `version` is the version of the line's event. For a checkpoint, it is the version of the last
    event before the checkpoint. For the manifest, it is 0.
    """

    def __init__(self, version: int, code: str, found: str, expected: str) -> None:
        super().__init__(code, found, expected)
        self.version = version


def has_opening(recorded: RecordedEvent) -> bool:
    """Return True unless the event was redacted, which deletes its salt and body."""
    return not recorded.committed


_encode = msgspec.json.Encoder().encode
_manifest_decoder = msgspec.json.Decoder(Manifest)
_event_decoder = msgspec.json.Decoder(EventLine)
_checkpoint_decoder = msgspec.json.Decoder(CheckpointLine)
_CHECKPOINT_START = b'{"checkpoint":'
_BODY = ("opening", "body")
"""The path to the event's body in a line. The body is checked later, when it is decoded."""


def write(
    manifest: Manifest,
    events: Iterable[RecordedEvent],
    checkpoints: Iterable[str],
    opens: Callable[[RecordedEvent], bool] = has_opening,
) -> Iterator[bytes]:
    """Return the lines of a log file.

    The last checkpoint must cover all events. `opens` decides whether an event's opening is
    written.
    """
    entries = (
        EventLine(leaf_of(recorded).decode(), opening_of(recorded, opens)) for recorded in events
    )
    return _lines(manifest, entries, checkpoints)


def emit(file: LogFile) -> Iterator[bytes]:
    """Return the lines of a parsed file, byte for byte as `parse` read them."""
    return _lines(file.manifest, file.entries, file.checkpoints)


def _lines(
    manifest: Manifest, entries: Iterable[EventLine], checkpoints: Iterable[str]
) -> Iterator[bytes]:
    yield _encode(manifest) + b"\n"
    for entry in entries:
        yield _encode(entry) + b"\n"
    for note in checkpoints:
        yield _encode(CheckpointLine(note)) + b"\n"


def opening_of(
    recorded: RecordedEvent, opens: Callable[[RecordedEvent], bool]
) -> EventOpening | UnsetType:
    if recorded.committed or not opens(recorded):
        return UNSET
    return EventOpening(Raw(recorded.raw), recorded.salt.hex())


def parse(lines: Iterable[bytes]) -> LogFile:
    """Parse the lines of a log file.

    Raises LogLineError if a line has the wrong format or `emit` would write different bytes.
    """
    manifest, *rest = parse_lines(lines)
    assert isinstance(manifest, Manifest)
    entries = tuple(part for part in rest if isinstance(part, EventLine))
    return LogFile(
        manifest,
        entries,
        tuple(part.checkpoint for part in rest if isinstance(part, CheckpointLine)),
    )


def parse_lines(lines: Iterable[bytes]) -> Iterator[LogLine]:
    """Yield the parsed lines: the manifest, the events, and then the checkpoints.

    Raises LogLineError at the first invalid line.
    """
    each = iter(lines)
    yield _read(_manifest_decoder, 0, next(each, b""))
    version, signed = 0, False
    for line in each:
        if line.startswith(_CHECKPOINT_START):
            signed = True
            yield _read(_checkpoint_decoder, version, line)
        elif signed:
            raise LogLineError(version, "E_FORMAT", _text(line), "a checkpoint")
        else:
            version += 1
            yield _read(_event_decoder, version, line)


def _read(decoder: msgspec.json.Decoder[L], version: int, line: bytes) -> L:
    try:
        check_line(line)
        read = decoder.decode(line)
        emitted = _encode(read) + b"\n"
        if emitted != line:
            check_keys(line.decode(), _BODY)
    except (ValueError, RecursionError) as error:  # invalid or too deeply nested
        raise LogLineError(version, "E_FORMAT", _text(line), str(error)) from None
    if emitted != line:
        raise LogLineError(version, "E_NONCANONICAL", _text(line), _text(emitted))
    return read


def _text(line: bytes) -> str:
    return line.decode(errors="replace").rstrip("\n")
