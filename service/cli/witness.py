"""`fairlog witness`: ask a witness to cosign the session index, or be a witness for other servers.

The protocol is c2sp.org/tlog-witness.
"""

from __future__ import annotations

import http.client
import os
import re
import sys
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import click

from domain.proof import ProofError, signed_note
from domain.proof.signed_note import Vkey
from service.cli.verify import read_witness
from service.platform.ed25519 import verify as ed25519
from service.platform.text import printable

if TYPE_CHECKING:
    from service.sessions.app import App
    from service.sessions.session_index import SessionIndex, WitnessCosignature

SUBMIT_PATH = "/add-checkpoint"
SIZE_CONTENT_TYPE = "text/x.tlog.size"
MAX_RESPONSE_BYTES, MAX_EXCERPT_CHARACTERS = 1 << 16, 200
MAX_ATTEMPTS = 3  # other clients may submit checkpoints at the same time
TIMEOUT_SECONDS = 30
_SIZE_PATTERN = re.compile("0|[1-9][0-9]{0,18}")


class WitnessError(Exception):
    """The witness did not cosign. The message says why and what to do."""


class WitnessResponse(NamedTuple):
    status: int
    kind: str
    text: str


def _check_url(ctx: click.Context, param: click.Parameter, text: str) -> str:
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # the port is not a number
        good = False
    if not good or parts.query or parts.fragment:
        raise click.BadParameter(
            f"{text} is not a valid witness URL: it must start with http:// or https://,"
            " name a host, and contain no ? or #"
        )
    return text.rstrip("/")


@click.group("witness")
def witness() -> None:
    """Ask a witness to cosign the session index, or be a witness for other servers."""


def _check_logs(
    ctx: click.Context, param: click.Parameter, logs: tuple[str, ...]
) -> tuple[str, ...]:
    for log in logs:
        try:
            key = signed_note.parse_vkey(log)
        except ProofError:
            raise click.BadParameter(f"{log} is not a public key") from None
        if key.kind != signed_note.ED25519:
            raise click.BadParameter(f"{log} is a witness key, but a log key (type 1) is required")
    return logs


