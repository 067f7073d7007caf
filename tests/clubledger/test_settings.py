"""The settings are safe without being told anything, and every override does what it says."""

from __future__ import annotations

import os
import runpy
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import RequestFactory
from django.views import debug

from clubledger import SAFE_WAL, checks
from clubledger.checks import open_places, unsafe_settings
from clubledger.private import keep_private, read_or_create_key
from clubledger.web.addresses import client_address, own_hosts
from tests.server import environment, free_port

OURS = ("SECRET_KEY", "DATABASE_URL", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "HTTPS", "TRUSTED_PROXIES", "DEBUG")
GOOD_KEY = "".join(chr(33 + n) for n in range(64) if chr(33 + n) != "$")


def manage(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py with nothing of our own in the environment but what the test says."""
    clean = {name: value for name, value in os.environ.items() if name not in OURS}
    return subprocess.run(
        [sys.executable, settings.BASE_DIR / "manage.py", *words],
        env={**clean, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def read_settings(**environment: str) -> dict[str, Any]:
    """The settings as a process with nothing of our own but this in its environment reads them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in OURS:
            patch.delenv(name, raising=False)
        for name, value in environment.items():
            patch.setenv(name, value)
        found = runpy.run_path(str(settings.BASE_DIR / "clubledger" / "settings.py"))
    return {name: value for name, value in found.items() if name.isupper()}


def setting(*names: str, **environment: str) -> list[object]:
    found = read_settings(**environment)
    return [found.get(name) for name in names]


def unsafe(**environment: str) -> str:
    """What our checks find in this environment, each fault with its id; Django's own, which take most of `check`, are not asked."""
    found = read_settings(**environment)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks, "settings", SimpleNamespace(**found))
        database = found["DATABASES"]["default"]
        vendor = "sqlite" if database["ENGINE"].endswith("sqlite3") else "postgresql"
        patch.setattr(checks, "connection", SimpleNamespace(vendor=vendor, settings_dict=database))
        return "\n".join(map(str, [*unsafe_settings(), *open_places()]))


def test_mail_is_sent_where_somebody_says_by_which_server() -> None:
    names = ("CAN_MAIL", "EMAIL_HOST", "EMAIL_HOST_PASSWORD", "EMAIL_USE_TLS", "EMAIL_TIMEOUT", "DEFAULT_FROM_EMAIL")
    url = "smtp+tls://club%40example.org:p%40ss@mail.example.org:587"
    assert setting(*names, EMAIL_URL=url) == [True, "mail.example.org", "p@ss", True, 10, "club@example.org"]
    assert setting(*names, EMAIL_URL=url, EMAIL_FROM="doko@example.org")[-1] == "doko@example.org"
    assert setting("CAN_MAIL") == [False]


@pytest.mark.parametrize(
    ("said", "site"),
    [
        ({}, ""),
        ({"ALLOWED_HOSTS": "club.example"}, ""),
        ({"ALLOWED_HOSTS": "club.example", "HTTPS": "1"}, "https://club.example"),
        ({"ALLOWED_HOSTS": "localhost,club.example", "HTTPS": "1", "SITE_URL": ""}, "https://club.example"),
        ({"ALLOWED_HOSTS": "club.example,www.club.example", "HTTPS": "1"}, ""),
        ({"ALLOWED_HOSTS": ".club.example", "HTTPS": "1"}, ""),
        ({"ALLOWED_HOSTS": "a.example", "HTTPS": "1", "SITE_URL": "http://b.example:8000/"}, "http://b.example:8000"),
    ],
)
def test_links_in_mails_begin_with_what_is_set_or_with_the_only_name(said: dict[str, str], site: str) -> None:
    assert setting("SITE_URL", **said) == [site]


def test_without_being_told_anything() -> None:
    debug, hosts, key, databases = setting("DEBUG", "ALLOWED_HOSTS", "SECRET_KEY", "DATABASES")
    assert debug is False
    assert {"localhost", "127.0.0.1", "[::1]"} <= set(hosts)
    assert "*" not in hosts
    assert len(key) >= 64
    assert databases["default"]["ENGINE"] == "django.db.backends.sqlite3"
    assert databases["default"].get("ATOMIC_REQUESTS", False) is False


def test_the_key_stays_the_same() -> None:
    assert setting("SECRET_KEY") == setting("SECRET_KEY")


def test_overrides() -> None:
    key, hosts, databases = setting(
        "SECRET_KEY",
        "ALLOWED_HOSTS",
        "DATABASES",
        SECRET_KEY=GOOD_KEY,
        ALLOWED_HOSTS="club.example,www.club.example",
        DATABASE_URL="postgres://somebody:secret@db.example:5433/club",
    )
    assert key == GOOD_KEY
    assert hosts == ["localhost", "127.0.0.1", "[::1]", "club.example", "www.club.example"]
    assert databases["default"]["HOST"] == "db.example"
    assert databases["default"]["NAME"] == "club"


