"""An old Kasse to bring along: two seasons of evenings with what everybody paid, other income and expenses by season, and what they
come to."""

from __future__ import annotations

import csv
from io import BytesIO
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
from tests.desk import Desk

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
# In cents: what each paid, and what was in the Kasse behind the evenings and behind all of it.
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
    """The desk of a treasurer who brings the old Kasse along."""

    def upload(self, data: bytes | str, name: str = "kasse.csv") -> HttpResponse:
        body = data.encode() if isinstance(data, str) else data
        return self.client.post(reverse("cash_old", args=[self.club.slug]), {"file": SimpleUploadedFile(name, body)})

    def undo(self, file: Import) -> None:
        self.client.post(reverse("cash_old_undo", args=[self.club.slug, file.pk]))


def workbook(*sheets: str) -> bytes:
    """The same rows in Excel, a sheet for each text, numbers as numbers."""
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
    """An old Kasse that was read and waits to be booked."""
    rows = csv.reader(text.splitlines(), delimiter=";" if ";" in text else ",")
    sheets = [{"name": "", "rows": list(rows)}]
    return store_file(
        club=club, actor=Actor(actor), kind=Import.Kind.PAID, file_name="kasse.csv", digest=digest, sheets=sheets
    )


def take_kasse(file: Import, actor: User | None = None) -> Import:
    """Book what waits, as it is proposed."""
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
