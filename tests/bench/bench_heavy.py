"""How long a table waits while others take everything home: ten people at once ask again and again for the workbook of eight
years of a club (bench_workbook), from the real server, and meanwhile somebody saves one game after the other."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from uuid import uuid4

from tests.bench import bench_workbook

EXPORTS = 10
SECONDS = 30
LIMIT = 1.0
TOKEN = "a" * 32


def measure() -> Iterator[tuple[str, float, float]]:
    """(name, seconds of the slowest line, limit)."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(bench_workbook.filled() / bench_workbook.FILE, folder)
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "clubledger.settings",
            "DATABASE_URL": f"sqlite:///{Path(folder) / bench_workbook.FILE}",
            "VAR_DIR": folder,
        }
        command = [sys.executable, "-m", "tests.bench.bench_heavy", folder]
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    files, sent_away, lines, middle, slowest = done.stdout.split()
    meanwhile = f"{files} files, {sent_away} sent away, {lines} lines, middle {float(middle):.2f}"
    what = f"slowest line while ten take all home ({meanwhile}), s"
    yield what, float(slowest), LIMIT


def run(folder: str) -> str:
    """Files, requests sent away, lines, and the seconds of the middle and the slowest line, in the club of bench_workbook.fill."""
    from django.test import Client

    from scoring.models import Club, RuleSet
    from tests.factories import make_table, make_user
    from tests.server import free_port, running, told

    club = Club.objects.get()
    table = make_table(club, rule_set=RuleSet.objects.filter(club=club).earliest("pk"))
    client = Client()
    client.force_login(make_user("anna", club, ["admin"]))
    cookie = f"sessionid={client.cookies['sessionid'].value}; csrftoken={TOKEN}"
    port = free_port()

    def ask(method: str, path: str, body: str | None = None, **headers: str) -> int:
        said = {"Cookie": cookie, "X-CSRFToken": TOKEN, "Content-Type": "application/json", **headers}
        line = HTTPConnection("127.0.0.1", port, timeout=300)
        line.request(method, path, body, said)
        answer = line.getresponse()
        answer.read()
        line.close()
        return answer.status

    stop, answers, lines = threading.Event(), Counter[int](), []

    def take_home() -> None:
        while not stop.is_set():
            status = ask("GET", f"/c/{club.slug}/file/excel/")
            answers[status] += 1
            if status == 503:
                stop.wait(1)

    with running(Path(folder), port, Path(folder) / "log", **told()):
        threads = [threading.Thread(target=take_home) for _ in range(EXPORTS)]
        for thread in threads:
            thread.start()
        end, after = time.monotonic() + SECONDS, "null"
        while time.monotonic() < end:
            key, begun = uuid4(), time.monotonic()
            body = f'{{"key": "{key}", "after": {after}, "kind": "normal", "re": [0, 1], "eyes": 130}}'
            assert ask("POST", f"/c/{club.slug}/tables/{table.pk}/games/", body) == 201
            lines.append(time.monotonic() - begun)
            after = f'"{key}"'
            time.sleep(0.3)
        stop.set()
        for thread in threads:
            thread.join()
    assert set(answers) == {200, 503}, answers
    return f"{answers[200]} {answers[503]} {len(lines)} {sorted(lines)[len(lines) // 2]} {max(lines)}"


if __name__ == "__main__":
    import django

    django.setup()
    print(run(sys.argv[1]))
