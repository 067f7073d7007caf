"""A season that strains its pages: by average, weighted, corrected after a month was closed; and where each page of it is."""

from __future__ import annotations

import datetime

from django.contrib.auth.models import User
from django.urls import reverse

from scoring.club.actions import Actor
from scoring.evenings.actions import open_evening
from scoring.models import Club, Season
from tests.factories import add_game, make_rule_set
from tests.months import add_supplement_to, close, make_season

OF_A_SEASON = ("season", "season_edit", "month", "month_close", "month_version")


def a_league(club: Club, admin: User) -> Season:
    """A season by average, weighted, whose February is closed and was corrected twice since: once as a supplement with
    a long reason, and once more that nobody has decided about."""
    people = list(club.players.order_by("pk")[:5])
    rules = make_rule_set(club, "ddv", "Turnierregeln")
    settings = {"counting": "average", "few_games": "root", "best": 2, "min_games": 2, "guests": True}
    for day in (5, 12, 19):
        february = open_evening(
            club=club,
            actor=Actor(admin),
            held_on=datetime.date(2026, 2, day),
            rule_set=rules,
            players=people,
            place="Linde",
        )
        add_game(february, dealer=4)
        add_game(february, dealer=day % 3, kind="damensolo", re=[3], eyes=200)
    season = make_season(club, "Vereinsmeisterschaft im Doppelkopf 2026", actor=admin, **settings)
    close(season, "2026-02", admin)
    for reason in ("Ein_sehr_langes_Wort" * 4, ""):
        add_game(february, dealer=4, re=[1, 2], eyes=239)
        if reason:
            add_supplement_to(season, "2026-02", admin, reason)
    return season


def months_of(season: Season) -> dict[str, str]:
    """The addresses of the league's pages that belong to a month."""
    closed, later = {"slug": "karo", "pk": season.pk, "month": "2026-02"}, {"month": "2026-03"}
    return {
        "season": reverse("season", args=["karo", season.pk]),
        "season_edit": reverse("season_edit", args=["karo", season.pk]),
        "month": reverse("month", kwargs=closed),
        "month open": reverse("month", kwargs=closed | later),
        "month_close": reverse("month_close", kwargs=closed | later),
        "month_close after a correction": reverse("month_close", kwargs=closed),
        "month_version": reverse("month_version", kwargs=closed | {"version": 1}),
    }