@witness.command("serve")
@click.option("--name", required=True, help="The witness's name, such as example.org/witness.")
@click.option(
    "--log",
    "logs",
    multiple=True,
    callback=_check_logs,
    help="The key of an index to cosign, as `fairlog keys` prints it. Can be repeated.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default="fairlog-witness",
    show_default=True,
    help="The folder for the witness's key and its record of cosigned checkpoints.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8322, show_default=True, help="The port to listen on.")
def serve(name: str, logs: tuple[str, ...], folder: Path, host: str, port: int) -> None:
    """Cosign the session indexes of other servers.

    For each index, the witness remembers the last checkpoint that it has cosigned. It cosigns a new
    checkpoint only if it extends that one. Two servers can be witnesses for each other. Do not
    restore the folder from a backup, and do not run a second witness with a copy of it.

    Example: `fairlog witness serve --name example.org/witness --log fairlog.local/index+6f0e...`
    """
    from service.store.witness import WitnessFolderError, create_key

    try:
        key = create_key(folder, name)
    except (WitnessFolderError, ProofError) as problem:
        raise click.ClickException(str(problem)) from None
    click.echo(f"key:     {signed_note.vkey_text(key)}")
    click.echo(f"address: http://{host}:{port}")
    app = f"service.http.witness_app:create_app({str(folder)!r}, {' '.join(logs)!r})"
    command = (sys.executable, "-P", "-m", "gunicorn", "--bind", f"{host}:{port}")
    limits = ("--workers", "1", "--threads", "8", "--log-level", "warning", "--no-control-socket")
    os.execv(sys.executable, (*command, *limits, app))  # noqa: S606 the options were checked


@witness.command("ask")
@click.argument("url", callback=_check_url)
@click.option(
    "--vkey",
    required=True,
    callback=lambda ctx, param, text: read_witness(text),
    help="The witness's public key, to verify its cosignatures.",
)
def ask(url: str, vkey: Vkey) -> None:
    """Ask a witness to cosign the session index.

    The session index is this server's list of session checkpoints. By cosigning, the witness at URL
    confirms that no entry has been changed or removed since its last cosignature. This command
    verifies and stores the cosignature, and the server shows it at /v1/index/checkpoint. Run the
    command every few minutes. The exit status is 1 if the witness did not cosign.

    Example: `fairlog witness ask https://witness.example --vkey witness.example+5c9d80ee+BKg...`
    """
    from service.cli.context import app_of_environment, report_errors

    with app_of_environment() as app, report_errors(WitnessError):
        confirmed = submit_checkpoint(app, url, vkey)
    click.echo(f"{vkey.name} cosigned the session index at size {confirmed.size:,}")


def submit_checkpoint(app: App, url: str, vkey: Vkey) -> WitnessCosignature:
    """Ask the witness to cosign the session index. Store and return the cosignature.

    Raises WitnessError.
    """
    index, key = app.index, signed_note.vkey_text(vkey)
    size = index.size()
    if not size:
        raise WitnessError("the session index is empty: open a session first")
    known = next((each.size for each in index.witness_cosignatures() if each.vkey == key), 0)
    for _ in range(MAX_ATTEMPTS):
        answer = _post(url, _request_body(index, known, size))
        if answer.status == HTTPStatus.OK:
            confirmed = _check_cosignature(index, size, answer.text, url, vkey)
            index.store_cosignature(confirmed)
            return confirmed
        if answer.status != HTTPStatus.CONFLICT:
            raise WitnessError(_describe_refusal(index, answer))
        known = _parse_known_size(answer, known, size)
    raise WitnessError(
        f"the witness reported a different size on each of {MAX_ATTEMPTS} attempts, so another"
        " client is submitting checkpoints: try again"
    )


def _request_body(index: SessionIndex, known: int, size: int) -> bytes:
    return signed_note.add_checkpoint_body(
        known, index.nodes(size).consistency(known, size), index.checkpoint(size)
    ).encode()


def _check_cosignature(
    index: SessionIndex, size: int, lines: str, url: str, vkey: Vkey
) -> WitnessCosignature:
    from service.sessions.session_index import WitnessCosignature

    text = signed_note.parse_note(index.checkpoint(size)).text
    try:
        below = signed_note.parse_note(f"{text}\n{lines}")
        at = signed_note.cosignature_time(f"{text}\n{lines}", vkey, ed25519)
    except ProofError as broken:
        why = "is not valid" if broken.code == "E_COSIG" else "cannot be read"
        raise WitnessError(f"the witness's cosignature {why}: {_excerpt(lines)}") from None
    if at is None:
        raise WitnessError(
            f"the response from the witness has no cosignature by {vkey.name}: check --vkey"
        )
    newest = next(
        each
        for each in signed_note.signatures_by(below, vkey)
        if int.from_bytes(each.payload[:8], "big") == at
    )
    return WitnessCosignature(
        signed_note.vkey_text(vkey), url, size, at, signed_note.signature_line(newest)
    )


def _parse_known_size(answer: WitnessResponse, known: int, size: int) -> int:
    """Return the index size that the witness last cosigned, according to its response.

    Raises WitnessError if this server's index cannot extend the index that the witness cosigned.
    """
    text = answer.text.removesuffix("\n")
    if answer.kind != SIZE_CONTENT_TYPE or not _SIZE_PATTERN.fullmatch(text):
        raise WitnessError(
            f"the witness has a different checkpoint for index size {known}:"
            f" {_excerpt(answer.text)}"
        )
    theirs = int(text)
    if theirs > size:
        raise WitnessError(
            f"the witness cosigned the index at size {theirs}, but the index now has size {size}:"
            " check whether an older backup was restored"
        )
    if theirs == known:
        raise WitnessError(
            f"the witness has a different checkpoint for index size {known}:"
            " check whether this server's database was replaced or changed by hand"
        )
    return theirs


def _describe_refusal(index: SessionIndex, answer: WitnessResponse) -> str:
    reasons: dict[int, str] = {
        HTTPStatus.FORBIDDEN: "the witness expects a different key for this index:"
        f" ask the witness's operator to register {index.log_key}",
        HTTPStatus.NOT_FOUND: "this index is not registered with the witness:"
        f" ask the witness's operator to register {index.log_key}",
        HTTPStatus.UNPROCESSABLE_ENTITY: "this index does not extend the one that the witness"
        " cosigned: check whether this server's database was replaced or changed by hand",
    }
    return (
        reasons.get(answer.status)
        or f"the witness responded with status {answer.status}: {_excerpt(answer.text)}"
    )


def _post(url: str, body: bytes) -> WitnessResponse:
    """Send one POST request without following redirects. Raises WitnessError."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=TIMEOUT_SECONDS)
    try:
        connection.request(
            "POST", parts.path + SUBMIT_PATH, body, {"Content-Type": "text/plain; charset=utf-8"}
        )
        answer = connection.getresponse()
        text = answer.read(MAX_RESPONSE_BYTES).decode(errors="replace")
        return WitnessResponse(answer.status, answer.headers.get_content_type(), text)
    except (OSError, http.client.HTTPException, UnicodeError) as failed:
        raise WitnessError(
            f"the witness at {url} did not respond: {str(failed) or type(failed).__name__}"
        ) from None
    finally:
        connection.close()


def _excerpt(text: str) -> str:
    return printable(text.strip())[:MAX_EXCERPT_CHARACTERS] or "(empty response)"
