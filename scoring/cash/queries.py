"""Check the books against their laws, each with a fixed number of queries, to find what was changed past the triggers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count, F, Max, Q, Sum

from scoring.cash.evening.queries import convert_legs, get_standing_legs, read_facts_of_evenings, resolve_legs
from scoring.cash.evening.rules import compare_legs
from scoring.cash.laws import Law, list_missing_triggers
from scoring.cash.ledger.queries import compute_hash, get_balances, get_next_month, read_slug, serialize
from scoring.cash.models import MAX_LEG_CENTS, Account, Attendance, Entry, Kind, Leg, Period
from scoring.cash.months.queries import build_contents
from scoring.club.models import Club
from scoring.club.queries import get_merged_players
from scoring.play.models import Evening


class BrokenLaw(NamedTuple):
    """A broken law, and the `values` of its sentence. `club` is set if it could be another one."""

    law: Law
    values: Mapping[str, object] = {}
    club: str = ""


def list_broken_laws(club: Club | None = None) -> Iterator[BrokenLaw]:
    """List the broken laws of the books of one club, or of all clubs and of the triggers. Call it within a snapshot."""
    if club is None:
        for name in list_missing_triggers():
            yield BrokenLaw(Law.UNGUARDED, {"name": name})
    for one in [club] if club is not None else Club.objects.order_by("pk"):
        for fault in list_broken_laws_of_club(one):
            yield fault._replace(club=one.slug)


def list_broken_laws_of_club(club: Club) -> Iterator[BrokenLaw]:
    yield from _check_entries(club)
    yield from _check_numbers(club)
    yield from _check_reversals(club)
    yield from _check_clubs(club)
    yield from _check_periods(club)
    yield from _check_balances(club)
    yield from _check_evenings(club)


def _check_entries(club: Club) -> Iterator[BrokenLaw]:
    entries = Entry.objects.filter(club=club).order_by("pk")
    for entry in entries.filter(number=None):
        yield BrokenLaw(Law.NEVER_SEALED, {"key": entry.key})
    whole = entries.filter(number__isnull=False).annotate(count=Count("legs"), sum=Sum("legs__cents"))
    for entry in whole.filter(Q(count__lt=2) | ~Q(sum=0)):
        yield BrokenLaw(Law.NOT_ZERO, {"number": entry})
    beyond = Q(cents=0) | Q(cents__gt=MAX_LEG_CENTS) | Q(cents__lt=-MAX_LEG_CENTS)
    for leg in Leg.objects.filter(beyond, entry__club=club).select_related("entry").order_by("pk"):
        yield BrokenLaw(Law.LEG_BEYOND, {"number": leg.entry, "cents": leg.cents})


def _check_numbers(club: Club) -> Iterator[BrokenLaw]:
    sealed = Entry.objects.filter(club=club, number__isnull=False).values("year").order_by("year")
    for year in sealed.annotate(count=Count("pk"), last=Max("number")):
        if year["count"] != year["last"]:
            yield BrokenLaw(Law.NUMBER_MISSING, {"year": year["year"]})


def _check_reversals(club: Club) -> Iterator[BrokenLaw]:
    reversals = Entry.objects.filter(club=club, reverses__isnull=False).select_related("reverses").order_by("pk")
    for entry in reversals.prefetch_related("legs", "reverses__legs"):
        was = entry.reverses
        mirrored = was and sorted((leg.account_id, leg.kind, -leg.cents) for leg in was.legs.all())
        own = sorted((leg.account_id, leg.kind, leg.cents) for leg in entry.legs.all())
        if was is None or was.reverses_id or was.club_id != club.pk or was.number is None or own != mirrored:
            yield BrokenLaw(Law.NO_MIRROR, {"number": entry})


def _check_clubs(club: Club) -> Iterator[BrokenLaw]:
    legs = Leg.objects.filter(entry__club=club).exclude(account__club=F("entry__club"))
    for leg in legs.select_related("entry").order_by("pk"):
        yield BrokenLaw(Law.ACCOUNT_ELSEWHERE, {"number": leg.entry})
    for account in Account.objects.filter(club=club, player__isnull=False).exclude(player__club=F("club")):
        yield BrokenLaw(Law.ACCOUNT_OF_NOBODY, {"code": account.code})
    for evening in Evening.objects.filter(club=club, tariff__isnull=False).exclude(tariff__club=F("club")):
        yield BrokenLaw(Law.TARIFF_ELSEWHERE, {"date": evening})
    for row in Attendance.objects.filter(evening__club=club).exclude(player__club=club).select_related("evening"):
        yield BrokenLaw(Law.PERSON_ELSEWHERE, {"date": row.evening})
    for entry in Entry.objects.filter(club=club, evening__isnull=False).exclude(evening__club=F("club")):
        yield BrokenLaw(Law.EVENING_ELSEWHERE, {"number": entry})


def _check_periods(club: Club) -> Iterator[BrokenLaw]:
    """Check each closed month against the month before, its hash and its entries; it has the slug of that day."""
    before, expected = "", None
    periods = list(Period.objects.filter(club=club).order_by("month"))
    expected_contents = build_contents(club, [period.month for period in periods]) if periods else []
    for period, content in zip(periods, expected_contents, strict=True):
        if expected not in (None, period.month):
            yield BrokenLaw(Law.MONTH_OPEN_BEFORE, {"month": period.month})
        if compute_hash(period.statement) != period.sha256:
            yield BrokenLaw(Law.NOT_ITS_HASH, {"month": period.month})
        elif not _matches_statement(period, content, before):
            yield BrokenLaw(Law.NOT_ITS_ENTRIES, {"month": period.month})
        before, expected = period.sha256, get_next_month(period.month)


def _matches_statement(period: Period, content: Mapping[str, Any], before: str) -> bool:
    slug = read_slug(period.statement)
    return slug is not None and period.statement == serialize({**content, "before": before, "club": slug})


def _check_evenings(club: Club) -> Iterator[BrokenLaw]:
    """Check that what is booked by a tariff for each closed evening is its cost."""
    closed = Evening.objects.filter(club=club, closed_at__isnull=False).select_related("tariff")
    was_charged = Q(entries__kind=Kind.EVENING, entries__tariff__isnull=False)
    charged = closed.filter(Q(tariff__isnull=False) | was_charged).distinct()
    merged = get_merged_players(club.pk)
    # One year of evenings is in memory at once.
    for year in charged.dates("held_on", "year"):
        evenings = list(charged.filter(held_on__year=year.year).order_by("pk"))
        standing, facts = get_standing_legs(evenings), read_facts_of_evenings([one for one in evenings if one.tariff], merged)
        for evening in evenings:
            legs = facts[evening.pk].compute_cost(evening.tariff) if evening.tariff else []
            if compare_legs(convert_legs(standing.get(evening.pk, ()), merged), resolve_legs(legs, merged)):
                yield BrokenLaw(Law.NOT_ITS_COST, {"date": evening})


def _check_balances(club: Club) -> Iterator[BrokenLaw]:
    """Add up the balances again, by the plainest SQL."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT code, SUM(cents) FROM scoring_leg JOIN scoring_entry ON scoring_entry.id = entry_id"
            " JOIN scoring_account ON scoring_account.id = account_id"
            " WHERE scoring_entry.club_id = %s AND number IS NOT NULL GROUP BY code HAVING SUM(cents) <> 0",
            [club.pk],
        )
        plain = {code: int(cents) for code, cents in cursor.fetchall()}
    if plain != get_balances(club) or sum(plain.values()) != 0:
        yield BrokenLaw(Law.BALANCES_NOT_ZERO)
