"""A leaving date that is entered later: which fees it touches, taking them back, and who hears of it."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.cash.dues.actions import book_dues, take_back_fees
from scoring.cash.dues.queries import get_fees_after_leaving, list_dues
from scoring.cash.ledger.queries import get_owed, hash_shown
from scoring.cash.models import Kind
from scoring.cash.queries import list_broken_laws_of_club
from scoring.club.actions import Actor
from scoring.core.errors import ActionRefused
from scoring.evenings.actions import close_evening
from scoring.models import Attendance, Entry, Player, Tariff
from tests import fake_clock
from tests.cash.books import legs_of
from tests.cash.kasse import closed, typed
from tests.cash.tariffs import TREASURER, costs, give_tariff
from tests.client import visit
from tests.factories import Cast, add_game, make_player, make_table

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
TODAY = datetime.date(2026, 5, 20)
LEFT = datetime.date(2026, 3, 10)


@pytest.fixture(autouse=True)
def _is_today(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_clock.begin(monkeypatch, TODAY)


@pytest.fixture
def gone(cast: Cast) -> Player:
    """A member for whom three months of dues and an evening after the tenth of March are booked, on which they were absent."""
    club = cast.club
    player = make_player(club, "Uwe")
    give_tariff(club, dues={"cents": 500}, fee={"cents": 100, "absent": True})
    Tariff.objects.filter(club=club).update(made_at=timezone.make_aware(datetime.datetime(2026, 2, 1)))
    for due in list_dues(club):
        book_dues(club=club, actor=Actor(), month=due.month, seen=due.seen)
    table = make_table(club, held_on=datetime.date(2026, 4, 3))
    add_game(table)
    for evening in (cast.table.evening, table.evening):
        close_evening(evening=evening, actor=TREASURER)
    player.left_on = LEFT
    player.save()
    return player


def fees(player: Player) -> list[tuple[str, int]]:
    known = get_fees_after_leaving(player.club).get(player, [])
    return [(fee["month"] or str(fee["held_on"]), fee["cents"]) for fee in known]


def take_back(player: Player) -> None:
    seen = hash_shown(get_fees_after_leaving(player.club)[player])
    take_back_fees(player=player, actor=Actor(treasurer=True), seen=seen)


def test_the_fees_after_the_day_are_named_and_taken_back(gone: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    club = gone.club
    there = Attendance.objects.filter(evening__held_on="2026-04-03", absence="").latest("pk").player
    for player, left_on, wanted in (
        (gone, datetime.date(2026, 5, 1), []), (gone, None, []), (there, LEFT, [("2026-04", 500), ("2026-05", 500)]),
    ):  # fmt: skip
        player.left_on = left_on
        player.save()
        assert fees(player) == wanted
    there.left_on, gone.left_on = None, LEFT
    for player in (there, gone):
        player.save()
    assert fees(gone) == [("2026-04", 500), ("2026-04-03", costs_of(gone)), ("2026-05", 500)]
    before = get_owed(club)
    after = {pk: cents for pk, cents in before.items() if pk != gone.pk} | {gone.pk: before[gone.pk] - 1000 - costs_of(gone)}
    with monkeypatch.context() as patch, pytest.raises(ActionRefused):
        patch.setattr("scoring.cash.dues.actions.change_attendance", refuse)
        take_back(gone)
    assert len(fees(gone)) == 3, "all fees are taken back or none"
    take_back(gone)
    assert fees(gone) == [] and list(list_broken_laws_of_club(club)) == []
    assert get_owed(club) == {pk: cents for pk, cents in after.items() if cents}, "nobody else pays more or less"
    assert Attendance.objects.get(evening__held_on="2026-04-03", player=gone).absence == "free"
    assert [due.month for due in list_dues(club)] == [], "no month is due again"
    with pytest.raises(ActionRefused, match="Inzwischen hat sich etwas geändert"):
        take_back_fees(player=gone, actor=Actor(treasurer=True), seen="")


def refuse(**_kwargs: object) -> None:
    raise ActionRefused


def costs_of(player: Player) -> int:
    evening = Attendance.objects.get(evening__held_on="2026-04-03", player=player).evening
    return costs(evening).get(player.name, 0)


def test_dues_of_a_closed_month_are_taken_back_today(gone: Player) -> None:
    for month in ("2026-02", "2026-03", "2026-04"):
        closed(gone.club, month)
    take_back(gone)
    new = Entry.objects.filter(club=gone.club, kind=Kind.DUES, month="2026-04").latest("pk")
    assert (new.date, hasattr(new, "reversed_by")) == (TODAY, False)
    assert Entry.objects.get(reverses__month="2026-04").reason == "Ausgeschieden am 10.03.2026"
    assert f"member:{gone.pk}" not in [code for code, _cents, _kind in legs_of(new)]
    assert fees(gone) == [] and list(list_broken_laws_of_club(gone.club)) == []


def test_dues_of_one_member_alone_are_only_reversed(gone: Player) -> None:
    take_back(gone)
    others = gone.club.players.exclude(pk=gone.pk)
    others.update(left_on=LEFT)
    for other in others:
        if fees(other):
            take_back(other)
    assert not Entry.objects.filter(club=gone.club, kind=Kind.DUES, month="2026-05", reversed_by=None).exists()
    assert list(list_broken_laws_of_club(gone.club)) == []


@pytest.fixture
def leave(cast: Cast) -> Callable[[Player, str], str]:
    """Enter a leaving date on the page of a person, and answer what is said then."""

    def enter(player: Player, day: str) -> str:
        sent = {"name": player.name, "left_on": day}
        answer = visit(cast.admin).post(reverse("player_edit", args=["karo", player.pk]), sent, follow=True)
        return " ".join(answer.content.decode().replace("\u00a0", " ").split())

    return enter


def test_who_leaves_with_a_balance_is_named_when_it_is_saved(cast: Cast, leave: Callable[[Player, str], str]) -> None:
    player = make_player(cast.club, "Uwe")
    typed(cast.club, Kind.FINE, 300, "2026-05-01", person=player)
    said = leave(player, "2026-05-10")
    assert "Uwe" in said and "Ausgeschieden am 10.05.2026." in said and "schuldet 3,00 €" in said
    assert "Ausgeschieden am 10.05.2026." not in leave(player, "2026-05-10"), "the day is the same"
    typed(cast.club, Kind.PAYMENT, 300, "2026-05-02", person=player, box="cash")
    assert "Ausgeschieden am" not in leave(player, "2026-05-11").split("<h1")[1].split("</h1>")[0]


def test_the_treasurer_takes_back_what_the_admin_reads(cast: Cast, gone: Player, leave: Callable[[Player, str], str]) -> None:
    gone.left_on = None
    gone.save()
    said = leave(gone, LEFT.isoformat())
    assert "Beitrag April 2026" in said and "Abend am 03.04.2026" in said and "Der Kassenwart kann das zurücknehmen." in said
    thea, address = visit(cast.treasurer), reverse("cash_left", args=["karo", gone.pk])
    overview = thea.get(reverse("cash", args=["karo"])).content.decode()
    assert address in overview and "nach dem Austritt ansehen" in overview
    assert visit(cast.admin).post(address, {"seen": "x"}).status_code == 403
    assert thea.post(address, {"seen": "x"}).status_code == 409
    page = thea.get(address)
    assert thea.post(address, {"seen": page.context["seen"]}).status_code == 302
    assert fees(gone) == [] and "nach dem Austritt" not in thea.get(reverse("cash", args=["karo"])).content.decode()
