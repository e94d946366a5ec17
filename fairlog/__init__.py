"""The public Python API: read and verify logs, and take a seat.

Everything that this package exports keeps its name within a major version. All other modules of
Fairlog can change in any release.

    import fairlog

    log = fairlog.open("friday.fairlog")
    report = log.verify()
    print(fairlog.verdict(report))
"""

from __future__ import annotations

from domain.proof import ProofError
from domain.proof.signed_note import Vkey
from domain.transcript import Transcript, TranscriptSeat, TranscriptTurn, UnreadableLogError
from domain.verify import Evidence, Failure, Report, ReportWarning
from domain.verify.messages import verdict
from fairlog.log import Log, open_log as open  # noqa: A004 like gzip.open
from service.client.api import RequestRefusedError, UnexpectedResponseError, UnreachableError
from service.client.join import join, resume, sit
from service.client.log_tree import ReceivedEvent
from service.client.seat import (
    BlindMissingError,
    DrawPendingError,
    MalformedCommandError,
    SeatClient as Seat,
)
from service.client.seat_file import WrongSeatFileError

__all__ = [
    "BlindMissingError",
    "DrawPendingError",
    "Evidence",
    "Failure",
    "Log",
    "MalformedCommandError",
    "ProofError",
    "ReceivedEvent",
    "Report",
    "ReportWarning",
    "RequestRefusedError",
    "Seat",
    "Transcript",
    "TranscriptSeat",
    "TranscriptTurn",
    "UnexpectedResponseError",
    "UnreachableError",
    "UnreadableLogError",
    "Vkey",
    "WrongSeatFileError",
    "join",
    "open",
    "resume",
    "sit",
    "verdict",
]
