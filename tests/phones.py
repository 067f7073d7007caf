"""Decides how a phone of the browser tests gets its login (by the cookie of a session, so that no story begins with the
login page), and how it waits for the page that a tap leads to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext, Page


def log_in(phone: BrowserContext, site: str, user: User) -> None:
    """From now on the phone is logged in as `user` on the site at this address."""
    client = Client()
    client.force_login(user)
    phone.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])


@contextmanager
def another_page(page: Page) -> Iterator[None]:
    """What is done here leads to another page; afterwards that one is there and loaded, whatever both have in common. A tap
    by itself does not wait for it."""
    with page.expect_navigation():
        yield
