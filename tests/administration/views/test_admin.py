"""Django's admin: for operators only, every row to be read and found, nothing to be changed, and no secrets."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import path, reverse

from clubledger.urls import urlpatterns as of_the_site
from scoring.admin import site
from scoring.club.actions import Actor
from scoring.models import TableLink
from scoring.table.actions.tables import renew_link
from tests.cash.kasse import make_kasse
from tests.factories import Cast, add_game, make_import, make_join_link, make_user
from tests.months import close, make_season

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]

urlpatterns = [*of_the_site, path("admin/", site.urls)]


def operator() -> Client:
    user = make_user("vera")
    user.is_superuser = True
    user.email = "vera@mail.example"
    user.save()
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def link(cast: Cast) -> TableLink:
    """Make at least one row of every model with a list."""
    add_game(cast.table)
    season = make_season(cast.club)
    close(season, "2026-03")
    make_import(cast.club)
    make_kasse(cast.club)
    make_join_link(cast.club, cast.admin)
    return renew_link(table=cast.table, actor=Actor(cast.admin))


def test_operators_read_and_find_every_row(link: TableLink) -> None:
    client = operator()
    assert client.get("/admin/").status_code == 200
    secrets = ["pbkdf2", "scrypt", "vera@mail.example", link.nonce.hex, str(link.nonce), link.token, client.session.session_key]
    seen = 0
    for model, of_model in site._registry.items():
        listed = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        filters = [f"{'club__id' if name == 'club' else name}__exact=1" for name in of_model.list_filter]
        if of_model.date_hierarchy:
            filters.append(f"{of_model.date_hierarchy}__year=2026&{of_model.date_hierarchy}__month=3")
        pages = [listed, *(f"{listed}?{one}" for one in filters)]
        pages += [f"{listed}?q=a"] if of_model.search_fields else []
        pages += [f"{listed}{row.pk}/change/" for row in model._default_manager.all()[:1]]
        for page in pages:
            answer = client.get(page)
            assert answer.status_code == 200, page
            html = answer.content.decode()
            assert not [secret for secret in secrets if str(secret) in html], page
            # As the Content-Security-Policy wants it.
            assert not re.search(r"<script(?![^>]*(src|json))|<style|\sstyle=|\son\w+=", html), page
            seen += "/change/" in page
    assert seen >= 15


def test_no_filter_guesses_at_what_is_not_shown(link: TableLink) -> None:
    client = operator()
    for question in (
        "auth/user/?password__startswith=pbkdf2",
        "auth/user/?email__startswith=vera",
        "auth/user/?is_active__isnull=0&email=vera@mail.example",
        "scoring/tablelink/?nonce__gte=0",
        "scoring/joinlink/?created_by__password__startswith=pbkdf2",
        "scoring/player/?club__membership__user__email__startswith=vera",
        "scoring/import/?digest__startswith=a",
    ):
        assert client.get(f"/admin/{question}").status_code == 400


def test_nothing_can_be_changed(link: TableLink) -> None:
    client = operator()
    for model in site._registry:
        row = model._default_manager.first()
        base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        assert client.get(reverse(f"{base}_add")).status_code == 403
        if row is not None:
            assert client.post(reverse(f"{base}_change", args=[row.pk]), {"name": "x"}).status_code == 403
            assert client.post(reverse(f"{base}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    assert client.get("/admin/password_change/")["Location"] == reverse("password_change")


def test_for_others_it_is_not_there(cast: Cast) -> None:
    assert Client().get("/admin/", follow=True).redirect_chain[-1][0] == f"{reverse('login')}?next=/admin/"
    member = Client()
    member.force_login(cast.admin)
    assert member.get("/admin/", follow=True).status_code == 404


@pytest.mark.urls("clubledger.urls")
def test_without_the_setting_it_is_not_there() -> None:
    assert operator().get("/admin/").status_code == 404
