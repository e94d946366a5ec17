"""The queue servers that the tests run: the lock's Valkey, and in the long run Debian's Redis beside it.

python -m tests.support.queue_servers        says which, after bringing Debian's where that is needed and can be done
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

from service.jobs.embedded_server import find_server
from tests.support.receipts import alone, brought
from tests.support.scale import LONG

VALKEY, REDIS = "valkey", "redis"
QUEUES = (VALKEY, REDIS) if LONG else (VALKEY,)
"""The gate runs the one that `fairlog serve` brings along, the long run both."""
LINE = "apt-get install --no-install-recommends redis-server"
MISSING = f"the long run needs a Redis beside the lock's Valkey: run `{LINE}` as root"


class NoRedis(Exception):
    """There is none, and it cannot be brought from here; says the line that does."""


def program(queue: str) -> str:
    """The path of the server's program. Raises NoRedis, and QueueServerError where the lock's is missing."""
    if queue == VALKEY:
        return find_server()[0]
    with alone(REDIS):
        return _installed() or _brought()


def version(queue: str) -> str:
    """Such as "7.0.15"."""
    said = subprocess.run(
        [program(queue), "--version"], capture_output=True, text=True, check=True
    ).stdout
    found = re.search(r"\bv=(\S+)", said)
    return found[1] if found else said.strip()


def versions() -> str:
    """Such as "valkey 9.1.0, redis 7.0.15": those of this run. Raises NoRedis, QueueServerError."""
    return ", ".join(f"{queue} {version(queue)}" for queue in QUEUES)


def _installed() -> str | None:
    """The one in PATH, as whoever sets REDIS_URL would start it."""
    return shutil.which("redis-server")


def _brought() -> str:
    return brought(
        _installed, LINE, "The long run needs a Redis", lambda said: NoRedis(f"{MISSING}{said}")
    )


def main() -> int:
    try:
        print(f"queue servers: {versions()}")
    except NoRedis as missing:
        print(missing, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
