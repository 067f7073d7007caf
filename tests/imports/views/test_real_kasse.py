"""The real Kasse of a club over eight years, in two files: what everybody paid, what is in it, and where it shows."""

from __future__ import annotations

from collections import Counter
from io import BytesIO

import pytest
from openpyxl import load_workbook

from scoring.cash.ledger.queries import get_balances, get_owed
from scoring.models import Entry, Leg
from tests.cash.books import in_the_kasse
from tests.desk import everything, verified
from tests.factories import make_club, make_user
from tests.imports.kasse import Till
from tests.imports.lists import ROOT

pytestmark = pytest.mark.django_db
PAID, MOVED = ((ROOT / f"fixtures/real/kasse_{name}.csv").read_bytes() for name in ("abende", "buchungen"))
# In cents, added up by hand.
OF_PEOPLE = {"Anton": 51190, "Berta": 48970, "Cäsar": 59620, "Dora": 50880, "Emil": 51370}
EVENINGS, INCOME, EXPENSE, THERE = 262030, 67441, 308549, 20922


def test_the_real_kasse_comes_to_what_is_in_it_and_to_what_everybody_paid() -> None:
    club = make_club(slug="karo")
    till = Till(club, make_user("thea", club, ["treasurer"]))
    nothing = everything()
    preview = till.look(till.bring(PAID, "kasse_abende.csv")).content.decode()
    assert everything() == nothing, "the preview books nothing"
    assert "93 Zeilen vom 22.10.2018 bis 26.04.2026" in preview and "2.620,30\u00a0€" in preview
    for euros in ("511,90", "489,70", "596,20", "508,80", "513,70"):
        assert f"zusammen {euros}\u00a0€ gezahlt" in preview

    till.bring_and_take(PAID, "kasse_abende.csv")
    assert in_the_kasse(club) == EVENINGS
    till.bring_and_take(MOVED, "kasse_buchungen.csv")
    assert in_the_kasse(club) == get_balances(club)["cash"] == THERE
    assert "209,22\u00a0€" in till.client.get("/c/karo/cash/").content.decode()

    paid: Counter[str] = Counter()
    for name, cents in Leg.objects.filter(kind="points").values_list("account__player__name", "cents"):
        paid[name] += cents
    del paid[None]
    assert (dict(paid), get_owed(club)) == (OF_PEOPLE, {}), "all of it is paid"
    entries = Counter(Entry.objects.values_list("kind", flat=True))
    assert entries == {"imported": 93, "payment": 93, "income": 62, "expense": 18}
    other = {code: -cents for code, cents in get_balances(club).items() if code.endswith(":other")}
    assert other == {"income:other": INCOME, "expense:other": -EXPENSE}
    assert "Alles stimmt" in verified()

    # Every year begins with what the one before left, and the file of the last one says what is there.
    years = range(2018, 2027)
    reports = [till.client.get(f"/c/karo/cash/years/{year}/").context["report"] for year in years]
    assert [one.start for one in reports] == [0, *(one.end for one in reports[:-1])]
    assert (reports[-1].end, sum(one.expense for one in reports)) == (THERE, EXPENSE)
    book = load_workbook(BytesIO(till.client.get("/c/karo/cash/years/2026/excel/").content))
    assert 209.22 in [cell for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row]

    # The same file again books nothing.
    again = till.look(till.bring(PAID, "kasse_abende.csv"))
    assert 'name="take"' not in again.content.decode() and Entry.objects.count() == 93 * 2 + 62 + 18
