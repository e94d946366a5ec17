"""Memory of a process that handles many turns.

`python -m bench.memory` is that process. It prints the bytes after each of AT turns, as JSON.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator

import msgspec

from bench.measurement import Measurement
from bench.servers import resident
from bench.sessions import CREATE, ROUND, fresh_app, fresh_request, open_bench_session
from service.sessions.command_handler import handle

AT = (10_000, 50_000, 100_000)
SESSIONS = 16
CHAIN = "4096"
"""The default length. Links of the house's chains stay in memory."""


def memory() -> Measurement:
    """Measure memory after the last of AT turns, against after the first."""
    ran = subprocess.run([sys.executable, "-m", "bench.memory"], stdout=subprocess.PIPE, check=True)
    sizes = msgspec.json.decode(ran.stdout, type=list[int])
    said = ", ".join(
        f"{size / 1e6:.1f} MB after {at:,}" for at, size in zip(AT, sizes, strict=True)
    )
    name = f"memory of a process after {AT[-1]:,} turns / after {AT[0]:,}"
    return Measurement(
        name,
        sizes[-1] / 1e6,
        sizes[0] / 1e6,
        "MB",
        sizes[-1] / sizes[0],
        1.1,
        least=False,
        said=said,
    )


def sizes() -> Iterator[int]:
    """Play the turns in this process, and yield its bytes. SQLite does not wait for flushes."""
    with fresh_app(FAIRLOG_CHAIN_LENGTH=CHAIN, FAIRLOG_SYNCHRONOUS="NORMAL") as app:
        sessions = [open_bench_session(app) for _ in range(SESSIONS)]
        for session in sessions:
            handle(app, session, CREATE, fresh_request())
        for turn in range(AT[-1]):
            handle(app, sessions[turn % SESSIONS], ROUND[turn // SESSIONS % 2], fresh_request())
            if turn + 1 in AT:
                gc.collect()
                yield resident(os.getpid())


if __name__ == "__main__":
    print(msgspec.json.encode(list(sizes())).decode())
