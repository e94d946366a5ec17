"""`fairlog keys`: which key signs the logs of this server, and how another follows it."""

from __future__ import annotations

import click
from rich.console import Console

from service.cli.context import settings_of_environment


@click.group("keys", invoke_without_command=True)
@click.option(
    "--session", help="The id of a session: the key as `fairlog verify --key` takes it for its log."
)
@click.pass_context
def keys(ctx: click.Context, session: str | None) -> None:
    """Show the log's key, or have another follow it.

    Every session's log is signed with one key. Give its public half to those who check your logs; what was signed with
    the keys before it can be checked as before.

    Example: `fairlog keys`, and then `fairlog keys rotate`.
    """
    if ctx.invoked_subcommand is not None:
        return
    from service.platform.keys import read_keys

    settings = settings_of_environment()
    held = read_keys(settings.keys)
    if session is not None:
        click.echo(_vkey(held.log.public, f"{settings.origin}/sessions/{session}"))
        return
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"signs now: {held.log.public.hex()}")
    for each in reversed(held.successions):
        console.print(f"before it: {each.old}")
    console.print(f"the index: {_vkey(held.log.public, f'{settings.origin}/index')}")


@keys.command("rotate")
def rotate() -> None:
    """Have a fresh key follow the log's key.

    The old key signs the new one and is deleted. Checkpoints that it signed stay good; those from now on carry a line
    that leads from it to the new one, which `fairlog verify` and every seat's client follow. Restart what runs: until
    then it signs with the old key.

    Example: `fairlog keys rotate`, and then restart `fairlog serve`.
    """
    from service.platform import keys as signing

    settings = settings_of_environment()
    made = signing.rotate_log_key(settings.keys)
    click.echo(f"{made.old} is followed by\n{made.new}")
    click.echo(f"the index: {_vkey(bytes.fromhex(made.new), f'{settings.origin}/index')}")
    click.echo("restart what runs, back up the keys, and tell the new key to those who pin it")


def _vkey(public: bytes, name: str) -> str:
    from domain.proof.signed_note import ED25519, Vkey, vkey_text

    return vkey_text(Vkey(name, ED25519, public))
