"""Background processes: the queue's jobs, and the follower that keeps the projections at the head of the log."""
