"""Webhooks of the server: every version is delivered, in order, although the worker is killed and the receiver fails."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

from tests.service.webhooks.receiver import Receiver
from tests.service.webhooks.test_relay import narrate, opened, version_of
from tests.support.processes import Running
from tests.support.queue_server import serving
from tests.support.scale import scale

KILLS = scale(2, 30)
SECONDS = 1500


@pytest.mark.long
@pytest.mark.timeout(SECONDS + 300)
def test_every_version_is_delivered_in_order(tmp_path: Path) -> None:
    chance, kills, data = random.Random(11), 0, tmp_path / "data"
    with serving(tmp_path / "queue") as queue, Receiver(fails=5).running() as receiver:
        settings = {
            "REDIS_URL": queue.address,
            "FAIRLOG_WEBHOOKS_PRIVATE": "yes",
            "FAIRLOG_RATE_ADDRESS": "0",
            "FAIRLOG_RATE_TOKEN": "0",
        }
        house = Running(data, "serve", "--only", "web", **settings)
        server = house.url()
        follower = Running(data, "follow", **settings)
        worker = Running(data, "worker", **settings)
        try:
            ticket = opened(server)
            made = requests.post(
                f"{server}/v1/sessions/{ticket['session']}/webhooks",
                json={"url": receiver.url, "after": 1},
                headers={"Authorization": f"Bearer {ticket['token']}"},
                timeout=20,
            )
            assert made.status_code == 201, made.text
            with ThreadPoolExecutor(1) as pool:
                turns = pool.submit(narrate, server, ticket)
                while kills < KILLS:
                    time.sleep(chance.uniform(1, 4))
                    worker.kill()
                    kills += 1
                    worker = Running(data, "worker", **settings)
                last = turns.result()
            until = time.monotonic() + SECONDS
            while not receiver.accepted or version_of(receiver) < last:
                assert time.monotonic() < until, (version_of(receiver), last)
                time.sleep(0.1)
        finally:
            for each in (worker, follower, house):
                each.stop()
    versions = [int(each.id.rpartition("/")[2]) for each in receiver.accepted]
    once = [
        versions[nth]
        for nth in range(len(versions))
        if nth == 0 or versions[nth] != versions[nth - 1]
    ]
    doubles = len(versions) - len(once)
    print(f"{last} versions, {kills} kills, {receiver.refused} refused, {doubles} sent twice")
    assert once == list(range(2, last + 1))
    assert doubles <= kills
