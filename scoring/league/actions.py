"""Set up seasons, close their months, and publish corrections of closed months as supplements.

Each action locks the season, so that a month is closed only once. What was published is never changed or deleted.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.club.actions import Actor, record
from scoring.club.models import HIDDEN_PREFIX, Change, Club, Player, Verb
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.core.text import tidy
from scoring.league.models import MonthClosing, Season, Supplement
from scoring.league.queries.news import Waits, news_before, undecided_among, waits_in
from scoring.play.replay import lock_years

from .queries.books import Books, Month, as_text, books_of, days_of, hash_of, is_over, read_books, seasons_of
from .queries.months import earlier_open, open_month, to_publish
from .rules import Content, Supplemented, league_settings


class SeasonsOverlap(ActionRefused):
    sentence = _(
        "In diesen Tagen gibt es schon eine Saison, die in dieser Einheit dieselben Regelwerke zählt. Bitte andere Tage "
        "wählen, oder für jede der beiden Ligen eigene Regelwerke."
    )


class SeasonChanged(ActionRefused):
    sentence = _("Jemand anderes hat die Saison inzwischen geändert. Bitte ansehen und noch einmal speichern.")


class ClosedMonthsStay(ActionRefused):
    sentence = _(
        "Abgeschlossene Monate bleiben mit ihren Tagen und ihrer Einheit in der Saison. Bitte andere Tage wählen."
    )


class CountingStays(ActionRefused):
    sentence = _(
        "In dieser Saison sind schon Monate abgeschlossen, und Ergebnisse verschiedener Wertungen lassen sich nicht "
        "zusammenzählen. Bitte die Saison früher enden lassen und für die neue Wertung eine neue anlegen."
    )


class MonthIsEmpty(ActionRefused):
    sentence = _("In diesem Monat hat noch niemand gespielt.")


@dataclass(eq=False)
class EarlierMonthOpen(ActionRefused):
    """`month` was played in before and is not closed."""

    sentence = _("Ein früherer Monat ist noch nicht abgeschlossen. Bitte erst den abschließen.")

    month: str


class MonthChanged(ActionRefused):
    sentence = _("Inzwischen hat sich etwas geändert. Bitte noch einmal ansehen, was veröffentlicht würde.")


class ConfirmationNeeded(InvalidInput):
    sentence = _(
        "Der Monat ist noch nicht vorbei, ein Abend läuft noch, oder über einen früheren Monat ist noch nicht entschieden. "
        "Bitte ankreuzen, dass trotzdem abgeschlossen wird."
    )


class NothingToPublish(ActionRefused):
    sentence = _("Der Monat ist abgeschlossen, und seither ist nichts anders.")


class MonthHasSupplement(ActionRefused):
    sentence = _("Zu diesem Monat gibt es schon einen Nachtrag. Was sich noch ändert, wird auch ein Nachtrag.")


class NothingToSupplement(ActionRefused):
    sentence = _("An den Ergebnissen dieses Monats ist seither nichts anders.")


class NoOpenMonth(ActionRefused):
    sentence = _("Alle Monate der Saison sind abgeschlossen. Dieser Monat lässt sich neu abschließen.")


@dataclass(frozen=True)
class Heard:
    """The published months that are counted differently now by what was done, and those that are again as they were published,
    each with its season."""

    differ: set[tuple[Season, Month]] = field(default_factory=set)
    agree: set[tuple[Season, Month]] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.differ or self.agree)


_HEARD: Final[ContextVar[Heard | None]] = ContextVar("heard", default=None)


@contextmanager
def listening() -> Iterator[Heard]:
    """What becomes of published months within the block."""
    heard = Heard()
    token = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(token)


def look_again(*, club: int, years: Collection[int] | None = None, **_told: Any) -> None:
    """Count again what waits in the seasons of these years, or of all years, because their closed evenings have changed."""
    every = Season.objects.filter(club=club).select_related("club").order_by("pk")
    seasons = [one for one in every if years is None or any(_holds(one, year) for year in years)]
    for season, before, now in keep_waits(seasons):
        _tell(season, before["undecided"] if before else {}, now["undecided"])


def _holds(season: Season, year: int) -> bool:
    return season.first_day.year <= year <= season.last_day.year


@transaction.atomic
def look_first() -> None:
    """Count what waits in the seasons that were not counted yet, because they are older than the column `waits`."""
    uncounted = Season.objects.filter(waits__isnull=True)
    for club in set(uncounted.values_list("club", flat=True)):
        lock_years(club)
        keep_waits(list(uncounted.filter(club=club).select_related("club").order_by("pk")))


def keep_waits(seasons: Sequence[Season]) -> list[tuple[Season, Waits | None, Waits]]:
    """Count what waits in these seasons, and write it where the row of a season says something else. Answers each season with
    what its row said before and what it says now. The caller holds the years, so that nobody else counts meanwhile."""
    found = []
    for books in books_of(seasons) if seasons else ():
        season, before = books.season, books.season.waits
        if (waits := waits_in(books)) != before:
            Season.objects.filter(pk=season.pk).update(waits=waits)
            season.waits = waits
        found.append((season, before, waits))
    return found


def _tell(season: Season, before: dict[Month, str], now: dict[Month, str]) -> None:
    heard = _HEARD.get()
    # A club that is arriving has no pages yet, and nobody who changed anything in it.
    if heard is None or season.club.slug.startswith(HIDDEN_PREFIX):
        return
    changed = {(season, month) for month, mark in now.items() if before.get(month) != mark}
    gone = {(season, month) for month in before if month not in now}
    # One action may count more than once: what it says last holds.
    heard.differ.difference_update(gone)
    heard.differ.update(changed)
    heard.agree.difference_update(changed)
    heard.agree.update(gone)


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
