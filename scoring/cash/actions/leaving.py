"""Taking back what was booked for a member for days after they left."""

from __future__ import annotations

from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext_noop as _

from scoring.cash.errors import DuesMeanwhile
from scoring.cash.models.books import Entry, Kind, Leg
from scoring.cash.models.facts import Attendance
from scoring.cash.queries.books import is_closed
from scoring.cash.queries.dues import dues_key
from scoring.cash.queries.facts import attendance_of
from scoring.cash.queries.journal import family_of
from scoring.cash.queries.leaving import fees_after_leaving, stands_for
from scoring.club.actions import Actor
from scoring.club.models import Player
from scoring.play.models import Evening

from .facts import Attended, change_attendance, state_of
from .posting import NewLeg, hold, late_day, post, reverse


@transaction.atomic
def take_back_fees(*, player: Player, actor: Actor, seen: str) -> None:
    """Take back the fees after the day on which a member left, as they were `seen`: dues are booked anew without them, on evenings
    they are absent without paying. Raises DuesMeanwhile, and what changing an evening raises."""
    club = player.club
    known = fees_after_leaving(club).get(player, [])
    # Every evening is locked before the books are.
    evenings = Evening.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=[fee.evening for fee in known])
    of_fees = {evening.pk: evening for evening in evenings.select_related("club", "tariff", "host").order_by("pk")}
    hold(club)
    fees = fees_after_leaving(club).get(player, [])
    if player.left_on is None or not fees or stands_for(fees) != seen:
        raise DuesMeanwhile
    # In German, as every reason that is not typed: `reason_said` translates it.
    reason = _("Ausgeschieden am %(day)s") % {"day": f"{player.left_on:%d.%m.%Y}"}
    family = family_of(club, player)
    for fee in fees:
        if fee.evening is None:
            _book_without(Entry.objects.select_related("club", "tariff").get(pk=fee.entry), family, actor, reason)
        else:
            _set_free(of_fees[fee.evening], family, actor)


def _set_free(evening: Evening, family: list[int], actor: Actor) -> None:
    rows = list(attendance_of(evening))
    free = {row.player: Attended(False, Attendance.Absence.FREE, None) for row in rows if row.player_id in family and row.absence}
    seen = state_of(evening, rows)
    change_attendance(evening=evening, actor=actor, people=free, host=evening.host, seen=seen)


def _book_without(entry: Entry, family: list[int], actor: Actor, reason: str) -> None:
    """Reverse the dues of a month and book those of the others anew, in a closed month on the first day that is open."""
    day = late_day(entry.club, entry) if is_closed(entry.club_id, entry.month) else entry.date
    reverse(entry=entry, actor=actor, key=uuid5(entry.key, "reversal"), date=day, reason=reason)
    legs = Leg.objects.filter(entry=entry, account__player__isnull=False).select_related("account__player")
    others = [leg for leg in legs.order_by("pk") if leg.account.player_id not in family]
    if not others:
        return
    lines = [NewLeg(leg.account.player or leg.account.code, leg.cents, leg.kind) for leg in others]
    post(
        club=entry.club,
        actor=actor,
        key=_next_key(entry),
        kind=Kind.DUES,
        date=day,
        lines=[*lines, NewLeg("income:dues", -sum(leg.cents for leg in others), "dues")],
        month=entry.month,
        tariff=entry.tariff,
    )


def _next_key(entry: Entry) -> UUID:
    times = Entry.objects.filter(club=entry.club, kind=Kind.DUES, month=entry.month, number__isnull=False).count()
    return dues_key(entry.month, times)
