"""How a variable of the environment is read: what is allowed, and the one line for what is not."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class BadSetting(Exception):
    """A variable of the environment that cannot be used: its name, what was found, what is allowed."""

    def __init__(self, name: str, found: str, allowed: str) -> None:
        shown = re.sub(r"//[^@/]*@", "//***@", found)  # an address may hold a password
        super().__init__(f"{name} is {shown!r}, allowed is {allowed}")
        self.name = name
        self.allowed = allowed


class Setting(NamedTuple):
    """One variable: its default as one would write it, how it is read (ValueError: what is allowed), what it means.

    What is `secret` is never shown.
    """

    name: str
    default: str
    parse: Callable[[str], object]
    meaning: str
    secret: bool = False


def whole(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", text) or not low <= int(text) <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return int(text)

    return parse


def seconds(low: float, high: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) or not low <= float(text) <= high:
            raise ValueError(f"a number of seconds from {low:g} to {high:g}")
        return float(text)

    return parse


def matching(pattern: str, allowed: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(allowed)
        return text

    return parse


def folder(text: str) -> Path:
    return Path(text).expanduser().absolute()


def web_address(text: str) -> str:
    return matching(r"(https?://[^\s/?#]+(/[^\s?#]*)?)?", "http:// or https:// with a host")(
        text
    ).rstrip("/")
