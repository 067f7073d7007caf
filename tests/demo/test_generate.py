"""Generated clubs are valid, the same for the same seed, and stay beside later ones."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from scoring.cash.ledger.queries import get_balances
from scoring.demo.generate import generate
from scoring.models import Club, Entry, Evening, Game, Period, Player, Seat, TableResult
from tests.imports.uploads import verified

pytestmark = pytest.mark.django_db

# The second of them has a Kasse, the first none.
SEED, EVENINGS = 3, 10


def test_everything_in_them_follows_from_the_facts() -> None:
    made = list(generate(clubs=2, evenings=EVENINGS, seed=SEED))
    assert "Alles stimmt" in verified()
    for held_on, closed_at in Evening.objects.values_list("held_on", "closed_at"):
        assert closed_at is not None and timezone.localdate(closed_at) == held_on
    for club, games, logins in made:
        assert Evening.objects.filter(club=club).count() == EVENINGS
        assert games == Game.objects.filter(round__table__evening__club=club).count() > 30 * EVENINGS
        assert {login["login"] for login in logins} == set(club.memberships.values_list("user__username", flat=True))
        seated = Seat.objects.filter(round__table__evening__club=club).values_list("player", flat=True)
        assert set(seated) == set(TableResult.objects.filter(player__club=club).values_list("player", flat=True))
    assert [Entry.objects.filter(club=club).exists() for club, *_rest in made] == [False, True]
    charged = made[1][0]
    assert Evening.objects.filter(club=charged, entries__isnull=False).distinct().count() == EVENINGS
    assert Period.objects.filter(club=charged).exists()
    assert sum(get_balances(charged).values()) == 0


def test_the_same_seed_makes_the_same_and_more_stand_beside_them() -> None:
    played = []
    for _time in range(2):
        with transaction.atomic():
            list(generate(clubs=1, evenings=1, seed=2))
            played.append(_played())
            transaction.set_rollback(True)
    assert played[0] == played[1]
    for _time in range(2):
        call_command("generate", clubs=1, evenings=1, seed=2, verbosity=0)
    assert list(Club.objects.order_by("pk").values_list("slug", flat=True)) == ["club-1", "club-2"]
    assert played[0][0] == _played(Club.objects.get(slug="club-1"))[0]


def test_more_stand_beside_clubs_and_logins_that_people_named_alike() -> None:
    for slug in ("club-1", "club-3", "club-abc", "club-2026112620261126"):
        Club.objects.create(name=slug, slug=slug)
    User.objects.create(username="Kasse-5")
    for number in (6, 7):
        assert [club.slug for club, *_rest in generate(clubs=1, evenings=1, seed=2)] == [f"club-{number}"]


def _played(club: Club | None = None) -> tuple[Any, ...]:
    """Return games and people without ids."""
    of_club = {"club": club} if club else {}
    games = Game.objects.filter(**{f"round__table__evening__{key}": one for key, one in of_club.items()}).order_by(
        "key"
    )
    return list(games.values_list("key", "dealer", "facts")), list(Player.objects.filter(**of_club).values_list("name"))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"clubs": 1001}, "Höchstens 1000 Clubs und 3900 Abende"),
        ({"evenings": 10**20}, "Höchstens 1000 Clubs und 3900 Abende"),
        ({"clubs": 0}, "Mindestens ein"),
        ({"evenings": 0}, "Mindestens ein"),
    ],
)
def test_too_many_or_no_clubs_or_evenings_are_refused(wrong: dict[str, int], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("generate", **wrong)
