"""What somebody did to the books past the program and past its triggers is found and named; sound books are never blamed."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from scoring.cash.laws import drop_triggers, list_missing_triggers
from scoring.cash.ledger.posting import reverse
from scoring.cash.ledger.queries import compute_hash, get_next_month
from scoring.cash.months.queries import build_statements
from scoring.cash.queries import list_broken_laws, list_broken_laws_of_club
from scoring.cash.texts import describe_broken_law
from scoring.club.actions import Actor
from scoring.evenings.actions import close_evening
from scoring.models import Account, Club, Entry, Leg, Period
from tests.cash.books import DAY, book, owes, pays
from tests.cash.kasse import closed
from tests.cash.tariffs import TREASURER, give_tariff
from tests.factories import Cast, add_game, make_club, make_player, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(cast: Cast) -> Club:
    """Two closed months and one that is open: a payment, one that was taken back, an evening."""
    club, anton = cast.club, make_player(cast.club, "Anton")
    book(club, pays(anton, 500), date=DAY.replace(month=2))
    was = book(club, owes(anton, 70))
    reverse(entry=was, actor=Actor(), key=uuid4(), date=DAY, reason="Vertippt")
    book(club, owes(anton, 130, "points"), evening=cast.table.evening, date=DAY.replace(month=4))
    before = ""
    for month in ("2026-02", "2026-03"):
        text = next(build_statements(club, [month], before=before, slug=club.slug))
        before = compute_hash(text)
        Period.objects.create(club=club, month=month, statement=text, sha256=before)
    return club


def test_sound_books_are_let_be(club: Club, cast: Cast) -> None:
    book(cast.other_club, pays(cast.other_club.players.all()[0], 5))
    assert list(list_broken_laws()) == []
    said = StringIO()
    call_command("verify", stdout=said)
    assert said.getvalue().startswith("Alles stimmt: ")


def test_it_asks_the_same_however_many_months_and_evenings_a_year_has() -> None:
    club = make_club()
    give_tariff(club)
    assert asked_of(club, months=1) == asked_of(club, months=2) == 27
    # January of the next year follows on December.
    asked_of(club, months=1)


def asked_of(club: Club, months: int, behind: str = "2025-09") -> int:
    """How many questions `verify` asks of so many closed months more, each with an evening; it finds nothing wrong."""
    for _month in range(months):
        month = get_next_month(last.month if (last := Period.objects.order_by("month").last()) else behind)
        table = make_table(club, held_on=datetime.date.fromisoformat(f"{month}-06"))
        add_game(table)
        close_evening(evening=table.evening, actor=TREASURER)
        closed(club, month)
    with CaptureQueriesContext(connection) as queries:
        assert list(list_broken_laws_of_club(club)) == []
    return len(queries)


def test_a_club_that_was_renamed_is_not_blamed(club: Club) -> None:
    Club.objects.filter(pk=club.pk).update(slug="karo-zwei")
    assert list(list_broken_laws()) == []


def unsealed(club: Club) -> None:
    Entry.objects.create(club=club, key="0123456789abcdef0123456789abcdef", kind="income", date=DAY.replace(month=4))


def of_april(club: Club) -> Any:
    return Entry.objects.filter(club=club, number=4)


def reverse_nothing(club: Club) -> None:
    Leg.objects.filter(entry__reverses__isnull=False, account__code="income:dues").update(kind="fee")


def half_gone(club: Club) -> None:
    Leg.objects.filter(entry__in=of_april(club), account__code="member:1")._raw_delete(connection.alias)


NEVER_ZERO = ["karo, Buchung 2026-004: ihre Zeilen ergeben nicht 0", "karo, die Salden der Konten ergeben nicht 0"]
DAMAGES: dict[str, tuple[Callable[[Club], Any], list[str]]] = {
    "an entry never sealed": (
        unsealed,
        ["karo, Buchung 01234567-89ab-cdef-0123-456789abcdef: nie abgeschlossen, zählt nirgends"],
    ),
    "a leg with other cents": (lambda c: Leg.objects.filter(entry__in=of_april(c), cents__gt=0).update(cents=131), NEVER_ZERO),
    "a leg that is gone": (half_gone, NEVER_ZERO),
    "a number left out": (lambda c: of_april(c).update(number=5), ["karo, 2026: die Nummern haben Lücken"]),
    "a mirror that is bent": (
        reverse_nothing,
        [
            "karo, Buchung 2026-003: nimmt nicht genau eine andere zurück",
            "karo, 2026-03: der Abschluss ist nicht, was die Buchungen ergeben",
        ],
    ),
    "an account of another club": (
        lambda c: Leg.objects.filter(entry__in=of_april(c), cents__lt=0).update(account=elsewhere()),
        ["karo, Buchung 2026-004: ein Konto eines anderen Clubs"],
    ),
    "an account of nobody here": (
        lambda c: Account.objects.filter(code="member:1").update(player=Club.objects.get(slug="pik").players.all()[0]),
        ["karo, Konto member:1: gehört niemandem aus dem Club"],
    ),
    "an evening of another club": (
        lambda c: of_april(c).update(evening=Club.objects.get(slug="pik").evenings.get()),
        ["karo, Buchung 2026-004: ein Abend eines anderen Clubs"],
    ),
    "a day moved into a closed month": (
        lambda c: of_april(c).update(date=DAY),
        [
            "karo, 2026-03: der Abschluss ist nicht, was die Buchungen ergeben",
            "karo, die Salden der Konten ergeben nicht 0",
        ],
    ),
    "another statement": (
        lambda c: Period.objects.filter(month="2026-02").update(statement="{}"),
        ["karo, 2026-02: der Abschluss ist nicht, was seine Prüfsumme sagt"],
    ),
    "another statement with its hash": (
        lambda c: Period.objects.filter(month="2026-02").update(statement="{}", sha256=compute_hash("{}")),
        [
            "karo, 2026-02: der Abschluss ist nicht, was die Buchungen ergeben",
            "karo, 2026-03: der Abschluss ist nicht, was die Buchungen ergeben",
        ],
    ),
    "a month that is gone": (
        lambda c: Period.objects.filter(month="2026-02").update(month="2026-01"),
        [
            "karo, 2026-01: der Abschluss ist nicht, was die Buchungen ergeben",
            "karo, 2026-03: ein Monat davor ist nicht abgeschlossen",
        ],
    ),
}  # fmt: skip


def elsewhere() -> Account:
    return Account.objects.create(club=Club.objects.get(slug="pik"), code="income:points")


def test_damage_is_named(club: Club) -> None:
    drop_triggers()
    for damage, (done, said) in DAMAGES.items():
        with transaction.atomic():
            done(club)
            assert [describe_broken_law(fault) for fault in list_broken_laws(club)] == said, damage
            transaction.set_rollback(True)
    done(club)
    told = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("verify", "--club=karo", stdout=told)
    assert (ended.value.code, told.getvalue().splitlines()) == (1, said)


def test_a_missing_trigger_is_named(club: Club) -> None:
    drop_triggers()
    told = StringIO()
    with pytest.raises(SystemExit):
        call_command("verify", stdout=told)
    assert told.getvalue().splitlines() == [
        f"Die Bücher der Kasse sind nicht geschützt: {name} fehlt." for name in list_missing_triggers()
    ]
    assert len(list_missing_triggers()) > 15
