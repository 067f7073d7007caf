"""Start the site: migrate, collect static files, create the demo club, print the addresses, and run the server (HOST, PORT)."""

from __future__ import annotations

import gc
import json
import logging
import os
import shutil
import signal
import socket
import sys
from hashlib import sha256
from io import StringIO
from tempfile import TemporaryFile
from typing import Final, NoReturn
from urllib.parse import quote

import django
import segno
import uvicorn
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import DatabaseError, OperationalError
from django.utils.translation import override
from uvicorn.supervisors import Multiprocess

from clubledger import gettext as _
from clubledger import language
from clubledger.checks import refuse_newer, refuse_unsafe
from clubledger.disk import Disk, get_disk_trouble
from clubledger.private import hold
from clubledger.server.port import DEFAULT_HOST, refuse_taken
from clubledger.version import program
from clubledger.web.addresses import is_loopback, network_addresses

# Connections that may wait to be accepted, and seconds an idle one stays open: longer than the proxy of docs/server.md keeps it.
BACKLOG, IDLE = 256, 30
ROOM: Final = 16 * 1024 * 1024  # bytes that a start needs on the disk


def connect() -> None:
    """Open the database. On a full disk, SQLite cannot create the shared file of its write-ahead log: then lock the database
    exclusively, so that the index of the log is kept in memory."""
    try:
        connection.ensure_connection()
    except OperationalError as error:
        if connection.vendor != "sqlite" or not get_disk_trouble(error):
            raise
        connection.settings_dict["OPTIONS"]["database"] = f"file:{quote(connection.settings_dict['NAME'])}?vfs=unix-excl"
    gc.collect()  # closes the failed connection, which holds the database open without the exclusive lock
    connection.ensure_connection()