def test_a_page_about_an_error_shows_no_password_of_the_database(monkeypatch: pytest.MonkeyPatch) -> None:
    found = read_settings(DATABASE_URL="postgres://somebody:herzzehn@db.example/club", SECRET_KEY=GOOD_KEY)
    monkeypatch.setattr(debug, "settings", SimpleNamespace(**found, SESSION_COOKIE_NAME=settings.SESSION_COOKIE_NAME))
    shown = str(debug.SafeExceptionReporterFilter().get_safe_settings())
    assert "db.example" in shown
    assert "herzzehn" not in shown


def test_debug_leaves_the_machine_itself_only() -> None:
    assert setting("DEBUG", "ALLOWED_HOSTS", DEBUG="1") == [True, ["localhost", "127.0.0.1", "[::1]"]]


def test_https_guards_cookies_and_redirects() -> None:
    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS")
    assert setting(*names) == [False, False, False, 0]
    assert setting(*names, HTTPS="1") == [True, True, True, 31536000]


def test_a_proxy_is_believed_only_when_told() -> None:
    assert setting("SECURE_PROXY_SSL_HEADER") == [None]
    assert setting("SECURE_PROXY_SSL_HEADER", TRUSTED_PROXIES="1") == [("HTTP_X_FORWARDED_PROTO", "https")]


@pytest.mark.parametrize(
    ("environment", "word"),
    [
        ({"DEBUG": "1", "ALLOWED_HOSTS": "club.example"}, "E001"),
        ({"SECRET_KEY": "secret"}, "E002"),
        ({"SECRET_KEY": "django-insecure-" + GOOD_KEY}, "E002"),
        ({"ALLOWED_HOSTS": "*"}, "E003"),
        ({"HTTPS": "1"}, "E005"),
        ({"EMAIL_URL": "smtp+tls://mail.example:587"}, "E008"),
        ({"SITE_URL": "https://other.example:8443", "ALLOWED_HOSTS": "club.example"}, "E010"),
        ({"ERROR_MAIL": "olaf@example.org"}, "E011"),
        ({"FOUNDING": "open", "EMAIL_URL": "smtp+tls://a%40b.example:p@mail.example:587"}, "E012"),
        ({"WORKERS": "2"}, "E009"),
        ({"WORKERS": "0", "DATABASE_URL": "postgres:///club"}, "E009"),
    ],
)
def test_unsafe_settings_are_found(environment: dict[str, str], word: str) -> None:
    assert word in unsafe(**environment)


def test_unsafe_settings_are_refused() -> None:
    done = manage("check", DEBUG="1", ALLOWED_HOSTS="club.example")
    assert done.returncode == 1
    assert "E001" in done.stderr


WRONG: list[tuple[dict[str, str], str]] = [
    ({"WORKERS": "1.5"}, "WORKERS must be a whole number of 0 or more, not '1.5'."),
    ({"DATABASE_URL": "mysql://club:secret@localhost/club"}, "DATABASE_URL must begin with sqlite:/// or postgres://."),
    ({"SOURCE_URL": "code.example"}, "SOURCE_URL must begin with https://, not 'code.example'."),
    ({"FOUNDING": "closed"}, "FOUNDING must be link or open, not 'closed'."),
    ({"SITE_URL": "club.example"}, "SITE_URL must be like https://club.example, not 'club.example'."),
    ({"SITE_URL": "http://a.example/doko"}, "SITE_URL must be like https://club.example, not 'http://a.example/doko'."),
    ({"DATABASE_URL": "club"}, "DATABASE_URL must begin with sqlite:/// or postgres://."),
]


