"""A .fairlog file is read as it is written, byte for byte, and not otherwise."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, strategies as st

from domain.log_file import (
    EventLine,
    EventOpening,
    LogFile,
    LogLineError,
    Manifest,
    emit,
    parse,
    write,
)
from domain.recorded_event import leaf_of
from tests.domain import broken_logs as b

MANIFEST = Manifest("1", "key", "host/sessions/x", "chess", "00" * 16, 1)

texts = st.text(st.characters(codec="utf-8"), max_size=20)
openings = st.builds(
    lambda body, salt: EventOpening(msgspec.Raw(msgspec.json.encode(body)), salt.hex()),
    st.dictionaries(texts, texts | st.integers(0, 9)),
    st.binary(min_size=32, max_size=32),
)
entries = st.builds(EventLine, texts) | st.builds(EventLine, texts, openings)


@given(st.lists(entries, max_size=5).map(tuple), st.lists(texts, max_size=3).map(tuple))
def test_a_bundle_is_read_as_it_was_written(
    some: tuple[EventLine, ...], notes: tuple[str, ...]
) -> None:
    whole = LogFile(MANIFEST, some, notes)
    lines = list(emit(whole))
    read = parse(lines)
    assert read == whole
    assert list(emit(read)) == lines


def test_facts_are_written_with_the_bytes_that_were_hashed() -> None:
    facts = b.facts()
    read = parse(write(b.bundle().manifest, facts, [b.note_of(facts)]))
    assert [entry.leaf.encode() for entry in read.entries] == [leaf_of(fact) for fact in facts]
    assert [bytes(entry.opening.body) for entry in read.entries if entry.opening] == [
        fact.raw for fact in facts
    ]
    assert read.checkpoints == (b.note_of(facts),)


def test_a_file_looks_as_the_format_says() -> None:
    manifest, first, *_, last = b.lines()
    assert manifest.startswith(b'{"edition":"2","log_key":"test.example/sessions/')
    assert manifest.endswith(b'","v":1}\n')
    assert first.startswith(rb'{"leaf":"{\"at\":')
    assert b',"opening":{"body":{"draws":"house",' in first
    assert last.startswith(b'{"checkpoint":"test.example/sessions/')


@given(st.lists(st.binary(max_size=40), max_size=4))
def test_anything_else_is_a_bad_line(lines: list[bytes]) -> None:
    with pytest.raises(LogLineError) as bad:
        parse(lines)
    assert bad.value.code in ("E_FORMAT", "E_NONCANONICAL")
    assert bad.value.version == 0


def test_a_bad_line_says_where() -> None:
    lines = b.lines()
    lines[7] = lines[7].replace(b'"opening"', b'"Opening"')
    with pytest.raises(LogLineError) as bad:
        parse(lines)
    assert (bad.value.version, bad.value.code) == (7, "E_FORMAT")
    assert "Opening" in bad.value.expected