def migrate() -> None:
    """Migrate if migrations or triggers of the books are missing: a killed update has not created the triggers, which come last."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()) or run_checks(tags=["books"]):
        print(_("Die Datenbank wird vorbereitet …"), flush=True)
        call_command("migrate", interactive=False, verbosity=0)


def prepare() -> str:
    """Remove remains of interrupted work, create the demo club, and return what `founding_link` does; "" on a full disk."""
    try:
        with override(language()):
            call_command("clear_away")
        if settings.DEMO and not get_user_model().objects.exists():
            print(_("Ein Demo-Club wird erfunden …"), flush=True)
            call_command("demo", if_empty=True, verbosity=0)
        return founding_link()
    except (OSError, DatabaseError) as error:
        if get_disk_trouble(error) is not Disk.FULL:
            raise
        print(_("Die Festplatte ist voll: Alles lässt sich lesen, gespeichert wird erst wieder, wenn Platz ist."), flush=True)
        return ""


def collect() -> None:
    """Collect the static files if they differ from those of the last start; keep these if there is no room for new ones."""
    if shutil.disk_usage(settings.VAR).free < ROOM and (settings.STATIC_ROOT / "staticfiles.json").exists():
        print(_("VAR_DIR hat keinen Platz für neue Dateien der Seiten; es bleiben die vom letzten Start."), flush=True)
        return
    done, digest = settings.STATIC_ROOT / "collected", digest_of_static_files()
    if done.exists() and done.read_text() == digest:
        return
    done.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    done.write_text(digest)


def digest_of_static_files() -> str:
    digest = sha256()
    for finder in get_finders():
        for name, storage in finder.list(None):
            with storage.open(name) as file:
                digest.update(f"{getattr(storage, 'prefix', '')}/{name}".encode() + sha256(file.read()).digest())
    return digest.hexdigest()


def founding_link() -> str:
    """Return the path to found a club at, once; "" if there is a real club or the output goes to a journal that others read."""
    out = os.fstat(sys.stdout.fileno())
    if os.environ.get("JOURNAL_STREAM") == f"{out.st_dev}:{out.st_ino}":
        return ""
    output = StringIO()
    call_command("founding_link", site="", if_none=True, stdout=output)
    return output.getvalue().strip()


def bind_address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def welcome(host: str, port: int, logins: list[dict[str, str]], founding: str) -> str:
    """Return the text for the terminal: addresses with a QR code for the phone, demo logins, and how to found a club.
    `logins` have the keys login, password and role; `founding` is the path to found a club at, or ""."""
    everywhere = host in {DEFAULT_HOST, "::"}
    here = f"http://{bind_address('localhost' if everywhere else host, port)}"
    up, phone_here = _("Club Ledger läuft:"), _("Am Telefon im selben WLAN:")
    width = max(len(up), len(phone_here))
    lines = ["", f"  {up:<{width}} {here}/"]
    near = network_addresses() if everywhere else [host]
    phones = [f"http://{bind_address(address, port)}" for address in near if not is_loopback(address)][:1]
    for phone in phones:
        lines.append(f"  {phone_here:<{width}} {phone}/")
        if logins or not founding:
            lines += ["", *_code(f"{phone}/")]
    if logins:
        width = max(len(login["login"]) for login in logins)
        lines += ["", "  " + _("Zugänge des Demo-Clubs, nur für diese Installation:")]
        lines += [f"    {login['login']:<{width}}  {login['password']}  ({_(login['role'])})" for login in logins]
    if founding:
        lines += ["", "  " + _("Einen eigenen Club gründen (gilt einmal, eine Woche lang, bis zum nächsten Start):")]
        lines += [f"    {place}{founding}" for place in dict.fromkeys([here, *phones])]
        lines += [line for phone in phones for line in ("", *_code(phone + founding))]
    else:
        lines += ["", "  " + _("Noch ein Club: manage.py founding_link macht einen Link dafür.")]
    return "\n".join([*lines, "", "  " + _("Strg-C beendet es."), ""])


def _code(address: str) -> list[str]:
    """Return the lines of a QR code in half blocks, dark on light whatever the colours of the terminal."""
    rows = [[bool(module) for module in row] for row in segno.make(address, micro=False, error="l").matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    blocks = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
    text = ["".join(blocks[pair] for pair in zip(*two, strict=True)) for two in zip(rows[::2], rows[1::2], strict=True)]
    return [f"  \033[97;40m{line}\033[0m" if sys.stdout.isatty() else f"  {line}" for line in text]


def main() -> None:
    print(f"Club Ledger {program()}", flush=True)
    host, port = refuse_taken()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubledger.settings")
    try:
        django.setup()
        refuse_unsafe()
        if settings.DEBUG and not is_loopback(host):
            raise ImproperlyConfigured(_("Mit DEBUG darf nur dieser Rechner die Seite erreichen: HOST=127.0.0.1 setzen."))
        run_checks()
        hold(settings.VAR, alone=False)  # until this process ends
        try:
            TemporaryFile(dir=settings.VAR).close()
        except OSError as error:
            if get_disk_trouble(error) is not Disk.FULL:  # the site can still be read then
                raise
        connect()
        refuse_newer()
        migrate()
        founding = prepare()
        collect()
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except BlockingIOError:
        sys.exit(_("Hier wird gerade eine Sicherung zurückgespielt. Bitte danach noch einmal starten."))
    except (OSError, DatabaseError) as error:
        if disk := get_disk_trouble(error):
            sentence = (
                _("Die Festplatte ist voll (VAR_DIR, DATABASE_URL), und der Start muss dort schreiben: %s")
                if disk is Disk.FULL
                else _("Die Festplatte nimmt nichts an (VAR_DIR, DATABASE_URL), und der Start muss dort schreiben: %s")
            )
            sys.exit(sentence % getattr(error, "strerror", error))
        if not isinstance(error, OperationalError):
            raise
        sys.exit(_("Die Datenbank antwortet nicht (DATABASE_URL): %s") % error)
    connections.close_all()
    listener = bind_listener(host, port)
    demo_logins = settings.VAR / "demo_logins.json"
    logins = json.loads(demo_logins.read_text()) if settings.DEMO and demo_logins.exists() else []
    print(welcome(host, port, logins, founding), flush=True)
    serve("clubledger.asgi:create", listener, settings.WORKERS)


def bind_listener(host: str, port: int) -> socket.socket:
    listener = uvicorn.Config(__name__, host=host, port=port, log_config=None).bind_socket()
    # asyncio sets it only on its own sockets; without it a second request on a connection takes 40 ms longer.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.listen(BACKLOG)
    return listener


def serve(factory: str, listener: socket.socket, workers: int = 1) -> NoReturn:
    """Run the server in this number of processes until SIGINT or SIGTERM; then finish the running requests, within ten seconds."""
    from clubledger.server.bounds import MAX_HEAD_BYTES  # needs the settings

    config = uvicorn.Config(
        factory,
        factory=True,
        workers=workers,
        http="h11",
        loop="asyncio",
        ws="none",
        lifespan="off",
        interface="asgi3",
        backlog=BACKLOG,
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=10,
        timeout_worker_healthcheck=30,
        # web/addresses.py finds the client's address, and responses do not name the server software.
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
    )
    if workers > 1:
        # This process only supervises the others. It logs the death of one of them at level INFO.
        logging.getLogger("uvicorn.error").setLevel(logging.INFO)
        Multiprocess(config, sockets=[listener]).run()
    else:
        # After its shutdown, uvicorn sends the signal to its own process once more: ignore it.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        kept = connections.create_connection("default")
        if connection.vendor == "sqlite" and "database" not in connection.settings_dict["OPTIONS"]:
            kept.ensure_connection()  # it keeps the files -wal and -shm, which a full disk could not hold anew
        uvicorn.Server(config).run(sockets=[listener])
        kept.close()
    # Exit without joining threads: one may hang. Its request is not answered, so no client believes that it was saved.
    logging.shutdown()
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
