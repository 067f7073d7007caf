"""What the other browser tests rely on: a page as on a phone, real static files, and no complaint unseen."""

import pytest
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.urls(__name__)


def plain(request: HttpRequest) -> HttpResponse:
    return render(request, "404.html")


def careless(request: HttpRequest) -> HttpResponse:
    return HttpResponse(
        "<!doctype html><html lang=de><link rel=icon href='data:,'><script>document.title = 'ran'</script>"
    )


def counted(request: HttpRequest) -> HttpResponse:
    return HttpResponse(f"<!doctype html><html lang=de><link rel=icon href='data:,'>{User.objects.count()}")


urlpatterns = [path("plain", plain), path("careless", careless), path("counted", counted)]


def test_a_page_has_its_style_and_the_size_of_a_phone(page: Page, live_server: LiveServer) -> None:
    answers = {}
    page.on("response", lambda answer: answers.setdefault(answer.url, answer))
    page.goto(f"{live_server.url}/plain")
    assert page.viewport_size == {"width": 360, "height": 740}
    assert page.evaluate("navigator.language") == "de-DE"
    [sheet] = [answer for url, answer in answers.items() if "/static/scoring/style." in url]
    assert sheet.status == 200
    assert "immutable" in sheet.headers["cache-control"]
    assert sheet.headers["content-encoding"] in {"br", "gzip"}


def test_what_the_policy_forbids_does_not_run_and_is_noticed(
    page: Page, live_server: LiveServer, page_complaints: list[str]
) -> None:
    page.goto(f"{live_server.url}/careless")
    assert page.title() == ""
    [complaint] = page_complaints
    assert "Content Security Policy" in complaint
    page_complaints.clear()


@pytest.mark.postgres
def test_the_site_sees_what_the_test_wrote(page: Page, live_server: LiveServer) -> None:
    User.objects.create_user("anna")
    page.goto(f"{live_server.url}/counted")
    assert page.inner_text("body") == "1"


@pytest.mark.postgres
def test_nothing_is_left_of_another_test(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/counted")
    assert page.inner_text("body") == "0"
