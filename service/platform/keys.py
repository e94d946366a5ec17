"""Ed25519: the keys that the server keeps as files, signatures out of them, and how another follows the log's."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.proof.signed_note import succession_line, succession_message
from domain.session.messages import Hex32, Hex64
from service.platform.clock import random_bytes
from service.platform.files import flush_names, write_private

LOG, HOUSE, SECRET = KEYS = ("log.key", "house.key", "server.secret")
NEXT, FOLLOWED = "log.key.next", "log.followed"
"""The log's key that is about to follow, and by which keys those before were followed."""
MISSING_KEY = "it is missing: put that of a backup there; `fairlog migrate` makes the first, or with --new-keys what is lost"
NO_KEY = "there is no key in it: put that of a backup there"
NO_SUCCESSIONS = "there are no keys in it that followed one another: put that of a backup there"
UNLINKED_KEY = "log.followed does not lead to it: put both of one backup there, or none but log.key where that has no other"


class Signer:
    """A private key: its public half (32 bytes) and its signatures (64 bytes)."""

    def __init__(self, private: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(private)
        self.public = self._key.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


class Succession(msgspec.Struct, frozen=True):
    """That a log's key was followed by another (both public), signed by the old one; all in hex."""

    old: Hex32
    new: Hex32
    signature: Hex64


class Keys(msgspec.Struct, frozen=True):
    """The log's key, the house's seat key, and the secret that repeated tokens are derived from.

    `successions`: of the log's keys before, each with the one that followed it, the oldest first.
    """

    log: Signer
    house: Signer
    secret: bytes
    successions: tuple[Succession, ...] = ()

    def __repr__(self) -> str:
        """Without the secret: tracebacks and logs show what stands in variables."""
        return f"Keys(log={self.log.public.hex()}, house={self.house.public.hex()})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """The same for rich's tracebacks."""
        return [("log", self.log.public.hex()), ("house", self.house.public.hex())]

    def lines(self, name: str, public: bytes) -> str | None:
        """The lines below a note of that name from a log's key to the present one; None where it never was ours."""
        if public == self.log.public:
            return ""
        olds = [each.old for each in self.successions]
        if public.hex() not in olds:
            return None
        return "".join(_line(name, each) for each in self.successions[olds.index(public.hex()) :])

    def all_lines(self, name: str) -> str:
        """The same from the first key on."""
        return "".join(_line(name, each) for each in self.successions)


def missing_keys(folder: Path) -> list[Path]:
    """Those that `make_keys` has still to make."""
    return [folder / name for name in KEYS if not (folder / name).exists()]


def read_keys(folder: Path) -> Keys:
    """The server's keys. FileNotFoundError where `make_keys` has not run, OSError where a file holds something else."""
    log = _signer(folder / LOG)  # before those that led to it: `rotate` writes them first
    successions = _successions(folder)
    if successions and successions[-1].new != log.public.hex():
        log = _following(folder, successions[-1].new)
    return Keys(log, _signer(folder / HOUSE), _secret(folder / SECRET), successions)


def _following(folder: Path, public: str) -> Signer:
    """The key that `rotate` had made when it ended between its two steps, or is putting into its place."""
    for name in (NEXT, LOG):
        with suppress(FileNotFoundError):
            signer = _signer(folder / name)
            if signer.public.hex() == public:
                return signer
    raise OSError(errno.EINVAL, UNLINKED_KEY, str(folder / LOG))


def make_keys(folder: Path) -> None:
    """Create the keys that are missing, readable by the owner alone.

    An existing key is never replaced. Only one process at a time may call it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in KEYS:
        if not (folder / name).exists():
            write_private(folder / name, random_bytes().hex().encode(), replace=False)


def rotate_log_key(folder: Path) -> Succession:
    """The log goes on under a fresh key, which the old one signs, and is then no more. What runs has the old one."""
    keys = read_keys(folder)
    if (
        (folder / NEXT).exists()
        and keys.successions
        and keys.successions[-1].new == keys.log.public.hex()
    ):
        _promote_next(folder)  # an earlier rotation ended half way
    private = random_bytes()
    new = Signer(private)
    write_private(folder / NEXT, private.hex().encode())
    signature = keys.log.sign(succession_message(keys.log.public, new.public))
    made = Succession(keys.log.public.hex(), new.public.hex(), signature.hex())
    write_private(folder / FOLLOWED, _lines([*keys.successions, made]))
    _promote_next(folder)
    return made


def _promote_next(folder: Path) -> None:
    """Make the next log key the log key."""
    (folder / NEXT).replace(folder / LOG)
    flush_names(folder)


def _successions(folder: Path) -> tuple[Succession, ...]:
    try:
        raw = (folder / FOLLOWED).read_bytes()
    except FileNotFoundError:
        return ()
    try:
        return tuple(msgspec.json.decode(line, type=Succession) for line in raw.splitlines())
    except (ValueError, RecursionError):
        raise OSError(errno.EINVAL, NO_SUCCESSIONS, str(folder / FOLLOWED)) from None


def _lines(successions: Sequence[Succession]) -> bytes:
    return b"".join(msgspec.json.encode(each) + b"\n" for each in successions)


def _line(name: str, each: Succession) -> str:
    return succession_line(name, *map(bytes.fromhex, (each.old, each.new, each.signature)))


def _signer(file: Path) -> Signer:
    return Signer(_secret(file))


def _secret(file: Path) -> bytes:
    """Raises OSError where the file holds none, FileNotFoundError where it is not there."""
    try:
        held = bytes.fromhex(file.read_text())
    except FileNotFoundError:
        raise OSError(errno.ENOENT, MISSING_KEY, str(file)) from None
    except ValueError:
        held = b""
    if len(held) != len(random_bytes()):
        raise OSError(errno.EINVAL, NO_KEY, str(file))
    return held
