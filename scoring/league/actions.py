"""Set up seasons, close their months, and publish corrections of closed months as supplements. Closing locks the season, so that a
month is closed only once. Published contents are never changed or deleted."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction
from django.forms.models import model_to_dict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.club.actions import Actor, record
from scoring.club.models import HIDDEN_PREFIX, Change, Club, Player, Verb
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.core.text import tidy
from scoring.league.models import SEASON_FIELDS, MonthClosing, Season, Supplement
from scoring.league.queries.news import Waits, compute_waits, list_news_before, list_undecided
from scoring.play.models import Evening
from scoring.play.replay import lock_years

from .queries.books import (
    Books,
    Month,
    compute_hash,
    get_days,
    is_over,
    list_seasons,
    read_all_books,
    read_books,
    serialize_content,
)
from .queries.months import build_publication, find_earlier_open_month, find_open_month, is_supplemented
from .rules import Content, parse_league_settings


class SeasonChanged(ActionRefused):
    sentence = _("Jemand anderes hat die Saison inzwischen geändert. Bitte ansehen und noch einmal speichern.")


# Published months, with their seasons: True if one now differs from what was published, False if it agrees with it again.
MonthChanges = dict[tuple[Season, Month], bool]
_CHANGES: Final[ContextVar[MonthChanges | None]] = ContextVar("month_changes", default=None)


@contextmanager
def collect_month_changes() -> Iterator[MonthChanges]:
    """Yield the changes of published months, which grow while the block runs: of all clubs whose closed evenings it changes."""
    changes: MonthChanges = {}
    token = _CHANGES.set(changes)
    try:
        yield changes
    finally:
        _CHANGES.reset(token)


def update_waits(*, club: int, years: Collection[int] | None = None, **_kwargs: Any) -> None:
    """Receiver of `years_updated`: update the waiting months of the seasons in these years, or in all years."""
    seasons = list(Season.objects.filter(club=club).select_related("club").order_by("pk"))
    if years is not None:
        seasons = [one for one in seasons if any(one.first_day.year <= year <= one.last_day.year for year in years)]
    for season, before, now in store_waits(seasons):
        _collect(season, before["undecided"] if before else {}, now["undecided"])


@transaction.atomic
def fill_missing_waits() -> None:
    uncounted = Season.objects.filter(waits__isnull=True)
    for club in set(uncounted.values_list("club", flat=True)):
        lock_years(club)
        store_waits(list(uncounted.filter(club=club).select_related("club").order_by("pk")))


def store_waits(seasons: Sequence[Season]) -> list[tuple[Season, Waits | None, Waits]]:
    """Store the waiting months of seasons; return each season with old and new value. The caller holds the lock of the years."""
    found = []
    for books in read_all_books(seasons) if seasons else ():
        season, before = books.season, books.season.waits
        if (waits := compute_waits(books)) != before:
            Season.objects.filter(pk=season.pk).update(waits=waits)
            season.waits = waits
        found.append((season, before, waits))
    return found


def _collect(season: Season, before: dict[Month, str], now: dict[Month, str]) -> None:
    changes = _CHANGES.get()
    # A club that is being imported has no pages yet.
    if changes is None or season.club.slug.startswith(HIDDEN_PREFIX):
        return
    # This may run several times in an action; the last result holds.
    changes |= {(season, month): True for month, mark in now.items() if before.get(month) != mark}
    changes |= {(season, month): False for month in before if month not in now}


# Builds the Excel file of a content and its hash. It is a parameter, because actions may not import exports.
BuildFile = Callable[[Content, str], bytes]


@transaction.atomic
def add_season(*, club: Club, actor: Actor, **fields: Any) -> Season:
    """Add a season with these SEASON_FIELDS. Raise ActionRefused, ValidationError and Refused by field."""
    Club.objects.select_for_update().get(pk=club.pk)
    season = Season(club=club)
    _fill(season, fields)
    record(club=club, actor=actor, verb=Verb.SEASON_ADDED, subject=season.pk, after=_values(season))
    _update_waits_of(season)
    return season


@transaction.atomic
def change_season(*, season: Season, version: int, actor: Actor, **fields: Any) -> Season:
    """Replace the SEASON_FIELDS of a season if its `version` is the one that the client saw. Published months stay.
    Raise SeasonChanged, ActionRefused, ValidationError and Refused by field."""
    Club.objects.select_for_update().get(pk=season.club_id)
    season = _lock(season)
    if season.version != version:
        raise SeasonChanged
    before, old = _values(season), copy(season)
    _fill(season, fields)
    if before == (after := _values(season)):
        return season
    _refuse_lost_months(old, season)
    Season.objects.filter(pk=season.pk).update(version=version + 1)
    season.version = version + 1
    record(club=season.club, actor=actor, verb=Verb.SEASON_CHANGED, subject=season.pk, before=before, after=after)
    _update_waits_of(season)
    return season


def follow_renaming(*, change: Change, actor: Actor, **_kwargs: Any) -> None:
    """Receiver of `rulesets.actions.renamed`: rename it in the settings of seasons. Closed months: see `Books.get_settings`."""
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
        after, verb = _values(season), Verb.SEASON_CHANGED
        record(club=change.club, actor=actor, verb=verb, subject=season.pk, before=before, after=after, click=change.click)


def _fill(season: Season, fields: Mapping[str, Any]) -> None:
    for name in SEASON_FIELDS:
        setattr(season, name, fields[name])
    season.name, season.settings = tidy(season.name), parse_league_settings(season.settings)
    season.full_clean()
    others = Season.objects.filter(
        club=season.club_id, unit=season.unit, first_day__lte=season.last_day, last_day__gte=season.first_day
    )
    if any(_share_tables(season, other) for other in others.exclude(pk=season.pk)):
        raise ActionRefused(
            _(
                "In diesen Tagen gibt es schon eine Saison, die in dieser Einheit dieselben Regelwerke zählt. Bitte andere Tage "
                "wählen, oder für jede der beiden Ligen eigene Regelwerke."
            )
        )
    season.save()


def _share_tables(one: Season, other: Season) -> bool:
    """Return whether a table can count in both. A season without chosen rule sets counts all tables."""
    own, others = set(one.settings["rule_sets"]), set(other.settings["rule_sets"])
    return not own or not others or bool(own & others)


def _refuse_lost_months(old: Season, new: Season) -> None:
    """Raise unless published months, and those in which a supplement counts, keep their evenings, unit and counting: a season adds
    up published and new results."""
    fixed = set(MonthClosing.objects.filter(season=new).values_list("month", flat=True))
    fixed |= set(Supplement.objects.filter(season=new).values_list("month", flat=True))
    if fixed and (old.unit != new.unit or not all(_has_same_evenings(old, new, month) for month in fixed)):
        raise ActionRefused(
            _("Abgeschlossene Monate bleiben mit ihren Tagen und ihrer Einheit in der Saison. Bitte andere Tage wählen.")
        )
    if fixed and old.settings["counting"] != new.settings["counting"]:
        sentence = _(
            "In dieser Saison sind schon Monate abgeschlossen, und Ergebnisse verschiedener Wertungen lassen sich nicht "
            "zusammenzählen. Bitte die Saison früher enden lassen und für die neue Wertung eine neue anlegen."
        )
        raise ActionRefused(sentence, field="counting")


def _has_same_evenings(old: Season, new: Season, month: Month) -> bool:
    """Return whether a month keeps its days, or gets only days on which the club did not play."""
    days, other_days = get_days(old, month), get_days(new, month)
    if days is None or other_days is None or not other_days[0] <= days[0] <= days[1] <= other_days[1]:
        return days == other_days
    evenings = Evening.objects.filter(club=new.club_id, held_on__range=other_days)
    return days == other_days or not evenings.exclude(held_on__range=days).exists()


def _values(season: Season) -> dict[str, Any]:
    values = model_to_dict(season, SEASON_FIELDS)
    return {name: one.isoformat() if isinstance(one, datetime.date) else one for name, one in values.items()}


def _update_waits_of(season: Season) -> None:
    lock_years(season.club_id)
    store_waits([season])


def _lock(season: Season) -> Season:
    """Lock a season and return it as it is now. The years are locked first, as when a closed evening changes."""
    lock_years(season.club_id)
    return Season.objects.select_for_update(of=("self",)).select_related("club").get(pk=season.pk)


@transaction.atomic
def close_month(
    *,
    season: Season,
    month: Month,
    actor: Actor,
    seen: str,
    confirmed: bool,
    build_file: BuildFile,
    at: datetime.datetime | None = None,
) -> MonthClosing:
    """Publish a month as it was seen in the preview, whose hash is `seen`: its content, its Excel file and their hashes. A
    published month that differs by now is published as its next version. `at` is for the demo, which closes months in the past.
    Raise InvalidInput without `confirmed` while the month is not over, an evening is open or an earlier month is undecided; else
    ActionRefused."""
    season = _lock(season)
    books = read_books(season)
    content = build_publication(books, month)
    _refuse_closing(books, month, content)
    _refuse_other_preview(content, seen)
    is_open = not is_over(season, month) or any(evening["open"] for evening in content["evenings"])
    if not confirmed and (is_open or list_undecided(list_news_before(books, month, list_seasons(season.club)))):
        raise InvalidInput(
            _(
                "Der Monat ist noch nicht vorbei, ein Abend läuft noch, oder über einen früheren Monat ist noch nicht "
                "entschieden. Bitte ankreuzen, dass trotzdem abgeschlossen wird."
            )
        )
    at = at or timezone.now()
    content |= {"closed_at": at.isoformat(), "closed_by": _get_name(season, actor.login)}
    text = serialize_content(content)
    content_hash = compute_hash(text)
    file = build_file(content, content_hash)
    closing = MonthClosing(
        season=season,
        month=month,
        version=content.get("version", 1),
        content=text,
        content_sha256=content_hash,
        file=file,
        file_sha256=compute_hash(file),
        closed_at=at,
        closed_by=actor.login,
    )
    closing.full_clean()
    closing.save()
    after = {"season": season.pk, "month": month, "version": closing.version, "content_sha256": content_hash}
    record(club=season.club, actor=actor, verb=Verb.MONTH_CLOSED, subject=closing.pk, after=after)
    _update_waits_of(season)
    return closing


def _refuse_closing(books: Books, month: Month, content: Content) -> None:
    if month in books.latest:
        if is_supplemented(books, month):
            raise ActionRefused(_("Zu diesem Monat gibt es schon einen Nachtrag. Was sich noch ändert, wird auch ein Nachtrag."))
        if not content.get("differences"):
            raise ActionRefused(_("Der Monat ist abgeschlossen, und seither ist nichts anders."))
    elif not content["rows"]:
        raise ActionRefused(_("In diesem Monat hat noch niemand gespielt."))
    elif find_earlier_open_month(books, month):
        raise ActionRefused(_("Ein früherer Monat ist noch nicht abgeschlossen. Bitte erst den abschließen."))


def _refuse_other_preview(content: Content, seen: str) -> None:
    if compute_hash(serialize_content(content)) != seen:
        raise ActionRefused(_("Inzwischen hat sich etwas geändert. Bitte noch einmal ansehen, was veröffentlicht würde."))


def _get_name(season: Season, login: User | None) -> str:
    if login is None:
        return ""
    player = Player.objects.filter(club=season.club_id, user=login).first()
    return player.name if player else login.get_username()


@transaction.atomic
def add_supplement(
    *, season: Season, month: Month, actor: Actor, seen: str, reason: str, at: datetime.datetime | None = None
) -> Supplement:
    """Keep a closed month as it was published, and count its differences in the first later month that is not published; `seen` is
    the hash of the preview. Raise ActionRefused, and ValidationError for `reason`."""
    season = _lock(season)
    books = read_books(season)
    content = build_publication(books, month)
    differing = [one for one in content.get("differences", []) if one["difference"]]
    if not differing:
        raise ActionRefused(_("An den Ergebnissen dieses Monats ist seither nichts anders."))
    target = find_open_month(books, month)
    if target is None and is_supplemented(books, month):
        raise ActionRefused(_("Bitte die Saison um einen Monat verlängern: Dann zählt der weitere Nachtrag dort."))
    if target is None:
        raise ActionRefused(_("Alle Monate der Saison sind abgeschlossen. Dieser Monat lässt sich neu abschließen."))
    _refuse_other_preview(content, seen)
    correction = {"differences": differing, "counted": content, "changes": content.get("changes", [])}
    supplement = Supplement(
        season=season,
        about=month,
        month=target,
        content=serialize_content(correction),
        reason=tidy(reason),
        at=at or timezone.now(),
        by=actor.login,
    )
    supplement.full_clean()
    supplement.save()
    after = {"season": season.pk, "month": target, "about": month, "reason": supplement.reason}
    record(club=season.club, actor=actor, verb=Verb.MONTH_SUPPLEMENTED, subject=supplement.pk, after=after)
    _update_waits_of(season)
    return supplement
