"""The demo clubs of visitors: each has one to itself for a day, with a month of evenings and one that goes on tonight. Its only
login is a scorer without a password, and what such a club may never have is refused by `club/actions/history.py`."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
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

from scoring.club.actions.history import Actor
from scoring.club.models.people import DEMO, OF_VISITOR, VISITOR, Club, Membership
from scoring.core.errors import ActionRefused
from scoring.imports.actions.hidden import hidden, hide
from scoring.league.queries.books import month_of
from scoring.league.rules.settings import DEFAULT
from scoring.play.actions.locking import lock_club
from scoring.play.actions.years import recount

from .cast import SHARED, SHARED_LOGINS, Cast, Day, DemoLogin, day_of, kreuz_dame
from .evenings import write
from .league import begin_season, publish
from .phone import play_evening
from .plans import WEEK, Plan, who_comes
from .staff import found

STANDS: Final = datetime.timedelta(days=1)
# Fifty clubs are 5000 games, as many as one club plays in five years.
AT_ONCE: Final = 50
# The logins that the program makes for demo clubs.
MADE: Final = Q(username__contains=VISITOR) | Q(username__in=SHARED_LOGINS)
EVENINGS, GAMES, TONIGHT = 4, 23, 11


class NoDemoLeft(ActionRefused):
    sentence = _("Eine eigene Demo gibt es gerade nicht mehr. Bitte morgen wiederkommen.")
    status = 429


@transaction.atomic
def make_visitors_club() -> tuple[Club, User]:
    """Make a club for one visitor, and the login that writes its sheet. Raises NoDemoLeft."""
    if Club.objects.filter(OF_VISITOR).count() >= AT_ONCE:
        raise NoDemoLeft
    name, today = get_random_string(8, "abcdefghijkmnpqrstuvwxyz23456789"), timezone.localdate()
    cast = kreuz_dame(today)
    cast = replace(
        cast,
        name="Demo-Club",
        slug=f"{DEMO}{name}",
        people=tuple(person for person in cast.people if person.left_on is None),
        logins=(DemoLogin(f"Gast{VISITOR}{name}", "", ("scorer",)),),
        shows=(),
    )
    rng = Random(name)  # noqa: S311  # nosec B311  # invented games, no secrets
    first = today - EVENINGS * WEEK
    staff, _logins = found(cast, rng, _hire, on=first)
    season = begin_season(staff.club, staff.admin, day_of(today, 1), DEFAULT)
    *earlier, tonight = [_plan(cast, first + week * WEEK, today, rng) for week in range(EVENINGS + 1)]
    write(staff, earlier)
    recount(staff.club.pk)
    if first < today.replace(day=1):
        publish(season, month_of(first), staff.admin, today.replace(day=1))
    play_evening(staff, tonight)
    staff.club.demo_until = timezone.now() + STANDS
    staff.club.save(update_fields=["demo_until"])
    return staff.club, User.objects.get(memberships__club=staff.club)


def _hire(*, club: Club, actor: Actor, login: str, roles: Collection[str]) -> tuple[Membership, str]:
    """The login of a visitor. No password opens it, only the session that it is made in."""
    user = User.objects.create(username=login, password=make_password(None))
    return Membership.objects.create(club=club, user=user, **dict.fromkeys(roles, True)), ""


def _plan(cast: Cast, day: Day, today: Day, rng: Random) -> Plan:
    return Plan(
        held_on=day,
        rules=cast.rules[0].name,
        people=who_comes(rng, cast.people, day, rng.choice((4, 5))),
        games=TONIGHT if day == today else GAMES,
        place=rng.choice(cast.places),
        stops=day == today,
    )


def delete_demos() -> int:
    """Delete the clubs of visitors whose day is over, with the logins that were made for them, and return how many; where the demo
    was switched off, every demo club."""
    over = Club.objects.filter(demo_until__isnull=False)
    if settings.DEMO:
        over = over.filter(demo_until__lt=timezone.now()).exclude(slug__in=SHARED)
    clubs = list(over)
    for club in clubs:
        # Another process may delete it in this moment.
        with suppress(Club.DoesNotExist), hidden() as slug, transaction.atomic():
            lock_club(club)
            logins = list(User.objects.filter(MADE, memberships__club=club))
            hide(club, slug)
            User.objects.filter(pk__in=[user.pk for user in logins], memberships=None).delete()
    return len(clubs)
