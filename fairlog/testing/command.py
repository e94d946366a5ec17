"""`fairlog ruleset check NAME`: check the laws of a ruleset."""

from __future__ import annotations

import click
from rich.console import Console
from rich.progress import track

from domain.rulesets import RULESETS
from fairlog.testing.laws import LAWS, check_ruleset

SESSIONS_PER_STEP = 10


@click.group("ruleset")
def ruleset() -> None:
    """Check a ruleset that you write.

    Example: `fairlog ruleset check d20`

    Next: `fairlog serve`, and start a session with your ruleset.
    """


@ruleset.command("check")
@click.argument("name")
@click.option(
    "--sessions",
    type=click.IntRange(1, 100_000),
    default=100,
    show_default=True,
    help="The number of random sessions to play.",
)
def check(name: str, sessions: int) -> None:
    """Play random sessions of the installed ruleset NAME, and check that the laws hold.

    The exit status is 1 if a law is violated.

    Example: `fairlog ruleset check d20 --sessions 1000`
    """
    found = next((each for each in RULESETS if each.name == name), None)
    if found is None:
        known = ", ".join(each.name for each in RULESETS)
        raise click.ClickException(f"no ruleset is called {name}: choose one of {known}")
    console = Console(stderr=True)
    steps = track(range(0, sessions, SESSIONS_PER_STEP), "playing", console=console, transient=True)
    for first in steps:
        violations = check_ruleset(found, min(SESSIONS_PER_STEP, sessions - first), first)
        if violations:
            raise click.ClickException("\n".join(map(str, violations)))
    click.echo(f"{name} {found.edition}: {len(LAWS)} laws hold in {sessions} random sessions")
