"""Cryptography: hash chains, draws, the Merkle tree, and signed notes.

The functions work on bytes and numbers and are independent of games, sessions and storage. The
modules import only the standard library and each other. A failed check raises ProofError.
"""


class ProofError(Exception):
    """Raised when a check fails.

    `code` is the error code, as listed in docs/log-format.md and docs/fairness.md. `found` and
    `expected` describe the mismatch.
    """

    def __init__(self, code: str, found: str = "", expected: str = "") -> None:
        super().__init__(code, found, expected)
        self.code = code
        self.found = found
        self.expected = expected
