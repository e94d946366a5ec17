"""Every setting has a default, a meaning and bounds; what is out of bounds is named."""

from dataclasses import fields
from pathlib import Path

import pytest

from service.platform.settings import SETTINGS, InvalidSettingError, Settings

REFUSED = [
    # variable                    found                                   allowed
    (
        "DATABASE_URL",
        "mysql://fair:log@db/fairlog",
        "unset, 'sqlite' or a postgresql:// URL",
    ),
    ("DATABASE_URL", "fairlog.db", "unset, 'sqlite' or a postgresql:// URL"),
    ("REDIS_URL", "localhost:6379", "redis://, rediss:// or unix://"),
    ("FAIRLOG_HOST", "http://x/", "a host name or an IP address"),
    ("FAIRLOG_PORT", "65536", "a whole number from 0 to 65535"),
    ("FAIRLOG_PORT", "-1", "a whole number"),
    ("FAIRLOG_PORT", "8_321", "a whole number"),
    ("FAIRLOG_PORT", "²", "a whole number"),
    ("FAIRLOG_ORIGIN", "https://fairlog.example", "a host name in lower case"),
    ("FAIRLOG_ORIGIN", "two words", "a host name in lower case"),
    ("FAIRLOG_URL", "fairlog.example", "http:// or https://"),
    ("FAIRLOG_SYNCHRONOUS", "OFF", "FULL or NORMAL"),
    ("FAIRLOG_SNAPSHOT_EVERY", "0", "a whole number from 1"),
    ("FAIRLOG_CHAIN_LENGTH", "many", "a whole number from 256"),
    ("FAIRLOG_MAX_BODY", "64k", "a whole number from 1024"),
    ("FAIRLOG_PAGE", "0", "a whole number from 1"),
    ("FAIRLOG_WEB_PROCESSES", "0", "a whole number from 1"),
    ("FAIRLOG_WEB_THREADS", "1.5", "a whole number from 1"),
    ("FAIRLOG_STREAMS", "0", "a whole number from 1"),
    ("FAIRLOG_STREAM_SECONDS", "0", "a number of seconds from 0.05"),
    ("FAIRLOG_STREAM_HEARTBEAT", "never", "a number of seconds from 0.05"),
    ("FAIRLOG_SWEEP", "0", "a number of seconds from 0.05"),
    ("FAIRLOG_SWEEP", "nan", "a number of seconds"),
    ("FAIRLOG_FOLLOW_INTERVAL", "1e3", "a number of seconds"),
]


def test_an_empty_environment_gives_the_defaults() -> None:
    settings = Settings.read({})
    assert settings.data == Path("fairlog-data").absolute()
    assert (settings.database, settings.redis_url, settings.synchronous) == ("sqlite", "", "FULL")
    assert (settings.snapshot_every, settings.chain_length, settings.max_body, settings.page) == (
        100,
        4096,
        65536,
        200,
    )
    assert (settings.web_processes, settings.web_threads, settings.origin) == (
        1,
        32,
        "fairlog.local",
    )
    assert (settings.streams, settings.stream_seconds, settings.stream_heartbeat) == (128, 300, 15)
    assert settings.threads >= settings.streams + 32
    assert (settings.sweep, settings.follow_interval) == (2.0, 0.5)
    assert settings.public_url == "http://127.0.0.1:8321"


def test_every_field_is_described() -> None:
    assert list(SETTINGS) == [field.name for field in fields(Settings)]
    for setting in SETTINGS.values():
        assert setting.meaning.endswith(".")
    assert len({setting.name for setting in SETTINGS.values()}) == len(SETTINGS)


def test_a_field_has_the_type_that_stands_beside_its_parser() -> None:
    wanted = {"Path": Path, "str": str, "int": int, "float": float, "bool": bool}
    for field in fields(Settings):
        kind = str(field.type).removeprefix("Annotated[").split(",")[0].strip()
        assert isinstance(getattr(Settings.read({}), field.name), wanted[kind])


