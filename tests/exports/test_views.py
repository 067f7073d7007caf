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

from tests.factories import PEOPLE, Cast, add_game, make_cast, make_table
from tests.months import make_season
from tests.pages import flat

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """Return a club with evenings in two years."""
    cast = make_cast()
    add_game(make_table(cast.club, held_on=datetime.date(2025, 5, 2)))
    return cast


@pytest.fixture
def reader(client: Client, cast: Cast) -> Client:
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


def test_pages_link_to_it(reader: Client) -> None:
    for page in ("more", "standings"):
        assert 'href="/c/karo/file/"' in reader.get(reverse(page, args=["karo"])).content.decode()


def test_strangers_see_no_link_to_it() -> None:
    make_cast(shows_list=True)
    assert "/c/karo/file/" not in Client().get(reverse("standings", args=["karo"])).content.decode()


def test_the_workbook_of_a_year(reader: Client) -> None:
    response = reader.get(reverse("club_excel", args=["karo"]), {"span": "year-2025"})
    assert response["Content-Type"] == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert 'filename="karo-eins-2025.xlsx"' in response["Content-Disposition"]
    assert load_workbook(BytesIO(response.content)).sheetnames[-1] == "02.05.2025"


def test_the_archive_of_all_tables(reader: Client) -> None:
    response = reader.get(reverse("club_csv", args=["karo"]))
    assert 'filename="karo-eins-alle-zeit.zip"' in response["Content-Disposition"]
    names = ZipFile(BytesIO(response.content)).namelist()
    assert names[-2:] == ["007-02-05-2025.csv", "008-06-03-2026.csv"]


def test_one_table(reader: Client) -> None:
    response = reader.get(reverse("table_csv", args=["karo", "games"]), {"span": "year-2025"})
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    lines = response.content.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("Datum;Tisch;Nr.;Zeile;Regelwerk;")
    assert [line.split(";")[8] for line in lines[1:]] == list(PEOPLE[:4])


@pytest.mark.parametrize("name", ["club_file", "club_excel", "club_csv"])
@pytest.mark.parametrize("span", ["season-1", "year-1999", "year-", "x", "0"])
def test_an_unknown_span_is_not_found(reader: Client, cast: Cast, name: str, span: str) -> None:
    assert reader.get(reverse(name, args=["karo"]), {"span": span}).status_code == 404


def test_the_season_of_another_club_is_not_found(reader: Client, cast: Cast) -> None:
    season = make_season(cast.other_club)
    for name in ("club_file", "club_excel", "club_csv"):
        assert reader.get(reverse(name, args=["karo"]), {"span": f"season-{season.pk}"}).status_code == 404


@pytest.mark.parametrize("name", ["months", "list-cents", "list-", "evenings", "list"])
def test_an_unknown_table_is_not_found(reader: Client, name: str) -> None:
    assert reader.get(reverse("table_csv", args=["karo", name])).status_code == 404
