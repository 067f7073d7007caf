"""Found a club by the action and the command; a refused founding leaves no rows."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client, override_settings

from scoring.administration import access
from scoring.administration.actions import LinkOverMeanwhile, found_by_link, make_founding_link
from scoring.club.models import Player
from scoring.models import Club, FoundingLink, Membership, RuleSet
from scoring.rules.settings import PRESETS
from scoring.rulesets.actions import begin_with_preset, found_club
from tests.administration.views.test_founding import typed
from tests.cash.together import at_once, get_outcomes
from tests.factories import make_club, make_user

pytestmark = pytest.mark.django_db


def test_a_new_club_has_every_rule_set_and_an_admin_who_can_log_in() -> None:
    club, password = found_club(name="Pik Ass e. V.", admin="vera")

    member = Membership.objects.select_related("user").get(club=club)
    assert club.slug == "pik-ass-e-v"
    assert member.user.username == "vera"
    assert password is not None
    assert member.user.check_password(password)
    assert (member.scorer, member.treasurer, member.admin) == (True, True, True)
    assert RuleSet.objects.filter(club=club).count() == len(PRESETS)


def test_an_existing_login_keeps_its_password() -> None:
    user = make_user("vera")
    password = user.password

    club, first_password = found_club(name="Herz Dame", slug="herz", admin="vera")

    user.refresh_from_db()
    assert first_password is None
    assert user.password == password
    assert Membership.objects.filter(club=club, user=user, admin=True).exists()


def test_a_name_that_cannot_be_leaves_nothing_behind() -> None:
    for name in ("", "Karo\u202eEins", "x" * 61, "♣"):
        with pytest.raises(ValidationError):
            found_club(name=name, admin="vera")
    assert not Club.objects.exists()


def test_a_club_is_founded_once(capsys: pytest.CaptureFixture[str]) -> None:
    make_club("Karo Eins")

    with pytest.raises(CommandError):
        call_command("club", "Karo Eins", admin="vera")


def test_a_blocked_login_founds_no_club() -> None:
    User.objects.create(username="vera", is_active=False)

    with pytest.raises(CommandError, match="gibt es schon"):
        call_command("club", "Karo Eins", admin="vera")

    assert not Club.objects.exists()


def test_the_command_says_the_first_password(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("club", "Karo Eins", admin="vera")

    said = capsys.readouterr().out
    assert "/c/karo-eins/" in said
    assert "vera" in said


PEOPLE = ["Zora", "Anton", "Berta", "Çelik"]


@pytest.mark.django_db(transaction=True)
def test_of_two_at_the_same_time_one_founds() -> None:
    make_founding_link()
    begin = partial(begin_with_preset, preset="ddv")
    values = {"link": FoundingLink.objects.get().pk, "people": PEOPLE, "begin": begin}
    outcomes = get_outcomes(
        *(partial(found_by_link, founder=User(username=name, password="x"), name=name, **values) for name in ("karo", "pik"))
    )
    assert outcomes.count(LinkOverMeanwhile) == 1
    assert (Club.objects.count(), User.objects.count(), Player.objects.count()) == (1, 1, 4)
    assert not FoundingLink.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_many_at_the_same_time_so_many_found_as_may_on_a_day(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Four addresses found clubs at once; the third waits for the first two and is refused."""
    monkeypatch.setitem(access.DAILY_LIMITS, access.FOUNDED, (3, 2))
    settings.FOUNDING = "open"
    answers = []

    def found(number: int) -> None:
        client = Client(REMOTE_ADDR=f"198.51.100.{number}")
        answers.append(client.post("/found/", typed(club_name=f"Karo {number}", username=f"zora{number}")).status_code)

    at_once(*(partial(found, number) for number in range(4)))
    assert sorted(answers) == [302, 302, 429, 429]
    assert Club.objects.count() == 2


@pytest.mark.django_db
def test_the_command_says_a_link_that_opens(capsys: pytest.CaptureFixture[str], client: Client) -> None:
    call_command("founding_link")
    call_command("founding_link", site="https://club.example/")
    first, second = capsys.readouterr().out.split()
    assert first.startswith("http://localhost:8000/found/")
    assert second.startswith("https://club.example/found/")
    assert client.get(first.removeprefix("http://localhost:8000")).status_code == 410, "the second one ended it"
    assert client.get(second.removeprefix("https://club.example")).status_code == 200


@pytest.mark.django_db
def test_a_server_says_the_address_by_which_it_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    with override_settings(HTTPS=True, ALLOWED_HOSTS=["localhost", "127.0.0.1", "[::1]", ".club.example"]):
        call_command("founding_link")
    assert capsys.readouterr().out.startswith("https://club.example/found/")


@pytest.mark.django_db
def test_asked_for_where_nobody_has_a_club_it_leaves_the_others_alone(capsys: pytest.CaptureFixture[str]) -> None:
    make_club("Kreuz Dame", slug="kreuz-dame")
    call_command("founding_link", if_none=True)
    assert "/found/" in capsys.readouterr().out
    make_club("Karo")
    call_command("founding_link", if_none=True)
    assert capsys.readouterr().out == ""
    assert FoundingLink.objects.count() == 1
