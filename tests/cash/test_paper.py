"""What is printed of the Kasse lies about without its address: it says of which club it is, and of whom."""

from __future__ import annotations

import pytest
from django.urls import reverse

from scoring.cash.models import Kind
from tests.cash.kasse import typed
from tests.client import visit
from tests.factories import Cast

pytestmark = pytest.mark.django_db


def test_what_is_printed_says_of_which_club_and_of_whom_it_is(cast: Cast) -> None:
    typed(cast.club, Kind.INCOME, 100, "2026-01-02", heading="income:other", box="cash")
    treasurer = visit(cast.treasurer)
    mine = cast.club.players.order_by("pk").first()
    assert mine is not None
    said = f'<span class="print-only" translate="no"> · {cast.club.name}</span>'
    for name, *args in (
        ("cash_entries",), ("cash_months",), ("cash_month", "2026-01"), ("cash_year", 2026), ("cash_dues",), ("tariff",),
        ("cash_statement", mine.pk),
    ):  # fmt: skip
        assert said in treasurer.get(reverse(name, args=["karo", *args])).content.decode(), name
    mine.user = cast.treasurer
    mine.save()
    html = treasurer.get(reverse("cash_statement", args=["karo", mine.pk])).content.decode()
    assert f'<span class="print-only" translate="no"> · {mine}</span>' in html and said in html
