"""A Kasse that strains its pages: large sums, long names and reasons, somebody who is open and somebody with a credit; and where
each page of it is."""

from __future__ import annotations

import datetime
from uuid import UUID

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from scoring.cash.dues.actions import set_dues_status
from scoring.cash.ledger.actions import add_heading
from scoring.cash.models import Kind
from scoring.club.actions import Actor
from scoring.models import Club
from tests.cash.kasse import agreed, closed, counted, reported, typed
from tests.imports.examples import take_kasse, waiting_kasse

LONG = "Ein_sehr_langes_Wort" * 5
KEY = UUID(int=7)
KINDS = ("payment", "expense", "handover", "transfer", "opening")
OLD = "Datum;Ärmel;Donaudampfschifffahrtskapitän\n2026-02-03;1;2,50\n"
STRANGE = f"{OLD}2026-02-04;99999,99;1\n2026-02-05;-7;{LONG[:60]}\n2026-02-06;;0\n"
CASH_PAGES = (
    "cash", "cash_headings", "cash_entries", "cash_entries?kind=payment", "cash_kinds",
    *(f"cash_entry_new of {kind}" for kind in KINDS),
    "cash_entry", "cash_entry_reverse", "cash_entry_reverse once", "cash_statement", "cash_left", "cash_report",
    "cash_report_refuse",
    "cash_dues", "cash_dues_month", "cash_settle", "cash_settlement",
    "cash_count", "cash_opening", "cash_old", "cash_old_file", "cash_old_file taken",
    "cash_months", "cash_months_close", "cash_month", "cash_month to close", "cash_year",
)  # fmt: skip


def cash_pages(club: Club, admin: User) -> dict[str, str]:
    """Books from January to March 2026; January is closed, and the admin is somebody of the club who is open."""
    people = list(club.players.order_by("pk"))
    people[1].user = admin
    people[1].save()
    add_heading(club=club, actor=Actor(admin), side="expense", name="Donaudampfschifffahrt mit allen", taken={})
    typed(club, Kind.OPENING, 123456789, "2026-01-01", admin, heading="cash")
    typed(club, Kind.OPENING, 98765, "2026-01-01", admin, heading="bank")
    for one in people:
        typed(club, Kind.FINE, 12345, "2026-01-09", admin, person=one, reason=LONG)
    last = typed(club, Kind.PAYMENT, 10_000_000, "2026-01-10", admin, person=people[3], box="bank", reason=LONG)
    closed(club, "2026-01", admin)
    typed(club, Kind.EXPENSE, 7, "2026-02-01", admin, heading="expense:donaudampfschifffahrt_mit_alle", box="cash")
    handed = typed(
        club,
        Kind.HANDOVER,
        99,
        "2026-02-02",
        admin,
        person=people[0],
        other=people[5],
        reason="So unter ihnen abgesprochen",
    )
    counted(club, 123456632, "Zwei Euro fehlen, vielleicht beim Wechseln", admin)
    counted(club, actor=admin)
    reported(people[1], 12345, KEY, note=LONG, date=datetime.date(2026, 2, 3))
    reported(people[3], 500)
    taken = take_kasse(waiting_kasse(club, admin, OLD, digest="1"))
    set_dues_status(player=people[2], actor=Actor(admin), month="2026-02", status="reduced")
    agreed(club, admin, KEY)
    people[4].left_on = datetime.date(2026, 1, 20)
    people[4].save()
    month, person = {"slug": "karo", "month": "2026-01"}, ["karo", people[1].pk]
    found = {name: reverse(name, args=["karo"]) for name in CASH_PAGES if name in _OF_CLUB}
    found |= {f"cash_entry_new of {kind}": reverse("cash_entry_new", args=["karo", kind]) for kind in KINDS}
    return found | {
        "cash_entries?kind=payment": reverse("cash_entries", args=["karo"]) + "?kind=payment",
        "cash_entry": reverse("cash_entry", args=["karo", handed.pk]),
        "cash_entry_reverse": reverse("cash_entry_reverse", args=["karo", last.pk]),
        "cash_entry_reverse once": reverse("cash_entry_reverse", args=["karo", handed.pk]),
        "cash_statement": reverse("cash_statement", args=person),
        "cash_left": reverse("cash_left", args=["karo", people[4].pk]),
        "cash_report_refuse": reverse("cash_report_refuse", args=["karo", KEY]),
        "cash_dues_month": reverse("cash_dues_month", args=["karo", f"{timezone.localdate():%Y-%m}"]),
        "cash_settlement": reverse("cash_settlement", args=["karo", KEY]),
        "cash_month": reverse("cash_month", kwargs=month),
        "cash_month to close": reverse("cash_month", kwargs=month | {"month": "2026-02"}),
        "cash_old_file": reverse("cash_old_file", args=["karo", waiting_kasse(club, admin, STRANGE).pk]),
        "cash_old_file taken": reverse("cash_old_file", args=["karo", taken.pk]),
        "cash_year": reverse("cash_year", args=["karo", 2026]),
    }


_OF_CLUB = (
    "cash", "cash_headings", "cash_entries", "cash_kinds", "cash_report", "cash_count", "cash_old", "cash_months",
    "cash_months_close", "cash_opening", "cash_dues", "cash_settle",
)  # fmt: skip
