"""Proof routes: checkpoints, RFC 6962 proofs, exports, cosignatures and the index."""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterator
from typing import Annotated
from urllib.parse import quote

import msgspec
from flask import Response, request
from msgspec import UNSET, Meta, UnsetType

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

blueprint = Blueprint("Proofs", __name__, tag="Proofs")


EntryNumber = Annotated[int, Meta(description="the number of the index entry, from 1")]
EntryNote = Annotated[
    str,
    Meta(
        description="the entry's leaf: the session's checkpoint, as a signed note (C2SP), from "
        "when the session was opened, forked or closed"
    ),
]


class IndexEntry(models.ResponseModel, frozen=True):
    """An entry in the session index."""

    number: EntryNumber
    session: models.SessionId
    size: Annotated[
        int,
        Meta(description="the size of the checkpoint, which is the session's version at that time"),
    ]
    note: EntryNote


class IndexEntries(models.ResponseModel, frozen=True):
    """A page of the session index."""

    size: Annotated[int, Meta(description="the number of entries in the whole index")]
    entries: Annotated[list[IndexEntry], Meta(description="the entries, oldest first")]
    next: models.NextPosition | UnsetType = UNSET


class IndexInclusion(models.ResponseModel, frozen=True):
    """A proof that an entry's note is in the index tree of size `size`."""

    number: EntryNumber
    size: models.TreeSize
    note: EntryNote
    leaf_hash: models.LeafHash
    root: models.TreeRoot
    proof: models.InclusionHashes


class CosignatureView(models.ResponseModel, frozen=True):
    """A seat's cosignature on the newest checkpoint cosigned with its key."""

    seat: Annotated[str, Meta(description="the id of the seat")]
    vkey: Annotated[
        str,
        Meta(
            description="the seat's verifier key as a vkey (C2SP), of type 4 and named "
            "`<origin>/w/<seat>`"
        ),
    ]
    size: Annotated[
        int, Meta(description="the size of the cosigned checkpoint, as a number of events")
    ]
    at: Annotated[
        str,
        Meta(description="the time of the cosignature, in whole seconds (ISO 8601, UTC)"),
    ]


class Cosignatures(models.ResponseModel, frozen=True):
    version: models.NewestVersion
    cosignatures: Annotated[
        list[CosignatureView],
        Meta(
            description="the newest cosignature from each key, grouped by seat; within a seat, "
            "those on larger checkpoints come first"
        ),
    ]


TEXT = "text/plain"
FAIRLOG = "application/x-fairlog"
GZIP = 31  # zlib's number for the gzip format with the largest window


@blueprint.operation(
    "getCheckpoint",
    "GET",
    "/v1/sessions/<session:session>/checkpoint",
    returns={TEXT: None},
    token="optional",
)
def checkpoint(session: str) -> Response:
    """Read the session's checkpoint.

    The checkpoint is a signed note (C2SP) with the size and root of the session's tree. It has a
    signature line for each seat that has cosigned it.
    """
    head, _ = auth.session_for_viewer(session)
    app = auth.services().app
    root = merkle_tree.root(head.frontier, head.session.version)
    return text_response(_signed_note(app, head, head.session.version, root))


