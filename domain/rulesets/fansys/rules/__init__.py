"""The rulebook's tables and constants, and calculations based on them."""

from __future__ import annotations
