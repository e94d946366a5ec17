"""The parsers of the service: what comes in over HTTP, and every file that it reads."""

from __future__ import annotations

import atexit
import io
import json
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from email.message import Message
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import strategies as st
from werkzeug.test import EnvironBuilder

from domain.proof.note import vkey_text
from domain.rulesets import RULESETS
from domain.verify import Report
from service.backup import ABOUT, NotRestored, back_up, restore
from service.client.answers import Refused
from service.client.keeping import Chain, Keeping, Kept
from service.http import given, schemas
from service.http.problems import PROBLEMS, Problem
from service.limiting import network
from service.moving import NotImported, take_in
from service.player import Answer
from service.settings import SETTINGS, BadSetting, Settings
from service.signing import FOLLOWED, make_keys, read_keys, rotate
from service.witness import Answer as Witnessed
from service.witness import NotWitnessed, _theirs
from tests.domain import bending
from tests.example import EXAMPLE, as_json
from tests.parsers.bent import bytes_of, texts_of, written
from tests.parsers.law import Parser
from tests.parsers.of_logs import lines, odd_json
from tests.service.http.playing import House, laid, settings_in

CODES = frozenset(PROBLEMS)
HEX = "0" * 64
BODIES: dict[type[given.Given], Any] = {
    given.Opening: {"ruleset": RULESETS[0].name, "title": "The mint", "options": {"listed": True}, "draws": "table"},
    given.Commanding: {"command": as_json(EXAMPLE.draw), "faces": [1, 2], "audience": "gm", "blind": HEX, "target": 3},
    given.Asking: {"command": as_json(EXAMPLE.draw)},
    given.Naming: {"name": "Ana"},
    given.Redacting: {"of": 4, "reason": "asked for"},
    given.Unsealing: {"turn": 3},
    given.Chaining: {"anchor": HEX, "length": 16, "signature": 2 * HEX, "public_key": HEX, "previous_link": HEX},
    given.Presenting: {"present": True, "signature": 2 * HEX},
    given.Contributing: {
        "chain": 0,
        "position": 1,
        "link": HEX,
        "seen_size": 1,
        "seen_root": HEX,
        "signature": 2 * HEX,
    },
    given.Forking: {"version": 3, "title": "Anew", "seat": "gm", "name": "Mo"},
    given.Inviting: {"role": "player", "seat": "p1", "uses": 1, "hours": 5},
    given.Taking: {
        "code": "fli_x",
        "seat": "p1",
        "chain": {"anchor": HEX, "length": 16, "public_key": HEX, "signature": 2 * HEX},
    },
    given.Cosigning: {"note": "A checkpoint.", "vkey": "A key."},
}
"""A good body of every kind."""
QUERIES = (
    given.Page, given.EventPage, given.ReviewPage, given.Sight, given.Search, given.Following, given.Moment,
    given.Counting, given.Merging, given.Included, given.IndexMoment, given.IndexIncluded, given.IndexGrown,
    given.Compared, given.Grown, given.Looking, given.Leaving,
)  # fmt: skip
ASKED = {
    "after": "0", "limit": "50", "at": "3", "last": "5", "as": "p1", "kind": "session.Opened", "seat": "gm",
    "die": "d6", "entity": "ana", "text": "rain", "since": "2026-01-01T00:00:00Z", "until": "2026-01-01T00:00:00+01:00",
    "marked": "true", "undone": "false", "from": "1", "to": "9", "ruleset": RULESETS[0].name,
    "edition": "1", "version": "1", "size": "9", "cosigned": "true", "number": "1", "seen": "1", "signature": 2 * HEX,
}  # fmt: skip
SENT = {
    "Authorization": "Bearer flt_abc", "Cookie": "fairlog-seat=flt_abc", "If-Match": '"41"',
    "Idempotency-Key": "k" * 20, "Last-Event-ID": "12", "Accept": "text/event-stream", "Accept-Encoding": "gzip;q=0.5",
    "If-None-Match": '"abc"', "Content-Type": "application/json", "Content-Encoding": "gzip", "X-Request-Id": "a" * 32,
    "Origin": "http://localhost",
    "Sec-Fetch-Site": "same-origin", "X-Forwarded-For": "fe80::1%eth0", "Host": "localhost", "Range": "bytes=0-1",
    "Content-Length": "5", "Transfer-Encoding": "chunked", "Accept-Language": "de;q=x",
}  # fmt: skip


@cache
def folder() -> Path:
    made = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, made)
    return made


@cache
def house() -> House:
    """A server in process, with a table at it."""
    made = House(settings_in(folder() / "house", FAIRLOG_STREAM_SECONDS="0.05", FAIRLOG_STREAMS="4"))
    atexit.register(made.close)
    return made


