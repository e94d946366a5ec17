"""Background jobs: their definitions, the job queue, and its status.

The functions that the jobs run are in `workers`. May import `platform`, `projections` and `domain`.
"""
