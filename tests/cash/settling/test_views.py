"""The pages of dues and of settling directly, as people open them: what they read, who may tick what, and each refusal."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.cash.models import Kind
from scoring.club.actions import Actor, add_player
from scoring.evenings.actions import close_evening
from scoring.models import DuesStatus, Entry, Membership, Player, Settlement
from tests import fake_clock
from tests.cash.kasse import agreed, at, typed
from tests.cash.tariffs import give_tariff
from tests.client import visit
from tests.factories import Cast, add_game, make_table
from tests.html import unmarked

pytestmark = pytest.mark.django_db
TODAY = timezone.localdate()
THIS = f"{TODAY:%Y-%m}"


def page(client: Client, name: str, *args: object, query: str = "", status: int = 200) -> str:
    response = client.get(at(name, *args) + query)
    assert response.status_code == status
    return " ".join(unmarked(response.content.decode()).replace("\u00a0", " ").split())


def hidden(shown: str, *names: str) -> dict[str, str]:
    return {name: re.findall(rf'name="{name}" value="([^"]*)"', shown)[-1] for name in names}


@pytest.fixture(autouse=True)
def _is_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the end, also where midnight comes before."""
    fake_clock.begin(monkeypatch, TODAY)


# --- Dues -------------------------------------------------------------------------------------------------------------


def test_dues_are_looked_at_and_then_booked(cast: Cast, thea: Client, bodo: Player) -> None:
    assert "kennt keinen Mitgliedsbeitrag" in page(thea, "cash_dues")
    give_tariff(cast.club, dues={"cents": 500, "reduced": 200})
    sent = {"person": bodo.pk, "status": "reduced", "month": THIS}
    assert thea.post(at("cash_dues"), {**sent, "status": "half"}).status_code == 422
    assert thea.post(at("cash_dues"), sent).status_code == 302
    assert "ermäßigt ab" in page(thea, "cash_dues")
    people = cast.club.players.count()
    for name in ("cash", "cash_dues"):
        assert f"buchen ({5 * people - 3},00 €)" in page(thea, name)
    shown = page(thea, "cash_dues_month", THIS)
    assert '<th scope="row">Bodo</th><td class="num">2,00 €</td>' in shown
    stale = thea.post(at("cash_dues_month", THIS), {"seen": "0"})
    assert (stale.status_code, Entry.objects.count()) == (409, 0)
    for _time in range(2):
        answer = thea.post(at("cash_dues_month", THIS), hidden(shown, "seen"))
        assert (answer.status_code, Entry.objects.get().kind) == (302, Kind.DUES)
    assert thea.get(at("cash_dues_month", THIS)).status_code == 302
    assert "Alle Beiträge bis heute sind gebucht" in page(thea, "cash_dues")
    assert "kein Beitrag zu buchen" in page(thea, "cash_dues_month", "2020-01")
    assert DuesStatus.objects.get().player == bodo


def test_whoever_is_new_is_proposed_with_what_joining_costs(cast: Cast, thea: Client) -> None:
    give_tariff(cast.club, joining={"cents": 2050})
    new = add_player(club=cast.club, actor=Actor(cast.admin), name="Neu")
    way = f"{at('cash_entry_new', 'joining')}?person={new.pk}"
    assert f'href="{way}"> Eintrittsgeld von Neu buchen' in page(thea, "cash")
    shown = page(thea, "cash_entry_new", "joining", query=f"?person={new.pk}")
    assert 'value="20,50"' in shown and f'value="{new.pk}" selected' in shown
    assert "Eintrittsgeld von" not in page(visit(cast.reader), "cash")


def test_dues_that_are_not_booked_are_said_before_a_month_is_closed(cast: Cast, thea: Client) -> None:
    give_tariff(cast.club, dues={"cents": 500})
    cast.club.tariffs.update(made_at="2026-03-01T12:00Z")
    typed(cast.club, Kind.OPENING, 100, "2026-03-01", heading="cash")
    shown = page(thea, "cash_month", "2026-03")
    assert "Diese Beiträge sind noch nicht gebucht" in shown
    assert at("cash_dues_month", "2026-03") in shown
    assert at("cash_dues_month", "2026-04") not in shown


# --- Settling ---------------------------------------------------------------------------------------------------------


