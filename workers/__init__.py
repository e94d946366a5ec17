"""Background processes: the worker, which runs jobs, and the follower of the log."""
