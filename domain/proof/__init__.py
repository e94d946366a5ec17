"""Cryptography: hash chains, draws, the Merkle tree, and signed notes.

The functions work on bytes and numbers and are independent of games, sessions and storage. The
modules import only the standard library and each other. A failed check raises ProofError.
"""


class ProofError(Exception):
    """Raised if a check fails.

    It contains the error code, what was found, and what was expected. docs/log-format.md and
    docs/fairness.md list the codes.
    """

    def __init__(self, code: str, found: str = "", expected: str = "") -> None:
        super().__init__(code, found, expected)
        self.code = code
        self.found = found
        self.expected = expected
