"""The console's own files: styles, pictures and modules, under an address that names what is in them."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from flask import Blueprint, Response, send_from_directory, url_for

FOLDER = Path(__file__).parent / "static"
YEAR = 31_536_000  # seconds

blueprint = Blueprint("Assets", __name__, template_folder="templates")


@cache
def release() -> str:
    """12 hex digits that change with any byte of any file: modules that import each other stay together."""
    digest = hashlib.sha256()
    for path in _files():
        digest.update(
            f"{path.relative_to(FOLDER).as_posix()}\0{path.stat().st_size}\0".encode()
            + path.read_bytes()
        )
    return digest.hexdigest()[:12]


def asset(file: str) -> str:
    """The address of a file, which may be kept for good."""
    return url_for("Assets.static", release=release(), file=file)


@blueprint.get("/static/<release:release>/<path:file>")
def static(release: str, file: str) -> Response:
    """The file as it is now; under the address of another release it is asked for again each time."""
    response = send_from_directory(FOLDER, file, etag=_etags().get(file, False))
    if release == _current():
        response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
    else:
        response.headers["Cache-Control"] = "no-cache"
    return response


_current = release  # the view's argument has its name


@cache
def _etags() -> dict[str, str]:
    return {
        path.relative_to(FOLDER).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()[:32]
        for path in _files()
    }


def _files() -> list[Path]:
    return sorted(path for path in FOLDER.rglob("*") if path.is_file())