def test_who_pays_whom_is_looked_at_kept_and_ticked(cast: Cast, thea: Client, rita: Player, bodo: Player) -> None:
    assert "Hier ist nichts auszugleichen" in page(thea, "cash_settle")
    typed(cast.club, Kind.OPENING, 500, "2026-03-01", person=bodo, heading="open")
    typed(cast.club, Kind.OPENING, 300, "2026-03-01", person=rita, heading="credit")
    assert at("cash_settle") in page(thea, "cash") and at("cash_settle") not in page(visit(cast.reader), "cash")
    shown = page(thea, "cash_settle")
    assert "Bodo an Rita: 3,00 €" in shown and "Bodo an die Kasse: 2,00 €" in shown
    assert "Hier ist nichts auszugleichen" not in shown
    assert shown.count('type="checkbox" name="players"') == 2, "whoever does not take part can be left out"
    alone = page(thea, "cash_settle", query=f"?players={rita.pk}")
    assert "Kasse an Rita: 3,00 €" in alone and "Bodo an" not in alone
    sent = {**hidden(shown, "key", "seen"), "players": [bodo.pk, rita.pk]}
    assert thea.post(at("cash_settle"), {**sent, "seen": "0"}).status_code == 409
    assert thea.post(at("cash_settle"), {**sent, "players": []}).status_code == 422
    for _time in range(2):
        answer = thea.post(at("cash_settle"), sent)
        assert (answer.status_code, Settlement.objects.count()) == (302, 1)
    where = at("cash_settlement", sent["key"])
    assert answer.headers["Location"] == where
    assert where in page(visit(cast.reader), "cash")
    kept = page(thea, "cash_settlement", sent["key"])
    assert '<textarea class="form-control" id="share-text"' in kept and "Ist gezahlt" in kept
    assert 'class="desk"' not in kept, "a text without a picture has the whole width"
    thea.post(at("cash_settlement_tick", sent["key"], 2), {"box": "bank"})
    thea.post(at("cash_settlement_tick", sent["key"], 1))
    told = Entry.objects.exclude(kind=Kind.OPENING).order_by("pk")
    assert [(one.kind, one.legs.order_by("-cents")[0].account.code) for one in told] == [
        (Kind.PAYMENT, "bank"),
        (Kind.SETTLE, "member:2"),
    ]
    done = page(thea, "cash_settlement", sent["key"])
    assert "Ist gezahlt" not in done and done.count("✓") == 2
    assert where not in page(thea, "cash")


def test_whoever_gets_the_money_ticks_and_nobody_else(cast: Cast, rita: Player, bodo: Player) -> None:
    typed(cast.club, Kind.OPENING, 500, "2026-03-01", person=bodo, heading="open")
    typed(cast.club, Kind.OPENING, 300, "2026-03-01", person=rita, heading="credit")
    kept = agreed(cast.club)
    for who, place, status in (
        (cast.admin, 1, 403), (cast.reader, 2, 403), (cast.reader, 9, 404), (cast.stranger, 1, 404), (cast.reader, 1, 302),
        (cast.reader, 1, 302),
    ):  # fmt: skip
        answer = visit(who).post(at("cash_settlement_tick", kept.key, place))
        assert (answer.status_code, who, place) == (status, who, place)
    assert Entry.objects.get(kind=Kind.SETTLE).actor == cast.reader
    seen = page(visit(cast.admin), "cash_settlement", kept.key)
    assert "Bodo an Rita: 3,00 €" in seen and "Bar gezahlt" not in seen
    assert visit(cast.stranger).get(at("cash_settlement", kept.key)).status_code == 404
    assert visit(cast.reader).get(at("cash_settle")).status_code == 403
    page(visit(cast.treasurer), "cash_settlement", UUID(int=1), status=404)


def test_under_the_address_of_one_club_nothing_of_another_is_ticked_off(cast: Cast, rita: Player, bodo: Player) -> None:
    """By its treasurer, nor by somebody who is treasurer of both and mixes the addresses up."""
    typed(cast.club, Kind.OPENING, 500, "2026-03-01", person=bodo, heading="open")
    typed(cast.club, Kind.OPENING, 300, "2026-03-01", person=rita, heading="credit")
    kept, other = agreed(cast.club), cast.other_club
    Membership.objects.filter(club=other, user=cast.stranger).update(treasurer=True)
    Membership.objects.create(club=other, user=cast.treasurer, treasurer=True)
    for who in (cast.stranger, cast.treasurer):
        assert visit(who).get(reverse("cash_settlement", args=[other.slug, kept.key])).status_code == 404
        assert visit(who).post(reverse("cash_settlement_tick", args=[other.slug, kept.key, 1])).status_code == 404
    assert visit(cast.stranger).post(at("cash_settlement_tick", kept.key, 1)).status_code == 404
    assert set(Entry.objects.values_list("kind", flat=True)) == {Kind.OPENING}


def test_what_an_evening_left_is_settled_from_its_page(cast: Cast, thea: Client) -> None:
    give_tariff(cast.club, points={"scheme": "minus", "rate": 10, "winners": 1}, fee={"cents": 0}, absence={})
    table = make_table(cast.club)
    add_game(table, form="penalty", points=[-10, 0, 0, 10], reason="So war es")
    evening = table.evening
    assert "Weitersagen" not in page(thea, "evening_cash", evening.pk)
    close_evening(evening=evening, actor=Actor())
    loser, winner = (table.rounds.get().seats.get(place=place).player.name for place in (0, 3))
    shown = page(thea, "evening_cash", evening.pk)
    assert f"{at('cash_settle')}?evening={evening.pk}" in shown
    told = shown.partition('id="share-text"')[2].partition("</textarea>")[0]
    assert f"{loser} zahlt 1,00 € {winner} bekommt 1,00 € Die Kasse nichts" in told
    asked = page(thea, "cash_settle", query=f"?evening={evening.pk}")
    assert f"{loser} an {winner}: 1,00 €" in asked
    sent = {**hidden(asked, "key", "seen"), "evening": evening.pk}
    sent["players"] = re.findall(r'type="hidden" name="players" value="(\d+)"', asked)
    assert thea.post(at("cash_settle"), sent).status_code == 302
    thea.post(at("cash_settlement_tick", sent["key"], 1))
    assert Entry.objects.get(kind=Kind.SETTLE).evening == evening
    after = page(visit(cast.reader), "evening_cash", evening.pk)
    assert at("cash_settlement", sent["key"]) in after
    assert "Alles bar kassiert" not in page(thea, "evening_cash", evening.pk)
    page(thea, "cash_settle", query="?evening=99999", status=404)
