"""Signs that a terminal's encoding lacks are printed as others of the same width, and never an error."""

from __future__ import annotations

import codecs
import io
import sys

INSTEAD = dict(zip("█▓░│┃·…→▮✓✗▁▂▃▄▅▆▇", "#%.|!..>#+x_.-=+*%", strict=True))
OTHER = "?"


def forgive() -> None:
    """From now on, for what this process prints."""
    codecs.register_error("instead", _instead)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="instead")


def _instead(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(INSTEAD.get(sign, OTHER) for sign in lacking), error.end
