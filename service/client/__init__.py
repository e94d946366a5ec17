"""A seat's own side of the protocol: it checks the log before it gives a link. For bots, and for `fairlog sit`."""
