"""SessionReport held against their slow recomputation: floats as they are rounded, simulated chances as chance allows."""

from __future__ import annotations

from typing import Any

import msgspec

from projections.statistics_model import SessionReport
from tests.workers.recomputing import Slowly

SIMULATED = 0.2
"""What two simulated chances may differ by: four deviations of the slow one, of 200 evenings, and some of the other."""
CORRECTED = ("adjusted", "verdict")


def compare(found: SessionReport, slowly: Slowly) -> None:
    shown = msgspec.to_builtins(found)
    for name, expected in msgspec.to_builtins(slowly.figures()).items():
        if name != "tests":  # they are held against the tests of the single figures
            apart = differences(shown[name], expected, name)
            assert not apart, "\n".join(apart)


def differences(found: Any, expected: Any, path: str) -> list[str]:
    """Where they are not the same: floats to what they are rounded to, simulated chances as far as chance allows."""
    if isinstance(expected, dict) and isinstance(found, dict):
        if found.keys() != expected.keys():
            return [f"{path}: {sorted(found)}, not {sorted(expected)}"]
        simulated = expected.get("how") == "simulated"
        return [
            difference
            for key in expected
            if key not in CORRECTED
            for difference in (
                _apart(found[key], expected[key], f"{path}.{key}", SIMULATED)
                if simulated and key == "p"
                else differences(found[key], expected[key], f"{path}.{key}")
            )
        ]
    if isinstance(expected, tuple) and isinstance(found, tuple) and len(found) == len(expected):
        pairs = enumerate(zip(found, expected, strict=True))
        return [
            difference for nth, pair in pairs for difference in differences(*pair, f"{path}[{nth}]")
        ]
    if isinstance(expected, float | int) and isinstance(found, float | int):
        return _apart(found, expected, path, 6e-4 if "minutes" in path or "gaps" in path else 1e-4)
    return [] if found == expected else [f"{path}: {found!r}, not {expected!r}"]


def _apart(found: float, expected: float, path: str, most: float) -> list[str]:
    return [] if abs(found - expected) <= most else [f"{path}: {found!r}, not {expected!r}"]
