"""Proofs: signed checkpoints, proofs of RFC 6962, cosignatures, the session index, and the export."""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterator
from urllib.parse import quote

from flask import Response, request
from msgspec import UNSET, UnsetType

from domain.proof import merkle_tree
from domain.proof.merkle_tree import GrowingTree
from domain.proof.signed_note import TlogProof, tlog_proof_text
from domain.recorded_event import leaf_of
from domain.session.turns import Head
from service.http import auth, models
from service.http.errors import ProblemError
from service.http.openapi import JSON, Blueprint
from service.http.presenters import iso_time
from service.http.responses import json_response, with_next_link
from service.sessions import checkpoints
from service.sessions.app import App
from service.sessions.checkpoints import SeatCosignature
from service.sessions.session_index import SessionIndex
from service.store.errors import UnknownSessionError

blueprint = Blueprint(
    "Proofs",
    __name__,
    description="Checkpoints, proofs, cosignatures and the index of all sessions.",
)


class IndexEntry(models.ResponseModel, frozen=True):
    """A session's checkpoint as it was signed when the session opened, forked or closed."""

    number: int
    session: str
    size: int
    note: str


class IndexEntries(models.ResponseModel, frozen=True):
    """`size` is the size of the whole index."""

    size: int
    entries: list[IndexEntry]
    next: int | UnsetType = UNSET


class IndexInclusion(models.ResponseModel, frozen=True):
    """The proof that an entry's note is a leaf of the index's tree of that size. Hashes are in hex."""

    number: int
    size: int
    note: str
    leaf_hash: str
    root: str
    proof: list[str]


class CosignatureView(models.ResponseModel, frozen=True):
    """The newest checkpoint that a key cosigned for a seat, and the time that the cosignature states."""

    seat: str
    vkey: str
    size: int
    at: str


class Cosignatures(models.ResponseModel, frozen=True):
    version: int
    cosignatures: list[CosignatureView]


TEXT = "text/plain"
FAIRLOG = "application/x-fairlog"
GZIP = 31  # zlib's number for the gzip format with the largest window


@blueprint.operation(
    "GET", "/v1/sessions/<session:session>/checkpoint", gives={TEXT: None}, token="optional"
)
def checkpoint(session: str) -> Response:
    """Read the checkpoint.

    Size and root of the session's tree as a signed note (C2SP), with the lines of the seats that
    cosigned it.
    """
    head, _ = auth.session_for_viewer(session)
    app = auth.services().app
    root = merkle_tree.root(head.frontier, head.session.version)
    return text_response(_signed_note(app, head, head.session.version, root))


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/proofs/inclusion",
    query=models.InclusionQuery,
    gives={JSON: models.Inclusion, TEXT: None},
    token="optional",
)
def inclusion(session: str, query: models.InclusionQuery) -> Response:
    """Prove that a version is in the log.

    As JSON, or with `Accept: text/plain` as a tlog-proof (C2SP) under a signed checkpoint of that
    size.
    """
    app = auth.services().app
    head, _ = auth.session_for_viewer(session)
    size = head.session.version if query.size is UNSET else query.size
    if not query.version <= size <= head.session.version:
        raise UnknownSessionError(session, size)
    nodes = app.trees.at(session, size)
    proof, root = nodes.inclusion(query.version - 1, size), nodes.root(size)
    if wants_text():
        return text_response(
            tlog_proof_text(
                TlogProof(query.version - 1, proof, _signed_note(app, head, size, root))
            )
        )
    leaf = leaf_of(app.log.read_events(session, query.version - 1, query.version)[0])
    shown = models.Inclusion(
        query.version,
        size,
        leaf.decode(),
        merkle_tree.leaf_hash(leaf).hex(),
        root.hex(),
        to_hex(proof),
    )
    return json_response(shown)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/proofs/consistency",
    query=models.ConsistencyQuery,
    gives=models.Consistency,
    token="optional",
)
def consistency(session: str, query: models.ConsistencyQuery) -> Response:
    """Prove that the log only grew.

    The tree of version `to` begins with the tree of version `from`.
    """
    app = auth.services().app
    head, _ = auth.session_for_viewer(session)
    newer = head.session.version if query.newer is UNSET else query.newer
    if not query.older <= newer <= head.session.version:
        raise UnknownSessionError(session, newer)
    return json_response(consistency_proof(app.trees.at(session, newer), query.older, newer))


