"""Background processes: the worker, which runs jobs, and the follower, which follows the log."""
