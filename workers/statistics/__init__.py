"""Computation of a session's statistics from tallies.

No other package imports scipy or numpy.
"""

from importlib.util import find_spec


def missing_library() -> str:
    """Return an error message if scipy is not installed, or "" if it is."""
    if find_spec("scipy") is not None:
        return ""
    return "scipy is not installed. Run: pip install 'fairlog[stats]'"
