"""Subcommands of `fairlog`.

Each command parses its options, calls a function and prints the result. No module here may import
`service.http` or `service.web`, because loading a web framework would slow down every command.
"""
