"""`fairlog sit URL`: a seat at a table, kept in a file: it checks the log, gives to every draw, tells what happens."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple
from urllib.parse import urlsplit

import click
from rich.console import Console
from rich.text import Text

from domain.proof import ProofError
from domain.verify.messages import FAILURES
from service.cli.verify import INVALID, StrictCommand, UnusableFileError
from service.client.api import CommandRefusedError, OffScript, Unreachable
from service.client.join import join, resume
from service.client.log_watcher import Told
from service.client.seat import Hear, SeatClient
from service.platform.text import printable

AGAIN = 2.0  # seconds until a server that is away is asked again
PATIENCE = 15.0  # seconds for the draw that waits when one leaves
WISHES = ("session.Declared",)
STYLES = {"A": "green", "B": "green", "C": "yellow", "D": "yellow", "session.DrawVoided": "red"}
FILE = click.Path(dir_okay=False, path_type=Path)


class Invited(NamedTuple):
    server: str
    code: str


def invited(url: str, code: str) -> Invited:
    """Server and code of `http://host/join#CODE`, `http://host/join/CODE`, or `http://host` and CODE."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise click.BadParameter("an address that begins with http:// or https://")
    path, _, last = parts.path.rstrip("/").rpartition("/")
    in_path = last if path.endswith("/join") else ""
    return Invited(f"{parts.scheme}://{parts.netloc}", code or parts.fragment or in_path)


def _url(ctx: click.Context, param: click.Parameter, url: str) -> str:
    invited(url, "")
    return url


@click.command("sit", cls=StrictCommand)
@click.argument("url", callback=_url)
@click.argument("code", default="")
@click.option(
    "--file",
    type=FILE,
    default="fairlog.seat",
    show_default=True,
    help="What the seat keeps: its secrets.",
)
@click.option("--seat", default="", help="The seat to take, where the invitation leaves that open.")
@click.option("--name", default="", help="Who sits there.")
@click.option(
    "--elsewhere",
    is_flag=True,
    help="The seat also sends commands from other programs: do not mind those.",
)
def sit(url: str, code: str, file: Path, seat: str, name: str, elsewhere: bool) -> None:
    """Sit at a table: give to every draw, and check the log each time.

    URL is an invitation: http://host/join#CODE, or http://host and CODE. What the seat keeps is in the file, of mode
    0600; where that is there, the seat goes on from it. Ctrl-C signs it absent. Exit status 2: the log lies.

    Example: `fairlog sit http://127.0.0.1:8321/join#CODE --name Ana`
    """
    console, to = Console(highlight=False), invited(url, code)
    hear = _teller(console)
    sitting: SeatClient | None = None
    try:
        with _interrupted() as stopped:
            sitting = _seated(to, file, seat, name, hear, elsewhere)
            console.print(
                f"sitting at {sitting.kept.server} as {sitting.kept.seat}, kept in {file}; Ctrl-C leaves"
            )
            _listen(console, sitting, stopped)
            _leave(sitting)
            console.print("signed absent: draws go on without this seat")
    except ProofError as broken:
        _accuse(console, broken, file, sitting)
    except (CommandRefusedError, Unreachable, OffScript, OSError, ValueError) as error:
        raise UnusableFileError(printable(str(error))) from None
    finally:
        if sitting is not None:
            sitting.close()


def _seated(
    to: Invited, file: Path, seat: str, name: str, hear: Hear, elsewhere: bool
) -> SeatClient:
    if file.exists():
        try:
            return resume(file, hear=hear, elsewhere=elsewhere)
        except CommandRefusedError as refused:
            if not (refused.rule.startswith("token-") and to.code):
                raise
    if not to.code:
        raise UnusableFileError(f"no invitation's code in the address, and no seat in {file}")
    return join(to.server, to.code, file, seat=seat, name=name, hear=hear, elsewhere=elsewhere)


@contextmanager
def _interrupted() -> Iterator[Event]:
    """Set by Ctrl-C and SIGTERM."""
    stopped = Event()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: stopped.set()) for number in numbers]
    try:
        yield stopped
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _listen(console: Console, sitting: SeatClient, stopped: Event) -> None:
    """Until Ctrl-C; raises what listening raised, but a server that is away is asked again."""
    raised: list[Exception] = []

    def listen() -> None:
        while not stopped.is_set():
            try:
                sitting.listen()
            except Unreachable:
                console.print(Text("the server is away; asking again", "yellow"))
                stopped.wait(AGAIN)
            except Exception as error:
                raised.append(error)
                stopped.set()

    listener = Thread(target=listen)
    listener.start()
    stopped.wait()
    sitting.stop()
    listener.join()
    if raised:
        raise raised[0]


def _leave(sitting: SeatClient) -> None:
    """Signs absent, behind the draw that waits."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return sitting.be(present=False)
        except CommandRefusedError as refused:
            if refused.rule in ("presence-unchanged", "session-closed"):
                return None
            if refused.rule != "draw-waits" or time.monotonic() > deadline:
                raise
            sitting.look()
            time.sleep(0.2)


def _teller(console: Console) -> Hear:
    def tell(told: Told) -> None:
        if told.sealed:
            console.print(Text(f"{told.version:>6}  {told.seat}: (sealed)", "grey62"))
        elif told.told and told.kind not in WISHES:
            console.print(
                Text(
                    f"{told.version:>6}  {printable(told.told)}",
                    STYLES.get(told.grade or told.kind, ""),
                )
            )

    return tell


def _accuse(console: Console, broken: ProofError, file: Path, sitting: SeatClient | None) -> None:
    """What was found, what is kept of it, and what to do. Ends with status 2."""
    evidence = file.with_name(f"{file.name}.{broken.code}.json")
    found = {"code": broken.code, "found": broken.found, "expected": broken.expected}
    answered = (
        {} if sitting is None else {"checkpoint": sitting.kept.note, "answer": sitting.answered}
    )
    with suppress(OSError):
        evidence.write_text(json.dumps(found | answered, indent=1))
    console.print(
        Text(f"{broken.code}: {FAILURES.get(broken.code, 'The log does not hold.')}", "bold red")
    )
    console.print(
        Text(
            f"  found    {printable(broken.found)[:300]}\n  expected {printable(broken.expected)[:300]}",
            "red",
        )
    )
    console.print(
        f"Nothing was given. Leave this table, and show the others {evidence} and your receipts: they are in {file},"
        " beside your keys, and `fairlog verify LOG --receipts FILE` holds a log against them."
    )
    raise SystemExit(INVALID)
