"""`fairlog docs`: prints the API reference or a ruleset's commands without a server."""

from __future__ import annotations

import json

import click

from domain.rulesets import RULESETS
from service.http import api_docs
from service.http.app import document

NEWEST = {ruleset.name: ruleset for ruleset in RULESETS}


@click.command()
@click.argument("ruleset", type=click.Choice([*NEWEST]), required=False)
@click.option(
    "--json", "as_json", is_flag=True, help="Print the OpenAPI document instead of Markdown."
)
def docs(ruleset: str | None, as_json: bool) -> None:
    """Print the HTTP API reference, or the reference for a ruleset's commands.

    The output is Markdown or, with --json, the OpenAPI document. A running server also serves the
    API documentation at /docs.

    Examples: `fairlog docs > api.md` and `fairlog docs kingdoms`.
    """
    if as_json:
        click.echo(json.dumps(document(), indent=1))
    elif ruleset is None:
        click.echo(api_docs.api_markdown(document()), nl=False)
    else:
        click.echo(api_docs.ruleset_markdown(document(), NEWEST[ruleset]), nl=False)
