"""What the Kasse prints: a report as auditors sign it, charts without what somebody asked them, what an evening costs everybody,
and nothing that only a thumb has a use for."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from scoring.evenings.actions import close_evening
from tests.browser_page import log_in, printed
from tests.cash.kasse import agreed, make_kasse
from tests.cash.tariffs import TREASURER, give_tariff
from tests.factories import add_game, make_club, make_table, make_user

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_the_kasse_prints(page: Page, live_server: LiveServer) -> None:
    club = make_club(slug="karo")
    give_tariff(club)
    table = make_table(club)
    evening = table.evening
    add_game(table, re=[0, 1], eyes=90)
    close_evening(evening=evening, actor=TREASURER)
    make_kasse(club)
    login = make_user("thea", club, ["treasurer"])
    settlement = agreed(club)
    log_in(page.context, live_server.url, login)

    def paper(address: str) -> str:
        page.goto(f"{live_server.url}/c/karo/{address}")
        if page.get_by_role("slider").count():
            page.get_by_role("slider").first.press("Home")
        return " ".join(" ".join(printed(page)).split())

    said = paper("cash/years/2026/")
    for part in (
        "Kassenbericht 2026",
        "Geprüft und für richtig befunden:",
        "Ort, Datum",
        "1. Kassenprüfer",
        "2. Kassenprüfer",
    ):
        assert part in said, part
    assert "Februar 2026" not in said and "Einnahmen 0,00" not in said, "what the chart was asked"
    assert "1. Kassenprüfer" in paper("cash/months/2026-02/")
    page.goto(f"{live_server.url}/c/karo/cash/years/2026/")
    assert not page.get_by_text("1. Kassenprüfer").is_visible()

    said = paper(f"evenings/{evening.pk}/cash/")
    assert f"Was der Abend kostet · {club.name}" in said
    for name in ("Çelik", "Özlem"):
        assert f"{name} zahlt" in said, "also where the steps are folded"
    assert "Bar kassieren" not in said and "Strafgelder" not in said

    said = paper("cash/")
    assert club.name in said and "In der Kasse" in said
    for gone in ("Als Nächstes", "Gemeldete Zahlungen", "Alle ›"):
        assert gone not in said, gone
    assert "Zur Kasse" not in paper(f"cash/settle/{settlement.key}/")
