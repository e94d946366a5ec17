"""`fairlog keys`: show or rotate the key that signs this server's logs."""

from __future__ import annotations

import click
from rich.console import Console

from service.cli.context import settings_of_environment


@click.group("keys", invoke_without_command=True)
@click.option(
    "--session",
    help="Print the public key for this session's log, for use with `fairlog verify --key`.",
)
@click.pass_context
def keys(ctx: click.Context, session: str | None) -> None:
    """Show or rotate the key that signs this server's logs.

    The same key signs the logs of all sessions. Give the public key to people who verify your logs.
    Signatures made before a rotation stay valid.

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
    console.print(f"signing key: {held.log.public.hex()}")
    for each in reversed(held.successions):
        console.print(f"earlier key: {each.old}")
    console.print(f"index key: {_vkey(held.log.public, f'{settings.origin}/index')}")


@keys.command("rotate")
def rotate() -> None:
    """Replace the key that signs this server's logs.

    The old key signs the new key and is then deleted. Checkpoints signed with the old key stay
    valid. Each later checkpoint includes the old key's signature on the new key; `fairlog verify`
    and the seats' clients check it. Restart all processes afterwards. Until then, they keep signing
    with the old key.

    Example: `fairlog keys rotate`, and then restart `fairlog serve`.
    """
    from service.platform import keys as signing

    settings = settings_of_environment()
    succession = signing.rotate_log_key(settings.keys)
    click.echo(f"old signing key: {succession.old}\nnew signing key: {succession.new}")
    click.echo(f"index key: {_vkey(bytes.fromhex(succession.new), f'{settings.origin}/index')}")
    click.echo(
        "Restart all processes, back up the keys,"
        " and send the new key to everyone who verifies your logs."
    )


def _vkey(public: bytes, name: str) -> str:
    from domain.proof.signed_note import ED25519, Vkey, vkey_text

    return vkey_text(Vkey(name, ED25519, public))
