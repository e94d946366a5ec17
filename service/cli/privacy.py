"""`fairlog redact` and `delete`: delete a person's text or a whole session."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from service.cli.context import app_of_environment
from service.platform.text import format_count


class SessionChangedError(click.ClickException):
    """Raised if another turn was stored first on every attempt. Nothing was changed.

    The exit status is 3.
    """

    exit_code = 3


def _check_reason(context: click.Context, parameter: click.Parameter, reason: str) -> str:
    import msgspec

    from domain.session.messages import Reason

    try:
        return msgspec.convert(reason.strip(), Reason)
    except msgspec.ValidationError:
        raise click.BadParameter(
            f"{reason[:40]!r} is not a single line of 1 to 400 characters: give a short reason"
        ) from None


@click.command("redact")
@click.argument("session")
@click.argument("version", type=click.IntRange(1))
@click.option(
    "--reason",
    required=True,
    callback=_check_reason,
    help="The reason for the redaction. Everyone who can read the log can see it.",
)
def redact(session: str, version: int, reason: str) -> None:
    """Delete a person's text from a log.

    VERSION is the version of a narration, or of the event that names a seat. The text is deleted
    from the log, the read models and all later exports. The event's seat, time and turn remain. The
    log can still be verified, and the report lists the redacted events.

    Exit status: 0 redacted, 1 refused, 2 usage error, 3 another turn was stored at the same time
    (try again). Nothing is changed unless the status is 0.

    Example: `fairlog redact 7c0f1d5a3b9e4c6f8a2b4d6e8f0a1c3e 41 --reason "Ana asked"`

    Next: `fairlog export 7c0f1d5a3b9e4c6f8a2b4d6e8f0a1c3e -o redacted.fairlog`
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
        f"redacted the text of version {version} (recorded as version {answer.last})."
        " Older backups and exported files still contain it."
    )


@click.command("delete")
@click.argument("session")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def delete(session: str, yes: bool) -> None:
    """Delete a session from this server.

    Deletes the session's events, tokens, secrets and read models. This cannot be undone. The
    session index keeps the checkpoints from when the session was opened and closed. Exported files
    stay valid.

    Example: `fairlog export SESSION -o last.fairlog`, and then `fairlog delete SESSION`.
    """
    from service.sessions.deletion import delete as take_out

    with app_of_environment() as app, _error_lines(session):
        if not yes:
            _confirm(f"Delete session {session} permanently?")
        click.echo(f"deleted session {session} ({format_count(take_out(app, session), 'event')})")


def _confirm(question: str) -> None:
    """Ask the user to confirm.

    If the user declines or there is no terminal, print a one-line error and exit.
    """
    try:
        click.confirm(question, abort=True)
    except click.Abort:
        raise click.ClickException(
            "nothing was deleted: answer yes at the prompt, or use --yes"
        ) from None


@contextmanager
def _error_lines(session: str) -> Iterator[None]:
    """Turn each expected error into a one-line message with the right exit status."""
    from domain.decider import Refused
    from service.sessions.refusal_texts import refusal_text
    from service.store.errors import UnknownSessionError, VersionConflictError

    try:
        yield
    except UnknownSessionError:
        raise click.ClickException(
            f"there is no session {session} on this server:"
            " use the id at the end of the session's URL"
        ) from None
    except Refused as refused:
        raise click.ClickException(refusal_text(refused.rule, refused.facts, {}).line) from None
    except VersionConflictError:
        raise SessionChangedError(
            "nothing was changed, because other turns were stored at the same time. Try again."
        ) from None
