"""The numbers of the rulebook as data, and the arithmetic on them."""

from __future__ import annotations
