"""If-Match, If-None-Match, compression, and the headers that tell of limits and repeats."""

from __future__ import annotations

import gzip
import json
import re
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.server import KEY, SessionClient, TestServer, laid, settings_in

TEXT = {"text": "It rains."}


@pytest.mark.parametrize("tags", ['"{}"', '"1", "{}"', 'W/"1", "{}", "999"', '"" , "{}"', "*"])
def test_a_command_is_run_if_one_tag_matches(evening: SessionClient, tags: str) -> None:
    answer = evening.post("p1", "/narrate", TEXT, If_Match=tags.format(evening.version()))
    assert answer.status_code == 201, answer.text


@pytest.mark.parametrize("tags", ["", "{}", "41", '"41', '"41";', '"41" "42"', '"41", *', "*, *"])
def test_what_is_no_list_of_tags_is_refused(evening: SessionClient, tags: str) -> None:
    answer = evening.post("p1", "/narrate", TEXT, If_Match=tags)
    assert (answer.status_code, answer.json["code"]) == (400, "unreadable")


def test_a_weak_tag_never_matches_and_the_answer_says_so(evening: SessionClient) -> None:
    answer = evening.post("p1", "/narrate", TEXT, If_Match=f'W/"{evening.version()}"')
    assert (answer.status_code, answer.json["code"]) == (412, "version-conflict")
    assert f'Send the version as "{evening.version()}".' in answer.json["detail"]


@pytest.mark.parametrize("path", ["", "/events", "/commands", "/lineage", "/feed", "/rerolls"])
def test_what_has_not_changed_is_not_sent_again(evening: SessionClient, path: str) -> None:
    first = evening.get("p1", path)
    assert first.status_code == 200
    again = evening.get("p1", path, If_None_Match=f'"0", W/{first.headers["ETag"]}')
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert {"Authorization", "Cookie"} <= set(again.headers["Vary"].split(", "))
    evening.post("gm", "/narrate", TEXT)
    assert evening.get("p1", path, If_None_Match=first.headers["ETag"]).status_code == 200


def test_a_large_answer_is_compressed_and_keeps_its_etag(evening: SessionClient) -> None:
    plain = evening.get("p1", "/events")
    packed = evening.get("p1", "/events", Accept_Encoding="gzip")
    assert (plain.headers.get("Content-Encoding"), packed.headers["Content-Encoding"]) == (
        None,
        "gzip",
    )
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] == plain.headers["ETag"]
    assert "Accept-Encoding" in packed.headers["Vary"]


def test_the_answer_to_a_change_is_never_compressed(evening: SessionClient) -> None:
    long = {"text": "It rains. " * 300}
    answer = evening.post("p1", "/narrate", long, Accept_Encoding="gzip")
    assert len(answer.data) > 1024
    assert "Content-Encoding" not in answer.headers


def test_the_limits_count_down(tmp_path: Path) -> None:
    settings = {"FAIRLOG_RATE_ADDRESS": "900", "FAIRLOG_RATE_TOKEN": "300"}
    with closing(TestServer(settings_in(tmp_path, **settings))) as house:
        evening = laid(house)
        left = list[tuple[int, int]]()
        for _ in range(3):
            headers = evening.get("p1", "").headers
            found = re.fullmatch(
                r'"address";r=(\d+);t=\d+, "seat";r=(\d+);t=\d+', headers["RateLimit"]
            )
            assert found is not None
            left.append((int(found[1]), int(found[2])))
            policy = headers["RateLimit-Policy"]
            assert policy == '"address";q=900;w=60, "seat";q=300;w=60'
        steps = [(a - c, b - d) for (a, b), (c, d) in pairwise(left)]
        assert (1, 1) in steps  # at most one of the two steps is across the end of a window


def test_a_repeated_answer_says_so(evening: SessionClient) -> None:
    first = evening.post("p1", "/narrate", TEXT, Idempotency_Key=KEY)
    again = evening.post("p1", "/narrate", TEXT, Idempotency_Key=KEY)
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"


def test_a_problem_leads_to_its_description(evening: SessionClient) -> None:
    problem = evening.post("p1", "/narrate", {}).json
    page = evening.house.client.get(urlsplit(problem["type"]).path)
    assert page.status_code == 200
    assert problem["title"] in page.text
    assert evening.house.client.get("/problems/nothing").status_code == 404
    assert json.loads(evening.post("p1", "/narrate", {}).data)["instance"].startswith("urn:")
