"""Decides how one page after the other is asked for: by somebody who is logged in once, and so that nothing stays behind."""

from __future__ import annotations

from copy import deepcopy

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.http import HttpResponse
from django.test import Client


def visit(user: User | AnonymousUser) -> Client:
    """The browser of somebody, logged in once for all that is asked."""
    client = Client()
    if user.is_authenticated:
        client.force_login(user)
    return client


def ask(method: str, address: str, client: Client) -> HttpResponse:
    """One request, whose effects are gone afterwards: what it stored, and what the browser keeps."""
    kept = deepcopy(client.cookies)
    with transaction.atomic():
        response: HttpResponse = getattr(client, method.lower())(address, {"nothing": ""})
        transaction.set_rollback(True)
    client.cookies = kept
    return response
