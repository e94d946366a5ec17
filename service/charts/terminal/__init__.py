"""Charts and the table of a session, drawn in a terminal."""
