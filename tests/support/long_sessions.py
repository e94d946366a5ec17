"""What a process holds, out of /proc, and whether that grows after it has warmed up."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

MIB = 1 << 20
PAGE = os.sysconf("SC_PAGE_SIZE")


class Held(NamedTuple):
    """`memory` is the resident set in MiB; `databases` are those of its open files that are SQLite's."""

    memory: int
    threads: int
    files: int
    databases: int


def held_by(*pids: int) -> Held:
    """By these processes together."""
    each = [_held(Path("/proc", str(pid))) for pid in pids]
    return Held(*map(sum, zip(*each, strict=True)))


def grown(before: Held, after: Held, most: Held) -> dict[str, tuple[int, int]]:
    """What went up by more than `most`, from what to what."""
    pairs = zip(Held._fields, before, after, most, strict=True)
    return {name: (first, last) for name, first, last, more in pairs if last > first + more}


def _held(process: Path) -> Held:
    memory = int((process / "statm").read_text().split()[1]) * PAGE // MIB
    files = [_target(link) for link in (process / "fd").iterdir()]
    return Held(
        memory,
        len(list((process / "task").iterdir())),
        len(files),
        sum(".db" in file for file in files),
    )


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:  # it was closed meanwhile
        return ""
