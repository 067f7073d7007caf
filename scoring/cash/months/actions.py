"""Close months of the Kasse for good, countersign them, and set the month in which a year begins."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.cash.ledger.posting import lock_books
from scoring.cash.ledger.queries import compute_hash, get_month_days, is_closed
from scoring.cash.models import BookYear, Countersignature, Period
from scoring.cash.queries import BrokenLaw, list_broken_laws_of_club
from scoring.club.actions import Actor, lock_club, record
from scoring.club.models import Club, Verb
from scoring.core.dates import get_this_month
from scoring.core.errors import ActionRefused
from scoring.core.formats import format_month
from scoring.play.models import Evening

from .queries import build_drafts, list_open_months


class BooksBroken(ActionRefused):
    sentence = _("Die Bücher stimmen nicht: Bitte erst klären, was hier steht.")

    def __init__(self, faults: Sequence[BrokenLaw]) -> None:
        super().__init__()
        self.faults = faults


@transaction.atomic
def close_month(*, club: Club, actor: Actor, month: str, seen: str) -> Period:
    """Close a month ("2026-03"); `seen` is the hash of its draft statement. Raise BooksBroken (with `faults`) or ActionRefused."""
    lock_books(club)
    months = _list_months_until(club, month)
    if len(months) > 1:
        raise ActionRefused(_("Ein früherer Monat der Kasse ist noch nicht abgeschlossen. Bitte erst den abschließen."))
    (period,) = _close(club, actor, months, seen)
    return period


@transaction.atomic
def close_months(*, club: Club, actor: Actor, until: str, seen: str) -> list[Period]:
    """Close all open months up to `until`, in order; `seen` is the hash of the draft statement of the last one, since it includes
    those before. Raise as `close_month`."""
    lock_books(club)
    return _close(club, actor, _list_months_until(club, until), seen)


def _list_months_until(club: Club, month: str) -> list[str]:
    if is_closed(club.pk, month):
        raise ActionRefused(_("Dieser Monat der Kasse ist schon abgeschlossen."))
    if month >= get_this_month():
        raise ActionRefused(_("Dieser Monat ist noch nicht vorbei."))
    months = list_open_months(club, month)
    if not months:
        raise ActionRefused(_("Bis zu diesem Monat ist noch nichts gebucht: Es gibt nichts abzuschließen."))
    return months


def _close(club: Club, actor: Actor, months: Sequence[str], seen: str) -> list[Period]:
    days = get_month_days(months[0])[0], get_month_days(months[-1])[1]
    if evening := Evening.objects.filter(club=club, held_on__range=days, closed_at=None).order_by("held_on").first():
        sentence = _("Im %(month)s läuft noch ein Abend. Bitte erst den Abend abschließen.")
        raise ActionRefused(sentence % {"month": format_month(f"{evening.held_on:%Y-%m}")})
    if faults := list(list_broken_laws_of_club(club)):
        raise BooksBroken(faults)
    texts = list(build_drafts(club, months))
    if compute_hash(texts[-1]) != seen:
        raise ActionRefused(_("Inzwischen hat sich etwas geändert. Bitte noch einmal ansehen, was abgeschlossen würde."))
    return [_publish(club, actor, month, text) for month, text in zip(months, texts, strict=True)]


def _publish(club: Club, actor: Actor, month: str, text: str) -> Period:
    values = {"month": month, "sha256": compute_hash(text)}
    period = Period.objects.create(club=club, statement=text, closed_by=actor.login, **values)
    record(club=club, actor=actor, verb=Verb.CASH_CLOSED, subject=period.pk, after=values)
    return period


@transaction.atomic
def countersign(*, period: Period, actor: Actor) -> Countersignature:
    lock_books(period.club)
    if actor.login is None or actor.login.pk == period.closed_by_id:
        raise ActionRefused(_("Gegenzeichnen kann nur ein anderer Zugang als der, der abgeschlossen hat."))
    if Countersignature.objects.filter(period=period, signed_by=actor.login).exists():
        raise ActionRefused(_("Mit diesem Zugang ist schon gegengezeichnet."))
    signed = Countersignature.objects.create(period=period, signed_by=actor.login)
    values = {"month": period.month, "sha256": period.sha256}
    record(club=period.club, actor=actor, verb=Verb.CASH_COUNTERSIGNED, subject=period.pk, after=values)
    return signed


@transaction.atomic
def set_first_month(*, club: Club, actor: Actor, first_month: int) -> None:
    lock_club(club)
    year, _made = BookYear.objects.get_or_create(club=club, defaults={"first_month": 1})
    before, year.first_month = year.first_month, first_month
    if before != first_month:
        year.save()
        was, is_now = {"first_month": before}, {"first_month": first_month}
        record(club=club, actor=actor, verb=Verb.CASH_YEAR_SET, subject=year.pk, before=was, after=is_now)
