"""The index: one list, for the whole server, of the checkpoints at which sessions opened, forked and closed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from domain.proof import merkle_tree, signed_note
from domain.proof.merkle_tree import GrowingTree
from domain.proof.signed_note import ED25519, Vkey, vkey_text
from domain.recorded_event import RecordedEvent
from domain.session.messages import Closed, Forked, Opened
from domain.session.turns import Head
from service.platform.keys import Keys
from service.store.merkle_cache import CachedTree
from service.store.recorder import Recorder, SideRows
from service.store.schema import INDEX_ENTRIES_INSERT, WITNESSES_UPSERT

INDEXED_KINDS = (Opened, Forked, Closed)
PAGE_ENTRIES = 1000


class IndexEntry(NamedTuple):
    """The checkpoint of a session of that size; the leaf is the exact text of the note. Numbers begin with 1."""

    number: int
    session: str
    size: int
    note: str


class WitnessCosignature(NamedTuple):
    """The newest checkpoint of the index that a witness cosigned, at POSIX seconds, and its line below it."""

    vkey: str
    url: str
    size: int
    at: int
    line: str


class SessionIndex:
    """Entry `number` is leaf number - 1 of its tree."""

    def __init__(self, recorder: Recorder, keys: Keys, host: str) -> None:
        self._recorder, self._keys, self._key = recorder, keys, keys.log
        self.origin = f"{host}/index"
        self._tree = CachedTree(self._leaves)

    @property
    def log_key(self) -> str:
        """What its checkpoints are checked with."""
        return vkey_text(Vkey(self.origin, ED25519, self._key.public))

    def entries(self, turns: Iterable[tuple[Head, Sequence[RecordedEvent]]]) -> SideRows:
        """What is written beside the events of turns, in their transaction: a checkpoint behind each that is entered."""
        entered = [
            head
            for head, events in turns
            if any(isinstance(event.body, INDEXED_KINDS) for event in events)
        ]
        return [(INDEX_ENTRIES_INSERT, [self._entry(head) for head in entered])] if entered else []

    def _entry(self, head: Head) -> tuple[str, int, str]:
        session, size = head.session, head.session.version
        origin, root = (
            signed_note.parse_vkey(session.info.log_key).name,
            merkle_tree.root(head.frontier, size),
        )
        signed = signed_note.sign_checkpoint(origin, size, root, self._key.public, self._key.sign)
        opened_under = signed_note.parse_vkey(session.info.log_key).public_key
        return session.id, size, signed + (self._keys.lines(origin, opened_under) or "")

    def size(self) -> int:
        return int(self._recorder.query("SELECT COALESCE(MAX(number), 0) FROM index_entries")[0][0])

    def page(self, after: int, limit: int) -> list[IndexEntry]:
        """The entries behind a number, in order."""
        statement = "SELECT number, session, size, note FROM index_entries WHERE number>? ORDER BY number LIMIT ?"
        return [IndexEntry(*row) for row in self._recorder.query(statement, (after, limit))]

    def nodes(self, size: int) -> GrowingTree:
        """What proves something of its first `size` entries, which must be there."""
        return self._tree.at(size)

    def checkpoint(self, size: int) -> str:
        """The signed checkpoint of a size, with the lines of the witnesses that cosigned it last."""
        root = self.nodes(size).root(size)
        signed = signed_note.sign_checkpoint(
            self.origin, size, root, self._key.public, self._key.sign
        )
        return (
            signed
            + self._keys.all_lines(self.origin)
            + "".join(each.line for each in self.witness_cosignatures() if each.size == size)
        )

    def witness_cosignatures(self) -> list[WitnessCosignature]:
        """What each witness confirmed last, the largest size first."""
        statement = "SELECT vkey, url, size, at, line FROM witnesses ORDER BY size DESC, vkey"
        return [WitnessCosignature(*row) for row in self._recorder.query(statement)]

    def store_cosignature(self, cosignature: WitnessCosignature) -> None:
        """Remembers what a witness cosigned, where it is newer than what it cosigned before."""
        self._recorder.write((WITNESSES_UPSERT, [cosignature]))

    def _leaves(self, after: int, upto: int) -> Iterator[bytes]:
        while after < upto and (page := self.page(after, min(PAGE_ENTRIES, upto - after))):
            yield from (merkle_tree.leaf_hash(each.note.encode()) for each in page)
            after = page[-1].number
