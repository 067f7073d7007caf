"""The recipe for a server (docs/server.md, docs/backup.md) is followed as far as a machine without systemd allows: its files are
written, its commands run, its service and its proxy started, under a root of their own and with other ports. Left out by name is
what installs packages or code, or makes a user."""

from __future__ import annotations

import http.client
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from configparser import RawConfigParser
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.conf import settings

from tests.server import PATIENCE, free_port, lay_static, lay_tables

SERVER = (settings.BASE_DIR / "docs" / "server.md").read_text()
BACKUP = (settings.BASE_DIR / "docs" / "backup.md").read_text()
LEFT_OUT = re.compile(r"apt |adduser |git |python3 -m venv|\S*pip |systemctl |cd /opt")
SECRET = "zwei Worte & ein $Dollar; dahinter 'nichts' mehr als fünfzig Zeichen".replace("'", "")
SITE = "club.example"
CADDY = shutil.which("caddy") or ""


def blocks(page: str, heading: str) -> list[tuple[str, str]]:
    """Each code block of a section of a page, without its indent, and the paragraph above it."""
    section = re.split(r"^##", page, flags=re.MULTILINE)
    text = next(part for part in section if part.lstrip("# ").startswith(heading + "\n"))
    found = re.findall(r"((?:^\S.*\n)+)\n((?:^(?:    .*)?\n)+)", text, flags=re.MULTILINE)
    return [(said, re.sub(r"^    ", "", code, flags=re.MULTILINE).strip() + "\n") for said, code in found]


@dataclass
class Machine:
    """A root folder that stands for `/`, and the ports that are free on the real machine."""

    root: Path
    port: int
    https: int
    http: int

    def here(self, text: str) -> str:
        """What the recipe says, for this machine."""
        runs_as = "runuser -u root -- " if os.geteuid() == 0 else ""
        for said, meant in (
            ("runuser -u clubledger -- ", runs_as),
            ("/opt/clubledger/.venv/bin/python", sys.executable),
            ("/opt/clubledger", str(settings.BASE_DIR)),
            ("/etc/", f"{self.root}/etc/"),
            ("/var/lib/", f"{self.root}/var/lib/"),
            ("PORT=8000", f"PORT={self.port}"),
            ("{$SERVER:127.0.0.1:8000}", f"127.0.0.1:{self.port}"),
        ):
            text = text.replace(said, meant)
        return text

    def sh(self, command: str) -> subprocess.CompletedProcess[str]:
        """A line of the recipe, typed by the administrator; how it ended is for the caller to look at."""
        path = f"{self.root}/usr/local/sbin:{os.environ['PATH']}"
        return subprocess.run(
            ["sh", "-c", self.here(command)],
            cwd=self.root,
            env={"PATH": path, "LANG": "C.UTF-8"},
            capture_output=True,
            text=True,
            check=False,
        )

    def follow(self, code: str) -> str:
        """Every line of a block but those left out; what they said."""
        said = ""
        for line in code.splitlines():
            if not LEFT_OUT.match(line):
                done = self.sh(line)
                assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
                said += done.stdout
        return said

    def unit(self, name: str) -> dict[str, str]:
        """The [Service] of a unit; a key that comes twice has its last value."""
        parser = RawConfigParser(strict=False)
        parser.optionxform = str
        parser.read(self.root / "etc/systemd/system" / name)
        return dict(parser["Service"])

    def start(self, name: str) -> subprocess.Popen[bytes]:
        """What systemd would start: the same words, environment, folder and mask."""
        unit = self.unit(name)
        lines = Path(unit["EnvironmentFile"]).read_text().splitlines()
        told = {name: value.strip("'") for name, _, value in (line.partition("=") for line in lines)}
        with (self.root / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                shlex.split(unit["ExecStart"]),
                cwd=unit["WorkingDirectory"],
                env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **told},
                umask=int(unit["UMask"], 8),
                stdout=log,
                stderr=log,
            )

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> tuple[HTTPResponse, str]:
        """One request to the proxy over HTTPS, with the certificate that it made for itself."""
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        line = http.client.HTTPConnection("127.0.0.1", self.https, timeout=PATIENCE)
        raw = socket.create_connection(("127.0.0.1", self.https), timeout=PATIENCE)
        line.sock = trusting.wrap_socket(raw, server_hostname=SITE)
        line.request(method, path, body, {"Host": SITE, "Referer": f"https://{SITE}/", **headers})
        answer = line.getresponse()
        text = answer.read().decode()
        line.close()
        return answer, text


