"""`fairlog relay URL TARGET`: send a session's events to a webhook."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

import click

from service.cli.verify import StrictCommand
from service.client.api import RequestRefusedError, UnexpectedResponseError
from service.webhooks.delivery import AddressRefusedError, InvalidSecretError, Target, parse_secret
from service.webhooks.message import FORMATS, Format
from service.webhooks.relay import Relay, Source, WrongStateFileError


@click.command("relay", cls=StrictCommand)
@click.argument("url")
@click.argument("target")
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="standard",
    show_default=True,
    help="The form of the messages: Standard Webhooks JSON, a Discord embed, or plain text.",
)
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    default="fairlog.relay",
    show_default=True,
    help="The file that stores how far the relay has come.",
)
@click.option(
    "--after",
    type=click.IntRange(0),
    help="If the file does not exist yet: send the events after this version. Default: only new "
    "events.",
)
@click.option(
    "--private", is_flag=True, help="Allow a target in a private network or on this machine."
)
def relay(
    url: str, target: str, format_: Format, file: Path, after: int | None, private: bool
) -> None:
    """Send the events of a session to a webhook, in order and at least once.

    URL is the address of the session in the API, such as
    https://fairlog.example/v1/sessions/7c0f1d5a3b9e4c6f8a2b4d6e8f0a1c3e. TARGET is the address that
    receives the messages. The relay follows the session's stream, so it also works for a server
    that is not yours.

    A session that is not listed needs a token in the environment variable FAIRLOG_TOKEN. A token
    with the scope `read` is enough. To sign the messages, set FAIRLOG_WEBHOOK_SECRET to a secret:
    `whsec_` and 24 to 64 bytes in base64.

    Example: `fairlog relay URL https://discord.com/api/webhooks/... --format discord`

    Next: keep it running with a supervisor. After a restart it continues where it stopped.
    """
    parts = urlsplit(url)
    server, session = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/").rpartition("/")[2]
    if not parts.path.startswith("/v1/sessions/") or not session:
        raise click.BadParameter(
            f"{url} is not the address of a session in the API. It begins with"
            f" {server}/v1/sessions/, followed by the session's id"
        )
    try:
        sealed = os.environ.get("FAIRLOG_WEBHOOK_SECRET", "")
        secret = parse_secret(sealed) if sealed else b""
        receiver = Target(target, secret, allows_private=private)
        token = os.environ.get("FAIRLOG_TOKEN", "")
        source = Source(server, session, token)
        Relay(source, receiver, format_, file, click.echo, after).run()
    except RequestRefusedError as refused:
        hint = (
            "" if refused.status != 401 else " Set FAIRLOG_TOKEN to a token with the scope `read`."
        )
        raise click.ClickException(f"{refused}{hint}") from None
    except (InvalidSecretError, WrongStateFileError, UnexpectedResponseError) as wrong:
        raise click.ClickException(str(wrong)) from None
    except AddressRefusedError as refused:
        raise click.ClickException(f"{refused}. Use --private to allow it") from None
