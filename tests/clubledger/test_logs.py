"""What the log says: one line of an answer that was meant, everything of a fault."""

import logging.config

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.clubledger import test_headers
from tests.factories import Cast


def logged(log: pytest.CaptureFixture[str], client: Client, address: str, **headers: str) -> tuple[int, list[str]]:
    """What is answered, and what the real server would write to its terminal meanwhile."""
    logging.config.dictConfig(settings.LOGGING)
    status = client.get(address, headers=headers).status_code
    return status, log.readouterr().err.splitlines()


def test_a_refusal_is_one_line(cast: Cast, capsys: pytest.CaptureFixture[str]) -> None:
    reader = Client()
    reader.force_login(cast.reader)
    status, (line,) = logged(capsys, reader, reverse("members", args=["karo"]))
    assert status == 403
    assert line.endswith("Forbidden (Permission denied): /c/karo/rights/")


def test_a_host_nobody_listed_is_one_line(cast: Cast, capsys: pytest.CaptureFixture[str]) -> None:
    status, (line,) = logged(capsys, Client(), "/", host="evil.example")
    assert status == 400
    assert "evil.example" in line


@pytest.mark.django_db
@pytest.mark.urls(test_headers.__name__)
def test_a_fault_is_told_with_the_way_there(capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = logged(capsys, Client(raise_request_exception=False), "/500")
    assert status == 500
    assert "Traceback (most recent call last):" in lines
    assert lines[-1] == "RuntimeError: no"