@cache
def places() -> dict[str, tuple[str, ...]]:
    """What stands in addresses, by the name of its place."""
    evening = laid(house(), options={"listed": True})
    return {
        "session": (evening.session,), "seat": ("p1", "gm"), "invitation": ("0" * 16,), "token": ("0" * 16,),
        "code": (evening.invite(),), "segment": ("0",), "version": ("3", "12"), "k": ("0",), "plot": ("luck",),
        "job": (f"statistics-{evening.session}-1",), "ruleset": (RULESETS[0].name,), "": (evening.tokens["gm"],),
    }  # fmt: skip


def bodies() -> st.SearchStrategy[tuple[type[given.Given], bytes]]:
    return st.sampled_from(list(BODIES)).flatmap(
        lambda struct: st.tuples(st.just(struct), odd_json(written(BODIES[struct])))
    )


def commands() -> st.SearchStrategy[tuple[type[given.Given], bytes]]:
    """Of every room, each kind as the script of its evening has it."""
    found = {step["do"]["kind"]: step["do"] for room in RULESETS for step in _steps(room.name)}
    chosen = st.sampled_from([{"command": command} for command in found.values()])
    made = chosen.flatmap(lambda body: odd_json(written(body)))
    return st.tuples(st.just(given.Commanding), made)


def _steps(room: str) -> Iterator[dict[str, Any]]:
    script = json.loads((Path(__file__).parents[2] / "domain/rulesets" / room / "evening.json").read_bytes())
    kinds = [step for step in script["steps"] if "kind" in step.get("do", {})]
    yield from kinds


def queries() -> st.SearchStrategy[tuple[type[given.Given], dict[str, list[str]]]]:
    names = st.sampled_from(sorted(ASKED)) | st.text(max_size=5)
    values = st.sampled_from(sorted(ASKED.values())).flatmap(texts_of)
    return st.tuples(
        st.sampled_from(QUERIES), st.dictionaries(names, st.lists(values, min_size=1, max_size=2), max_size=4)
    )


def requests() -> st.SearchStrategy[tuple[str, str, str, dict[str, str], bytes]]:
    """Method, path, query, headers and body, to every address that there is."""
    rules = sorted(
        (rule.rule, tuple(sorted(rule.methods or ()))) for rule in house().flask.url_map.iter_rules()
        if not rule.rule.startswith("/docs")
    )  # fmt: skip
    bodies_ = st.one_of(
        odd_json(*map(written, BODIES.values())),
        st.sampled_from(sorted(ASKED)).map(lambda name: f"{name}={ASKED[name]}&key=0123456789abcdef&act=x".encode()),
        st.binary(max_size=20),
    )
    query = st.dictionaries(
        st.sampled_from(sorted(ASKED)), st.sampled_from(sorted(ASKED.values())).flatmap(texts_of), max_size=3
    )
    return st.sampled_from(rules).flatmap(
        lambda rule: st.tuples(st.sampled_from(rule[1]), _path(rule[0]), query.map(_query), _headers(), bodies_)
    )


def _path(rule: str) -> st.SearchStrategy[str]:
    parts = [part.partition(">")[::2] for part in rule.split("<")[1:]]
    named = [(name.partition(":")[2] or name, rest) for name, rest in parts]
    start = rule.partition("<")[0]
    values = [
        st.sampled_from(places().get(name, ("x",))).flatmap(lambda good: st.just(good) | texts_of(good))
        for name, _ in named
    ]
    return st.tuples(*values).map(lambda given: start + "".join(v + r for v, (_, r) in zip(given, named, strict=True)))


def _query(asked: dict[str, str]) -> str:
    return "&".join(f"{name}={value}" for name, value in asked.items())


def _headers() -> st.SearchStrategy[dict[str, str]]:
    token = places()[""][0]
    good = SENT | {"Authorization": f"Bearer {token}", "Cookie": f"fairlog-seat={token}"}
    names = st.lists(st.sampled_from(sorted(good)), unique=True, max_size=5)
    each = st.sampled_from(sorted(good)).flatmap(
        lambda name: st.tuples(st.just(name), st.just(good[name]) | texts_of(good[name]))
    )
    return st.tuples(names, st.lists(each, max_size=2)).map(
        lambda two: {name: good[name] for name in two[0]} | dict(two[1])
    )


