"""Forks in memory, and the file of any evening as a viewer gets it.

child = Child(parent, version=12)               # told in the parent too, by its GM
lines = file_of(child, viewer=Viewer("p1"))
lines = file_of(child, bent_facts)              # under the keys of the same evening
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, Raw
from msgspec.structs import replace

from domain.codec import encode
from domain.decider import By, Role
from domain.log_file import Manifest, write
from domain.proof import merkle_tree
from domain.proof.signed_note import sign_checkpoint
from domain.recorded_event import RecordedEvent, leaf_of
from domain.ruleset import Message
from domain.session.decider import hides_part
from domain.session.messages import Fork, Open, Opened, Parent
from domain.session.state import HOUSE, PUBLIC, History
from domain.visibility import Viewer, is_visible
from tests.support.sessions import ScriptedSession, Seats

EVERYTHING = Viewer(HOUSE)
ONLY_GM: Seats = (("gm", Role.GM, "Grace"),)


class Child(ScriptedSession):
    """An evening that goes on from a version of another one."""

    def __init__(
        self, parent: ScriptedSession, version: int, seed: int = 6, seats: Seats = ONLY_GM
    ) -> None:
        self._parent, self._version = parent, version
        super().__init__(
            seed,
            parent.ruleset,
            dict(parent.session.info.options),
            title="What if",
            seats=seats,
            log_format=parent.log_format,
        )
        gm = next(seat for seat, held in parent.session.info.seats.items() if held.role is Role.GM)
        parent.do(gm, Fork(self.id, version))

    def _turn(self, command: Message, by: By) -> tuple[RecordedEvent, ...]:
        return super()._turn(
            self._inheriting(command) if isinstance(command, Open) else command, by
        )

    def _inheriting(self, command: Open) -> Open:
        parent, version = self._parent, self._version
        past = History(
            lambda at: parent.log.at(parent.id, at), lambda after, upto: parent.facts[after:upto]
        )
        table = Raw(encode(past.state(version).table))
        origin = Parent(
            merkle_tree.root_of(_hashes(parent.facts[:version])).hex(), parent.id, version
        )
        audience = "gm" if hides_part(parent.session, PUBLIC, version, past) else UNSET
        return replace(command, parent=origin, table=table, audience=audience)


def file_of(
    evening: ScriptedSession,
    facts: Sequence[RecordedEvent] | None = None,
    viewer: Viewer = EVERYTHING,
) -> list[bytes]:
    """The lines of an evening's file, signed."""
    known = evening.facts if facts is None else facts
    opened = known[0].body
    assert isinstance(opened, Opened)
    hashes, by = _hashes(known), evening.log_key
    note = sign_checkpoint(
        evening.origin, len(hashes), merkle_tree.root_of(hashes), by.public, by.sign
    )
    manifest = Manifest(
        opened.edition,
        opened.log_key,
        evening.origin,
        opened.ruleset,
        evening.id,
        evening.log_format,
    )
    return list(
        write(manifest, known, [note], lambda fact: is_visible(evening.session, viewer, fact))
    )


def _hashes(facts: Sequence[RecordedEvent]) -> list[bytes]:
    return [merkle_tree.leaf_hash(leaf_of(fact)) for fact in facts]
