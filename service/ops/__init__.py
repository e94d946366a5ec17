"""Tools for running a deployment: supervisor, migration, backup and health checks.

This package may import `sessions`, `store`, `jobs`, `client`, `platform`, `projections` and
`domain`.
"""
