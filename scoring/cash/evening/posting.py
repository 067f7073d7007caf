"""Book the cost of an evening. Every change of a closed evening calls this in its own transaction, after the replay."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Sequence
from uuid import UUID, uuid5

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import override

from scoring.cash.ledger.posting import get_late_day, lock_books, post, reverse
from scoring.cash.ledger.queries import is_closed
from scoring.cash.models import Attendance, Entry, Fine, Kind
from scoring.club.actions import Actor, record
from scoring.club.models import Club, Player, Verb
from scoring.club.queries import get_merged_players
from scoring.core.dates import FIRST_DAY
from scoring.play.models import Evening

from .queries import get_standing_entry, list_booked_legs, read_facts, resolve_legs
from .rules import compare_legs


@transaction.atomic
def post_evening(
    evening: Evening, *, actor: Actor, cause: str | Promise, moved_from: datetime.date | None = None
) -> Entry | None:
    """Bring the books in line with the cost of a closed evening, and return the entry that stands. An open evening keeps its entry.
    The caller has already stored all facts that the cost depends on.

    `cause` is why the cost changed; a reversal stores it in German, and `translate_reason` translates it. `moved_from` is the
    earlier day of an evening that was moved: its entry moves to the new day."""
    lock_books(evening.club)
    # Read again, now that the books are locked.
    evening = Evening.objects.select_related("club", "tariff").get(pk=evening.pk)
    number = Entry.objects.filter(evening=evening).count()
    standing = get_standing_entry(evening) if number else None
    if evening.is_open or (standing is None and evening.tariff is None):
        return standing
    facts = read_facts(evening)
    present = [row.pk for row in facts.all_rows if not row.absence]
    Attendance.objects.filter(pk__in=present).exclude(absence="").update(absence="")
    legs = facts.compute_cost(evening.tariff)
    if not _is_misdated(standing, evening, moved_from):
        booked = list_booked_legs(standing, facts.merged)
        if not compare_legs(booked, resolve_legs(legs, facts.merged)):
            return standing
    is_bookable = _is_bookable(evening.club_id, evening.held_on)
    day = evening.held_on if is_bookable else get_late_day(evening.club, standing)
    if standing is not None:
        taken_back = _get_reversal_day(standing, moved_from or evening.held_on)
        with override(settings.LANGUAGE_CODE):
            reason = str(cause)
        reverse(entry=standing, actor=actor, key=_build_key(evening, number), date=taken_back, reason=reason)
        number += 1
    if not legs:
        return None
    return post(
        club=evening.club,
        actor=actor,
        key=_build_key(evening, number),
        kind=Kind.EVENING,
        date=day,
        legs=legs,
        evening=evening,
        tariff=evening.tariff,
    )


def post_evenings(evenings: Iterable[Evening], *, actor: Actor, cause: str | Promise) -> None:
    """Post several evenings, in the order in which they were begun; open ones are skipped without a query."""
    closed = {evening.pk: evening for evening in evenings if not evening.is_open}
    for _pk, evening in sorted(closed.items()):
        post_evening(evening, actor=actor, cause=cause)


def post_merged(club: Club, people: Sequence[Player], *, actor: Actor, cause: str | Promise) -> None:
    """Post the closed evenings at which two or more of `people` were present as one person, after they were merged or separated."""
    merged = get_merged_players(club.pk)
    both = {merged.resolve(player.pk) for player in people}
    rows = Attendance.objects.filter(evening__club=club).values_list("evening", "player")
    times = Counter(evening for evening, player in rows if merged.resolve(player) in both)
    twice = [evening for evening, count in times.items() if count > 1]
    evenings = Evening.objects.filter(pk__in=twice, closed_at__isnull=False).select_related("club")
    post_evenings(evenings, actor=actor, cause=cause)


@transaction.atomic
def drop_evening(evening: Evening, *, actor: Actor) -> None:
    """Mark an evening as dropped and reverse its entry. The caller has deleted its tables."""
    evening.dropped, evening.closed_at = True, evening.closed_at or timezone.now()
    evening.save(update_fields=["dropped", "closed_at"])
    before = {"held_on": evening.held_on.isoformat()}
    record(club=evening.club, actor=actor, verb=Verb.EVENING_DROPPED, subject=evening.pk, before=before)
    post_evening(evening, actor=actor, cause=Verb.EVENING_DROPPED.label)


def delete_or_drop_evening(evening: Evening, *, actor: Actor, booked: bool) -> None:
    """Delete an evening whose tables were deleted, or drop it if the books name it."""
    if booked:
        drop_evening(evening, actor=actor)
        return
    Attendance.objects.filter(evening=evening).delete()
    Fine.objects.filter(evening=evening).delete()
    evening.delete()


def _build_key(evening: Evening, number: int) -> UUID:
    return uuid5(evening.key, f"evening/{number}")


def _is_bookable(club: int, day: datetime.date) -> bool:
    """Return whether entries can be booked on a day; otherwise they are booked on that of `get_late_day`."""
    return FIRST_DAY <= day <= timezone.localdate() and not is_closed(club, f"{day:%Y-%m}")


def _is_misdated(standing: Entry | None, evening: Evening, moved_from: datetime.date | None) -> bool:
    """Return whether the entry of an evening belongs to another day, because the evening was moved, now or while it was
    open. If the new day is in a closed month, the entry keeps its day; only if the evening was moved there from an open
    month, the entry moves to the day of late entries."""
    if standing is None:
        return False
    if _is_bookable(evening.club_id, evening.held_on):
        return standing.date != evening.held_on
    came = moved_from is not None and _is_bookable(evening.club_id, moved_from)
    return came and standing.date != get_late_day(evening.club, standing)


def _get_reversal_day(standing: Entry, held_on: datetime.date) -> datetime.date:
    """Return the day of the entry, or the day of late entries if its month or the month of the evening is closed."""
    club = standing.club_id
    on_time = _is_bookable(club, held_on) and _is_bookable(club, standing.date)
    return standing.date if on_time else get_late_day(standing.club, standing)
