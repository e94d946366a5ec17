"""python -m tests.service.store.log_readers URL WRITER EVENTS: a process that appends to a session of its own."""

from __future__ import annotations

import sys
from contextlib import closing
from itertools import cycle

from service.platform.settings import Settings
from service.store.event_log import EventLog
from service.store.recorder import StoredRow


def main(url: str, data: str, writer: str, events: int) -> None:
    """Turns of one to five events, one after the other."""
    log = EventLog(
        Settings.read({"FAIRLOG_DATA": data, "DATABASE_URL": url, "FAIRLOG_SYNCHRONOUS": "NORMAL"})
    )
    with closing(log):
        version, sizes = 1, cycle(range(1, 6))
        while version <= events:
            size = min(next(sizes), events - version + 1)
            log.recorder.insert_events(
                [StoredRow(writer, version + nth, "test.Did", b"{}" * 60) for nth in range(size)]
            )
            version += size


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
