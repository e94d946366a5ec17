"""What the codes of fairness.md mean, in words for people: what a failure says, what a warning asks for."""

from __future__ import annotations

FAILURES = {
    "E_FORMAT": "This is not what a log holds here.",
    "E_NONCANONICAL": "The bytes are not those that would be written for what they say.",
    "E_VERSION": "An event was removed, doubled, moved or renumbered.",
    "E_SESSION": "An event or the manifest belongs to another session.",
    "E_TURN": "The turns are not numbered one after the other.",
    "E_BODY": "The opening is not what the event committed to: text or salt were changed.",
    "E_NOTE_FORMAT": "This is no checkpoint.",
    "E_KEY": "This is no well-formed key.",
    "E_UNSIGNED": "No checkpoint covers these events.",
    "E_CHECKPOINT_SIG": "The checkpoint was changed after it was signed.",
    "E_UNTRUSTED_LOG": "The log is signed, but not by the key that you trust.",
    "E_ROOT": "The events are not those that were signed.",
    "E_INCONSISTENT": "The log is not an extension of the checkpoint that you kept: history was rewritten.",
    "E_TRUNCATED": "The log is shorter than what was signed: its end was cut off.",
    "E_SPLIT_VIEW": "The same version was signed twice with different contents: two logs are shown.",
    "E_SIGNATURE": "The house's signature does not hold.",
    "E_CHAIN": "The link does not sit on the one before: the randomness was replaced or reused.",
    "E_POSITION": "A link of the chain was skipped or used again.",
    "E_ANCHOR": "The chain's anchor is missing, late or equal to another.",
    "E_DRAW_INDEX": "A draw was left out or counted twice.",
    "E_ORDER": "Declaration and draw do not follow each other.",
    "E_CONTRIBUTORS": "Not the seats that the rule names gave the randomness.",
    "E_FORK": "The draw was made on another log than this one.",
    "E_VALUES": "The values are not what the seed gives: a die was bent.",
    "E_OUTCOME": "The events are not what the rules make of the command.",
    "E_ROLE": "A seat did what its role may not.",
    "E_LINEAGE": "A rewind leads where none may lead.",
}

WARNINGS = {
    "W_HOUSE_ONLY": (
        "draws came from the house alone: nothing of them can be rewritten, but the house could know them beforehand",
        "for more, let seats bring their own chains",
    ),
    "W_CUSTODIAL": ("seats bring no chain of their own, so they do not contribute", "let them bring one"),
    "W_ROLLOVER": ("times the house began a new chain", "nothing to do: the old one ran out"),
    "W_REROLL_AFTER_REWIND": (
        "draws repeat one that a rewind had undone, by the same seat and of the same kind",
        "read the reasons of the rewinds before them",
    ),
    "W_OVERRIDE": ("times the GM set a value by hand", "read the reasons that stand beside them"),
    "W_DECLARED_DICE": ("rolls were thrown at the table and typed in: nothing proves them", "trust who saw them"),
    "W_UNOPENED": ("events are sealed; what follows from them is not checked", "ask the GM to open the seals"),
    "W_REDACTED": ("narrations or names lost their words", "nothing to do: the rest stands as it was"),
    "W_UNPINNED": ("the key was taken from the log itself, so anyone could have made it", "pass --key"),
    "W_UNWITNESSED": (
        "no witness signed beside the log: a tail cut off, or another log shown to others, leaves no trace here",
        "keep checkpoints and pass them with --checkpoint",
    ),
    "W_RULES_MISSING": (
        "these rules are not installed: links, seeds and values hold, outcomes were not decided again",
        "use a newer fairlog",
    ),
}

TRUST = (
    "All contributors of one draw together can know it beforehand, hence choose it. A host can play sessions and forks "
    "that it shows to nobody and enters in no index. Who asked is the house's word where no draw follows. Code served "
    "by the host could leak a seat's secret (run the client or the verifier yourself). The house can read what is "
    "sealed. A tail cut off after the last checkpoint you kept cannot be seen without a newer one. Outsiders cannot "
    "tell real seats from sock puppets. Giving up a draw cannot be prevented, only shown with what it would have been."
)
"""What stays trust: fairness.md's own words."""
