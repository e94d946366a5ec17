"""The benchmark measures the verification of a log that the server writes today."""

from __future__ import annotations

from bench.verification import checking


def test_verification_is_measured() -> None:
    assert checking(50).ratio > 1
