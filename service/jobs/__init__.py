"""Background jobs: their definitions, the job queue, and status reports.

The functions that the jobs run are in `workers`. This package may import `platform`, `projections`
and `domain`.
"""
