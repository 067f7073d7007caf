"""What makes the site an app: the manifest is complete and its icons are what it says, the worker lies at the root and is asked
for anew, the page of no net is everybody's and nobody's."""

from __future__ import annotations

import json
import re
import struct

import pytest
from django.test import Client

from tests.factories import make_user

pytestmark = pytest.mark.django_db


def fetched(address: str) -> bytes:
    """A static file, as a browser gets it."""
    answer = Client().get(address)
    assert answer.status_code == 200, address
    assert "immutable" in answer.headers["Cache-Control"]
    assert "Permissions-Policy" not in answer.headers, "which is about pages, and each module would carry it"
    return bytes(answer.content)


def measured(png: bytes) -> str:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return f"{width}x{height}"


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_site_can_be_installed(language: str) -> None:
    page = Client().get("/login/", headers={"accept-language": language}).content.decode()
    address = re.search(r'<link rel="manifest" href="([^"]+)"', page)[1]
    answer = Client().get(address, headers={"accept-language": language})
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest = json.loads(answer.content)
    assert manifest["lang"] == language
    assert manifest["name"] == manifest["short_name"] == "Club Ledger"
    assert manifest["description"]
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/?app=1", "/", "standalone")
    icons = [(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]]
    assert icons == [("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")]
    for icon in manifest["icons"]:
        assert icon["type"] == "image/png"
        assert measured(fetched(icon["src"])) == icon["sizes"]
    assert measured(fetched(re.search(r'<link rel="apple-touch-icon" href="([^"]+)"', page)[1])) == "180x180"
    assert re.findall(r'<meta name="theme-color" content="(#\w{6})" media="\(prefers-color-scheme: (\w+)\)"', page) == [
        (manifest["theme_color"], "light"),
        ("#12402c", "dark"),
    ]


def test_the_worker_stands_for_every_page_and_is_asked_for_anew() -> None:
    answer = Client().get("/sw.js")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "Set-Cookie" not in answer.headers
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"], "which rules what the worker loads"
    script = answer.content.decode()
    site = json.loads(re.search(r"const SITE = (\{.*\});", script)[1])
    assert 'addEventListener("fetch"' in script
    assert [bool(fetched(file)) for file in site["files"]] == [True] * 3
    again = Client().get("/sw.js", headers={"if-none-match": answer.headers["ETag"]})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", answer.headers["ETag"])
    every = {"Cache-Control", "Content-Length", "ETag", "Vary", "X-Content-Type-Options"}
    assert again.headers.keys() == every, "the rest is known"
    assert answer.headers.keys() == every | {"Content-Type", "Content-Security-Policy"}
    assert site["version"]
    assert site["leaving"] == ["/login/", "/logout/", "/j/"]


def test_the_page_of_no_net_knows_nobody() -> None:
    answer = Client().get("/offline/")
    assert answer.headers["Content-Language"] == "de"
    assert "Keine Verbindung" in answer.content.decode()
    assert not answer.cookies
    assert "csrf" not in answer.content.decode()


def test_a_page_says_whose_it_is(client: Client) -> None:
    """By that a phone tells what it may keep from what it must forget."""
    assert 'data-who=""' in client.get("/login/").content.decode()
    user = make_user("anna")
    client.force_login(user)
    assert f'data-who="{user.pk}"' in client.get("/login/").content.decode()
