"""Commands of the `fairlog` program: each parses options, calls a function and prints its result.

They may import every package in `service` except `http` and `web`, so that commands start without
loading a web framework.
"""
