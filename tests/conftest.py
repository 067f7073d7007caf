"""Fixtures of all tests: a database per worker, the real static files, and a browser of 360 x 740 pixels whose console errors fail
the test."""

from __future__ import annotations

import fcntl
import gc
import json
import os
import shutil
from collections.abc import Callable, Generator, Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.template import Context, Template
from django.test import TransactionTestCase, override_settings
from django.utils import translation
from django.utils.safestring import SafeString
from playwright.sync_api import BrowserContext, ConsoleMessage, expect
from pytest_django.live_server_helper import LiveServer
from pytest_django.plugin import DjangoDbBlocker
from pytest_playwright import CreateContextCallback
from whitenoise import WhiteNoise
from xdist.scheduler import LoadScopeScheduling

from tests import chromium
from tests.effort import examples
from tests.installation import empty_of_run, on_postgresql

if TYPE_CHECKING:
    from django.test import Client

    from scoring.models import Club
    from tests.factories import Cast

# An archive names the program that wrote it. Those in `fixtures` name none, so that they equal an export of any commit.
settings.PROGRAM = ""
# Processes that the tests start print English, whatever the language of the machine.
os.environ["LANGUAGE"] = "en"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Add the markers `browser`, `engines` and `postgres`, and sort the browser tests to the end.

    They come last because Playwright, once started, keeps an event loop running in its process, and Django refuses its database
    beside a running loop.
    """
    asked: set[str] = set()
    for item in items:
        if {"page", "new_context", "browser"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("browser")
        elif "engines" in Path(item.path).parts:
            item.add_marker("engines")
        elif is_of_a_database(item) and not is_like_another(item, asked):
            item.add_marker("postgres")
    items.sort(key=lambda item: (_needs_browser(item), item.path.name not in _LONGEST))


def _needs_browser(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) for name in ("browser", "engines"))


# Files with the longest browser tests come first among these: a long test that starts last would run beside an idle core.
_LONGEST = {
    "test_controls.py", "test_evening.py", "test_under_the_thumb.py", "test_news.py", "test_pages.py", "test_kasse_year.py",
    "test_keyboard.py", "test_phones.py", "test_taps.py", "test_wire.py", "test_written_sheet.py",
}  # fmt: skip
_LAYERS = {"models", "laws", "posting", "actions", "queries"}
# Tests with several connections whose result does not depend on the database: slow clients, password hashes, and figures that
# Python calculates again. `make soak` runs them on PostgreSQL as well.
_OF_NO_DATABASE = {"test_drips.py", "test_logins.py", "test_recomputed.py"}


def is_of_a_database(item: pytest.Item) -> bool:
    """Return whether the test also runs on PostgreSQL: tests of the layers with queries and writes, and tests with several
    connections. Other tests that need it have the marker `postgres`."""
    path, asked = Path(item.path), item.get_closest_marker("django_db")
    several = "transactional_db" in getattr(item, "fixturenames", ()) or (asked and asked.kwargs.get("transaction"))
    if path.name in _OF_NO_DATABASE:
        return False
    return bool(several) or bool(_LAYERS & {*path.parts, path.stem.removeprefix("test_")})


def is_like_another(item: pytest.Item, asked: set[str]) -> bool:
    """Return whether an earlier case of the same test was already marked for PostgreSQL.

    The first case shows that PostgreSQL accepts the statements; the others mostly differ in Python. Every case of the tests of
    models and triggers runs there.
    """
    test, _, case = item.nodeid.partition("[")
    places = {*Path(item.path).parts, Path(item.path).stem}
    if not case or {"models", "test_models", "test_laws"} & places or item.get_closest_marker("soak"):
        return False
    asked_before = test in asked
    asked.add(test)
    return asked_before


class ByFile(LoadScopeScheduling):
    """Give all tests of a file to one worker, so that their fixtures (a club, a server, thirty thousand games) are made once.
    Browser tests are given out one by one, so that all workers end at about the same time."""

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        return nodeid if "chromium" in test.partition("[")[2] or "/engines/" in file else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile:
    return ByFile(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Freeze all objects that exist after the collection: the garbage collector took a sixth of a run to visit them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Allow the database beside a running event loop, for browser tests only."""
    with pytest.MonkeyPatch.context() as patch:
        if _needs_browser(item):
            patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what `make test` could not run right above the closing line."""
    if notes := os.environ.get("TEST_NOTES"):
        terminalreporter.section("not everything is well", red=True, bold=True)
        terminalreporter.write_line(notes, red=True, bold=True)


_IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ


def _of_run(temporary: pytest.TempPathFactory) -> Path:
    """Return the folder that all workers of a run share."""
    own = temporary.getbasetemp()
    return own.parent if _IS_WORKER else own


def _made_once(shared: Path, name: str, make: Callable[[Path], None]) -> Path:
    """Return the path `shared / name`. The first worker makes it, under a lock; the others wait for it."""
    made = shared / name
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            make(half := shared / f"{name}.half")
            half.rename(made)
    return made


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Keep the database on SQLite: its file exists before Django looks for it."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Path:
    """A file with all tables and no rows, to be copied: the SQLite database, or the name of a database on PostgreSQL."""
    make = _migrate if connection.vendor == "sqlite" else _migrate_on_server
    with django_db_blocker.unblock():
        return _made_once(_of_run(tmp_path_factory), "empty.sqlite3", make)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> None:
    """Give each worker of each run a database of its own, copied from the empty one.

    On SQLite it is a file and not in memory, because the threads of the live server need locks that wait.
    """
    test = connection.settings_dict["TEST"]
    if connection.vendor == "sqlite":
        test["NAME"] = str(shutil.copy(empty_database, tmp_path_factory.mktemp("database") / "test.sqlite3"))
    else:
        test["NAME"] = f"test_clubledger_{os.getpid()}"
        test["TEMPLATE"] = empty_database.read_text()


def _migrate(database: Path | str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(connection.settings_dict, "NAME", str(database))
        call_command("migrate", verbosity=0)
        connection.close()


def _migrate_on_server(path: Path) -> None:
    name = empty_of_run(os.getppid() if _IS_WORKER else os.getpid())
    on_postgresql(f'CREATE DATABASE "{name}"')
    _migrate(name)
    path.write_text(name)


def pytest_unconfigure() -> None:
    """Drop the empty database on PostgreSQL, in the process that started the workers."""
    if connection.vendor != "sqlite" and not _IS_WORKER:
        on_postgresql(f'DROP DATABASE IF EXISTS "{empty_of_run(os.getpid())}" WITH (FORCE)')


@pytest.fixture(scope="session", autouse=True)
def _site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Settings of the whole run: static files as the real server has them (hashed, compressed, with their manifest), a VAR_DIR
    per worker, and a fast password hasher."""
    # The runs of `make test` on both databases share one folder of static files.
    place = os.environ.get("TEST_STATIC") or _of_run(tmp_path_factory)
    static, var = _made_once(Path(place), "static", _collect), tmp_path_factory.mktemp("var")
    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with override_settings(STATIC_ROOT=static, VAR=var, PASSWORD_HASHERS=hashers):
        yield


