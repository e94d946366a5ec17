"""Shared infrastructure: settings, clock, random numbers, keys, logs and metrics.

A module belongs here if at least two other packages use it and it does not import any of them. This
package may import `domain` and libraries.
"""
