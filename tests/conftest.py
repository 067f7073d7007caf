"""Decides what every test finds: a database of its own, the site with its real static files, and a browser at 360 x 740
that fails the test when the page complains."""

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
    from tests.factories import Cast

# Archives are the same whatever commit is tested: those in `fixtures` name no program.
settings.PROGRAM = ""
# What is started from here speaks English, wherever the tests run.
os.environ["LANGUAGE"] = "en"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that asks for a browser, so that a run without one can leave them out by name, and put them last:
    once started, Playwright keeps an event loop running in its process, which must not reach any other test. And mark what is
    asked of PostgreSQL as well."""
    asked: set[str] = set()
    for item in items:
        if {"page", "new_context", "browser"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("browser")
        elif "engines" in Path(item.path).parts:
            item.add_marker("engines")
        elif is_of_a_database(item) and not is_like_another(item, asked):
            item.add_marker("postgres")
    items.sort(key=lambda item: (_is_looked_at(item), item.path.name not in _LONGEST))


def _is_looked_at(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) for name in ("browser", "engines"))


# The longest of the browser begin first among those: whoever began one last would end alone, beside an idle core.
_LONGEST = {"test_controls.py", "test_evening.py", "test_under_the_thumb.py", "test_news.py", "test_pages.py"}
_LAYERS = {"models", "laws", "posting", "actions", "queries"}
# Several connections, to a server that drips or hashes: of its database they want no more than everybody. And figures that are
# reckoned again in Python; PostgreSQL is asked them in `make soak`.
_OF_NO_DATABASE = {"test_drips.py", "test_logins.py", "test_recomputed.py"}


def is_of_a_database(item: pytest.Item) -> bool:
    """What a database decides: the tests of each layer that stores and asks, and each test of several connections. What else is
    its to decide says so itself, with the marker `postgres`."""
    path, asked = Path(item.path), item.get_closest_marker("django_db")
    several = "transactional_db" in getattr(item, "fixturenames", ()) or (asked and asked.kwargs.get("transaction"))
    if path.name in _OF_NO_DATABASE:
        return False
    return bool(several) or bool(_LAYERS & {*path.parts, path.stem.removeprefix("test_")})


def is_like_another(item: pytest.Item, asked: set[str]) -> bool:
    """Of the cases of one test the first shows whether PostgreSQL understands what is stored and asked; the others tell what
    Python makes of it. What stands in the tables and laws themselves, every case asks."""
    test, _, case = item.nodeid.partition("[")
    places = {*Path(item.path).parts, Path(item.path).stem}
    if not case or {"models", "test_models", "test_laws"} & places or item.get_closest_marker("soak"):
        return False
    asked_before = test in asked
    asked.add(test)
    return asked_before


class ByFile(LoadScopeScheduling):
    """The tests of a file stay with one worker, so that what they begin with (a world, a server, thirty thousand games) is made
    once; files of many tests come first, and tests of the browser one by one at the end, so that nobody is alone then."""

    def _split_scope(self, nodeid: str) -> str:
        file, _, test = nodeid.partition("::")
        return nodeid if "chromium" in test.partition("[")[2] or "/engines/" in file else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile:
    return ByFile(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """All that is loaded for the tests stays: to look through it for garbage again and again takes a sixth of a run."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Beside a running event loop Django refuses its database: allowed for tests of browsers alone."""
    with pytest.MonkeyPatch.context() as patch:
        if _is_looked_at(item):
            patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What `make test` could not run stands right above the closing line, where nobody overlooks it."""
    if notes := os.environ.get("TEST_NOTES"):
        terminalreporter.section("not everything is well", red=True, bold=True)
        terminalreporter.write_line(notes, red=True, bold=True)


_IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ


def _of_run(temporary: pytest.TempPathFactory) -> Path:
    """Where all workers of a run find what one of them has made."""
    own = temporary.getbasetemp()
    return own.parent if _IS_WORKER else own


def _made_once(shared: Path, name: str, make: Callable[[Path], None]) -> Path:
    """What takes seconds to make is shared by all that find it in this folder: the first makes it, the others wait for it."""
    made = shared / name
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            make(half := shared / f"{name}.half")
            half.rename(made)
    return made


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """On SQLite the file is there before Django asks for it."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Path:
    """All tables and nobody in them, to be copied: a file of SQLite, or one that says the name of a database of PostgreSQL."""
    make = _migrate if connection.vendor == "sqlite" else _migrate_on_server
    with django_db_blocker.unblock():
        return _made_once(_of_run(tmp_path_factory), "empty.sqlite3", make)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> None:
    """A test database that nobody else uses: two runs side by side, or two workers, never meet.

    A copy of one with all tables; on SQLite a file and not memory, because the threads of the live server need locks that
    wait, as in the real one.
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
    """Whoever started the workers takes away what they copied."""
    if connection.vendor != "sqlite" and not _IS_WORKER:
        on_postgresql(f'DROP DATABASE IF EXISTS "{empty_of_run(os.getpid())}" WITH (FORCE)')


@pytest.fixture(scope="session", autouse=True)
def _site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Settings of the whole run: static files as the real server has them (hashed, compressed, with their manifest), and
    what else an installation keeps, in folders of their own; passwords hashed fast, as nobody here guesses them."""
    # The runs of `make test` on either database have one folder for it.
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
def _looked_for_once(_site: None) -> Iterator[None]:
    """Each new client has a middleware of its own, which looks for the same two hundred static files again."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    look = WhiteNoise.update_files_dictionary

    def looked(site: WhiteNoise, root: str, prefix: str) -> None:
        if (root, prefix) not in found:
            look(site, root, prefix)
            found[root, prefix] = dict(site.files)
        site.files.update(found[root, prefix])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoise, "update_files_dictionary", looked)
        yield


@pytest.fixture(scope="session", autouse=True)
def _read_once() -> Iterator[None]:
    """An uploaded file is read by a program of its own, whose start takes longer than the rest of the test. So each file is read
    once for all tests, and every test gets a copy of that answer. A file that the program gave up is tried again each time.
    Imported here, as for `cast`."""
    from scoring.archive.reading import archive
    from scoring.imports.reading import uploads

    run_reader, kept = archive.run_reader, {}

    def answer(reader: str, data: bytes, *words: str, seconds: int) -> Any:
        asked = (reader, sha256(data).digest(), *words, seconds)
        if asked not in kept:
            kept[asked] = json.dumps(run_reader(reader, data, *words, seconds=seconds))
        return json.loads(kept[asked])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive, "run_reader", answer)
        patch.setattr(uploads, "run_reader", answer)
        yield


@pytest.fixture(scope="session", autouse=True)
def _pages_are_told(django_test_environment: None) -> Iterator[None]:
    """Django tells the client of a test of each template that is rendered, with a copy of all that it was given: for the page,
    of which tests ask what was given, and not for its hundreds of parts and fields, which take a tenth of its time."""
    tell = Template._render

    def render(template: Template, context: Context) -> SafeString:
        is_a_part = context.template is not template or (template.name or "").startswith("django/forms/")
        return template.nodelist.render(context) if is_a_part else tell(template, context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", render)
        yield


@pytest.fixture(scope="session", autouse=True)
def _emptied() -> Iterator[None]:
    """What tests with more than one connection stored is taken away row by row. Imported here, as for `cast`."""
    from tests import database

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda case: database.empty())
        yield


@pytest.fixture(scope="session")
def live_server(_site: None) -> Iterator[LiveServer]:
    """The site on a free port, answering through its whole middleware: static files come from WhiteNoise as in the real
    server, not from the finders."""
    server = LiveServer("localhost", start=False)
    server.thread.static_handler = lambda application: application
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Headless chromium, wherever this machine has it."""
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
        # A worker would answer behind the backs of tests that take the net away themselves (tests/stories/test_offline.py has one).
        "service_workers": "block",
    }


