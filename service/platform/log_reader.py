"""Reading the lines of a .fairlog file, plain or gzipped."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import IO, BinaryIO

from domain.codec import MAX_LINE_BYTES
from domain.log_file import LogLineError
from domain.verify.report import WHOLE_GZIP

MAX_FILE_BYTES = 1 << 29  # more than any session needs; limits memory use
GZIP = b"\x1f\x8b"
BLOCK_BYTES, MAX_MEMORY_BYTES = 1 << 16, 1 << 24  # bytes


class UnreadableFileError(Exception):
    """The file is too large or cannot be read."""


def read_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a plain or gzipped file, including their line endings.

    Raises LogLineError if the gzip data is corrupt, and UnreadableFileError if the file is too
    large or unreadable.
    """
    read = 0
    try:
        packed = file.peek(2)[:2] == GZIP  # type: ignore[attr-defined]
        with SpooledTemporaryFile(MAX_MEMORY_BYTES) as whole:
            lines = _decompress(file, whole) if packed else file
            while line := lines.readline(MAX_LINE_BYTES + 1):
                yield line
                read += len(line)
                _check_size(read)
    except zlib.error as wrong:
        raise LogLineError(0, "E_FORMAT", str(wrong), WHOLE_GZIP) from None
    except OSError as wrong:
        raise UnreadableFileError(str(wrong)) from None


def _decompress(file: BinaryIO, whole: IO[bytes]) -> IO[bytes]:
    """Decompress a gzip file into `whole`. The file must have exactly one gzip member.

    Raises zlib.error if the member is incomplete or is followed by more data.
    """
    unpacker = zlib.decompressobj(wbits=31)
    while not unpacker.eof and (some := file.read(BLOCK_BYTES)):
        whole.write(unpacker.decompress(some))
        _check_size(whole.tell())
    if not unpacker.eof or unpacker.unused_data or file.read(1):
        raise zlib.error(
            "data after the end of the gzip data"
            if unpacker.eof
            else "gzip data that ends too early"
        )
    whole.seek(0)
    return whole


def _check_size(size: int) -> None:
    if size > MAX_FILE_BYTES:
        raise UnreadableFileError(
            f"the file contains more than {MAX_FILE_BYTES >> 20} MiB of log lines:"
            " check that it is the log of a single session"
        )
