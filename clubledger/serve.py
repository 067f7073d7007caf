"""Decides how the site is started: database and static files brought up to date, the demo club where there is nothing
yet, then the server in one process or several (WORKERS), and on the terminal where to find it and how to found a club.

`make run` calls it with nothing to prepare; a service manager may as well. HOST and PORT say where to listen.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import logging
import os
import shutil
import signal
import socket
import sys
from contextlib import suppress
from io import StringIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, NoReturn
from urllib.parse import quote

import django
import segno
import uvicorn
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import DatabaseError, OperationalError

from clubledger import tidying
from clubledger.checks import refuse_unsafe
from clubledger.disk import Disk, disk_trouble
from clubledger.server.connection import BACKLOG, IDLE, Connection
from clubledger.server.front import LARGEST_HEAD, Front
from clubledger.server.occupied import hold
from clubledger.server.port import DEFAULT_HOST, refuse_taken
from clubledger.server.workers import keep
from clubledger.version import newer_than_program, program
from clubledger.web.addresses import is_loopback, network_addresses

# So many bytes hold all static files, and what else a start writes.
ROOM: Final = 16 * 1024 * 1024


class Server(uvicorn.Server):
    """uvicorn, which also stops as soon as `over` can be read."""

    def __init__(self, config: uvicorn.Config, *, over: int | None) -> None:
        super().__init__(config)
        self.over = over

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.over is not None:
            asyncio.get_running_loop().add_reader(self.over, self._stop, self.over)

    def _stop(self, over: int) -> None:
        asyncio.get_running_loop().remove_reader(over)
        self.should_exit = True


def refuse_read_only() -> None:
    """Raise OSError where VAR_DIR cannot be written to. A full one lets people read."""
    try:
        TemporaryFile(dir=settings.VAR).close()
    except OSError as error:
        if disk_trouble(error) is not Disk.FULL:
            raise


def connect() -> None:
    """Open the database. If the disk is full, SQLite cannot make the file of 32 kB by which processes share its write-ahead log:
    then it keeps that in memory, and no other process opens the database while this one works with it."""
    try:
        connection.ensure_connection()
    except OperationalError as error:
        if connection.vendor != "sqlite" or not disk_trouble(error):
            raise
        connection.settings_dict["OPTIONS"]["database"] = f"file:{quote(connection.settings_dict['NAME'])}?vfs=unix-excl"
    gc.collect()  # the connection that failed holds the database open, in its own way
    connection.ensure_connection()


def migrate() -> None:
    """Bring the tables up to date; silent when they are. An update that was killed may have left its last step: what guards the
    books."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()) or run_checks(tags=["books"]):
        print("Preparing the database ...", flush=True)
        call_command("migrate", interactive=False, verbosity=0)


def invent_a_club() -> None:
    """The demo club, where nobody has a login yet."""
    if not get_user_model().objects.exists():
        print("Inventing a demo club ...", flush=True)
        call_command("demo", if_empty=True, verbosity=0)


def demo_logins(path: Path) -> list[dict[str, str]]:
    """What the demo command wrote down for this installation: login, password and role of each, or nothing."""
    if not path.exists():
        return []
    logins: list[dict[str, str]] = json.loads(path.read_text())
    return logins


def prepare() -> str:
    """Remove what was interrupted, invent the demo club, and return the link to found one; none of it on a full disk."""
    try:
        call_command("clear_away")
        if settings.DEMO:
            invent_a_club()
        return founding_link()
    except (OSError, DatabaseError) as error:
        if disk_trouble(error) is not Disk.FULL:
            raise
        print("The disk is full: everything can be read, and nothing is saved until there is room.", flush=True)
        return ""


def collect() -> None:
    """Bring the static files up to date. They stay as they are where some of them might not find room any more."""
    if shutil.disk_usage(settings.VAR).free < ROOM and (settings.STATIC_ROOT / "staticfiles.json").exists():
        print("VAR_DIR has no room for new static files: those of the last start are served.", flush=True)
    else:
        call_command("collectstatic", interactive=False, verbosity=0)


def founding_link() -> str:
    """The address at which somebody can found a club here, once, without its host. Empty where a real club exists already.
    Empty too where the output goes to the system's journal, which keeps it and which other people read."""
    out = os.fstat(sys.stdout.fileno())
    if os.environ.get("JOURNAL_STREAM") == f"{out.st_dev}:{out.st_ino}":
        return ""
    said = StringIO()
    call_command("founding_link", site="", if_none=True, stdout=said)
    return said.getvalue().strip()


