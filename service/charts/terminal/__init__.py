"""A session's charts and its table, drawn in a terminal."""
