"""The page on which somebody enters what everybody drank, and the bill."""

from __future__ import annotations

import pytest
from django.test import Client

from scoring.models import Attendance, Evening
from tests.cash.tariffs import give_tariff
from tests.factories import Cast, make_table

pytestmark = pytest.mark.django_db


def test_what_was_drunk_and_who_paid_the_bill(client: Client, cast: Cast) -> None:
    give_tariff(cast.club, drinks={"list": {"bier": 250}, "shared": True})
    evening = make_table(cast.club).evening
    rows = list(Attendance.objects.filter(evening=evening).order_by("place"))
    address = f"/c/karo/evenings/{evening.pk}/cash/drinks/"
    client.force_login(cast.scorer)
    assert client.get(address).status_code == 200
    typed = {f"bier.{rows[0].player_id}": "2", "bill": "8,00", "paid_by": rows[1].player_id}
    assert client.post(address, {**typed, "bill": "acht"}).status_code == 422
    for many in ("1000", "1.000"):
        assert client.post(address, {**typed, f"bier.{rows[0].player_id}": many}).status_code == 422
    asked = client.post(address, {**typed, "bill": "1.000,01"})
    assert asked.status_code == 422 and not Evening.objects.get(pk=evening.pk).bill_cents
    assert asked.context["form"].errors["bill"][0].startswith("1.000,01\u00a0€ ist hier ungewöhnlich viel.")
    assert 'name="sure" value="bill=100001"' in asked.content.decode()
    assert client.post(address, typed).status_code == 302
    rows[0].refresh_from_db()
    evening = Evening.objects.get(pk=evening.pk)
    assert (rows[0].drinks, evening.bill_cents, evening.bill_paid_by) == ({"bier": 2}, 800, rows[1].player)
    shown = client.get(f"/c/karo/evenings/{evening.pk}/cash/").content.decode()
    share = "Anteil an der Rechnung von 8,00\u00a0€: 2,00\u00a0€"
    assert f"2\u00a0× bier 2,50\u00a0€; {share}" in shown and f"{share}; Rechnung ausgelegt: 8,00\u00a0€" in shown


def test_a_tariff_without_drinks_asks_for_none(client: Client, cast: Cast) -> None:
    client.force_login(cast.scorer)
    assert client.get(f"/c/karo/evenings/{cast.table.evening_id}/cash/drinks/").status_code == 302
    give_tariff(cast.club)
    evening = make_table(cast.club).evening
    for ask in (client.get, client.post):
        answer = ask(f"/c/karo/evenings/{evening.pk}/cash/drinks/", follow=True)
        assert answer.redirect_chain == [(f"/c/karo/evenings/{evening.pk}/cash/", 302)]
        assert "Nach dem Tarif dieses Abends kosten Getränke nichts." in answer.content.decode()