@blueprint.operation(
    "proveInclusion",
    "GET",
    "/v1/sessions/<session:session>/proofs/inclusion",
    query=models.InclusionQuery,
    returns={JSON: models.Inclusion, TEXT: None},
    token="optional",
)
def inclusion(session: str, query: models.InclusionQuery) -> Response:
    """Prove that a version is in the log.

    The default response is JSON. With `Accept: text/plain`, the response is a tlog-proof (C2SP)
    that contains a signed checkpoint for the tree of size `size`.
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
    response = models.Inclusion(
        query.version,
        size,
        leaf.decode(),
        merkle_tree.leaf_hash(leaf).hex(),
        root.hex(),
        to_hex(proof),
    )
    return json_response(response)


@blueprint.operation(
    "proveConsistency",
    "GET",
    "/v1/sessions/<session:session>/proofs/consistency",
    query=models.ConsistencyQuery,
    returns=models.Consistency,
    token="optional",
)
def consistency(session: str, query: models.ConsistencyQuery) -> Response:
    """Prove that the log has only grown.

    The proof shows that the tree at version `to` extends the tree at version `from`.
    """
    app = auth.services().app
    head, _ = auth.session_for_viewer(session)
    newer = head.session.version if query.newer is UNSET else query.newer
    if not query.older <= newer <= head.session.version:
        raise UnknownSessionError(session, newer)
    return json_response(consistency_proof(app.trees.at(session, newer), query.older, newer))


class IndexProofEntry(models.ResponseModel, frozen=True):
    """An entry of the session in the index."""

    note: EntryNote
    number: EntryNumber


class IndexProofCheckpoint(models.ResponseModel, frozen=True):
    """A checkpoint of the index that a witness has cosigned."""

    note: Annotated[str, Meta(description="the checkpoint of the index, as a signed note (C2SP)")]
    proofs: Annotated[
        tuple[tuple[str, ...], ...],
        Meta(
            description="the inclusion proof (RFC 6962) of each entry that the checkpoint covers, "
            "in the order of `entries`: the sibling hashes from the leaf up to the root, 32 bytes "
            "in hex each"
        ),
    ]


class SessionInIndex(models.ResponseModel, frozen=True):
    """The session's entries in the index, and proofs that the index contains them."""

    checkpoints: Annotated[
        tuple[IndexProofCheckpoint, ...],
        Meta(
            description="the cosigned checkpoints of the index that cover an entry of the session, "
            "smallest first"
        ),
    ]
    entries: Annotated[
        tuple[IndexProofEntry, ...],
        Meta(description="all entries of the session, oldest first"),
    ]
    v: Annotated[int, Meta(description="the version of the format of this proof, always 1")]


@blueprint.operation(
    "proveIndexed",
    "GET",
    "/v1/sessions/<session:session>/proofs/index",
    returns=SessionInIndex,
    token="optional",
)
def session_in_index(session: str) -> Response:
    """Prove that the session is in the index.

    `fairlog verify --index FILE --witness KEY` compares a log with this response.
    """
    auth.session_for_viewer(session)
    return json_response(
        msgspec.convert(
            auth.services().app.index.proof(session), SessionInIndex, from_attributes=True
        )
    )


@blueprint.operation(
    "exportSession",
    "GET",
    "/v1/sessions/<session:session>/export",
    returns={FAIRLOG: None},
    token="optional",
)
def export(session: str) -> Response:
    """Export the log.

    The file contains a signed checkpoint and all events. Events that you may not see are sealed.
    You can verify the file offline with `fairlog verify`.
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
        "Content-Disposition",
        "attachment",
        **_file_name_parameters(_file_name(head.session.info.title)),
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


def _file_name_parameters(file: str) -> dict[str, str]:
    """Return the file name parameters for the Content-Disposition header.

    A name with non-ASCII characters is encoded according to RFC 8187.
    """
    if file.isascii():
        return {"filename": file}
    plain = unicodedata.normalize("NFKD", file).encode("ascii", "ignore").decode()
    return {"filename": plain, "filename*": f"UTF-8''{quote(file, safe='')}"}


def consistency_proof(nodes: GrowingTree, older: int, newer: int) -> models.Consistency:
    """Return the proof that the tree of size `newer` extends the tree of size `older`."""
    roots = nodes.root(older).hex(), nodes.root(newer).hex()
    return models.Consistency(older, newer, *roots, to_hex(nodes.consistency(older, newer)))


def wants_text() -> bool:
    return request.accept_mimetypes.best_match((JSON, TEXT)) == TEXT


def text_response(text: str) -> Response:
    return Response(text, content_type=f"{TEXT}; charset=utf-8")


def to_hex(proof: tuple[bytes, ...]) -> list[str]:
    return [node.hex() for node in proof]


@blueprint.operation(
    "cosignCheckpoint",
    "POST",
    "/v1/sessions/<session:session>/cosignatures",
    body=models.CosignRequest,
    returns=CosignatureView,
    status=201,
    problems=["refused"],
    scope="contribute",
)
def cosign(session: str, body: models.CosignRequest) -> Response:
    """Cosign a checkpoint.

    Any seat can cosign with its own key. The server stores the newest cosignature from each key. If
    the server refuses a cosignature, the `rule` in the response is one of these:

    - `cosigner-key`: The key is not a valid cosigner key.
    - `cosigner-name`: The name of the key is not `<origin>/w/<seat>`.
    - `not-a-checkpoint`: The note is not a checkpoint.
    - `other-log`: The origin, size or root does not match this log.
    - `cosignature-missing`: The note has no signature line from this key.
    - `cosignature-bad`: The signature is not valid.
    - `cosigned-ahead`: The time of the cosignature is too far ahead of the server's clock.
    - `cosigned-later`: The key has already cosigned a larger or newer checkpoint.
    - `too-many-keys`: The seat has already cosigned with the maximum number of keys.
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
    "listCosignatures",
    "GET",
    "/v1/sessions/<session:session>/cosignatures",
    returns=Cosignatures,
    token="optional",
)
def cosignatures(session: str) -> Response:
    """List the cosignatures.

    The response contains the newest cosignature from each key. The server does not vouch for the
    keys. Decide for yourself which keys to trust.
    """
    head, _ = auth.session_for_viewer(session)
    found = checkpoints.cosignatures(auth.services().app, session)
    return json_response(
        Cosignatures(head.session.version, [_cosignature_view(each) for each in found])
    )


