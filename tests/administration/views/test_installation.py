"""The page of the operator; being an operator gives no right in any club."""

from __future__ import annotations

import datetime
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubledger.version import program
from scoring.administration.queries import list_club_sizes, read_installation
from tests.factories import Cast, make_club, make_user

pytestmark = pytest.mark.django_db


def operator(login: str, *words: str) -> str:
    said = StringIO()
    call_command("operator", login, *words, stdout=said)
    return said.getvalue()


@pytest.fixture
def olaf(db: None) -> Client:
    """Return the client of an operator without a club."""
    user = make_user("olaf")
    operator("olaf")
    client = Client()
    client.force_login(user)
    return client


def test_it_shows_figures_of_clubs_and_no_names(cast: Cast, olaf: Client) -> None:
    make_club("Leer")
    html = olaf.get(reverse("installation")).content.decode()
    for said in ("Karo Eins", "Pik Dame", "Leer", "06.03.2026", "Datenbank", program()):
        assert said in html
    for unsaid in ("Ärmel", "schorsch", 'href="/c/'):
        assert unsaid not in html
    assert 'href="/installation/"' in olaf.get("/").content.decode()


def test_the_numbers_are_those_of_each_club(cast: Cast) -> None:
    now = timezone.now()
    User.objects.filter(pk=cast.reader.pk).update(last_login=now)
    make_club("Leer")
    karo, leer, pik = list_club_sizes()
    assert [karo.people, karo.evenings_held, karo.games, karo.months, karo.logins, karo.alone, karo.waiting] == [
        *(4, 1, 1, 0, 4, 4, 0)
    ]
    assert (karo.last_evening, karo.last_login, pik.last_login) == (datetime.date(2026, 3, 6), now, None)
    assert [leer.people, leer.games, leer.last_evening, leer.last_entry] == [0, 0, None, None]
    make_user("allein")
    found = read_installation()
    assert (found["logins"], found["without_club"]) == (6, 1)
    assert found["database"] >= 0


def test_it_gives_no_right_in_any_club(cast: Cast, olaf: Client) -> None:
    for name in ("club", "more", "members", "archive", "club_delete", "visibility"):
        assert olaf.get(reverse(name, args=["karo"])).status_code == 404, name
    assert olaf.post(reverse("club_delete", args=["karo"]), {"name": "karo"}).status_code == 404


def test_others_get_404(cast: Cast) -> None:
    client = Client()
    assert client.get(reverse("installation")).status_code == 302
    client.force_login(cast.admin)
    assert client.get(reverse("installation")).status_code == 404
    assert "/installation/" not in client.get(reverse("more", args=["karo"])).content.decode()


def test_the_command_makes_and_unmakes(cast: Cast) -> None:
    assert "anna betreibt die Installation." in operator("ANNA")
    assert User.objects.get(username="anna").is_superuser
    client = Client()
    client.force_login(cast.admin)
    assert "/installation/" in client.get(reverse("more", args=["karo"])).content.decode()
    assert "anna betreibt die Installation nicht mehr." in operator("anna", "--remove")
    assert not User.objects.get(username="anna").is_superuser
    with pytest.raises(CommandError, match="gibt es hier nicht"):
        operator("niemand")
