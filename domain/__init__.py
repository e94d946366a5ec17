"""The rules of the games and of the signed log: pure functions on immutable values.

What belongs here: the rulesets, the session that runs them, the log's proofs and their
verification, and the log's file format. Nothing here reads a clock, draws random numbers, opens a
file or uses the network. Callers pass in time, salts, keys and signature checks.

The package imports only the standard library and msgspec. All other packages may import it.
"""
