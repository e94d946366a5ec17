"""Use cases: everything that reads or changes a session on behalf of a seat, without HTTP.

Every command goes through `command_handler`. May import `store`, `jobs`, `platform`, `projections`
and `domain`.
"""
