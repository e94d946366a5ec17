"""What lets anyone check the log: the signed checkpoint, proofs of RFC 6962, and the export."""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterator
from urllib.parse import quote

from flask import Response, request
from msgspec import UNSET

from domain.fact import leaf_of
from domain.proof import tree
from domain.proof.note import TlogProof, tlog_proof_text
from domain.proof.tree import Nodes
from domain.session.draws import Head
from service import notary
from service.bootstrap import App
from service.gamelog import Unknown
from service.http import auth
from service.http.answering import json
from service.http.given import Grown, Included
from service.http.openapi import JSON, Blueprint
from service.http.shown import Consistency, Inclusion

TEXT = "text/plain"
FAIRLOG = "application/x-fairlog"
GZIP = 31  # zlib's number for the gzip format with the largest window

blueprint = Blueprint(
    "Proofs", __name__, description="What lets anyone check that nothing was bent or rewritten."
)


@blueprint.operation(
    "GET", "/v1/sessions/<session:session>/checkpoint", gives={TEXT: None}, token="optional"
)
def checkpoint(session: str) -> Response:
    """Get the checkpoint

    Size and root of the session's tree as a signed note (C2SP), with the lines of the seats that cosigned it.
    """
    head, _ = auth.viewed(session)
    app = auth.edge().app
    root = tree.root(head.frontier, head.session.version)
    return text(_note(app, head, head.session.version, root))


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/proofs/inclusion",
    query=Included,
    gives={JSON: Inclusion, TEXT: None},
    token="optional",
)
def inclusion(session: str, query: Included) -> Response:
    """Prove that a version is in the log

    As JSON, or with `Accept: text/plain` as a tlog-proof (C2SP) under a signed checkpoint of that size.
    """
    app = auth.edge().app
    head, _ = auth.viewed(session)
    size = head.session.version if query.size is UNSET else query.size
    if not query.version <= size <= head.session.version:
        raise Unknown(session, size)
    nodes = app.trees.at(session, size)
    proof, root = nodes.inclusion(query.version - 1, size), nodes.root(size)
    if wants_text():
        return text(
            tlog_proof_text(TlogProof(query.version - 1, proof, _note(app, head, size, root)))
        )
    leaf = leaf_of(app.log.facts(session, query.version - 1, query.version)[0])
    shown = Inclusion(
        query.version, size, leaf.decode(), tree.leaf_hash(leaf).hex(), root.hex(), in_hex(proof)
    )
    return json(shown)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/proofs/consistency",
    query=Grown,
    gives=Consistency,
    token="optional",
)
def consistency(session: str, query: Grown) -> Response:
    """Prove that the log only grew

    That the tree of version `to` begins with the tree of version `from`.
    """
    app = auth.edge().app
    head, _ = auth.viewed(session)
    newer = head.session.version if query.newer is UNSET else query.newer
    if not query.older <= newer <= head.session.version:
        raise Unknown(session, newer)
    return json(grown(app.trees.at(session, newer), query.older, newer))


@blueprint.operation(
    "GET", "/v1/sessions/<session:session>/export", gives={FAIRLOG: None}, token="optional"
)
def export(session: str) -> Response:
    """Take the log home

    Every event that you may see, with the checkpoint that covers them: `fairlog verify` checks the file offline.
    """
    head, viewer = auth.viewed(session)
    app = auth.edge().app
    lines = notary.exported(app, head, viewer)
    zipped = request.accept_encodings.quality("gzip") > 0
    response = Response(_gzip(lines) if zipped else lines, content_type=FAIRLOG)
    if zipped:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.headers.set(
        "Content-Disposition", "attachment", **_named(_file_name(head.session.frame.title))
    )
    return response


def _note(app: App, head: Head, size: int, root: bytes) -> str:
    return notary.checkpoint(app, head.session.frame, head.session.id, size, root)


def _gzip(lines: Iterator[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=GZIP)
    for line in lines:
        if packed := packer.compress(line):
            yield packed
    yield packer.flush()


def _file_name(title: str) -> str:
    return "".join("-" if mark in '/\\:*?"<>|' else mark for mark in title).strip(" .") + ".fairlog"


def _named(file: str) -> dict[str, str]:
    """A header holds no other letters than ASCII's as they are (RFC 6266, RFC 8187)."""
    if file.isascii():
        return {"filename": file}
    plain = unicodedata.normalize("NFKD", file).encode("ascii", "ignore").decode()
    return {"filename": plain, "filename*": f"UTF-8''{quote(file, safe='')}"}


def grown(nodes: Nodes, older: int, newer: int) -> Consistency:
    """That a tree of one size begins with the tree of another."""
    roots = nodes.root(older).hex(), nodes.root(newer).hex()
    return Consistency(older, newer, *roots, in_hex(nodes.consistency(older, newer)))


def wants_text() -> bool:
    return request.accept_mimetypes.best_match((JSON, TEXT)) == TEXT


def text(said: str) -> Response:
    return Response(said, content_type=f"{TEXT}; charset=utf-8")


def in_hex(proof: tuple[bytes, ...]) -> list[str]:
    return [node.hex() for node in proof]
