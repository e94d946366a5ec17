"""How a variable of the environment is read: what is allowed, and the one line for what is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_type_hints


class InvalidSettingError(Exception):
    """A variable of the environment that cannot be used: its name, what was found, what is allowed."""

    def __init__(self, name: str, found: str, allowed: str) -> None:
        shown = re.sub(r"//[^@/]*@", "//***@", found)  # an address may hold a password
        super().__init__(f"{name} is {shown!r}, allowed is {allowed}")
        self.name = name
        self.allowed = allowed


class Setting(NamedTuple):
    """One variable: its default as one would write it, how it is read (ValueError: what is allowed), what it means.

    What is `secret` is never shown.
    """

    name: str
    default: str
    parse: Callable[[str], object]
    meaning: str
    secret: bool = False


def integer_between(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", text) or not low <= int(text) <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return int(text)

    return parse


def seconds_between(low: float, high: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) or not low <= float(text) <= high:
            raise ValueError(f"a number of seconds from {low:g} to {high:g}")
        return float(text)

    return parse


def matching(pattern: str, allowed: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(allowed)
        return text

    return parse


def folder(text: str) -> Path:
    return Path(text).expanduser().absolute()


def web_address(text: str) -> str:
    return matching(r"(https?://[^\s/?#]+(/[^\s?#]*)?)?", "http:// or https:// with a host")(
        text
    ).rstrip("/")


KEY = matching(r"([!-~]{16,200})?", "unset, or 16 to 200 visible ASCII characters")


@dataclass(frozen=True)
class Guards:
    """Of `Settings`, which see."""

    metrics_key: Annotated[
        str,
        Setting(
            "FAIRLOG_METRICS_KEY",
            "",
            KEY,
            "What `/metrics` wants as a bearer token. Unset: nothing.",
            True,
        ),
    ] = field(repr=False)
    opening_key: Annotated[
        str,
        Setting(
            "FAIRLOG_OPENING_KEY",
            "",
            KEY,
            "What opening a session asks for. Unset: anybody may.",
            True,
        ),
    ] = field(repr=False)
    proxies: Annotated[
        int,
        Setting(
            "FAIRLOG_PROXIES",
            "0",
            integer_between(0, 16),
            "Proxies in front that say who asks, each trusted.",
        ),
    ]
    rate_token: Annotated[
        int,
        Setting(
            "FAIRLOG_RATE_TOKEN",
            "0",
            integer_between(0, 10**6),
            "Requests of one token in a minute. 0: any number.",
        ),
    ]
    rate_address: Annotated[
        int,
        Setting(
            "FAIRLOG_RATE_ADDRESS",
            "0",
            integer_between(0, 10**6),
            "Requests of one address in a minute. 0: any number.",
        ),
    ]
    openings: Annotated[
        int,
        Setting(
            "FAIRLOG_OPENINGS",
            "0",
            integer_between(0, 10**6),
            "Sessions that one address opens in an hour. 0: any number.",
        ),
    ]
    streams_each: Annotated[
        int,
        Setting(
            "FAIRLOG_STREAMS_EACH",
            "0",
            integer_between(0, 4096),
            "Live streams of a token in a process. 0: any number.",
        ),
    ]
    retention: Annotated[
        int,
        Setting(
            "FAIRLOG_RETENTION",
            "0",
            integer_between(0, 36_500),
            "Days after its close that a session is deleted. 0: never.",
        ),
    ]
    stop_seconds: Annotated[
        int,
        Setting(
            "FAIRLOG_STOP_SECONDS",
            "10",
            integer_between(1, 3600),
            "What open requests and running jobs get at the end.",
        ),
    ]
    token_days: Annotated[
        int,
        Setting(
            "FAIRLOG_TOKEN_DAYS",
            "0",
            integer_between(0, 36_500),
            "Days that a seat's token is good for. 0: for ever.",
        ),
    ]


SQLITE = "sqlite"
DATABASE = matching(r"sqlite|postgres(ql)?://\S+", "unset or 'sqlite', or a postgresql:// address")
REDIS = matching(
    r"((rediss?|unix)://\S+)?",
    "unset (a server of our own) or a redis://, rediss:// or unix:// address",
)
HOST = matching(r"[^\s/]+", "a host name or an address of this machine")
ORIGIN = matching(
    r"[a-z0-9]([a-z0-9.-]{0,198}[a-z0-9])?",
    "a host name in lower case, without scheme, port or path",
)
LEVEL = matching(r"debug|info|warning|error", "debug, info, warning or error")
SYNCHRONOUS = matching(r"FULL|NORMAL", "FULL or NORMAL")


@dataclass(frozen=True)
class Settings(Guards):
    """Everything that a deployment may choose. Made by `read`; `dataclasses.replace` changes one."""

    data: Annotated[
        Path,
        Setting(
            "FAIRLOG_DATA",
            "./fairlog-data",
            folder,
            "The directory of the log, the views and the keys.",
        ),
    ]
    database: Annotated[
        str,
        Setting(
            "DATABASE_URL",
            "sqlite",
            DATABASE,
            "Where events are: SQLite files in FAIRLOG_DATA, or PostgreSQL.",
        ),
    ] = field(repr=False)  # an address may hold a password
    redis_url: Annotated[
        str,
        Setting(
            "REDIS_URL",
            "",
            REDIS,
            "The queue's server. Unset: `fairlog serve` runs one of its own.",
        ),
    ] = field(repr=False)
    host: Annotated[str, Setting("FAIRLOG_HOST", "127.0.0.1", HOST, "The address to listen on.")]
    port: Annotated[
        int,
        Setting(
            "FAIRLOG_PORT",
            "8321",
            integer_between(0, 65535),
            "The port to listen on. 0: any free one.",
        ),
    ]
    origin: Annotated[
        str,
        Setting(
            "FAIRLOG_ORIGIN",
            "fairlog.local",
            ORIGIN,
            "The host part of every log's origin, for ever.",
        ),
    ]
    url: Annotated[
        str,
        Setting(
            "FAIRLOG_URL",
            "",
            web_address,
            "The address people reach it at. Unset: from host and port.",
        ),
    ]
    synchronous: Annotated[
        str,
        Setting(
            "FAIRLOG_SYNCHRONOUS",
            "FULL",
            SYNCHRONOUS,
            "FULL: no event is lost when the power goes. NORMAL: faster.",
        ),
    ]
    snapshot_every: Annotated[
        int,
        Setting(
            "FAIRLOG_SNAPSHOT_EVERY",
            "100",
            integer_between(1, 1_000_000),
            "Events between two snapshots of a session.",
        ),
    ]
    chain_length: Annotated[
        int,
        Setting(
            "FAIRLOG_CHAIN_LENGTH",
            "4096",
            integer_between(66, 1_000_000),
            "Draws that one chain of the house lasts for.",
        ),
    ]
    max_body: Annotated[
        int,
        Setting(
            "FAIRLOG_MAX_BODY",
            "65536",
            integer_between(1024, 1 << 30),
            "The largest body of a request, in bytes.",
        ),
    ]
    page: Annotated[
        int,
        Setting(
            "FAIRLOG_PAGE",
            "200",
            integer_between(1, 10_000),
            "The largest page of a list, in entries.",
        ),
    ]
    web_processes: Annotated[
        int,
        Setting(
            "FAIRLOG_WEB_PROCESSES", "1", integer_between(1, 256), "Processes that answer requests."
        ),
    ]
    web_threads: Annotated[
        int,
        Setting(
            "FAIRLOG_WEB_THREADS",
            "32",
            integer_between(1, 4096),
            "Threads in each, one for each request that is no stream.",
        ),
    ]
    streams: Annotated[
        int,
        Setting(
            "FAIRLOG_STREAMS",
            "128",
            integer_between(1, 4096),
            "Live streams in each; one more is answered 503.",
        ),
    ]
    stream_seconds: Annotated[
        float,
        Setting(
            "FAIRLOG_STREAM_SECONDS",
            "300",
            seconds_between(0.05, 86_400),
            "A stream's longest life; its client resumes.",
        ),
    ]
    stream_heartbeat: Annotated[
        float,
        Setting(
            "FAIRLOG_STREAM_HEARTBEAT",
            "15",
            seconds_between(0.05, 3600),
            "Seconds of silence that a stream allows.",
        ),
    ]
    log: Annotated[
        str,
        Setting(
            "FAIRLOG_LOG", "warning", LEVEL, "What goes to the log: info has a line a request."
        ),
    ]
    job_timeout: Annotated[
        float,
        Setting(
            "FAIRLOG_JOB_TIMEOUT",
            "120",
            seconds_between(1, 86_400),
            "Seconds that a job of the workers may take.",
        ),
    ]
    audit_timeout: Annotated[
        float,
        Setting(
            "FAIRLOG_AUDIT_TIMEOUT",
            "900",
            seconds_between(1, 86_400),
            "Seconds that the check of a whole log may take.",
        ),
    ]
    sweep: Annotated[
        float,
        Setting(
            "FAIRLOG_SWEEP",
            "2.0",
            seconds_between(0.05, 86_400),
            "Seconds between two searches for sessions whose statistics are behind.",
        ),
    ]
    follow_interval: Annotated[
        float,
        Setting(
            "FAIRLOG_FOLLOW_INTERVAL",
            "0.5",
            seconds_between(0.01, 60),
            "The follower's longest sleep, in seconds.",
        ),
    ]

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> Settings:
        """The settings of an environment; empty is unset. Raises InvalidSettingError."""
        return cls(
            **{attribute: _read(setting, environ) for attribute, setting in SETTINGS.items()}
        )

    def environ(self) -> dict[str, str]:
        """What a child's environment must hold for `read` to give these settings again."""
        return {
            setting.name: str(getattr(self, attribute)) for attribute, setting in SETTINGS.items()
        }

    @property
    def local_url(self) -> str:
        """How this machine reaches the server."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def public_url(self) -> str:
        """How everybody else does."""
        return self.url or self.local_url

    @property
    def threads(self) -> int:
        """In a web process: a stream keeps one for as long as it lives."""
        return self.web_threads + self.streams

    @property
    def connections(self) -> int:
        """That a web process keeps open: most of them have nothing to do at the moment."""
        return self.threads + 1000

    @property
    def is_on_postgres(self) -> bool:
        """Log and views are at DATABASE_URL; keys and queue are in the data directory all the same."""
        return self.database != SQLITE

    @property
    def views_place(self) -> Path | str:
        """The file or the address of the views."""
        return self.database if self.is_on_postgres else self.views_file

    @property
    def log_file(self) -> Path:
        return self.data / "events.db"

    @property
    def views_file(self) -> Path:
        return self.data / "views.db"

    @property
    def keys(self) -> Path:
        return self.data / "keys"

    @property
    def queue_folder(self) -> Path:
        """Where our own queue server keeps its jobs."""
        return self.data / "queue"

    @property
    def queue_address_file(self) -> Path:
        """Where `fairlog worker` and the web find our own queue server."""
        return self.data / "queue.address"

    @property
    def metrics_folder(self) -> Path:
        """Where the web processes of `fairlog serve` keep what they count, until its next start."""
        return self.data / "metrics"

    @property
    def lock_file(self) -> Path:
        return self.data / "serve.lock"


def _read(
    setting: Setting, environ: Mapping[str, str]
) -> Any:  # the type that stands beside its parser
    text = environ.get(setting.name, "").strip() or _of_file(setting, environ) or setting.default
    try:
        return setting.parse(text)
    except ValueError as allowed:
        raise InvalidSettingError(
            setting.name, "***" if setting.secret else text, str(allowed)
        ) from None


def _of_file(setting: Setting, environ: Mapping[str, str]) -> str:
    """What stands in the file that NAME_FILE names, as deployments hand over secrets. Raises InvalidSettingError."""
    name = f"{setting.name}_FILE"
    file = environ.get(name, "").strip()
    try:
        return Path(file).read_text().strip() if file else ""
    except (OSError, ValueError):
        raise InvalidSettingError(name, file, "a text file that this process may read") from None


_HINTS = get_type_hints(Settings, include_extras=True)

SETTINGS: dict[str, Setting] = {
    each.name: _HINTS[each.name].__metadata__[0] for each in fields(Settings)
}
"""Attribute -> variable: what docs/operating.md must name."""
