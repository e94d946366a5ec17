"""Cryptographic building blocks: hash chains and draws, the Merkle tree, signed notes.

What belongs here: functions of bytes and numbers that know nothing of games, sessions or storage.
The modules import the standard library and each other. Every failed check raises ProofError.
"""


class ProofError(Exception):
    """A check that failed: a code of docs/log-format.md or docs/fairness.md, and what differed."""

    def __init__(self, code: str, found: str = "", expected: str = "") -> None:
        super().__init__(code, found, expected)
        self.code = code
        self.found = found
        self.expected = expected
