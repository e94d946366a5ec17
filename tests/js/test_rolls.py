"""Roll files: the verifier in JavaScript says the same of them as the one in Python."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from domain.proof import signed_note
from domain.rulesets import RULESETS
from domain.verify.single_draw import RollFile, RollReport, verify_roll
from service.platform.ed25519 import verify as ed25519
from tests.domain import broken_logs as b
from tests.domain.receipts import proofs
from tests.domain.secret_sessions import intrigue
from tests.domain.verify.test_single_draw import TAMPERED, UNREADABLE, drawn, table
from tests.golden.play import Play
from tests.golden.table import TablePlay
from tests.js.node import COMMAND, checked, node
from tests.support.scale import LONG
from tests.support.sessions import ScriptedSession


def verified(raws: Sequence[bytes], key: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield the report on each file, after checking that WebCrypto makes no difference."""
    plan = [{"raw": b64encode(raw).decode(), "key": key} for raw in raws]
    if key is None:
        plan = [{"raw": each["raw"]} for each in plan]
    reports = checked("rolls.mjs", plan)
    assert reports[::2] == reports[1::2]
    yield from reports[::2]


def failure_of(report: dict[str, Any]) -> tuple[str, str, int] | None:
    failure = report["failure"]
    return failure and (failure["rung"], failure["code"], failure["version"])


def expected_of(roll: RollReport) -> tuple[str, str, int] | None:
    failure = roll.failure
    return failure and (str(failure.level), failure.code, failure.version)


def sessions() -> Iterator[ScriptedSession]:
    yield table()
    yield table(2)
    if not LONG:
        return
    yield from (Play(ruleset).evening for ruleset in RULESETS[:2])
    yield TablePlay(RULESETS[0], log_format=1).evening
    yield TablePlay(RULESETS[0], log_format=2).evening
    yield intrigue(RULESETS[0], 0, 150)


def test_every_draw_says_the_same_in_both() -> None:
    raws = [
        raw
        for each in sessions()
        for whole in (True, False)
        for _, _, raw in proofs(each, whole=whole)
    ]
    for raw, report in zip(raws, verified(raws), strict=True):
        expected = verify_roll(raw, ed25519)
        assert (report["failure"], expected.failure) == (None, None)
        roll = report["roll"]
        assert (roll["k"], roll["version"], roll["seat"]) == (
            expected.k,
            expected.version,
            expected.seat,
        )
        assert sorted(each["seat"] for each in roll["seats"]) == list(expected.contributors)
        assert roll.get("grade", "") == expected.grade
        assert tuple(roll["missing"]) == expected.missing
        values = expected.values
        assert roll.get("values") == (None if values is UNSET else [list(each) for each in values])
    assert len(raws) > (100 if LONG else 7)


def test_what_is_bent_is_caught_alike() -> None:
    bends: list[Callable[[], RollFile]] = [bend for _, bend, _ in TAMPERED]
    raws = [msgspec.json.encode(bend()) for bend in bends]
    for (what, _, code), raw, report in zip(TAMPERED, raws, verified(raws), strict=True):
        assert failure_of(report) == expected_of(verify_roll(raw, ed25519)), what
        assert report["failure"]["code"] == code, what
        assert "roll" not in report


def test_a_pinned_key_must_be_the_logs() -> None:
    raw = msgspec.json.encode(drawn())
    (report,) = verified([raw], b.stranger_key())
    assert report["failure"]["code"] == "E_UNTRUSTED_LOG"
    (report,) = verified([raw], table().session.info.log_key)
    assert report["failure"] is None
    assert signed_note.parse_vkey(report["logKey"])


def test_what_no_server_writes_is_not_read() -> None:
    raw = msgspec.json.encode(drawn())
    cases = [*UNREADABLE, (raw + b" \n", "E_NONCANONICAL"), (raw + b"\n\n", "E_NONCANONICAL")]
    reports = verified([raw for raw, _ in cases])
    assert [report["failure"]["code"] for report in reports] == [code for _, code in cases]


def test_no_byte_can_be_turned() -> None:
    raw = msgspec.json.encode(drawn())
    turned = [
        bytes(chain(raw[:nth], [raw[nth] ^ 1], raw[nth + 1 :])) for nth in range(0, len(raw), 97)
    ]
    assert all(report["failure"] for report in verified(turned))


def test_the_command_verifies_a_roll_file(tmp_path: Path) -> None:
    raw = msgspec.json.encode(drawn())
    (tmp_path / "a.roll").write_bytes(raw)
    said = node(COMMAND, tmp_path / "a.roll").decode()
    assert re.search(r"VALID\. Draw \d+: d\d+ \d+, grade", said)
    (tmp_path / "b.roll").write_bytes(raw.replace(b'"k":', b'"k":1'))
    assert b"NOT VALID" in node(COMMAND, tmp_path / "b.roll", expected=2)
    node(COMMAND, tmp_path / "a.roll", "--key", b.stranger_key(), expected=2)


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_line_end_is_allowed(end: bytes) -> None:
    (report,) = verified([msgspec.json.encode(drawn()) + end])
    assert report["failure"] is None
