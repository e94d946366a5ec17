"""The statistics of a session cost what is new, not what there is."""

from __future__ import annotations

import gc
import subprocess
import sys
from itertools import count
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from domain.rulesets import RULESETS
from domain.session.state import Session
from projections.tallies import SessionTallies
from tests.support.scale import LONG
from tests.support.sessions import ScriptedSession
from tests.support.simulation import simulate
from tests.workers.stand_ins import StandIn, stand_in
from workers.jobs import compute_statistics

SIZES = (1_000, 10_000, 100_000, 1_000_000) if LONG else (1_000, 4_000)
NEW_EVENTS, RUNS = 5, 7
MAX_SECONDS, MAX_RATIO = (0.1, 1.5) if LONG else (2.0, 5.0)  # the gate runs other tests, too
MAX_MEGABYTES = 200


class Feeder:
    """Fills the tallies of one session with evenings that follow each other."""

    def __init__(self, app: StandIn, session: Session) -> None:
        self.app, self.session, self.version = app, session, 0
        self._parts = self._evenings()

    def _evenings(self) -> Any:
        """Yield turns with their tallies, without end, in order of version."""
        turn, version, at = count(1), 0, 0
        for seed in count():
            evening = simulate(RULESETS[0], seed % 40, 60)
            yield from _turns(evening, turn, version, at)
            version += evening.version
            at += 10_000_000

    def grow(self, version: int) -> None:
        """Insert turns until the session has at least so many events."""
        rows: dict[str, list[tuple[object, ...]]] = {"tally_turns": [], "tallies": []}
        for turn, tallies in self._parts:
            rows["tally_turns"].append((self.session.id, *turn))
            rows["tallies"] += [
                (self.session.id, *each[:8], msgspec.json.encode(each.of).decode(), each.die)
                for each in tallies
            ]
            self.version = turn.last
            if self.version >= version:
                break
        with self.app.read_models.store.writing() as cursor:
            for table, values in rows.items():
                if not values:
                    continue
                marks = ",".join("?" * len(values[0]))
                cursor.executemany(f"INSERT INTO {table} VALUES ({marks})", values)


def _turns(evening: SessionTallies, number: Any, version: int, at: int) -> Any:
    by_turn: dict[int, list[Any]] = {}
    for tally in evening.tallies:
        by_turn.setdefault(tally.turn, []).append(tally)
    for turn in evening.turns:
        new = next(number)
        moved = turn._replace(
            turn=new, first=turn.first + version, last=turn.last + version, at=turn.at + at
        )
        yield (
            moved,
            [
                tally._replace(version=tally.version + version, turn=new, at=tally.at + at)
                for tally in by_turn.get(turn.turn, ())
            ],
        )


def measure(folder: Path, size: int) -> tuple[float, float]:
    """Return the seconds that a job needs after five more events, and the process's megabytes."""
    app = stand_in(folder)
    evening = ScriptedSession(4)
    state = evening.session
    feeder = Feeder(app, state)
    log = SimpleNamespace(
        rows=lambda after, limit: [],
        at=lambda session, version: msgspec.structs.replace(state, version=version),
        read_events=lambda *_: [],
    )
    measured: Any = app._replace(log=log)  # type: ignore[arg-type]
    while feeder.version < size:
        feeder.grow(min(size, feeder.version + 20_000))
        compute_statistics(measured, state.id)
    seconds = []
    for _ in range(RUNS):
        feeder.grow(feeder.version + NEW_EVENTS)
        gc.collect()
        began = perf_counter()
        compute_statistics(measured, state.id)
        seconds.append(perf_counter() - began)
    app.read_models.close()
    print("runs:", " ".join(f"{each * 1000:.1f}" for each in seconds), "ms")
    return sorted(seconds)[RUNS // 2], peak_megabytes()


def peak_megabytes() -> float:
    """Return the largest memory of this process, without that of the process that started it."""
    status = Path("/proc/self/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024


def run(folder: Path, size: int) -> tuple[float, float]:
    """Measure in a process of its own, so that its memory is that of one session."""
    script = (
        "import sys; from pathlib import Path;"
        " from tests.workers.test_statistics_cost import measure;"
        " print(*measure(Path(sys.argv[1]), int(sys.argv[2])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder), str(size)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    seconds, megabytes = done.stdout.splitlines()[-1].split()
    return float(seconds), float(megabytes)


@pytest.mark.long
@pytest.mark.timeout(1_800)
def test_a_long_session_costs_as_much_as_a_short_one(tmp_path: Path) -> None:
    found = {}
    for size in SIZES:
        (tmp_path / str(size)).mkdir()
        seconds, megabytes = found[size] = run(tmp_path / str(size), size)
        print(f"{size:,} events: {1000 * seconds:.1f} ms, {megabytes:.0f} MB")
    first = found[SIZES[0]][0]
    for size, (seconds, megabytes) in found.items():
        assert seconds < MAX_SECONDS, size
        assert seconds / first < MAX_RATIO, size
        assert megabytes < MAX_MEGABYTES, size
