"""Read models: tables computed from the log that can be rebuilt at any time."""
