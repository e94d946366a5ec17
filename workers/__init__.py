"""Background processes: the worker runs jobs, and the follower updates the read models."""