expect.set_options(timeout=chromium.PATIENCE)

# Chance is repeatable, and how long a busy machine takes to draw an example says nothing about it.
hypothesis.settings.register_profile(
    "ours",
    deadline=None,
    max_examples=examples(100),
    # A clean clone is judged by the same examples each time; whoever works on the code looks at new ones in every run.
    derandomize=os.environ.get("CI") == "true",
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("ours")

# The browser also notes on its console what a script of ours has asked for and understands: a refusal, and no net.
_ANSWERS = (
    "status of 409",
    "status of 422",
    "net::ERR_INTERNET_DISCONNECTED",
    "net::ERR_CONNECTION_",
    # Cut off before the first byte of an answer, or in the middle of it.
    "net::ERR_EMPTY_RESPONSE",
    "net::ERR_INCOMPLETE_CHUNKED_ENCODING",
    "net::ERR_CONTENT_LENGTH_MISMATCH",
)


@pytest.fixture(autouse=True)
def _german() -> Iterator[None]:
    """Every test begins in the language of the site, whatever the last page of the one before was asked for in."""
    with translation.override(settings.LANGUAGE_CODE):
        yield


@pytest.fixture
def page_complaints() -> list[str]:
    """What the pages of this test complained about: errors on the console (broken Content-Security-Policy among them)
    and uncaught exceptions. A test that expects one takes it out again."""
    return []


@pytest.fixture
def new_context(new_context: CreateContextCallback, page_complaints: list[str]) -> Iterator[CreateContextCallback]:
    """Another phone (`page` has one already): whatever its pages complain about fails the test at its end."""

    def console(said: ConsoleMessage) -> None:
        if said.type == "error" and not any(answer in said.text for answer in _ANSWERS):
            page_complaints.append(f"console: {said.text} ({said.location['url']})")

    def listening(**options: Any) -> BrowserContext:
        context = new_context(**options)
        context.set_default_timeout(chromium.PATIENCE)
        context.on("console", console)
        context.on("weberror", lambda error: page_complaints.append(f"exception: {error.error}"))
        return context

    yield listening
    assert not page_complaints, "The browser complained:\n" + "\n".join(page_complaints)


@pytest.fixture
def cast(db: None) -> Cast:
    """Two clubs and everybody a page can meet. Imported here: the tests of the rules load no more than the rules."""
    from tests.database import made_once
    from tests.factories import make_cast

    return made_once(make_cast)
