"""Importing a list from a spreadsheet on the phone: upload, preview, take in, see it in the list, undo."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from scoring.models import Evening, Player
from tests.browser.fit import misfits
from tests.factories import make_club, make_player, make_user
from tests.phones import another_page, log_in

pytestmark = pytest.mark.django_db(transaction=True)

REAL = Path(__file__).parents[2] / "fixtures/real/ewige_liste.csv"


def test_an_old_list_comes_along_and_goes_again(page: Page, live_server: LiveServer) -> None:
    club = make_club(slug="karo")
    admin = make_user("anna", club, ["admin"])
    make_player(club, "CÄSAR")
    log_in(page.context, live_server.url, admin)
    page.goto(f"{live_server.url}/c/karo/more/")
    page.get_by_role("link", name="Alte Datei mitbringen").click()
    page.get_by_label("Datei").set_input_files(REAL)
    page.get_by_role("button", name="Datei ansehen").click()

    expect(page.get_by_role("heading", name="Vorschau")).to_be_visible()
    expect(page.get_by_text("90 Abende vom 20.03.2022 bis 03.11.2024")).to_be_visible()
    expect(page.get_by_role("heading", name="15 Zeilen ergeben nicht null")).to_be_visible()
    expect(page.get_by_label("Cäsar")).to_contain_text("CÄSAR")
    expect(page.get_by_text("624 an 72 Abenden")).to_be_visible()
    assert misfits(page) == []
    page.get_by_label("Gustav").select_option("auslassen")
    page.get_by_role("button", name="Übernehmen").click()
    expect(page.get_by_role("alert")).to_contain_text("Bitte noch einmal ansehen")
    page.get_by_label("Gustav").select_option("neue Person")
    with another_page(page):
        page.get_by_role("button", name="Geändertes ansehen").click()
    page.get_by_role("button", name="Übernehmen").click()

    expect(page.get_by_text("Die Datei ist übernommen.")).to_be_visible()
    expect(page.get_by_role("row", name="2 20.03.2022 +18")).to_be_visible()
    assert misfits(page) == []
    page.get_by_role("link", name="Ewige Liste").first.click()
    expect(page.get_by_role("row", name="Berta")).to_contain_text("624")
    expect(page.get_by_text("90 Abende ohne Einzelspiele")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Zurücknehmen …").click()
    page.get_by_role("button", name="90 Abende entfernen").click()
    expect(page.get_by_text("Zurückgenommen: Die Abende dieser Datei zählen nicht mehr.")).to_be_visible()
    assert not Evening.objects.exists()
    assert [player.name for player in Player.objects.all()] == ["CÄSAR"]
