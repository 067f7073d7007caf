"""The books refuse to be changed by SQL: each attempt fails and leaves every row as it was, on both databases, also after tables
were made anew by a migration. Only the whole club takes its books along. What guards them is named when it is missing."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.core.management.sql import emit_post_migrate_signal, emit_pre_migrate_signal
from django.db import IntegrityError, connection, models, transaction
from django.db.migrations import Migration

from clubledger import serve
from scoring.cash.laws import build_triggers, create_triggers, drop_triggers, list_missing_triggers
from scoring.cash.ledger.posting import reverse
from scoring.cash.models import Kind
from scoring.club.actions import Actor
from scoring.imports.actions import hidden_slug, hide_club
from scoring.models import Account, Club, Entry, Evening, Leg, Period, Player
from tests.cash.books import DAY, book, leg, owes, pays
from tests.cash.laws.attempts import Attempt, attempts_here
from tests.cash.tariffs import give_tariff
from tests.factories import Cast

pytestmark = pytest.mark.django_db
HERE = attempts_here()
# What constraints and keys refuse alone, without any trigger.
CONSTRAINED = {
    "the same month closed again", "more cents than there are", "no cents", "reversed twice", "sealed with a number twice",
    "the same key",
    *(tried.name for tried in HERE if tried.name in ("half a cent", "cents in words")),
}  # fmt: skip
Books = list[list[tuple[Any, ...]]]


@pytest.fixture
def scene(cast: Cast) -> dict[str, Any]:
    """Books with something of everything, as the ids that the attempts name."""
    club, other = cast.club, cast.other_club
    anton, stranger = club.players.get(name="Ärmel"), other.players.all()[0]
    closed = book(club, owes(anton, 500), date=DAY.replace(month=2), evening=cast.table.evening)
    entry = book(club, pays(anton, 500))
    was = book(club, pays(anton, 70))
    reversal = reverse(entry=was, actor=Actor(), key=uuid4(), date=DAY, reason="Vertippt")
    sold = [leg("cash", 5, "x"), leg("income:other", -5, "x")]
    income = book(club, sold, kind=Kind.INCOME)
    three = book(club, [*sold, leg("cash", 1, "y"), leg("bank", -1, "y")])
    theirs = book(other, pays(stranger, 500))
    period = Period.objects.create(club=club, month="2026-02", statement="{}", sha256="0" * 64)
    tariff = give_tariff(club)
    Evening.objects.filter(pk=cast.table.evening_id).update(tariff=tariff)
    accounts = dict(Account.objects.filter(club=club).values_list("code", "pk"))
    return {
        "club": club.pk, "other_club": other.pk, "anton": anton.pk, "bodo": club.players.get(name="Bodo").pk,
        "evening": cast.table.evening_id, "other_evening": cast.other_table.evening_id,
        "closed": closed.pk, "entry": entry.pk, "reversed": was.pk, "reversal": reversal.pk, "income_entry": income.pk,
        "three": three.pk, "other_entry": theirs.pk, "leg": entry.legs.all()[0].pk, "period": period.pk, "next": 7,
        "cash": accounts["cash"], "income": accounts["income:other"], "person": accounts["member:1"],
        "tariff": tariff.pk, "other_tariff": give_tariff(other).pk,
        "unused": Account.objects.create(club=club, code="expense:rent").pk,
        "other_cash": Account.objects.get(club=other, code="cash").pk,
    }  # fmt: skip


class _TakenBack(Exception):
    """What was tried leaves nothing behind."""


def books(**club: Any) -> Books:
    """Every row of the books, or of those of one club."""
    of_club = [Account.objects.filter(**club), Entry.objects.filter(**club), Period.objects.filter(**club)]
    legs = Leg.objects.filter(**{f"entry__{name}": value for name, value in club.items()})
    return [list(rows.order_by("pk").values_list()) for rows in [*of_club, legs]]


def attempt(scene: dict[str, Any], tried: Attempt) -> str | None:
    """What the database said to the last of these statements; None where it did them all."""
    said, opened = None, any("{open}" in statement for statement in tried.statements)
    with transaction.atomic():
        # PostgreSQL truncates no table of which it has still to look at rows.
        connection.check_constraints()
        written = opened and Entry.objects.create(club_id=scene["club"], key=uuid4(), kind="income", date=DAY)
        names = {**scene, "open": written and written.pk, "key": uuid4().hex}
        before = books()
        *first, last = [statement.format(**names) for statement in tried.statements]
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                for statement in first:
                    cursor.execute(statement)
                try:
                    with transaction.atomic():
                        cursor.execute(last)
                except IntegrityError as refused:
                    said = str(refused)
                raise _TakenBack
        except _TakenBack:
            assert books() == before
        transaction.set_rollback(True)
    return said


def test_the_books_are_not_changed(scene: dict[str, Any]) -> None:
    assert [tried.name for tried in HERE if attempt(scene, tried) is None] == []


def test_without_their_guards_they_would_be(scene: dict[str, Any]) -> None:
    """Each of the attempts is one that could succeed."""
    drop_triggers()
    assert {tried.name for tried in HERE if attempt(scene, tried)} == CONSTRAINED


# --- After a migration ------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_nor_after_a_migration(scene: dict[str, Any]) -> None:
    """One that makes every table of the books anew, as SQLite does for nearly every change."""
    plan = [(Migration("0042_tomorrow", "scoring"), False)]
    emit_pre_migrate_signal(0, False, "default", plan=plan)
    assert len(list_missing_triggers()) == len(build_triggers(connection.vendor))
    with connection.schema_editor() as editor:
        for model in (Club, Player, Account, Entry, Leg, Period):
            added = models.IntegerField(default=0)
            added.set_attributes_from_name("of_tomorrow")
            added.model = model
            editor.add_field(model, added)
            editor.remove_field(model, added)
    emit_post_migrate_signal(0, False, "default", plan=plan)

    assert list_missing_triggers() == []
    assert [tried.name for tried in HERE if attempt(scene, tried) is None] == []


@pytest.fixture
def guarded_again(transactional_db: None) -> Iterator[None]:
    yield
    create_triggers()


@pytest.mark.django_db(transaction=True)
def test_what_is_missing_is_named(guarded_again: None) -> None:
    """Gone, switched off, or another one of the same name."""
    assert list_missing_triggers() == []
    said = StringIO()
    call_command("check", stderr=said)
    assert "books_" not in said.getvalue()
    drop = {
        "sqlite": ["DROP TRIGGER books_leg_update", "DROP TRIGGER books_entry_delete",
                   "CREATE TRIGGER books_entry_delete BEFORE DELETE ON scoring_entry BEGIN SELECT 1; END"],
        "postgresql": ["DROP TRIGGER books_leg_update ON scoring_leg",
                       "ALTER TABLE scoring_entry DISABLE TRIGGER books_entry_delete"],
    }  # fmt: skip
    with connection.cursor() as cursor:
        for statement in drop[connection.vendor]:
            cursor.execute(statement)

    assert list_missing_triggers() == ["books_entry_delete", "books_leg_update"]
    call_command("check", stderr=said)
    assert "The books are not guarded: books_entry_delete is missing." in said.getvalue()
    call_command("migrate", verbosity=0)
    assert list_missing_triggers() == []


@pytest.mark.django_db(transaction=True)
def test_a_start_puts_back_what_is_missing(guarded_again: None, capsys: pytest.CaptureFixture[str]) -> None:
    """As after an update that was killed behind its last migration."""
    serve.migrate()
    assert capsys.readouterr().out == ""
    drop_triggers()
    serve.migrate()
    assert list_missing_triggers() == []
    assert capsys.readouterr().out == "Preparing the database …\n"


def test_every_law_has_its_trigger() -> None:
    names, others = ([name for name, _body, _make in build_triggers(vendor)] for vendor in ("sqlite", "postgresql"))
    assert names == others[: len(names)]
    assert len(set(others)) == len(others)


# --- What may happen --------------------------------------------------------------------------------------------------


def test_a_name_goes_out_of_a_reason(scene: dict[str, Any]) -> None:
    reasons = Entry.objects.filter(pk=scene["reversal"])
    assert reasons.update(reason="Vert…") == 1
    assert reasons.update(reason="…") == 1


def test_what_was_never_sealed_can_be_taken_away(scene: dict[str, Any]) -> None:
    entry = Entry.objects.create(club_id=scene["club"], key=uuid4(), kind="income", date=DAY)
    Leg.objects.create(entry=entry, account_id=scene["cash"], cents=5, kind="x")
    entry.legs.all().delete()
    assert entry.delete()[0] == 1


@pytest.mark.django_db(transaction=True)
def test_nobody_commits_what_is_not_sealed(scene: dict[str, Any]) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite looks at nothing when somebody commits; verify finds it")
    with pytest.raises(IntegrityError, match="sealed where it is written"), transaction.atomic():
        Entry.objects.create(club_id=scene["club"], key=uuid4(), kind="income", date=DAY)


@pytest.mark.django_db(transaction=True)
def test_a_whole_club_takes_its_books_along(scene: dict[str, Any], cast: Cast) -> None:
    theirs = books(club=scene["other_club"])
    assert [len(rows) for rows in theirs] == [2, 1, 0, 2]
    with hidden_slug() as slug:
        hide_club(cast.club, slug)
    assert not Club.with_hidden.filter(pk=cast.club.pk).exists()
    assert books() == theirs
