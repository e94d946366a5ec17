"""The commands of `fairlog`: each parses its options, calls one function and prints the result.

They import everything in `service` but `http` and `web`, so that commands start without a web
framework.
"""