def bind_address(host: str, port: int) -> str:
    """Host and port as browsers write them."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def welcome(host: str, port: int, logins: list[dict[str, str]], founding: str) -> str:
    """What the terminal shows once the site answers: addresses with a QR code for the phone, demo logins, and how to found a
    club. Where nobody can log in yet, the one code leads to founding."""
    everywhere = host in {DEFAULT_HOST, "::"}
    here = f"http://{bind_address('localhost' if everywhere else host, port)}"
    lines = ["", f"  Club Ledger is up:       {here}/"]
    near = network_addresses() if everywhere else [host]
    phones = [f"http://{bind_address(address, port)}" for address in near if not is_loopback(address)][:1]
    for phone in phones:
        lines.append(f"  On a phone in this WLAN: {phone}/")
        if logins or not founding:
            lines += ["", *_code(f"{phone}/")]
    if logins:
        width = max(len(login["login"]) for login in logins)
        lines += ["", "  Demo logins, made for this installation:"]
        lines += [f"    {login['login']:<{width}}  {login['password']}  ({login['role']})" for login in logins]
    if founding:
        lines += ["", "  Eigenen Club gründen, a club of your own (good once, for a week, until the next start):"]
        lines += [f"    {place}{founding}" for place in dict.fromkeys([here, *phones])]
        lines += [line for phone in phones for line in ("", *_code(phone + founding))]
    else:
        lines += ["", "  Another club: manage.py founding_link makes a link to found it."]
    return "\n".join([*lines, "", "  Ctrl-C stops it.", ""])


def _code(address: str) -> list[str]:
    """A QR code in half blocks, two rows of modules to one of text, dark on light whatever the terminal's colours."""
    rows = [
        [bool(module) for module in row] for row in segno.make(address, micro=False, error="l").matrix_iter(border=2)
    ]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    blocks = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
    text = ["".join(blocks[pair] for pair in zip(*two, strict=True)) for two in zip(rows[::2], rows[1::2], strict=True)]
    return [f"  \033[97;40m{line}\033[0m" if sys.stdout.isatty() else f"  {line}" for line in text]


def main() -> None:
    """Start the site and stay until it is stopped; ends with one sentence where it cannot."""
    print(f"Club Ledger {program()}", flush=True)
    host, port = refuse_taken()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
    try:
        django.setup()
        refuse_unsafe()
        if settings.DEBUG and not is_loopback(host):
            raise ImproperlyConfigured("With DEBUG on, only this machine may reach the site: set HOST=127.0.0.1")
        run_checks()
        hold(settings.VAR, alone=False)  # as long as this process lives
        refuse_read_only()
        connect()
        if newer := newer_than_program():
            sys.exit(f"The database is newer than this program ({newer[-1]}): update the program, or restore a backup.")
        migrate()
        founding = prepare()
        collect()
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except BlockingIOError:
        sys.exit("A backup is being restored here: start again when that is done.")
    except (OSError, DatabaseError) as error:
        if disk := disk_trouble(error):
            reason = getattr(error, "strerror", error)
            sys.exit(f"The disk is {disk.value} (see VAR_DIR and DATABASE_URL), and the start has to write there: {reason}")
        if not isinstance(error, OperationalError):
            raise
        sys.exit(f"The database does not answer (see DATABASE_URL): {error}")
    connections.close_all()

    from clubledger.wsgi import application

    door = opened_door(host, port)
    print(welcome(host, port, demo_logins(settings.VAR / "demo_logins.json"), founding), flush=True)

    def work(number: int, over: int | None) -> NoReturn:
        if number == 0:
            tidying.begin()
        front = Front(application, proxies=settings.TRUSTED_PROXIES)
        front.held.listen()
        serve(front, door, over)

    set_aside_what_stays()
    if settings.WORKERS == 1:
        work(0, None)
    keep(settings.WORKERS, work)


def opened_door(host: str, port: int) -> socket.socket:
    """From now on whoever knocks is answered, or waits until somebody is there to answer."""
    door = uvicorn.Config(__name__, host=host, port=port, log_config=None).bind_socket()
    door.listen(BACKLOG)
    return door


def set_aside_what_stays() -> None:
    """Python looks again and again for circles of objects that nobody needs. What is there before the first request, all addresses
    and pages among it, is needed as long as the process lives: going through it as well would stop everybody for a tenth of a
    second, every minute of an evening."""
    gc.collect()
    gc.freeze()


def give_memory_back() -> None:
    """What a large request needed is the system's again when it is over: glibc would keep it for the next one, in each thread.
    Where there is no glibc, that is as its own library has it."""
    trim_threshold, mmap_threshold, large = -1, -3, 256 * 1024
    with suppress(OSError, AttributeError):
        for what in (trim_threshold, mmap_threshold):
            ctypes.CDLL(None).mallopt(what, large)


def keep_open() -> BaseDatabaseWrapper | None:
    """Return a connection to SQLite that stays open: the files beside the database stay as well, which cannot be made again once
    the disk is full or read-only. None for PostgreSQL, and where there was no room for them at the start."""
    if connection.vendor != "sqlite" or "database" in connection.settings_dict["OPTIONS"]:
        return None
    kept = connections.create_connection("default")
    kept.ensure_connection()
    return kept


def serve(application: Front, door: socket.socket, over: int | None = None) -> NoReturn:
    """Answer until SIGINT or SIGTERM, or until `over` can be read: then what has begun is finished, within ten seconds."""
    config = uvicorn.Config(
        application,
        http=Connection,
        loop="asyncio",
        ws="none",
        lifespan="off",
        interface="asgi3",
        backlog=BACKLOG,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=10,
        # Who is at the other end is for our own code to decide (addresses.py), and nobody needs to know what we are.
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
    )
    # Seconds after which a thread that computes lets another one have its turn. A request changes threads several times between
    # its connection and its page, and whoever saves a game waits for a dozen answers of the database: each time for everybody
    # who computes meanwhile. Python's own 5 ms would make seconds of it beside long files.
    sys.setswitchinterval(0.0005)
    give_memory_back()
    # When it has stopped, uvicorn sends itself the signal once more.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    kept = keep_open()
    Server(config, over=over).run(sockets=[door])
    if kept:
        kept.close()
    # Python would wait for a thread that has not finished in time, for however long. Nothing it does has been acknowledged.
    logging.shutdown()
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
