"""The only way into the books: `post` books an entry, `reverse` takes one back by an entry that mirrors it; `post_all`
and `reverse_all` do so for many at once.

An entry is written with its legs and sealed with the next number in one transaction, under the lock of the club's books; its key
books once. This lock is always taken last: after it no table of the game is locked."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import Final
from uuid import UUID, uuid5

from django.db import connection, transaction
from django.db.models import Max, Q, prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.cash.laws import LOCK_CALL
from scoring.cash.models import EXPLAINED, MAX_LEG_CENTS, Account, Entry, Kind, Leg, Tariff
from scoring.cash.rules.money import DueLeg, build_member_account, merge_legs, parse_player
from scoring.club.actions import Actor, record
from scoring.club.models import Club, Verb
from scoring.core.database import insert
from scoring.core.dates import FIRST_DAY
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.core.text import tidy
from scoring.play.models import Evening

from .queries import get_first_open_day, is_closed

KEY_BOOKED: Final = _("Hier ist schon etwas gebucht. Bitte die Seite neu laden.")
REASON_NEEDED: Final = _("Bitte einen Grund angeben, mit 3 bis 200 Zeichen.")
DAY_TO_COME: Final = _("Gebucht wird höchstens bis heute. Bitte einen früheren Tag angeben.")
SHORTEST_REASON: Final = 3


@transaction.atomic
def post(
    *,
    club: Club,
    actor: Actor,
    key: UUID,
    kind: Kind,
    date: datetime.date,
    legs: Iterable[DueLeg],
    evening: Evening | None = None,
    month: str = "",
    tariff: Tariff | None = None,
    reason: str = "",
) -> Entry:
    """Book an entry, its legs added up by account and kind. The same key with the same content returns what is stored. Raise
    InvalidInput (by field, and for other content), ValidationError, or ActionRefused if its month is closed."""
    if kind == Kind.REVERSAL:
        raise ValueError("For a reversal call `reverse`.")
    entry = Entry(club=club, key=key, kind=kind, date=date, evening=evening, month=month, tariff=tariff, reason=tidy(reason))
    lock_books(club)
    (rows,) = _build_rows(club, [list(legs)])
    return _book(entry, rows, actor, Verb.CASH_BOOKED)


@transaction.atomic
def reverse(*, entry: Entry, actor: Actor, key: UUID, date: datetime.date, reason: str) -> Entry:
    """Take an entry back by another one that mirrors its legs. The same key again returns what is stored. Raise what `post` raises,
    and ActionRefused if it is a reversal or reversed already."""
    lock_books(entry.club)
    return _book(_build_reversal(entry, key, date, tidy(reason)), _mirror(_list_legs(entry)), actor, Verb.CASH_REVERSED)


def _build_reversal(entry: Entry, key: UUID, date: datetime.date, reason: str) -> Entry:
    about = {"evening": entry.evening, "month": entry.month, "tariff": entry.tariff}
    return Entry(club=entry.club, key=key, kind=Kind.REVERSAL, date=date, reverses=entry, reason=reason, **about)


def get_late_day(club: Club, stored: Entry | None) -> datetime.date:
    """Return the day of an entry without a day of its own: today, or later if the clock of the server was set back."""
    today = timezone.localdate()
    return max(today, get_first_open_day(club) or today, stored.date if stored else today)


@transaction.atomic
def post_all(*, club: Club, actor: Actor, entries: Sequence[tuple[Entry, Sequence[DueLeg]]]) -> list[Entry]:
    """Book many unsaved entries with their legs at once, in this order, all under new keys. The caller records them in the
    history."""
    lock_books(club)
    rows = _build_rows(club, [legs for _entry, legs in entries])
    return _book_all(club, [entry for entry, _legs in entries], rows, actor)


@transaction.atomic
def reverse_all(*, club: Club, actor: Actor, entries: Sequence[Entry], reason: str) -> list[Entry]:
    """Reverse many entries at once, each on its own day, under a key computed from its own, without a log entry."""
    lock_books(club)
    prefetch_related_objects(entries, "legs__account")
    mirrors = [_build_reversal(entry, uuid5(entry.key, "reversal"), entry.date, reason) for entry in entries]
    return _book_all(club, mirrors, [_mirror(entry.legs.all()) for entry in entries], actor)


def lock_books(club: Club) -> None:
    """Lock the books of this club until the transaction ends. SQLite has one writer anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {LOCK_CALL.format(club='%s')}", [club.pk])


def seal(entries: Iterable[Entry]) -> None:
    """Store the numbers of written entries one by one; the triggers check every law and raise an IntegrityError."""
    with connection.cursor() as cursor:
        numbers = [(entry.number, entry.pk) for entry in entries]
        cursor.executemany("UPDATE scoring_entry SET number = %s WHERE id = %s", numbers)


def _book(entry: Entry, legs: Sequence[Leg], actor: Actor, verb: Verb) -> Entry:
    if stored := Entry.objects.filter(club=entry.club_id, key=entry.key).select_related("club").first():
        if _get_content(stored, _list_legs(stored)) != _get_content(entry, legs):
            raise InvalidInput(KEY_BOOKED)
        return stored
    _check_content(entry, legs)
    _check_state(entry.club, [entry])
    entry.actor = actor.login
    numbers = Entry.objects.filter(club=entry.club_id, year=entry.date.year, number__isnull=False)
    last = numbers.order_by("-number").values_list("number", flat=True).first() or 0
    entry.save(force_insert=True)
    _insert_legs([entry], [legs])
    entry.number = last + 1
    seal([entry])
    after = {"number": str(entry), "kind": entry.kind, "date": entry.date.isoformat()}
    record(club=entry.club, actor=actor, verb=verb, subject=entry.pk, after=after)
    return entry


