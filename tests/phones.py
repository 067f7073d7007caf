"""Decides how a phone of the browser tests gets its login: by the cookie of a session, so that no story begins with the
login page."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import BrowserContext


def log_in(phone: BrowserContext, site: str, user: User) -> None:
    """From now on the phone is logged in as `user` on the site at this address."""
    client = Client()
    client.force_login(user)
    phone.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])
