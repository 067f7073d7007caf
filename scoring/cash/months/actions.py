"""Close months of the Kasse for good, in order, each with its statement and hash; countersign a month; set the month in
which a year begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.cash.ledger.posting import lock_books
from scoring.cash.ledger.queries import compute_hash, get_month_days, is_closed
from scoring.cash.models import BookYear, Countersignature, Period
from scoring.cash.queries import BrokenLaw, list_broken_laws_of_club
from scoring.club.actions import Actor, lock_club, record
from scoring.club.models import Club, Verb
from scoring.core.errors import ActionRefused
from scoring.play.models import Evening

from .queries import build_drafts, list_open_months


class MonthNotOver(ActionRefused):
    sentence = _("Dieser Monat ist noch nicht vorbei.")


class EarlierMonthFirst(ActionRefused):
    sentence = _("Ein früherer Monat der Kasse ist noch nicht abgeschlossen. Bitte erst den abschließen.")


class EveningOfMonthOpen(ActionRefused):
    sentence = _("In diesem Monat läuft noch ein Abend. Bitte erst den Abend abschließen.")


@dataclass(eq=False)
class BooksBroken(ActionRefused):
    """The books break laws: `faults`."""

    sentence = _("Die Bücher stimmen nicht: Bitte erst klären, was hier steht.")

    faults: Sequence[BrokenLaw]


class MonthIsClosedAlready(ActionRefused):
    sentence = _("Dieser Monat der Kasse ist schon abgeschlossen.")


class StatementChanged(ActionRefused):
    sentence = _("Inzwischen hat sich etwas geändert. Bitte noch einmal ansehen, was abgeschlossen würde.")


class OwnSignature(ActionRefused):
    sentence = _("Gegenzeichnen kann nur ein anderer Zugang als der, der abgeschlossen hat.")


class SignedAlready(ActionRefused):
    sentence = _("Mit diesem Zugang ist schon gegengezeichnet.")


@transaction.atomic
def close_month(*, club: Club, actor: Actor, month: str, seen: str) -> Period:
    """Close a month as it was seen; `seen` is its hash. Raises MonthIsClosedAlready, MonthNotOver, EarlierMonthFirst,
    EveningOfMonthOpen, BooksBroken, StatementChanged."""
    lock_books(club)
    months = _list_months_until(club, month)
    if len(months) > 1:
        raise EarlierMonthFirst
    (period,) = _close(club, actor, months, seen)
    return period


@transaction.atomic
def close_months(*, club: Club, actor: Actor, until: str, seen: str) -> list[Period]:
    """Close all open months up to one, in order and as they were seen; `seen` is the hash of the last one, since it
    includes those before. Raises what `close_month` raises."""
    lock_books(club)
    return _close(club, actor, _list_months_until(club, until), seen)


def _list_months_until(club: Club, month: str) -> list[str]:
    """List the open months up to one that is over."""
    if is_closed(club.pk, month):
        raise MonthIsClosedAlready
    if month >= f"{timezone.localdate():%Y-%m}":
        raise MonthNotOver
    months = list_open_months(club, month)
    if not months:
        raise EarlierMonthFirst
    return months


def _close(club: Club, actor: Actor, months: Sequence[str], seen: str) -> list[Period]:
    days = get_month_days(months[0])[0], get_month_days(months[-1])[1]
    if Evening.objects.filter(club=club, held_on__range=days, closed_at=None).exists():
        raise EveningOfMonthOpen
    if faults := list(list_broken_laws_of_club(club)):
        raise BooksBroken(faults)
    texts = list(build_drafts(club, months))
    if compute_hash(texts[-1]) != seen:
        raise StatementChanged
    return [_publish(club, actor, month, text) for month, text in zip(months, texts, strict=True)]


def _publish(club: Club, actor: Actor, month: str, text: str) -> Period:
    values = {"month": month, "sha256": compute_hash(text)}
    period = Period.objects.create(club=club, statement=text, closed_by=actor.login, **values)
    record(club=club, actor=actor, verb=Verb.CASH_CLOSED, subject=period.pk, after=values)
    return period


@transaction.atomic
def countersign(*, period: Period, actor: Actor) -> Countersignature:
    """Countersign a closed month with a second login. Raises OwnSignature, SignedAlready."""
    lock_books(period.club)
    if actor.login is None or actor.login.pk == period.closed_by_id:
        raise OwnSignature
    if Countersignature.objects.filter(period=period, signed_by=actor.login).exists():
        raise SignedAlready
    signed = Countersignature.objects.create(period=period, signed_by=actor.login)
    values = {"month": period.month, "sha256": period.sha256}
    record(club=period.club, actor=actor, verb=Verb.CASH_COUNTERSIGNED, subject=period.pk, after=values)
    return signed


@transaction.atomic
def set_first_month(*, club: Club, actor: Actor, first_month: int) -> None:
    """Set the month in which a year of the Kasse begins."""
    lock_club(club)
    year, _made = BookYear.objects.get_or_create(club=club, defaults={"first_month": 1})
    before, year.first_month = year.first_month, first_month
    if before != first_month:
        year.save()
        record(
            club=club,
            actor=actor,
            verb=Verb.CASH_YEAR_SET,
            subject=year.pk,
            before={"first_month": before},
            after={"first_month": first_month},
        )
