"""The settings of a deployment: environment variables, defaults, allowed values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_type_hints


class InvalidSettingError(Exception):
    """An environment variable has an invalid value."""

    def __init__(self, name: str, value: str, allowed: str) -> None:
        printable = re.sub(r"//[^@/]*@", "//***@", value)  # an address may contain a password
        super().__init__(f"{name} is {printable!r}, but must be {allowed}")
        self.name = name
        self.allowed = allowed


class Setting(NamedTuple):
    """An environment variable that configures the server.

    `default` is a string, as it would be in the environment. `parse` converts the string, or raises
    ValueError with a description of the allowed values. If `secret` is True, the value is never
    printed.
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


def yes_or_no(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError("yes or no")
    return text == "yes"


def to_text(value: object) -> str:
    """Return the value of a setting as its environment variable gives it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def matching(pattern: str, allowed: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(allowed)
        return text

    return parse


def folder(text: str) -> Path:
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError:
        raise ValueError("a path in which `~` is followed by `/` or a user's name") from None


def web_address(text: str) -> str:
    return matching(r"(https?://[^\s/?#]+(/[^\s?#]*)?)?", "unset, or an http:// or https:// URL")(
        text
    ).rstrip("/")


KEY = matching(r"([!-~]{16,200})?", "unset, or 16 to 200 visible ASCII characters without spaces")


SQLITE = "sqlite"
DATABASE = matching(r"sqlite|postgres(ql)?://\S+", "unset, 'sqlite' or a postgresql:// URL")
REDIS = matching(
    r"((rediss?|unix)://\S+)?",
    "unset (`fairlog serve` then starts a queue server), or a redis://, rediss:// or unix:// URL",
)
HOST = matching(r"[^\s/]+", "a host name or an IP address of this machine")
ORIGIN = matching(
    r"[a-z0-9]([a-z0-9.-]{0,198}[a-z0-9])?",
    "a host name in lower case, without a scheme, port or path",
)
LEVEL = matching(r"debug|info|warning|error", "debug, info, warning or error")
SYNCHRONOUS = matching(r"FULL|NORMAL", "FULL or NORMAL")


@dataclass(frozen=True)
class Settings:
    """All settings of a deployment. Use `read` to get them from the environment."""

    data: Annotated[
        Path,
        Setting(
            "FAIRLOG_DATA",
            "./fairlog-data",
            folder,
            "The directory for the log, the read models and the keys.",
        ),
    ]
    database: Annotated[
        str,
        Setting(
            "DATABASE_URL",
            "sqlite",
            DATABASE,
            "The database: `sqlite` (files in FAIRLOG_DATA) or a PostgreSQL URL.",
        ),
    ] = field(repr=False)  # an address may contain a password
    redis_url: Annotated[
        str,
        Setting(
            "REDIS_URL",
            "",
            REDIS,
            "The URL of the queue server. If unset, `fairlog serve` starts one.",
        ),
    ] = field(repr=False)
    host: Annotated[
        str, Setting("FAIRLOG_HOST", "127.0.0.1", HOST, "The address that the server listens on.")
    ]
    port: Annotated[
        int,
        Setting(
            "FAIRLOG_PORT",
            "8321",
            integer_between(0, 65535),
            "The port that the server listens on, or 0 for any free port.",
        ),
    ]
    origin: Annotated[
        str,
        Setting(
            "FAIRLOG_ORIGIN",
            "fairlog.local",
            ORIGIN,
            "The host name in the origin of every log. Never change it after the first start.",
        ),
    ]
    url: Annotated[
        str,
        Setting(
            "FAIRLOG_URL",
            "",
            web_address,
            "The server's public URL. Its host name is the only one, besides `localhost` and "
            "FAIRLOG_HOST, that the server accepts in requests. If unset, the URL is derived from "
            "the host and port.",
        ),
    ]
    synchronous: Annotated[
        str,
        Setting(
            "FAIRLOG_SYNCHRONOUS",
            "FULL",
            SYNCHRONOUS,
            "With FULL, a power failure loses no events. NORMAL is faster but may lose some.",
        ),
    ]
    snapshot_every: Annotated[
        int,
        Setting(
            "FAIRLOG_SNAPSHOT_EVERY",
            "100",
            integer_between(1, 1_000_000),
            "The number of events between two snapshots of a session.",
        ),
    ]
    chain_length: Annotated[
        int,
        Setting(
            "FAIRLOG_CHAIN_LENGTH",
            "4096",
            integer_between(256, 1_000_000),
            "The number of links in each of the server's hash chains. Each draw uses one link.",
        ),
    ]
    max_body: Annotated[
        int,
        Setting(
            "FAIRLOG_MAX_BODY",
            "65536",
            integer_between(1024, 1 << 30),
            "The maximum size of a request body, in bytes.",
        ),
    ]
    page: Annotated[
        int,
        Setting(
            "FAIRLOG_PAGE",
            "200",
            integer_between(1, 10_000),
            "The maximum number of entries on one page of a list.",
        ),
    ]
    web_processes: Annotated[
        int,
        Setting(
            "FAIRLOG_WEB_PROCESSES",
            "1",
            integer_between(1, 256),
            "The number of web server processes.",
        ),
    ]
    web_threads: Annotated[
        int,
        Setting(
            "FAIRLOG_WEB_THREADS",
            "32",
            integer_between(1, 4096),
            "The number of threads in each web process for requests other than streams.",
        ),
    ]
    streams: Annotated[
        int,
        Setting(
            "FAIRLOG_STREAMS",
            "128",
            integer_between(1, 4096),
            "The maximum number of live streams per web process. Further streams get a 503.",
        ),
    ]
    stream_seconds: Annotated[
        float,
        Setting(
            "FAIRLOG_STREAM_SECONDS",
            "300",
            seconds_between(0.05, 86_400),
            "The number of seconds after which a stream is closed. The client then reconnects.",
        ),
    ]
    stream_heartbeat: Annotated[
        float,
        Setting(
            "FAIRLOG_STREAM_HEARTBEAT",
            "15",
            seconds_between(0.05, 3600),
            "The number of seconds between heartbeats on an idle stream.",
        ),
    ]
    log: Annotated[
        str,
        Setting(
            "FAIRLOG_LOG",
            "warning",
            LEVEL,
            "The minimum level of logged messages. `info` logs every request.",
        ),
    ]
    job_timeout: Annotated[
        float,
        Setting(
            "FAIRLOG_JOB_TIMEOUT",
            "120",
            seconds_between(1, 86_400),
            "The time limit of a background job, in seconds.",
        ),
    ]
    audit_timeout: Annotated[
        float,
        Setting(
            "FAIRLOG_AUDIT_TIMEOUT",
            "900",
            seconds_between(1, 86_400),
            "The time limit of an audit, in seconds.",
        ),
    ]
    sweep: Annotated[
        float,
        Setting(
            "FAIRLOG_SWEEP",
            "2.0",
            seconds_between(0.05, 86_400),
            "The number of seconds between searches for outdated statistics and audits.",
        ),
    ]
    follow_interval: Annotated[
        float,
        Setting(
            "FAIRLOG_FOLLOW_INTERVAL",
            "0.5",
            seconds_between(0.01, 60),
            "The maximum number of seconds between the follower's checks for new events.",
        ),
    ]
    retention: Annotated[
        int,
        Setting(
            "FAIRLOG_RETENTION",
            "0",
            integer_between(0, 36_500),
            "The number of days after which a closed session is deleted, or 0 for never.",
        ),
    ]
    token_days: Annotated[
        int,
        Setting(
            "FAIRLOG_TOKEN_DAYS",
            "0",
            integer_between(0, 36_500),
            "The number of days after which a seat's token or a personal token expires, or 0 for"
            " never.",
        ),
    ]
    stop_seconds: Annotated[
        int,
        Setting(
            "FAIRLOG_STOP_SECONDS",
            "10",
            integer_between(1, 3600),
            "The number of seconds that requests and jobs have to finish on shutdown.",
        ),
    ]
    metrics_key: Annotated[
        str,
        Setting(
            "FAIRLOG_METRICS_KEY",
            "",
            KEY,
            "The bearer token that `/metrics` requires. If unset, no token is required.",
            True,
        ),
    ] = field(repr=False)
    opening_key: Annotated[
        str,
        Setting(
            "FAIRLOG_OPENING_KEY",
            "",
            KEY,
            "The key that is required to open a session or create a campaign. If unset, no key is"
            " required.",
            True,
        ),
    ] = field(repr=False)
    proxies: Annotated[
        int,
        Setting(
            "FAIRLOG_PROXIES",
            "0",
            integer_between(0, 16),
            "The number of trusted proxies in front of the server.",
        ),
    ]
    rate_token: Annotated[
        int,
        Setting(
            "FAIRLOG_RATE_TOKEN",
            "0",
            integer_between(0, 10**6),
            "The maximum number of requests per minute with one seat's tokens or one personal"
            " token, or 0 for no limit.",
        ),
    ]
    rate_address: Annotated[
        int,
        Setting(
            "FAIRLOG_RATE_ADDRESS",
            "0",
            integer_between(0, 10**6),
            "The maximum number of requests per minute from one address, or 0 for no limit.",
        ),
    ]
    rate_jobs: Annotated[
        int,
        Setting(
            "FAIRLOG_RATE_JOBS",
            "60",
            integer_between(0, 10**6),
            "The maximum number of jobs (audits, and statistics for ranges of versions) requested "
            "per minute from one address, or 0 for no limit.",
        ),
    ]
    webhooks_private: Annotated[
        bool,
        Setting(
            "FAIRLOG_WEBHOOKS_PRIVATE",
            "no",
            yes_or_no,
            "Whether webhooks may be sent to addresses in a private network or on this machine. "
            "Anyone who can open a session could then send requests to services that trust this "
            "machine.",
        ),
    ]
    openings: Annotated[
        int,
        Setting(
            "FAIRLOG_OPENINGS",
            "0",
            integer_between(0, 10**6),
            "The maximum number of sessions opened per hour from one address, or 0 for no limit.",
        ),
    ]
    streams_each: Annotated[
        int,
        Setting(
            "FAIRLOG_STREAMS_EACH",
            "0",
            integer_between(0, 4096),
            "The maximum number of live streams per seat and per address in each web process, or 0 "
            "for no limit.",
        ),
    ]

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> Settings:
        """Read the settings from environment variables.

        An empty variable counts as unset. Raises InvalidSettingError.
        """
        return cls(
            **{attribute: _read(setting, environ) for attribute, setting in SETTINGS.items()}
        )

    def environ(self) -> dict[str, str]:
        """Return the environment variables that give a child process the same settings."""
        return {
            setting.name: to_text(getattr(self, attribute))
            for attribute, setting in SETTINGS.items()
        }

    @property
    def local_url(self) -> str:
        """The server's URL on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 compared, not bound
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def public_url(self) -> str:
        """The server's URL for clients on other machines."""
        return self.url or self.local_url

    @property
    def threads(self) -> int:
        """The number of threads in each web process. Every open stream occupies one."""
        return self.web_threads + self.streams

    @property
    def connections(self) -> int:
        """The maximum number of open connections per web process. Most of them are idle."""
        return self.threads + 1000

    @property
    def is_on_postgres(self) -> bool:
        """Whether the log and the read models are in the database at DATABASE_URL.

        The keys are always in the data directory.
        """
        return self.database != SQLITE

    @property
    def views_place(self) -> Path | str:
        """The location of the read models: a SQLite file or a PostgreSQL URL."""
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
        """The folder in which the embedded queue server stores jobs."""
        return self.data / "queue"

    @property
    def queue_address_file(self) -> Path:
        """The file that contains the address of the embedded queue server.

        Workers and web processes read it.
        """
        return self.data / "queue.address"

    @property
    def metrics_folder(self) -> Path:
        """The folder in which the web processes store metrics.

        The folder is emptied when the server starts.
        """
        return self.data / "metrics"

    @property
    def lock_file(self) -> Path:
        return self.data / "serve.lock"


def _read(
    setting: Setting, environ: Mapping[str, str]
) -> Any:  # the annotation next to each parser has the type
    text = environ.get(setting.name, "").strip() or _read_file(setting, environ) or setting.default
    try:
        return setting.parse(text)
    except ValueError as allowed:
        raise InvalidSettingError(
            setting.name, "***" if setting.secret else text, str(allowed)
        ) from None


def _read_file(setting: Setting, environ: Mapping[str, str]) -> str:
    """Return the content of the file that the variable `<setting.name>_FILE` names.

    Return "" if that variable is unset. Deployments use such files to pass secrets. Raises
    InvalidSettingError if the file cannot be read.
    """
    name = f"{setting.name}_FILE"
    file = environ.get(name, "").strip()
    try:
        return Path(file).read_text().strip() if file else ""
    except (OSError, ValueError):
        raise InvalidSettingError(
            name, file, "the path of a text file that this process can read"
        ) from None


_HINTS = get_type_hints(Settings, include_extras=True)

SETTINGS: dict[str, Setting] = {
    each.name: _HINTS[each.name].__metadata__[0] for each in fields(Settings)
}
"""The environment variable for each attribute of `Settings`. docs/operating.md lists them all."""
