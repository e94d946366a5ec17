"""The .fairlog file: JSON lines of a manifest, every leaf with its opening, the signed checkpoints (log.md, Export)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from domain.codec import check_keys, check_line
from domain.proof import ProofError
from domain.recorded_event import RecordedEvent, leaf_of

Hex16 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
Salt = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
L = TypeVar("L", bound="LogLine")


class LogLine(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False
):
    """One line. A storage format: fields stand in canonical order, so that what is written needs no sorting."""


class Manifest(LogLine, frozen=True):
    """What the file claims to be; the check holds it against Opened, and trusts a key from outside only."""

    edition: str
    log_key: str
    origin: str
    ruleset: str
    session: Hex16
    v: Literal[1]


class EventOpening(LogLine, frozen=True):
    """`body` are the exact bytes that were hashed."""

    body: Raw
    salt: Salt


class EventLine(LogLine, frozen=True):
    """One event: the exact leaf, and its opening unless that is sealed or redacted."""

    leaf: str
    opening: EventOpening | UnsetType = UNSET


class CheckpointLine(LogLine, frozen=True):
    checkpoint: str


class LogFile(msgspec.Struct, frozen=True):
    """A file as it was read; only its shape is checked. Checkpoints are notes, in the file's order."""

    manifest: Manifest
    entries: tuple[EventLine, ...]
    checkpoints: tuple[str, ...]


class LogLineError(ProofError):
    """A line that no writer writes: E_FORMAT or E_NONCANONICAL. Version 0 is the manifest."""

    def __init__(self, version: int, code: str, found: str, expected: str) -> None:
        super().__init__(code, found, expected)
        self.version = version


def has_opening(recorded: RecordedEvent) -> bool:
    """Every opening is handed out."""
    return True


_encode = msgspec.json.Encoder().encode
_manifest = msgspec.json.Decoder(Manifest)
_entry = msgspec.json.Decoder(EventLine)
_signed = msgspec.json.Decoder(CheckpointLine)
_CHECKPOINT = b'{"checkpoint":'
_BODY = ("opening", "body")  # is looked at with the event


def write(
    manifest: Manifest,
    events: Iterable[RecordedEvent],
    checkpoints: Iterable[str],
    opens: Callable[[RecordedEvent], bool] = has_opening,
) -> Iterator[bytes]:
    """The lines of a file, each with its line end; the last checkpoint must cover every fact."""
    entries = (
        _opened(recorded)
        if opens(recorded) and not recorded.committed
        else EventLine(leaf_of(recorded).decode())
        for recorded in events
    )
    return _lines(manifest, entries, checkpoints)


def emit(bundle: LogFile) -> Iterator[bytes]:
    """The lines that `parse` reads as this bundle."""
    return _lines(bundle.manifest, bundle.entries, bundle.checkpoints)


def _lines(
    manifest: Manifest, entries: Iterable[EventLine], checkpoints: Iterable[str]
) -> Iterator[bytes]:
    yield _encode(manifest) + b"\n"
    for entry in entries:
        yield _encode(entry) + b"\n"
    for note in checkpoints:
        yield _encode(CheckpointLine(note)) + b"\n"


def _opened(recorded: RecordedEvent) -> EventLine:
    return EventLine(
        leaf_of(recorded).decode(), EventOpening(Raw(recorded.raw), recorded.salt.hex())
    )


def parse(lines: Iterable[bytes]) -> LogFile:
    """The bundle of lines with their line ends. Raises BadLine unless `emit` gives back the same bytes."""
    manifest, *rest = parse_lines(lines)
    assert isinstance(manifest, Manifest)
    entries = tuple(part for part in rest if isinstance(part, EventLine))
    return LogFile(
        manifest,
        entries,
        tuple(part.checkpoint for part in rest if isinstance(part, CheckpointLine)),
    )


def parse_lines(lines: Iterable[bytes]) -> Iterator[LogLine]:
    """As `parse`, line by line: one Manifest, then Entry, then Signed."""
    each = iter(lines)
    yield _read(_manifest, 0, next(each, b""))
    version, signed = 0, False
    for line in each:
        if line.startswith(_CHECKPOINT):
            signed = True
            yield _read(_signed, version, line)
        elif signed:
            raise LogLineError(version, "E_FORMAT", _shown(line), "a checkpoint")
        else:
            version += 1
            yield _read(_entry, version, line)


def _read(decoder: msgspec.json.Decoder[L], version: int, line: bytes) -> L:
    try:
        check_line(line)
        read = decoder.decode(line)
        emitted = _encode(read) + b"\n"
        if emitted != line:
            check_keys(line.decode(), _BODY)
    except (ValueError, RecursionError) as wrong:  # msgspec's errors, bad UTF-8 and endless nesting
        raise LogLineError(version, "E_FORMAT", _shown(line), str(wrong)) from None
    if emitted != line:
        raise LogLineError(version, "E_NONCANONICAL", _shown(line), _shown(emitted))
    return read


def _shown(line: bytes) -> str:
    return line.decode(errors="replace").rstrip("\n")
