"""`fairlog sit URL`: take part in a session and contribute to every draw."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple, NoReturn
from urllib.parse import urlsplit

import click
from rich.console import Console
from rich.text import Text

from domain.proof import ProofError
from domain.verify.messages import FAILURES
from service.cli.verify import INVALID, StrictCommand, UnusableFileError
from service.client.api import RequestRefusedError, UnexpectedResponseError, UnreachableError
from service.client.join import join, resume
from service.client.log_tree import ReceivedEvent
from service.client.seat import EventCallback, SeatClient
from service.platform.addresses import is_exposed
from service.platform.text import printable

RETRY_SECONDS = 2.0
"""The pause before the next attempt if the server does not respond."""
LEAVE_TIMEOUT_SECONDS = 15.0
"""The maximum time to wait for a pending draw to end before leaving."""
HIDDEN_KINDS = ("session.Declared",)
STYLES = {"A": "green", "B": "green", "C": "yellow", "D": "yellow", "session.DrawVoided": "red"}
FILE = click.Path(dir_okay=False, path_type=Path)


class InvitationAddress(NamedTuple):
    server: str
    code: str


def parse_invitation(url: str, code: str) -> InvitationAddress:
    """Return the server's address and the invitation code. Raises click.BadParameter.

    `url` is `http://host/join/CODE`, `http://host/join#CODE`, or `http://host` with a separate
    `code`.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise click.BadParameter(
            f"{url} is not a valid URL: it must start with http:// or https:// and contain a host"
        )
    path, _, last = parts.path.rstrip("/").rpartition("/")
    in_path = last if path.endswith("/join") else ""
    server = f"{parts.scheme}://{parts.netloc}"
    return InvitationAddress(server, code or parts.fragment or in_path)


def _check_url(ctx: click.Context, param: click.Parameter, url: str) -> str:
    parse_invitation(url, "")
    return url


@click.command("sit", cls=StrictCommand)
@click.argument("url", callback=_check_url)
@click.argument("code", default="")
@click.option(
    "--file",
    type=FILE,
    default="fairlog.seat",
    show_default=True,
    help="The seat file, which stores the seat's secrets.",
)
@click.option("--seat", default="", help="The seat to take, if the invitation does not name one.")
@click.option("--name", default="", help="The display name for the seat.")
@click.option(
    "--elsewhere", is_flag=True, help="Accept commands that other programs send for this seat."
)
def sit(url: str, code: str, file: Path, seat: str, name: str, elsewhere: bool) -> None:
    """Take part in a session as one seat.

    The client checks the log and contributes to every draw.

    URL is the address in an invitation, http://host/join/CODE. You can also pass http://host as URL
    and the invitation code as CODE. The seat file (mode 0600) stores the seat's secrets. If the
    file exists, the client continues with the seat in it. Ctrl-C marks the seat as absent;
    draws then continue without it.

    Exit status: 0 stopped with Ctrl-C, 2 a check of the log failed, 3 the seat, the seat file or
    the server is unusable.

    Example: `fairlog sit http://127.0.0.1:8321/join/CODE --name Ana`
    """
    console, invitation = Console(highlight=False), parse_invitation(url, code)
    options: dict[str, Any] = {
        "on_event": _event_printer(console),
        "allow_other_clients": elsewhere,
    }
    client: SeatClient | None = None
    try:
        client = _join_or_resume(invitation, file, seat, name, options)
        client.on_dispute = partial(_print_dispute, console, file)
        with _stop_signal() as stopped:
            console.print(
                f"taking part as {client.data.seat} on {client.data.server} (seat file {file})."
                " Press Ctrl-C to stop; then draws continue without this seat."
            )
            _print_warnings(console, client)
            _listen(console, client, stopped)
            _leave(client)
            console.print("This seat is now absent. Draws continue without it.")
    except ProofError as broken:
        _report_broken_log(console, broken, file, client)
    except (
        RequestRefusedError,
        UnreachableError,
        UnexpectedResponseError,
        OSError,
        RecursionError,  # the server sent deeply nested JSON
        ValueError,
    ) as error:
        raise UnusableFileError(printable(str(error))) from None
    finally:
        if client is not None:
            client.close()


