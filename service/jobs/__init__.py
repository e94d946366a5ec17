"""Background jobs: which exist, how they are queued, and what the queue holds.

The functions that run are in `workers`. May import `platform`, `projections` and `domain`.
"""
