"""A session's charts and its game table, drawn in a terminal."""
