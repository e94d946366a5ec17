"""Benchmarks: each measurement as a ratio to a floor measured in the same run.

What belongs here: measurements of the whole product on one machine, run by `make bench`. The
package may import all others, and tests' helpers for databases. None imports it.
"""
