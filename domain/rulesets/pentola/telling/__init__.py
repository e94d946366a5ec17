"""What a screen shows, what the log says and what statistics count. `tell` and `tally` need the event alone."""
