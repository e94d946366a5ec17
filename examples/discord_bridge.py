"""A Discord command /roll that rolls in an open session.

Discord sends each use of the command to this program (an "interactions endpoint"). The program
sends it to Fairlog as the seat of a token, and answers with the outcome. The other direction, from
the session to a channel, is `fairlog relay SESSION WEBHOOK --format discord`.

Settings, as environment variables:
  DISCORD_PUBLIC_KEY  the application's public key, in hex
  FAIRLOG_SESSION     the session's address in the API
  FAIRLOG_TOKEN       a seat's token with the scopes read and play
  PORT                where to listen; default: 8099
"""

import json
import os
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PING, COMMAND = 1, 2  # types of interactions
PONG, MESSAGE = 1, 4  # types of answers
HIDDEN = ("session.Declared", "session.Drawn")


def roll(notation: str, key: str) -> str:
    """Roll at the table, and return the text of the outcome or of the refusal.

    `key` makes a repeated request harmless: Discord can send an interaction twice.
    """
    body = {"command": {"kind": "open.Roll", "notation": notation}}
    request = urllib.request.Request(  # noqa: S310  The operator chooses the address.
        f"{os.environ['FAIRLOG_SESSION']}/commands",
        json.dumps(body).encode(),
        {
            "Authorization": f"Bearer {os.environ['FAIRLOG_TOKEN']}",
            "Content-Type": "application/json",
            "Idempotency-Key": f"discord-{key}",
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=2.5) as answer:  # noqa: S310
            events = json.load(answer)["events"]
    except urllib.error.HTTPError as refused:
        return str(json.load(refused)["detail"])
    return "\n".join(event["text"] for event in events if event["kind"] not in HIDDEN)


def answer_to(interaction: dict[str, Any]) -> dict[str, Any]:
    if interaction["type"] == PING:
        return {"type": PONG}
    notation = interaction["data"]["options"][0]["value"]
    text = roll(notation, interaction["id"])
    return {"type": MESSAGE, "data": {"content": text, "allowed_mentions": {"parse": []}}}


class Interactions(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(os.environ["DISCORD_PUBLIC_KEY"]))
        signed = self.headers.get("X-Signature-Timestamp", "").encode() + body
        try:
            key.verify(bytes.fromhex(self.headers.get("X-Signature-Ed25519", "")), signed)
        except (InvalidSignature, ValueError):
            self.send_error(401)
            return
        content = json.dumps(answer_to(json.loads(body))).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8099"))), Interactions)
    print(f"listening on port {server.server_port}", flush=True)
    server.serve_forever()
