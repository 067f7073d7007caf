"""Every form of the Kasse, field by field: what is refused gets a sentence at its field, and nothing typed is lost. `make soak`
asks every field, each run the first and the last of a form. A form that is new fails the list."""

from __future__ import annotations

import re
from html import unescape
from importlib import import_module
from inspect import isclass
from pkgutil import walk_packages
from typing import Any

import pytest
from django import forms
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

import scoring.cash
from scoring.cash.ledger.forms import TYPED
from scoring.evenings.actions import close_evening
from scoring.models import Entry
from tests.cash.kasse import make_kasse, reported
from tests.cash.tariffs import TREASURER, give_tariff
from tests.client import visit
from tests.effort import LONG
from tests.factories import Cast, add_game, make_table

pytestmark = pytest.mark.django_db
# What no field takes: words where a number is wanted, with a sign in them that turns letters round; no day; no choice.
BAD_TEXT, BAD_DAY, NO_CHOICE = "zwölf \u202e", "31.02.2026", "nichts davon"
# A choice that is not there is read as none: a selection is an address, and nothing is typed.
ASKED_BY_ADDRESS = {"RegisterForm", "SettleForm"}
# Others are made of these.
BASES = {"KeyedForm", "ChosenForm", "ConfirmingForm", "ContentForm"}


@pytest.fixture
def pages(cast: Cast) -> dict[str, str]:
    """The address of each form, by what it is called."""
    club = cast.club
    one, two = club.players.order_by("pk")[:2]
    one.user = cast.treasurer
    one.save()

    def at(name: str, *args: Any) -> str:
        return reverse(name, args=["karo", *args])

    found = {"opening": at("cash_opening")}
    give_tariff(club, drinks={"list": {"bier": 250}, "shared": True}, dues={"cents": 500}, joining={"cents": 100})
    table = make_table(club)
    add_game(table)
    closed = make_table(club)
    add_game(closed)
    report = reported(two)
    found |= {f"booking {kind}": at("cash_entry_new", kind) for kind in TYPED}
    found |= {name: at(f"cash_{name}") for name in ("headings", "report", "dues", "count", "months")}
    found |= {name: at(name) for name in ("tariff_questions", "tariff_edit")}
    found |= {name: at(name, table.evening_id) for name in ("evening_cash", "evening_people", "evening_drinks")}
    found |= {
        "refuse": at("cash_report_refuse", report.key),
        "tariff of an evening": at("evening_tariff", table.evening_id),
    }
    found["collect"] = at("evening_cash", closed.evening_id)
    assert not Entry.objects.filter(club=club).exists(), "the first form asks for what was there"
    return found


def forms_in(response: HttpResponse) -> list[forms.BaseForm]:
    found = [response.context.get(name) for name in ("form", "fine_form", "collect")]
    return [form for form in found if isinstance(form, forms.BaseForm) and form.fields]


def bad(field: forms.Field) -> Any:
    if isinstance(field, forms.MultipleChoiceField):
        return [NO_CHOICE]
    if isinstance(field, forms.DateField):
        return BAD_DAY
    return NO_CHOICE if isinstance(field, forms.ChoiceField | forms.ModelChoiceField) else BAD_TEXT


def ask(client: Client, page: str, form: forms.BaseForm) -> None:
    """Each field once with what it does not take."""
    address = page + "fines/" if type(form).__name__ == "FineForm" else page
    address = page + "collect/" if type(form).__name__ == "CollectForm" else address
    told = {name: value for name in form.fields if (value := form[name].value()) not in (None, ())}
    told |= {name: str(value) for name, value in told.items() if not isinstance(value, list)}
    names = [field.name for field in form.visible_fields()]
    for name in names if LONG else {names[0], names[-1]}:
        sent = told | {name: bad(form.fields[name])}
        if name.endswith(".steps"):
            sent[name.replace("steps", "form")] = "steps"
            sent[name.replace("steps", "name")] = "Zu laut"
        response = client.post(address, sent)
        assert response.status_code == 422, (page, name)
        (again,) = [one for one in forms_in(response) if type(one) is type(form)]
        html = response.content.decode()
        assert name in again.errors, (page, name)
        for error in again.errors[name]:
            assert str(error) in unescape(html), (page, name)
        kept = {one: again[one].value() for one in sent if one != name or bad(form.fields[one]) in (BAD_TEXT, BAD_DAY)}
        assert kept == {one: sent[one] for one in kept}, (page, name)
        if sent[name] in (BAD_TEXT, BAD_DAY):
            typed_in = re.search(rf'<(?:input|textarea)[^>]*name="{re.escape(name)}"[^>]*>[^<]*', html)
            assert typed_in and sent[name] in unescape(typed_in[0]), (page, name)
            described = re.search(r'aria-describedby="([^"]+)"', typed_in[0])
            assert 'aria-invalid="true"' in typed_in[0] and described, (page, name)
            assert any(f'id="{key}"' in html for key in described[1].split()), (page, name)


def test_each_refused_field_says_why_and_nothing_typed_is_lost(cast: Cast, pages: dict[str, str]) -> None:
    client, asked = visit(cast.treasurer), set()

    def meet(page: str) -> None:
        shown = client.get(page)
        for form in forms_in(shown):
            asked.add(type(form).__name__)
            ask(client, page, form)

    meet(pages.pop("opening"))
    make_kasse(cast.club)
    entry = Entry.objects.filter(kind="fine").latest("pk")
    meet(reverse("cash_entry_reverse", args=["karo", entry.pk]))
    closed = int(pages["collect"].split("/")[4])
    close_evening(evening=cast.club.evenings.get(pk=closed), actor=TREASURER)
    for page in pages.values():
        meet(page)
    known = set()
    for module in walk_packages(scoring.cash.__path__, "scoring.cash."):
        if not module.name.endswith(".forms"):
            continue
        found = vars(import_module(module.name)).values()
        known |= {
            one.__name__
            for one in found
            if isclass(one) and issubclass(one, forms.BaseForm) and one.__module__ == module.name
        }
    assert asked == known - ASKED_BY_ADDRESS - BASES