@contextmanager
def ended(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Afterwards it is gone, as systemd would end it."""
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)


def until(true: object, said: str) -> None:
    """Wait for a moment that comes."""
    give_up = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < give_up, said
        time.sleep(0.2)


def test_the_files_of_the_recipe_lie_in_deploy() -> None:
    quoted = [code for _said, code in blocks(SERVER, "Setting it up")]
    assert all(file.read_text() in quoted for file in (settings.BASE_DIR / "deploy").iterdir())
    written = re.findall(r"`/(?:etc|usr)/(?:[\w.-]+/)*([\w.-]+)`", SERVER.partition("## Who runs")[0])
    assert {file.name for file in (settings.BASE_DIR / "deploy").iterdir()} == {*written}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """With the files of the recipe, and what its left out lines would have made."""
    made = Machine(tmp_path, free_port(), free_port(), free_port())
    (tmp_path / "var/lib/clubledger").mkdir(parents=True)
    (tmp_path / "etc").mkdir()
    (install,) = re.findall(r"`(install -m .*?)`", SERVER)
    assert made.sh(install).returncode == 0
    for said, code in blocks(SERVER, "Setting it up"):
        for path in re.findall(r" in\n?`(/(?:etc|usr)/[^`]+)`| in `(/(?:etc|usr)/[^`]+)`", said)[:1]:
            file = tmp_path / "".join(path)[1:]
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a") as written:
                written.write(made.here(code))
    with (tmp_path / "etc/clubledger.env").open("a") as env:
        env.write(f"SECRET_KEY='{SECRET}'\n")
    (tmp_path / "usr/local/sbin/clubledger").chmod(0o755)
    return made


def caddyfile(machine: Machine) -> Path:
    """The recipe's own, with other ports, a certificate that it makes itself, and no memory."""
    file = machine.root / "etc/caddy/Caddyfile"
    text = file.read_text()
    if not text.startswith("{"):
        text = "{\n}\n" + text
    text = text.replace("{\n", f"{{\n    admin off\n    skip_install_trust\n    http_port {machine.http}\n", 1)
    text = text.replace(f"\n{{$SITE:{SITE}}} {{", f"\nhttps://{SITE}:{machine.https} {{\n    tls internal")
    file.write_text(text)
    return file


def test_the_recipe_for_a_server(machine: Machine, empty_database: Path) -> None:
    if not CADDY:
        assert os.environ.get("CI") != "true", "caddy is missing, so nobody knows whether the recipe works"
        pytest.skip("NOT RUN: the recipe for a server. Install caddy (on Debian: apt install caddy).")
    root = machine.root
    assert stat.S_IMODE((root / "etc/clubledger.env").stat().st_mode) == 0o600
    for name in ("clubledger.service", "clubledger-backup.service", "clubledger-backup.timer"):
        verified(root / "etc/systemd/system" / name)

    (program, first) = (code for _, code in blocks(SERVER, "Setting it up") if "adduser" in code or "migrate" in code)
    lay_tables(root / "var/lib/clubledger", empty_database)
    lay_static(root / "var/lib/clubledger")
    machine.follow(program)
    assert stat.S_IMODE((root / "var/lib/clubledger").stat().st_mode) == 0o700
    password = machine.follow(first).rpartition(" ")[2].strip()

    # Nobody reads on a command line what the settings say: not on that of the script, nor of what it starts.
    # A process may be gone before its line is read: grep does not mind, and is told what it looks for where nobody reads it.
    look = "from subprocess import run; from django.conf import settings; key = settings.SECRET_KEY.encode(); print(key.decode()); "
    look += "print(run(['sh', '-c', 'grep -lasFf - /proc/[0-9]*/cmdline'], input=key, capture_output=True).stdout.split())"
    assert machine.sh(f'clubledger shell --verbosity 0 --command "{look}"').stdout.splitlines() == [SECRET, "[]"]

    with proxy(machine):
        with ended(machine.start("clubledger.service")):
            until(lambda: answers(machine), (root / "clubledger.service.log").read_text())
            everything_through_the_proxy(machine, password)
            refused = machine.sh("clubledger restore /etc/clubledger.env --overwrite")
            assert "Please stop it first: systemctl stop clubledger" in refused.stderr
        restarted(machine)

    (file,) = (root / "var/lib/clubledger/backups").glob("*.sqlite3")
    ((_, back),) = [block for block in blocks(BACKUP, "Restoring") if "restore" in block[1]]
    assert "Everything is right" in machine.follow(re.sub(r"clubledger-\d+T\d+Z\.sqlite3", file.name, back))
    ((_, update),) = blocks(SERVER, "Update")
    assert "Everything is right" in machine.follow(update)
    for path in (root / "var/lib/clubledger").glob("[!s]*"):  # what everybody is served (static) is no secret
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def test_the_page_of_the_proxy_where_the_service_stands(machine: Machine) -> None:
    if not CADDY:
        pytest.skip("NOT RUN: the page of the proxy. Install caddy (on Debian: apt install caddy).")
    file = machine.root / "etc/caddy/Caddyfile"
    file.write_text(file.read_text().replace("lb_try_duration 30s", "lb_try_duration 1s"))
    with proxy(machine):
        until(lambda: reaches(machine), (machine.root / "caddy.log").read_text())
        answer, page = machine.ask("GET", "/login/")
        assert (answer.status, answer.headers["Content-Type"]) == (502, "text/html; charset=utf-8")
        assert "Bitte in einer Minute neu laden." in page and "Please reload in a minute." in page


def verified(unit: Path) -> None:
    """systemd understands it; what it says of a user that is not on this machine is left out. The one of the server is as
    closed as "OK" means to systemd."""
    if shutil.which("systemd-analyze"):
        if unit.name == "clubledger.service":
            check = ["systemd-analyze", "security", "--offline=yes", "--threshold=40", "--no-pager", unit]
            assert subprocess.run(check, capture_output=True, check=False).returncode == 0
        done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
        assert [line for line in done.stderr.splitlines() if unit.name in line] == []


@contextmanager
def proxy(machine: Machine) -> Iterator[None]:
    """Caddy, as the recipe sets it up."""
    with (machine.root / "caddy.log").open("wb") as log:
        process = subprocess.Popen(
            [CADDY, "run", "--config", str(caddyfile(machine)), "--adapter", "caddyfile"],
            env={"PATH": os.environ["PATH"], "HOME": str(machine.root), "XDG_DATA_HOME": str(machine.root / "caddy")},
            stdout=log,
            stderr=log,
        )
    with ended(process):
        yield


def restarted(machine: Machine) -> None:
    """A request that comes while the service restarts waits for it."""
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(machine.ask, "GET", "/login/")
        time.sleep(1)
        assert not asked.done()
        with ended(machine.start("clubledger.service")):
            assert asked.result()[0].status == 200


def answers(machine: Machine) -> bool:
    return reaches(machine) and machine.ask("GET", "/healthz")[1] == "ok\n"


def reaches(machine: Machine) -> bool:
    """Whether the proxy answers, whatever it says."""
    try:
        return bool(machine.ask("GET", "/healthz")[0].status)
    except (OSError, http.client.HTTPException):
        return False


def everything_through_the_proxy(machine: Machine, password: str) -> None:
    """HTTP leads to HTTPS; whoever logs in reads when the last backup was, which the night has just written."""
    plain = http.client.HTTPConnection("127.0.0.1", machine.http, timeout=PATIENCE)
    plain.request("GET", "/login/", headers={"Host": SITE})
    answer = plain.getresponse()
    assert answer.status in (301, 302, 307, 308)
    assert answer.headers["Location"].startswith(f"https://{SITE}")
    plain.close()

    answer, page = machine.ask("GET", "/login/")
    assert answer.status == 200
    assert answer.headers["Strict-Transport-Security"].startswith("max-age=31536000")
    token = answer.headers["Set-Cookie"].partition(";")[0]
    assert "Secure" in answer.headers["Set-Cookie"]
    body = urlencode({"username": "vera", "password": password, "csrfmiddlewaretoken": token.partition("=")[2]})
    answer, page = machine.ask(
        "POST", "/login/", body, **{"Cookie": token, "Content-Type": "application/x-www-form-urlencoded"}
    )
    assert answer.status == 302, page
    cookies = "; ".join(cookie.partition(";")[0] for cookie in answer.headers.get_all("Set-Cookie", []))

    assert "Noch keine geprüfte Sicherung." in machine.ask("GET", "/c/karo-eins/more/", Cookie=cookies)[1]
    night = machine.start("clubledger-backup.service")
    assert night.wait(PATIENCE) == 0, (machine.root / "clubledger-backup.service.log").read_text()
    assert "Letzte geprüfte Sicherung: " in machine.ask("GET", "/c/karo-eins/more/", Cookie=cookies)[1]
