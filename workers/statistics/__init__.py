"""The statistics of a session, computed from tallies."""

from workers.statistics.evening import figures

__all__ = ["figures"]
