"""The page with the workbook and the CSV files of a club."""

from __future__ import annotations

import datetime
import re
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from scoring.models import Club
from tests.factories import PEOPLE, Cast, add_game, make_table
from tests.html import flat
from tests.months import make_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(client: Client, cast: Cast) -> Client:
    """Return a reader of a club with evenings in two years."""
    add_game(make_table(cast.club, held_on=datetime.date(2025, 5, 2)))
    client.force_login(cast.reader)
    return client


def test_the_page_offers_all_time_seasons_years_and_every_table(reader: Client, cast: Cast) -> None:
    season = make_season(cast.club, "Frühling")
    page = reader.get(reverse("club_file", args=["karo"])).content.decode()
    for label in ("alle Zeit", 'label="Saisons"', ">Frühling<", 'label="Jahre"', ">2026<", ">2025<", "2 Abende"):
        assert label in page
    assert page.count("btn-primary") == 1, "to choose a span is no action of its own"
    chosen = flat(reader.get(reverse("club_file", args=["karo"]), {"span": f"season-{season.pk}"}))
    assert f'href="/c/karo/file/excel/?span=season-{season.pk}"' in chosen
    assert f'href="/c/karo/file/csv/list-points/?span=season-{season.pk}"' in chosen
    assert re.search(r"1 Abend\s*<", chosen)


def test_pages_link_to_it_but_not_for_strangers(reader: Client, cast: Cast) -> None:
    Club.objects.filter(pk=cast.club.pk).update(shows_list=True)
    for page in ("more", "standings"):
        assert 'href="/c/karo/file/"' in reader.get(reverse(page, args=["karo"])).content.decode()
    assert "/c/karo/file/" not in Client().get(reverse("standings", args=["karo"])).content.decode()


def test_the_files_of_a_span(reader: Client) -> None:
    book = reader.get(reverse("club_excel", args=["karo"]), {"span": "year-2025"})
    assert book["Content-Type"] == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert 'filename="karo-eins-2025.xlsx"' in book["Content-Disposition"]
    assert load_workbook(BytesIO(book.content)).sheetnames[-1] == "02.05.2025"
    archive = reader.get(reverse("club_csv", args=["karo"]))
    assert 'filename="karo-eins-alle-zeit.zip"' in archive["Content-Disposition"]
    assert ZipFile(BytesIO(archive.content)).namelist()[-2:] == ["007-02-05-2025.csv", "008-06-03-2026.csv"]
    table = reader.get(reverse("export_csv", args=["karo", "games"]), {"span": "year-2025"})
    assert table["Content-Type"] == "text/csv; charset=utf-8"
    lines = table.content.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("Datum;Tisch;Nr.;Zeile;Regelwerk;")
    assert [line.split(";")[8] for line in lines[1:]] == list(PEOPLE[:4])


def test_unknown_spans_tables_and_seasons_of_another_club_are_not_found(reader: Client, cast: Cast) -> None:
    season = make_season(cast.other_club)
    for name in ("club_file", "club_excel", "club_csv"):
        for span in (f"season-{season.pk}", "season-0", "year-1999", "year-", "x", "0"):
            assert reader.get(reverse(name, args=["karo"]), {"span": span}).status_code == 404, (name, span)
    for name in ("months", "list-cents", "list-", "evenings", "list"):
        assert reader.get(reverse("export_csv", args=["karo", name])).status_code == 404, name
