"""The two clubs of the demo, which all visitors share: two years of evenings that count back from today, who came, how many games
they played, and which evenings were typed at the table, so that they stand in the history. Each day they are made anew."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import get_random_string

from scoring.club.actions import Actor, LoginUnknown, add_member, add_new_login, change_player
from scoring.club.models import Change, Club, Membership
from scoring.core.limits import short_transaction
from scoring.imports.actions.hidden import hidden, hide
from scoring.play.actions import lock_club
from scoring.play.replay import update_years

from .cast import HERZDAME, HOLIDAY_HOME, KREUZ_DAME, Cast, Day, day_of, founded, herzdame, kreuz_dame
from .evenings import write
from .kasse import FINES, Treasurer
from .league import BY_AVERAGE, SETTINGS, League
from .phone import play_evening
from .plans import HERE, WEEK, Plan, begin_of, who_comes
from .staff import Staff, found, last_change, set_clock

SEED: Final = 439
# So many weeks ago the first evening was; none of the last ones was left out, and those since then were typed.
FIRST, WEEKLY, LATELY = 108, 14, 8
# How many weeks ago the guest came.
GUEST_CAME: Final = (20, 3)
# The evening in the holiday home, and what happened on which evening that was no game.
AWAY: Final = 23
EXTRAS: Final = {
    7: "redeal",
    9: "penalty",
    15: "afterthought",
    19: "redeal",
    27: "correction",
    33: "redeal",
    42: "penalty",
    46: "afterthought",
    50: "redeal",
}
# So long after something was entered there the demo is not made anew.
IN_USE: Final = datetime.timedelta(hours=1)
# So long making one takes at most; then it was interrupted, and is deleted as that of a visitor (visitors.py).
MADE_WITHIN: Final = datetime.timedelta(hours=1)

Hire = Callable[..., tuple[Membership, str]]
Logins = list[dict[str, str]]


def invent(today: Day | None = None) -> Logins:
    """Make both clubs as they are on this day, today unless told. Return the logins: login, password and role of each."""
    day = today or timezone.localdate()
    return [login for slug in MAKE for login in MAKE[slug](day, slug, end_of(day), add_new_login)[1]]


def end_of(day: Day) -> datetime.datetime:
    return datetime.datetime.combine(day + datetime.timedelta(days=1), datetime.time(), HERE)


def _make_kreuz_dame(today: Day, slug: str, until: datetime.datetime, hire: Hire) -> tuple[Club, Logins]:
    cast = replace(kreuz_dame(today), slug=slug)
    with short_transaction():
        rng = Random(f"{SEED} {today} {slug}")  # noqa: S311  # nosec B311  # invented games, no secrets
        staff, logins = found(cast, rng, hire, on=founded(today), until=until)
    years = [(day_of(today, 21), BY_AVERAGE), (day_of(today, 9), SETTINGS)]
    league = League(staff.club, staff.admin, partial(set_clock, staff.club, rng=staff.rng), today, years)
    kasse = Treasurer(staff.club, staff.players, staff.admin, league.at, today)
    for plan in seasons(cast, Random(SEED), today):  # noqa: S311  # nosec B311  # as above
        with short_transaction():
            league.reach(plan.held_on)
        with short_transaction():
            kasse.reach(plan.held_on)
        with short_transaction():
            if plan.typed:
                play_evening(staff, plan, kasse.fine)
            else:
                write(staff, [plan])
    with short_transaction():
        farewell(staff, cast)
    update_years(staff.club.pk)
    return staff.club, logins


def _make_herzdame(today: Day, slug: str, until: datetime.datetime, hire: Hire) -> tuple[Club, Logins]:
    cast = replace(herzdame(), slug=slug)
    with short_transaction():
        rng = Random(f"{SEED} {today} {slug}")  # noqa: S311  # nosec B311  # as above
        staff, logins = found(cast, rng, hire, on=founded(today), until=until)
        write(staff, list(fridays(cast, rng, today)))
    update_years(staff.club.pk)
    return staff.club, logins


MAKE: Final = {KREUZ_DAME: _make_kreuz_dame, HERZDAME: _make_herzdame}


def renew() -> int:
    """Make the shared clubs anew whose day is over, where nothing is being entered, and return how many. Each is made beside the
    old one and then takes its address and its logins. One that lost a login has become something else, and stays as it is."""
    now, day, renewed = timezone.now(), timezone.localdate(), 0
    for slug in MAKE if settings.DEMO else ():
        old = Club.objects.filter(slug=slug, demo_until__lte=now).first()
        if old is None or _in_use(old, now):
            continue
        with suppress(LoginUnknown, Club.DoesNotExist):  # another process was quicker
            beside = f"{slug}-{get_random_string(8).lower()}"
            new, _logins = MAKE[slug](day, beside, now + MADE_WITHIN, partial(_hire_again, old))
            with hidden() as leaving:
                _replace(old, new, leaving, end_of(day))
            renewed += 1
    return renewed


def _in_use(club: Club, now: datetime.datetime) -> bool:
    return Change.objects.filter(club=club, at__gt=now - IN_USE, at__lte=now).exists()


def _hire_again(old: Club, *, club: Club, actor: Actor, login: str, roles: Collection[str]) -> tuple[Membership, str]:
    """A login of the old club, with its password as it is. Raises LoginUnknown."""
    if not old.memberships.filter(user__username=login).exists():
        raise LoginUnknown
    return add_member(club=club, actor=actor, login=login, roles=roles), ""


@transaction.atomic
def _replace(old: Club, new: Club, leaving: str, until: datetime.datetime) -> None:
    """Give the new club the address of the old one, and the logins that were taken into that besides."""
    slug = old.slug
    lock_club(old)
    there = Membership.objects.filter(club=new).values("user")
    Membership.objects.filter(club=old).exclude(user__in=there).update(club=new)
    hide(old, leaving)
    Club.objects.filter(pk=new.pk).update(slug=slug, demo_until=until)


def farewell(staff: Staff, cast: Cast) -> None:
    """Who left during the seasons is seen off by the admin."""
    for person in cast.people:
        if person.left_on is not None:
            before = last_change(staff.club)
            change_player(
                player=staff.players[person.name],
                actor=staff.admin,
                name=person.name,
                guest=person.guest,
                joined_on=person.joined_on,
                left_on=person.left_on,
                user=None,
            )
            set_clock(staff.club, before, begin_of(person.left_on), staff.rng)


def seasons(cast: Cast, rng: Random, today: Day) -> Iterator[Plan]:
    """An evening a week, and long ago not every week. The first one of a month is a Turnier, the one of today goes on."""
    regulars, guests = ([person for person in cast.people if person.guest == guest] for guest in (False, True))
    number, was_held = -1, False
    for ago in reversed(range(FIRST + 1)):
        must = ago < WEEKLY or ago in FINES or ago in GUEST_CAME
        was_held = must or not was_held or rng.random() < 0.25
        if not was_held:
            continue
        number += 1
        day, stops, away = today - ago * WEEK, ago == 0, number == AWAY
        tournament = day.day <= 7 and not (away or stops)
        seats = 5 if stops or rng.random() < (0.15 if tournament else 0.45) else 4
        came = guests if ago in GUEST_CAME else []
        yield Plan(
            held_on=day,
            rules=cast.rules[tournament].name,
            people=(*who_comes(rng, regulars, day, seats - len(came)), *came),
            games=11 if stops else 24 if tournament else rng.randint(20, 24),
            place=HOLIDAY_HOME if away else rng.choice(cast.places),
            written="short" if away else "bands" if rng.random() < 0.1 and not tournament else "eyes",
            extra=EXTRAS.get(number, ""),
            stops=stops,
            typed=number in EXTRAS or ago in FINES or ago <= LATELY,
        )


def fridays(cast: Cast, rng: Random, today: Day) -> Iterator[Plan]:
    """A private round with few evenings, always the same five people."""
    for weeks in (20, 7, 3):
        day = today - weeks * WEEK
        people = who_comes(rng, cast.people, day, len(cast.people))
        yield Plan(held_on=day, rules=cast.rules[0].name, people=people, games=15, place="")
