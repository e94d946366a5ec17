"""Shared infrastructure: settings, clock, random numbers, keys, logs and metrics.

A module belongs here if at least two other packages need it and it imports none of them. This
package may import `domain` and libraries.
"""
