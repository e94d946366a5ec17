"""Computation of a session's statistics from tallies.

No other package uses scipy and numpy.
"""

from importlib.util import find_spec


def missing_library() -> str:
    """Return an error message if scipy is not installed, otherwise ""."""
    if find_spec("scipy") is not None:
        return ""
    return "statistics need scipy, which is not installed. Run: pip install 'fairlog[statistics]'"
