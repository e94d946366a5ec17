"""The server's key files: log key, earlier log keys, house key and token secret."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.proof.hash_chain import labelled_hash
from domain.proof.signed_note import succession_line, succession_message
from domain.session.messages import Hex32, Hex64
from service.platform.clock import random_bytes
from service.platform.files import flush_names, write_private

LOG, HOUSE, SECRET = KEYS = ("log.key", "house.key", "server.secret")
NEXT, FOLLOWED = "log.key.next", "log.followed"
"""NEXT contains the new log key during a rotation. FOLLOWED lists the log key successions."""
MISSING_KEY = (
    "the file is missing: restore it from a backup. For a new server, run `fairlog migrate`. "
    "To replace lost keys, run `fairlog migrate --new-keys`"
)
NO_KEY = "the file does not contain a valid key: restore it from a backup"
NO_SUCCESSIONS = "the file does not contain valid key successions: restore it from a backup"
UNLINKED_KEY = (
    "the last key in log.followed differs from this key: restore both files from the same backup. "
    "If the backup has only log.key, delete log.followed"
)


class Signer:
    """An Ed25519 key pair. `public` is the public key."""

    def __init__(self, private: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(private)
        self.public = self._key.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)

    def derive(self, label: str, *fields: bytes) -> bytes:
        """Derive 32 bytes from the private key, a label and fields.

        Without the private key, no one can compute them.
        """
        return labelled_hash(label, self._key.private_bytes_raw(), *fields)


class Succession(msgspec.Struct, frozen=True):
    """The replacement of a log key by a new one.

    `old` and `new` are the public keys. `signature` is the old key's signature on the replacement.
    All three are in hex.
    """

    old: Hex32
    new: Hex32
    signature: Hex64


class Keys(msgspec.Struct, frozen=True):
    """The server's log key, its house key, and the secret for deriving tokens.

    `successions` lists the replacements of the log key, oldest first.
    """

    log: Signer
    house: Signer
    secret: bytes
    successions: tuple[Succession, ...] = ()

    def __repr__(self) -> str:
        """Return only the public keys, because tracebacks and logs may print this text."""
        return f"Keys(log={self.log.public.hex()}, house={self.house.public.hex()})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """Return only the public keys, because `rich` prints variables in tracebacks."""
        return [("log", self.log.public.hex()), ("house", self.house.public.hex())]

    def lines(self, name: str, public: bytes) -> str | None:
        """Return the succession lines from the log key `public` to the newest log key.

        `name` is the key name in the note that will contain the lines. Return "" if `public` is the
        newest log key, or None if it was never a log key of this server.
        """
        if public == self.log.public:
            return ""
        olds = [each.old for each in self.successions]
        if public.hex() not in olds:
            return None
        return "".join(
            _format_line(name, each) for each in self.successions[olds.index(public.hex()) :]
        )

    def all_lines(self, name: str) -> str:
        """Return the succession lines from the first log key to the newest log key.

        `name` is the key name in the note that will contain the lines.
        """
        return "".join(_format_line(name, each) for each in self.successions)


def missing_keys(folder: Path) -> list[Path]:
    return [folder / name for name in KEYS if not (folder / name).exists()]


def read_keys(folder: Path) -> Keys:
    """Read the server's keys.

    Raises FileNotFoundError if a key file is missing, and OSError if a file is invalid.
    """
    log = _read_signer(
        folder / LOG
    )  # read before the successions, because a rotation writes those first
    successions = _read_successions(folder)
    if successions and successions[-1].new != log.public.hex():
        log = _next_log_key(folder, successions[-1].new)
    return Keys(log, _read_signer(folder / HOUSE), _read_secret(folder / SECRET), successions)


def _next_log_key(folder: Path, public: str) -> Signer:
    """Return the new log key from a running or interrupted key rotation.

    `public` is the new public key in hex. Raises OSError if no file contains the key.
    """
    for name in (NEXT, LOG):
        with suppress(FileNotFoundError):
            signer = _read_signer(folder / name)
            if signer.public.hex() == public:
                return signer
    raise OSError(errno.EINVAL, UNLINKED_KEY, str(folder / LOG))


def make_keys(folder: Path) -> None:
    """Create the missing key files. Only their owner can read them.

    Existing keys are never replaced. Only one process at a time may call this.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in KEYS:
        if not (folder / name).exists():
            write_private(folder / name, random_bytes().hex().encode(), replace=False)


def rotate_log_key(folder: Path) -> Succession:
    """Replace the log key with a new key, signed by the old one.

    The old key is deleted, but running processes keep using it until they are restarted.
    """
    keys = read_keys(folder)
    if (
        (folder / NEXT).exists()
        and keys.successions
        and keys.successions[-1].new == keys.log.public.hex()
    ):
        _promote_next(folder)  # finish an interrupted rotation
    private = random_bytes()
    new = Signer(private)
    write_private(folder / NEXT, private.hex().encode())
    signature = keys.log.sign(succession_message(keys.log.public, new.public))
    succession = Succession(keys.log.public.hex(), new.public.hex(), signature.hex())
    write_private(folder / FOLLOWED, _encode_successions([*keys.successions, succession]))
    _promote_next(folder)
    return succession


def _promote_next(folder: Path) -> None:
    (folder / NEXT).replace(folder / LOG)
    flush_names(folder)


def _read_successions(folder: Path) -> tuple[Succession, ...]:
    try:
        raw = (folder / FOLLOWED).read_bytes()
    except FileNotFoundError:
        return ()
    try:
        return tuple(msgspec.json.decode(line, type=Succession) for line in raw.splitlines())
    except (ValueError, RecursionError):
        raise OSError(errno.EINVAL, NO_SUCCESSIONS, str(folder / FOLLOWED)) from None


def _encode_successions(successions: Sequence[Succession]) -> bytes:
    return b"".join(msgspec.json.encode(each) + b"\n" for each in successions)


def _format_line(name: str, each: Succession) -> str:
    return succession_line(name, *map(bytes.fromhex, (each.old, each.new, each.signature)))


def _read_signer(file: Path) -> Signer:
    return Signer(_read_secret(file))


def _read_secret(file: Path) -> bytes:
    """Return the secret in a key file.

    Raises FileNotFoundError if the file is missing, and OSError if it contains no valid secret.
    """
    try:
        secret = bytes.fromhex(file.read_text())
    except FileNotFoundError:
        raise OSError(errno.ENOENT, MISSING_KEY, str(file)) from None
    except ValueError:
        secret = b""
    if len(secret) != len(random_bytes()):
        raise OSError(errno.EINVAL, NO_KEY, str(file))
    return secret