def _cosignature_view(each: SeatCosignature) -> CosignatureView:
    return CosignatureView(each.seat, each.vkey, each.size, iso_time(each.at * 1000))


@blueprint.operation(
    "getIndexCheckpoint",
    "GET",
    "/v1/index/checkpoint",
    query=models.IndexCheckpointQuery,
    returns={TEXT: None},
    token="none",
    problems=["not-found"],
)
def index_checkpoint(query: models.IndexCheckpointQuery) -> Response:
    """Read the index's checkpoint.

    The checkpoint is a signed note (C2SP) with the size and root of the index's tree. It has a
    signature line for each witness that has cosigned that size.
    """
    index = _index()
    if not query.cosigned:
        return text_response(index.checkpoint(index.size()))
    for confirmed in index.witness_cosignatures():  # the largest first
        return text_response(index.checkpoint(confirmed.size))
    raise ProblemError(
        "not-found",
        "No witness has cosigned the index yet. Request the checkpoint without `cosigned`.",
    )


@blueprint.operation(
    "listIndexEntries",
    "GET",
    "/v1/index/entries",
    query=models.PageQuery,
    returns=IndexEntries,
    token="none",
)
def index_entries(query: models.PageQuery) -> Response:
    """List the index entries.

    The server adds an entry when a session is opened, forked or closed. A fork adds two entries,
    one for each session. The list starts with the oldest entry. An entry shows the session's id and
    size but gives no access to the session.
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
    "proveIndexInclusion",
    "GET",
    "/v1/index/proofs/inclusion",
    query=models.IndexInclusionQuery,
    returns={JSON: IndexInclusion, TEXT: None},
    token="none",
    problems=["not-found"],
)
def index_inclusion(query: models.IndexInclusionQuery) -> Response:
    """Prove that an entry is in the index.

    The default response is JSON. With `Accept: text/plain`, the response is a tlog-proof (C2SP)
    that contains a signed checkpoint for the tree of size `size`.
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
    "proveIndexConsistency",
    "GET",
    "/v1/index/proofs/consistency",
    query=models.IndexConsistencyQuery,
    returns=models.Consistency,
    token="none",
    problems=["not-found"],
)
def index_consistency(query: models.IndexConsistencyQuery) -> Response:
    """Prove that the index has only grown.

    The proof shows that the tree of size `to` extends the tree of size `from`.
    """
    index = _index()
    size = _tree_size(index, query.older, query.newer)
    return json_response(consistency_proof(index.nodes(size), query.older, size))


def _index() -> SessionIndex:
    return auth.services().app.index


def _tree_size(index: SessionIndex, least: int, requested: int | UnsetType) -> int:
    """Return the requested tree size, or the index's current size by default.

    Raises ProblemError("not-found") if the size is below `least` or above the current size.
    """
    newest = index.size()
    size = newest if requested is UNSET else requested
    if not least <= size <= newest:
        raise ProblemError(
            "not-found",
            f"There is no proof for this tree size. It must be at least {least} and cannot exceed "
            f"{newest}, the current size of the index.",
        )
    return size
