"""/healthz says whether the site is up: it is when the database answers."""

import pytest
from django.db import OperationalError, connection
from django.test import Client


@pytest.mark.django_db
def test_up() -> None:
    response = Client().get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert "no-cache" in response.headers["Cache-Control"]
    assert not response.cookies


@pytest.mark.django_db
def test_a_database_that_does_not_answer_is_503() -> None:
    def broken(*args: object) -> None:
        raise OperationalError("gone")

    with connection.execute_wrapper(broken):
        response = Client().get("/healthz")
    assert response.status_code == 503


@pytest.mark.django_db
def test_only_reading() -> None:
    assert Client().post("/healthz").status_code == 405
