"""Operation of a deployment: start, supervise, migrate, back up, restore, check.

May import `sessions`, `store`, `jobs`, `client`, `platform`, `projections` and `domain`.
"""
