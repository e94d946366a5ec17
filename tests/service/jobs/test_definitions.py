"""The names of jobs: each holds all that its job is about, and nothing else is one."""

from __future__ import annotations

import re

import pytest
from rq.job import validate_job_id

from service.jobs import definitions
from service.jobs.definitions import FUNCTIONS, REMEDIES, Job, JobKind

SESSION = "0123456789abcdef" * 2
EVERY = [
    definitions.statistics(SESSION),
    definitions.statistics_of_range(SESSION, 40, 1, 20),
    definitions.statistics_of_range(SESSION, 40, 7, None),
    definitions.audit(SESSION, 40),
    definitions.webhook(SESSION, "0123456789abcdef", 41),
    definitions.campaign(SESSION),
]
NONE = [
    "", "statistics", f"statistics-{SESSION}-1", f"statistics-{SESSION[1:]}", f"audit-{SESSION.upper()}-1",
    f"audit-{SESSION}-0", f"audit-{SESSION}-01", f"range-{SESSION}-4-1-2-3", f"range-{SESSION}-4--2", "merge-1-chess-1",
    f"campaign-{SESSION}-1", f"statistics-{SESSION}\n", f" audit-{SESSION}-1",
]  # fmt: skip


@pytest.mark.parametrize("job", EVERY, ids=lambda job: job.name)
def test_a_name_says_all_of_its_job(job: Job) -> None:
    assert definitions.parse_job_name(job.name) == job
    assert job.session == SESSION
    validate_job_id(job.name)
    assert re.fullmatch(r"[a-z0-9-]{1,160}", job.name), "as its address takes it"


@pytest.mark.parametrize("name", NONE)
def test_nothing_else_is_a_job(name: str) -> None:
    assert definitions.parse_job_name(name) is None


def test_of_every_kind_it_is_said_what_it_runs_and_what_to_do() -> None:
    assert set(FUNCTIONS) == set(REMEDIES) == {job.kind for job in EVERY} == set(JobKind)
