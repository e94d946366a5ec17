"""Read models: tables computed from the log, which can be dropped and rebuilt at any time."""
