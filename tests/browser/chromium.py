"""The browser that the tests run in: $BROWSER_BIN, one of PATH, or Debian's, which root has installed here.

python -m tests.browser.chromium        says which, after bringing it where that is needed and can be done
"""

from __future__ import annotations

import os
import shutil
import sys

from tests.support.receipts import alone, brought

NAMES = ("chromium-headless-shell", "chromium")
PACKAGES = ("chromium-headless-shell", "fonts-dejavu-core")
LINE = f"apt-get install --no-install-recommends {' '.join(PACKAGES)}"
MISSING = f"the browser tests need a Chromium: run `{LINE}` as root, or set BROWSER_BIN to one that is there"


class NoBrowser(Exception):
    """There is none, and it cannot be brought from here; says the line that does."""


def find() -> str:
    """The path of a Chromium. Raises NoBrowser."""
    if named := os.environ.get("BROWSER_BIN"):
        if not shutil.which(named):
            raise NoBrowser(f"BROWSER_BIN is {named}, which cannot be run")
        return named
    with alone("browser"):
        return _installed() or _brought()


def _installed() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def _brought() -> str:
    return brought(
        _installed, LINE, "The tests need a browser", lambda said: NoBrowser(f"{MISSING}{said}")
    )


def main() -> int:
    try:
        print(f"browser: {find()}")
    except NoBrowser as missing:
        print(missing, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
