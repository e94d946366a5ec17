"""Game rules and the signed log: pure functions on immutable values.

This package contains the rulesets, the session that runs them, the proofs that protect the log, the
verification of logs, and the log's file format. Nothing here reads a clock, draws random numbers,
opens a file or uses the network. Callers pass in time, salts, keys and signature checks.

The package imports only the standard library and msgspec. All other packages may import it.
"""
