"""The lists of the Kasse, and its registers with a running balance."""

from __future__ import annotations

from typing import Any, Final

import django_tables2 as tables
from django.db.models import Case, F, OrderBy, QuerySet, Value, When
from django.utils.translation import gettext_lazy as _

from scoring.cash.models.books import Entry, Kind
from scoring.cash.queries.journal import first_name_key
from scoring.core.tables import NumberColumn
from scoring.core.text import text_key

NOTHING: Final = _("Hier ist nichts gebucht.")


class EntriesTable(tables.Table):
    """Entries with who they are about, one line each."""

    entry = tables.TemplateColumn(template_name="scoring/cash/_entry.html", context_object_name="row")

    class Meta:
        template_name = "scoring/tables/lines.html"
        empty_text = NOTHING


class Register(tables.Table):
    """The Kassenbuch: what came in, what went out, and what was there then. Its template writes the rows."""

    day = tables.Column(_("Tag"), accessor="date", initial_sort_descending=True)
    number = tables.Column(_("Nummer"), initial_sort_descending=True)
    text = tables.Column(_("Text"), empty_values=())
    person = tables.Column(_("Person"), empty_values=())
    plus = NumberColumn(_("Einnahme"), accessor="moved")
    minus = NumberColumn(_("Ausgabe"), accessor="moved")
    balance = NumberColumn(_("Bestand"))

    class Meta:
        empty_text = NOTHING
        order_by_field = "sort"

    def order_day(self, entries: QuerySet[Entry], descending: bool) -> tuple[QuerySet[Entry], bool]:
        return _sorted(entries, descending)

    def order_number(self, entries: QuerySet[Entry], descending: bool) -> tuple[QuerySet[Entry], bool]:
        return _sorted(entries, descending, F("year"), F("number"))

    def order_text(self, entries: QuerySet[Entry], descending: bool) -> tuple[QuerySet[Entry], bool]:
        kinds = sorted(Kind, key=lambda kind: text_key(str(kind.label)))
        place = Case(*(When(kind=kind, then=Value(number)) for number, kind in enumerate(kinds)))
        return _sorted(entries, descending, place, F("reason"))

    def order_person(self, entries: QuerySet[Entry], descending: bool) -> tuple[QuerySet[Entry], bool]:
        return _sorted(entries, descending, first_name_key())

    def order_plus(self, entries: QuerySet[Entry], descending: bool) -> tuple[QuerySet[Entry], bool]:
        return _sorted(entries, descending, Case(When(moved__gt=0, then=F("moved"))))

    def order_minus(self, entries: QuerySet[Entry], descending: bool) -> tuple[QuerySet[Entry], bool]:
        return _sorted(entries, descending, Case(When(moved__lt=0, then=-F("moved"))))

    def order_balance(self, entries: QuerySet[Entry], descending: bool) -> tuple[QuerySet[Entry], bool]:
        return _sorted(entries, descending, F("balance"))


class Statement(Register):
    """The register of a person: what was charged, what they paid or got, and what they owed then."""

    person = None
    plus = NumberColumn(_("Berechnet"), accessor="moved")
    minus = NumberColumn(_("Gutgeschrieben"), accessor="moved")
    balance = NumberColumn(_("Kontostand"))


def _sorted(entries: QuerySet[Entry], descending: bool, *keys: Any) -> tuple[QuerySet[Entry], bool]:
    """Sort by these keys, what has none last, and then as they were booked."""
    found = [OrderBy(key, descending=descending, nulls_last=True) for key in keys]
    booked = [OrderBy(F(name), descending=descending) for name in ("date", "number")]
    return entries.order_by(*found, *booked), True