def _collect(static: Path) -> None:
    from clubledger import serve

    with override_settings(STATIC_ROOT=static):
        serve.collect()


@pytest.fixture(scope="session", autouse=True)
def _static_files_found_once(_site: None) -> Iterator[None]:
    """Look for the two hundred static files once: each new test client has a WhiteNoise middleware, which looks for them again."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    update = WhiteNoise.update_files_dictionary

    def update_once(site: WhiteNoise, root: str, prefix: str) -> None:
        if (root, prefix) not in found:
            update(site, root, prefix)
            found[root, prefix] = dict(site.files)
        site.files.update(found[root, prefix])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoise, "update_files_dictionary", update_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def _uploads_read_once() -> Iterator[None]:
    """Parse each uploaded file once per worker and give every test a copy of the result.

    The product parses it in a process of its own, whose start takes longer than most tests. A failure is not stored. Imported
    here, as for `cast`.
    """
    from scoring.archive.reading import archive
    from scoring.imports.reading import uploads

    run_reader, results = archive.run_reader, {}

    def answer(reader: str, data: bytes, *words: str, seconds: int) -> Any:
        call = (reader, sha256(data).digest(), *words, seconds)
        if call not in results:
            results[call] = json.dumps(run_reader(reader, data, *words, seconds=seconds))
        return json.loads(results[call])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive, "run_reader", answer)
        patch.setattr(uploads, "run_reader", answer)
        yield


@pytest.fixture(scope="session", autouse=True)
def _only_pages_send_signals(django_test_environment: None) -> Iterator[None]:
    """Send Django's signal `template_rendered` for whole pages only.

    The test client copies the context at each signal. Tests read it only for the page; for its hundreds of included templates
    and form fields the copies took a tenth of the time.
    """
    render_with_signal = Template._render

    def render(template: Template, context: Context) -> SafeString:
        is_a_part = context.template is not template or (template.name or "").startswith("django/forms/")
        return template.nodelist.render(context) if is_a_part else render_with_signal(template, context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", render)
        yield


@pytest.fixture(scope="session", autouse=True)
def _tables_emptied_by_delete() -> Iterator[None]:
    """Delete the rows of tests with several connections instead of flushing all tables. Imported here, as for `cast`."""
    from tests import database

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda case: database.empty())
        yield


@pytest.fixture(scope="session")
def live_server(_site: None) -> Iterator[LiveServer]:
    """The site on a free port. Static files come from WhiteNoise as in the real server, not from Django's finders."""
    server = LiveServer("localhost", start=False)
    server.thread.static_handler = lambda application: application
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The headless chromium of this machine."""
    return {**browser_type_launch_args, **chromium.with_wide_letters()}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """A phone in Germany, held in one hand."""
    return {
        **browser_context_args,
        "viewport": {"width": 360, "height": 740},
        "locale": "de-DE",
        "timezone_id": "Europe/Berlin",
        "has_touch": True,
        # A service worker would answer where tests cut the network themselves; tests/stories/test_offline.py allows it.
        "service_workers": "block",
    }


expect.set_options(timeout=chromium.PATIENCE)

# No deadline and no check of speed: a busy machine is slow.
hypothesis.settings.register_profile(
    "ours",
    deadline=None,
    max_examples=examples(100),
    # In CI the same examples each time; elsewhere new ones in each run.
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("ours")

# Errors on the console that our scripts handle: refusals and a lost network.
_HANDLED_ERRORS = (
    "status of 409",
    "status of 422",
    "net::ERR_INTERNET_DISCONNECTED",
    "net::ERR_CONNECTION_",
    # Connections that were cut before or within an answer.
    "net::ERR_EMPTY_RESPONSE",
    "net::ERR_INCOMPLETE_CHUNKED_ENCODING",
    "net::ERR_CONTENT_LENGTH_MISMATCH",
)


@pytest.fixture(autouse=True)
def _german() -> Iterator[None]:
    """Begin each test in German: a page of the test before may have activated another language."""
    with translation.override(settings.LANGUAGE_CODE):
        yield


@pytest.fixture
def page_complaints() -> list[str]:
    """Errors on the console, such as a violated Content-Security-Policy, and uncaught exceptions of the pages of this test. A test
    that expects one removes it."""
    return []


@pytest.fixture
def new_context(new_context: CreateContextCallback, page_complaints: list[str]) -> Iterator[CreateContextCallback]:
    """A function that opens another phone beside that of `page`. Errors on its pages fail the test at its end."""

    def note_console_error(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(handled in message.text for handled in _HANDLED_ERRORS):
            page_complaints.append(f"console: {message.text} ({message.location['url']})")

    def open_context(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.set_default_timeout(chromium.PATIENCE)
        context.on("console", note_console_error)
        context.on("weberror", lambda error: page_complaints.append(f"exception: {error.error}"))
        return context

    yield open_context
    assert not page_complaints, "The browser complained:\n" + "\n".join(page_complaints)


@pytest.fixture
def cast(db: None) -> Cast:
    """Two clubs and a person in each role. Imported here, because the tests of the rules import nothing of Django's models."""
    from tests.database import made_once
    from tests.factories import make_cast

    return made_once(make_cast)


@pytest.fixture
def club(db: None) -> Club:
    """A club without people."""
    from tests.factories import make_club

    return make_club()


@pytest.fixture
def scorer(cast: Cast) -> Client:
    """The browser of the scorer of the cast."""
    from tests.client import visit

    return visit(cast.scorer)
