"""What stands in the lines of C2SP text: base64 and hashes, decimal numbers, each in one form only."""

import base64
import re
from collections.abc import Sequence

from domain.proof import Broken

_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")


def hash_lines(hashes: Sequence[bytes]) -> str:
    return "".join(f"{in_base64(node)}\n" for node in hashes)


def parse_hash(line: str) -> bytes:
    node = unbase64(line, "E_NOTE_FORMAT")
    if len(node) != 32:
        raise Broken("E_NOTE_FORMAT", line, "32 bytes")
    return node


def parse_number(line: str) -> int:
    if not _NUMBER.fullmatch(line) or int(line) >= 1 << 63:
        raise Broken("E_NOTE_FORMAT", line, "a decimal number")
    return int(line)


def in_base64(blob: bytes) -> str:
    return base64.b64encode(blob).decode()


def unbase64(text: str, code: str) -> bytes:
    """Strictly: other alphabets, missing padding and stray bits in the last character are refused."""
    try:
        blob = base64.b64decode(text, validate=True)
    except ValueError:
        blob = b""
    if in_base64(blob) != text:
        raise Broken(code, text, "base64")
    return blob
