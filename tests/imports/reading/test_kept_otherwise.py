"""Lists that are kept by sheets and blocks: days side by side on a sheet for each month, seasons over two years, a sheet for each
person. Each comes in right, is doubted, or is refused with what to do."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import pytest

from scoring.imports.models import Import
from scoring.imports.reading.columns import EXCLUSION_TEXTS, Exclusion
from scoring.imports.reading.proposals import propose_cells
from scoring.imports.reading.uploads import FileRefused
from tests.imports.reading.test_secretaries import (
    ACROSS,
    MONTHS,
    WEEKDAY,
    Rows,
    days,
    of_month,
    outline_in,
    read,
    said_in,
)
from tests.imports.views.test_nasty import CELLS, DAYS, HEADS, NAMES, ROWS, SAID, TRUTH, sums


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


@pytest.mark.parametrize("again", [True, False])
def test_each_month_above_its_days_is_theirs_alone(again: bool) -> None:
    """The first of them stands above the headings, where a title may stand."""
    blocks = [[[f"{name} 2023"], *of_month(month, WEEKDAY.format)] for month, name in MONTHS.items()]
    rows = [row for nth, block in enumerate(blocks) for row in block if again or not nth or row is not block[1]]
    assert said_in(outline_in(("", rows))) == TRUTH


def test_a_month_of_one_evening_between_what_was_and_what_is() -> None:
    sheets = [
        (f"{day:%m-%Y}-{nth}", [HEADS, ["Übertrag", *sums(ROWS[:nth])], ROWS[nth], ["Stand", *sums(ROWS[: nth + 1])]])
        for nth, day in enumerate(DAYS)
    ]
    assert said_in(outline_in(*sheets)) == TRUTH


def test_days_that_are_called_evenings() -> None:
    for written in ("Abend {0.day}.{0.month}.", "Spieltag vom {0.day}. {0.month}."):
        said = [written.format(day) for day in DAYS]
        assert said_in(outline_in(("", [["Name", *said], *ACROSS]))) == TRUTH
        assert said_in(outline_in(("", [HEADS, *([day, *cells] for day, cells in zip(said, CELLS, strict=True))]))) == TRUTH


def beside_each_other(parts: Sequence[Rows], titles: Sequence[str] = ()) -> Rows:
    """These lists side by side, with a title above each."""
    height = max(map(len, parts))
    filled = [[*part, *[[""] * len(part[0])] * (height - len(part))] for part in parts]
    rows = [[cell for part in filled for cell in part[nth]] for nth in range(height)]
    above = [cell for title, part in zip(titles, parts, strict=False) for cell in (title, *part[0][1:])]
    return [["" if cell in NAMES else cell for cell in above], *rows] if titles else rows


@pytest.mark.parametrize("titles", [(), [f"{name} 2023" for name in MONTHS.values()]])
def test_months_beside_each_other_are_read_where_their_days_say_all(titles: Sequence[str]) -> None:
    for written in ("{0:%d.%m.%Y}", "{0.day}.{0.month}."):
        parts = [of_month(month, written.format) for month in MONTHS]
        assert said_in(outline_in(("", beside_each_other(parts, titles)))) == TRUTH
    for written in (WEEKDAY, "{0.day}", "Fr {0.day}."):
        parts = [of_month(month, written.format) for month in MONTHS]
        with pytest.raises(FileRefused, match="mehrere Listen mit denselben Namen nebeneinander"):
            outline_in(("", beside_each_other(parts, titles)))


def test_months_above_the_same_names_are_refused() -> None:
    heads = [["", "Januar", "", "", "Februar", "", ""], ["Tag", *NAMES[:3], *NAMES[:3]]]
    with pytest.raises(FileRefused, match="untereinander schreiben, oder jede auf ein eigenes Blatt"):
        outline_in(("2023", [*heads, ["13.", "3", "-1", "-2", "4", "-4", ""], ["27.", "1", "1", "-2", "", "4", "-4"]]))


def test_somebody_twice_in_one_of_two_lists_is_refused() -> None:
    rows = [["Datum", "Anton", "Berta", "Anton"], ["13.01.2023", "3", "-3", "4"]]
    other = [["Datum", "Anton", "Berta"], ["27.01.2023", "3", "-3"]]
    with pytest.raises(FileRefused, match="„Anton“ steht zweimal in einer Kopfzeile"):
        outline_in(("", beside_each_other([rows, other])))


def test_headings_that_come_again_keep_a_name_that_stands_twice_apart() -> None:
    heads, first, second = ["Datum", "Anton", "Berta", "Anton"], ["1.3.24", "3", "-7", "4"], ["8.3.24", "5", "-4", "-1"]
    outline = outline_in(("", [heads, first, heads, second]))
    assert [row for _number, row in outline.iter_rows()] == [first, second]


@pytest.mark.parametrize("cell", ["", "0"])
def test_a_name_that_stands_again_above_nothing_takes_no_points(cell: str) -> None:
    rows = [[*row[:2], "Anton" if row is HEADS else cell, *row[2:]] for row in (HEADS, *ROWS)]
    sheets = [("Januar 2023", rows[:3]), ("Februar 2023", [HEADS, *ROWS[2:4]]), ("März 2023", [rows[0], *rows[5:]])]
    assert said_in(outline_in(("", rows))) == said_in(outline_in(*sheets)) == TRUTH


def test_a_name_above_points_and_above_what_they_come_to() -> None:
    stands = [sums(ROWS[: nth + 1]) for nth in range(len(ROWS))]
    rows = [[*row, *stand] for row, stand in zip((HEADS, *ROWS), (NAMES, *stands), strict=True)]
    outline = outline_in(("", rows))
    assert {column.exclusion_text for column in outline.columns} == {"", "eine Summe"} and said_in(outline) == TRUTH


def test_every_reason_has_its_sentence() -> None:
    assert list(EXCLUSION_TEXTS) == list(Exclusion)


@pytest.mark.parametrize("first", ["Siege", "Punkte"])
def test_more_of_each_person_is_nobody(first: str) -> None:
    second = "Siege" if first == "Punkte" else "Punkte"
    heads = ["Datum", *(f"{name} {word}" for name in NAMES for word in (first, second))]
    both = {"Punkte": lambda cell: (cell, "3"), "Siege": lambda cell: ("3", cell)}[first]
    rows = [[day, *(part for cell in cells for part in both(cell))] for day, *cells in ROWS]
    assert said_in(outline_in(("", [heads, *rows]))) == TRUTH


def test_totals_of_two_evenings_on_each_sheet_are_asked_about() -> None:
    """Whoever was away keeps a total: points that come again so often are none."""
    file = [(40, -25, -15, 0), (0, 0, 60, -60), (17, 0, 0, -17), (0, 66, -66, 0), (35, -35, 0, 0), (0, 0, 70, -70)]
    sheets = []
    for month, name in MONTHS.items():
        both = file[2 * month - 2 : 2 * month]
        stands = [both[0], tuple(map(sum, zip(*both, strict=True)))]
        said = [[day, *map(str, row)] for day, row in zip(SAID[2 * month - 2 :], stands, strict=False)]
        sheets.append((f"{name} 2023", [HEADS[:5], *said]))
    outline = outline_in(*sheets)
    assert not propose_cells(outline, [column.index for column in outline.columns if not column.exclusion], Import.Kind.EVENINGS)
