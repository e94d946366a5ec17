"""`fairlog redact` and `fairlog delete`: what those who run the server take out of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from service.cli.context import app_of_environment
from service.platform.text import format_count


class SessionChangedError(click.ClickException):
    """Others were first, each time."""

    exit_code = 3


def _check_reason(context: click.Context, parameter: click.Parameter, reason: str) -> str:
    import msgspec

    from domain.session.messages import Reason

    try:
        return msgspec.convert(reason.strip(), Reason)
    except msgspec.ValidationError:
        raise click.BadParameter(
            "a line of 1 to 400 characters: who asked for it, or why"
        ) from None


@click.command("redact")
@click.argument("session")
@click.argument("version", type=click.IntRange(1))
@click.option(
    "--reason",
    required=True,
    callback=_check_reason,
    help="Stands in the log, for everybody to read.",
)
def redact(session: str, version: int, reason: str) -> None:
    """Take a person's words out of a log.

    Of a narration or of a seat's name, by its version. The event stands: who, when and in which turn; its words are
    gone for good, from the log, the views and every file from now on. Checks still hold and say that they are redacted.
    Exit status 1: refused, 2: wrong usage, 3: others were first, try again; nothing was changed.

    Example: `fairlog redact 7c0f1d5a3b9e4c6f8a2b4d6e8f0a1c3e 41 --reason "asked for by Ana"`, then `fairlog export`.
    """
    from domain.session.messages import Redact
    from domain.session.state import HOUSE
    from projections.runner import catch_up
    from service.platform import clock
    from service.sessions.idempotency import RequestIdentity
    from service.sessions.redaction import redact as take_out

    with app_of_environment() as app, _error_lines(session):
        asked = RequestIdentity(HOUSE, clock.random_session_id(), b"")
        answer = take_out(app, session, Redact(version, reason), asked)
        catch_up(app.log, app.read_models.timeline)
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
    from service.sessions.deletion import delete as take_out

    with app_of_environment() as app, _error_lines(session):
        if not yes:
            _confirm(f"Delete session {session} for good?")
        click.echo(f"deleted: {format_count(take_out(app, session), 'event')} of session {session}")


def _confirm(question: str) -> None:
    """Ends with a line where the answer is no, or where nobody can be asked."""
    try:
        click.confirm(question, abort=True)
    except click.Abort:
        raise click.ClickException(
            "nothing was deleted; with --yes it is, and nobody is asked"
        ) from None


@contextmanager
def _error_lines(session: str) -> Iterator[None]:
    """One line for each kind of no, and its status."""
    from domain.decider import Refused
    from service.sessions.refusal_texts import refusal_text
    from service.store.errors import UnknownSessionError, VersionConflictError

    try:
        yield
    except UnknownSessionError:
        raise click.ClickException(
            f"no session {session} here: its page and its address end with its id"
        ) from None
    except Refused as refused:
        raise click.ClickException(refusal_text(refused.rule, refused.facts, {}).line) from None
    except VersionConflictError:
        raise SessionChangedError("turns came in between: try again") from None