def _join_or_resume(
    invitation: InvitationAddress, file: Path, seat: str, name: str, options: dict[str, Any]
) -> SeatClient:
    server, code = invitation
    if file.exists():
        try:
            return resume(file, **options)
        except RequestRefusedError as refused:
            if not (refused.rule.startswith("token-") and code):
                raise
    if not code:
        raise UnusableFileError(
            f"cannot take a seat: the URL has no invitation code, and {file} does not exist."
            " Ask the GM for an invitation."
        )
    return join(server, code, file, seat=seat, name=name, **options)


@contextmanager
def _stop_signal() -> Iterator[Event]:
    """Yield an event that is set on Ctrl-C or SIGTERM."""
    stopped = Event()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: stopped.set()) for number in numbers]
    try:
        yield stopped
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _listen(console: Console, client: SeatClient, stopped: Event) -> None:
    """Run `client.listen` until `stopped` is set. Retry if the server does not respond.

    Raises any exception from `SeatClient.listen` except UnreachableError.
    """
    raised: list[Exception] = []

    def listen() -> None:
        while not stopped.is_set():
            try:
                client.listen()
            except UnreachableError:
                console.print(Text("the server is not responding, retrying", "yellow"))
                stopped.wait(RETRY_SECONDS)
            except Exception as error:
                raised.append(error)
                stopped.set()

    listener = Thread(target=listen)
    listener.start()
    stopped.wait()
    client.stop()
    listener.join()
    if raised:
        raise raised[0]


def _print_warnings(console: Console, client: SeatClient) -> None:
    if is_exposed(client.data.server):
        console.print(
            Text(
                "warning: the connection is not encrypted, so anyone between you and the"
                " server can act as this seat. Ask the operator for an https:// address.",
                "yellow",
            )
        )
    if client.watcher.log_format == 1:
        console.print(
            Text(
                "warning: this session has format 1, in which the server can choose the values when"
                " it draws alone. If the session is new, ask the host why.",
                "yellow",
            )
        )


def _leave(client: SeatClient) -> None:
    """Mark the seat as absent. If a draw is pending, wait for it to end first."""
    deadline = time.monotonic() + LEAVE_TIMEOUT_SECONDS
    while True:
        try:
            return client.set_presence(present=False)
        except RequestRefusedError as refused:
            if refused.rule in ("presence-unchanged", "session-closed"):
                return None
            if refused.rule != "draw-waits" or time.monotonic() > deadline:
                raise
            client.poll()
            time.sleep(0.2)


def _event_printer(console: Console) -> EventCallback:
    def print_event(event: ReceivedEvent) -> None:
        if event.sealed:
            console.print(Text(f"{event.version:>6}  {event.seat}: (sealed)", "grey62"))
        elif event.text and event.kind not in HIDDEN_KINDS:
            style = STYLES.get(event.grade or event.kind, "")
            console.print(Text(f"{event.version:>6}  {printable(event.text)}", style))

    return print_event


def _print_dispute(console: Console, file: Path, k: int) -> None:
    console.print(
        Text(
            f"warning: draw {k} is void because the server recorded no answer from this seat, but"
            f" this client sent one and got no receipt. Its signed contribution is in {file}. If"
            " this happens again, run `fairlog verify LOG --receipts` with this file and show the"
            " other players the result.",
            "yellow",
        )
    )


def _report_broken_log(
    console: Console, broken: ProofError, file: Path, client: SeatClient | None
) -> NoReturn:
    """Save the evidence, print what to do with it, and exit with status 2."""
    evidence = file.with_name(f"{file.name}.{broken.code}.json")
    saved = {"code": broken.code, "found": broken.found, "expected": broken.expected}
    if client is not None:
        saved |= {"checkpoint": client.data.note, "answer": client.last_response}
    with suppress(OSError):
        evidence.write_text(json.dumps(saved, indent=1))
    meaning = FAILURES.get(broken.code, "A check of the log failed.")
    found, expected = printable(broken.found)[:300], printable(broken.expected)[:300]
    console.print(Text(f"{broken.code}: {meaning}", "bold red"))
    console.print(Text(f"  found    {found}\n  expected {expected}", "red"))
    console.print(
        "The client has stopped and reveals no more links. Leave this session, and show"
        f" {evidence} to the other players."
        f" To check a log against the seat's receipts, run `fairlog verify LOG --receipts {file}`."
        f" Do not give {file} itself to anyone, because it contains the seat's keys."
    )
    raise SystemExit(INVALID)
