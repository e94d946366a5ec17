"""The write side and the edge: where commands come in, events are stored and everything is wired together."""
