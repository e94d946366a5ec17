"""The book's numbers as data and the arithmetic on them, by topic. RULES.md says them in sentences."""

from __future__ import annotations
