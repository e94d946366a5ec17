"""Pages of turns: ranges of versions that do not cut a turn in two."""

from __future__ import annotations

from domain.session.state import History

STEP = 20
"""How many events are read at once to find the beginning of a turn."""


def page_start(past: History, version: int) -> int:
    """Return the newest version, at most `version`, after which no turn continues.

    `version` is below that of the session's last event. Other turns can be recorded while a draw is
    pending, so a page starts before the turn of that draw.
    """
    while version:
        pending = past.state(version).pending
        if pending is not None:
            version = pending.version - 1
            continue
        *earlier, following = past.events(max(0, version - STEP), version + 1)
        if earlier[-1].turn != following.turn:
            return version
        version = next(
            (event.version for event in reversed(earlier) if event.turn != following.turn),
            earlier[0].version - 1,
        )
    return 0
