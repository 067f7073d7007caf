"""Make the two demo clubs that all visitors share, with two years of evenings. They are made again each day."""

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
from scoring.demo.cast import (
    HERZDAME,
    HOLIDAY_HOME,
    KREUZ_DAME,
    TIME_ZONE,
    WEEK,
    Cast,
    Day,
    Plan,
    build_herzdame,
    build_kreuz_dame,
    choose_people,
    get_day,
    get_founding_day,
    get_start,
)
from scoring.demo.evenings import play_evening, write_evenings
from scoring.demo.founding import Staff, found_club, get_last_change, set_clock
from scoring.demo.kasse import FINES, Treasurer
from scoring.demo.league import BY_AVERAGE, SETTINGS, League
from scoring.imports.actions import hidden_slug, hide_club
from scoring.play.replay import lock_club, update_years

SEED: Final = 439
# Weeks since the first evening. There is one in each of the last 14 weeks; those of the last 8 weeks are entered at the table.
FIRST, WEEKLY, LATELY = 108, 14, 8
# Weeks since the guest came.
GUEST_CAME: Final = (20, 3)
# The evening in the holiday home, and what happened on which evening that was no game.
AWAY: Final = 23
EXTRAS: Final = {
    **dict.fromkeys((7, 19, 33, 50), "redeal"),
    **dict.fromkeys((9, 42), "penalty"),
    **dict.fromkeys((15, 46), "afterthought"),
    27: "correction",
}
# The demo is not made again for this time after the last entry.
IN_USE: Final = datetime.timedelta(hours=1)
# Making a club takes less than this; an older one was interrupted and is deleted like that of a visitor (visitors.py).
MADE_WITHIN: Final = datetime.timedelta(hours=1)

AddLogin = Callable[..., tuple[Membership, str]]
Logins = list[dict[str, str]]


def make_shared_clubs(today: Day | None = None) -> Logins:
    """Make both clubs for this day, by default today. Return login, password and role of each login."""
    day = today or timezone.localdate()
    return [login for slug in MAKE for login in MAKE[slug](day, slug, get_end(day), add_new_login)[1]]


def get_end(day: Day) -> datetime.datetime:
    """Return the midnight after a day, when its demo club ends."""
    return datetime.datetime.combine(day + datetime.timedelta(days=1), datetime.time(), TIME_ZONE)


def _make_kreuz_dame(today: Day, slug: str, until: datetime.datetime, add_login: AddLogin) -> tuple[Club, Logins]:
    cast = replace(build_kreuz_dame(today), slug=slug)
    with short_transaction():
        rng = Random(f"{SEED} {today} {slug}")  # noqa: S311  # nosec B311  # invented games, no secrets
        staff, logins = found_club(cast, rng, add_login, on=get_founding_day(today), until=until)
    years = [(get_day(today, 21), BY_AVERAGE), (get_day(today, 9), SETTINGS)]
    league = League(staff.club, staff.admin, partial(set_clock, staff.club, rng=staff.rng), today, years)
    kasse = Treasurer(staff.club, staff.players, staff.admin, league.run_at, today)
    for plan in plan_seasons(cast, Random(SEED), today):  # noqa: S311  # nosec B311  # as above
        with short_transaction():
            league.catch_up(plan.held_on)
        with short_transaction():
            kasse.catch_up(plan.held_on)
        with short_transaction():
            if plan.typed:
                play_evening(staff, plan, kasse.fine)
            else:
                write_evenings(staff, [plan])
    with short_transaction():
        set_last_days(staff, cast)
    update_years(staff.club.pk)
    return staff.club, logins


def _make_herzdame(today: Day, slug: str, until: datetime.datetime, add_login: AddLogin) -> tuple[Club, Logins]:
    cast = replace(build_herzdame(), slug=slug)
    with short_transaction():
        rng = Random(f"{SEED} {today} {slug}")  # noqa: S311  # nosec B311  # as above
        staff, logins = found_club(cast, rng, add_login, on=get_founding_day(today), until=until)
        write_evenings(staff, list(plan_fridays(cast, rng, today)))
    update_years(staff.club.pk)
    return staff.club, logins


MAKE: Final = {KREUZ_DAME: _make_kreuz_dame, HERZDAME: _make_herzdame}


def renew_shared_clubs() -> int:
    """Make the shared clubs again if their day is over and they are not in use. A club that has lost a login stays as it is."""
    now, day, renewed = timezone.now(), timezone.localdate(), 0
    for slug in MAKE if settings.DEMO else ():
        old = Club.objects.filter(slug=slug, demo_until__lte=now).first()
        if old is None or Change.objects.filter(club=old, at__gt=now - IN_USE, at__lte=now).exists():
            continue
        with suppress(LoginUnknown, Club.DoesNotExist):  # another process was quicker
            beside = f"{slug}-{get_random_string(8).lower()}"
            new, _logins = MAKE[slug](day, beside, now + MADE_WITHIN, partial(_add_old_login, old))
            with hidden_slug() as leaving:
                _replace_club(old, new, leaving, get_end(day))
            renewed += 1
    return renewed


def _add_old_login(old: Club, *, club: Club, actor: Actor, login: str, roles: Collection[str]) -> tuple[Membership, str]:
    """Add a login of the old club with its present password. Raises LoginUnknown."""
    if not old.memberships.filter(user__username=login).exists():
        raise LoginUnknown
    return add_member(club=club, actor=actor, login=login, roles=roles), ""


@transaction.atomic
def _replace_club(old: Club, new: Club, leaving: str, until: datetime.datetime) -> None:
    """Give the new club the slug of the old one, and the logins that were added to that one."""
    slug = old.slug
    lock_club(old)
    there = Membership.objects.filter(club=new).values("user")
    Membership.objects.filter(club=old).exclude(user__in=there).update(club=new)
    hide_club(old, leaving)
    Club.objects.filter(pk=new.pk).update(slug=slug, demo_until=until)


def set_last_days(staff: Staff, cast: Cast) -> None:
    for person in cast.people:
        if person.left_on is not None:
            before = get_last_change(staff.club)
            change_player(player=staff.players[person.name], actor=staff.admin, name=person.name, left_on=person.left_on)
            set_clock(staff.club, before, get_start(person.left_on), staff.rng)


def plan_seasons(cast: Cast, rng: Random, today: Day) -> Iterator[Plan]:
    """Yield the evenings: one a week, fewer long ago. The first of a month is a tournament, that of today stays open."""
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
            people=(*choose_people(rng, regulars, day, seats - len(came)), *came),
            games=11 if stops else 24 if tournament else rng.randint(20, 24),
            place=HOLIDAY_HOME if away else rng.choice(cast.places),
            written="short" if away else "bands" if rng.random() < 0.1 and not tournament else "eyes",
            extra=EXTRAS.get(number, ""),
            stops=stops,
            typed=number in EXTRAS or ago in FINES or ago <= LATELY,
        )


def plan_fridays(cast: Cast, rng: Random, today: Day) -> Iterator[Plan]:
    for weeks in (20, 7, 3):
        day = today - weeks * WEEK
        people = choose_people(rng, cast.people, day, len(cast.people))
        yield Plan(held_on=day, rules=cast.rules[0].name, people=people, games=15, place="")
