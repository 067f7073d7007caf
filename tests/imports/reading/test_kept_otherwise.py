"""Lists that are kept by sheets and blocks: days side by side on a sheet for each month, seasons over two years, a sheet for each
person. Each comes in right, is doubted, or is refused with what to do."""

from __future__ import annotations

import datetime

import pytest

from scoring.imports.reading.files import FileRefused
from tests.imports.reading.test_secretaries import ACROSS, MONTHS, days, outline_in, read, said_in
from tests.imports.views.test_nasty import DAYS, HEADS, SAID, TRUTH


def test_the_name_of_a_sheet_says_the_month_of_days_side_by_side() -> None:
    sheets = []
    for month, name in MONTHS.items():
        at = [nth for nth, day in enumerate(DAYS) if day.month == month]
        for_each = ([who, *(cells[nth] for nth in at), "9"] for who, *cells in ACROSS)
        sheets.append((f"{name} 2023", [["Name", *(f"{DAYS[nth].day}." for nth in at), "Summe"], *for_each]))
    assert said_in(outline_in(*sheets)) == TRUTH


@pytest.mark.parametrize("name", ["2022_23", "2022-2023", "Saison 22_23", "Saison_2022_2023"])
def test_the_name_of_a_sheet_says_a_season_over_two_years(name: str) -> None:
    autumn = [[f"{day}.11.", "3", "-3"] for day in (4, 18)]
    rows = [HEADS, *autumn, *days(lambda day: f"{day.day}.{day.month}.")[1:]]
    before = {(datetime.date(2022, 11, day), who, points) for day in (4, 18) for who, points in (("Anton", 3), ("Berta", -3))}
    assert said_in(outline_in((name, rows))) == TRUTH | before
    reading = read(outline_in(("2023", rows)))
    assert [doubt.sentence for doubt in reading.doubts][-1].startswith("der 13.01.2023 liegt lange vor dem 18.11.2023 darüber; ist")


def test_a_sheet_for_each_person_is_refused() -> None:
    for more in ([], ["Summe"]):
        sheets = [(who, [["Datum", "Punkte", *more], *([day, cell, *more] for day, cell in zip(SAID, cells, strict=True))])
                  for who, *cells in ACROSS]  # fmt: skip
        with pytest.raises(FileRefused, match="Hier hat jede Person ein eigenes Blatt"):
            outline_in(*sheets)
