"""An evening at a table that draws, whose seats keep the receipts that the house gives, and the proofs of its rolls."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from msgspec import UNSET
from msgspec.structs import replace

from domain.codec import encode
from domain.log_file import Manifest, write
from domain.proof import merkle_tree, signed_note
from domain.proof.hash_chain import receipt_message
from domain.recorded_event import RecordedEvent, leaf_of
from domain.session.messages import Contribution, Declared, Drawn, DrawVoided
from domain.verify import Evidence, verify
from domain.verify.receipts import Receipt, SignedContribution
from domain.verify.report import Report
from domain.verify.single_draw import select_roll_events, write_roll
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import Signer
from tests.support.example import EXAMPLE, to_draw
from tests.support.sessions import ScriptedSession, TableSession, wish_of

READY, ASKED = to_draw()[:-1], EXAMPLE.draw


class Kept(TableSession):
    """Who takes what a seat gives has the house's receipt for it."""

    def __init__(self, seed: int = 7) -> None:
        self.receipts: list[Receipt] = []
        super().__init__(seed)

    def give(self, seat: str, **bent: object) -> Contribution:
        given = super().give(seat, **bent)
        self.receipts.append(self.receipt(given))
        return given

    def receipt(self, given: Contribution, signer: Signer | None = None) -> Receipt:
        pending = self.session.pending
        assert pending is not None
        request = merkle_tree.leaf_hash(leaf_of(self.facts[pending.version - 1])).hex()
        signed = SignedContribution(
            given.chain,
            pending.k,
            given.link,
            given.position,
            request,
            given.seat,
            given.seen_root,
            given.seen_size,
            self.id,
        )
        return Receipt(
            signed, (signer or self.house_key).sign(receipt_message(encode(signed))).hex()
        )

    def again(self, receipt: Receipt, **bent: object) -> Receipt:
        """The house signed other words."""
        signed = replace(receipt.contribution, **bent)
        return Receipt(signed, self.house_key.sign(receipt_message(encode(signed))).hex())

    def checked(self, *receipts: Receipt, facts: list[RecordedEvent] | None = None) -> Report:
        return verify(self.lines(facts or self.facts), ed25519, Evidence(receipts=receipts))

    def lines(self, facts: list[RecordedEvent]) -> list[bytes]:
        key = signed_note.vkey_text(
            signed_note.Vkey(self.origin, signed_note.ED25519, self.log_key.public)
        )
        root = merkle_tree.root_of([merkle_tree.leaf_hash(leaf_of(fact)) for fact in facts])
        signed = signed_note.sign_checkpoint(
            self.origin, len(facts), root, self.log_key.public, self.log_key.sign
        )
        manifest = Manifest(
            self.ruleset.edition, key, self.origin, self.ruleset.name, self.id, self.log_format
        )
        return list(write(manifest, facts, [signed]))


def before_a_draw(seed: int = 7) -> Kept:
    kept = Kept(seed)
    kept.do("p1", EXAMPLE.bring)
    for seat, command in READY:
        kept.do(seat, command)
    return kept


@cache
def drawn() -> Kept:
    kept = before_a_draw()
    kept.do("p1", ASKED)
    return kept


@cache
def given_up() -> Kept:
    kept = before_a_draw()
    kept.ask("p1", wish_of(ASKED), silent=("p2",))
    return kept


def proofs(
    evening: ScriptedSession, *, whole: bool = True
) -> Iterator[tuple[RecordedEvent, RecordedEvent, bytes]]:
    """Each draw that was made or given up, its end, and its proof; `whole` with what is sealed."""
    nodes = merkle_tree.GrowingTree()
    facts, size = evening.facts, len(evening.facts)
    nodes.extend(merkle_tree.leaf_hash(leaf_of(fact)) for fact in facts)
    key = signed_note.vkey_text(
        signed_note.Vkey(evening.origin, signed_note.ED25519, evening.log_key.public)
    )
    sign = evening.log_key
    signed = signed_note.sign_checkpoint(
        evening.origin, size, nodes.root(size), sign.public, sign.sign
    )
    manifest = Manifest(
        evening.ruleset.edition,
        key,
        evening.origin,
        evening.ruleset.name,
        evening.id,
        evening.log_format,
    )
    ends = {fact.body.k: fact for fact in facts if isinstance(fact.body, Drawn | DrawVoided)}
    for declared in facts:
        if (
            isinstance(declared.body, Declared)
            and declared.body.draw is not UNSET
            and declared.body.draw.k in ends
        ):
            end = ends[declared.body.draw.k]
            assert isinstance(end.body, Drawn | DrawVoided)
            seen = {
                each.seen_size: nodes.consistency(each.seen_size, size)
                for each in end.body.contributions
            }
            yield (
                declared,
                end,
                write_roll(
                    manifest,
                    signed,
                    end.body.k,
                    select_roll_events(facts, declared),
                    lambda fact: whole or not fact.sealed,
                    lambda version: nodes.inclusion(version - 1, size),
                    seen,
                ),
            )
