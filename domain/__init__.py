"""The rules of play and of proof: pure functions of immutable values.

What belongs here: the rulesets, the session around them, the proofs of a log, their verification,
and the file format of a log. Nothing here reads a clock, draws random numbers, opens a file or
uses the network. Callers pass in time, salts, keys and signature checks.

The package imports the standard library and msgspec only. All other packages may import it.
"""