@blueprint.operation(
    "GET", "/v1/sessions/<session:session>/export", gives={FAIRLOG: None}, token="optional"
)
def export(session: str) -> Response:
    """Export the log.

    Every event that you may see, with the checkpoint that covers them. `fairlog verify` checks the
    file offline.
    """
    head, viewer = auth.session_for_viewer(session)
    app = auth.services().app
    lines = checkpoints.export_lines(app, head, viewer)
    zipped = request.accept_encodings.quality("gzip") > 0
    response = Response(_gzip(lines) if zipped else lines, content_type=FAIRLOG)
    if zipped:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.headers.set(
        "Content-Disposition", "attachment", **_set_file_name(_file_name(head.session.info.title))
    )
    return response


def _signed_note(app: App, head: Head, size: int, root: bytes) -> str:
    return checkpoints.signed_checkpoint(app, head.session.info, head.session.id, size, root)


def _gzip(lines: Iterator[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=GZIP)
    for line in lines:
        if packed := packer.compress(line):
            yield packed
    yield packer.flush()


def _file_name(title: str) -> str:
    return "".join("-" if mark in '/\\:*?"<>|' else mark for mark in title).strip(" .") + ".fairlog"


def _set_file_name(file: str) -> dict[str, str]:
    """Set the name of the attachment: other letters than ASCII need an encoding (RFC 6266, RFC 8187)."""
    if file.isascii():
        return {"filename": file}
    plain = unicodedata.normalize("NFKD", file).encode("ascii", "ignore").decode()
    return {"filename": plain, "filename*": f"UTF-8''{quote(file, safe='')}"}


def consistency_proof(nodes: GrowingTree, older: int, newer: int) -> models.Consistency:
    """Return the proof that the tree of size `newer` begins with that of size `older`."""
    roots = nodes.root(older).hex(), nodes.root(newer).hex()
    return models.Consistency(older, newer, *roots, to_hex(nodes.consistency(older, newer)))


def wants_text() -> bool:
    return request.accept_mimetypes.best_match((JSON, TEXT)) == TEXT


def text_response(said: str) -> Response:
    return Response(said, content_type=f"{TEXT}; charset=utf-8")


def to_hex(proof: tuple[bytes, ...]) -> list[str]:
    return [node.hex() for node in proof]


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/cosignatures",
    body=models.CosignRequest,
    gives=CosignatureView,
    status=201,
    problems=["refused"],
)
def cosign(session: str, body: models.CosignRequest) -> Response:
    """Cosign a checkpoint.

    By any seat, with a key of its own. The newest cosignature of each key is stored. Refused:
    `cosigner-key`, `cosigner-name` (another seat's), `not-a-checkpoint`, `other-log` (origin, size
    or root), `cosignature-missing`, `cosignature-bad`, `cosigned-ahead` (of the clock),
    `cosigned-later` (by this key), `too-many-keys`.
    """
    seat = auth.require_seat(session)
    head, _ = auth.session_for_viewer(session)
    return json_response(
        _cosignature_view(
            checkpoints.store_cosignature(auth.services().app, head, seat, body.vkey, body.note)
        ),
        201,
    )


