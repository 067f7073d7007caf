"""„Ich habe gezahlt“: it counts when somebody confirms it, whole and once."""

from __future__ import annotations

import datetime
from uuid import uuid4

import pytest
from django.utils import timezone

from scoring.cash.ledger.actions import confirm_report, refuse_report, withdraw_report
from scoring.cash.ledger.queries import get_balances, get_owed, is_own_report, list_waiting_reports
from scoring.cash.models import Kind
from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused, InvalidInput
from scoring.models import Change, Entry, Player, Report
from scoring.players.actions import merge_players
from tests.cash.books import DAY
from tests.cash.kasse import closed, reported, typed
from tests.factories import Cast, make_player

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_it_waits_beside_the_books(cast: Cast, rita: Player) -> None:
    changes = Change.objects.count()
    report = reported(rita, 350, actor=Actor(cast.reader), note=" Beim  Stammtisch ")
    assert (report.state, report.note, report.reported_by, report.decided_at) == (
        "waiting",
        "Beim Stammtisch",
        cast.reader,
        None,
    )
    assert (get_balances(cast.club), list_waiting_reports(cast.club), list_waiting_reports(cast.club, rita)) == (
        {},
        [report],
        [report],
    )
    # The history is read by everybody.
    assert Change.objects.count() == changes


def test_confirmed_it_is_an_entry_of_its_key(cast: Cast, rita: Player) -> None:
    report = reported(rita, 350, box="bank", note="Miete")
    entry = confirm_report(report=report, actor=Actor(cast.treasurer))
    assert (entry.key, entry.kind, entry.date, entry.reason) == (report.key, Kind.PAYMENT, report.date, "Miete")
    assert get_balances(cast.club) == {"bank": 350, "member:1": -350}
    report.refresh_from_db()
    assert (report.state, report.decided_by) == ("confirmed", cast.treasurer)
    # A second tap, and a second treasurer.
    assert confirm_report(report=report, actor=Actor(cast.treasurer)) == entry
    assert Entry.objects.count() == 1
    assert not is_own_report(entry)


def test_what_a_treasurer_reports_and_confirms_is_marked(cast: Cast, rita: Player) -> None:
    report = reported(rita, actor=Actor(cast.treasurer))
    assert is_own_report(confirm_report(report=report, actor=Actor(cast.treasurer)))


@pytest.mark.parametrize("end", ["confirm", "refuse", "withdraw"])
def test_it_is_decided_once(cast: Cast, rita: Player, end: str) -> None:
    ends = {
        "confirm": lambda: confirm_report(report=report, actor=Actor()),
        "refuse": lambda: refuse_report(report=report, actor=Actor(), reason="Nichts da"),
        "withdraw": lambda: withdraw_report(report=report, actor=Actor()),
    }
    report = reported(rita)
    ends[end]()
    ends[end]()
    for other in ends.keys() - {end}:
        with pytest.raises(ActionRefused, match="Über diese Zahlung ist schon entschieden"):
            ends[other]()
    assert Entry.objects.count() == (end == "confirm")
    assert list_waiting_reports(cast.club) == []


def test_a_refusal_has_a_reason(rita: Player) -> None:
    report = reported(rita)
    with pytest.raises(InvalidInput, match="Bitte einen Grund angeben"):
        refuse_report(report=report, actor=Actor(), reason=" ? ")
    refused = refuse_report(report=report, actor=Actor(), reason="Auf dem Konto ist nichts")
    assert (refused.state, refused.reason) == ("refused", "Auf dem Konto ist nichts")


def test_the_same_form_reports_once(rita: Player) -> None:
    key = uuid4()
    first = reported(rita, 500, key)
    assert reported(rita, 500, key) == first
    with pytest.raises(InvalidInput, match="Das ist so schon gemeldet"):
        reported(rita, 501, key)
    assert Report.objects.count() == 1


def test_the_key_of_an_entry_is_no_key_of_a_report(cast: Cast, rita: Player) -> None:
    entry = typed(cast.club, Kind.FINE, 300, "2026-03-01", person=rita)
    with pytest.raises(InvalidInput, match="Das ist so schon gemeldet"):
        reported(rita, 500, entry.key)


def test_nobody_has_paid_tomorrow(rita: Player) -> None:
    with pytest.raises(InvalidInput, match="Gebucht wird höchstens bis heute"):
        reported(rita, date=timezone.localdate() + datetime.timedelta(days=1))


def test_where_its_month_was_closed_meanwhile_it_counts_in_the_next(cast: Cast, rita: Player) -> None:
    report = reported(rita, date=DAY.replace(month=1, day=20))
    typed(cast.club, Kind.FINE, 300, "2026-01-06", person=rita)
    closed(cast.club, "2026-01")
    entry = confirm_report(report=report, actor=Actor())
    assert entry.date == DAY.replace(month=2, day=1)
    assert confirm_report(report=report, actor=Actor()) == entry


def test_who_was_merged_meanwhile_pays_as_who_they_are(cast: Cast, rita: Player) -> None:
    other = make_player(cast.club, "Rita S.")
    report = reported(other)
    merge_players(player=other, into=rita, actor=Actor())
    assert list_waiting_reports(cast.club, rita) == [report]
    confirm_report(report=report, actor=Actor())
    assert get_owed(cast.club) == {rita.pk: -500}
