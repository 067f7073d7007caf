"""While ten people take home everything of eight years again and again, a game is saved at once; and what archives took of the
server's memory to be refused does not stay."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import pytest
from django.test import Client

from tests.bench import bench_workbook
from tests.bench.bench_heavy import run
from tests.factories import make_club, make_user
from tests.server import PATIENCE, free_port, running, told


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_a_line_stands_while_ten_take_everything_home(tmp_path: Path) -> None:
    """One second is asked for, and holds for the line in the middle however busy this machine is."""
    bench_workbook.fill()
    *_, middle, slowest = map(float, run(str(tmp_path)).split())
    assert middle < 1
    assert slowest < 5


HOSTILE = b"[" + b"[]," * 3_300_000 + b"[]]"
TOKEN = "a" * 32
FORM = b'--x\r\nContent-Disposition: form-data; name="file"; filename="club.json"\r\n\r\n' + HOSTILE + b"\r\n--x--\r\n"


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_the_memory_of_refused_archives_is_given_back(tmp_path: Path) -> None:
    client, port = Client(), free_port()
    client.force_login(make_user("anna", make_club(), ["admin"]))
    said = {
        "Cookie": f"sessionid={client.cookies['sessionid'].value}; csrftoken={TOKEN}",
        "X-CSRFToken": TOKEN,
        "Content-Type": "multipart/form-data; boundary=x",
    }

    def upload(_number: int) -> int:
        line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        line.request("POST", "/archives/", FORM, said)
        answer = line.getresponse()
        answer.read()
        line.close()
        return answer.status

    with running(tmp_path / "var", port, tmp_path / "log", collected=True, **told()) as server:
        status = Path(f"/proc/{server.pid}/status")
        assert upload(0) == 422
        before = int(status.read_text().split("VmRSS:")[1].split()[0])
        with ThreadPoolExecutor(4) as pool:
            assert set(pool.map(upload, range(40))) <= {422, 503}
        assert upload(0) == 422
        assert int(status.read_text().split("VmRSS:")[1].split()[0]) - before < 60_000
