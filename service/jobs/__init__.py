"""Background jobs: their definitions, the queue, and its state.

The functions that run are in `workers`. May import `platform`, `projections` and `domain`.
"""
