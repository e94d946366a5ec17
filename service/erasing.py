"""`fairlog redact` and `fairlog delete`: what those who run the server take out of it."""

from __future__ import annotations

import click

from service.using import app_of_environment, could_not
from service.words import counted


@click.command("redact")
@click.argument("session")
@click.argument("version", type=click.IntRange(1))
@click.option("--reason", required=True, help="Stands in the log, for everybody to read.")
def redact(session: str, version: int, reason: str) -> None:
    """Take a person's words out of a log.

    Of a narration or of a seat's name, by its version. The event stands: who, when and in which turn; its words are
    gone for good, from the log, the views and every file from now on. Checks still hold and say that they are redacted.

    Example: `fairlog redact 7c0f1d5a3b9e4c6f8a2b4d6e8f0a1c3e 41 --reason "asked for by Ana"`, then `fairlog export`.
    """
    from domain.session.messages import Redact
    from domain.session.state import HOUSE
    from projections.views import catch_up
    from service import sources
    from service.answers import Asked
    from service.redacting import redact as take_out

    with app_of_environment() as app, could_not(*_noes()):
        asked = Asked(HOUSE, sources.fresh_id(), b"")
        answer = take_out(app, session, Redact(version, reason), asked)
        catch_up(app.log, app.views.timeline)
    click.echo(
        f"version {version} has lost its words, as version {answer.last} says; older backups and files have them"
    )


@click.command("delete")
@click.argument("session")
@click.option("--yes", is_flag=True, help="Without asking.")
def delete(session: str, yes: bool) -> None:
    """Delete a session from this server.

    Its events, tokens, secrets and views, for good. The index keeps the checkpoints at which it opened and closed, and
    files that were exported stay valid.

    Example: `fairlog export 7c0f1d5a3b9e4c6f8a2b4d6e8f0a1c3e -o last.fairlog`, then `fairlog delete` with the same id.
    """
    from service.deleting import delete as take_out

    with app_of_environment() as app, could_not(*_noes()):
        if not yes:
            click.confirm(f"Delete session {session} for good?", abort=True)
        click.echo(f"deleted: {counted(take_out(app, session), 'event')} of session {session}")


def _noes() -> tuple[type[Exception], ...]:
    from domain.decider import Refused
    from service.gamelog import Conflict, Unknown

    return Refused, Conflict, Unknown
