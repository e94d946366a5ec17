"""Access to the machine: settings, clock, randomness, key files, logging and metrics.

A module belongs here if at least two other packages need it and it imports none of them. May import
`domain` and libraries.
"""