@pytest.mark.parametrize(("said", "sentence"), WRONG)
def test_what_cannot_be_set_is_said_in_one_sentence(said: dict[str, str], sentence: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        read_settings(**said)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("program", [["manage.py", "verify"], ["-m", "clubledger.serve"]])
def test_that_sentence_is_all_that_a_program_says(program: list[str], tmp_path: Path) -> None:
    said, sentence = WRONG[0]
    done = subprocess.run(
        [sys.executable, *program],
        env={**environment(tmp_path / "var", free_port()), **said},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, f"{sentence}\n")


def test_what_is_empty_is_not_set() -> None:
    nothing = {"WORKERS": "", "TRUSTED_PROXIES": "", "DATABASE_URL": ""}
    assert setting("WORKERS", "TRUSTED_PROXIES", **nothing) == [1, 0]


def test_a_server_that_only_knows_wsgi_refuses_as_well() -> None:
    done = manage("shell", "--command", "import clubledger.wsgi", ALLOWED_HOSTS="*", SECRET_KEY=GOOD_KEY)
    assert done.returncode != 0
    assert "ALLOWED_HOSTS accepts any name" in done.stderr


def test_a_key_that_others_can_read_is_refused(settings: object, tmp_path: Path) -> None:
    settings.VAR = tmp_path
    settings.SECRET_KEY = read_or_create_key(tmp_path / "secret_key")
    assert unsafe_settings() == []
    (tmp_path / "secret_key").chmod(0o640)
    assert [error.id for error in unsafe_settings()] == ["clubledger.E004"]


# --- What others on the machine can read ----------------------------------------------------------------------------


def test_the_folder_of_an_earlier_version_is_closed_and_nothing_in_it_is_written_for_others(tmp_path: Path) -> None:
    var = tmp_path / "var"
    var.mkdir()
    var.chmod(0o755)
    (var / "db.sqlite3").touch()
    (var / "db.sqlite3").chmod(0o644)
    before = os.umask(0o022)
    try:
        keep_private(var, own=False)
        assert mode(var) == 0o755, "a folder that somebody named may be /tmp"
        keep_private(var, own=True)
        (var / "later").touch()
    finally:
        os.umask(before)
    assert [mode(path) for path in (var, var / "db.sqlite3", var / "later")] == [0o700, 0o600, 0o600]


def test_a_link_is_not_followed_to_be_closed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere").chmod(0o755)
    (tmp_path / "var").symlink_to("elsewhere")
    before = os.umask(0o077)
    try:
        keep_private(tmp_path / "var", own=True)
    finally:
        os.umask(before)
    assert mode(tmp_path / "elsewhere") == 0o755


def test_a_folder_that_others_can_read_is_refused_with_what_helps(tmp_path: Path) -> None:
    var = tmp_path / "named"
    var.mkdir()
    var.chmod(0o750)
    done = manage("check", VAR_DIR=str(var))
    assert done.returncode == 1
    assert "E006" in done.stderr
    assert f"chmod 700 {var}" in done.stderr
    var.chmod(0o700)
    assert unsafe(VAR_DIR=str(var)) == ""
    # A database elsewhere is asked for by itself.
    tmp_path.chmod(0o755)
    database = tmp_path / "club.sqlite3"
    database.touch()
    database.chmod(0o640)
    said = unsafe(VAR_DIR=str(var), DATABASE_URL=f"sqlite:///{database}")
    assert "E007" in said
    assert f"chmod 600 {database}" in said
    for folder, file in ((0o700, 0o640), (0o755, 0o600)):
        tmp_path.chmod(folder)
        database.chmod(file)
        assert unsafe(VAR_DIR=str(var), DATABASE_URL=f"sqlite:///{database}") == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give something away")
def test_a_folder_that_belongs_to_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir(mode=0o700)
    os.chown(tmp_path / "theirs", 12345, 12345)
    assert "E006" in unsafe(VAR_DIR=str(tmp_path / "theirs"))


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_twenty_starts_at_once_agree_on_the_key(tmp_path: Path) -> None:
    place = tmp_path / "var" / "secret_key"
    with ThreadPoolExecutor(20) as pool:
        keys = set(pool.map(read_or_create_key, [place] * 20))
    assert len(keys) == 1
    assert place.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in place.parent.iterdir()] == ["secret_key"]


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="what SQLite is told")
def test_sqlite_keeps_what_it_answered() -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous")
        assert cursor.fetchone() == (2,), "2 is FULL"
        cursor.execute("PRAGMA journal_mode")
        assert cursor.fetchone() == ("wal" if sqlite3.sqlite_version_info >= SAFE_WAL else "delete",)
        cursor.execute("PRAGMA foreign_keys")
        assert cursor.fetchone() == (1,)
        cursor.execute("PRAGMA busy_timeout")
        assert cursor.fetchone() == (20_000,)
    assert connection.transaction_mode == "IMMEDIATE"


def test_own_hosts_are_names_and_bracketed_addresses() -> None:
    for host in own_hosts():
        assert host == host.lower()
        assert ":" not in host or (host.startswith("[") and host.endswith("]"))


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "9.9.9.9", "10.0.0.7"),
        (1, "9.9.9.9, 203.0.113.5", "203.0.113.5"),
        (1, "", "10.0.0.7"),
        (2, "9.9.9.9, 203.0.113.5, 10.0.0.2", "203.0.113.5"),
        (2, "203.0.113.5", "10.0.0.7"),
    ],
)
def test_what_a_client_writes_into_x_forwarded_for_is_not_believed(
    settings: object, proxies: int, forwarded: str, expected: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.7", headers={"x-forwarded-for": forwarded})
    assert client_address(request) == expected
