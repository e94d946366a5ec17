"""A log that goes on under another key: old checkpoints hold, new ones do, whichever key the reader trusts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from domain.log_file import emit
from domain.proof import ProofError
from domain.proof.signed_note import Vkey, is_succeeded_by, open_checkpoint, parse_note
from domain.verify import Evidence
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import Signer
from tests.domain import broken_logs as b
from tests.domain.broken_logs import SIZE, STRANGER

SECOND, THIRD = (Signer(bytes([nth]) * 32) for nth in (77, 78))


def lines(*checkpoints: str) -> list[bytes]:
    return list(emit(replace(b.bundle(), checkpoints=checkpoints)))


HANDED = {
    "once": lambda: lines(b.note_of(b.facts(), 30), b.followed(SECOND)),
    "twice": lambda: lines(
        b.note_of(b.facts(), 30), b.followed(SECOND, size=40), b.followed(SECOND, THIRD)
    ),
    "with the old key's signature beside": lambda: lines(
        b.followed(SECOND) + b.note_of(b.facts()).splitlines(keepends=True)[-1]
    ),
}


@pytest.mark.parametrize("handed", HANDED.values(), ids=HANDED)
@pytest.mark.parametrize("trusted", [None, b.evening().log_key, SECOND])
def test_a_log_goes_on_under_another_key(
    handed: Callable[[], list[bytes]], trusted: Signer | None
) -> None:
    report = b.check(handed(), Evidence(None if trusted is None else b.vkey(trusted)))
    assert (report.failure, report.counts.events) == (None, SIZE)


def test_what_was_kept_under_the_old_key_and_under_the_new_one_pins_it() -> None:
    kept = (b.note_of(b.facts(), 20), b.followed(SECOND, size=50))
    assert b.check(HANDED["once"](), Evidence(b.vkey(), kept)).failure is None


def test_the_last_key_alone_signs() -> None:
    """Whoever has found the old one can sign nothing for who knows that it was followed."""
    own, second = b.vkey(), b.vkey(SECOND)
    assert open_checkpoint(b.followed(SECOND), own, ed25519).size == SIZE
    assert open_checkpoint(b.followed(SECOND), second, ed25519).size == SIZE
    assert is_succeeded_by(b.followed(SECOND, THIRD), own, second, ed25519)
    assert not is_succeeded_by(b.followed(SECOND), own, b.vkey(STRANGER), ed25519)
    assert not is_succeeded_by("no note", own, second, ed25519)
    with pytest.raises(ProofError, match="E_UNTRUSTED_LOG"):
        open_checkpoint(b.followed(SECOND, signer=b.evening().log_key), own, ed25519)


def test_tools_that_know_nothing_of_it_read_the_note_under_either_key() -> None:
    """Each is a line by a key that they do not know, or the signature of the one that they do."""
    note = parse_note(b.followed(SECOND, THIRD))
    assert len(note.signatures) == 3
    third: Vkey = b.vkey(THIRD)
    assert open_checkpoint(b.followed(SECOND, THIRD), third, ed25519).root
