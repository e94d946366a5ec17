"""Entry point of `python -m service`: the `fairlog` command."""

from service.cli.main import main

main()
