"""Operation of a deployment: start, supervise, migrate, back up, restore and check it.

May import `sessions`, `store`, `jobs`, `client`, `platform`, `projections` and `domain`.
"""
