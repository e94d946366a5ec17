"""What a seat checks of a draw that waits, on a log whose own key signs the lies."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import pytest
from msgspec.structs import replace

from domain.codec import encode
from domain.proof import ProofError
from domain.proof.merkle_tree import GrowingTree, leaf_hash, root_of
from domain.proof.signed_note import parse_vkey, sign_checkpoint
from domain.recorded_event import RecordedEvent, leaf_of
from domain.session.messages import Declared
from service.client.draw_checks import LeafOpening, PendingDraw, SeenCheckpoint, check_pending_draw
from service.platform.ed25519 import verify
from tests.support.example import FIRST, brought, to_draw
from tests.support.sessions import ScriptedSession

SEEN = 4


class Log:
    """An evening whose last draw is shown as one that waits."""

    def __init__(self) -> None:
        self.evening = ScriptedSession(7, FIRST)
        self.evening.do("p1", brought("ana", "Ana"))
        for seat, command in to_draw():
            self.evening.do(seat, command)
        self.key = parse_vkey(str(self.evening.session.info.log_key))
        self.declared = max(
            at for at, fact in enumerate(self.evening.facts, 1) if isinstance(fact.body, Declared)
        )

    def hashes(self, facts: Sequence[RecordedEvent]) -> list[bytes]:
        return [leaf_hash(leaf_of(fact)) for fact in facts]

    def seen(self) -> SeenCheckpoint:
        return SeenCheckpoint(SEEN, root_of(self.hashes(self.evening.facts[:SEEN])))

    def awaited(self, facts: Sequence[RecordedEvent] | None = None) -> PendingDraw:
        """Of these facts up to the declaration, signed by the log's key."""
        facts = (facts or self.evening.facts)[: self.declared]
        hashes, fact = self.hashes(facts), facts[-1]
        assert isinstance(fact.body, Declared)
        assert not isinstance(fact.body.draw, msgspec.UnsetType)
        signer, size, tree = self.evening.log_key, len(facts), GrowingTree()
        tree.extend(hashes)
        note = sign_checkpoint(self.key.name, size, root_of(hashes), signer.public, signer.sign)
        return PendingDraw(
            fact.body.draw.k,
            size,
            fact.turn,
            fact.seat,
            leaf_of(fact).decode(),
            LeafOpening(msgspec.Raw(fact.raw), fact.salt.hex()),
            size,
            _hex(tree.inclusion(size - 1, size)),
            note,
            _hex(tree.consistency(SEEN, size)),
        )

    def check(self, awaited: PendingDraw, seen: SeenCheckpoint | None = None) -> None:
        check_pending_draw(awaited, self.evening.id, self.key, seen or self.seen(), verify)


def _hex(hashes: Sequence[bytes]) -> tuple[str, ...]:
    return tuple(node.hex() for node in hashes)


@pytest.fixture(scope="module")
def log() -> Log:
    return Log()


def test_an_honest_draw_passes(log: Log) -> None:
    log.check(log.awaited())
    log.check(log.awaited(), SeenCheckpoint(0, b""))


def rewritten(log: Log) -> PendingDraw:
    """All of it is signed and proven, but the second event is another one than was seen."""
    facts = list(log.evening.facts)
    facts[1] = replace(facts[1], at=facts[1].at + 1)
    return log.awaited(facts)


def rewritten_body(log: Log) -> PendingDraw:
    """The leaf stays, what it opens to does not."""
    honest = log.awaited()
    body = msgspec.json.decode(honest.opening.body)
    body["command"]["entity"] = "ben"
    return replace(honest, opening=replace(honest.opening, body=msgspec.Raw(encode(body))))


LIES: list[tuple[Callable[[Log], PendingDraw], str]] = [
    (rewritten, "E_INCONSISTENT"),
    (rewritten_body, "E_BODY"),
    (lambda log: replace(log.awaited(), consistency=()), "E_INCONSISTENT"),
    (lambda log: replace(log.awaited(), consistency=("zz",)), "E_INCONSISTENT"),
    (lambda log: replace(log.awaited(), inclusion=()), "E_INCLUSION"),
    (lambda log: replace(log.awaited(), size=log.declared + 1), "E_INCLUSION"),
    (lambda log: replace(log.awaited(), version=log.declared + 1), "E_INCLUSION"),
    (lambda log: replace(log.awaited(), version=log.declared - 1), "E_INCLUSION"),
    (lambda log: replace(log.awaited(), k=7), "E_DRAW_INDEX"),
    (lambda log: replace(log.awaited(), turn=1), "E_BODY"),
    (lambda log: replace(log.awaited(), seat="p2"), "E_BODY"),
    (lambda log: replace(log.awaited(), checkpoint="what?"), "E_NOTE_FORMAT"),
]


@pytest.mark.parametrize(("lie", "code"), LIES)
def test_lies(log: Log, lie: Callable[[Log], PendingDraw], code: str) -> None:
    with pytest.raises(ProofError) as caught:
        log.check(lie(log))
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("size", "code"),
    [(0, "E_SPLIT_VIEW"), (1, "E_TRUNCATED")],
    ids=["another of one size", "shorter than was seen"],
)
def test_what_was_seen_before_holds(log: Log, size: int, code: str) -> None:
    with pytest.raises(ProofError) as caught:
        log.check(log.awaited(), SeenCheckpoint(log.declared + size, b"\0" * 32))
    assert caught.value.code == code
