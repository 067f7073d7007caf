"""Book the dues of a month, set the status of a member, and take back fees for days after a member left."""

from __future__ import annotations

import datetime
from typing import Any, Final
from uuid import uuid5

from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from scoring.cash.evening.actions import change_attendance, serialize_attendance
from scoring.cash.evening.queries import list_attendance
from scoring.cash.ledger.posting import get_late_day, lock_books, post, reverse
from scoring.cash.ledger.queries import hash_shown, is_closed, list_family_ids
from scoring.cash.models import Attendance, DuesStatus, Entry, Kind, Leg
from scoring.cash.rules.money import DueLeg, build_member_account
from scoring.club.actions import Actor, record
from scoring.club.models import Club, Player, Verb
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.play.models import Evening

from .queries import build_dues_key, get_due, get_fees_after_leaving, get_standing_dues, get_status

_DUES_MEANWHILE: Final = _("Inzwischen hat sich etwas geändert. Bitte noch einmal ansehen, was gebucht würde.")


@transaction.atomic
def book_dues(*, club: Club, actor: Actor, month: str, seen: str) -> Entry:
    """Book the dues of a month as they were `seen`. If they are booked already, return that entry."""
    lock_books(club)
    if standing := get_standing_dues(club, month):
        return standing
    due = get_due(club, month)
    if due is None:
        raise ActionRefused(_("Für diesen Monat ist kein Beitrag zu buchen."))
    if due.seen != seen:
        raise ActionRefused(_DUES_MEANWHILE)
    return post(
        club=club,
        actor=actor,
        key=due.key,
        kind=Kind.DUES,
        date=datetime.date.fromisoformat(f"{month}-01"),
        legs=due.legs,
        month=month,
        tariff=due.tariff,
    )


@transaction.atomic
def set_dues_status(*, player: Player, actor: Actor, month: str, **values: Any) -> None:
    """Set the dues status of a member from a month on, with the other DUES_FIELDS; booked dues stay. The history does not name
    the person."""
    lock_books(player.club)
    player = Player.objects.select_related("club").get(pk=player.pk)
    if player.guest or player.merged_into_id or player.erased_on:
        raise InvalidInput(_("Einen Mitgliedsbeitrag zahlen nur Mitglieder."), field="person")
    rows = list(DuesStatus.objects.filter(player=player).order_by("month"))
    standing = get_status(rows, month)
    if all(getattr(standing, name) == value for name, value in values.items()):
        return
    row = next((row for row in rows if row.month == month), DuesStatus(player=player, month=month))
    for name, value in values.items():
        setattr(row, name, value)
    row.full_clean()
    row.save()
    record(club=player.club, actor=actor, verb=Verb.CASH_DUES_SET, subject=row.pk, after={"month": month})


@transaction.atomic
def take_back_fees(*, player: Player, actor: Actor, seen: str) -> None:
    """Take back the fees after the day on which a member left, as they were `seen`: dues are booked anew without them."""
    club = player.club
    known = get_fees_after_leaving(club).get(player, [])
    # Lock every evening before the books.
    evenings = Evening.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=[fee["evening"] for fee in known])
    of_fees = {evening.pk: evening for evening in evenings.select_related("club", "tariff", "host").order_by("pk")}
    lock_books(club)
    fees = get_fees_after_leaving(club).get(player, [])
    if player.left_on is None or not fees or hash_shown(fees) != seen:
        raise ActionRefused(_DUES_MEANWHILE)
    # In German, like every reason that is not typed: `translate_reason` translates it.
    reason = gettext_noop("Ausgeschieden am %(day)s") % {"day": f"{player.left_on:%d.%m.%Y}"}
    family = list_family_ids(club, player)
    for fee in fees:
        if fee["evening"] is None:
            _book_without(Entry.objects.select_related("club", "tariff").get(pk=fee["entry"]), family, actor, reason)
        else:
            evening = of_fees[fee["evening"]]
            rows = list_attendance(evening)
            absent = [row.player for row in rows if row.player_id in family and row.absence]
            free = {one: Attendance(absence=Attendance.Absence.FREE) for one in absent}
            seen_now = serialize_attendance(evening, rows)
            change_attendance(evening=evening, actor=actor, people=free, host=evening.host, seen=seen_now)


def _book_without(entry: Entry, family: list[int], actor: Actor, reason: str) -> None:
    """Reverse the dues of a month and book them anew without one person, in a closed month on the first open day."""
    day = get_late_day(entry.club, entry) if is_closed(entry.club_id, entry.month) else entry.date
    reverse(entry=entry, actor=actor, key=uuid5(entry.key, "reversal"), date=day, reason=reason)
    legs = Leg.objects.filter(entry=entry, account__player__isnull=False).order_by("pk")
    booked_legs = legs.values_list("kind", "account__player", "cents")
    others = [DueLeg(kind, build_member_account(player), cents) for kind, player, cents in booked_legs if player not in family]
    if not others:
        return
    booked = Entry.objects.filter(club=entry.club, kind=Kind.DUES, month=entry.month, number__isnull=False)
    post(
        club=entry.club,
        actor=actor,
        key=build_dues_key(entry.month, booked.count()),
        kind=Kind.DUES,
        date=day,
        legs=[*others, DueLeg("dues", "income:dues", -sum(leg.cents for leg in others))],
        month=entry.month,
        tariff=entry.tariff,
    )
