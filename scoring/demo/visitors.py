"""The demo clubs of visitors: each has its own for a day. The only login of such a club is a scorer without a password;
`club/actions.py` refuses what it may not have."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _

from scoring.club.actions import Actor
from scoring.club.models import DEMO_PREFIX, OF_VISITOR, VISITOR_MARK, Club, Membership
from scoring.core.errors import ActionRefused
from scoring.demo.cast import (
    SHARED,
    SHARED_LOGINS,
    WEEK,
    Cast,
    Day,
    DemoLogin,
    Plan,
    build_kreuz_dame,
    choose_people,
    get_day,
)
from scoring.demo.evenings import play_evening, write_evenings
from scoring.demo.founding import found_club, set_clock
from scoring.demo.league import SUPPLEMENTED, League
from scoring.imports.actions import hidden_slug, hide_club
from scoring.league.actions import collect_month_changes
from scoring.league.rules import DEFAULT
from scoring.play.replay import lock_club, update_years

LIFETIME: Final = datetime.timedelta(days=1)
# 50 clubs have 5,000 games, as many as one club plays in five years.
MAX_CLUBS: Final = 50
# The logins of demo clubs.
DEMO_LOGINS: Final = Q(username__contains=VISITOR_MARK) | Q(username__in=SHARED_LOGINS)
# Weeks with an evening, games of all evenings before today, and games of the evening today.
LATELY, GAMES, TONIGHT = 4, 90, 11


class NoDemoLeft(ActionRefused):
    sentence = _("Eine eigene Demo gibt es gerade nicht mehr. Bitte morgen wiederkommen.")
    status = 429


@transaction.atomic
def make_visitors_club() -> tuple[Club, User]:
    """Make a club for a visitor, and the login that enters its games. Raises NoDemoLeft."""
    if Club.objects.filter(OF_VISITOR).count() >= MAX_CLUBS:
        raise NoDemoLeft
    name, today = get_random_string(8, "abcdefghijkmnpqrstuvwxyz23456789"), timezone.localdate()
    cast = build_kreuz_dame(today)
    cast = replace(
        cast,
        name="Demo-Club",
        slug=f"{DEMO_PREFIX}{name}",
        people=tuple(person for person in cast.people if person.left_on is None),
        logins=(DemoLogin(f"Gast{VISITOR_MARK}{name}", "", ("scorer",)),),
        shows=(),
    )
    rng = Random(name)  # noqa: S311  # nosec B311  # invented games, no secrets
    begin, days = get_day(today, SUPPLEMENTED), list_evening_days(today)
    staff, _logins = found_club(cast, rng, _add_visitor_login, on=begin)
    games = GAMES // len(days)
    write_evenings(staff, [_plan_evening(cast, day, rng, games) for day in days])
    update_years(staff.club.pk)
    admin = Actor(staff.admin.login, admin=True)  # the login is a scorer, who corrects no closed evening
    with collect_month_changes():  # the visitor is not told what they did not do
        League(staff.club, admin, partial(set_clock, staff.club, rng=rng), today, [(begin, DEFAULT)]).catch_up(today)
    play_evening(staff, replace(_plan_evening(cast, today, rng, TONIGHT), stops=True))
    staff.club.demo_until = timezone.now() + LIFETIME
    staff.club.save(update_fields=["demo_until"])
    return staff.club, User.objects.get(memberships__club=staff.club)


def _add_visitor_login(*, club: Club, actor: Actor, login: str, roles: Collection[str]) -> tuple[Membership, str]:
    user = User.objects.create(username=login, password=make_password(None))
    return Membership.objects.create(club=club, user=user, **dict.fromkeys(roles, True)), ""


def list_evening_days(today: Day) -> list[Day]:
    """Return the days of the evenings before today: of the last four weeks, and at the end of the two months before this one."""
    weeks = set(range(1, LATELY + 1))
    for months_ago in range(SUPPLEMENTED):
        weeks.add((today - get_day(today, months_ago)).days // 7 + 1)
    return [today - week * WEEK for week in sorted(weeks, reverse=True)]


def _plan_evening(cast: Cast, day: Day, rng: Random, games: int) -> Plan:
    people = choose_people(rng, cast.people, day, rng.choice((4, 5)))
    return Plan(held_on=day, rules=cast.rules[0].name, people=people, games=games, place=rng.choice(cast.places))


def delete_demos() -> int:
    """Delete the clubs of visitors whose day is over, with their logins, and return their number; without a demo all its clubs."""
    over = Club.objects.filter(demo_until__isnull=False)
    if settings.DEMO:
        over = over.filter(demo_until__lt=timezone.now()).exclude(slug__in=SHARED)
    clubs = list(over)
    for club in clubs:
        # Another process may have deleted it.
        with suppress(Club.DoesNotExist), hidden_slug() as slug, transaction.atomic():
            lock_club(club)
            logins = list(User.objects.filter(DEMO_LOGINS, memberships__club=club))
            hide_club(club, slug)
            User.objects.filter(pk__in=[user.pk for user in logins], memberships=None).delete()
    return len(clubs)
