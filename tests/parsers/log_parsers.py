"""The parsers of the domain: events, commands, files of logs and of rolls, notes, keys, receipts, views."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Sequence
from functools import cache
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any

import msgspec
from click.testing import CliRunner
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.structs import replace

from domain import log_file
from domain.codec import MAX_LINE_BYTES, NotCanonicalError, decode, decode_command
from domain.log_file import EventOpening, LogFile, LogLineError
from domain.proof import ProofError, signed_note
from domain.recorded_event import commitment
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.verify import Evidence, single_draw, verify
from domain.verify.messages import FAILURES
from domain.verify.receipts import read_receipts
from domain.verify.single_draw import verify_roll
from domain.verify.views_check import read_views
from service.cli.tell import tell
from service.cli.verify import UnusableFileError, read_lines
from service.platform.ed25519 import verify as ed25519
from tests.domain import broken_logs, broken_secrets, broken_table_draws, receipts
from tests.parsers.law import Parser
from tests.parsers.mutations import bytes_of, json_of, texts_of, written
from tests.support.sessions import play

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.fairlog"))
CODES = frozenset(FAILURES)
VIEWS = b'{"events":[{"told":"It rains.","version":1},{"sealed":true,"version":2}]}'


@cache
def logs() -> tuple[tuple[bytes, ...], ...]:
    """The lines of real logs: with secrets, of a table that draws together, a golden one."""
    small = min(GOLDEN, key=lambda file: file.stat().st_size)
    return (
        tuple(broken_logs.lines()),
        tuple(broken_secrets.of_child(broken_secrets.child().facts)),
        tuple(broken_table_draws.lines()),
        tuple(small.read_bytes().splitlines(keepends=True)),
    )


@cache
def events() -> tuple[bytes, ...]:
    """Of every room, one of each kind."""
    facts = [fact for ruleset in RULESETS for fact in play(7, 20, ruleset=ruleset)]
    facts += [*broken_logs.facts(), *broken_table_draws.facts()]
    return tuple({type(fact.body): bytes(fact.raw) for fact in facts}.values())


def odd_json(*good: bytes) -> st.SearchStrategy[bytes]:
    """Canonical JSON that is bent as bytes, or has another value in it."""
    return bytes_of(*good) | json_of(*map(json.loads, good)).map(written)


def commands() -> st.SearchStrategy[tuple[AnyRuleset, bytes]]:
    """A room, and a command of any."""
    wishes = [
        bytes(fact.body.command)
        for ruleset in RULESETS
        for fact in play(9, 20, ruleset=ruleset)
        if isinstance(getattr(fact.body, "command", None), Raw)
    ]
    return st.tuples(st.sampled_from(RULESETS), odd_json(*wishes))


def lines() -> st.SearchStrategy[tuple[bytes, ...]]:
    """Of a log, one or two of them bent, or the whole file."""
    return st.sampled_from(logs()).flatmap(_lines)


def _lines(log: tuple[bytes, ...]) -> st.SearchStrategy[tuple[bytes, ...]]:
    places = st.integers(0, len(log) - 1)
    one = places.flatmap(
        lambda nth: odd_json(log[nth]).map(lambda raw: (*log[:nth], _ended(raw), *log[nth + 1 :]))
    )
    return one | bytes_of(b"".join(log)).map(lambda raw: tuple(raw.splitlines(keepends=True)))


def _ended(raw: bytes) -> bytes:
    return raw if raw.endswith(b"\n") else raw + b"\n"


def signed_anew() -> st.SearchStrategy[list[bytes]]:
    """The log of a host with its keys: one leaf or body is bent, hashed and signed as if it were good."""
    whole = broken_logs.bundle()
    return st.tuples(
        st.integers(0, len(whole.entries) - 1), st.booleans(), st.integers(0, 2)
    ).flatmap(lambda given: _bent_entry(whole, given[0], given[1]))


def _bent_entry(whole: LogFile, nth: int, of_leaf: bool) -> st.SearchStrategy[list[bytes]]:
    entry = whole.entries[nth]
    assert isinstance(entry.opening, EventOpening)
    good = entry.leaf.encode() if of_leaf else bytes(entry.opening.body)

    def build(raw: bytes) -> list[bytes]:
        if of_leaf:
            bent = replace(entry, leaf=raw.decode(errors="replace"))
        else:
            salt = bytes.fromhex(entry.opening.salt)
            told = json.loads(entry.leaf) | {"body": commitment(salt, raw).hex()}
            text = json.dumps(told, sort_keys=True, separators=(",", ":"))
            bent = replace(entry, leaf=text, opening=EventOpening(Raw(raw), entry.opening.salt))
        entries = (*whole.entries[:nth], bent, *whole.entries[nth + 1 :])
        return list(log_file.emit(broken_logs.resigned(replace(whole, entries=entries))))

    return odd_json(good).map(build)


def judged(given: Sequence[bytes]) -> None:
    """Nothing in a log makes the check raise; what it finds has a code that is explained."""
    failure = verify(given, ed25519, Evidence()).failure
    if failure is not None:
        raise ProofError(failure.code)


def rolled(raw: bytes) -> None:
    failure = verify_roll(raw, ed25519).failure
    if failure is not None:
        raise ProofError(failure.code)


def unpacked(raw: bytes) -> None:
    for line in read_lines(BufferedReader(BytesIO(raw))):
        assert len(line) <= MAX_LINE_BYTES + 1


def told(given: Sequence[bytes]) -> None:
    """`fairlog tell`, which shows a log without checking it."""
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(b"".join(given))
        result = CliRunner().invoke(tell, [file.name])
    if result.exit_code == UnusableFileError.exit_code:
        raise UnusableFileError(result.stderr)
    assert result.exit_code == 0, result.exception


def noted(text: str) -> None:
    """A checkpoint as a reader brings it, its signatures, and whoever else signed it."""
    parsed = signed_note.parse_note(text)
    assert signed_note.note_text(parsed) == text
    signed_note.parse_checkpoint(parsed.text)
    signed_note.open_checkpoint(text, broken_logs.vkey(), ed25519)
    signed_note.cosignature_time(text, broken_logs.witness(), ed25519)


def keyed(text: str) -> None:
    assert signed_note.vkey_text(signed_note.parse_vkey(text)) == text


def parsers() -> list[Parser]:
    broken: dict[str, Any] = {"noes": (ProofError,), "code": lambda no: no.code, "codes": CODES}
    return [
        Parser(
            "events", lambda: odd_json(*events()), decode, (msgspec.DecodeError, RecursionError)
        ),
        Parser(
            "commands as they are stored",
            commands,
            lambda given: decode_command(*given),
            (msgspec.DecodeError, NotCanonicalError, RecursionError),
        ),
        Parser("the lines of a log", lines, log_file.parse, **broken),
        Parser("logs, bent", lines, judged, **broken),
        Parser("logs, bent and signed", signed_anew, judged, **broken),
        Parser("logs, told", lines, told, (UnusableFileError,)),
        Parser("packed logs", packed, unpacked, (LogLineError, UnusableFileError)),
        Parser("the file of a roll", lambda: odd_json(*rolls()), single_draw.read_roll, **broken),
        Parser("rolls", lambda: odd_json(*rolls()), rolled, **broken),
        Parser("signed notes", lambda: texts_of(*notes()), noted, **broken),
        Parser("keys of logs", keys, keyed, **broken),
        Parser(
            "receipts", lambda: odd_json(receipts_of()), read_receipts, (ValueError, RecursionError)
        ),
        Parser("views", lambda: odd_json(VIEWS), read_views, (ValueError, RecursionError)),
    ]


@cache
def notes() -> tuple[str, ...]:
    return (
        broken_logs.note_of(broken_logs.facts()),
        broken_logs.cosigned(5),
        broken_logs.followed(broken_logs.STRANGER),
    )


@cache
def rolls() -> tuple[bytes, ...]:
    return tuple(
        raw
        for evening in (receipts.drawn(), receipts.given_up())
        for _, _, raw in receipts.proofs(evening)
    )


def packed() -> st.SearchStrategy[bytes]:
    return bytes_of(*(gzip.compress(b"".join(log)) for log in logs()))


def keys() -> st.SearchStrategy[str]:
    return texts_of(*map(signed_note.vkey_text, (broken_logs.vkey(), broken_logs.witness())))


def receipts_of() -> bytes:
    """Of a seat that gave to a draw."""
    given = {
        "chain": 0,
        "draw": 0,
        "link": "0" * 64,
        "position": 1,
        "request": "0" * 64,
        "seat": "p1",
        "seen_root": "0" * 64,
        "seen_size": 3,
        "session": "0" * 32,
        "signature": "0" * 128,
    }
    return json.dumps([{"contribution": given, "receipt": "0" * 128}]).encode()