def _book_all(club: Club, entries: list[Entry], legs: list[list[Leg]], actor: Actor) -> list[Entry]:
    """Book many entries in a few statements. Only sealing takes one statement per entry."""
    for entry, own in zip(entries, legs, strict=True):
        _check_content(entry, own)
        entry.actor = actor.login
    _check_state(club, entries)
    rows = Entry.objects.filter(club=club, number__isnull=False).values_list("year").order_by("year")
    last = dict(rows.annotate(Max("number")))
    Entry.objects.bulk_create(entries)
    _insert_legs(entries, legs)
    for entry in entries:
        entry.number = last[entry.date.year] = last.get(entry.date.year, 0) + 1
    seal(entries)
    return entries


def _insert_legs(entries: Sequence[Entry], legs: Sequence[Sequence[Leg]]) -> None:
    rows = [(entry.pk, leg.account_id, leg.cents, leg.kind) for entry, own in zip(entries, legs, strict=True) for leg in own]
    insert(Leg, ("entry", "account", "cents", "kind"), rows)


def _check_content(entry: Entry, legs: Sequence[Leg]) -> None:
    if entry.kind in EXPLAINED and len(entry.reason) < SHORTEST_REASON:
        raise InvalidInput(REASON_NEEDED, field="reason")
    entry.clean_fields(exclude=["club", "actor", "evening", "tariff", "reverses", "year"])
    if len(legs) < 2 or sum(leg.cents for leg in legs) != 0 or any(abs(leg.cents) > MAX_LEG_CENTS for leg in legs):
        raise InvalidInput(_("Das lässt sich so nicht buchen: Was dazukommt, muss an anderer Stelle weggehen."))
    # The day of these kinds is computed: it is later than today only if the clock was set back.
    is_computed = entry.kind in (Kind.REVERSAL, Kind.EVENING)
    if entry.date > timezone.localdate() and not is_computed and entry.date > get_late_day(entry.club, None):
        raise InvalidInput(DAY_TO_COME, field="date")
    if entry.date < FIRST_DAY:
        raise InvalidInput(_("Gebucht wird ab 1950. Bitte die Jahreszahl prüfen."))


def _check_state(club: Club, entries: Sequence[Entry]) -> None:
    earliest = min((entry.date for entry in entries), default=timezone.localdate())
    if is_closed(club.pk, f"{earliest:%Y-%m}"):
        raise ActionRefused(_("Dieser Monat der Kasse ist abgeschlossen. Bitte einen Tag danach angeben."), field="date")
    reversals = [(entry, entry.reverses) for entry in entries if entry.reverses is not None]
    if any(was.kind == Kind.REVERSAL for _entry, was in reversals):
        raise ActionRefused(_("Ein Storno wird nicht storniert. Bitte neu buchen."))
    if reversals and Entry.objects.filter(reverses__in=[was for _entry, was in reversals]).exists():
        raise ActionRefused(_("Diese Buchung ist schon storniert."))
    if any(entry.date < was.date for entry, was in reversals):
        raise InvalidInput(_("Storniert wird eine Buchung frühestens an ihrem eigenen Tag."))


def _get_content(entry: Entry, legs: Iterable[Leg]) -> tuple[object, ...]:
    """Return the values that must be equal for the same key."""
    fields = entry.kind, entry.date, entry.evening_id, entry.month, entry.tariff_id, entry.reverses_id, entry.reason
    return *fields, sorted((leg.kind, leg.account.code, leg.cents) for leg in legs)


def _list_legs(entry: Entry) -> list[Leg]:
    return list(Leg.objects.filter(entry=entry).select_related("account").order_by("pk"))


def _mirror(legs: Iterable[Leg]) -> list[Leg]:
    return [Leg(account=leg.account, cents=-leg.cents, kind=leg.kind) for leg in legs]


def _load_accounts(club: Club, codes: Iterable[str]) -> dict[str, Account]:
    """Read or create the accounts that legs name, by these names. A new account of a player is stored under the next number of
    the club, in the order of their ids."""
    codes = dict.fromkeys(codes)
    players = {player: code for code in codes if (player := parse_player(code)) is not None}
    others = [code for code in codes if code not in players.values()]
    accounts = Account.objects.filter(Q(player__in=list(players)) | Q(code__in=others, club=club))
    found = {players.get(account.player_id or 0, account.code): account for account in accounts}
    for player, code in sorted(players.items()):
        if code not in found:
            number = Account.objects.filter(club=club, player__isnull=False).count() + 1
            found[code] = Account.objects.create(club=club, code=build_member_account(number), player_id=player)
    for code in others:
        if code not in found:
            found[code] = Account(club=club, code=code)
            found[code].clean_fields(exclude=["club"])
            found[code].save()
    return found


def _build_rows(club: Club, of_entries: Sequence[Sequence[DueLeg]]) -> list[list[Leg]]:
    """Build the unsaved legs of each entry: one per account and kind, sorted by kind, then the stored code of the account."""
    accounts = _load_accounts(club, [leg.account for legs in of_entries for leg in legs])
    return [
        sorted(
            (Leg(account=accounts[code], cents=cents, kind=kind) for kind, code, cents in merge_legs(legs)),
            key=lambda leg: (leg.kind, leg.account.code),
        )
        for legs in of_entries
    ]
