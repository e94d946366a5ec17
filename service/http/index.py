"""The index of this server: which sessions opened, forked and closed under which checkpoint, in one provable list."""

from __future__ import annotations

from flask import Response
from msgspec import UNSET, UnsetType

from domain.proof.note import TlogProof, tlog_proof_text
from service.http import auth
from service.http.answering import json, with_next
from service.http.given import IndexGrown, IndexIncluded, IndexMoment, Page
from service.http.openapi import JSON, Blueprint
from service.http.problems import Problem
from service.http.proofs import TEXT, grown, in_hex, text, wants_text
from service.http.shown import Consistency
from service.http.witnessed import IndexEntries, IndexEntry, IndexInclusion
from service.index import Index

blueprint = Blueprint(
    "Index", __name__, description="One list of the checkpoints of all sessions, for witnesses."
)


@blueprint.operation(
    "GET",
    "/v1/index/checkpoint",
    query=IndexMoment,
    gives={TEXT: None},
    token="none",
    problems=["not-found"],
)
def index_checkpoint(query: IndexMoment) -> Response:
    """Get the index's checkpoint

    Size and root of the index's tree as a signed note (C2SP), with the lines of the witnesses that cosigned that size.
    """
    index = _index()
    if not query.cosigned:
        return text(index.checkpoint(index.size()))
    for confirmed in index.confirmed():  # the largest first
        return text(index.checkpoint(confirmed.size))
    raise Problem("not-found", "No witness has cosigned the index.")


@blueprint.operation("GET", "/v1/index/entries", query=Page, gives=IndexEntries, token="none")
def index_entries(query: Page) -> Response:
    """List the index

    Oldest first: an entry for each session that opened, forked (its own, and its child's opening) or closed here. An
    entry tells a session's id and size, and opens nothing: who may read a session is asked for its token.
    """
    index, limit = _index(), min(query.limit, auth.edge().app.settings.page)
    found = index.page(query.after, limit + 1)
    more = found[limit - 1].number if len(found) > limit else UNSET
    return with_next(
        json(IndexEntries(index.size(), [IndexEntry(*each) for each in found[:limit]], more)), more
    )


@blueprint.operation(
    "GET",
    "/v1/index/proofs/inclusion",
    query=IndexIncluded,
    gives={JSON: IndexInclusion, TEXT: None},
    token="none",
    problems=["not-found"],
)
def index_inclusion(query: IndexIncluded) -> Response:
    """Prove that an entry is in the index

    As JSON, or with `Accept: text/plain` as a tlog-proof (C2SP) under a signed checkpoint of that size.
    """
    index = _index()
    size = _size(index, query.number, query.size)
    nodes, leaf = index.nodes(size), query.number - 1
    proof = nodes.inclusion(leaf, size)
    if wants_text():
        return text(tlog_proof_text(TlogProof(leaf, proof, index.checkpoint(size))))
    [entry] = index.page(leaf, 1)
    hashes = nodes.leaf(leaf).hex(), nodes.root(size).hex()
    return json(IndexInclusion(query.number, size, entry.note, *hashes, in_hex(proof)))


@blueprint.operation(
    "GET",
    "/v1/index/proofs/consistency",
    query=IndexGrown,
    gives=Consistency,
    token="none",
    problems=["not-found"],
)
def index_consistency(query: IndexGrown) -> Response:
    """Prove that the index only grew

    That its tree of size `to` begins with the tree of size `from`.
    """
    index = _index()
    size = _size(index, query.older, query.newer)
    return json(grown(index.nodes(size), query.older, size))


def _index() -> Index:
    return auth.edge().app.index


def _size(index: Index, least: int, asked: int | UnsetType) -> int:
    """The size asked for, or the newest, where it is there and holds so many entries at least."""
    newest = index.size()
    size = newest if asked is UNSET else asked
    if not least <= size <= newest:
        raise Problem("not-found", f"The index has {newest} entries, from the first on.")
    return size
