"""The statistics of a session cost what is new, not what there is."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from domain.rulesets import RULESETS
from domain.session.state import Session
from projections.tallies import SessionTallies
from tests.support.sessions import ScriptedSession
from tests.support.simulation import simulate
from tests.workers.stand_ins import StandIn, stand_in
from workers.jobs import compute_statistics

SIZES = (1_000, 10_000, 100_000, 1_000_000)
NEW_EVENTS, ROUNDS = 5, 41
MAX_SECONDS, MAX_RATIO, MAX_MEGABYTES = 0.1, 1.5, 200


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


def serve(folder: Path, size: int) -> None:
    """Build a session of a size. For each line of input, print the seconds of a job, and memory.

    Each job has five more events. The memory is the process's largest, in megabytes.
    """
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
    print("ready", flush=True)
    for _ in sys.stdin:
        feeder.grow(feeder.version + NEW_EVENTS)
        gc.collect()
        began = perf_counter()
        compute_statistics(measured, state.id)
        print(perf_counter() - began, peak_megabytes(), flush=True)
    app.read_models.close()


def peak_megabytes() -> float:
    """Return the largest memory of this process, without that of the process that started it."""
    status = Path("/proc/self/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024


@contextmanager
def session_of(folder: Path, size: int) -> Iterator[subprocess.Popen[str]]:
    """Run `serve` in a process of its own, so that its memory is that of one session."""
    folder.mkdir()
    script = (
        "import sys; from pathlib import Path;"
        " from tests.workers.test_statistics_cost import serve;"
        " serve(Path(sys.argv[1]), int(sys.argv[2]))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(folder), str(size)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert answer(process) == "ready"
        yield process


def answer(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def run_job(process: subprocess.Popen[str]) -> tuple[float, float]:
    """Return the seconds of a job, and the megabytes of its process."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    seconds, megabytes = answer(process).split()
    return float(seconds), float(megabytes)


@pytest.mark.long
@pytest.mark.timeout(1_800)
def test_a_long_session_costs_as_much_as_a_short_one(tmp_path: Path) -> None:
    """Compare sizes in turns, because other programs slow the machine down for minutes."""
    with ExitStack() as stack:
        sessions = {
            size: stack.enter_context(session_of(tmp_path / str(size), size)) for size in SIZES
        }
        rounds = [{size: run_job(each) for size, each in sessions.items()} for _ in range(ROUNDS)]
    seconds = {size: median(each[size][0] for each in rounds) for size in SIZES}
    megabytes = {size: max(each[size][1] for each in rounds) for size in SIZES}
    for size in SIZES:
        ratio = seconds[size] / seconds[SIZES[0]]
        shown = (
            f"{1000 * seconds[size]:.1f} ms, {ratio:.2f} times as long, {megabytes[size]:.0f} MB"
        )
        print(f"{size:,} events: {shown}")
    assert max(seconds.values()) < MAX_SECONDS
    assert max(seconds.values()) / seconds[SIZES[0]] < MAX_RATIO
    assert max(megabytes.values()) < MAX_MEGABYTES
