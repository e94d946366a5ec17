"""Read models: rows computed from the log, each with its tracking position, each dropped and rebuilt equal."""
