"""Who does not belong to the club any more, or is locked, is let in nowhere."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring.models import Membership
from tests.factories import Cast
from tests.visits import ask, visit


def test_who_left_the_club_is_a_stranger(cast: Cast) -> None:
    Membership.objects.filter(user=cast.scorer).delete()
    assert ask("GET", reverse("club", args=["karo"]), visit(cast.scorer)).status_code == 404


def test_a_locked_login_is_nobody(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.admin)
    User.objects.filter(pk=cast.admin.pk).update(is_active=False)
    assert client.get(reverse("members", args=["karo"])).status_code == 302
