"""The socket of a client, looked at from outside its request."""

from __future__ import annotations

import socket


def is_closed(wire: socket.socket) -> bool:
    """Whether the client has closed its end."""
    try:
        return wire.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
