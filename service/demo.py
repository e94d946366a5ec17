"""`fairlog demo`: every room's evening on a real server, shown and verified; `serve --demo`: left open to play on."""

from __future__ import annotations

import http
import io
import json
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TextIO

import msgspec
from msgspec import UNSET
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid
from rich.text import Text

from domain.proof.note import parse_vkey
from domain.rulesets import RULESETS
from domain.table import Table
from domain.verify import Known, Report, verify
from service.bootstrap import prepare
from service.embedded import NoServer
from service.picture import charts, picture, verdict
from service.player import Evening, Happened, OffScript, Player, Script, Unreachable, script_of
from service.settings import Settings
from service.supervisor import NotServing, Supervisor
from service.verifier import ed25519, read_lines

EXPECTED = (OffScript, Unreachable, NotServing, NoServer)
"""What can go wrong on somebody's machine, each with a line that says what."""

TOLD = 14  # lines of an evening that are shown as they are played
PATIENCE = 20.0  # seconds until the statistics must have come to the head
FAST = {"FAIRLOG_PORT": "0", "FAIRLOG_STATISTICS_BUCKET": "0.5", "FAIRLOG_SWEEP": "1"}


@contextmanager
def aside(log: Path) -> Iterator[TextIO]:
    """What our children say goes into a file, so that the terminal, which is yielded, shows the play alone."""
    sys.stdout.flush()
    terminal, errors = os.dup(1), os.dup(2)
    with log.open("ab") as file, os.fdopen(terminal, "w", encoding=sys.stdout.encoding, errors="replace") as shown:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        try:
            yield shown
        except Exception:
            shown.write("\n".join(log.read_text(errors="replace").splitlines()[-20:]))
            raise
        finally:
            os.dup2(terminal, 1)
            os.dup2(errors, 2)
            os.close(errors)


class Played(NamedTuple):
    """An evening after its last step: what is left of it on the server, and what the check of its file says."""

    evening: Evening
    happened: list[Happened]
    file: bytes
    figures: Any
    table: Table
    report: Report


def show_all(keep: Path | None) -> bool:
    """True where every step of every room went as scripted and every log is valid. `keep` takes the exported files."""
    began = time.monotonic()
    with TemporaryDirectory(prefix="fairlog-demo-") as folder, aside(Path(folder, "demo.log")) as terminal:
        console = Console(file=terminal, highlight=False)
        console.print("[bold]Fairlog demo[/]: a real server, follower, worker and queue, on free ports")
        with Supervisor(
            Settings.read(FAST | {"FAIRLOG_DATA": folder}), prepare=prepare, say=_quietly(console)
        ) as supervisor:
            played = [_one(console, supervisor, script_of(room), keep) for room in RULESETS]
        turns, seconds = sum(each.report.counts.turns for each in played), time.monotonic() - began
        console.print(f"\n{turns} turns in {seconds:.1f} s, and all that was started has stopped. Next:")
        console.print("  [bold]make serve[/] (fairlog serve --demo) keeps serving, with this evening open to play on")
    return all(each.report.valid for each in played)


def _one(console: Console, supervisor: Supervisor, script: Script, keep: Path | None) -> Played:
    console.rule(f"[bold]{script.ruleset}[/]: {script.title}")
    evening = Evening(supervisor.settings.local_url, script)
    with closing(evening):
        evening.open()
        happened = list(_shown_as_played(console, supervisor, evening))
        with console.status("the worker computes the statistics"):
            figures = _statistics(evening, supervisor.tend)
        played = _taken_home(evening, happened, figures)
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"{script.ruleset}.fairlog").write_bytes(played.file)
    _show(console, played)
    return played


