"""Seasons and their months: setting up and changing a season, closing a month, and what becomes of a correction after
that. Each action locks the season, so that a month is closed once however many press the button. Nothing here changes
or deletes what was published."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scoring.club.actions import Actor, record
from scoring.club.models import Change, Club, Player, Verb
from scoring.core.text import tidy
from scoring.league.errors import (
    ClosedMonthsStay,
    ConfirmationNeeded,
    CountingStays,
    EarlierMonthOpen,
    MonthChanged,
    MonthHasSupplement,
    MonthIsEmpty,
    NoOpenMonth,
    NothingToPublish,
    NothingToSupplement,
    SeasonChanged,
    SeasonsOverlap,
)
from scoring.league.models import MonthClosing, Season, Supplement
from scoring.league.queries.books import Books, Month, as_text, days_of, hash_of, is_over, read_books, seasons_of
from scoring.league.queries.months import earlier_open, open_month, to_publish
from scoring.league.queries.news import news_before, undecided_among
from scoring.league.rules.content import Content, Supplemented
from scoring.league.rules.settings import league_settings
from scoring.play.replay import lock_years

from .news import keep_waits

# Makes the Excel file of a content; what it looks like is decided further right.
AsFile = Callable[[Content, str], bytes]


# Seven parameters: the fields of a season, all of which are asked for.
@transaction.atomic
def add_season(
    *,
    club: Club,
    actor: Actor,
    name: str,
    first_day: datetime.date,
    last_day: datetime.date,
    unit: str,
    settings: Mapping[str, Any],
) -> Season:
    """A season of the club, which is asked for with all its fields. Raises ValidationError and Refused by field,
    SeasonsOverlap."""
    Club.objects.select_for_update().get(pk=club.pk)
    season = Season(club=club)
    _fill(season, name, first_day, last_day, unit, settings)
    record(club=club, actor=actor, verb=Verb.SEASON_ADDED, subject=season.pk, after=_values(season))
    _keep_waits(season)
    return season


# Eight parameters: the fields of a season, as whom and which version of it somebody saw.
@transaction.atomic
def change_season(
    *,
    season: Season,
    version: int,
    actor: Actor,
    name: str,
    first_day: datetime.date,
    last_day: datetime.date,
    unit: str,
    settings: Mapping[str, Any],
) -> Season:
    """Replace what a season is, seen as `version`; what was published stays as it is, and is compared by the settings of
    its day. Where nothing differs nothing is written. Raises ValidationError and Refused by field, SeasonsOverlap,
    SeasonChanged, ClosedMonthsStay, CountingStays."""
    Club.objects.select_for_update().get(pk=season.club_id)
    season = _lock(season)
    if season.version != version:
        raise SeasonChanged
    before = _values(season)
    old = Season(first_day=season.first_day, last_day=season.last_day, unit=season.unit, settings=season.settings)
    _fill(season, name, first_day, last_day, unit, settings)
    if before == (after := _values(season)):
        return season
    _refuse_lost_months(old, season)
    Season.objects.filter(pk=season.pk).update(version=version + 1)
    season.version = version + 1
    record(club=season.club, actor=actor, verb=Verb.SEASON_CHANGED, subject=season.pk, before=before, after=after)
    _keep_waits(season)
    return season


def follow_renaming(*, change: Change, actor: Actor, **_told: Any) -> None:
    """A rule set of the club is called otherwise: the seasons that count by it keep counting by it. Months that were published
    still say its name of then (`Books.settings_of`)."""
    old, new = (change.before or {})["name"], (change.after or {})["name"]
    lock_years(change.club_id)
    for season in Season.objects.select_for_update(of=("self",)).filter(club=change.club_id).order_by("pk"):
        names = season.settings["rule_sets"]
        if old not in names:
            continue
        before = _values(season)
        season.settings = {**season.settings, "rule_sets": [new if name == old else name for name in names]}
        season.version += 1
        season.save(update_fields=["settings", "version"])
        record(
            club=change.club,
            actor=actor,
            verb=Verb.SEASON_CHANGED,
            subject=season.pk,
            before=before,
            after=_values(season),
            click=change.click,
        )


def _fill(
    season: Season,
    name: str,
    first_day: datetime.date,
    last_day: datetime.date,
    unit: str,
    settings: Mapping[str, Any],
) -> None:
    season.settings = league_settings(settings)
    season.name, season.first_day, season.last_day, season.unit = tidy(name), first_day, last_day, unit
    season.full_clean()
    others = Season.objects.filter(club=season.club_id, unit=unit, first_day__lte=last_day, last_day__gte=first_day)
    if any(_share_tables(season, other) for other in others.exclude(pk=season.pk)):
        raise SeasonsOverlap
    season.save()


def _share_tables(one: Season, other: Season) -> bool:
    """Would a table count in both? Two leagues at once have rule sets of their own; where none are chosen all count."""
    chosen, others = set(one.settings["rule_sets"]), set(other.settings["rule_sets"])
    return not chosen or not others or bool(chosen & others)


def _refuse_lost_months(old: Season, new: Season) -> None:
    """A month that was published keeps its days and its unit; and what is counted stays the same, since the season and
    supplements add up what was published and what is counted now."""
    closed = set(MonthClosing.objects.filter(season=new).values_list("month", flat=True))
    closed |= set(Supplement.objects.filter(season=new).values_list("month", flat=True))
    if closed and (old.unit != new.unit or any(days_of(old, month) != days_of(new, month) for month in closed)):
        raise ClosedMonthsStay
    if closed and old.settings["counting"] != new.settings["counting"]:
        raise CountingStays


def _values(season: Season) -> dict[str, Any]:
    """What the history keeps of a season."""
    return {
        "first_day": season.first_day.isoformat(),
        "last_day": season.last_day.isoformat(),
        "unit": season.unit,
        "name": season.name,
        "settings": season.settings,
    }


def _keep_waits(season: Season) -> None:
    lock_years(season.club_id)
    keep_waits([season])


def _lock(season: Season) -> Season:
    """The season as it is now; whoever else wants to change or close anything of it waits, and so does whoever changes a closed
    evening, who holds the years first and then writes what waits here."""
    lock_years(season.club_id)
    return Season.objects.select_for_update(of=("self",)).select_related("club").get(pk=season.pk)


# --- Months -----------------------------------------------------------------------------------------------------------


# Seven parameters: what was seen and confirmed, how its file is made, and `at`, for the demo alone, which closes its months in
# the past.
@transaction.atomic
def close_month(
    *,
    season: Season,
    month: Month,
    actor: Actor,
    seen: str,
    confirmed: bool,
    as_file: AsFile,
    at: datetime.datetime | None = None,
) -> MonthClosing:
    """Publish a month as `seen`, the hash of the preview: its page, its Excel file and their hashes, which nothing
    changes any more. A month that was published already and differs by now is published again, as its next version.
    `confirmed` where the month is not over, one of its evenings is open or an earlier month is undecided; `as_file` makes
    the file, which is decided further right; `at` is now unless told. Raises NothingToPublish, MonthHasSupplement,
    MonthIsEmpty, EarlierMonthOpen, MonthChanged, ConfirmationNeeded."""
    season = _lock(season)
    books = read_books(season)
    content = to_publish(books, month)
    _refuse_closing(books, month, content)
    if hash_of(as_text(content)) != seen:
        raise MonthChanged
    is_open = not is_over(season, month) or any(evening["open"] for evening in content["evenings"])
    if not confirmed and (is_open or undecided_among(news_before(books, month, seasons_of(season.club)))):
        raise ConfirmationNeeded
    at = at or timezone.now()
    content |= {"closed_at": at.isoformat(), "closed_by": _name(season, actor.login)}
    text = as_text(content)
    content_hash = hash_of(text)
    file = as_file(content, content_hash)
    closing = MonthClosing(
        season=season,
        month=month,
        version=content.get("version", 1),
        content=text,
        content_sha256=content_hash,
        file=file,
        file_sha256=hash_of(file),
        closed_at=at,
        closed_by=actor.login,
    )
    closing.full_clean()
    closing.save()
    record(
        club=season.club,
        actor=actor,
        verb=Verb.MONTH_CLOSED,
        subject=closing.pk,
        after={"season": season.pk, "month": month, "version": closing.version, "content_sha256": content_hash},
    )
    _keep_waits(season)
    return closing


def _refuse_closing(books: Books, month: Month, content: Content) -> None:
    if month in books.latest:
        if any(one.about == month for one in books.supplements):
            raise MonthHasSupplement
        if not content.get("differences"):
            raise NothingToPublish
    elif not content["rows"]:
        raise MonthIsEmpty
    elif earlier := earlier_open(books, month):
        raise EarlierMonthOpen(earlier)


def _name(season: Season, login: User | None) -> str:
    """What whoever closes a month is called in the club."""
    if login is None:
        return ""
    player = Player.objects.filter(club=season.club_id, user=login).first()
    return player.name if player else login.get_username()


@transaction.atomic
def add_supplement(
    *,
    season: Season,
    month: Month,
    actor: Actor,
    seen: str,
    reason: str,
    at: datetime.datetime | None = None,
) -> Supplement:
    """Leave a closed month as it was published, and count what differs by now in the open month, as `seen` in the
    preview. Raises ValidationError by field, MonthChanged, NothingToSupplement, NoOpenMonth."""
    season = _lock(season)
    books = read_books(season)
    if month not in books.latest:
        raise NothingToSupplement
    content = to_publish(books, month)
    differing = [one for one in content.get("differences", []) if one["difference"]]
    if not differing:
        raise NothingToSupplement
    target = open_month(books, month)
    if target is None:
        raise NoOpenMonth
    if hash_of(as_text(content)) != seen:
        raise MonthChanged
    kept: Supplemented = {"differences": differing, "counted": content, "changes": content.get("changes", [])}
    supplement = Supplement(
        season=season,
        about=month,
        month=target,
        content=as_text(kept),
        reason=tidy(reason),
        at=at or timezone.now(),
        by=actor.login,
    )
    supplement.full_clean()
    supplement.save()
    record(
        club=season.club,
        actor=actor,
        verb=Verb.MONTH_SUPPLEMENTED,
        subject=supplement.pk,
        after={"season": season.pk, "month": target, "about": month, "reason": supplement.reason},
    )
    _keep_waits(season)
    return supplement
