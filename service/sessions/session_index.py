"""The session index: checkpoints signed when sessions open, fork or close."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from domain.proof import merkle_tree, signed_note
from domain.proof.merkle_tree import GrowingTree
from domain.proof.signed_note import ED25519, Vkey, vkey_text
from domain.recorded_event import RecordedEvent
from domain.session.messages import Closed, Forked, Opened
from domain.session.turns import Head
from domain.verify.index_check import IndexCheckpoint, IndexEntry as IndexProofEntry, IndexProof
from service.platform.keys import Keys
from service.store.merkle_cache import CachedTree
from service.store.recorder import Recorder, SideRow, SideRows
from service.store.schema import INDEX_ENTRIES_INSERT, OPENING_ENTRY_INSERT, WITNESSES_UPSERT

INDEXED_KINDS = (Opened, Forked, Closed)
PAGE_ENTRIES = 1000


class IndexEntry(NamedTuple):
    """An entry in the session index: a session's checkpoint at version `size`.

    The text of `note` is the entry's leaf in the Merkle tree. Entries are numbered from 1.
    """

    number: int
    session: str
    size: int
    note: str


class WitnessCosignature(NamedTuple):
    """A witness's cosignature on the newest index checkpoint that it has cosigned.

    `at` is the time in POSIX seconds, and `line` is the signature line in the note.
    """

    vkey: str
    url: str
    size: int
    at: int
    line: str


class SessionIndex:
    """The index of this server's sessions, and the Merkle tree over its entries.

    Entry number n is leaf n - 1.
    """

    def __init__(self, recorder: Recorder, keys: Keys, host: str) -> None:
        self._recorder, self._keys, self._key = recorder, keys, keys.log
        self.origin = f"{host}/index"
        self._tree = CachedTree(self._leaves)

    @property
    def log_key(self) -> str:
        """Return the public key that verifies the index's checkpoints."""
        return vkey_text(Vkey(self.origin, ED25519, self._key.public))

    def entries(self, turns: Iterable[tuple[Head, Sequence[RecordedEvent]]]) -> SideRows:
        """Return the side rows that add an index entry for each turn that needs one.

        Store the rows in the same transaction as the turns. The transaction fails if a new
        session has the id of a deleted session, because that id is in the index already.
        """
        return [
            self._entry_row(head, is_opening=events[0].version == 1)
            for head, events in turns
            if any(isinstance(event.body, INDEXED_KINDS) for event in events)
        ]

    def _entry_row(self, head: Head, *, is_opening: bool) -> SideRow:
        session, size, note = self._entry(head)
        if is_opening:
            return OPENING_ENTRY_INSERT, [(session, size, session, note)]
        return INDEX_ENTRIES_INSERT, [(session, size, note)]

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
        """Return up to `limit` entries with numbers above `after`, in order."""
        statement = (
            "SELECT number, session, size, note FROM index_entries"
            " WHERE number>? ORDER BY number LIMIT ?"
        )
        return [IndexEntry(*row) for row in self._recorder.query(statement, (after, limit))]

    def nodes(self, size: int) -> GrowingTree:
        """Return the Merkle tree over at least the first `size` entries.

        The index must contain at least `size` entries.
        """
        return self._tree.at(size)

    def checkpoint(self, size: int) -> str:
        """Return the signed checkpoint of size `size`, with the witnesses' cosignatures."""
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
        """Return each witness's newest cosignature, largest checkpoint first."""
        statement = "SELECT vkey, url, size, at, line FROM witnesses ORDER BY size DESC, vkey"
        return [WitnessCosignature(*row) for row in self._recorder.query(statement)]

    def proof(self, session: str) -> IndexProof:
        """Return the proof that the session's entries are in the index.

        It contains the index checkpoints that witnesses have cosigned and that cover an entry of
        the session.
        """
        statement = "SELECT number, note FROM index_entries WHERE session=? ORDER BY number"
        rows = self._recorder.query(statement, (session,))
        entries = tuple(IndexProofEntry(note, number) for number, note in rows)
        sizes = sorted({each.size for each in self.witness_cosignatures()})
        checkpoints = (
            IndexCheckpoint(self.checkpoint(size), self._inclusions(entries, size))
            for size in sizes
            if entries and entries[0].number <= size
        )
        return IndexProof(tuple(checkpoints), entries)

    def _inclusions(
        self, entries: Iterable[IndexProofEntry], size: int
    ) -> tuple[tuple[str, ...], ...]:
        nodes = self.nodes(size)
        return tuple(
            tuple(node.hex() for node in nodes.inclusion(entry.number - 1, size))
            for entry in entries
            if entry.number <= size
        )

    def store_cosignature(self, cosignature: WitnessCosignature) -> None:
        """Store a witness's cosignature if it is newer than the stored one."""
        self._recorder.write((WITNESSES_UPSERT, [cosignature]))

    def _leaves(self, after: int, upto: int) -> Iterator[bytes]:
        while after < upto and (page := self.page(after, min(PAGE_ENTRIES, upto - after))):
            yield from (merkle_tree.leaf_hash(each.note.encode()) for each in page)
            after = page[-1].number