def _shown_as_played(console: Console, supervisor: Supervisor, evening: Evening) -> Iterator[Happened]:
    """Plays it under a progress bar; now and then a line, and every rewind."""
    every = len(evening.script.steps) // TOLD or 1
    columns = (TextColumn("playing over HTTP"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        steps = progress.add_task("", total=len(evening.script.steps))
        due = False
        for nth, happened in enumerate(evening.play()):
            supervisor.tend()
            progress.update(steps, advance=1)
            due = due or nth % every == 0
            if happened.step.rewind is not UNSET or (due and happened.told):
                due = False
                progress.console.print(_line(happened))
            yield happened


def _line(happened: Happened) -> Grid:
    line = Grid.grid(padding=(0, 2))
    line.add_column(width=5, justify="right", style="grey50")
    style = "magenta" if happened.step.rewind is not UNSET else ""
    line.add_row(str(happened.version), Text(" ".join(happened.told), style))
    return line


def _statistics(evening: Evening, tend: Callable[[], None]) -> Any:
    """The figures as of the head. Raises OffScript where the worker does not come to it."""
    gm = next(iter(evening.seats.values()))
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        answer = gm.get(f"{evening.path}/statistics")
        if answer.status == http.HTTPStatus.OK and answer.json["version"] == evening.version:
            return answer.json["figures"]
        tend()
        time.sleep(0.05)
    raise OffScript(f"no statistics of version {evening.version} after {PATIENCE:g} s: {answer.body.decode()}")


def _taken_home(evening: Evening, happened: list[Happened], figures: Any) -> Played:
    """The exported file, checked offline under the key that was told when the evening opened."""
    gm = next(iter(evening.seats.values()))
    file = gm.get(f"{evening.path}/export", accept="application/x-fairlog").body
    table = msgspec.convert(gm.get(evening.path).json["table"], Table)
    lines = read_lines(io.BufferedReader(io.BytesIO(file)))
    report = verify(lines, ed25519, Known(parse_vkey(evening.log_key)))
    return Played(evening, happened, file, figures, table, report)


def _show(console: Console, played: Played) -> None:
    evening, refused = played.evening, [happened for happened in played.happened if happened.rule]
    console.print(f"\n[bold]Refused[/], and nothing was lost by it ({len(refused)})")
    console.print(_refusals(refused))
    console.print("\n[bold]The table at the end[/]")
    console.print(picture(played.table, console.width))
    console.print("\n[bold]Statistics[/], computed by the worker")
    console.print(charts(played.figures))
    said = f"over HTTP: {evening.repeats} requests sent twice were played once, {evening.conflicts} were too late"
    console.print(verdict(played.report, said))


def _refusals(refused: list[Happened]) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    for happened in refused:
        wish = dict(happened.step.do) if happened.step.do is not UNSET else {"kind": "frame"}
        kind = str(wish.pop("kind")).rpartition(".")[2]
        facts = ", ".join(f"{name} {value}" for name, value in happened.facts.items())
        asked = " ".join(str(value) for value in wish.values())
        grid.add_row(
            Text(happened.step.by, style="grey62"), f"{kind} {asked}", Text(happened.rule, style="yellow"), facts
        )
    return grid


def serve_open(settings: Settings) -> None:
    """Serves until SIGTERM or SIGINT. Raises what EXPECTED lists."""
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with aside(settings.data / "demo.log") as terminal:
        Staged(settings, prepare=prepare, say=lambda line: print(line, file=terminal, flush=True)).run()


class Staged(Supervisor):
    """Serves with every room's evening in it, left open."""

    def start(self) -> None:
        super().start()
        file = self.settings.data / "demo.json"
        if not (file.exists() and all(map(self._is_there, json.loads(file.read_text())))):
            stages = [self._play(script_of(room)) for room in RULESETS]
            file.touch(mode=0o600)  # the tokens stand in it
            file.write_text(json.dumps(stages))
        for stage in json.loads(file.read_text()):
            self._advertise(stage)

    def _is_there(self, stage: dict[str, Any]) -> bool:
        with closing(Player(self.settings.local_url)) as player:
            return player.get(f"/v1/sessions/{stage['session']}").status == http.HTTPStatus.OK

    def _play(self, script: Script) -> dict[str, Any]:
        """All but its close."""
        self._say(f"playing {script.title}")
        steps = tuple(step for step in script.steps if step.close is UNSET)
        evening = Evening(self.settings.local_url, msgspec.structs.replace(script, steps=steps))
        with closing(evening):
            evening.open(listed=True)
            for _ in evening.play():
                self.tend()
        tokens = {seat: player.token for seat, player in evening.seats.items()}
        return {"title": script.title, "session": evening.session, "tokens": tokens}

    def _advertise(self, stage: dict[str, Any]) -> None:
        url, path = self.settings.public_url, f"/v1/sessions/{stage['session']}"
        self._say(f"\n{stage['title']}: {url}{path}\nThe page of the API: {url}/docs")
        for seat, token in reversed(stage["tokens"].items()):
            command = self._next_turn(path, token)
            if command is not None:
                self._say(f"Play the next turn as {seat}:\n{_curl(f'{url}{path}/commands', token, command)}")
                return

    def _next_turn(self, path: str, token: str) -> Any:
        """A command that the rules allow this seat now and that needs a die or a card, or else None."""
        with closing(Player(self.settings.local_url, token)) as player:
            for choice in player.get(f"{path}/commands").json["commands"]:
                if choice["allowed"] and "example" in choice:
                    tried = player.post(f"{path}/commands/dry-run", {"command": choice["example"]}).json
                    if tried.get("draws"):
                        return choice["example"]
        return None


def _curl(url: str, token: str, command: Any) -> str:
    body = shlex.quote(json.dumps({"command": command}))
    return (
        f"  curl -X POST {url} \\\n    -H 'Authorization: Bearer {token}' \\\n"
        f"    -H 'Content-Type: application/json' \\\n    -d {body}"
    )


def _quietly(console: Console) -> Callable[[str], None]:
    return lambda line: console.print(Text(f"  {line}", style="grey62"))
