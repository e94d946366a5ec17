"""The .fairlog file: JSON lines of a manifest, every leaf with its opening, the signed checkpoints (log.md, Export)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from domain.codec import check_keys, check_line
from domain.proof import Broken
from domain.recorded_event import Fact, leaf_of

Hex16 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
Salt = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
L = TypeVar("L", bound="Line")


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One line. A storage format: fields stand in canonical order, so that what is written needs no sorting."""


class Manifest(Line, frozen=True):
    """What the file claims to be; the check holds it against Opened, and trusts a key from outside only."""

    edition: str
    log_key: str
    origin: str
    ruleset: str
    session: Hex16
    v: Literal[1]


class Opening(Line, frozen=True):
    """`body` are the exact bytes that were hashed."""

    body: Raw
    salt: Salt


class Entry(Line, frozen=True):
    """One event: the exact leaf, and its opening unless that is sealed or redacted."""

    leaf: str
    opening: Opening | UnsetType = UNSET


class Signed(Line, frozen=True):
    checkpoint: str


class Bundle(msgspec.Struct, frozen=True):
    """A file as it was read; only its shape is checked. Checkpoints are notes, in the file's order."""

    manifest: Manifest
    entries: tuple[Entry, ...]
    checkpoints: tuple[str, ...]


class BadLine(Broken):
    """A line that no writer writes: E_FORMAT or E_NONCANONICAL. Version 0 is the manifest."""

    def __init__(self, version: int, code: str, found: str, expected: str) -> None:
        super().__init__(code, found, expected)
        self.version = version


def always(fact: Fact) -> bool:
    """Every opening is handed out."""
    return True


_encode = msgspec.json.Encoder().encode
_manifest = msgspec.json.Decoder(Manifest)
_entry = msgspec.json.Decoder(Entry)
_signed = msgspec.json.Decoder(Signed)
_CHECKPOINT = b'{"checkpoint":'
_BODY = ("opening", "body")  # is looked at with the event


def write(
    manifest: Manifest,
    facts: Iterable[Fact],
    checkpoints: Iterable[str],
    opens: Callable[[Fact], bool] = always,
) -> Iterator[bytes]:
    """The lines of a file, each with its line end; the last checkpoint must cover every fact."""
    entries = (
        _opened(fact) if opens(fact) and not fact.committed else Entry(leaf_of(fact).decode())
        for fact in facts
    )
    return _lines(manifest, entries, checkpoints)


def emit(bundle: Bundle) -> Iterator[bytes]:
    """The lines that `parse` reads as this bundle."""
    return _lines(bundle.manifest, bundle.entries, bundle.checkpoints)


def _lines(
    manifest: Manifest, entries: Iterable[Entry], checkpoints: Iterable[str]
) -> Iterator[bytes]:
    yield _encode(manifest) + b"\n"
    for entry in entries:
        yield _encode(entry) + b"\n"
    for note in checkpoints:
        yield _encode(Signed(note)) + b"\n"


def _opened(fact: Fact) -> Entry:
    return Entry(leaf_of(fact).decode(), Opening(Raw(fact.raw), fact.salt.hex()))


def parse(lines: Iterable[bytes]) -> Bundle:
    """The bundle of lines with their line ends. Raises BadLine unless `emit` gives back the same bytes."""
    manifest, *rest = parts(lines)
    assert isinstance(manifest, Manifest)
    entries = tuple(part for part in rest if isinstance(part, Entry))
    return Bundle(
        manifest, entries, tuple(part.checkpoint for part in rest if isinstance(part, Signed))
    )


def parts(lines: Iterable[bytes]) -> Iterator[Line]:
    """As `parse`, line by line: one Manifest, then Entry, then Signed."""
    each = iter(lines)
    yield _read(_manifest, 0, next(each, b""))
    version, signed = 0, False
    for line in each:
        if line.startswith(_CHECKPOINT):
            signed = True
            yield _read(_signed, version, line)
        elif signed:
            raise BadLine(version, "E_FORMAT", _shown(line), "a checkpoint")
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
        raise BadLine(version, "E_FORMAT", _shown(line), str(wrong)) from None
    if emitted != line:
        raise BadLine(version, "E_NONCANONICAL", _shown(line), _shown(emitted))
    return read


def _shown(line: bytes) -> str:
    return line.decode(errors="replace").rstrip("\n")
