"""What the processes of a whole evening say, at their most talkative: no token, salt, link, key or word is there."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
import requests

from domain.example_session import read_script
from domain.log_file import EventLine
from domain.rulesets import RULESETS
from service.cli.demo.player import SessionPlayer
from service.platform.settings import Settings
from service.sessions.app import build
from service.sessions.log_files import export_log
from tests.support.processes import Running, eventually

pytestmark = pytest.mark.long

MARK = "the vault lies below the mint"
WORKING = {"FAIRLOG_LOG": "debug", "FAIRLOG_SWEEP": "1"}
METRICS = "a-key-that-only-the-scraper-has"


def test_nothing_that_is_secret_is_said(tmp_path: Path) -> None:
    server = Running(tmp_path, "serve", FAIRLOG_METRICS_KEY=METRICS, **WORKING)
    (held := tmp_path / "held").mkdir()
    try:
        url = server.url()
        evening = SessionPlayer(url, read_script(RULESETS[0]), held)
        evening.open()
        for _ in evening.play():
            pass
        answers = asked_badly(url, evening)
        assert eventually(lambda: "ok" in requests.get(f"{url}/readyz", timeout=60).text)
    finally:
        server.stop()
    while not server._lines.empty():
        server.heard.append(server._lines.get())
    said = "\n".join(server.heard)
    assert said.count('"event": "request"') > 100, "the log was listened to"
    found = {
        name: text
        for name, text in secrets(server.settings, evening, held).items()
        if text in said + answers
    }
    assert found == {}
    evening.close()


def asked_badly(url: str, evening: SessionPlayer) -> str:
    """Secrets in every wrong place; all that is answered, but where the answer is the secret's own."""
    token, session = evening.gm.token, f"{url}/v1/sessions/{evening.session}"
    bearer = {"Authorization": f"Bearer {token}"}
    tried: list[dict[str, Any]] = [
        {"method": "GET", "url": f"{session}?token={token}", "headers": bearer},
        {"method": "GET", "url": f"{session}/{token}", "headers": bearer},
        {
            "method": "POST",
            "url": f"{session}/narrate",
            "headers": bearer,
            "data": f'{{"text": "{MARK}',
        },
        {"method": "POST", "url": f"{session}/narrate", "headers": bearer, "json": {"txt": MARK}},
        {
            "method": "POST",
            "url": f"{session}/commands",
            "headers": bearer,
            "json": {"command": {"kind": MARK}},
        },
        {"method": "GET", "url": f"{url}/v1/invitations/{token}"},
        {
            "method": "GET",
            "url": f"{url}/metrics",
            "headers": {"Authorization": f"Bearer {METRICS}x"},
        },
        {
            "method": "GET",
            "url": f"{url}/s/{evening.session}",
            "headers": {"Cookie": f"fairlog-seat={token}x"},
        },
    ]
    return "\n".join(requests.request(timeout=60, **each).text.replace(MARK, "") for each in tried)


def secrets(settings: Settings, evening: SessionPlayer, held: Path) -> dict[str, str]:
    """Each by what it is."""
    found = {f"token {seat}": player.token for seat, player in evening.seats.items()}
    found |= {f"key {file.name}": file.read_text().strip() for file in settings.keys.iterdir()}
    found |= {"metrics": METRICS, "mark": MARK}
    for file in held.rglob("*"):
        if file.is_file():
            kept = msgspec.json.decode(file.read_bytes())
            found |= {
                f"{file.name} {name}": value
                for name, value in flat(kept)
                if name in ("key", "last", "witness")
            }
    with closing(sqlite3.connect(settings.log_file)) as log:
        for session, name, value in log.execute("SELECT session, name, value FROM secrets"):
            found[f"secret {session} {name}"] = bytes(value).hex()
    with closing(build(settings)) as app:
        entries = [
            msgspec.json.decode(line, type=EventLine)
            for line in export_log(app, evening.session)
            if b'"leaf"' in line
        ]
    for nth, entry in enumerate(entries, 1):
        assert not isinstance(entry.opening, msgspec.UnsetType)
        found[f"salt {nth}"] = entry.opening.salt
        body = msgspec.json.decode(entry.opening.body)
        found |= {
            f"{nth} {name}": text
            for name, text in flat(body)
            if name in ("text", "reason", "link") and len(text) > 9
        }
    assert len(found) > 200
    return found


def flat(value: Any, name: str = "") -> list[tuple[str, str]]:
    """Every text in a JSON value, by the name that it stands under."""
    match value:
        case dict():
            return [each for key, inner in value.items() for each in flat(inner, key)]
        case list():
            return [each for inner in value for each in flat(inner, name)]
        case str():
            return [(name, value)]
    return []