def answered(request: tuple[str, str, str, dict[str, str], bytes]) -> None:
    """No 500, and every no is a problem with its code, or a page that says so."""
    method, path, query, headers, body = request
    environ = EnvironBuilder(method=method, path="/", data=body).get_environ()
    environ["PATH_INFO"] = path.encode("utf-8", "surrogateescape").decode("latin-1")
    environ["QUERY_STRING"] = query.encode("utf-8", "surrogateescape").decode("latin-1")
    for name, value in headers.items():
        text = value.encode("utf-8", "surrogateescape").decode("latin-1").replace("\r", "").replace("\n", "")
        key = name.upper().replace("-", "_")
        environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"] = text
    status, kind, content = _open(environ)
    assert status < HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.SERVICE_UNAVAILABLE, (status, content)
    if status >= HTTPStatus.BAD_REQUEST:
        raise Problem(json.loads(content)["code"] if content and kind.endswith("json") else "malformed", "")


def _open(environ: dict[str, Any]) -> tuple[int, str, bytes]:
    found: list[Any] = []
    parts = house().flask.wsgi_app(
        environ, lambda status, headers, *_: found.extend((status, headers)) or (lambda _: None)
    )
    try:
        content = b"".join(parts)
    finally:
        getattr(parts, "close", lambda: None)()
    return int(found[0].split()[0]), dict(found[1]).get("Content-Type", ""), content


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
    rotate(made)
    return {file.name: file.read_bytes() for file in made.iterdir()}


def opened(followed: bytes) -> None:
    """The keys of a folder in which that file is another."""
    with tempfile.TemporaryDirectory(dir=folder()) as place:
        for name, content in {**key_files(), FOLLOWED: followed}.items():
            Path(place, name).write_bytes(content)
        read_keys(Path(place))


@cache
def seat_file() -> bytes:
    key = vkey_text(bending.vkey())
    kept = Kept("http://localhost", "0" * 32, "p1", "flt_x", key, "fairlog.local/x", HEX, HEX, [Chain(0, 16, HEX)])
    return msgspec.json.encode(kept)


def sat(raw: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=folder()) as file:
        Path(file.name).write_bytes(raw)
        Keeping.read(Path(file.name))


@cache
def backup() -> bytes:
    file = folder() / "backup.tar"
    settings = settings_in(folder() / "backed-up")
    made = House(settings)
    made.open()
    made.close()
    back_up(settings, file)
    return file.read_bytes()


def backups() -> st.SearchStrategy[bytes]:
    """Bent as a file, or with bent content that is hashed and packed as if it were good."""
    files = contents()
    name = st.sampled_from(sorted(files))
    packed = name.flatmap(lambda one: bytes_of(files[one]).map(lambda raw: packed_anew({**files, one: raw}, one)))
    return bytes_of(backup()) | packed


def contents() -> dict[str, bytes]:
    """The files of a good backup."""
    with tarfile.open(fileobj=io.BytesIO(backup())) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}


def packed_anew(files: dict[str, bytes], bent: str) -> bytes:
    """A backup of these files, the bent one hashed as it is."""
    if bent != ABOUT:
        about = json.loads(files[ABOUT])
        about["files"][bent] = sha256(files[bent]).hexdigest()
        files = {**files, ABOUT: json.dumps(about).encode()}
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
    return take_in(house().app, given_lines)


def refused(raw: bytes) -> None:
    assert isinstance(Refused(Answer(409, Message(), raw)).rule, str)


def parsers() -> list[Parser]:
    problem: dict[str, Any] = {"noes": (Problem,), "code": lambda no: no.code, "codes": CODES}
    malformed = {**problem, "codes": frozenset({"malformed", "unreadable"})}
    return [
        Parser("bodies", bodies, lambda made: schemas.read(*made), **malformed),
        Parser("commands", commands, lambda made: schemas.read(*made), **malformed),
        Parser("queries", queries, lambda made: schemas.read_query(*made), **malformed),
        Parser("requests to every address", requests, answered, **problem),
        Parser("settings", environs, settled, (BadSetting,)),
        Parser("which keys followed", lambda: bytes_of(key_files()[FOLLOWED]), opened, (OSError,)),
        Parser("a seat's file", lambda: odd_json(seat_file()), sat, (ValueError,)),
        Parser("backups", backups, restored, (NotRestored,)),
        Parser("imports", lines, taken_in, (NotImported,)),
        Parser("a server's answers", lambda: odd_json(b'{"rule":"x","code":"y"}', b'{"code":null}'), refused),
        Parser("a witness's answers", lambda: texts_of("12\n", "0\n"), witnessed, (NotWitnessed,)),
        Parser("addresses", lambda: texts_of("127.0.0.1", "fe80::1%eth0", "2001:db8::1"), network),
    ]


def witnessed(text: str) -> None:
    _theirs(Witnessed(HTTPStatus.CONFLICT, "text/x.tlog.size", text), 3, 9)
