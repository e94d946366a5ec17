"""What can be proven of a log: chains and draws, the Merkle tree, signed notes; and how a proof breaks."""


class ProofError(Exception):
    """A proof that does not hold: a code of fairness.md, with what was found and what was expected."""

    def __init__(self, code: str, found: str = "", expected: str = "") -> None:
        super().__init__(code, found, expected)
        self.code = code
        self.found = found
        self.expected = expected
