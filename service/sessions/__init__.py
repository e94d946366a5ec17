"""Use cases, without HTTP: everything that reads or changes a session for a seat.

Every command goes through `command_handler`. May import `store`, `jobs`, `platform`, `projections`
and `domain`.
"""
