"""Who sees what of the Kasse: balances and sums are for everybody of the club, single payments for whom they are about and for the
treasurer."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from scoring.cash.models import Kind
from scoring.club.actions import Actor
from scoring.models import Club, Entry, Membership, Player, Tariff
from scoring.players.actions import merge_players
from tests.cash.books import book, leg
from tests.cash.kasse import at, closed, reported, typed
from tests.client import visit
from tests.factories import Cast, make_club, make_player
from tests.html import unmarked

pytestmark = pytest.mark.django_db


def page(client: Client, name: str, *args: object) -> str:
    response = client.get(at(name, *args))
    assert response.status_code == 200
    return " ".join(unmarked(response.content.decode()).split())


def test_a_reader_sees_balances_and_no_single_payment(cast: Cast, rita: Player, bodo: Player) -> None:
    typed(cast.club, Kind.FINE, 300, "2026-03-01", person=rita, reason="Zu spät")
    typed(cast.club, Kind.PAYMENT, 1250, "2026-03-02", person=bodo, box="cash", reason="Geheim")
    seen = page(visit(cast.reader), "cash")
    assert "12,50 €" in seen
    assert "schuldet 3,00 €" in seen
    assert "Guthaben 12,50 €" in seen
    assert "Geheim" not in seen
    assert "Kassenbuch" not in seen
    assert "Geheim" in page(visit(cast.treasurer), "cash")
    for name, args in (("cash_month", ["2026-03"]), ("cash_year", [2026]), ("cash_months", [])):
        assert "12,50 €" in page(visit(cast.reader), name, *args)


def test_an_entry_is_for_whom_it_is_about(cast: Cast, rita: Player, bodo: Player) -> None:
    own = typed(cast.club, Kind.PAYMENT, 1250, "2026-03-02", person=rita, box="cash")
    other = typed(cast.club, Kind.PAYMENT, 1250, "2026-03-02", person=bodo, box="cash")
    reader = visit(cast.reader)
    assert "Rita schuldet 12,50 € weniger" in page(reader, "cash_entry", own.pk)
    assert reader.get(at("cash_entry", other.pk)).status_code == 403
    assert reader.get(at("cash_entry_reverse", own.pk)).status_code == 403
    assert visit(cast.treasurer).get(at("cash_entry", other.pk)).status_code == 200


def test_of_dues_everybody_reads_their_own_line(cast: Cast, rita: Player, bodo: Player) -> None:
    lines = [leg(rita, 500, "dues"), leg(bodo, 300, "dues"), leg("income:dues", -800, "dues")]
    dues = book(cast.club, lines, kind=Kind.DUES, month="2026-03")
    seen = page(visit(cast.reader), "cash_entry", dues.pk)
    assert "Rita schuldet 5,00 € mehr" in seen
    assert "Bodo" not in seen
    assert "und 1 Zeile, die jemand anderen angeht" in seen
    assert "Bodo schuldet 3,00 € mehr" in page(visit(cast.treasurer), "cash_entry", dues.pk)


def test_who_hands_a_debt_over_reads_to_whom(cast: Cast, rita: Player, bodo: Player) -> None:
    entry = typed(cast.club, Kind.HANDOVER, 500, "2026-03-02", person=rita, other=bodo, reason="Wette")
    seen = page(visit(cast.reader), "cash_entry", entry.pk)
    assert "Bodo schuldet 5,00 € mehr" in seen


def test_a_statement_is_for_its_person_and_the_treasurer(cast: Cast, rita: Player, bodo: Player) -> None:
    for name in ("cash_statement", "cash_statement_excel", "cash_statement_csv"):
        assert visit(cast.reader).get(at(name, rita.pk)).status_code == 200
        assert visit(cast.reader).get(at(name, bodo.pk)).status_code == 403
        assert visit(cast.admin).get(at(name, rita.pk)).status_code == 403
        assert visit(cast.treasurer).get(at(name, bodo.pk)).status_code == 200


def test_a_merged_person_has_one_statement(cast: Cast, rita: Player) -> None:
    other = make_player(cast.club, "Rita S.")
    typed(cast.club, Kind.FINE, 300, "2026-03-01", person=other)
    typed(cast.club, Kind.FINE, 200, "2026-03-02", person=rita)
    merge_players(player=other, into=rita, actor=Actor())
    for pk in (other.pk, rita.pk):
        seen = page(visit(cast.reader), "cash_statement", pk)
        assert "schuldet 5,00 €" in seen
        assert "schuldet 3,00 €" in seen
    entry = Entry.objects.earliest("pk")
    assert "Rita schuldet 3,00 € mehr" in page(visit(cast.reader), "cash_entry", entry.pk)


def test_a_report_is_withdrawn_by_nobody_else(cast: Cast, rita: Player, bodo: Player) -> None:
    mine, other = reported(rita), reported(bodo)
    reader = visit(cast.reader)
    assert reader.post(at("cash_report_withdraw", other.key)).status_code == 403
    assert reader.post(at("cash_report_confirm", mine.key)).status_code == 403
    assert reader.post(at("cash_report_withdraw", mine.key)).status_code == 302
    states = {report.pk: report.state for report in (mine, other) if not report.refresh_from_db()}
    assert states == {mine.pk: "withdrawn", other.pk: "waiting"}
    # On the overview everybody reads their own, and the treasurer all.
    assert "Gemeldete Zahlungen" not in page(reader, "cash")
    assert "Gemeldete Zahlungen" in page(visit(cast.treasurer), "cash")


def test_what_waits_is_confirmed_or_refused_from_the_statement(cast: Cast, rita: Player) -> None:
    report = reported(rita)
    decided = [at("cash_report_confirm", report.key), at("cash_report_refuse", report.key)]
    for client, offered in ((visit(cast.treasurer), True), (visit(cast.reader), False)):
        assert [address in page(client, "cash_statement", rita.pk) for address in decided] == [offered] * 2
    assert visit(cast.treasurer).post(decided[0]).status_code == 302
    assert decided[0] not in page(visit(cast.treasurer), "cash_statement", rita.pk)


def test_whose_login_is_nobody_of_the_club_reports_nothing(cast: Cast) -> None:
    reader = visit(cast.reader)
    assert (reader.get(at("cash_report")).status_code, reader.post(at("cash_report")).status_code) == (403, 403)
    assert at("cash_report") not in page(reader, "cash")


@pytest.fixture
def without(db: None) -> Club:
    return make_club("Ohne Kasse", slug="ohne")


def test_a_club_without_a_kasse_shows_none(cast: Cast, without: Club) -> None:
    """The way in for an admin stands under the club; the place in the menu comes with the first treasurer, or what is booked."""
    Membership.objects.create(club=without, user=cast.admin, admin=True)
    admin, cash = visit(cast.admin), reverse("cash", args=["ohne"])
    home = reverse("club", args=["ohne"])
    assert cash not in admin.get(home).content.decode()
    assert cash in admin.get(reverse("more", args=["ohne"])).content.decode()
    assert "So beginnt die Kasse" in admin.get(cash).content.decode()
    book(without, [leg("cash", 5, "opening"), leg("equity:opening", -5, "opening")], kind=Kind.OPENING)
    assert cash in admin.get(home).content.decode()
    assert cash not in admin.get(reverse("more", args=["ohne"])).content.decode().split("</nav>")[1]


def test_a_tariff_begins_a_kasse_as_well(cast: Cast, without: Club) -> None:
    Membership.objects.create(club=without, user=cast.admin, admin=True)
    Tariff.objects.create(club=without, version=1, content={})
    assert reverse("cash", args=["ohne"]) in visit(cast.admin).get(reverse("club", args=["ohne"])).content.decode()


def test_the_statement_of_a_month_says_what_people_paid(cast: Cast, bodo: Player) -> None:
    typed(cast.club, Kind.PAYMENT, 1250, "2026-01-02", person=bodo, box="cash")
    period = closed(cast.club, "2026-01", cast.treasurer)
    assert visit(cast.reader).get(at("cash_month_statement", "2026-01")).status_code == 403
    response = visit(cast.treasurer).get(at("cash_month_statement", "2026-01"))
    assert response.content.decode() == period.statement
    assert period.sha256 in page(visit(cast.reader), "cash_month", "2026-01")
