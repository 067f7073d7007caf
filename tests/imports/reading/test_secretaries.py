"""Lists as secretaries keep them, read as they are proposed: what each says of whom, on which day. The pages take a list of every
kind in `tests/imports/views/`; here each is a question of a few milliseconds."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence

import pytest

from scoring.imports.models import Import
from scoring.imports.reading.evenings import Reading, ReadingOptions, lacks_year, read_evenings
from scoring.imports.reading.outline import Outline
from scoring.imports.reading.proposals import propose_cells, propose_kind
from scoring.imports.reading.sheets import join_sheets, outline_sheets, select_alike
from scoring.imports.reading.uploads import FileRefused, FileSheet
from tests.imports.views.test_nasty import CELLS, DAYS, HEADS, NAMES, ROWS, SAID, TRUTH, sums

Rows = Sequence[Sequence[str]]
Found = set[tuple[datetime.date, str, int]]
FIRST = datetime.date(2023, 1, 13)
WHOLE = ["Anton Meier", "Berta Müller", "Cäsar Kunz", "Dora Vogt", "Emil Beck"]
MONTHS = {1: "Januar", 2: "Februar", 3: "März"}
STANDS = [sums(ROWS[: nth + 1]) for nth in range(len(ROWS))]
ACROSS = [[name, *cells] for name, cells in zip(NAMES, zip(*CELLS, strict=True), strict=True)]
LONG = [
    [day, name, cell]
    for day, cells in zip(SAID, CELLS, strict=True)
    for name, cell in zip(NAMES, cells, strict=True)
    if cell
]
RANKING = [["Platz", "Name", "Punkte"], ["1.", "Berta", "16"], ["2.", "Anton", "15"], ["3.", "Dora", "-31"]]


def outline_in(*sheets: tuple[str, Rows]) -> Outline:
    files = [FileSheet(name, [list(row) for row in rows]) for name, rows in sheets]
    found = outline_sheets(files)
    return join_sheets(files, {index: found[index] for index in select_alike(files, found)})


def read(outline: Outline) -> Reading:
    people = [column.index for column in outline.columns if not column.exclusion]
    assert propose_kind(outline) == Import.Kind.EVENINGS
    cells = propose_cells(outline, people, Import.Kind.EVENINGS)
    assert cells
    options = ReadingOptions(cells=cells, first=FIRST, rhythm="fortnight", year=2023 if lacks_year(outline) else None, weekday=4)
    return read_evenings(outline, people, options)


def said_in(outline: Outline) -> Found:
    reading = read(outline)
    assert not reading.faults, [(fault.where, fault.sentence) for fault in reading.faults]
    names = {column.index: column.name for column in outline.columns}
    return {
        (sitting.held_on, names[who], points) for sitting in reading.sittings for who, points in sitting.points.items()
    }


def called(names: Sequence[str]) -> Found:
    return {(day, names[NAMES.index(name)], points) for day, name, points in TRUTH}


def days(written: Callable[[datetime.date], str]) -> Rows:
    return [HEADS, *([written(day), *cells] for day, cells in zip(DAYS, CELLS, strict=True))]


def beside(**columns: str) -> Rows:
    """More columns behind those of people, with a cell for each evening."""
    more = [cells.split("|") for cells in columns.values()]
    return [[*HEADS, *columns], *([*row, *(cells[nth] for cells in more)] for nth, row in enumerate(ROWS))]


def absent(word: str) -> Rows:
    return [HEADS, *([day, *(cell or word for cell in cells)] for day, *cells in ROWS)]


def with_below(*rows: Sequence[str]) -> Rows:
    return [HEADS, *ROWS, *rows]


def side_by_side(left: Rows, right: Rows) -> Rows:
    width = max(map(len, left))
    return [
        [*(left[nth] if nth < len(left) else [""] * width), "", *(right[nth] if nth < len(right) else [])]
        for nth in range(max(len(left), len(right)))
    ]


def so_far(entries: Rows) -> list[str]:
    """What everybody has come to behind each of these entries."""
    names = [name for _day, name, _cell in entries]
    return [str(sum(int(entries[at][2]) for at in range(nth + 1) if names[at] == name)) for nth, name in enumerate(names)]


def apart(cell: str) -> list[str]:
    """What somebody won and what they lost, each without a sign."""
    return [cell.replace("-", "") if cell and (cell[0] == "-") == lost else "" for lost in (False, True)]


def of_month(month: int, written: Callable[[datetime.date], str]) -> Rows:
    return [
        ["Tag", *NAMES],
        *([written(day), *cells] for day, cells in zip(DAYS, CELLS, strict=True) if day.month == month),
    ]


WEEKDAY = "{0.day}."
RIGHT: Mapping[str, Rows] = {
    "a pot": beside(Topf="3|5|2|4|1|6"),
    "a pot now and then": beside(Topf="||5|||2"),
    "beer and a pot": beside(Bier="3|5|2|4|1|6", Topf="7|7|7|7|7|7"),
    "two numbers of nobody knows what": beside(Kronkorken="3|5|2|4|1|6", Karten="7|7|7|7|7|7"),
    "the club's box": beside(Clubkasse="5,00|-3,00|2,50|4,00|1,00|7,50"),
    "remarks that are numbers": beside(Bemerkung="|||2||"),
    "hosts and who was there": beside(Gastgeber="Anton|Berta|Dora|Emil|Anton|Dora", Anwesende="4|3|4|4|4|4"),
    "a check": beside(**{"∑": "0|0|0|0|0|0", "Diff.": "0|0|0|0|0|0", "Prüfzahl": "0|0|0|0|0|0"}),
    "a row that stands twice": [["Datum", "Name", "Punkte"], *LONG[:3], LONG[2], *LONG[3:], LONG[7]],
    "sums in a long table": [
        ["Datum", "Name", "Punkte"], *(row for nth, row in enumerate(LONG) for row in ([row], [row, ["", "Summe", "0"]])[nth == 3])
    ],
    "first and last names in a long table": [
        ["Datum", "Vorname", "Nachname", "Punkte"],
        *([day, name, "", cell] for day, name, cell in LONG),
    ],
    "numbers of evenings with their days": days(lambda day: f"Abend {1 + (day - FIRST).days // 14} ({day:%d.%m.%Y})"),
    "numbers in front of days": days(lambda day: f"{1 + (day - FIRST).days // 14}. Abend am {day:%d.%m.%y}"),
    "evenings that are counted beside their days": [["Abend", *HEADS], *([f"{nth}.", *row] for nth, row in enumerate(ROWS, 1))],
    "nights": days(lambda day: f"{day.day}./{day.day + 1}.{day.month}.2023"),
    "English days": days(lambda day: f"{day:%A}, {day:%B} {day.day}, 2023"),
    "English numbers": days(lambda day: f"{day.day}th {day:%b} 2023"),
    "a season over two years": [HEADS, ["Saison 2022/23"], *days(lambda day: f"{day.day}.{day.month}.")[1:]],
    "months in front of days": [
        ["Monat", "Tag", *NAMES],
        *(
            [MONTHS[day.month] + " 2023" if nth % 2 == 0 else "", f"{day.day}.", *cells]
            for nth, (day, cells) in enumerate(zip(DAYS, CELLS, strict=True))
        ),
    ],
    "days below their months, the year in a title": [
        ["Liste 2023"], HEADS, *(row for month in MONTHS for row in ([MONTHS[month]], *of_month(month, WEEKDAY.format)[1:]))
    ],
    "plus and minus beside each other": [
        ["Datum", *(f"{name} {sign}" for name in NAMES for sign in "+-")],
        *([day, *(part for cell in cells for part in apart(cell))] for day, *cells in ROWS),
    ],
    "plus and minus below names": [
        ["", *(cell for name in NAMES for cell in (name, ""))], ["Datum", *["Plus", "Minus"] * 5],
        *([day, *(part for cell in cells for part in apart(cell))] for day, *cells in ROWS),
    ],
    "how everybody stands beside it": side_by_side([HEADS, *ROWS], RANKING),
    "how everybody stands in front of it": side_by_side([*RANKING, *[[""] * 3] * 3], [HEADS, *ROWS]),
    "how everybody stands above it": [*RANKING, [], HEADS, *ROWS],
    "how everybody stands below it": [HEADS, *ROWS, [], *RANKING],
    "the same people with their totals behind": [
        [*HEADS, *NAMES], *([*row, *stand] for row, stand in zip(ROWS, STANDS, strict=True))
    ],
    "money of each behind": [
        [*HEADS, *(f"{name} €" for name in NAMES)], *([*row, *(f"{cell},50" if cell else "" for cell in row[1:])] for row in ROWS)
    ],
    "tables of evenings below each other": [
        row
        for day, cells in zip(SAID, CELLS, strict=True)
        for row in (
            [f"Abend vom {day}"], ["Name", "Punkte"],
            *([name, cell] for name, cell in zip(NAMES, cells, strict=True) if cell), ["Summe", "0"], [],
        )
    ],
    "evenings that did not take place": [HEADS, *ROWS[:2], ["03.02.2023", "ausgefallen"], *ROWS[2:], ["Sommerpause"]],
    "planned evenings": with_below(["07.04.2023", *"00000"], ["01.12.2026"], ["15.12.2026"]),
    "a legend": with_below([], ["* = Gast", "zahlt nicht"], ["x = nicht da"], ["Stand: 25.03.2023"]),
    "addresses below the names": [HEADS, ["E-Mail", *(f"{name}@example.org" for name in "abcde")], *ROWS],
    "units below the names": [HEADS, ["", *["Pkt."] * 5], *ROWS],
    "figures below": with_below(["Max", *"12345"], ["Median", *"12345"]),
    "places and solos below each evening": [
        ["Datum", "", *NAMES],
        *(row for day, *cells in ROWS for row in ([day, "Punkte", *cells], ["", "Soli", *"11111"], ["", "Platz", *"12345"])),
    ],
    "evenings as numbers side by side": [["Name", *"123456", "Gesamt"], *([*row, "7"] for row in ACROSS)],
    "names with their points beside each other": [
        ["Datum", *["Spieler", "Punkte"] * 5],
        *([day, *(part for name, cell in zip(NAMES, cells, strict=True) for part in (name, cell))] for day, *cells in ROWS),
    ],
    "plus and minus in a long table": [["Datum", "Name", "+", "-"], *([day, name, *apart(cell)] for day, name, cell in LONG)],
    "sums in front of the points of a long table": [
        ["Datum", "Name", "Plus", "Minus", "Gesamt", "Punkte"], *([*row[:2], "9", "3", "99", row[2]] for row in LONG)
    ],
    "totals in a long table of who was there": [
        ["Datum", "Name", "Gesamtpunkte"],
        *([day, name, stand] for (day, name, cell), stand in zip(LONG, so_far(LONG), strict=True)),
    ],
    "winners in front of their points": [
        ["Datum", *(word for nth in range(1, 5) for word in (f"{nth}. Platz", "Punkte"))],
        *([day, *(part for name, cell in zip(NAMES, cells, strict=True) if cell for part in (name, cell))] for day, *cells in ROWS),
    ],
    "the sums of winners and losers": beside(Plus="12|20|9|18|15|8", Minus="-12|-20|-9|-18|-15|-8"),
    "headings again in a long table": [["Datum", "Name", "Punkte"], *LONG[:8], ["Datum", "Name", "Punkte"], *LONG[8:]],
    "years of everybody beside it": side_by_side([HEADS, *ROWS], [["Name", "2021", "2022"], *([name, "5", "7"] for name in NAMES)]),
    "points that are called otherwise": [["Spieldatum", "Wer war dabei?", "Spielpunkte"], *LONG],
    "a day without a name": [["am", "Name", "Summe"], *LONG],
    "numbers in front of days, in signs": days(lambda day: f"#{1 + (day - FIRST).days // 14} / {day:%d.%m.%Y}"),
    "weeks in front of days": days(lambda day: f"KW {day:%V}, {day:%d.%m.%Y}"),
    "offices above": [["Amt", "Präsident", "Wirtin", "Kassierer", "Schriftführerin", "Beisitzer"], HEADS, *ROWS],
    "teams above": [["", "Team 1", "Team 1", "Team 2", "Team 2", "Gast"], HEADS, *ROWS],
    "lines between": [HEADS, ["---"] * 6, *ROWS[:3], ["==="] * 6, *ROWS[3:]],
    "colons": [["Datum:", *(f"{name}:" for name in NAMES)], *ROWS],
    "points in the headings": [["Datum", *(f"{name} (Pkt.)" for name in NAMES)], *ROWS],
    "a guest in brackets": [["Datum", *NAMES[:2], "[Cäsar]", "(Dora)", "Emil (Gast)"], *ROWS],
    "the names of the days' column": [["Spieler", *NAMES], *ROWS],
    "signs of all kinds": [
        HEADS, *([day, *(f"‒ {cell[1:]}" if cell[:1] == "-" else cell and f"{cell} ¹" for cell in cells)] for day, *cells in ROWS)
    ],
    **{word: absent(word) for word in ("n. da", "entsch.", "fehlt entsch.", "(krank)", "abw.", "./.", "*", "e", "n/a", "k.A.")},
}  # fmt: skip
WEEKS: Mapping[str, Rows] = {
    "with a year": days(lambda day: f"KW {day.isocalendar().week}/2023"),
    "without": days(lambda day: f"{day.isocalendar().week}. KW"),
    "as computers write them": days(lambda day: f"{day:%G-W%V}"),
    "as numbers": [["KW", *NAMES], *days(lambda day: f"{day.isocalendar().week}")[1:]],
    "as numbers with years": [
        ["KW", "Jahr", *NAMES],
        *([f"{day:%V}", "2023", *cells] for day, cells in zip(DAYS, CELLS, strict=True)),
    ],
    "in English": days(lambda day: f"W{day.isocalendar().week}/2023"),
    "as a word": days(lambda day: f"Woche {day.isocalendar().week}/2023"),
    "side by side": [["Name", *(f"KW {day:%V} {day:%G}" for day in DAYS)], *ACROSS],
}
REFUSED: Mapping[str, tuple[Rows, str]] = {
    "places": ([HEADS, *([day, *"1234", ""] for day in SAID)], "nur, wer da oder auf welchem Platz war"),
    "places with dots": ([HEADS, *([day, "2.", "1.", "", "3.", ""] for day in SAID)], "keine Punkte"),
    "who was there": ([HEADS, *([day, *(cell and "1" for cell in cells)] for day, *cells in ROWS)], "keine Punkte"),
    "months instead of names": (
        [["Tag", *MONTHS.values()], ["13.", "12", "3", "5"], ["27.", "-8", "-3", ""]], "Über den Punkten stehen Monate statt Namen"
    ),
    "years of everybody": ([["Name", "2021", "2022"], ["Anton", "50", "-30"], ["Berta", "-50", "30"]], "ein Jahr ist kein Abend"),
    "yes and no": ([HEADS, *([day, *("ja" if cell else "nein" for cell in cells)] for day, *cells in ROWS)], "keine Punkte"),
    "crosses": ([HEADS, *([day, *(cell and "x" for cell in cells)] for day, *cells in ROWS)], "keine Punkte"),
    "two numbers in a cell": (
        [HEADS, *([day, *(cell and f"{cell}/20" for cell in cells)] for day, *cells in ROWS)],
        "In den Zellen steht mehr als eine Zahl („12/20“).",
    ),
    "games side by side": (
        [["Name", "Spiel 1", "Spiel 2", "Spiel 3", "Summe"], *([name, "1", "-1", "2", "2"] for name in NAMES)],
        "Hier stehen die Spiele nebeneinander und die Personen untereinander. Bitte das Blatt in der Datei drehen",
    ),
    "columns of nobody knows what": (
        [["", *(cell for name in NAMES for cell in (name, name))], ["Datum", *["gew.", "verl."] * 5],
         *([day, *(part for cell in cells for part in apart(cell))] for day, *cells in ROWS)],
        "Unter jedem Namen stehen mehrere Spalten (gew., verl.), und keine heißt „Punkte“.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_it_is_read_right(name: str) -> None:
    assert said_in(outline_in(("", RIGHT[name]))) == TRUTH


@pytest.mark.parametrize("name", WEEKS)
def test_a_week_is_the_day_on_which_the_round_met(name: str) -> None:
    outline = outline_in(("", WEEKS[name]))
    assert said_in(outline) == TRUTH


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(name: str) -> None:
    rows, sentence = REFUSED[name]
    with pytest.raises(FileRefused) as refused:
        outline_in(("", rows))
    assert sentence in str(refused.value)


@pytest.mark.parametrize("written", ["{0.day}.", "{0.day}", "Fr {0.day}.", "Fr, {0.day}."])
def test_the_name_of_a_sheet_or_its_title_says_the_month(written: str) -> None:
    for called_by in ("{} 2023", "{} 23", "{}"):
        sheets = [(called_by.format(name), of_month(month, written.format)) for month, name in MONTHS.items()]
        assert said_in(outline_in(*sheets)) == TRUTH, called_by
    titled = [
        (f"Blatt {month}", [[f"{name} 2023"], *of_month(month, written.format)]) for month, name in MONTHS.items()
    ]
    assert said_in(outline_in(*titled)) == TRUTH
    numbered = [(f"{month:02}-2023", of_month(month, written.format)) for month in MONTHS]
    assert said_in(outline_in(*numbered)) == TRUTH


def test_a_sheet_for_each_evening_says_who_had_what() -> None:
    heads = [["Platz", "Name", "Punkte"], *([str(nth), name, ""] for nth, name in enumerate(NAMES, 1))]
    sheets = [
        (
            day,
            [heads[0], *([nth, name, cell] for (nth, name, _cell), cell in zip(heads[1:], cells, strict=True) if cell)],
        )
        for day, cells in zip(SAID, CELLS, strict=True)
    ]
    assert said_in(outline_in(*sheets)) == TRUTH


def test_names_in_two_rows() -> None:
    first, last = (list(names) for names in zip(*map(str.split, WHOLE), strict=True))
    for heads in ([["", *first], ["Datum", *last]], [["Vorname", *first], ["Nachname", *last]]):
        assert said_in(outline_in(("", [*heads, *ROWS]))) == called(WHOLE)
    across = [[*name.split(), *row[1:]] for name, row in zip(WHOLE, ACROSS, strict=True)]
    assert said_in(outline_in(("", [["Vorname", "Nachname", *SAID], *across]))) == called(WHOLE)


def test_initials_are_names() -> None:
    assert said_in(outline_in(("", [["Datum", *"AEFKU"], *ROWS]))) == called("AEFKU")


def test_two_clubs_side_by_side() -> None:
    other = [["Datum", "Xaver", "Yps", "Zoe"], ["20.01.2023", "5", "-3", "-2"], ["03.02.2023", "1", "1", "-2"]]
    both = side_by_side([["Freitags"], [], HEADS, *ROWS], [["Donnerstags"], [], *other])
    theirs = {
        (datetime.date(2023, month, day), name, points)
        for day, month, said in ((20, 1, (5, -3, -2)), (3, 2, (1, 1, -2)))
        for name, points in zip(other[0][1:], said, strict=True)
    }
    assert said_in(outline_in(("", both))) == TRUTH | theirs


def test_headings_of_other_people_further_down_are_theirs() -> None:
    """Nobody gets the points of somebody else who stands in the same column."""
    other = [["Datum", "Xaver", "Yps", "Zoe"], ["20.01.2023", "5", "-3", "-2"]]
    theirs = {
        (datetime.date(2023, 1, 20), name, points) for name, points in zip(other[0][1:], (5, -3, -2), strict=True)
    }
    assert said_in(outline_in(("", [HEADS, *ROWS, [], *other]))) == TRUTH | theirs
    unlike = read(outline_in(("", [HEADS, *ROWS, [], ["", *other[0][1:]], other[1]])))
    assert [fault.where for fault in unlike.faults] == ["Zeile 9"]


def test_points_above_zero_are_no_numbers_of_something() -> None:
    rows = [[day, *("5" if who in (nth % 2, 2) else "" for who in range(6))] for nth, day in enumerate(SAID)]
    outline = outline_in(("", [["Datum", *"ABCDEF"], *rows]))
    assert [column.name for column in outline.columns if not column.exclusion] == ["A", "B", "C"]


def test_a_book_of_cash_has_no_people() -> None:
    rows = [
        ["Datum", "Text", "Einnahme", "Ausgabe", "Saldo"],
        ["1.1.23", "Beiträge", "50", "", "50"],
        ["8.1.23", "Karten", "", "12", "38"],
    ]
    assert all(column.exclusion for column in outline_in(("", rows)).columns)


def test_years_side_by_side_say_their_years_above() -> None:
    left = [
        ["2022", *[""] * 5],
        days(str)[0],
        *([f"{day.day}.{day.month}.", *cells] for day, cells in zip(DAYS, CELLS, strict=True)),
    ]
    right = [["2023"], *left[1:]]
    before = {(day.replace(year=2022), name, points) for day, name, points in TRUTH}
    assert said_in(outline_in(("", side_by_side(left, right)))) == TRUTH | before


def test_what_is_left_out_is_named() -> None:
    reading = read(outline_in(("", RIGHT["a row that stands twice"])))
    said = [(remark.where, remark.sentence) for remark in reading.left_out]
    assert ("Zeile 5", "sagt noch einmal dasselbe wie Zeile 4 (Cäsar -6)") in said
    reading = read(outline_in(("", RIGHT["how everybody stands beside it"])))
    assert [(remark.where, remark.sentence) for remark in reading.left_out] == [
        ("Tabelle ab Zeile 1, Spalte H", "gehört zu keinem Abend (Berta 16, Anton 15, Dora -31)")
    ]
    reading = read(outline_in(("", RIGHT["evenings that did not take place"])))
    assert ("Zeile 4", "ist ohne Punkte („ausgefallen“)") in [
        (remark.where, remark.sentence) for remark in reading.left_out
    ]
    reading = read(outline_in(("", RIGHT["planned evenings"])))
    assert ("Zeile 8", "bringt niemandem Punkte") in [(remark.where, remark.sentence) for remark in reading.left_out]
    outline = outline_in(("", RIGHT["beer and a pot"]))
    assert {column.name: column.exclusion_text for column in outline.columns if column.exclusion} == {
        "Bier": "keine Person", "Topf": "keine Person",
    }  # fmt: skip


def test_games_that_are_alike_are_no_repetition() -> None:
    game = [["13.01.2023", name, points] for name, points in zip(NAMES, ("3", "3", "-3", "-3"), strict=False)]
    outline = outline_in(("", [["Datum", "Name", "Punkte"], *game, *game, *game]))
    assert len(list(outline.iter_rows())) == 3 and not outline.left_out


def test_a_guest_is_known_by_the_heading() -> None:
    outline = outline_in(("", RIGHT["a guest in brackets"]))
    assert [column.name for column in outline.columns if column.guest] == ["Cäsar", "Dora", "Emil"]


def test_brackets_around_points_are_asked_about() -> None:
    rows = [[day, *cells[:4], f"({cells[4]})" if cells[4] else ""] for day, *cells in ROWS]
    reading = read(outline_in(("", [HEADS, *rows])))
    assert [fault.where for fault in reading.faults] == ["Zeile 5", "Zeile 6"]
    assert "Klammern können ein Minus oder einen Gast meinen" in reading.faults[0].sentence
