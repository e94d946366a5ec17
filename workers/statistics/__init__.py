"""The statistics of a session and of many, computed from tallies."""

from workers.statistics.evening import figures
from workers.statistics.sums import Sums, merged, sums_of

__all__ = ["Sums", "figures", "merged", "sums_of"]
