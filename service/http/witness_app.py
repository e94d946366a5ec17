"""The Flask application of a witness (c2sp.org/tlog-witness)."""

from __future__ import annotations

from pathlib import Path

from flask import Flask, Response, request

from service.store.witness import Witness

MAX_BODY_BYTES = 1 << 16


def create_app(folder: str, logs: str) -> Flask:
    """Return the WSGI application of the witness in `folder`.

    `logs` contains the keys of the logs that it cosigns, separated by spaces.
    """
    witness, flask = Witness(Path(folder), logs.split()), Flask("fairlog-witness")
    flask.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    flask.extensions["witness"] = witness

    @flask.post("/add-checkpoint")
    def add_checkpoint() -> Response:
        answer = witness.add_checkpoint(request.get_data().decode(errors="replace"))
        return Response(answer.text, answer.status, content_type=answer.kind)

    return flask
