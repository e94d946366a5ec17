"""Use cases that read or change sessions, independent of HTTP.

Every command goes through `command_handler`. This package may import `store`, `jobs`, `platform`,
`projections` and `domain`.
"""
