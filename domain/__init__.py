"""Game rules and the verifiable log: pure functions on immutable values.

This package contains the rulesets, the sessions that run them, and the format of log files. It also
contains the proofs that protect a log and the code that verifies it. Nothing here reads a clock,
draws random numbers, opens a file or uses the network. Callers pass in the time, salts, keys and
signature functions.

The package imports only the standard library and msgspec. All other packages may import it.
"""
