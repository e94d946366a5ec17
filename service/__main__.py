"""The entry point for `python -m service`: runs the `fairlog` command."""

from service.cli.main import main

main()
