"""The console as the server answers it: its files are stored for good and sent compressed."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.web import console
from tests.support.server import TestServer, settings_in

GZIP = {"Accept-Encoding": "gzip, br"}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestServer]:
    served = TestServer(settings_in(tmp_path))
    yield served
    served.close()


def test_a_file_is_compressed_and_stored_for_good(house: TestServer) -> None:
    files = sorted((console.DIST / "assets").iterdir())
    assert files
    for file in files:
        address = f"/console/assets/{file.name}"
        with house.client.get(address, headers=GZIP) as sent:
            assert sent.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            is_compressed = sent.headers.get("Content-Encoding") == "gzip"
            assert is_compressed == (file.suffix in console.COMPRESSED)
            assert (gzip.decompress(sent.data) if is_compressed else sent.data) == file.read_bytes()
            assert int(sent.headers["Content-Length"]) == len(sent.data)
        with house.client.get(address) as plain:
            assert plain.data == file.read_bytes()
        known = GZIP | {"If-None-Match": sent.headers["ETag"]}
        with house.client.get(address, headers=known) as same:
            assert (same.status_code, same.data) == (304, b"")


@pytest.mark.parametrize("file", ["../index.html", "%2e%2e/index.html", "nothing.js", ""])
def test_no_other_file_is_served(house: TestServer, file: str) -> None:
    assert house.client.get(f"/console/assets/{file}").status_code == 404
