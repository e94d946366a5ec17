"""A page's forms as a browser without JavaScript reads and sends them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from html.parser import HTMLParser
from types import MappingProxyType
from typing import Any

from werkzeug.test import TestResponse

from tests.support.server import SessionClient

PEOPLE = {"Accept": "text/html"}
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Form(HTMLParser):
    """One form of a page as a browser would send it: names with the values that are filled in."""

    def __init__(self, text: str, act: str) -> None:
        super().__init__()
        self.act, self.inside, self.select = act, False, ""
        self.fields: dict[str, list[str]] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = said.get("data-act") == self.act
        if not self.inside:
            return
        name = said.get("name", "")
        if tag == "select":
            self.select = name
        elif tag == "option" and "selected" in said:
            self.fields.setdefault(self.select, []).append(said["value"])
        elif tag == "input" and said.get("value") and (_is_on(said) or "checked" in said):
            self.fields.setdefault(name, []).append(said["value"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False

    def filled(self, example: Mapping[str, Any] = NOTHING, **more: str) -> dict[str, Any]:
        """With the example's words, where none were offered."""
        blank = {
            f"c.{name}": str(said)
            for name, said in example.items()
            if f"c.{name}" not in self.fields
        }
        return {**self.fields, **blank, **more}


def _is_on(said: Mapping[str, str]) -> bool:
    """Whether the field is sent as it is."""
    return said.get("type") not in ("radio", "checkbox")


def page(evening: SessionClient, seat: str | None = "gm", query: str = "") -> str:
    answer = evening.house.client.get(
        f"/s/{evening.session}{query}", headers=PEOPLE | evening.headers(seat)
    )
    assert answer.status_code == 200, answer.text
    return answer.text


def send(
    evening: SessionClient, data: Mapping[str, Any], seat: str | None = "gm", **headers: str
) -> TestResponse:
    return evening.house.client.post(
        f"/s/{evening.session}/do",
        data=dict(data),
        headers=PEOPLE | evening.headers(seat, **headers),
    )


def allowed(evening: SessionClient, seat: str = "gm") -> list[Mapping[str, Any]]:
    return [each for each in evening.get(seat, "/commands").json["commands"] if each["allowed"]]


def events(evening: SessionClient, after: int, seat: str = "gm") -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = evening.get(seat, f"/events?after={after}").json["events"]
    return found


def filled(
    evening: SessionClient, act: str, seat: str = "gm", query: str = "", **more: str
) -> dict[str, Any]:
    found = [each["example"] for each in allowed(evening, seat) if each["kind"] == act]
    return Form(page(evening, seat, query), act).filled(*found, **more)


def first(evening: SessionClient, seat: str = "gm", *, draws: bool = False) -> str:
    """A command that is possible now, without chance or with it."""
    return next(str(each["kind"]) for each in allowed(evening, seat) if ("odds" in each) == draws)


def text_of(answer: TestResponse | str) -> str:
    """The words of a page."""
    text = answer if isinstance(answer, str) else answer.text
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text)))
