"""Every answer carries the headers that keep a page to itself, error pages included."""

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.test import Client
from django.urls import path

POLICY = {
    "default-src 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
}


def failing(error: Exception) -> Callable[[HttpRequest], HttpResponse]:
    def view(request: HttpRequest) -> HttpResponse:
        raise error

    return view


def fine(request: HttpRequest) -> HttpResponse:
    return HttpResponse("fine")


def data(request: HttpRequest) -> HttpResponse:
    return JsonResponse({})


urlpatterns = [
    path("data", data),
    path("", fine, name="home"),
    path("login", fine, name="login"),
    path("400", failing(SuspiciousOperation("no"))),
    path("403", failing(PermissionDenied("no"))),
    path("404", failing(Http404("no"))),
    path("500", failing(RuntimeError("no"))),
]


def assert_guarded(response: HttpResponse) -> None:
    assert set(response.headers["Content-Security-Policy"].split("; ")) == POLICY
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert "camera=()" in response.headers["Permissions-Policy"]
    assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.django_db
@pytest.mark.urls(__name__)
@pytest.mark.parametrize("status", [200, 400, 403, 404, 500])
def test_pages_carry_the_headers_and_those_of_errors_too(status: int) -> None:
    response = Client(raise_request_exception=False).get("/" if status == 200 else f"/{status}")
    assert response.status_code == status
    assert_guarded(response)


@pytest.mark.django_db
@pytest.mark.urls(__name__)
def test_data_is_no_document_and_travels_light() -> None:
    response = Client().get("/data")
    assert dict(response.headers) == {
        "Content-Type": "application/json",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
        "Content-Length": "2",
    }


@pytest.mark.django_db
@pytest.mark.urls(__name__)
def test_what_answers_a_post_is_kept_by_nobody_and_data_need_not_say_so() -> None:
    assert "Cache-Control" not in Client().post("/data").headers
    assert Client().post("/").headers["Cache-Control"] == "no-store"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("scoring/share.js", set()),
        ("scoring/style.css", set()),
        ("scoring/icon.svg", {"Content-Security-Policy", "Referrer-Policy", "X-Robots-Tag"}),
    ],
)
def test_files_travel_with_what_means_something_for_them(name: str, more: set[str]) -> None:
    """Pictures can be opened as pages."""
    response = Client().get(static(name), headers={"accept-encoding": "br"})
    assert response.status_code == 200
    every = {"Cache-Control", "Content-Encoding", "Content-Length", "Content-Type", "Vary", "X-Content-Type-Options"}
    assert response.headers.keys() == every | more
    if more:
        assert response.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"


@pytest.mark.django_db
@pytest.mark.urls(__name__)
def test_a_host_nobody_listed_is_refused_with_the_headers() -> None:
    response = Client().get("/", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert_guarded(response)


@pytest.mark.django_db
@pytest.mark.urls(__name__)
def test_a_post_without_its_token_is_refused_with_the_headers() -> None:
    response = Client(enforce_csrf_checks=True).post("/")
    assert response.status_code == 403
    assert_guarded(response)
    assert b"<style" not in response.content
