"""Lists of entries, and the registers with a running balance."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any, Final

import django_tables2 as tables
from django.db.models import Case, F, OrderBy, QuerySet, Value, When
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from scoring.cash import texts
from scoring.cash.models import Entry, Kind
from scoring.core.tables import NumberColumn
from scoring.core.text import text_key

from .queries import build_name_key

NOTHING: Final = _("Hier ist nichts gebucht.")


def _sort(entries: QuerySet[Entry], descending: bool, *keys: Any) -> tuple[QuerySet[Entry], bool]:
    """Sort by these keys, entries without a value last, and then in the order of booking."""
    found = [OrderBy(key, descending=descending, nulls_last=True) for key in keys]
    booked = [OrderBy(F(name), descending=descending) for name in ("date", "number")]
    return entries.order_by(*found, *booked), True


def _sort_by(*keys: Any) -> Callable[[Any, QuerySet[Entry], bool], tuple[QuerySet[Entry], bool]]:
    return lambda _table, entries, descending: _sort(entries, descending, *keys)


class EntriesTable(tables.Table):
    entry = tables.TemplateColumn(template_name="scoring/cash/_entry.html", context_object_name="row")

    class Meta:
        template_name = "scoring/tables/lines.html"
        empty_text = NOTHING


class MoneyColumn(NumberColumn):
    """The amounts of one direction; empty for entries of the other one."""

    def __init__(self, header: Any, sign: str) -> None:
        attrs = {"th": {"class": "num"}, "td": {"class": f"num {sign}"}}
        super().__init__(header, attrs=attrs, empty_values=(0,), default="")

    def render(self, value: int) -> str:
        return texts.format_euros(value)


class Register(tables.Table):
    """The Kassenbuch: income, expense and balance. It sorts entries and shows rows made of them."""

    day = tables.Column(_("Tag"), accessor="entry__date", initial_sort_descending=True, attrs={"td": {"class": "day"}})
    number = tables.Column(_("Nummer"), accessor="entry", initial_sort_descending=True, attrs={"td": {"class": "number"}})
    text = tables.TemplateColumn(
        template_name="scoring/cash/_register_text.html",
        context_object_name="row",
        verbose_name=_("Text"),
        attrs={"td": {"scope": "row"}},
    )
    person = tables.Column(_("Person"), accessor="about", default="", attrs={"td": {"class": "about", "translate": "no"}})
    plus = MoneyColumn(_("Einnahme"), "plus")
    minus = MoneyColumn(_("Ausgabe"), "minus")
    balance = NumberColumn(_("Bestand"), attrs={"th": {"class": "num"}, "td": {"class": "num balance", "data-head": _("Bestand")}})

    class Meta:
        template_name = "scoring/tables/table.html"
        attrs = {"class": "register", "aria-label": _("Kassenbuch")}
        row_attrs = {"class": lambda record: "void" if record.is_void else ""}
        empty_text = NOTHING
        order_by_field = "sort"

    def render_day(self, value: datetime.date) -> str:
        return date_format(value, "SHORT_DATE_FORMAT")

    def render_balance(self, value: int) -> str:
        return texts.format_euros(value)

    order_day = _sort_by()
    order_number = _sort_by(F("year"), F("number"))
    order_person = _sort_by(build_name_key())
    order_plus = _sort_by(Case(When(moved__gt=0, then=F("moved"))))
    order_minus = _sort_by(Case(When(moved__lt=0, then=-F("moved"))))
    order_balance = _sort_by(F("balance"))

    def order_text(self, entries: QuerySet[Entry], descending: bool) -> tuple[QuerySet[Entry], bool]:
        """Sort by the label of the kind in the language of the reader, then by the reason."""
        kinds = sorted(Kind, key=lambda kind: text_key(str(kind.label)))
        place = Case(*(When(kind=kind, then=Value(number)) for number, kind in enumerate(kinds)))
        return _sort(entries, descending, place, F("reason"))


class Statement(Register):
    person = None
    plus = MoneyColumn(_("Berechnet"), "minus")
    minus = MoneyColumn(_("Gutgeschrieben"), "plus")
    balance = NumberColumn(_("Kontostand"), attrs={"th": {"class": "num"}, "td": {"class": "num balance"}})

    class Meta(Register.Meta):
        attrs = {"class": "register", "aria-label": _("Auszug")}

    def render_balance(self, value: int) -> str:
        return texts.format_balance(value)
