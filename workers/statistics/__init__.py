"""The statistics of a session, computed from tallies."""
