"""Found a club by the action and the command; a refused founding leaves no rows."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from scoring.models import Club, Membership, RuleSet
from scoring.rules.settings import PRESETS
from scoring.rulesets.actions import found_club
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
