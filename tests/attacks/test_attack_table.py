"""Every row of the attack table holds; the cases that it names are there, and run with all tests."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.attacks.attack_table import ATTACKS, ROOT, Attack, cases, rows


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: f"{attack.who}: {attack.what}")
def test_an_attack_is_prevented_detected_or_named(attack: Attack) -> None:
    [line] = rows([attack])
    assert attack.evidence
    assert attack.outcome in line


@pytest.mark.long
def test_the_cases_are_collected() -> None:
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--collect-only",
            "-p",
            "no:cacheprovider",
            *cases(),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-2000:]
