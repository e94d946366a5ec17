"""The parsers of files and of other servers' answers: settings, keys, seats, backups, imports."""

from __future__ import annotations

import io
import json
import tarfile
import tempfile
from email.message import Message
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path

import msgspec
from hypothesis import strategies as st

from domain.proof.signed_note import vkey_text
from domain.verify.report import Report
from service.cli.witness import WitnessError, WitnessResponse as Witnessed, _parse_known_size
from service.client.api import ApiResponse, RequestRefusedError
from service.client.seat_file import SeatFile, SeatFileChain, SeatFileData
from service.ops.backup import MANIFEST, RestoreError, back_up, restore
from service.platform.keys import FOLLOWED, make_keys, read_keys, rotate_log_key
from service.platform.settings import SETTINGS, InvalidSettingError, Settings
from service.sessions.log_files import LogImportError, import_log
from tests.domain import broken_logs
from tests.parsers.law import Parser
from tests.parsers.log_parsers import lines, odd_json
from tests.parsers.mutations import bytes_of, texts_of
from tests.parsers.server import folder, house
from tests.support.server import TestServer, settings_in

HEX = "0" * 64


def environs() -> st.SearchStrategy[dict[str, str]]:
    names = st.sampled_from([setting.name for setting in SETTINGS.values()])
    names = names | names.map(lambda name: f"{name}_FILE")
    good = [setting.default for setting in SETTINGS.values()] + [
        "postgresql://a:b@c/d",
        "https://x.example",
        "/nowhere",
    ]
    return st.dictionaries(names, texts_of(*good), max_size=4)


def settled(environ: dict[str, str]) -> None:
    Settings.read(environ)


@cache
def key_files() -> dict[str, bytes]:
    """Those of a server whose log's key was followed once."""
    made = folder() / "keys"
    make_keys(made)
    rotate_log_key(made)
    return {file.name: file.read_bytes() for file in made.iterdir()}


def opened(followed: bytes) -> None:
    """The keys of a folder in which that file is another."""
    with tempfile.TemporaryDirectory(dir=folder()) as place:
        for name, content in {**key_files(), FOLLOWED: followed}.items():
            Path(place, name).write_bytes(content)
        read_keys(Path(place))


@cache
def seat_file() -> bytes:
    key = vkey_text(broken_logs.vkey())
    kept = SeatFileData(
        "http://localhost",
        "0" * 32,
        "p1",
        "flt_x",
        key,
        "fairlog.local/x",
        HEX,
        HEX,
        [SeatFileChain(0, 16, HEX)],
    )
    return msgspec.json.encode(kept)


def sat(raw: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=folder()) as file:
        Path(file.name).write_bytes(raw)
        SeatFile.read(Path(file.name))


@cache
def backup() -> bytes:
    file = folder() / "backup.tar"
    settings = settings_in(folder() / "backed-up")
    made = TestServer(settings)
    made.open()
    made.close()
    back_up(settings, file)
    return file.read_bytes()


def backups() -> st.SearchStrategy[bytes]:
    """Bent as a file, or with bent content that is hashed and packed as if it were good."""
    files = contents()
    name = st.sampled_from(sorted(files))
    packed = name.flatmap(
        lambda one: bytes_of(files[one]).map(lambda raw: packed_anew({**files, one: raw}, one))
    )
    return bytes_of(backup()) | packed


def contents() -> dict[str, bytes]:
    """The files of a good backup."""
    with tarfile.open(fileobj=io.BytesIO(backup())) as archive:
        return {
            member.name: archive.extractfile(member).read() for member in archive if member.isfile()
        }


def packed_anew(files: dict[str, bytes], bent: str) -> bytes:
    """A backup of these files, the bent one hashed as it is."""
    if bent != MANIFEST:
        about = json.loads(files[MANIFEST])
        about["files"][bent] = sha256(files[bent]).hexdigest()
        files = {**files, MANIFEST: json.dumps(about).encode()}
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def restored(raw: bytes) -> None:
    with tempfile.TemporaryDirectory(dir=folder()) as place:
        file = Path(place, "file.tar")
        file.write_bytes(raw)
        restore(settings_in(Path(place, "data")), file, lambda done, of: None)


def taken_in(given_lines: tuple[bytes, ...]) -> Report:
    return import_log(house().app, given_lines)


def refused(raw: bytes) -> None:
    assert isinstance(RequestRefusedError(ApiResponse(409, Message(), raw)).rule, str)


def witnessed(text: str) -> None:
    _parse_known_size(Witnessed(HTTPStatus.CONFLICT, "text/x.tlog.size", text), 3, 9)


def parsers() -> list[Parser]:
    return [
        Parser("settings", environs, settled, (InvalidSettingError,)),
        Parser("which keys followed", lambda: bytes_of(key_files()[FOLLOWED]), opened, (OSError,)),
        Parser("a seat's file", lambda: odd_json(seat_file()), sat, (ValueError,)),
        Parser("backups", backups, restored, (RestoreError,)),
        Parser("imports", lines, taken_in, (LogImportError,)),
        Parser(
            "a server's answers",
            lambda: odd_json(b'{"rule":"x","code":"y"}', b'{"code":null}'),
            refused,
        ),
        Parser("a witness's answers", lambda: texts_of("12\n", "0\n"), witnessed, (WitnessError,)),
    ]
