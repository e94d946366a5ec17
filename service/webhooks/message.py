"""The bodies of webhook messages: Standard Webhooks JSON, a Discord embed, and plain text."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import msgspec

from domain.transcript import SEALED_TEXT

Format = Literal["standard", "discord", "text"]
FORMATS: tuple[Format, ...] = get_args(Format)

EVENT_RECORDED = "event.recorded"
"""The type of each message."""
MAX_EMBED_TEXT = 4096
"""The maximum number of characters that Discord accepts in the description of an embed."""
COLOURS = {"A": 0x2E7D32, "B": 0x2E7D32, "C": 0xB26A00, "D": 0xB26A00}
"""The colour of an embed for each grade of a draw, as on the table page."""
NO_GRADE_COLOUR = 0x5F6B7A


class Message(NamedTuple):
    """A message as it is sent. `id` stays the same for each attempt, so doubles can be dropped."""

    id: str
    content_type: str
    body: bytes


def build_message(session: str, title: str, event: dict[str, Any], format_: Format) -> Message:
    """Return the message about an event, which has the fields that the API sends."""
    number = f"{session}/{event['version']}"
    match format_:
        case "standard":
            data = {"session": session, "title": title, "event": event}
            body = {"type": EVENT_RECORDED, "timestamp": event["at"], "data": data}
            return Message(number, "application/json", msgspec.json.encode(body))
        case "discord":
            embed = {
                "description": _text(event)[:MAX_EMBED_TEXT],
                "color": COLOURS.get(event.get("grade", ""), NO_GRADE_COLOUR),
                "timestamp": event["at"],
                "footer": {"text": f"{title} · {event['version']}"},
            }
            # Without this, a name such as @everyone in a text would notify the whole channel.
            body = {"embeds": [embed], "allowed_mentions": {"parse": []}}
            return Message(number, "application/json", msgspec.json.encode(body))
        case "text":
            text = f"{title}, {event['version']}: {_text(event)}\n"
            return Message(number, "text/plain; charset=utf-8", text.encode())


def _text(event: dict[str, Any]) -> str:
    text: str = event.get("text") or SEALED_TEXT
    return text
