"""Requests with something that a client invented: methods, paths, hosts, tokens, names."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import NamedTuple


class Request(NamedTuple):
    method: str = "GET"
    path: str = "/v1/sessions"
    headers: dict[str, str] = {}  # noqa: RUF012
    body: object = None


def word() -> str:
    return secrets.token_hex(16)


def letters(number: int) -> str:
    return "".join(secrets.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(number))


SEATS = "/v1/seats"
KINDS: dict[str, Callable[[str], Request]] = {
    "methods": lambda _: Request(letters(15)),
    "methods of a session": lambda path: Request(letters(15), path),
    "paths": lambda _: Request(path=f"/{word()}"),
    "paths below": lambda path: Request(path=f"{path}/{word()}"),
    "queries": lambda path: Request(path=f"{path}?{word()}={word()}"),
    "hosts": lambda _: Request(headers={"Host": f"{word()}.example"}),
    "addresses": lambda _: Request(headers={"X-Forwarded-For": f"2001:db8:{address()}"}),
    "tokens": lambda path: Request(path=path, headers={"Authorization": f"Bearer flt_{word()}"}),
    "cookies": lambda path: Request(
        path=path, headers={"Cookie": f"fairlog-seat={word()}; {word()}=1"}
    ),
    "request ids": lambda _: Request(headers={"X-Request-Id": word()}),
    "codes": lambda _: Request("POST", SEATS, body={"code": f"fli_{word()}", "name": "Ana"}),
    "codes looked at": lambda _: Request(path=f"/v1/invitations/fli_{word()}"),
    "keys": lambda _: Request("POST", SEATS, {"Idempotency-Key": word()}, {"code": "fli_none"}),
    "sessions": lambda _: Request(path=f"/v1/sessions/{word()}"),
    "pages of sessions": lambda _: Request(path=f"/s/{word()}"),
    "names": lambda _: Request("POST", SEATS, body={"code": "fli_none", "name": word()}),
    "names of a host": lambda _: Request(
        "POST", "/v1/sessions", body={"ruleset": "none", "title": word(), "name": word()}
    ),
    "rulesets": lambda _: Request(
        "POST", "/v1/sessions", body={"ruleset": f"r{word()[:20]}", "title": "T"}
    ),
    "fields": lambda _: Request("POST", SEATS, body={"code": "fli_none", f"f{word()}": word()}),
    "versions": lambda path: Request(path=f"{path}?version={secrets.randbelow(10**14) + 100}"),
}


def address() -> str:
    return f"{secrets.randbelow(1 << 16):x}:{secrets.randbelow(1 << 16):x}::1"
