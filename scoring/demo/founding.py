"""Found an invented club by the actions, and set the times of its log entries back to invented days."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import UUID

from django.utils import timezone

from scoring.club.actions import Actor, add_new_login, add_player
from scoring.club.models import Change, Club, Membership, Player, Verb
from scoring.demo.cast import Cast, Day, get_start
from scoring.play.models import Evening, Game
from scoring.rulesets.actions import add_rule_set
from scoring.rulesets.models import RuleSet


@dataclass
class Staff:
    """A club with its players and rule sets by name, and the authors of its changes."""

    club: Club
    rng: Random
    players: dict[str, Player]
    rules: dict[str, RuleSet]
    admin: Actor
    scorer: Actor


def found_club(
    cast: Cast,
    rng: Random,
    add_login: Callable[..., tuple[Membership, str]] = add_new_login,
    *,
    on: Day,
    until: datetime.datetime | None = None,
) -> tuple[Staff, list[dict[str, str]]]:
    """Found a club on the day `on`, before its first evening. A demo club exists `until` then. Return it with its logins."""
    club = Club.objects.create(name=cast.name, slug=cast.slug, demo_until=until, **dict.fromkeys(cast.shows, True))
    users, logins = {}, []
    for login in cast.logins:
        member, password = add_login(club=club, actor=Actor(), login=login.login, roles=login.roles)
        users[login.player] = member.user
        logins.append({"login": login.login, "password": password, "role": login.role})
    admin, scorer = (
        Actor(users[login.player], admin="admin" in login.roles)
        for login in (cast.logins[0], cast.logins[1 % len(cast.logins)])
    )
    rules = {
        kind.name: add_rule_set(club=club, actor=admin, preset=kind.preset, name=kind.name, settings=kind.settings)
        for kind in cast.rules
    }
    players = {
        one.name: add_player(
            club=club, actor=admin, name=one.name, guest=one.guest, joined_on=one.joined_on, user=users.get(one.name)
        )
        for one in cast.people
    }
    set_clock(club, 0, get_start(on), rng)
    return Staff(club, rng, players, rules, admin, scorer), logins


def get_last_change(club: Club) -> int:
    return Change.objects.filter(club=club).order_by("-pk").values_list("pk", flat=True).first() or 0


def set_clock(club: Club, after: int, begin: datetime.datetime, rng: Random) -> None:
    """Set the times of all changes after the log entry `after` back to an invented evening; none is in the future."""
    changes = list(Change.objects.filter(club=club, pk__gt=after).order_by("pk"))
    taken = [_choose_delay(change, rng) for change in changes]
    now = min(begin, timezone.now() - sum(taken, datetime.timedelta()))
    games: dict[Any, datetime.datetime] = {}
    for change, later in zip(changes, taken, strict=True):
        now += later
        change.at = now
        if change.verb == Verb.GAME_ADDED:
            games[UUID(change.subject_id)] = now
        if change.verb == Verb.EVENING_CLOSED:
            Evening.objects.filter(pk=change.subject_id).update(closed_at=now)
    Change.objects.bulk_update(changes, ["at"])
    entered = [Game(key=key, entered_at=at) for key, at in games.items()]
    Game.objects.bulk_update(entered, ["entered_at"])


def _choose_delay(change: Change, rng: Random) -> datetime.timedelta:
    """Return the time since the change before: minutes for a game, a night for a correction on the next morning."""
    match change.verb:
        case Verb.GAME_ADDED:
            return datetime.timedelta(minutes=rng.randint(5, 9))
        case Verb.EVENING_REOPENED:
            return datetime.timedelta(hours=11)
    return datetime.timedelta(minutes=1)
