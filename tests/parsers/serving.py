"""A server in process for what the parsers are given, and the folder of their files."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from domain.rulesets import RULESETS
from tests.service.http.playing import House, laid, settings_in


@cache
def folder() -> Path:
    made = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, made)
    return made


@cache
def house() -> House:
    """A server in process, with a table at it."""
    made = House(
        settings_in(folder() / "house", FAIRLOG_STREAM_SECONDS="0.05", FAIRLOG_STREAMS="4")
    )
    atexit.register(made.close)
    return made


@cache
def places() -> dict[str, tuple[str, ...]]:
    """What stands in addresses, by the name of its place."""
    evening = laid(house(), options={"listed": True})
    return {
        "session": (evening.session,),
        "seat": ("p1", "gm"),
        "invitation": ("0" * 16,),
        "token": ("0" * 16,),
        "code": (evening.invite(),),
        "segment": ("0",),
        "version": ("3", "12"),
        "k": ("0",),
        "plot": ("luck",),
        "job": (f"statistics-{evening.session}-1",),
        "ruleset": (RULESETS[0].name,),
        "": (evening.tokens["gm"],),
    }