@pytest.mark.parametrize(
    "environ", [{}, {"FAIRLOG_DATA": "~/log", "FAIRLOG_PORT": "0", "REDIS_URL": "redis://a:1/2"}]
)
def test_a_child_reads_the_same_settings(environ: dict[str, str]) -> None:
    settings = Settings.read(environ)
    assert Settings.read(settings.environ()) == settings


def test_empty_is_unset() -> None:
    assert Settings.read({setting.name: "" for setting in SETTINGS.values()}) == Settings.read({})


@pytest.mark.parametrize(("variable", "found", "allowed"), REFUSED)
def test_a_bad_value_is_named(variable: str, found: str, allowed: str) -> None:
    with pytest.raises(InvalidSettingError, match=variable) as caught:
        Settings.read({variable: found})
    assert allowed in str(caught.value)
    assert found in str(caught.value) or "@" in found


def test_a_password_is_not_shown() -> None:
    with pytest.raises(InvalidSettingError) as caught:
        Settings.read({"DATABASE_URL": "mysql://ana:hunter2@db/fairlog"})
    assert "hunter2" not in str(caught.value)
    addresses = {
        "DATABASE_URL": "postgresql://ana:hunter2@db/log",
        "REDIS_URL": "redis://ana:hunter2@queue/0",
    }
    assert "hunter2" not in repr(Settings.read(addresses)), "as a traceback would show them"


@pytest.mark.parametrize(
    ("host", "given", "local", "public"),
    [
        ("127.0.0.1", "", "http://127.0.0.1:8321", "http://127.0.0.1:8321"),
        ("0.0.0.0", "https://log.example/", "http://127.0.0.1:8321", "https://log.example"),
        ("::", "", "http://[::1]:8321", "http://[::1]:8321"),
    ],
)
def test_addresses(host: str, given: str, local: str, public: str) -> None:
    settings = Settings.read({"FAIRLOG_HOST": host, "FAIRLOG_URL": given})
    assert (settings.local_url, settings.public_url) == (local, public)


def test_views_are_where_the_log_is(tmp_path: Path) -> None:
    settings = Settings.read({"FAIRLOG_DATA": str(tmp_path)})
    assert (settings.is_on_postgres, settings.views_place) == (False, tmp_path / "views.db")
    url = "postgresql://fair@/log?host=/run"
    settings = Settings.read({"FAIRLOG_DATA": str(tmp_path), "DATABASE_URL": url})
    assert (settings.is_on_postgres, settings.views_place) == (True, url)


def test_all_files_are_in_the_data_directory(tmp_path: Path) -> None:
    settings = Settings.read({"FAIRLOG_DATA": str(tmp_path)})
    files = (
        settings.log_file,
        settings.views_file,
        settings.keys,
        settings.queue_address_file,
        settings.lock_file,
    )
    assert [file.relative_to(tmp_path).as_posix() for file in (*files, settings.queue_folder)] == [
        "events.db",
        "views.db",
        "keys",
        "queue.address",
        "serve.lock",
        "queue",
    ]


def test_a_value_may_stand_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("a-key-for-the-scraper\n")
    environ = {"FAIRLOG_METRICS_KEY_FILE": str(file)}
    assert Settings.read(environ).metrics_key == "a-key-for-the-scraper"
    assert Settings.read(
        {**environ, "FAIRLOG_METRICS_KEY": "the-variable-goes-first"}
    ).metrics_key.startswith("the-")
    with pytest.raises(InvalidSettingError, match="FAIRLOG_METRICS_KEY_FILE"):
        Settings.read({"FAIRLOG_METRICS_KEY_FILE": str(tmp_path / "none")})


def test_a_secret_is_not_shown() -> None:
    with pytest.raises(InvalidSettingError, match="FAIRLOG_METRICS_KEY") as caught:
        Settings.read({"FAIRLOG_METRICS_KEY": "too short"})
    assert "too short" not in str(caught.value)
