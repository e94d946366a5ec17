"""Branches in memory: forks, which go on from a version of another evening, and what a player takes back."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec import UNSET, Raw

from domain.codec import encode
from domain.decider import By, Refused, Role
from domain.proof import merkle_tree
from domain.proof.signed_note import ED25519, Vkey, vkey_text
from domain.recorded_event import leaf_of
from domain.rulesets import RULESETS
from domain.session.decider import hides_part
from domain.session.messages import Declare, Fork, Open, Parent, Rewind, TakeSeat
from domain.session.state import HOUSE, PUBLIC
from tests.domain.secret_sessions import STEPS, Intrigue
from tests.support.example import EXAMPLE, to_wait


class Child(Intrigue):
    """Goes on from the newest version of its parent, up to one, that the parent's GM may take along."""

    def __init__(self, parent: Intrigue, upto: int) -> None:
        self.parent, self.upto = parent, upto
        super().__init__(parent.ruleset, seed=100_000 + upto)

    def _open(self, options: dict[str, Any], title: str, seats: Sequence[Any]) -> None:
        parent, self._by_house = self.parent, By(HOUSE, Role.HOUSE)
        version, info = self._forked(), parent.session.info
        root = merkle_tree.root_of(
            [merkle_tree.leaf_hash(leaf_of(fact)) for fact in parent.facts[:version]]
        ).hex()
        table = Raw(encode(parent.log.at(parent.id, version).table))
        audience = "gm" if hides_part(parent.session, PUBLIC, version, parent.past) else UNSET
        vkey = vkey_text(Vkey(self.origin, ED25519, self.log_key.public))
        origin = Parent(root, parent.id, version)
        opening = Open(info.ruleset, info.edition, title, options, vkey, origin, table, audience)
        self._turn(opening, self._by_house)
        self._turn(self._house.first_chain(self.id, self._link(0), self.log_format), self._by_house)
        for seat, role, name in seats:
            self.ask(TakeSeat(seat, role, name), seat)

    def _forked(self) -> int:
        """The version that the parent says it was forked at."""
        gm = next(
            seat for seat, held in self.parent.session.info.seats.items() if held.role is Role.GM
        )
        for version in range(self.upto, 0, -1):
            with suppress(Refused):
                self.parent.ask(Fork(self.id, version), gm)
                return version
        raise AssertionError("no version without a secret of somebody else's")


def forked(parent: Intrigue, upto: int, events: int) -> Child:
    """A fork of an intrigue, and the intrigues in it."""
    child = Child(parent, upto)
    while child.session.version < events:
        [step] = child.random.choices(list(STEPS), list(STEPS.values()))
        with suppress(Refused):
            step(child)
    return child


def taken_back() -> Intrigue:
    """An evening in which a player takes back two wishes that wait to be finished; the second is for no other eyes."""
    evening = Intrigue(RULESETS[0], seed=100_000)
    for seat, wish in (("ana", EXAMPLE.bring), *to_wait("ana")[:-1]):
        evening.ask(Declare(Raw(encode(wish))), seat)
    for audience in (UNSET, "self"):
        evening.ask(Declare(Raw(encode(EXAMPLE.waits)), audience=audience), "ana")
        evening.ask(Rewind(evening.session.last_command.before, "oops"), "ana")
    return evening
