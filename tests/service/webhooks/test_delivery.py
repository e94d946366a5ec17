"""One message: its form, its signature, and where it may be sent."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from service.webhooks.delivery import (
    AddressRefusedError,
    DeliveryFailedError,
    InvalidSecretError,
    Target,
    deliver,
    parse_secret,
    pause_seconds,
    signature,
)
from service.webhooks.message import MAX_EMBED_TEXT, Message, build_message
from tests.service.webhooks.receiver import Receiver

SESSION = "0" * 32
EVENT: dict[str, Any] = {
    "version": 7,
    "turn": 3,
    "at": "2026-01-01T20:00:00.000Z",
    "seat": "p1",
    "kind": "open.Rolled",
    "text": "Ana rolls 17.",
    "grade": "C",
}
SECRET = "whsec_" + base64.b64encode(bytes(range(24))).decode()


def test_a_standard_message_has_type_time_and_data() -> None:
    message = build_message(SESSION, "Friday", EVENT, "standard")
    assert (message.id, message.content_type) == (f"{SESSION}/7", "application/json")
    assert json.loads(message.body) == {
        "type": "event.recorded",
        "timestamp": EVENT["at"],
        "data": {"session": SESSION, "title": "Friday", "event": EVENT},
    }


def test_a_discord_message_mentions_nobody() -> None:
    long = EVENT | {"text": "@everyone " * 500}
    body = json.loads(build_message(SESSION, "Friday", long, "discord").body)
    assert body["allowed_mentions"] == {"parse": []}
    [embed] = body["embeds"]
    assert len(embed["description"]) == MAX_EMBED_TEXT
    assert embed["footer"]["text"] == "Friday · 7"


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (EVENT, "Friday, 7: Ana rolls 17.\n"),
        ({"version": 8, "at": "", "sealed": True}, "Friday, 8: (sealed)\n"),
    ],
)
def test_a_text_message_is_one_line(event: dict[str, Any], text: str) -> None:
    assert build_message(SESSION, "Friday", event, "text").body.decode() == text


def test_a_signature_is_that_of_the_specification() -> None:
    """The example of Standard Webhooks 1.0."""
    key = parse_secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    message = Message("msg_p5jXN8AQM9LWM0D4loKWxJek", "application/json", b'{"test": 2432232314}')
    assert signature(key, message, 1614265330) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize(
    "text", ["", "whsec_", "whsec_AAAA", "secret", "whsec_" + "!" * 32, SECRET[6:]]
)
def test_a_malformed_secret_is_refused(text: str) -> None:
    with pytest.raises(InvalidSecretError):
        parse_secret(text)


def test_a_message_arrives_with_its_headers() -> None:
    message = build_message(SESSION, "Friday", EVENT, "standard")
    with Receiver().running() as receiver:
        deliver(
            Target(receiver.url, parse_secret(SECRET), allows_private=True), message, 1_800_000_000
        )
    [received] = receiver.accepted
    assert (received.id, received.body) == (message.id, message.body)
    assert received.headers["webhook-timestamp"] == "1800000000"
    expected = signature(parse_secret(SECRET), message, 1_800_000_000)
    assert received.headers["webhook-signature"] == expected


def test_a_refused_message_says_why() -> None:
    message = build_message(SESSION, "Friday", EVENT, "text")
    with Receiver(fails=1).running() as receiver, pytest.raises(DeliveryFailedError) as failed:
        deliver(Target(receiver.url, allows_private=True), message, 0)
    assert failed.value.status == 429
    with pytest.raises(DeliveryFailedError) as away:
        deliver(Target(receiver.url, allows_private=True), message, 0)
    assert away.value.status == 0


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "10.1.2.3",
        "192.168.0.1",
        "169.254.169.254",
        "[::1]",
        "[fd00::1]",
        "[::ffff:10.0.0.1]",
        "0.0.0.0",
    ],
)
def test_the_operators_own_network_is_refused(host: str) -> None:
    with pytest.raises(AddressRefusedError):
        deliver(Target(f"http://{host}:9/"), build_message(SESSION, "", EVENT, "text"), 0)


@pytest.mark.parametrize("url", ["ftp://example.com/", "file:///etc/passwd", "example.com", ""])
def test_only_http_is_spoken(url: str) -> None:
    with pytest.raises(AddressRefusedError):
        deliver(Target(url), build_message(SESSION, "", EVENT, "text"), 0)


def test_pauses_double_up_to_an_hour() -> None:
    pauses = [pause_seconds(failures) for failures in range(1, 40)]
    assert pauses[:3] == [0.2, 0.4, 0.8]
    assert pauses == sorted(pauses)
    assert pauses[-1] == 3600
