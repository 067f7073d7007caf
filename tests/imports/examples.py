"""Lists and an old Kasse for tests: six evenings of five people, the real list of a club, and two seasons of payments."""

from __future__ import annotations

import csv
import datetime
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.urls import reverse
from openpyxl import Workbook

from scoring.club.actions import Actor
from scoring.imports.actions import book_kasse, store_file
from scoring.imports.forms.kasse import KasseForm
from scoring.models import Club, Import
from tests.imports.uploads import Desk

DAYS = [datetime.date(2023, 1, 13) + datetime.timedelta(days=14 * number) for number in range(6)]
# The points of each player by evening, None for an absent player.
POINTS = {
    "Anton": (12, -8, 5, None, 9, -3), "Berta": (-4, 20, 1, -7, None, 6), "Cäsar": (-6, None, -9, 15, -14, 2),
    "Dora": (-2, -12, 3, -11, 6, -5), "Emil": (None, None, None, 3, -1, None),
}  # fmt: skip
NAMES = list(POINTS)
HEADS = ["Datum", *NAMES]
DAY_TEXTS = [f"{day:%d.%m.%Y}" for day in DAYS]
CELLS = [["" if row[nth] is None else str(row[nth]) for row in POINTS.values()] for nth in range(len(DAYS))]
ROWS = [[day, *cells] for day, cells in zip(DAY_TEXTS, CELLS, strict=True)]
TRUTH = {
    (day, name, points)
    for name, row in POINTS.items()
    for day, points in zip(DAYS, row, strict=True)
    if points is not None
}


def sums(rows: Sequence[Sequence[str]]) -> list[str]:
    return [str(sum(int(row[index] or 0) for row in rows)) for index in range(1, len(HEADS))]


def text(*rows: Sequence[str]) -> str:
    return "\n".join(";".join(row) for row in rows)


LIST = text(HEADS, *ROWS)


def sheets(**found: Sequence[Sequence[object]]) -> bytes:
    """Build a workbook with these sheets."""
    book, out = Workbook(), BytesIO()
    book.remove(book.worksheets[0])
    for name, rows in found.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(out)
    return out.getvalue()


# --- Lists ------------------------------------------------------------------------------------------------------------


ROOT = Path(__file__).parents[2]
REAL = (ROOT / "fixtures/real/ewige_liste.csv").read_bytes()
TOTALS = {
    "Anton": (-15, 29), "Berta": (624, 72), "Cäsar": (-133, 67), "Dora": (-310, 79), "Emil": (0, 57),
    "Friedrich": (58, 75), "Gustav": (-84, 41),
}  # fmt: skip
GAMES = """Datum;Anton;Berta;Cäsar;Dora
01.03.24;3;3;-3;-3
;-2;2;-2;2
;9;-3;-3;-3
;-1;-1;3;-1
;5;1;-3;-3
08.03.24;1;1;-1;-1
;0;0;0;0
;4;-4;4;-4
;2;-2;-2;2
"""


def read_preview(form: Any) -> set[tuple[datetime.date, str, int]]:
    """Return the day, the player and the points of everything that a preview would take in."""
    sittings = form.reading.sittings
    found = [(one.held_on, form.people[column].name, points) for one in sittings for column, points in one.points.items()]
    assert len(found) == len({*found})
    return {*found}


# --- An old Kasse -----------------------------------------------------------------------------------------------------


EVENINGS = """Datum,Saison,Ärmel,Bodo,Frieda
2024-10-22,ws2425,3,0,2.2
2024-11-05,ws2425,13.5,0.05,12.6
2024-12-03,ws2425,,4,10.7
2025-04-01,ss25,9.2,"6,40",0
2025-05-07,ss25,0,0,0
2025-06-18,ss25,"4,2 €",6.8,3.6
"""
MOVED = """Saison,Art,Betrag
ws2425,Einnahme,10.5
ws2425,Ausgabe,35.49
ss25,Einnahme,0.02
ss25,Ausgabe,20
"""
# In cents: the payments of each player, and the Kasse after the evenings and after everything.
PAID = {"Ärmel": 2990, "Bodo": 1725, "Frieda": 2910}
EVENINGS_CENTS = 7625
ALL_CENTS = 7625 + 1052 - 5549
OPENED = """Konto;Betrag;Datum
bar;209,22;01.03.2025
Bank;1.250,00 €;01.03.2025
Ärmel;3,5;01.03.2025
Frieda;-12,00;01.03.2025
Bodo;0;01.03.2025
"""


class Till(Desk):
    """The desk of a treasurer who imports an old Kasse."""

    def upload(self, data: bytes | str, name: str = "kasse.csv") -> HttpResponse:
        body = data.encode() if isinstance(data, str) else data
        return self.client.post(reverse("cash_old", args=[self.club.slug]), {"file": SimpleUploadedFile(name, body)})

    def undo(self, file: Import) -> None:
        self.client.post(reverse("cash_old_undo", args=[self.club.slug, file.pk]))


def workbook(*sheets: str) -> bytes:
    """Build a workbook with a sheet for each CSV text, with numbers as numbers."""
    book = Workbook()
    book.remove(book.active)
    for number, text in enumerate(sheets, 1):
        sheet = book.create_sheet(f"Blatt {number}")
        for line in text.replace('"6,40"', "6.4").replace('"4,2 €"', "4.2").splitlines():
            sheet.append([_cell(cell) for cell in line.split(";" if ";" in line else ",")])
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def _cell(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text or None


def waiting_kasse(club: Club, actor: User | None = None, text: str = EVENINGS, digest: str = "0" * 64) -> Import:
    """Store an old Kasse that waits to be booked."""
    rows = csv.reader(text.splitlines(), delimiter=";" if ";" in text else ",")
    sheets = [{"name": "", "rows": list(rows)}]
    return store_file(club=club, actor=Actor(actor), kind=Import.Kind.PAID, file_name="kasse.csv", digest=digest, sheets=sheets)


def take_kasse(file: Import, actor: User | None = None) -> Import:
    """Book a waiting file as proposed."""
    form = KasseForm(None, file=file)
    assert form.may_be_taken, (form.errors, form.reading.faults, form.obstacle)
    return book_kasse(
        file=file,
        actor=Actor(actor),
        kind=form.sheet.kind,
        sheet=form.selected,
        rows=form.reading.rows,
        people=form.people,
        report=form.reading.report(),
    )

