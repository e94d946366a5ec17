"""What stored bytes are not: shapes, names and signs that no event has."""

from __future__ import annotations

import msgspec
import pytest

from domain.codec import decode, decode_command
from tests.support.example import FIRST

NOT_TEXT = [
    b'{"kind":"session.Narrated","\x80":1}',
    b'{"kind":"session.Narrated","\xed\xa0\x80":1}',
]


@pytest.mark.parametrize(
    "raw", [*NOT_TEXT, b"", b"{}", b'{"kind":"session.Nothing"}', b'{"kind":"session.Narrated"']
)
def test_what_is_no_event_is_refused_in_one_way(raw: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(raw)


@pytest.mark.parametrize("name", [b"\x80", b"\xed\xa0\x80"])
def test_a_command_of_names_that_are_no_text_is_refused_alike(name: bytes) -> None:
    kind = str(FIRST.commands[0].__struct_config__.tag).encode()
    with pytest.raises(msgspec.DecodeError):
        decode_command(FIRST, b'{"kind":"%s","%s":1}' % (kind, name))
