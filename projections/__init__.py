"""Read models: tables that are computed from the log and can be dropped and rebuilt at any time."""