@blueprint.operation(
    "GET", "/v1/sessions/<session:session>/cosignatures", gives=Cosignatures, token="optional"
)
def cosignatures(session: str) -> Response:
    """List the cosignatures.

    The newest of each key. The server does not vouch for the keys: decide yourself which ones you
    trust.
    """
    head, _ = auth.session_for_viewer(session)
    found = checkpoints.cosignatures(auth.services().app, session)
    return json_response(
        Cosignatures(head.session.version, [_cosignature_view(each) for each in found]),
        version=head.session.version,
    )


def _cosignature_view(each: SeatCosignature) -> CosignatureView:
    return CosignatureView(each.seat, each.vkey, each.size, iso_time(each.at * 1000))


@blueprint.operation(
    "GET",
    "/v1/index/checkpoint",
    query=models.IndexCheckpointQuery,
    gives={TEXT: None},
    token="none",
    problems=["not-found"],
)
def index_checkpoint(query: models.IndexCheckpointQuery) -> Response:
    """Read the checkpoint of the index.

    Size and root of the index's tree as a signed note (C2SP), with the lines of the witnesses that
    cosigned that size.
    """
    index = _index()
    if not query.cosigned:
        return text_response(index.checkpoint(index.size()))
    for confirmed in index.witness_cosignatures():  # the largest first
        return text_response(index.checkpoint(confirmed.size))
    raise ProblemError("not-found", "No witness has cosigned the index.")


@blueprint.operation(
    "GET", "/v1/index/entries", query=models.PageQuery, gives=IndexEntries, token="none"
)
def index_entries(query: models.PageQuery) -> Response:
    """List the index.

    Oldest first: an entry for each session that opened, forked (its own, and its child's opening)
    or closed here. An entry contains the session's id and size, and gives no access to the session.
    """
    index, limit = _index(), min(query.limit, auth.services().app.settings.page)
    found = index.page(query.after, limit + 1)
    more = found[limit - 1].number if len(found) > limit else UNSET
    return with_next_link(
        json_response(
            IndexEntries(index.size(), [IndexEntry(*each) for each in found[:limit]], more)
        ),
        more,
    )


@blueprint.operation(
    "GET",
    "/v1/index/proofs/inclusion",
    query=models.IndexInclusionQuery,
    gives={JSON: IndexInclusion, TEXT: None},
    token="none",
    problems=["not-found"],
)
def index_inclusion(query: models.IndexInclusionQuery) -> Response:
    """Prove that an entry is in the index.

    As JSON, or with `Accept: text/plain` as a tlog-proof (C2SP) under a signed checkpoint of that
    size.
    """
    index = _index()
    size = _tree_size(index, query.number, query.size)
    nodes, leaf = index.nodes(size), query.number - 1
    proof = nodes.inclusion(leaf, size)
    if wants_text():
        return text_response(tlog_proof_text(TlogProof(leaf, proof, index.checkpoint(size))))
    [entry] = index.page(leaf, 1)
    hashes = nodes.leaf(leaf).hex(), nodes.root(size).hex()
    return json_response(IndexInclusion(query.number, size, entry.note, *hashes, to_hex(proof)))


@blueprint.operation(
    "GET",
    "/v1/index/proofs/consistency",
    query=models.IndexConsistencyQuery,
    gives=models.Consistency,
    token="none",
    problems=["not-found"],
)
def index_consistency(query: models.IndexConsistencyQuery) -> Response:
    """Prove that the index only grew.

    Its tree of size `to` begins with its tree of size `from`.
    """
    index = _index()
    size = _tree_size(index, query.older, query.newer)
    return json_response(consistency_proof(index.nodes(size), query.older, size))


def _index() -> SessionIndex:
    return auth.services().app.index


def _tree_size(index: SessionIndex, least: int, asked: int | UnsetType) -> int:
    """Return the requested size or the newest. Raises ProblemError("not-found") if it is not in `least`..newest."""
    newest = index.size()
    size = newest if asked is UNSET else asked
    if not least <= size <= newest:
        raise ProblemError("not-found", f"The index has the entries 1 to {newest}.")
    return size
