"""The rulebook's numbers as data, and calculations with them."""

from __future__ import annotations
